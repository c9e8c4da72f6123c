/* SPDX-License-Identifier: BSD-3-Clause */
#include "serve/exporter.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "process/spawn.h"
#include "serve/common_series.h"
#include "serve/exporter_source.h"
#include "serve/process_series.h"
#include "util/array.h"

/* A value that is shown. */
struct shown {
	const struct drmperf_selection *selection;
	size_t source, event; /* where it is read */
	struct metric_name name;
	const struct common_series *common; /* or NULL */
};

/* A GPU of which nothing is known. */
struct closed {
	const struct drmperf_device *device;
	struct drmperf_error error;
};

struct exporter {
	const struct tool *tool;
	bool yields;
	struct exporter_source *sources;
	size_t source_count;
	/* those of one family stand together */
	struct shown *shown;
	size_t shown_count;
	struct closed *closed;
	size_t closed_count;
	struct process_series *processes; /* or NULL */
};

/* ------------------------------------------------------------------ */
/* Sources                                                              */

static struct exporter_source *
find_source(struct exporter *exporter, const struct drmperf_event *event)
{
	struct exporter_source *source = exporter->sources;

	for (size_t i = 0; i < exporter->source_count; i++, source++) {
		if (exporter_source_takes(source, event))
			return source;
	}
	source = array_add(&exporter->sources, &exporter->source_count,
			   sizeof(*source));
	if (!source)
		return NULL;
	exporter_source_init(source, exporter->tool, event);
	source->yields = exporter->yields;
	return source;
}

static int
add_to_sources(struct exporter *exporter, const struct selection_list *choice)
{
	for (size_t i = 0; i < choice->count; i++) {
		const struct drmperf_selection *one = &choice->selections[i];
		struct exporter_source *source =
			find_source(exporter, one->event);

		if (!source || selection_list_add(&source->events, one))
			return tool_fail(exporter->tool, "no memory");
		exporter->shown[i] = (struct shown){
			.selection = one,
			.source = (size_t)(source - exporter->sources),
			.event = source->events.count - 1,
		};
		exporter->shown_count++;
	}
	return 0;
}

static int
open_sources(struct exporter *exporter)
{
	int status = 0;

	for (size_t i = 0; !status && i < exporter->source_count; i++)
		status = exporter_source_open(&exporter->sources[i]);
	return status;
}

/* ------------------------------------------------------------------ */
/* Names                                                                */

static void
name_shown(struct shown *shown)
{
	const struct drmperf_event *event = shown->selection->event;

	metric_name_make(drmperf_event_name(event), drmperf_event_unit(event),
			 drmperf_event_kind(event), &shown->name);
	shown->common = common_series_find(drmperf_event_name(event));
}

/*
 * Return whether two events clash. Generations spell an event differently,
 * FetchSize and FETCH_SIZE, and it is one family; of one GPU these are two
 * events.
 */
static bool
is_clash(const struct shown *a, const struct shown *b)
{
	const struct drmperf_event *of_a = a->selection->event;
	const struct drmperf_event *of_b = b->selection->event;

	return !strcmp(a->name.family, b->name.family) &&
	       (a->name.type != b->name.type ||
		(drmperf_event_device(of_a) == drmperf_event_device(of_b) &&
		 of_a != of_b));
}

static int
check_clash(const struct exporter *exporter, const struct shown *shown)
{
	char name[NAME_SIZE], other[NAME_SIZE];

	for (const struct shown *before = exporter->shown; before < shown;
	     before++) {
		if (is_clash(before, shown))
			return tool_fail(
				exporter->tool,
				"%s and %s would both be called %s: choose "
				"one of them",
				selection_name(before->selection, "", other),
				selection_name(shown->selection, "", name),
				shown->name.family);
	}
	return 0;
}

/* Move it behind the last one of its family, if there is one. */
static void
join_family(struct exporter *exporter, size_t index)
{
	struct shown one = exporter->shown[index];
	size_t place = index;

	while (place &&
	       strcmp(exporter->shown[place - 1].name.family, one.name.family))
		place--;
	if (!place)
		return;
	memmove(&exporter->shown[place + 1], &exporter->shown[place],
		(index - place) * sizeof(one));
	exporter->shown[place] = one;
}

static int
name_families(struct exporter *exporter)
{
	int status = 0;

	for (size_t i = 0; !status && i < exporter->shown_count; i++) {
		name_shown(&exporter->shown[i]);
		status = check_clash(exporter, &exporter->shown[i]);
		if (!status)
			join_family(exporter, i);
	}
	return status;
}

/* ------------------------------------------------------------------ */
/* Life                                                                 */

static int
check_fit(const struct tool *tool, const struct selection_list *choice)
{
	struct drmperf_plan_options options = { .size = sizeof(options),
						.max_passes = 1 };
	struct drmperf_plan *plan;
	struct drmperf_error error;

	if (drmperf_plan_create(tool->drmperf, choice->selections,
				choice->count, &options, &plan, &error))
		return tool_complain(tool, &error);
	drmperf_plan_destroy(plan);
	return 0;
}

int
exporter_create(const struct tool *tool, const struct selection_list *choice,
		bool yields, struct exporter **out)
{
	struct exporter *exporter;
	int status = check_fit(tool, choice);

	if (status)
		return status;
	exporter = calloc(1, sizeof(*exporter));
	if (!exporter)
		return tool_fail(tool, "no memory");
	exporter->tool = tool;
	exporter->yields = yields;
	exporter->shown = calloc(choice->count, sizeof(*exporter->shown));
	if (!exporter->shown)
		status = tool_fail(tool, "no memory");
	if (!status)
		status = add_to_sources(exporter, choice);
	if (!status)
		status = name_families(exporter);
	if (!status)
		status = open_sources(exporter);
	if (status)
		exporter_destroy(exporter);
	else
		*out = exporter;
	return status;
}

void
exporter_destroy(struct exporter *exporter)
{
	if (!exporter)
		return;
	for (size_t i = 0; i < exporter->source_count; i++)
		exporter_source_finish(&exporter->sources[i]);
	free(exporter->sources);
	free(exporter->shown);
	free(exporter->closed);
	process_series_destroy(exporter->processes);
	free(exporter);
}

int
exporter_add_closed(struct exporter *exporter,
		    const struct drmperf_device *device,
		    const struct drmperf_error *error)
{
	struct closed *closed = array_add(
		&exporter->closed, &exporter->closed_count, sizeof(*closed));

	if (!closed)
		return tool_fail(exporter->tool, "no memory");
	*closed = (struct closed){ .device = device, .error = *error };
	return 0;
}

int
exporter_add_processes(struct exporter *exporter)
{
	exporter->processes = process_series_create();
	return exporter->processes ? 0 : tool_fail(exporter->tool, "no memory");
}

int
exporter_start(struct exporter *exporter)
{
	bool any = false;

	for (size_t i = 0; i < exporter->source_count; i++) {
		exporter_source_start(&exporter->sources[i]);
		any |= exporter->sources[i].is_started;
	}
	return any ? 0 : TOOL_FAILED;
}

void
exporter_yield(struct exporter *exporter)
{
	for (size_t i = 0; i < exporter->source_count; i++)
		exporter_source_yield(&exporter->sources[i]);
}

void
exporter_keep(struct exporter *exporter)
{
	if (exporter->processes)
		process_series_keep(exporter->processes, spawn_now_ns());
}

int
exporter_stop(struct exporter *exporter)
{
	int status = 0;

	for (size_t i = 0; i < exporter->source_count; i++) {
		if (exporter_source_stop(&exporter->sources[i]))
			status = TOOL_FAILED;
	}
	return status;
}

bool
exporter_needs_time(const struct exporter *exporter)
{
	for (size_t i = 0; i < exporter->shown_count; i++) {
		if (drmperf_event_kind(exporter->shown[i].selection->event) !=
		    DRMPERF_KIND_MOMENTARY)
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------ */
/* Labels                                                               */

#define LABELS_MOST 8
#define LABEL_TEXT 16

struct labels {
	struct openmetrics_label list[LABELS_MOST];
	size_t count;
	char device[LABEL_TEXT], instance[LABEL_TEXT], die[LABEL_TEXT];
	char partition[LABEL_TEXT];
};

static void
add_label(struct labels *labels, const char *name, const char *value)
{
	labels->list[labels->count++] =
		(struct openmetrics_label){ .name = name, .value = value };
}

/* Label a device. CPUs are no device that is numbered. */
static void
label_device(struct labels *labels, const struct drmperf_device *device)
{
	const char *address = drmperf_device_address(device);

	labels->count = 0;
	if (*address) {
		snprintf(labels->device, LABEL_TEXT, "%u",
			 drmperf_device_index(device));
		add_label(labels, "device", labels->device);
		add_label(labels, "pci", address);
		if (drmperf_device_partition(device) >= 0) {
			snprintf(labels->partition, LABEL_TEXT, "%d",
				 drmperf_device_partition(device));
			add_label(labels, "partition", labels->partition);
		}
	}
}

/* Write the labels of a value. Prometheus has its own label "instance". */
static void
label_shown(struct labels *labels, const struct exporter_source *source,
	    const struct shown *shown)
{
	int instance = DRMPERF_INSTANCE_OF(shown->selection->instance);
	int die = DRMPERF_DIE_OF(shown->selection->instance);

	label_device(labels, source->device);
	if (instance != DRMPERF_ALL_INSTANCES) {
		snprintf(labels->instance, LABEL_TEXT, "%d", instance);
		add_label(labels, "hw_instance", labels->instance);
	}
	if (die < 0)
		die = source->dies[shown->event];
	if (die >= 0) {
		snprintf(labels->die, LABEL_TEXT, "%d", die);
		add_label(labels, "die", labels->die);
	}
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static void
write_family(const struct openmetrics *openmetrics, const struct shown *shown)
{
	const struct drmperf_event *event = shown->selection->event;
	char help[2048];

	snprintf(help, sizeof(help), "%s (%s%s)",
		 drmperf_event_description(event), drmperf_event_name(event),
		 shown->name.type == METRIC_SUMMARY
			 ? ": the rate of _sum divided by that of _count"
			 : "");
	openmetrics_family(openmetrics, &shown->name, help);
}

static void
write_mean(const struct shown *shown, const struct metric_name *name,
	   const struct exporter_mean *mean, const struct labels *labels,
	   const struct openmetrics *openmetrics)
{
	const union drmperf_value sum = { .f64 = mean->sum };
	/* OpenMetrics has whole numbers there */
	const union drmperf_value count = { .f64 = round(mean->count) };
	char sum_text[METRIC_VALUE_SIZE], count_text[METRIC_VALUE_SIZE];

	metric_value_format(drmperf_event_unit(shown->selection->event),
			    DRMPERF_TYPE_DOUBLE, sum, sum_text);
	metric_value_format(DRMPERF_UNIT_NONE, DRMPERF_TYPE_DOUBLE, count,
			    count_text);
	openmetrics_summary(openmetrics, name, labels->list, labels->count,
			    sum_text, count_text);
}

static void
write_value(const struct shown *shown, const struct metric_name *name,
	    union drmperf_value value, const struct labels *labels,
	    const struct openmetrics *openmetrics)
{
	const struct drmperf_event *event = shown->selection->event;
	char text[METRIC_VALUE_SIZE];

	metric_value_format(drmperf_event_unit(event),
			    drmperf_event_type(event), value, text);
	openmetrics_sample(openmetrics, name, labels->list, labels->count,
			   text);
}

/* Write the value, or nothing where there is none now: 0 would be wrong. */
static void
write_shown(const struct exporter *exporter, const struct shown *shown,
	    const struct metric_name *name, const struct labels *labels,
	    const struct openmetrics *openmetrics)
{
	const struct exporter_source *source =
		&exporter->sources[shown->source];
	struct exporter_mean mean;
	union drmperf_value value;

	if (shown->name.type == METRIC_SUMMARY) {
		if (exporter_source_mean(source, shown->event, &mean))
			write_mean(shown, name, &mean, labels, openmetrics);
	} else if (exporter_source_value(source, shown->event, &value)) {
		write_value(shown, name, value, labels, openmetrics);
	}
}

static void
write_values(const struct exporter *exporter,
	     const struct openmetrics *openmetrics)
{
	const char *family = "";

	for (size_t i = 0; i < exporter->shown_count; i++) {
		const struct shown *shown = &exporter->shown[i];
		struct labels labels;

		if (strcmp(family, shown->name.family))
			write_family(openmetrics, shown);
		family = shown->name.family;
		label_shown(&labels, &exporter->sources[shown->source], shown);
		write_shown(exporter, shown, &shown->name, &labels,
			    openmetrics);
	}
}

/* Write the values that are of a quantity again, under its name. */
static void
write_quantity(const struct exporter *exporter, enum common_quantity quantity,
	       const struct openmetrics *openmetrics)
{
	const struct common_family *family = &common_families[quantity];
	bool any = false;

	for (size_t i = 0; i < exporter->shown_count; i++) {
		const struct shown *shown = &exporter->shown[i];
		const struct common_series *common = shown->common;
		struct labels labels;

		/* a table of the user's may have another kind of that name */
		if (!common || common->quantity != quantity ||
		    shown->name.type != family->name.type)
			continue;
		if (!any)
			openmetrics_family(openmetrics, &family->name,
					   family->help);
		any = true;
		label_shown(&labels, &exporter->sources[shown->source], shown);
		for (size_t j = 0; j < COMMON_LABELS; j++) {
			if (common->labels[j].name)
				add_label(&labels, common->labels[j].name,
					  common->labels[j].value);
		}
		write_shown(exporter, shown, &family->name, &labels,
			    openmetrics);
	}
}

/* ------------------------------------------------------------------ */
/* Metrics on the reading itself                                        */

static const struct metric_name device_name = {
	.family = "drmperf_device", .unit = "", .type = METRIC_INFO
};
static const struct metric_name up_name = {
	.family = "drmperf_up", .unit = "", .type = METRIC_GAUGE
};
static const struct metric_name clock_name = {
	.family = "drmperf_held_clock_hertz",
	.unit = "hertz",
	.type = METRIC_GAUGE
};
static const struct metric_name errors_name = {
	.family = "drmperf_scrape_errors", .unit = "", .type = METRIC_COUNTER
};
static const struct metric_name problem_name = {
	.family = "drmperf_problem", .unit = "", .type = METRIC_INFO
};

static bool
is_first_of_device(const struct exporter *exporter, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (exporter->sources[i].device ==
		    exporter->sources[index].device)
			return false;
	}
	return true;
}

static void
write_devices(const struct exporter *exporter,
	      const struct openmetrics *openmetrics)
{
	openmetrics_family(openmetrics, &device_name,
			   "GPUs that are read, with their models.");
	for (size_t i = 0; i < exporter->source_count; i++) {
		const struct drmperf_device *device =
			exporter->sources[i].device;
		char product[100] = "", uuid[32];
		struct labels labels;

		label_device(&labels, device);
		if (!labels.count || !is_first_of_device(exporter, i))
			continue;
		drmperf_device_product(device, product, sizeof(product), NULL);
		add_label(&labels, "driver", drmperf_device_driver(device));
		add_label(&labels, "chip", drmperf_device_chip(device));
		add_label(&labels, "generation",
			  drmperf_device_generation(device));
		if (*product)
			add_label(&labels, "product", product);
		tool_read_device_file(drmperf_device_address(device),
				      "unique_id", uuid, sizeof(uuid));
		if (*uuid)
			add_label(&labels, "uuid", uuid);
		openmetrics_sample(openmetrics, &device_name, labels.list,
				   labels.count, "1");
	}
}

static void
label_source(struct labels *labels, const struct exporter_source *source)
{
	label_device(labels, source->device);
	add_label(labels, "source", source->name);
}

/* Label the whole GPU. */
static void
label_closed(struct labels *labels, const struct closed *closed)
{
	label_device(labels, closed->device);
	add_label(labels, "source", "device");
}

static void
write_clock(const struct exporter_source *source, const char *clock,
	    const char *when, uint64_t hz,
	    const struct openmetrics *openmetrics)
{
	char text[METRIC_VALUE_SIZE];
	struct labels labels;

	if (!hz)
		return;
	label_device(&labels, source->device);
	add_label(&labels, "clock", clock);
	add_label(&labels, "when", when);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)hz);
	openmetrics_sample(openmetrics, &clock_name, labels.list, labels.count,
			   text);
}

/* Write the clocks that counting holds; they are of the first source of a GPU
 * that holds any. */
static void
write_clocks(const struct exporter *exporter,
	     const struct openmetrics *openmetrics)
{
	bool any = false;

	for (size_t i = 0; i < exporter->source_count; i++) {
		const struct exporter_source *source = &exporter->sources[i];
		const struct held_clocks *clocks = held_clocks_find(
			&source->clocks,
			(int)drmperf_device_index(source->device));

		if (!clocks || !source->is_started)
			continue;
		if (!any)
			openmetrics_family(
				openmetrics, &clock_name,
				"Clocks that this exporter holds "
				"because counters need it, and those "
				"before.");
		any = true;
		write_clock(source, "engine", "held", clocks->held.engine_hz,
			    openmetrics);
		write_clock(source, "engine", "before",
			    clocks->before.engine_hz, openmetrics);
		write_clock(source, "memory", "held", clocks->held.memory_hz,
			    openmetrics);
		write_clock(source, "memory", "before",
			    clocks->before.memory_hz, openmetrics);
	}
}

static void
write_up_family(const struct exporter *exporter,
		const struct openmetrics *openmetrics)
{
	struct labels labels;

	openmetrics_family(openmetrics, &up_name,
			   "1: the source could be read; 0: its values are "
			   "left out, and drmperf_problem_info says why.");
	for (size_t i = 0; i < exporter->source_count; i++) {
		label_source(&labels, &exporter->sources[i]);
		openmetrics_sample(openmetrics, &up_name, labels.list,
				   labels.count,
				   exporter->sources[i].is_up ? "1" : "0");
	}
	for (size_t i = 0; i < exporter->closed_count; i++) {
		label_closed(&labels, &exporter->closed[i]);
		openmetrics_sample(openmetrics, &up_name, labels.list,
				   labels.count, "0");
	}
}

static void
write_errors(const struct exporter *exporter,
	     const struct openmetrics *openmetrics)
{
	char text[METRIC_VALUE_SIZE];
	struct labels labels;

	openmetrics_family(openmetrics, &errors_name,
			   "How often the source could not be read.");
	for (size_t i = 0; i < exporter->source_count; i++) {
		label_source(&labels, &exporter->sources[i]);
		snprintf(text, sizeof(text), "%" PRIu64,
			 exporter->sources[i].errors);
		openmetrics_sample(openmetrics, &errors_name, labels.list,
				   labels.count, text);
	}
}

static void
write_problem(struct labels *labels, const struct drmperf_error *error,
	      const struct openmetrics *openmetrics)
{
	add_label(labels, "cause", error->cause);
	add_label(labels, "remedy", error->remedy);
	openmetrics_sample(openmetrics, &problem_name, labels->list,
			   labels->count, "1");
}

static void
write_problems(const struct exporter *exporter,
	       const struct openmetrics *openmetrics)
{
	struct labels labels;

	openmetrics_family(openmetrics, &problem_name,
			   "Why a source cannot be read, and the remedy.");
	for (size_t i = 0; i < exporter->source_count; i++) {
		const struct exporter_source *source = &exporter->sources[i];

		if (source->is_up)
			continue;
		label_source(&labels, source);
		write_problem(&labels, &source->error, openmetrics);
	}
	for (size_t i = 0; i < exporter->closed_count; i++) {
		label_closed(&labels, &exporter->closed[i]);
		write_problem(&labels, &exporter->closed[i].error, openmetrics);
	}
}

void
exporter_write(struct exporter *exporter, const struct openmetrics *openmetrics)
{
	for (size_t i = 0; i < exporter->source_count; i++)
		exporter_source_read(&exporter->sources[i]);
	write_devices(exporter, openmetrics);
	write_up_family(exporter, openmetrics);
	write_clocks(exporter, openmetrics);
	write_errors(exporter, openmetrics);
	write_problems(exporter, openmetrics);
	write_values(exporter, openmetrics);
	for (unsigned i = 0; i < COMMON_QUANTITIES; i++)
		write_quantity(exporter, (enum common_quantity)i, openmetrics);
	if (exporter->processes)
		process_series_write(exporter->processes, openmetrics);
	openmetrics_end(openmetrics);
}
