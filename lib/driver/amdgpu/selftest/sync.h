/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of stages 3 and 4: what is waited for later can be seen to come. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SYNC_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SYNC_H

#include "driver/amdgpu/selftest/bench.h"

/* As bench_run() */
int
sync_try(struct bench *bench);

/*
 * The same on the graphics ring, before anything is waited for there. What does
 * not come is not waited for from here on. As bench_run()
 */
int
sync_try_graphics(struct bench *bench);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SYNC_H */
