/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of stages 4 and 9: may blocks with switches of their own be read while
 * they count? No driver is known to do so.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_RUNNING_H
#define DRMPERF_SELFTEST_AMDGPU_RUNNING_H

#include "selftest/amdgpu/bench.h"

/* Try all that are not hidden. As bench_run() */
int
running_try(struct bench *bench);

/* Try one of the core's, if it is of that kind. */
int
running_try_block(struct bench *bench, size_t index);

#endif /* DRMPERF_SELFTEST_AMDGPU_RUNNING_H */
