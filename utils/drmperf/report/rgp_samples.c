/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/rgp_samples.h"

#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/interval.h"

const char *
rgp_event_group(const struct recording_event *event, size_t *length,
		const char **rest)
{
	const char *colons = strstr(event->event.name, "::");
	const char *group = colons ? colons + 2 : event->event.name;

	*length = strcspn(group, ".");
	*rest = group + *length + (group[*length] == '.');
	return group;
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

/* Blocks that can stream, by AMD's numbers (PAL, sqtt_file_format.h). */
static const struct block {
	const char *name;
	uint32_t code;
} blocks[] = {
	{ "CB", 14 },	{ "CHA", 39 },	 { "CHC", 40 },	    { "CHCG", 41 },
	{ "CPC", 23 },	{ "CPF", 0 },	 { "CPG", 22 },	    { "DB", 13 },
	{ "EA", 29 },	{ "EA_SE", 55 }, { "EA_CPWD", 54 }, { "GCR", 43 },
	{ "GDS", 15 },	{ "GE", 33 },	 { "GE_DIST", 46 }, { "GE_SE", 47 },
	{ "GL1A", 34 }, { "GL1C", 35 },	 { "GL1XA", 51 },   { "GL1XC", 52 },
	{ "GL2A", 37 }, { "GL2C", 38 },	 { "IA", 1 },	    { "PA_PH", 44 },
	{ "PA_SC", 4 }, { "PA_SU", 3 },	 { "PC", 50 },	    { "SDMA", 20 },
	{ "SPI", 5 },	{ "SQ", 6 },	 { "SQ_WGP", 49 },  { "SX", 7 },
	{ "TA", 8 },	{ "TCA", 12 },	 { "TCC", 11 },	    { "TCP", 10 },
	{ "TD", 9 },	{ "VGT", 2 },	 { "WGS", 53 },
};

static const struct block *
find_block(const struct recording_event *event)
{
	const char *rest;
	size_t length;
	const char *name = rgp_event_group(event, &length, &rest);

	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		if (strlen(blocks[i].name) == length &&
		    !memcmp(blocks[i].name, name, length))
			return &blocks[i];
	}
	return NULL;
}

/*
 * Return whether there are instances of an event beside their sum, which then
 * cannot stand in place of the first one.
 */
static bool
has_instances(const struct recording *recording,
	      const struct recording_event *sum)
{
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (!event->steps && event->event.instance >= 0 &&
		    !strcmp(event->event.name, sum->event.name))
			return true;
	}
	return false;
}

/* Add the counter that an event is, if it is one of a block. */
static void
add_counter(struct rgp_samples *samples, const struct recording_event *event)
{
	const struct recording *recording = samples->recording;
	const struct recording_stream *stream = &recording->stream;
	const struct block *block = find_block(event);
	const bool is_sum = event->event.instance < 0;

	if (event->steps || !block ||
	    event->event.type != DRMPERF_TYPE_UINT64 ||
	    event->series >= stream->count || !stream->numbers[event->series] ||
	    (is_sum && has_instances(recording, event)))
		return;
	samples->counter_series[samples->counter_count] = event->series;
	samples->counters[samples->counter_count++] = (struct rgp_counter){
		.block = block->code,
		.instance = is_sum ? 0 : (uint32_t)event->event.instance,
		.number = stream->numbers[event->series] - 1,
	};
}

static int
find_counters(struct rgp_samples *samples)
{
	const struct recording *recording = samples->recording;

	samples->counters =
		calloc(recording->event_count + 1, sizeof(*samples->counters));
	samples->counter_series = calloc(recording->event_count + 1,
					 sizeof(*samples->counter_series));
	if (!samples->counters || !samples->counter_series)
		return -ENOMEM;
	for (size_t i = 0; i < recording->event_count; i++)
		add_counter(samples, &recording->events[i]);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Figures                                                              */

/* Mark the series that events which were asked for are computed from. */
static void
mark_parts(const struct recording *recording, bool *is_part)
{
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		for (size_t k = 0; event->asked && k < event->step_count; k++) {
			if (event->steps[k].operation == DRMPERF_OPERATION_PART)
				is_part[event->steps[k].part] = true;
		}
	}
}

static void
add_figures(struct rgp_samples *samples, const bool *is_part)
{
	const struct recording *recording = samples->recording;
	size_t count = 0;

	for (size_t i = 0; i < recording->event_count; i++) {
		if (recording->events[i].asked)
			samples->figures[count++] = &recording->events[i];
	}
	samples->figure_count = count;
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (!event->steps && is_part[event->series] &&
		    event->event.instance < 0)
			samples->figures[count++] = event;
	}
	samples->component_count = count - samples->figure_count;
}

static int
find_figures(struct rgp_samples *samples)
{
	const struct recording *recording = samples->recording;
	bool *is_part = calloc(recording->series_count + 1, sizeof(*is_part));

	samples->figures = calloc(2 * recording->event_count + 1,
				  sizeof(*samples->figures));
	if (!is_part || !samples->figures) {
		free(is_part);
		return -ENOMEM;
	}
	mark_parts(recording, is_part);
	add_figures(samples, is_part);
	free(is_part);
	return 0;
}

static int
count_intervals(struct recording *recording, size_t *count)
{
	struct interval_walk walk = { .recording = recording, .length_ns = 1 };
	struct interval interval;
	int ret;

	while ((ret = interval_walk_next(&walk, &interval)) > 0)
		++*count;
	interval_walk_finish(&walk);
	if (!ret && !*count)
		ret = -ENODATA;
	return ret;
}

int
rgp_samples_find(struct recording *recording, struct rgp_samples *samples)
{
	int ret;

	*samples = (struct rgp_samples){ .recording = recording };
	ret = count_intervals(recording, &samples->count);
	if (!ret)
		ret = find_counters(samples);
	return ret ? ret : find_figures(samples);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

/* Return what was counted in an interval, or the most that has room. */
static uint32_t
count_of(const struct interval *interval, size_t series)
{
	const uint64_t value = interval->after[series].value.u64 -
			       interval->before[series].value.u64;

	return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Return the bits of a figure; where there is no value they are those of 0. */
static uint64_t
figure_of(const struct interval *interval, const struct recording_event *event)
{
	const struct record record = interval_record(interval, event);
	union drmperf_value value = record.value;

	if (record.event.type != DRMPERF_TYPE_DOUBLE)
		value.f64 = (double)record.value.u64;
	if (!isfinite(value.f64))
		value.f64 = 0;
	return htole64(value.u64);
}

static void
take_interval(struct rgp_samples *samples, size_t number,
	      const struct interval *interval)
{
	const size_t figures = samples->figure_count + samples->component_count;
	const struct rgp_machine *machine = &samples->recording->machine;

	samples->times[number] = rgp_machine_ticks(machine, interval->end_ns);
	for (size_t i = 0; i < samples->counter_count; i++)
		samples->counter_values[i * samples->count + number] =
			count_of(interval, samples->counter_series[i]);
	for (size_t i = 0; i < figures; i++)
		samples->figure_values[i * samples->count + number] =
			figure_of(interval, samples->figures[i]);
}

static int
make_room(struct rgp_samples *samples)
{
	const size_t figures = samples->figure_count + samples->component_count;

	samples->times = calloc(samples->count, sizeof(*samples->times));
	samples->counter_values = calloc(samples->counter_count + 1,
					 samples->count * sizeof(uint32_t));
	samples->figure_values =
		calloc(figures + 1, samples->count * sizeof(uint64_t));
	return samples->times && samples->counter_values &&
			       samples->figure_values
		       ? 0
		       : -ENOMEM;
}

int
rgp_samples_read(struct recording *recording, struct rgp_samples *samples)
{
	struct interval_walk walk = { .recording = recording, .length_ns = 1 };
	struct interval interval;
	int ret = make_room(samples);

	for (size_t i = 0; !ret && i < samples->count; i++) {
		ret = interval_walk_next(&walk, &interval);
		if (ret > 0)
			take_interval(samples, i, &interval);
		ret = ret > 0 ? 0 : -EBADMSG;
	}
	interval_walk_finish(&walk);
	return ret;
}

void
rgp_samples_finish(struct rgp_samples *samples)
{
	free(samples->times);
	free(samples->counters);
	free(samples->counter_series);
	free(samples->counter_values);
	free(samples->figures);
	free(samples->figure_values);
	*samples = (struct rgp_samples){ 0 };
}
