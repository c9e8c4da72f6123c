/* SPDX-License-Identifier: BSD-3-Clause */
/* The self-test of Intel GPUs, whichever kernel driver they have. */
#ifndef DRMPERF_SELFTEST_INTEL_OA_H
#define DRMPERF_SELFTEST_INTEL_OA_H

#include "base/error.h"
#include "selftest/checks/check.h"

#define SELFTEST_OA_STAGES 8u

/* See struct selftest_kind. */
const char *
selftest_oa_title(unsigned stage);
int
selftest_oa_run(const struct selftest_gpu *gpu, unsigned stage,
		struct selftest_memory *memory,
		const struct selftest_host *host, struct drmperf_error *error);

#endif /* DRMPERF_SELFTEST_INTEL_OA_H */
