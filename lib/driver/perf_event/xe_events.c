/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/perf_event/xe_events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "driver/perf_event/format.h"

#define ENGINE "engine-"
#define GT "gt-"
#define ACTIVE "-active-ticks"
#define TOTAL "-total-ticks"

/* Events are being added behind those of the files that can be counted. */
struct adding {
	struct pmu *pmu;
	const struct xe_parts *parts;
	struct arena *arena;
	struct pmu_event *events;
	size_t count;
};

static bool
begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/*
 * Add the event of a file with more terms filled in; it is left out if the PMU
 * has not these.
 */
static int
add_event(struct adding *adding, const struct pmu_event *file,
	  const char *terms, const char *name)
{
	const struct pmu *pmu = adding->pmu;
	struct pmu_event event = *file;

	if (!name)
		return -ENOMEM;
	event.name = name;
	if (pmu_terms_complete(terms, pmu->formats, pmu->format_count,
			       &event.words))
		return 0;
	adding->events[adding->count++] = event;
	return 0;
}

/*
 * Return whether the name needs the GT. The GT is part of the name only where
 * another GT has such an engine.
 */
static bool
is_second(const struct xe_parts *parts, size_t index)
{
	const struct xe_engine *engine = &parts->engines[index];

	for (size_t i = 0; i < index; i++) {
		if (parts->engines[i].engine_class == engine->engine_class &&
		    parts->engines[i].instance == engine->instance)
			return true;
	}
	return false;
}

static int
add_engine(struct adding *adding, const struct pmu_event *file, size_t index)
{
	const struct xe_engine *engine = &adding->parts->engines[index];
	const char *class_name = xe_class_name(engine->engine_class);
	const char *what = file->name + strlen(ENGINE);
	char terms[80], gt[24] = "";

	if (!class_name)
		return 0;
	if (is_second(adding->parts, index))
		snprintf(gt, sizeof(gt), "gt%u-", engine->gt);
	snprintf(terms, sizeof(terms),
		 "engine_class=%u:engine_instance=%u:gt=%u",
		 engine->engine_class, engine->instance, engine->gt);
	return add_event(adding, file, terms,
			 arena_printf(adding->arena, "%s%s%u-%s", gt,
				      class_name, engine->instance, what));
}

static int
add_gt(struct adding *adding, const struct pmu_event *file, unsigned id)
{
	char terms[24];

	snprintf(terms, sizeof(terms), "gt=%u", id);
	return add_event(adding, file, terms,
			 arena_printf(adding->arena, "gt%u-%s", id,
				      file->name + strlen(GT)));
}

static int
add_all_of(struct adding *adding, const struct pmu_event *file)
{
	const struct xe_parts *parts = adding->parts;
	int ret = 0;

	if (begins_with(file->name, ENGINE)) {
		for (size_t i = 0; i < parts->engine_count && !ret; i++)
			ret = add_engine(adding, file, i);
	} else if (begins_with(file->name, GT)) {
		for (size_t i = 0; i < parts->gt_count && !ret; i++)
			ret = add_gt(adding, file, parts->gts[i].id);
	}
	return ret;
}

/*
 * Return whether a file stands for events of several parts. A file of engines
 * says no more than 0: of which kind, and where.
 */
static bool
stands_for_some(const struct pmu_event *file, const struct xe_parts *parts)
{
	if (!begins_with(file->name, ENGINE))
		return true;
	for (size_t i = 0; i < parts->engine_count; i++) {
		const struct xe_engine *engine = &parts->engines[i];

		if (!engine->engine_class && !engine->instance && !engine->gt)
			return true;
	}
	return false;
}

int
xe_events_add(struct pmu *pmu, const struct xe_parts *parts,
	      struct arena *arena)
{
	const size_t before = pmu->event_count;
	struct adding adding = {
		.pmu = pmu,
		.parts = parts,
		.arena = arena,
	};
	int ret = 0;

	if (!before)
		return 0;
	adding.events = arena_alloc(
		arena, before * (1 + parts->engine_count + parts->gt_count) *
			       sizeof(*adding.events));
	if (!adding.events)
		return -ENOMEM;
	for (size_t i = 0; i < before; i++) {
		if (stands_for_some(&pmu->events[i], parts))
			adding.events[adding.count++] = pmu->events[i];
	}
	for (size_t i = 0; i < before && !ret; i++)
		ret = add_all_of(&adding, &pmu->events[i]);
	if (ret)
		return ret;
	pmu->events = adding.events;
	pmu->event_count = adding.count;
	return 0;
}

static bool
has_event(const struct pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->event_count; i++) {
		if (!strcmp(pmu->events[i].name, name))
			return true;
	}
	return false;
}

/* Return the length of "rcs0" in "rcs0-active-ticks"; 0 for another event. */
static size_t
engine_length(const struct pmu_event *event)
{
	size_t length = strlen(event->name), tail = strlen(ACTIVE);

	if (event->name == event->file || length <= tail ||
	    strcmp(event->name + length - tail, ACTIVE) != 0)
		return 0;
	return length - tail;
}

static int
add_busy(const char *name, int length, group_index group,
	 struct description *description)
{
	struct arena *arena = description->arena;
	const struct description_event event = {
		.name = arena_printf(arena, "%.*s-busy", length, name),
		.description = "Share of the time in which the engine had "
			       "work.",
		.expression = arena_printf(
			arena, "100*'%.*s" ACTIVE "'/'%.*s" TOTAL "'", length,
			name, length, name),
		.language = EXPRESSION_INFIX,
		.file = "the kernel's PMU",
		.group = group,
		.unit = DRMPERF_UNIT_PERCENT,
		.type = DRMPERF_TYPE_DOUBLE,
		.kind = DRMPERF_KIND_AVERAGE,
	};

	if (!event.name || !event.expression)
		return -ENOMEM;
	return description_add_event(description, &event);
}

int
xe_events_add_busy(const struct pmu *pmu, group_index group,
		   struct description *description)
{
	int ret = 0;

	for (size_t i = 0; i < pmu->event_count && !ret; i++) {
		const char *name = pmu->events[i].name;
		size_t length = engine_length(&pmu->events[i]);
		char total[80];

		if (!length)
			continue;
		snprintf(total, sizeof(total), "%.*s" TOTAL, (int)length, name);
		if (has_event(pmu, total))
			ret = add_busy(name, (int)length, group, description);
	}
	return ret;
}
