/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Check that the timestamps of reports advance at the rate that the kernel or
 * the table gives: a wrong rate would scale all times, by two for example, and
 * nothing else would show it.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_RATE_WATCH_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_RATE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A time by the timestamps, since some beginning, which lies between from_ns
 * and to_ns on CLOCK_MONOTONIC.
 */
struct rate_mark {
	uint64_t ticks, from_ns, to_ns;
};

struct rate_watch {
	uint64_t hz; /* that the timestamps are said to have */
	struct rate_mark base; /* the narrowest of the first 50 ms */
	uint64_t begun_ns, suspect_ns; /* 0: not yet */
	double measured_hz; /* 0 while nothing is wrong */
};

void
rate_watch_init(struct rate_watch *watch, uint64_t hz);

/*
 * Add a mark. A rate that is off by more than a hundredth, beyond the marks'
 * uncertainty, and still is 50 ms later, sets measured_hz, once.
 */
void
rate_watch_add(struct rate_watch *watch, const struct rate_mark *mark);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_RATE_WATCH_H */
