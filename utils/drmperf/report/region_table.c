/* SPDX-License-Identifier: BSD-3-Clause */
/* What was counted in regions: the sum over all regions of one name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/bracket.h"
#include "report/outputs.h"
#include "report/regions.h"
#include "util/json.h"
#include "util/printable.h"

#define NS_PER_S 1e9

/* All regions of one name. */
struct region_group {
	const char *name;
	uint64_t calls, total_ns, least_ns, most_ns;
	struct bracket sum; /* as if they had been one */
};

struct region_groups {
	struct recording *recording;
	struct region_group *list;
	size_t count;
	bool *is_momentary; /* by series: values do not add up */
};

/* ------------------------------------------------------------------ */
/* Groups                                                               */

static struct region_group *
find_group(struct region_groups *groups, const struct region *region)
{
	for (size_t i = 0; i < groups->count; i++) {
		if (!strcmp(groups->list[i].name, region->name))
			return &groups->list[i];
	}
	groups->list[groups->count] = (struct region_group){
		.name = region->name,
		.least_ns = UINT64_MAX,
	};
	return &groups->list[groups->count++];
}

static void
add_time(struct region_group *group, const struct region *region)
{
	const uint64_t length = region->end_ns - region->begin_ns;

	group->calls++;
	group->total_ns += length;
	if (length < group->least_ns)
		group->least_ns = length;
	if (length > group->most_ns)
		group->most_ns = length;
}

/* Add what a series has counted in a region to what it has in others. */
static void
add_series(const struct region_groups *groups, size_t series,
	   const struct bracket *from, struct bracket *sum)
{
	const struct recording_value *before = &from->before[series];
	const struct recording_value *after = &from->after[series];
	struct recording_value *to = &sum->after[series];

	to->end_ns += after->end_ns - before->end_ns;
	if (after->die != RECORDING_NEVER)
		to->die = after->die;
	if (groups->is_momentary[series])
		to->value = after->value;
	else if (groups->recording->types[series] == DRMPERF_TYPE_DOUBLE)
		to->value.f64 += after->value.f64 - before->value.f64;
	else
		to->value.u64 += after->value.u64 - before->value.u64;
}

/* Move a region that is over into its group; the first one becomes the sum. */
static void
merge_bracket(struct region_groups *groups, struct region_group *group,
	      struct bracket *from)
{
	const struct recording *recording = groups->recording;
	struct bracket *sum = &group->sum;

	if (from->after && !sum->after) {
		*sum = *from;
		*from = (struct bracket){ 0 };
		return;
	}
	for (size_t i = 0; from->after && i < recording->series_count; i++)
		add_series(groups, i, from, sum);
	if (from->after)
		interval_add_readings(recording, sum->readings, from->readings);
	sum->from_start = false;
	bracket_finish(from);
}

/* ------------------------------------------------------------------ */
/* Reading                                                              */

/* Regions in the order of their beginnings; the first ones are over. */
struct region_walk {
	struct region_groups *groups;
	const struct regions *regions;
	struct bracket *brackets;
	size_t first;
};

static void
finish_regions(struct region_walk *walk, uint64_t end_ns)
{
	const struct region *list = walk->regions->list;

	for (size_t i = walk->first;
	     i < walk->regions->count && list[i].begin_ns <= end_ns; i++) {
		struct bracket *bracket = &walk->brackets[i];

		if (bracket->after && bracket->end_ns >= bracket->to_ns)
			merge_bracket(walk->groups,
				      find_group(walk->groups, &list[i]),
				      bracket);
	}
	while (walk->first < walk->regions->count &&
	       list[walk->first].end_ns <= end_ns)
		walk->first++;
}

static int
widen_regions(struct region_walk *walk, const struct interval *interval)
{
	const struct region *list = walk->regions->list;

	for (size_t i = walk->first; i < walk->regions->count; i++) {
		struct bracket *bracket = &walk->brackets[i];

		if (list[i].begin_ns > interval->end_ns)
			break;
		/* an instant, or one that is in its group */
		if (list[i].is_instant || list[i].end_ns <= interval->begin_ns)
			continue;
		bracket->from_ns = list[i].begin_ns;
		bracket->to_ns = list[i].end_ns;
		if (bracket_widen(bracket, interval))
			return -ENOMEM;
	}
	finish_regions(walk, interval->end_ns);
	return 0;
}

static int
walk_regions(struct region_walk *walk)
{
	struct interval_walk intervals = {
		.recording = walk->groups->recording,
		.length_ns = 1,
	};
	struct interval interval;
	int ret;

	while ((ret = interval_walk_next(&intervals, &interval)) > 0) {
		ret = widen_regions(walk, &interval);
		if (ret)
			break;
	}
	interval_walk_finish(&intervals);
	/* the recording ended before them */
	for (size_t i = 0; i < walk->regions->count; i++) {
		const struct region *region = &walk->regions->list[i];

		if (!region->is_instant)
			merge_bracket(walk->groups,
				      find_group(walk->groups, region),
				      &walk->brackets[i]);
	}
	return ret;
}

/* Sort by time, longest first. */
static int
by_total(const void *a, const void *b)
{
	const struct region_group *one = a, *other = b;

	if (one->total_ns == other->total_ns)
		return strcmp(one->name, other->name);
	return one->total_ns > other->total_ns ? -1 : 1;
}

static int
groups_init(struct region_groups *groups, struct recording *recording,
	    const struct regions *regions)
{
	*groups = (struct region_groups){
		.recording = recording,
		.list = calloc(regions->count + 1, sizeof(*groups->list)),
		.is_momentary = calloc(recording->series_count + 1,
				       sizeof(*groups->is_momentary)),
	};
	if (!groups->list || !groups->is_momentary)
		return -ENOMEM;
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (!event->steps &&
		    event->event.kind != DRMPERF_KIND_CUMULATIVE)
			groups->is_momentary[event->series] = true;
	}
	for (size_t i = 0; i < regions->count; i++) {
		if (!regions->list[i].is_instant)
			add_time(find_group(groups, &regions->list[i]),
				 &regions->list[i]);
	}
	return 0;
}

static int
groups_read(struct region_groups *groups, struct recording *recording,
	    const struct regions *regions)
{
	struct region_walk walk = {
		.groups = groups,
		.regions = regions,
		.brackets = calloc(regions->count + 1, sizeof(*walk.brackets)),
	};
	int ret = groups_init(groups, recording, regions);

	if (!walk.brackets)
		ret = -ENOMEM;
	if (!ret)
		ret = walk_regions(&walk);
	for (size_t i = 0; walk.brackets && i < regions->count; i++)
		bracket_finish(&walk.brackets[i]);
	free(walk.brackets);
	if (!ret)
		qsort(groups->list, groups->count, sizeof(*groups->list),
		      by_total);
	return ret;
}

static void
groups_finish(struct region_groups *groups)
{
	for (size_t i = 0; groups->list && i < groups->count; i++)
		bracket_finish(&groups->list[i].sum);
	free(groups->list);
	free(groups->is_momentary);
}

/* ------------------------------------------------------------------ */
/* Writing                                                              */

static void
print_group(const struct recording *recording, const struct region_group *group,
	    FILE *out)
{
	fputs("\n ", out);
	printable_write(out, group->name, strlen(group->name));
	fprintf(out, ": %llu call%s, %.6f s", (unsigned long long)group->calls,
		group->calls > 1 ? "s" : "",
		(double)group->total_ns / NS_PER_S);
	if (group->calls > 1)
		fprintf(out, ", each %.6f s to %.6f s",
			(double)group->least_ns / NS_PER_S,
			(double)group->most_ns / NS_PER_S);
	fputs("\n\n", out);
	report_print_bracket(recording, &group->sum, out);
}

static void
write_value(struct json *json, const struct record *record)
{
	const struct record_event *event = &record->event;

	json_open(json, NULL, '{');
	json_text(json, "event", event->name);
	if (event->device >= 0)
		json_uint(json, "device", (uint64_t)event->device);
	if (event->instance != DRMPERF_ALL_INSTANCES)
		json_uint(json, "instance", (uint64_t)event->instance);
	json_text(json, "unit", drmperf_unit_name(event->unit));
	if (event->type == DRMPERF_TYPE_UINT64)
		json_uint(json, "value", record->value.u64);
	else
		json_double(json, "value", record->value.f64);
	json_double(json, "rate", records_rate(record));
	json_close(json, '}');
}

static void
write_group(const struct recording *recording, const struct region_group *group,
	    struct json *json)
{
	const struct interval interval =
		bracket_interval(&group->sum, recording);

	json_open(json, NULL, '{');
	json_text(json, "name", group->name);
	json_uint(json, "calls", group->calls);
	json_double(json, "seconds", (double)group->total_ns / NS_PER_S);
	json_double(json, "min_seconds", (double)group->least_ns / NS_PER_S);
	json_double(json, "max_seconds", (double)group->most_ns / NS_PER_S);
	json_open(json, "events", '[');
	for (size_t i = 0; group->sum.after && i < recording->event_count;
	     i++) {
		const struct recording_event *event = &recording->events[i];
		struct record record;

		if (!event->asked)
			continue;
		record = interval_record(&interval, event);
		write_value(json, &record);
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void
write_groups(const struct region_groups *groups, FILE *out)
{
	struct json json = { .out = out };

	json_open(&json, NULL, '{');
	json_open(&json, "regions", '[');
	for (size_t i = 0; i < groups->count; i++)
		write_group(groups->recording, &groups->list[i], &json);
	json_close(&json, ']');
	json_close(&json, '}');
	putc('\n', out);
}

static void
print_groups(const struct region_groups *groups, FILE *out)
{
	if (!groups->count) {
		fputs("The recording has no regions (drmperf record "
		      "--regions).\n",
		      out);
		return;
	}
	for (size_t i = 0; i < groups->count; i++)
		print_group(groups->recording, &groups->list[i], out);
	fprintf(out,
		"\nGPU counters are system wide%s. Of the samples around a "
		"region it has the part\nthat lies within; regions at one "
		"time have all of it, each.\n",
		report_legend(groups->recording));
}

int
report_regions(struct recording *recording, bool as_json, FILE *out)
{
	struct region_groups groups = { 0 };
	struct regions regions;
	int ret = regions_read(recording, &regions);

	if (!ret)
		ret = groups_read(&groups, recording, &regions);
	if (!ret && as_json)
		write_groups(&groups, out);
	else if (!ret)
		print_groups(&groups, out);
	groups_finish(&groups);
	regions_finish(&regions);
	return ret;
}
