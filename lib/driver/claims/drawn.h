/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Full-screen quads that another process draws as any program does, and what a
 * counter of written pixels is to show: none in a quiet period before, then
 * theirs.
 */
#ifndef DRMPERF_LIB_DRIVER_CLAIMS_DRAWN_H
#define DRMPERF_LIB_DRIVER_CLAIMS_DRAWN_H

#include "driver/claims/claim.h"

#define DRAWN_CLAIM "quads.pixels"
#define DRAWN_QUIET_NS UINT64_C(20000000)
#define DRAWN_TEXT_SIZE 96

/* What is expected of this event. */
void
drawn_expect(const char *event, char out[DRAWN_TEXT_SIZE]);

/* Have the process do a step. NULL, or why nothing can be told. */
const char *
drawn_step(const struct selftest_host *host, enum selftest_draw step);

/* Counted before and while the quads were drawn; has the picture checked. */
enum selftest_verdict
drawn_judge(const struct selftest_host *host, uint64_t quiet, uint64_t counted,
	    char seen[DRAWN_TEXT_SIZE]);

#endif /* DRMPERF_LIB_DRIVER_CLAIMS_DRAWN_H */
