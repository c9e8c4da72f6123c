/* SPDX-License-Identifier: BSD-3-Clause */
/* What shaders that do something are counted to do. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SHADERS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SHADERS_H

#include "driver/amdgpu/selftest/bench.h"

/* As a stage; dies_choose() has been before. */
int
shaders_count(struct bench *bench);

/* Read SELFTEST_STREAM_BYTES by a shader, once. As bench_run() */
int
shaders_stream(struct bench *bench);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SHADERS_H */
