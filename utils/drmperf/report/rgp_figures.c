/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/rgp_figures.h"

#include <string.h>

#include "rgp/rgp_put.h"

/* What stands before time stamps, with the head of the chunk. */
#define FIGURES_HEAD_SIZE 44

#define GROUP_SIZE 20
#define FIGURE_SIZE 24
#define COMPONENT_SIZE 20

static void
write_bytes(const void *bytes, size_t size, FILE *out)
{
	if (size)
		fwrite(bytes, 1, size, out);
}

/* Metrics that Mesa puts into groups of these names (ac_spm.c). */
static const struct metric {
	const char *name, *group;
} metrics[] = {
	{ "InstCacheHit", "Cache" },	   { "ScalarCacheHit", "Cache" },
	{ "L0CacheHit", "Cache" },	   { "L1CacheHit", "Cache" },
	{ "L2CacheHit", "Cache" },	   { "LDSBankConflict", "LDS" },
	{ "FetchSize", "Memory (bytes)" }, { "WriteSize", "Memory (bytes)" },
	{ "MemUnitBusy", "Memory (%)" },   { "MemUnitStalled", "Memory (%)" },
};

/* Return the name of the group, of *length bytes, that a figure is shown in. */
static const char *
find_group(const struct recording_event *event, size_t *length)
{
	const char *name;
	const char *group = rgp_event_group(event, length, &name);
	const bool is_metric = !strncmp(group, "metric.", strlen("metric."));

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		if (is_metric && !strcmp(name, metrics[i].name)) {
			*length = strlen(metrics[i].group);
			return metrics[i].group;
		}
	}
	return group;
}

static bool
is_of_group(const struct recording_event *event, const char *group,
	    size_t length)
{
	size_t own_length;
	const char *own = find_group(event, &own_length);

	return own_length == length && !memcmp(own, group, length);
}

/* Return how many of the figures before this one are of its group. */
static size_t
count_before(const struct rgp_samples *samples, size_t figure)
{
	size_t length, count = 0;
	const char *group = find_group(samples->figures[figure], &length);

	for (size_t i = 0; i < figure; i++)
		count += is_of_group(samples->figures[i], group, length);
	return count;
}

static size_t
count_groups(const struct rgp_samples *samples)
{
	size_t count = 0;

	for (size_t i = 0; i < samples->figure_count; i++)
		count += !count_before(samples, i);
	return count;
}

/* Add the group of a figure, with the numbers of all figures in it. */
static void
add_group(struct bytes *bytes, const struct rgp_samples *samples, size_t figure)
{
	struct bytes numbers = { 0 };
	size_t length;
	const char *group = find_group(samples->figures[figure], &length);

	for (size_t i = 0; i < samples->figure_count; i++) {
		if (is_of_group(samples->figures[i], group, length))
			bytes_add_u32(&numbers, (uint32_t)i);
	}
	bytes_add_u32(bytes, (uint32_t)(GROUP_SIZE + length + numbers.size));
	bytes_add_u32(bytes, GROUP_SIZE);
	bytes_add_u32(bytes, (uint32_t)length);
	bytes_add_u32(bytes, 0);
	bytes_add_u32(bytes, (uint32_t)(numbers.size / sizeof(uint32_t)));
	bytes_add(bytes, group, length);
	bytes_add(bytes, numbers.data, numbers.size);
	bytes->failed |= numbers.failed;
	bytes_finish(&numbers);
}

/* Return the code of GPUPerfAPI for what values are of. */
static uint32_t
usage_of(const struct recording_event *event)
{
	switch (event->event.unit) {
	case DRMPERF_UNIT_PERCENT:
		return 1;
	case DRMPERF_UNIT_CYCLES:
		return 2;
	case DRMPERF_UNIT_BYTES:
		return 4;
	default:
		return 5;
	}
}

static bool
has_part(const struct recording_event *event, size_t series)
{
	for (size_t i = 0; i < event->step_count; i++) {
		if (event->steps[i].operation == DRMPERF_OPERATION_PART &&
		    event->steps[i].part == series)
			return true;
	}
	return false;
}

/* Add the name of an event in its group, or behind it. */
static void
add_name(struct bytes *bytes, const struct recording_event *event,
	 bool with_group)
{
	char name[320], instance[32] = "";
	const char *rest;
	size_t length;
	const char *group = rgp_event_group(event, &length, &rest);

	if (event->event.instance >= 0)
		snprintf(instance, sizeof(instance), ":instance=%d",
			 event->event.instance);
	snprintf(name, sizeof(name), "%s%s", with_group ? group : rest,
		 instance);
	bytes_add(bytes, name, strlen(name));
}

static void
add_figure(struct bytes *bytes, const struct rgp_samples *samples,
	   const struct recording_event *event)
{
	const size_t description = strlen(event->description);
	struct bytes name = { 0 }, numbers = { 0 };

	add_name(&name, event, false);
	for (size_t i = 0; i < samples->component_count; i++) {
		if (has_part(event, samples->figures[samples->figure_count + i]
					    ->series))
			bytes_add_u32(&numbers, (uint32_t)i);
	}
	bytes_add_u32(bytes, (uint32_t)(FIGURE_SIZE + name.size + description +
					numbers.size));
	bytes_add_u32(bytes, FIGURE_SIZE);
	bytes_add_u32(bytes, (uint32_t)name.size);
	bytes_add_u32(bytes, (uint32_t)description);
	bytes_add_u32(bytes, (uint32_t)(numbers.size / sizeof(uint32_t)));
	bytes_add_u32(bytes, usage_of(event));
	bytes_add(bytes, name.data, name.size);
	bytes_add(bytes, event->description, description);
	bytes_add(bytes, numbers.data, numbers.size);
	bytes->failed |= name.failed | numbers.failed;
	bytes_finish(&name);
	bytes_finish(&numbers);
}

static void
add_component(struct bytes *bytes, const struct recording_event *event)
{
	struct bytes name = { 0 };

	add_name(&name, event, true);
	bytes_add_u32(bytes, (uint32_t)(COMPONENT_SIZE + name.size));
	bytes_add_u32(bytes, COMPONENT_SIZE);
	bytes_add_u32(bytes, (uint32_t)name.size);
	bytes_add_u32(bytes, 0);
	bytes_add_u32(bytes, usage_of(event));
	bytes_add(bytes, name.data, name.size);
	bytes->failed |= name.failed;
	bytes_finish(&name);
}

void
rgp_figures_describe(const struct rgp_samples *samples, struct bytes *records)
{
	for (size_t i = 0; i < samples->figure_count; i++) {
		if (!count_before(samples, i))
			add_group(records, samples, i);
	}
	for (size_t i = 0; i < samples->figure_count; i++)
		add_figure(records, samples, samples->figures[i]);
	for (size_t i = 0; i < samples->component_count; i++)
		add_component(records,
			      samples->figures[samples->figure_count + i]);
}

uint64_t
rgp_figures_size(const struct rgp_samples *samples, const struct bytes *records)
{
	const uint64_t columns =
		1 + samples->figure_count + samples->component_count;

	return FIGURES_HEAD_SIZE + records->size +
	       columns * samples->count * sizeof(uint64_t);
}

void
rgp_figures_write(const struct rgp_samples *samples,
		  const struct bytes *records, FILE *out)
{
	const size_t figures = samples->figure_count + samples->component_count;

	rgp_put_head(out, RGP_DERIVED_SPM_DB, 0, RGP_VERSION(0, 0),
		     rgp_figures_size(samples, records));
	rgp_put_u32(out, FIGURES_HEAD_SIZE);
	rgp_put_u32(out, 0);
	rgp_put_u32(out, (uint32_t)samples->count);
	rgp_put_u32(out, (uint32_t)count_groups(samples));
	rgp_put_u32(out, (uint32_t)samples->figure_count);
	rgp_put_u32(out, (uint32_t)samples->component_count);
	rgp_put_u32(out, (uint32_t)samples->recording->stream.period_cycles);
	for (size_t i = 0; i < samples->count; i++)
		rgp_put_u64(out, samples->times[i]);
	write_bytes(records->data, records->size, out);
	write_bytes(samples->figure_values,
		    figures * samples->count * sizeof(uint64_t), out);
}
