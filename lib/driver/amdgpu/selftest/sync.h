/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of stage 3: what later stages wait for can be seen to come. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SYNC_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SYNC_H

#include "driver/amdgpu/selftest/bench.h"

/* As bench_run() */
int
sync_try(struct bench *bench);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SYNC_H */
