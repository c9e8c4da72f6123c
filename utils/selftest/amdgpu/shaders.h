/* SPDX-License-Identifier: BSD-3-Clause */
/* Check that counts of shaders match the work that they do. */
#ifndef DRMPERF_SELFTEST_AMDGPU_SHADERS_H
#define DRMPERF_SELFTEST_AMDGPU_SHADERS_H

#include "selftest/amdgpu/harness.h"

/*
 * Run the stage; dies_choose() has to run before. Returns what a stage returns.
 */
int
shaders_count(struct harness *harness);

/*
 * Read SELFTEST_STREAM_BYTES by a shader, once. Returns what harness_run()
 * does.
 */
int
shaders_stream(struct harness *harness);

#endif /* DRMPERF_SELFTEST_AMDGPU_SHADERS_H */
