/* SPDX-License-Identifier: BSD-3-Clause */
/* Guards of the library: is each of them needed on this GPU? */
#ifndef DRMPERF_SELFTEST_AMDGPU_GUARDS_H
#define DRMPERF_SELFTEST_AMDGPU_GUARDS_H

#include "selftest/amdgpu/bench.h"

/*
 * Run the stage; dies_choose() has to run before. Returns what a stage returns.
 */
int
guards_try(struct bench *bench);

#endif /* DRMPERF_SELFTEST_AMDGPU_GUARDS_H */
