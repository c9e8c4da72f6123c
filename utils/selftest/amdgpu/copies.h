/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of two registers at once: do they give both? */
#ifndef DRMPERF_SELFTEST_AMDGPU_COPIES_H
#define DRMPERF_SELFTEST_AMDGPU_COPIES_H

#include "selftest/amdgpu/bench.h"

/*
 * Compare them on each ring that there is; dies_choose() has to run before.
 * Returns what a stage returns.
 */
int
copies_try(struct bench *bench);

#endif /* DRMPERF_SELFTEST_AMDGPU_COPIES_H */
