/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What another process draws, or computes, by OpenGL ES as any program does,
 * and what a counter is to show of it: nothing in a quiet period before, then
 * exactly that.
 */
#ifndef DRMPERF_SELFTEST_CHECKS_DRAWN_H
#define DRMPERF_SELFTEST_CHECKS_DRAWN_H

#include "selftest/checks/check.h"

#define DRAWN_QUIET_NS UINT64_C(20000000)
#define DRAWN_TEXT_SIZE 96

struct drawn;

/* Full-screen quads, by their pixels. */
extern const struct drawn drawn_quads;
/* Groups of a compute shader, each of them one thread of the hardware. */
extern const struct drawn drawn_groups;

const char *
drawn_check(const struct drawn *drawn);

/* Write what is expected of this event. */
void
drawn_expect(const struct drawn *drawn, const char *event,
	     char out[DRAWN_TEXT_SIZE]);

/* Explain an error of host->draw(), as text; NULL if ret is none. */
const char *
drawn_why_not(const struct drawn *drawn, int ret);

/* Have the process do a step. Returns NULL, or why it failed, as text. */
const char *
drawn_step(const struct drawn *drawn, const struct selftest_host *host,
	   enum selftest_draw step);

/*
 * Judge what was counted before and while it was drawn; has it checked that it
 * was.
 */
enum selftest_verdict
drawn_judge(const struct drawn *drawn, const struct selftest_host *host,
	    uint64_t quiet, uint64_t counted, char seen[DRAWN_TEXT_SIZE]);

#endif /* DRMPERF_SELFTEST_CHECKS_DRAWN_H */
