/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Peaks: the upper limits of a GPU's rates, from the tables of metric groups.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancellation.h"
#include "base/error.h"
#include "base/machine_memory.h"
#include "device/any_event.h"
#include "device/device.h"
#include "device/device_table.h"
#include "drmperf.h"
#include "expr/compile.h"
#include "expr/program.h"

/* The peaks that the caller gets, and the memory they lie in. */
struct read_peaks {
	struct drmperf_peaks peaks; /* the first */
	const struct drmperf_peak **list;
	const struct drmperf_peak **unknown;
	struct device_table in; /* names and descriptions, lists, programs */
};

/* ------------------------------------------------------------------ */
/* Numbers                                                              */

/* The rate of the machine's memory modules, in bytes per second. */
#define MACHINE_MEMORY "MACHINE_MEMORY_RATE"

static int
find_constant(void *data, size_t scope, const char *name, size_t length,
	      struct expr_symbol *out, struct drmperf_error *error)
{
	const struct description *description = data;

	(void)scope;
	for (size_t i = 0; i < description->constant_count; i++) {
		const struct description_constant *constant =
			&description->constants[i];

		if (strncmp(constant->name, name, length) ||
		    constant->name[length])
			continue;
		*out = (struct expr_symbol){
			.kind = EXPR_CONSTANT,
			.type = DRMPERF_TYPE_UINT64,
			.value.u64 = constant->value,
		};
		return 0;
	}
	if (length == strlen(MACHINE_MEMORY) &&
	    !strncmp(MACHINE_MEMORY, name, length)) {
		*out = (struct expr_symbol){
			.kind = EXPR_CONSTANT,
			.type = DRMPERF_TYPE_UINT64,
			.value.u64 = machine_memory_rate(),
		};
		return 0;
	}
	return description_explain_missing(description->missing, name, length,
					   error);
}

/*
 * Evaluate an attribute's expression over the GPU's numbers. The result is 0 or
 * less if the GPU lacks one of them.
 */
static int
read_number(const struct read_peaks *read, const struct element *element,
	    const char *name, double *out, struct drmperf_error *error)
{
	const struct description *description =
		device_description(read->in.device);
	const struct expr_resolver resolver = {
		.name = find_constant,
		.data = (void *)(uintptr_t)description,
	};
	struct expr_source source = {
		.file = read->in.table->path,
		.line = element->line,
		.type = DRMPERF_TYPE_DOUBLE,
	};
	const struct expr_program *program;
	int err;

	err = element_text(read->in.table, element, name, &source.text, error);
	if (!err)
		err = expr_compile(&source, &resolver, read->in.arena, &program,
				   error);
	if (!err)
		*out = expr_eval(program, NULL).f64;
	return err;
}

/*
 * Read how many operations one unit is in a roofline, if the table gives that.
 */
static int
read_operations(const struct read_peaks *read, const struct element *element,
		struct drmperf_peak *peak, struct drmperf_error *error)
{
	peak->operations_are_most = element_attribute(element, "most") != NULL;
	if (!element_attribute(element, "operations"))
		return 0;
	return read_number(read, element, "operations", &peak->operations,
			   error);
}

/* Return the factor from the event's unit to the peak's; 0 if there is none. */
static double
unit_factor(const char *unit, const struct drmperf_event *event)
{
	enum drmperf_unit of = drmperf_event_unit(event);

	if (drmperf_event_kind(event) != DRMPERF_KIND_CUMULATIVE)
		return 0;
	if (!strcmp(unit, drmperf_unit_name(of)))
		return 1;
	return of == DRMPERF_UNIT_KIBIBYTES && !strcmp(unit, "bytes") ? 1024
								      : 0;
}

/* ------------------------------------------------------------------ */
/* A peak                                                               */

/*
 * Read each of blank separated names. -ENOENT: the device has not all of them.
 */
static int
read_events(const struct read_peaks *read, const char *names,
	    struct drmperf_peak *peak, struct drmperf_error *error)
{
	/* a name and a blank take two characters, at least */
	const struct drmperf_event **events = arena_alloc(
		read->in.arena, (strlen(names) / 2 + 1) * sizeof(*events));
	int err = *names ? 0 : -ENOENT;

	if (!events)
		return error_set(error, -ENOMEM, "no memory");
	peak->events = events;
	while (!err && *names) {
		err = next_event_find(read->in.device, &names,
				      &events[peak->event_count], error);
		if (!err)
			peak->event_count++;
	}
	return err;
}

static int
read_unit(const struct read_peaks *read, const struct element *element,
	  struct drmperf_peak *peak, struct drmperf_error *error)
{
	const char *unit;
	double factor;
	int err = element_text(read->in.table, element, "unit", &unit, error);

	if (err)
		return err;
	factor = unit_factor(unit, peak->events[0]);
	for (size_t i = 1; i < peak->event_count; i++) {
		if (unit_factor(unit, peak->events[i]) != factor)
			factor = 0;
	}
	if (factor <= 0)
		return element_error(read->in.table, element, error,
				     "counts %s, its events do not", unit);
	peak->per_second /= factor;
	return 0;
}

static int
append_peak(const struct read_peaks *read, const struct drmperf_peak **list,
	    size_t *count, const struct drmperf_peak *peak,
	    struct drmperf_error *error)
{
	struct drmperf_peak *copy = arena_alloc(read->in.arena, sizeof(*copy));

	if (!copy)
		return error_set(error, -ENOMEM, "no memory");
	*copy = *peak;
	list[(*count)++] = copy;
	return 0;
}

static bool
has_peak(const struct read_peaks *read, const struct drmperf_peak *peak)
{
	for (size_t i = 0; i < read->peaks.count; i++) {
		if (!strcmp(read->list[i]->group, peak->group) &&
		    !strcmp(read->list[i]->name, peak->name))
			return true;
	}
	return false;
}

/*
 * Add a peak whose number the device lacks, if the element says why, and no
 * element before it had the number.
 */
static int
add_unknown(struct read_peaks *read, const struct element *element,
	    const char *names, struct drmperf_peak *peak,
	    struct drmperf_error *error)
{
	int err;

	peak->per_second = 0;
	peak->description = element_attribute(element, "unknown");
	if (!peak->description || has_peak(read, peak))
		return 0;
	err = read_events(read, names, peak, error);
	if (err)
		return err == -ENOENT ? 0 : err;
	return append_peak(read, read->unknown, &read->peaks.unknown_count,
			   peak, error);
}

/* Read a peak. Nothing is added where the device lacks events. */
static int
read_peak(struct read_peaks *read, const struct element *group,
	  const struct element *element, struct drmperf_error *error)
{
	struct drmperf_peak peak = { .description = element->text };
	const char *names, *generations;
	int err;

	err = element_text(read->in.table, group, "name", &peak.group, error);
	if (!err)
		err = element_text(read->in.table, element, "name", &peak.name,
				   error);
	if (!err)
		err = element_text(read->in.table, element, "of", &names,
				   error);
	if (!err)
		err = element_text(read->in.table, element, "generations",
				   &generations, error);
	if (err)
		return err;
	if (!device_table_names_generation(&read->in, generations))
		return 0;
	peak.is_bound = element_attribute(element, "bound") != NULL;
	err = read_number(read, element, "rate", &peak.per_second, error);
	if (!err)
		err = read_operations(read, element, &peak, error);
	if (err)
		return err;
	if (!(peak.per_second > 0))
		return add_unknown(read, element, names, &peak, error);
	err = read_events(read, names, &peak, error);
	if (!err)
		err = read_unit(read, element, &peak, error);
	if (!err)
		err = append_peak(read, read->list, &read->peaks.count, &peak,
				  error);
	return err == -ENOENT ? 0 : err;
}

/* ------------------------------------------------------------------ */
/* All of them                                                          */

static size_t
count_peaks(const struct element *group)
{
	size_t count = 0;

	for (; group; group = element_named(group->next, "group"))
		count += element_count(group->child, "peak");
	return count;
}

static int
read_table(struct read_peaks *read, struct drmperf_error *error)
{
	const struct element *group =
		element_named(read->in.table->root->child, "group");
	const size_t room = count_peaks(group) + 1;
	int err = 0;

	read->list = arena_alloc(read->in.arena, room * sizeof(*read->list));
	read->unknown =
		arena_alloc(read->in.arena, room * sizeof(*read->unknown));
	if (!read->list || !read->unknown)
		return error_set(error, -ENOMEM, "no memory");
	read->peaks.list = read->list;
	read->peaks.unknown = read->unknown;
	for (; !err && group; group = element_named(group->next, "group")) {
		const struct element *peak =
			element_named(group->child, "peak");

		for (; !err && peak; peak = element_named(peak->next, "peak"))
			err = read_peak(read, group, peak, error);
	}
	return err;
}

int
drmperf_peaks_create(struct drmperf_device *device, struct drmperf_peaks **out,
		     struct drmperf_error *error)
{
	NO_CANCELLATION;
	struct read_peaks *read = calloc(1, sizeof(*read));
	int err;

	if (!read)
		return error_set(error, -ENOMEM, "no memory");
	err = device_table_open(&read->in, device, "groups", error);
	if (!err && read->in.table)
		err = read_table(read, error);
	if (err)
		drmperf_peaks_destroy(&read->peaks);
	else
		*out = &read->peaks;
	return err;
}

void
drmperf_peaks_destroy(struct drmperf_peaks *peaks)
{
	struct read_peaks *read = (struct read_peaks *)peaks;

	if (read)
		device_table_close(&read->in);
	free(read);
}
