/* SPDX-License-Identifier: BSD-3-Clause */
/* Waves of a shader that does nothing. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_WAVES_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_WAVES_H

#include "driver/amdgpu/selftest/bench.h"

/* A prime, so that nothing divides or rounds it unseen. */
#define WAVES_COUNT 10007u

/*
 * Launch so many in a queue of compute that lets them be counted. As
 * bench_run()
 */
int waves_launch(struct bench *bench, const char *claim, const char *expected);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_WAVES_H */
