/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The self-test of AMD GPUs: the driver's own stages, and what is counted by
 * formulas, which only the library as a whole has.
 */
#ifndef DRMPERF_SELFTEST_AMD_H
#define DRMPERF_SELFTEST_AMD_H

#include "base/error.h"
#include "selftest/checks/check.h"

/* See struct selftest_kind. */
int
selftest_amd_run(const struct selftest_gpu *gpu, unsigned stage,
		 struct selftest_memory *memory,
		 const struct selftest_host *host, struct drmperf_error *error);

#endif /* DRMPERF_SELFTEST_AMD_H */
