/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lock that AMD's compute driver (KFD) has for profilers: one process holds
 * it for a GPU, and while it does, counters see all compute queues there, of
 * all processes. The kernel takes it back when the process dies.
 *
 * The process becomes one of KFD's with that, until it ends. Its HSA, if it
 * were to begin any, would not get the GPU: so tools take the lock themselves,
 * and programs by another process.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_PROFILER_LOCK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_PROFILER_LOCK_H

#include <stdbool.h>

#include "base/error.h"
#include "driver/amdgpu/device/kfd_file.h"

struct profiler_lock;

/*
 * Take the lock of a GPU.
 *
 * Returns 0; -EBUSY if another process holds it; -EALREADY if this one does;
 * -EACCES without CAP_PERFMON, or if /dev/kfd may not be opened; -ENOTSUP if
 * the kernel has no such lock; -ENOMEM; what else the kernel returns.
 */
int
profiler_lock_take(const struct kfd_target *target, struct profiler_lock **out,
		   struct drmperf_error *error);

/* Release the lock. In a forked child only the memory and files are. */
void
profiler_lock_release(struct profiler_lock *lock, bool is_child);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_PROFILER_LOCK_H */
