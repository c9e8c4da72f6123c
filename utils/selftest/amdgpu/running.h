/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Part of stages 4 and 9: may blocks with switches of their own be read while
 * they count? No driver is known to do so.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_RUNNING_H
#define DRMPERF_SELFTEST_AMDGPU_RUNNING_H

#include "selftest/amdgpu/harness.h"

/* Try all that are not hidden. As harness_run() */
int
running_try(struct harness *harness);

/* Try one of the core's, if it is of that kind. */
int
running_try_block(struct harness *harness, size_t index);

#endif /* DRMPERF_SELFTEST_AMDGPU_RUNNING_H */
