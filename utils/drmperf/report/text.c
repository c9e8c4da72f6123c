/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/outputs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/quantile.h"
#include "report/timeline.h"
#include "util/remarks.h"
#include "verdict/verdict.h"

#define NS_PER_S 1e9
#define PERCENTILE 95

/* Reports may be far more than anybody wants the least and the most of. */
#define SPAN_MS 20
#define SPAN_NS (SPAN_MS * UINT64_C(1000000))

static bool
has_several_devices(const struct recording *recording)
{
	int first = -1;

	for (size_t i = 0; i < recording->event_count; i++) {
		int device = recording->events[i].event.device;

		if (device < 0)
			continue;
		if (first >= 0 && device != first)
			return true;
		first = device;
	}
	return false;
}

const char *
report_name(const struct recording *recording,
	    const struct recording_event *event, char text[REPORT_NAME_SIZE])
{
	const struct record_event *of = &event->event;
	const int number = DRMPERF_INSTANCE_OF(of->instance);
	char device[24] = "", die[24] = "", instance[24] = "";

	if (of->device >= 0 && has_several_devices(recording))
		snprintf(device, sizeof(device), ":device=%d", of->device);
	if (DRMPERF_DIE_OF(of->instance) >= 0)
		snprintf(die, sizeof(die), ":die=%d",
			 DRMPERF_DIE_OF(of->instance));
	if (number != DRMPERF_ALL_INSTANCES)
		snprintf(instance, sizeof(instance), ":instance=%d", number);
	snprintf(text, REPORT_NAME_SIZE, "%s%s%s%s", of->name, device, die,
		 instance);
	return text;
}

const char *
report_figure(const struct recording_event *event, double height,
	      char text[REPORT_FIGURE_SIZE])
{
	const struct record_event *of = &event->event;
	char value[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE];

	if (isnan(height)) {
		strcpy(text, "n/a");
	} else if (of->kind == DRMPERF_KIND_CUMULATIVE) {
		format_rate(of->unit, of->kind, height, 1, value);
		strcpy(text, value);
	} else {
		format_value(of->unit, of->kind, height, value, unit);
		snprintf(text, REPORT_FIGURE_SIZE, "%s %s", value, unit);
	}
	return text;
}

/* Values of one die at a time, and not always the same. */
#define SEVERAL_DIES (-3)

void
report_note_die(int *die, int seen)
{
	if (seen < 0 || *die == seen)
		return;
	*die = *die == -1 ? seen : SEVERAL_DIES;
}

const char *
report_die(int die, char text[REPORT_DIE_SIZE])
{
	text[0] = '\0';
	if (die >= 0)
		snprintf(text, REPORT_DIE_SIZE, "  (die %d)", die);
	else if (die == SEVERAL_DIES)
		strcpy(text, "  (one die, not always the same)");
	return text;
}

void
report_print_command(const struct recording *recording, FILE *out)
{
	for (size_t i = 0; recording->command[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", recording->command[i]);
}

/* ------------------------------------------------------------------ */
/* A row                                                                */

void
report_value(const struct record *record, char value[FORMAT_NUMBER_SIZE],
	     char unit[FORMAT_NUMBER_SIZE])
{
	const struct record_event *event = &record->event;
	bool is_integer = event->type == DRMPERF_TYPE_UINT64;

	format_value(event->unit, event->kind,
		     is_integer ? (double)record->value.u64 : record->value.f64,
		     value, unit);
	if (is_integer && event->kind == DRMPERF_KIND_CUMULATIVE)
		format_count(record->value.u64, value);
}

static void
print_record(FILE *out, const struct recording_event *event,
	     const struct record *record)
{
	char value[FORMAT_NUMBER_SIZE], unit[FORMAT_NUMBER_SIZE];
	char rate[REPORT_FIGURE_SIZE] = "";

	report_value(record, value, unit);
	if (event->event.kind == DRMPERF_KIND_CUMULATIVE &&
	    !isnan(records_rate(record)))
		report_figure(event, records_rate(record), rate);
	fprintf(out, "%20s  %-12s  %12s  ", value, unit, rate);
}

/* Print the name, with the part of the GPU that the event sees. */
static void
print_name(FILE *out, const struct recording *recording,
	   const struct recording_event *event, int die)
{
	char name[REPORT_NAME_SIZE], text[REPORT_DIE_SIZE];

	fprintf(out, "%s%s%s\n", report_name(recording, event, name),
		tool_scope_mark(event->event.scope), report_die(die, text));
}

void
report_print_bracket(const struct recording *recording,
		     const struct bracket *bracket, FILE *out)
{
	const struct interval interval = bracket_interval(bracket, recording);

	for (size_t i = 0; bracket->after && i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];
		struct record record;

		if (!event->asked)
			continue;
		record = interval_record(&interval, event);
		print_record(out, event, &record);
		print_name(out, recording, event, record.die);
	}
}

/* ------------------------------------------------------------------ */
/* All of it                                                            */

/* From the first sample to the last. */
struct whole {
	struct interval interval;
	struct recording_value *first, *last;
	struct interval_readings *readings;
};

static int
whole_init(struct whole *whole, const struct recording *recording)
{
	const size_t series = recording->series_count + 1;

	*whole = (struct whole){
		.first = calloc(series, sizeof(*whole->first)),
		.last = calloc(series, sizeof(*whole->last)),
		.readings = calloc(series, sizeof(*whole->readings)),
	};
	return whole->first && whole->last && whole->readings ? 0 : -ENOMEM;
}

static void
whole_finish(struct whole *whole)
{
	free(whole->first);
	free(whole->last);
	free(whole->readings);
}

static void
whole_add(struct whole *whole, const struct interval *interval)
{
	const struct recording *recording = interval->recording;
	const size_t size = recording->series_count * sizeof(*whole->first);

	if (!whole->interval.recording) {
		whole->interval = *interval;
		memcpy(whole->first, interval->before, size);
	}
	memcpy(whole->last, interval->after, size);
	whole->interval.end_ns = interval->end_ns;
	whole->interval.before = whole->first;
	whole->interval.after = whole->last;
	whole->interval.readings = whole->readings;
	interval_add_readings(recording, whole->readings, interval->readings);
}

static void
range_add(struct report_range *range, const struct record *record)
{
	const double height = interval_height(record);

	/* what is not a number is neither, but it is what there is at first */
	if (height < range->least || isnan(range->least))
		range->least = height;
	if (height > range->most || isnan(range->most))
		range->most = height;
	report_note_die(&range->die, record->die);
}

static int
overview_init(struct report_overview *overview,
	      const struct recording *recording)
{
	const size_t events = recording->event_count + 1;

	*overview = (struct report_overview){
		.records = calloc(events, sizeof(*overview->records)),
		.ranges = calloc(events, sizeof(*overview->ranges)),
		.values = calloc(events, sizeof(*overview->values)),
		.rules = calloc(recording->verdicts.count + 1,
				sizeof(*overview->rules)),
	};
	if (!overview->records || !overview->ranges || !overview->values ||
	    !overview->rules)
		return -ENOMEM;
	for (size_t i = 0; i < recording->event_count; i++)
		overview->ranges[i] = (struct report_range){
			.least = NAN, .most = NAN, .p95 = NAN, .die = -1
		};
	return 0;
}

void
report_overview_finish(struct report_overview *overview)
{
	free(overview->records);
	free(overview->ranges);
	free(overview->values);
	free(overview->rules);
	*overview = (struct report_overview){ 0 };
}

/* Add the values of an interval to the ranges, and to their quantiles. */
static int
add_values(const struct interval *interval, struct report_overview *overview,
	   struct quantile *quantiles)
{
	const struct recording *recording = interval->recording;

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];
		const struct record record = interval_record(interval, event);

		range_add(&overview->ranges[i], &record);
		if (event->asked &&
		    quantile_add(&quantiles[i], interval_height(&record)))
			return -ENOMEM;
	}
	return 0;
}

/* Walk through all samples. -ENODATA: there are no two. */
static int
walk_samples(struct recording *recording, struct whole *whole,
	     struct report_overview *overview, struct quantile *quantiles)
{
	struct interval_walk walk = { .recording = recording, .length_ns = 1 };
	struct interval interval;
	int ret;

	while ((ret = interval_walk_next(&walk, &interval)) > 0) {
		overview->samples++;
		whole_add(whole, &interval);
		ret = add_values(&interval, overview, quantiles);
		if (ret)
			break;
	}
	interval_walk_finish(&walk);
	return ret || overview->samples ? ret : -ENODATA;
}

static int
read_samples(struct recording *recording, struct whole *whole,
	     struct report_overview *overview)
{
	struct quantile *quantiles =
		calloc(recording->event_count + 1, sizeof(*quantiles));
	int ret = quantiles
			  ? walk_samples(recording, whole, overview, quantiles)
			  : -ENOMEM;

	for (size_t i = 0; quantiles && i < recording->event_count; i++) {
		overview->ranges[i].p95 =
			quantile_find(&quantiles[i], PERCENTILE);
		quantile_finish(&quantiles[i]);
	}
	free(quantiles);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Verdicts                                                             */

struct verdict_value
report_verdict_value(const struct record *record)
{
	const struct record_event *event = &record->event;
	const bool is_counted =
		event->kind == DRMPERF_KIND_MOMENTARY || record->length_ns;

	return (struct verdict_value){
		.name = event->name,
		.is_percent = event->unit == DRMPERF_UNIT_PERCENT,
		.value = !is_counted || record->reason ? NAN
			 : event->type == DRMPERF_TYPE_UINT64
				 ? (double)record->value.u64
				 : record->value.f64,
		.per_second = records_rate(record),
	};
}

bool
report_roofline_point(const struct recording *recording, size_t first,
		      const struct verdict_value *values,
		      struct roofline_point *out)
{
	const struct roof *list = recording->roofline.list;
	const int device = list[first].device;

	if (first && list[first - 1].device == device)
		return false;
	return roofline_compute(&recording->roofline, device, values, out);
}

/* Return whether a percentage of the whole recording exceeds 100. */
static bool
is_impossible(const struct recording_event *event, const struct record *record)
{
	return event->asked && event->steps &&
	       event->event.unit == DRMPERF_UNIT_PERCENT &&
	       event->event.type == DRMPERF_TYPE_DOUBLE &&
	       remarks_is_impossible(record->value.f64);
}

/* Return whether a value of the GPU is an impossible one. */
static bool
is_contradictory(const struct recording *recording,
		 const struct report_overview *overview, int device)
{
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (event->event.device == device &&
		    is_impossible(event, &overview->records[i]))
			return true;
	}
	return verdict_rules_exceed_peak(&recording->verdicts, device,
					 overview->values);
}

static void
match_rules(const struct recording *recording, struct report_overview *overview)
{
	const struct verdict_rules *rules = &recording->verdicts;

	for (size_t i = 0; i < rules->count; i++) {
		const int device = rules->list[i].device;
		const struct verdict_rule *rule;

		/* those of a GPU stand together */
		if (i && rules->list[i - 1].device == device)
			continue;
		rule = verdict_rules_match(rules, device, overview->values);
		if (rule && !is_contradictory(recording, overview, device))
			overview->rules[overview->rule_count++] = rule;
	}
}

static void
set_values(const struct recording *recording, const struct interval *whole,
	   struct report_overview *overview)
{
	overview->begin_ns = whole->begin_ns;
	overview->end_ns = whole->end_ns;
	for (size_t i = 0; i < recording->event_count; i++) {
		overview->records[i] =
			interval_record(whole, &recording->events[i]);
		overview->values[i] =
			report_verdict_value(&overview->records[i]);
	}
	match_rules(recording, overview);
}

int
report_overview_read(struct recording *recording,
		     struct report_overview *overview)
{
	struct whole whole;
	int ret = overview_init(overview, recording);

	if (ret)
		return ret;
	ret = whole_init(&whole, recording);
	if (!ret)
		ret = read_samples(recording, &whole, overview);
	if (!ret)
		set_values(recording, &whole.interval, overview);
	whole_finish(&whole);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Table                                                                */

static bool
has_marked(const struct recording *recording)
{
	size_t i = 0;

	while (i < recording->event_count &&
	       (!recording->events[i].asked ||
		recording->events[i].event.scope != DRMPERF_SCOPE_QUEUE))
		i++;
	return i < recording->event_count;
}

const char *
report_legend(const struct recording *recording)
{
	return has_marked(recording) ? queue_access_legend(recording->queues)
				     : "";
}

static bool
is_first_of_gpu(const struct recording *recording, size_t number)
{
	const struct recording_event *events = recording->events;
	size_t i = 0;

	while (i < number &&
	       (!events[i].asked ||
		events[i].event.device != events[number].event.device))
		i++;
	return i == number;
}

/* Print a line for each GPU whose events were recorded. */
static void
print_gpus(const struct recording *recording, FILE *out)
{
	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];

		if (event->asked && event->address[0] &&
		    is_first_of_gpu(recording, i))
			fprintf(out, " GPU %d: %s at %s\n",
				event->event.device, event->chip,
				event->address);
	}
}

static void
print_title(const struct recording *recording, uint64_t samples, FILE *out)
{
	fputs("\n Counters", out);
	if (recording->command[0]) {
		fputs(" of ", out);
		report_print_command(recording, out);
	}
	fprintf(out, ", system wide%s, ",
		report_legend(recording));
	if (recording->reports_count)
		fprintf(out, "min and max of %d ms:\n", SPAN_MS);
	else
		fprintf(out, "%llu samples:\n", (unsigned long long)samples);
	print_gpus(recording, out);
	fprintf(out, "\n%20s  %-12s  %12s  %12s  %12s  %12s  %s\n", "value",
		"unit", "rate", "min", "p95", "max", "event");
}

static void
print_row(const struct recording *recording,
	  const struct report_overview *overview, size_t number, FILE *out)
{
	const struct recording_event *event = &recording->events[number];
	const struct report_range *range = &overview->ranges[number];
	const double heights[] = { range->least, range->p95, range->most };
	char text[REPORT_FIGURE_SIZE];

	print_record(out, event, &overview->records[number]);
	for (size_t i = 0; i < sizeof(heights) / sizeof(heights[0]); i++)
		fprintf(out, "%12s  ", report_figure(event, heights[i], text));
	print_name(out, recording, event, range->die);
}

static void
print_rooflines(const struct recording *recording,
		const struct report_overview *overview, FILE *out)
{
	const struct roofline *roofline = &recording->roofline;
	struct roofline_point point;

	for (size_t i = 0; i < roofline->count; i++) {
		if (report_roofline_point(recording, i, overview->values,
					  &point))
			roofline_print(out, roofline, roofline->list[i].device,
				       &point, overview->values, 1,
				       has_several_devices(recording));
	}
}

static void
write_rooflines(const struct recording *recording,
		const struct report_overview *overview, struct json *json)
{
	const struct roofline *roofline = &recording->roofline;
	struct roofline_point point;

	json_open(json, "rooflines", '[');
	for (size_t i = 0; i < roofline->count; i++) {
		if (overview->values &&
		    report_roofline_point(recording, i, overview->values,
					  &point))
			roofline_write(json, roofline, roofline->list[i].device,
				       &point, overview->values, 1);
	}
	json_close(json, ']');
}

static void
print_overview(const struct recording *recording,
	       const struct report_overview *overview, FILE *out)
{
	const struct recording_event *events = recording->events;
	char name[REPORT_NAME_SIZE];

	print_title(recording, overview->samples, out);
	for (size_t i = 0; i < recording->event_count; i++) {
		if (events[i].asked)
			print_row(recording, overview, i, out);
	}
	for (size_t i = 0; i < recording->event_count; i++) {
		if (is_impossible(&events[i], &overview->records[i]))
			remarks_print_impossible(
				out, report_name(recording, &events[i], name),
				overview->records[i].value.f64, "");
	}
	for (size_t i = 0; i < overview->rule_count; i++)
		verdict_print(out, overview->rules[i], overview->values, 1,
			      has_several_devices(recording));
	print_rooflines(recording, overview, out);
	held_clocks_print_note(out, &recording->clocks);
	fprintf(out, "\n%20.6f  seconds recorded\n\n",
		(double)(overview->end_ns - overview->begin_ns) / NS_PER_S);
}

int
report_summary(struct recording *recording, FILE *out)
{
	struct report_overview overview;
	int ret;

	recording->span_ns = SPAN_NS;
	ret = report_overview_read(recording, &overview);
	if (!ret)
		print_overview(recording, &overview, out);
	report_overview_finish(&overview);
	return ret;
}

static void
write_range(struct json *json, const struct record_event *event,
	    const struct report_range *range)
{
	const int instance = DRMPERF_INSTANCE_OF(event->instance);

	json_open(json, NULL, '{');
	json_text(json, "event", event->name);
	if (event->device >= 0)
		json_uint(json, "device", (uint64_t)event->device);
	if (DRMPERF_DIE_OF(event->instance) >= 0)
		json_uint(json, "die",
			  (uint64_t)DRMPERF_DIE_OF(event->instance));
	if (instance != DRMPERF_ALL_INSTANCES)
		json_uint(json, "instance", (uint64_t)instance);
	json_bool(json, "per_second", event->kind == DRMPERF_KIND_CUMULATIVE);
	json_double(json, "min", range->least);
	json_double(json, "p95", range->p95);
	json_double(json, "max", range->most);
	json_close(json, '}');
}

/* Write the range of each event and the verdicts. */
static int
write_overview(struct recording *recording, struct json *json)
{
	struct report_overview overview;
	int ret = report_overview_read(recording, &overview);

	json_open(json, "ranges", '[');
	for (size_t i = 0; !ret && i < recording->event_count; i++) {
		if (recording->events[i].asked)
			write_range(json, &recording->events[i].event,
				    &overview.ranges[i]);
	}
	json_close(json, ']');
	json_open(json, "verdicts", '[');
	for (size_t i = 0; i < overview.rule_count; i++)
		verdict_write(json, overview.rules[i], overview.values, 1);
	json_close(json, ']');
	write_rooflines(recording, &overview, json);
	report_overview_finish(&overview);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Intervals                                                            */

static void
print_interval(const struct interval *interval, uint64_t start_ns, FILE *out)
{
	const struct recording *recording = interval->recording;

	for (size_t i = 0; i < recording->event_count; i++) {
		const struct recording_event *event = &recording->events[i];
		struct record record;

		if (!event->asked)
			continue;
		record = interval_record(interval, event);
		fprintf(out, "%14.6f ",
			(double)(interval->end_ns - start_ns) / NS_PER_S);
		print_record(out, event, &record);
		print_name(out, recording, event, record.die);
	}
}

int
report_intervals(struct recording *recording, uint64_t length_ns, FILE *out)
{
	struct interval_walk walk = { .recording = recording,
				      .length_ns = length_ns };
	struct interval interval;
	uint64_t start_ns = 0;
	int ret;

	fprintf(out, "%14s %20s  %-12s  %12s  event%s\n", "time", "value",
		"unit", "rate", report_legend(recording));
	while ((ret = interval_walk_next(&walk, &interval)) > 0) {
		if (interval.from_start)
			start_ns = interval.begin_ns;
		print_interval(&interval, start_ns, out);
	}
	interval_walk_finish(&walk);
	return ret;
}

int
report_records(struct recording *recording, uint64_t length_ns,
	       struct records *records)
{
	struct interval_walk walk = { .recording = recording,
				      .length_ns = length_ns };
	struct interval interval;
	uint64_t start_ns = 0, end_ns = 0;
	struct json *json;
	int ret;

	while ((ret = interval_walk_next(&walk, &interval)) > 0) {
		if (interval.from_start)
			start_ns = interval.begin_ns;
		end_ns = interval.end_ns;
		for (size_t i = 0; i < recording->event_count; i++) {
			struct record record = interval_record(
				&interval, &recording->events[i]);

			if (recording->events[i].asked)
				records_write(records, &record);
		}
	}
	interval_walk_finish(&walk);
	json = records_end_events(records);
	if (json && !ret)
		ret = write_overview(recording, json);
	if (json && has_marked(recording))
		json_text(json, "queues",
			  queue_access_name(recording->queues));
	records_end(records, 1, 1, (double)(end_ns - start_ns) / NS_PER_S);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Processes                                                            */

static int
find_brackets(struct recording *recording, const struct timeline *spans,
	      struct bracket *brackets, uint64_t *start_ns)
{
	struct interval_walk walk = { .recording = recording, .length_ns = 1 };
	struct interval interval;
	int ret;

	while ((ret = interval_walk_next(&walk, &interval)) > 0) {
		if (interval.from_start)
			*start_ns = interval.begin_ns;
		for (size_t i = 0; ret > 0 && i < spans->count; i++) {
			brackets[i].from_ns = spans->list[i].begin_ns;
			brackets[i].to_ns = spans->list[i].end_ns;
			if (bracket_widen(&brackets[i], &interval))
				ret = -ENOMEM;
		}
		if (ret < 0)
			break;
	}
	interval_walk_finish(&walk);
	return ret;
}

static void
print_span(const struct recording *recording, const struct span *span,
	   const struct bracket *bracket, uint64_t start_ns, FILE *out)
{
	fprintf(out, "\n %s, process %d, from %.6f s to %.6f s:\n\n",
		span->name, (int)span->process,
		(double)(int64_t)(span->begin_ns - start_ns) / NS_PER_S,
		(double)(int64_t)(span->end_ns - start_ns) / NS_PER_S);
	report_print_bracket(recording, bracket, out);
}

int
report_processes(struct recording *recording, FILE *out)
{
	struct bracket *brackets = NULL;
	struct timeline spans;
	uint64_t start_ns = 0;
	int ret = timeline_read(recording, &spans);

	if (!ret && !spans.count)
		fputs("The recording has no processes.\n", out);
	if (!ret && spans.count) {
		brackets = calloc(spans.count, sizeof(*brackets));
		ret = brackets ? find_brackets(recording, &spans, brackets,
					       &start_ns)
			       : -ENOMEM;
	}
	for (size_t i = 0; brackets && i < spans.count; i++) {
		if (!ret)
			print_span(recording, &spans.list[i], &brackets[i],
				   start_ns, out);
		bracket_finish(&brackets[i]);
	}
	if (!ret && spans.count)
		fprintf(out,
			"\nGPU counters are system wide%s. Of the samples "
			"around that time they have\nthe part that lies "
			"within.\n",
			report_legend(recording));
	free(brackets);
	timeline_finish(&spans);
	return ret;
}
