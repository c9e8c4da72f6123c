/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/bracket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Return the part of an interval that has passed at a time, from 0 to 1. */
static double
passed_part(const struct interval *interval, uint64_t time_ns)
{
	if (time_ns <= interval->begin_ns)
		return 0;
	if (time_ns >= interval->end_ns)
		return 1;
	return (double)(time_ns - interval->begin_ns) /
	       (double)(interval->end_ns - interval->begin_ns);
}

/* Set a count to what it was after a part of an interval, if it grew evenly. */
static void
interpolate_count(const struct interval *interval, size_t series, double part,
		  struct recording_value *out)
{
	const struct recording_value *before = &interval->before[series];
	const struct recording_value *after = &interval->after[series];
	const int64_t growth = (int64_t)(after->value.u64 - before->value.u64);

	out->end_ns =
		before->end_ns +
		(uint64_t)((double)(after->end_ns - before->end_ns) * part);
	if (interval->recording->types[series] == DRMPERF_TYPE_DOUBLE)
		out->value.f64 = before->value.f64 +
				 (after->value.f64 - before->value.f64) * part;
	else
		out->value.u64 = before->value.u64 +
				 (uint64_t)(int64_t)((double)growth * part);
}

/* Return counts at a time in an interval, and other values of its end. */
static struct recording_value *
values_at(const struct interval *interval, uint64_t time_ns)
{
	const struct recording *recording = interval->recording;
	const double part = passed_part(interval, time_ns);
	size_t size = recording->series_count * sizeof(*interval->after);
	struct recording_value *values = malloc(size + 1);

	if (!values)
		return NULL;
	memcpy(values, interval->after, size);
	for (size_t i = 0; part < 1 && i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (!event->steps &&
		    event->event.kind == DRMPERF_KIND_CUMULATIVE)
			interpolate_count(interval, event->series, part,
					  &values[event->series]);
	}
	return values;
}

/* Add the readings of an interval to those of a span that it overlaps. */
static int
widen_readings(struct bracket *bracket, const struct interval *interval)
{
	const struct recording *recording = interval->recording;

	if (!bracket->readings)
		bracket->readings = calloc(recording->series_count + 1,
					   sizeof(*bracket->readings));
	if (!bracket->readings)
		return -ENOMEM;
	interval_add_readings(recording, bracket->readings, interval->readings);
	return 0;
}

int
bracket_widen(struct bracket *bracket, const struct interval *interval)
{
	if (interval->end_ns > bracket->from_ns && !bracket->before) {
		bracket->before = values_at(interval, bracket->from_ns);
		bracket->begin_ns = interval->begin_ns;
		bracket->from_start = interval->from_start;
	}
	if (bracket->before && bracket->end_ns < bracket->to_ns) {
		free(bracket->after);
		bracket->after = values_at(interval, bracket->to_ns);
		bracket->end_ns = interval->end_ns;
		if (widen_readings(bracket, interval))
			return -ENOMEM;
	}
	return !bracket->before || bracket->after ? 0 : -ENOMEM;
}

struct interval
bracket_interval(const struct bracket *bracket,
		 const struct recording *recording)
{
	return (struct interval){
		.recording = recording,
		.begin_ns = bracket->begin_ns,
		.end_ns = bracket->end_ns,
		.before = bracket->before,
		.after = bracket->after,
		.readings = bracket->readings,
		.from_start = bracket->from_start,
	};
}

void
bracket_finish(struct bracket *bracket)
{
	free(bracket->before);
	free(bracket->after);
	free(bracket->readings);
	*bracket = (struct bracket){ 0 };
}
