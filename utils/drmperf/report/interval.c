/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/interval.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Computing an event hardly takes more. */
#define FEW_STEPS 64

/* ------------------------------------------------------------------ */
/* Values of an interval                                                */

static double
part_difference(const void *data, unsigned series)
{
	const struct interval *interval = data;
	const union drmperf_value now = interval->after[series].value;
	const union drmperf_value before = interval->before[series].value;

	if (interval->recording->types[series] == DRMPERF_TYPE_DOUBLE)
		return now.f64 - before.f64;
	return (double)(now.u64 - before.u64);
}

/* Find the first part, whose clock is the event's. */
static const struct drmperf_step *
first_part(const struct recording_event *event)
{
	for (size_t i = 0; i < event->step_count; i++) {
		if (event->steps[i].operation == DRMPERF_OPERATION_PART)
			return &event->steps[i];
	}
	return NULL;
}

static double
interval_compute(const struct interval *interval,
		 const struct recording_event *event)
{
	double few[FEW_STEPS], *many = NULL, *results = few;
	double value;

	if (event->step_count > FEW_STEPS)
		results = many = calloc(event->step_count, sizeof(*many));
	if (!results)
		return NAN;
	drmperf_formula_value(event->steps, event->step_count, part_difference,
			      interval, results);
	value = results[event->step_count - 1];
	free(many);
	return value;
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

static void
set_time(const struct interval *interval, size_t series, struct record *record)
{
	const struct recording_value *after = &interval->after[series];

	record->start_ns = interval->before[series].end_ns;
	record->length_ns = after->end_ns - record->start_ns;
	record->die = after->die;
}

/* Return whether nothing was read of the series within the interval. */
static bool
is_gap(const struct record *record)
{
	return record->die == RECORDING_NEVER && !record->length_ns;
}

/*
 * Convert to an integer. No value is 0, what is too large the largest there is.
 */
static uint64_t
to_integer(double value)
{
	if (!(value > 0))
		return 0;
	return value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
}

static void
set_no_value(struct record *record)
{
	record->event.type = DRMPERF_TYPE_DOUBLE;
	record->value.f64 = NAN;
}

/*
 * Set what was counted, or no value: a difference of counters that
 * contradict each other for a while can be less than before.
 */
static void
set_growth(struct record *record, union drmperf_value before)
{
	bool went_down;

	if (record->event.type == DRMPERF_TYPE_DOUBLE) {
		record->value.f64 -= before.f64;
		went_down = record->value.f64 < 0;
	} else {
		record->value.u64 -= before.u64;
		went_down = (int64_t)record->value.u64 < 0;
	}
	if (went_down || is_gap(record))
		set_no_value(record);
}

static void
set_computed(const struct interval *interval,
	     const struct recording_event *event, struct record *record)
{
	const struct drmperf_step *part = first_part(event);
	double value = interval_compute(interval, event);

	if (part)
		set_time(interval, part->part, record);
	/* in no time there is no average */
	if (is_gap(record) || (!record->length_ns && part &&
			       event->event.kind == DRMPERF_KIND_AVERAGE))
		set_no_value(record);
	else if (event->event.type == DRMPERF_TYPE_DOUBLE)
		record->value.f64 = value;
	else
		record->value.u64 = to_integer(value);
}

/* Take the mean of the readings of an interval, if there are several. */
static void
set_mean(const struct interval *interval, size_t series, struct record *record)
{
	const struct interval_readings *readings = interval->readings;
	const bool has_last = record->die != RECORDING_NEVER;

	if (!readings || readings[series].count < (has_last ? 2 : 1))
		return;
	record->event.type = DRMPERF_TYPE_DOUBLE;
	record->value.f64 =
		readings[series].sum / (double)readings[series].count;
}

static void
set_recorded(const struct interval *interval,
	     const struct recording_event *event, struct record *record)
{
	const union drmperf_value before =
		interval->before[event->series].value;

	set_time(interval, event->series, record);
	record->value = interval->after[event->series].value;
	switch (event->event.kind) {
	case DRMPERF_KIND_CUMULATIVE:
		set_growth(record, before);
		break;
	case DRMPERF_KIND_AVERAGE:
		/* since the start: it says nothing of a later part */
		if (!interval->from_start)
			set_no_value(record);
		break;
	case DRMPERF_KIND_MOMENTARY:
		record->start_ns += record->length_ns;
		record->length_ns = 0;
		if (record->die == RECORDING_NEVER)
			set_no_value(record);
		set_mean(interval, event->series, record);
		break;
	}
}

struct record
interval_record(const struct interval *interval,
		const struct recording_event *event)
{
	struct record record = {
		.event = event->event,
		.run = 1,
		.pass = 1,
		.die = -1,
		.clocks = held_clocks_find(&interval->recording->clocks,
					   event->event.device),
	};

	if (event->steps)
		set_computed(interval, event, &record);
	else
		set_recorded(interval, event, &record);
	if (record.die == RECORDING_NEVER)
		record.die = -1;
	return record;
}

double
interval_height(const struct record *record)
{
	if (record->event.kind == DRMPERF_KIND_CUMULATIVE)
		return records_rate(record);
	return record->event.type == DRMPERF_TYPE_DOUBLE
		       ? record->value.f64
		       : (double)record->value.u64;
}

/* ------------------------------------------------------------------ */
/* One after another                                                    */

/*
 * Read the next sample. Returns 1, 0 behind the last, or a negative errno
 * value.
 */
static int
next_sample(struct recording *recording, struct recording_sample *out)
{
	struct recording_item item;
	int ret;

	do
		ret = recording_next(recording, &item);
	while (ret > 0 && item.kind != RECORDING_SAMPLE);
	if (ret > 0)
		*out = item.sample;
	return ret;
}

static double
to_number(const struct recording *recording, size_t series,
	  union drmperf_value value)
{
	return recording->types[series] == DRMPERF_TYPE_DOUBLE
		       ? value.f64
		       : (double)value.u64;
}

/* Add the values of a sample to the readings of an interval. */
static void
add_sample(struct interval_walk *walk, const struct recording_sample *sample)
{
	const struct recording *recording = walk->recording;

	for (size_t i = 0; i < recording->series_count; i++) {
		const struct recording_value *value = &sample->values[i];

		if (value->die == RECORDING_NEVER)
			continue;
		walk->readings[i].sum +=
			to_number(recording, i, value->value);
		walk->readings[i].count++;
	}
}

void
interval_add_readings(const struct recording *recording,
		      struct interval_readings *sum,
		      const struct interval_readings *more)
{
	for (size_t i = 0; i < recording->series_count; i++) {
		sum[i].sum += more[i].sum;
		sum[i].count += more[i].count;
	}
}

static void
recording_keep(const struct recording *recording, struct recording_value *to,
	       const struct recording_value *from)
{
	memcpy(to, from, recording->series_count * sizeof(*to));
}

static int
interval_walk_begin(struct interval_walk *walk)
{
	size_t count = walk->recording->series_count + 1;
	struct recording_sample sample;
	int ret;

	walk->begun = true;
	walk->before = calloc(count, sizeof(*walk->before));
	walk->after = calloc(count, sizeof(*walk->after));
	walk->readings = calloc(count, sizeof(*walk->readings));
	if (!walk->before || !walk->after || !walk->readings)
		return -ENOMEM;
	recording_rewind(walk->recording);
	ret = next_sample(walk->recording, &sample);
	if (ret <= 0)
		return ret;
	recording_keep(walk->recording, walk->after, sample.values);
	walk->interval = (struct interval){
		.recording = walk->recording,
		.end_ns = sample.time_ns,
		.before = walk->before,
		.after = walk->after,
		.readings = walk->readings,
		.from_start = true,
	};
	return 1;
}

int
interval_walk_next(struct interval_walk *walk, struct interval *out)
{
	struct interval *interval = &walk->interval;
	struct recording_sample sample;
	int ret = 1, got = 0;

	if (!walk->begun)
		ret = interval_walk_begin(walk);
	else
		interval->from_start = false;
	if (ret <= 0)
		return ret;
	interval->begin_ns = interval->end_ns;
	recording_keep(walk->recording, walk->before, walk->after);
	memset(walk->readings, 0,
	       walk->recording->series_count * sizeof(*walk->readings));
	while (interval->end_ns - interval->begin_ns < walk->length_ns) {
		ret = next_sample(walk->recording, &sample);
		if (ret <= 0)
			break;
		got++;
		interval->end_ns = sample.time_ns;
		recording_keep(walk->recording, walk->after, sample.values);
		add_sample(walk, &sample);
	}
	if (ret < 0 || !got)
		return ret < 0 ? ret : 0;
	*out = *interval;
	return 1;
}

void
interval_walk_finish(struct interval_walk *walk)
{
	free(walk->before);
	free(walk->after);
	free(walk->readings);
	walk->before = walk->after = NULL;
	walk->readings = NULL;
}
