/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of a part of a recording, between two of its samples.
 */
#ifndef DRMPERF_TOOL_INTERVAL_H
#define DRMPERF_TOOL_INTERVAL_H

#include "recording.h"

struct interval {
	const struct recording *recording;
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
	const struct recording_value *before, *after;
	bool from_start; /* it begins with the first sample */
};

/* Only run and pass, both 1, are not of the interval. */
struct record
interval_record(const struct interval *interval,
		const struct recording_event *event);

/*
 * What a plot shows of it: what adds up by the second, in that unit, else the
 * value. NaN: n/a.
 */
double
interval_height(const struct record *record);

/*
 * The next interval of at least this length; what was between two samples
 * stays together. 1, 0 behind the last, or a negative errno value. Begins with
 * { .recording = ... }, and ends with interval_walk_finish().
 */
struct interval_walk {
	struct recording *recording;
	uint64_t length_ns; /* UINT64_MAX: all in one */
	/* own */
	struct interval interval;
	struct recording_value *before, *after;
	bool begun;
};

int
interval_walk_next(struct interval_walk *walk, struct interval *out);
void
interval_walk_finish(struct interval_walk *walk);

#endif /* DRMPERF_TOOL_INTERVAL_H */
