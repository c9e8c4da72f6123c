/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of a part of a recording, between two of its samples.
 */
#ifndef DRMPERF_TOOL_REPORT_INTERVAL_H
#define DRMPERF_TOOL_REPORT_INTERVAL_H

#include "record/recording.h"

/* The readings of a series in an interval, in the event's unit. */
struct interval_readings {
	double sum;
	uint64_t count;
};

struct interval {
	const struct recording *recording;
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
	const struct recording_value *before, *after;
	/* of each series; NULL: only the last reading is known */
	const struct interval_readings *readings;
	bool from_start; /* it begins with the first sample */
};

/*
 * Return what an event did in an interval. What is true at a moment, as sensors
 * are, is the mean of its readings. Only run and pass, both 1, are not of the
 * interval.
 */
struct record
interval_record(const struct interval *interval,
		const struct recording_event *event);

/*
 * Return the height in a plot: per second, in that unit, for events that add
 * up, else the value. NaN: n/a.
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
	struct interval_readings *readings;
	bool begun;
};

/* Add readings of all series to those of another interval. */
void
interval_add_readings(const struct recording *recording,
		      struct interval_readings *sum,
		      const struct interval_readings *more);

int
interval_walk_next(struct interval_walk *walk, struct interval *out);
void
interval_walk_finish(struct interval_walk *walk);

#endif /* DRMPERF_TOOL_REPORT_INTERVAL_H */
