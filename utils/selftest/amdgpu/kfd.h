/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel's compute driver (KFD) has for counting: its lock of
 * profilers, and a queue for all dies. The process becomes one of KFD's.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_KFD_H
#define DRMPERF_SELFTEST_AMDGPU_KFD_H

#include "driver/amdgpu/device/profiler_lock.h"
#include "selftest/amdgpu/harness.h"

/*
 * Count the waves of another process on all dies at once, if there are several.
 * Returns 0, or -errno after which the stage is to end.
 */
int
kfd_count_dies(struct harness *harness);

/* Take the lock, and check that it could be taken; NULL: it could not. */
struct profiler_lock *
kfd_take_lock(struct harness *harness);

#endif /* DRMPERF_SELFTEST_AMDGPU_KFD_H */
