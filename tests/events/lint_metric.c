/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/events/lint_metric.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "driver/description.h"
#include "expr/compile.h"
#include "tests/events/lint_element.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

const struct element *
lint_find_event(const struct element *root, const char *name, size_t length)
{
	const struct element *block, *event;

	for (block = element_named(root->child, "block"); block;
	     block = element_named(block->next, "block")) {
		const char *prefix = element_attribute(block, "name");
		size_t n = prefix ? strlen(prefix) : 0;

		if (!prefix || length <= n + 1 || name[n] != '.' ||
		    strncmp(name, prefix, n))
			continue;
		for (event = element_named(block->child, "event"); event;
		     event = element_named(event->next, "event")) {
			const char *it = element_attribute(event, "name");

			if (it && strlen(it) == length - n - 1 &&
			    !strncmp(it, name + n + 1, length - n - 1))
				return event;
		}
	}
	return NULL;
}

static const struct element *
find_metric(const struct element *root, const char *name, size_t length)
{
	const struct element *metric;

	for (metric = element_named(root->child, "metric"); metric;
	     metric = element_named(metric->next, "metric")) {
		const char *it = element_attribute(metric, "name");

		if (it && strlen(it) == length && !strncmp(it, name, length))
			return metric;
	}
	return NULL;
}

static struct expr_source
source_of(const struct lint *lint, const struct element *metric)
{
	const char *text = element_attribute(metric, "expression");
	const char *type = element_attribute(metric, "type");
	struct expr_source source = {
		.text = text ? text : "",
		.file = lint->table->path,
		.line = metric->line,
		.language = EXPRESSION_INFIX,
		.type = DRMPERF_TYPE_DOUBLE,
		.scope = (size_t)metric->line,
	};

	if (type)
		type_from_name(type, &source.type);
	return source;
}

/* Return whether it is one of the constants that events/README.md lists. */
static bool
is_constant(const char *name, size_t length)
{
	static const char *const constants[] = {
		"SE_NUM",
		"SA_PER_SE",
		"CU_NUM",
		"SIMD_NUM",
		"MAX_WAVE_SIZE",
		"XCC_NUM",
		"L2_CHANNELS",
		"MAX_ENGINE_CLOCK_MHZ",
		"MAX_MEMORY_CLOCK_MHZ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
		if (strlen(constants[i]) == length &&
		    !strncmp(constants[i], name, length))
			return true;
	return false;
}

/* One counter of an expression, by the lines of its events. */
struct used_counter {
	size_t line;
	size_t follows; /* the line of the event it sums, or 0 */
};

struct resolution {
	const struct lint *lint;
	struct used_counter used[64];
	size_t used_count;
};

static void
use_counter(struct resolution *resolution, size_t line, size_t follows)
{
	size_t i;

	for (i = 0; i < resolution->used_count; i++)
		if (resolution->used[i].line == line &&
		    resolution->used[i].follows == follows)
			return;
	if (i < ARRAY_SIZE(resolution->used))
		resolution->used[resolution->used_count++] =
			(struct used_counter){ line, follows };
}

static int
resolve_name(void *data, size_t scope, const char *name, size_t length,
	     struct expr_symbol *out, struct drmperf_error *error)
{
	struct resolution *resolution = data;
	const struct lint *lint = resolution->lint;
	const struct element *found;

	(void)scope;
	(void)error;
	if (is_constant(name, length)) {
		*out = (struct expr_symbol){
			.kind = EXPR_CONSTANT,
			.type = DRMPERF_TYPE_UINT64,
			.value.u64 = 1,
		};
		return 0;
	}
	found = lint_find_event(lint->table->root, name, length);
	if (found) {
		use_counter(resolution, (size_t)found->line, 0);
		*out = (struct expr_symbol){
			.kind = EXPR_COUNTER,
			.input = (size_t)found->line,
			.instances_per_engine = 1,
		};
		return 0;
	}
	found = find_metric(lint->table->root, name, length);
	if (found) {
		*out = (struct expr_symbol){
			.kind = EXPR_METRIC,
			.metric = source_of(lint, found),
		};
		return 0;
	}
	return -ENOENT;
}

/* Find the block around a line: counters are numbered by line. */
static const struct element *
block_around(const struct element *root, size_t line)
{
	const struct element *block, *home = NULL;

	for (block = element_named(root->child, "block");
	     block && (size_t)block->line < line;
	     block = element_named(block->next, "block"))
		home = block;
	return home;
}

static int
resolve_accumulate(void *data, size_t scope, size_t input, const char *which,
		   size_t length, struct expr_symbol *out,
		   struct drmperf_error *error)
{
	struct resolution *resolution = data;
	const struct element *event, *home;

	(void)scope;
	(void)which;
	(void)length;
	(void)error;
	home = block_around(resolution->lint->table->root, input);
	for (event = home ? element_named(home->child, "event") : NULL; event;
	     event = element_named(event->next, "event")) {
		if (!element_attribute(event, "follows"))
			continue;
		use_counter(resolution, (size_t)event->line, input);
		*out = (struct expr_symbol){
			.kind = EXPR_COUNTER,
			.input = (size_t)event->line,
			.instances_per_engine = 1,
		};
		return 0;
	}
	return -ENOENT;
}

/* Count how many counters run at the same time in an instance of the block. */
static unsigned
count_part_slots(const struct element *block)
{
	const struct element *slot = element_named(block->child, "slot");
	const char *part = slot ? element_attribute(slot, "part") : NULL;
	unsigned count = 0;

	for (; slot; slot = element_named(slot->next, "slot")) {
		const char *other = element_attribute(slot, "part");

		count += !part || (other && !strcmp(part, other));
	}
	return count;
}

/*
 * Check the counters: a metric that needs more than there are could never be
 * used.
 */
static void
check_counters(struct lint *lint, const struct element *metric,
	       const struct resolution *resolution)
{
	const struct element *root = lint->table->root, *block;

	for (block = element_named(root->child, "block"); block;
	     block = element_named(block->next, "block")) {
		unsigned slots = count_part_slots(block), used = 0;

		for (size_t i = 0; i < resolution->used_count; i++)
			used += block_around(root, resolution->used[i].line) ==
				block;
		if (used > slots)
			lint_complain(lint, metric,
				      "needs %u of %u counters of the block "
				      "in line %u",
				      used, slots, (unsigned)block->line);
	}
	if (resolution->used_count == ARRAY_SIZE(resolution->used))
		lint_complain(lint, metric,
			      "more counters than can be checked");
}

/* Return whether it is a quotient: "0 %" of nothing would look measured. */
static bool
is_share(const struct element *metric)
{
	const char *unit = element_attribute(metric, "unit");

	return unit && !strcmp(unit, "percent");
}

/* What all counters of an expression have counted. */
struct counted {
	struct expr_input *inputs; /* by the lines of the events */
	uint64_t *counts; /* as used[] of struct resolution */
};

/* Make inputs that are all 0, or return one without any. */
static struct counted
counted_create(const struct resolution *resolution, struct arena *arena)
{
	static const uint64_t zero;
	const size_t used = resolution->used_count;
	struct counted counted = { NULL, NULL };
	size_t lines = 0;

	for (size_t i = 0; i < used; i++)
		if (resolution->used[i].line > lines)
			lines = resolution->used[i].line;
	counted.counts = arena_alloc(arena, (used + 1) * sizeof(uint64_t));
	counted.inputs =
		arena_alloc(arena, (lines + 1) * sizeof(*counted.inputs));
	if (!counted.counts || !counted.inputs)
		return (struct counted){ NULL, NULL };
	for (size_t i = 0; i <= lines; i++)
		counted.inputs[i] = (struct expr_input){ &zero, 1 };
	for (size_t i = 0; i < used; i++) {
		counted.counts[i] = 0;
		counted.inputs[resolution->used[i].line].values =
			&counted.counts[i];
	}
	return counted;
}

static double
value_of(const struct expr_program *program, const struct counted *counted,
	 enum drmperf_type type)
{
	const union drmperf_value value = expr_eval(program, counted->inputs);

	return type == DRMPERF_TYPE_DOUBLE ? value.f64 : (double)value.u64;
}

/*
 * Check what a metric is when nothing was counted: 0, or no value, as a share
 * of what was not there has to be.
 */
static void
check_idle(struct lint *lint, const struct element *metric,
	   const struct expr_program *program, const struct counted *counted)
{
	const double value =
		value_of(program, counted, source_of(lint, metric).type);

	if (value > 0)
		lint_complain(lint, metric, "is not 0 where nothing counts");
	if (is_share(metric) && !isnan(value))
		lint_complain(lint, metric,
			      "is a share, but not n/a where nothing counts");
}

/*
 * Check whether a metric that is said to add up does: each of its counters
 * stands still for a time in which the others count, and counts later.
 */
static void
check_adds_up(struct lint *lint, const struct element *metric,
	      const struct resolution *resolution,
	      const struct expr_program *program, const struct counted *counted)
{
	const enum drmperf_type type = source_of(lint, metric).type;
	const size_t used = resolution->used_count;

	for (size_t still = 0; still < used; still++) {
		double first, then, both;

		for (size_t i = 0; i < used; i++)
			counted->counts[i] = i == still ? 0 : 64;
		first = value_of(program, counted, type);
		for (size_t i = 0; i < used; i++)
			counted->counts[i] = 4096;
		then = value_of(program, counted, type);
		for (size_t i = 0; i < used; i++)
			counted->counts[i] = i == still ? 4096 : 4160;
		both = value_of(program, counted, type);
		if (fabs(first + then - both) > 1e-9 * fabs(both)) {
			lint_complain(lint, metric, "does not add up");
			return;
		}
	}
}

static void
check_values(struct lint *lint, const struct element *metric,
	     const struct resolution *resolution,
	     const struct expr_program *program, struct arena *arena)
{
	const struct counted counted = counted_create(resolution, arena);
	const char *kind = element_attribute(metric, "kind");

	if (!counted.inputs)
		return;
	check_idle(lint, metric, program, &counted);
	if (kind && !strcmp(kind, "cumulative"))
		check_adds_up(lint, metric, resolution, program, &counted);
}

static void
check_expression(struct lint *lint, const struct element *metric)
{
	struct resolution resolution = { .lint = lint };
	const struct expr_resolver resolver = {
		.name = resolve_name,
		.accumulate = resolve_accumulate,
		.data = &resolution,
	};
	const struct expr_source source = source_of(lint, metric);
	const struct expr_program *program;
	struct arena *arena = arena_create();
	struct drmperf_error error = { .cause = "no memory" };

	if (!arena || expr_compile(&source, &resolver, arena, &program, &error))
		lint_complain(lint, metric, "%s", error.cause);
	else
		check_values(lint, metric, &resolution, program, arena);
	check_counters(lint, metric, &resolution);
	arena_destroy(arena);
}

void
lint_metric(struct lint *lint, const struct element *metric)
{
	const char *name = lint_text(lint, metric, "name");
	enum drmperf_type type;
	enum drmperf_kind kind;

	lint_name(lint, metric, name);
	lint_unique(lint, lint->table->root->child, metric, "name");
	lint_has_unit(lint, metric, NULL);
	lint_description(lint, metric, metric->text, name);
	if (type_from_name(lint_text(lint, metric, "type"), &type))
		lint_complain(lint, metric, "type is none that there is");
	if (kind_from_name(lint_text(lint, metric, "kind"), &kind))
		lint_complain(lint, metric, "kind is none that there is");
	check_expression(lint, metric);
}
