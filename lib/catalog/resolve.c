/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/resolve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_syntax.h"
#include "catalog/any_set.h"
#include "catalog/find.h"
#include "expr/compile.h"

/* The state of resolving one event. */
struct resolution {
	struct catalog *catalog;
	struct arena *arena; /* of what it comes down to */
	struct catalog_counter *counters;
	size_t count;
	uint32_t last; /* the counter named last; CATALOG_ANYWHERE: none yet */
};

static const struct description_group *
group_at(const struct resolution *resolution, group_index group)
{
	return &resolution->catalog->description.groups[group];
}

/* Return the event whose expression has this scope. */
static const struct drmperf_event *
event_of(const struct resolution *resolution, size_t scope)
{
	return resolution->catalog->numbered[scope];
}

static group_index
group_of(const struct drmperf_event *event)
{
	return catalog_event_record(event)->group;
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

/*
 * Find the counter's place in the list, appended unless it is there. -ENOMEM.
 */
static int
add_counter(struct resolution *resolution, const struct drmperf_event *event,
	    group_index group, uint32_t after, uint32_t *out)
{
	const struct description_event *record = catalog_event_record(event);
	const struct catalog_counter counter = {
		.group = group,
		.selector = record->selector,
		.setting = record->setting,
		.slots = record->slots,
		.after = after,
		.momentary = record->kind == DRMPERF_KIND_MOMENTARY,
		.event = event,
	};
	struct catalog_counter *counters = resolution->counters;
	size_t i, count = resolution->count;

	for (i = 0; i < count; i++)
		if (counters[i].group == group && counters[i].after == after &&
		    counters[i].selector == counter.selector &&
		    counters[i].setting == counter.setting)
			break;
	if (i == count) {
		counters = reallocarray(counters, count + 1, sizeof(*counters));
		if (!counters)
			return -ENOMEM;
		counters[count] = counter;
		resolution->counters = counters;
		resolution->count++;
	}
	*out = (uint32_t)i;
	return 0;
}

static int
counter_symbol(struct resolution *resolution, const struct drmperf_event *event,
	       group_index group, uint32_t after, struct expr_symbol *out,
	       struct drmperf_error *error)
{
	uint32_t input;

	if (add_counter(resolution, event, group, after, &input))
		return error_set(error, -ENOMEM, "no memory");
	*out = (struct expr_symbol){
		.kind = EXPR_COUNTER,
		.input = input,
		.instances_per_engine =
			group_at(resolution, group)->instances_per_engine,
	};
	if (after == CATALOG_ANYWHERE)
		resolution->last = input;
	return 0;
}

/*
 * Resolve a counter that sums another one. ROCm's tables write
 * LEVEL*0+ACCUM_PREV/...: the counter that sums is meant to stand behind the
 * one named before it.
 */
static int
follower_symbol(struct resolution *resolution,
		const struct drmperf_event *event, struct expr_symbol *out,
		struct drmperf_error *error)
{
	uint32_t last = resolution->last;

	if (last == CATALOG_ANYWHERE ||
	    resolution->counters[last].group != group_of(event))
		return error_set(error, -EBADMSG,
				 "%s sums the counter before it, but none of "
				 "the same group stands before it",
				 catalog_event_record(event)->name);
	return counter_symbol(resolution, event, group_of(event), last, out,
			      error);
}

/* ------------------------------------------------------------------ */
/* Words                                                                */

static struct expr_source
source_of(const struct drmperf_event *event)
{
	const struct description_event *record = catalog_event_record(event);

	return (struct expr_source){
		.text = record->expression,
		.file = record->file ? record->file : "?",
		.line = record->line,
		.language = record->language,
		.type = record->type,
		.scope = event->number,
	};
}

/*
 * Resolve an event that was found for a word in the expression of event scope.
 */
static int
event_symbol(struct resolution *resolution, size_t scope,
	     const struct drmperf_event *event, struct expr_symbol *out,
	     struct drmperf_error *error)
{
	const struct description_event *record = catalog_event_record(event);
	group_index group = record->group;
	group_index home = group_of(event_of(resolution, scope));

	if (event->group->gather)
		return error_set(error, -EBADMSG,
				 "%s stands for several events, which no "
				 "expression can use",
				 event->name);
	if (record->expression) {
		*out = (struct expr_symbol){
			.kind = EXPR_METRIC,
			.metric = source_of(event),
		};
		return 0;
	}
	if (record->follows)
		return follower_symbol(resolution, event, out, error);
	if (group_at(resolution, home)->borrows &&
	    group == group_at(resolution, home)->counters_of)
		group = home;
	return counter_symbol(resolution, event, group, CATALOG_ANYWHERE, out,
			      error);
}

/*
 * Look in the group of the expression's event, or the one it borrows from. NULL
 * if it is in neither; the errors of catalog_fill().
 */
static int
find_at_home(const struct resolution *resolution, size_t scope,
	     const char *name, size_t length, const struct drmperf_event **out,
	     struct drmperf_error *error)
{
	struct drmperf_group *home = event_of(resolution, scope)->group;
	const struct description_group *record = catalog_group_record(home);
	int err;

	err = catalog_find_in_group(home, name, length, out, error);
	if (err || *out || !record->borrows)
		return err;
	home = &resolution->catalog->groups[record->counters_of];
	return catalog_find_in_group(home, name, length, out, error);
}

/* Find a constant of the group of the scope's event, or else of the device. */
static const struct description_constant *
find_constant(const struct resolution *resolution, size_t scope,
	      const char *name, size_t length)
{
	const struct description *description =
		&resolution->catalog->description;
	const struct description_constant *constant =
		catalog_group_record(event_of(resolution, scope)->group)
			->constant;

	if (constant && name_syntax_is(constant->name, name, length))
		return constant;
	for (size_t i = 0; i < description->constant_count; i++) {
		constant = &description->constants[i];
		if (name_syntax_is(constant->name, name, length))
			return constant;
	}
	return NULL;
}

static int
constant_symbol(const struct resolution *resolution, size_t scope,
		const char *name, size_t length, struct expr_symbol *out,
		struct drmperf_error *error)
{
	const struct description *description =
		&resolution->catalog->description;
	const struct description_constant *constant =
		find_constant(resolution, scope, name, length);

	if (!constant)
		return description_explain_missing(description->missing, name,
						   length, error);
	*out = (struct expr_symbol){
		.kind = EXPR_CONSTANT,
		.type = DRMPERF_TYPE_UINT64,
		.value.u64 = constant->value,
	};
	return 0;
}

static int
resolve_name(void *data, size_t scope, const char *name, size_t length,
	     struct expr_symbol *out, struct drmperf_error *error)
{
	struct resolution *resolution = data;
	const struct drmperf_event *event;
	int err;

	if (length > 2 * NAME_SYNTAX_MAX + 1) /* group and name */
		return -ENOENT;
	err = find_at_home(resolution, scope, name, length, &event, error);
	if (!err && !event) {
		err = constant_symbol(resolution, scope, name, length, out,
				      error);
		if (err != -ENOENT)
			return err;
		err = catalog_find_any(resolution->catalog, name, length,
				       &event, error);
	}
	if (err == -ENOTUNIQ)
		return error_set(error, -EBADMSG,
				 "\"%.*s\" can mean several events",
				 length < 100 ? (int)length : 100, name);
	if (err)
		return err;
	if (!event)
		return -ENOENT;
	return event_symbol(resolution, scope, event, out, error);
}

/* Resolve "A 7 READ", the counter A7 of the event's own group. */
static int
resolve_read(void *data, size_t scope, const char *bank, size_t length,
	     uint64_t number, struct expr_symbol *out,
	     struct drmperf_error *error)
{
	struct resolution *resolution = data;
	const struct drmperf_event *event;
	char name[64];
	int n, err;

	if (length > 32)
		return -ENOENT;
	n = snprintf(name, sizeof(name), "%.*s%llu", (int)length, bank,
		     (unsigned long long)number);
	err = find_at_home(resolution, scope, name, (size_t)n, &event, error);
	if (err)
		return err;
	if (!event)
		return -ENOENT;
	return event_symbol(resolution, scope, event, out, error);
}

/*
 * Find the follower of a group that was meant: named, or in ROCm's words the
 * first one for LOW_RES and the last one for HIGH_RES, or the last one. NULL if
 * there is none.
 */
static int
find_follower(struct drmperf_group *group, const char *which, size_t length,
	      const struct drmperf_event **out, struct drmperf_error *error)
{
	int err;

	if (name_syntax_is("LOW_RES", which, length)) {
		*out = group->first_follower;
		return 0;
	}
	*out = group->last_follower;
	if (!length || name_syntax_is("HIGH_RES", which, length))
		return 0;
	err = catalog_find_in_group(group, which, length, out, error);
	if (!err && *out && !catalog_event_record(*out)->follows)
		*out = NULL;
	return err;
}

static int
resolve_accumulate(void *data, size_t scope, size_t input, const char *which,
		   size_t length, struct expr_symbol *out,
		   struct drmperf_error *error)
{
	struct resolution *resolution = data;
	group_index group = resolution->counters[input].group;
	const struct drmperf_event *event;
	int err;

	(void)scope;
	err = find_follower(&resolution->catalog->groups[group], which, length,
			    &event, error);
	if (err)
		return err;
	if (!event || resolution->counters[input].after != CATALOG_ANYWHERE)
		return -ENOENT;
	return counter_symbol(resolution, event, group, (uint32_t)input, out,
			      error);
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

/*
 * Count the instances that can be named: one can if it means the same for every
 * counter that has instances.
 */
static unsigned
count_instances(const struct resolution *resolution)
{
	unsigned instances = 0;
	size_t i;

	for (i = 0; i < resolution->count; i++) {
		unsigned n = group_at(resolution, resolution->counters[i].group)
				     ->instances;

		if (n <= 1)
			continue;
		if (instances && n != instances)
			return 0;
		instances = n;
	}
	return instances;
}

/*
 * Count the dies that can be named; of formulas none can: they divide sums over
 * dies, and have constants of all of them.
 */
static unsigned
count_dies(const struct resolution *resolution,
	   const struct expr_program *program)
{
	return program || !resolution->count
		       ? 0
		       : group_at(resolution, resolution->counters[0].group)
				 ->summed_dies;
}

static enum drmperf_scope
find_scope(const struct resolution *resolution)
{
	enum drmperf_scope scope = DRMPERF_SCOPE_DEVICE;
	size_t i;

	for (i = 0; i < resolution->count; i++) {
		const struct description_group *group =
			group_at(resolution, resolution->counters[i].group);

		if (scope < group->scope)
			scope = group->scope;
	}
	return scope;
}

static int
find_parts(struct resolution *resolution, const struct drmperf_event *event,
	   const struct expr_program **program, struct drmperf_error *error)
{
	const struct expr_resolver resolver = {
		.name = resolve_name,
		.read = resolve_read,
		.accumulate = resolve_accumulate,
		.data = resolution,
	};
	const struct expr_source source = source_of(event);
	uint32_t only;

	if (!source.text) {
		if (!add_counter(resolution, event, group_of(event),
				 CATALOG_ANYWHERE, &only))
			return 0;
		return error_set(error, -ENOMEM, "no memory for an event");
	}
	return expr_compile(&source, &resolver,
			    resolution->arena, program, error);
}

/*
 * Check that a metric that is said to use its own group's counters alone does
 * so.
 */
static int
check_local(const struct resolution *resolution,
	    const struct drmperf_event *event, struct drmperf_error *error)
{
	const struct description_event *record = catalog_event_record(event);
	size_t i;

	for (i = 0; record->is_local && i < resolution->count; i++) {
		group_index group = resolution->counters[i].group;

		if (group != record->group)
			return error_set(
				error, -EBADMSG,
				"%s:%d: %s uses a counter of %s, not of its "
				"own set",
				record->file, record->line, record->name,
				group_at(resolution, group)->name);
	}
	return 0;
}

static int
make_value(struct catalog *catalog, const struct drmperf_event *event,
	   struct arena *arena, const struct catalog_value **out,
	   struct drmperf_error *error)
{
	struct resolution resolution = { .catalog = catalog,
					 .arena = arena,
					 .last = CATALOG_ANYWHERE };
	struct catalog_counter *counters = NULL;
	struct catalog_value *value = NULL;
	const struct expr_program *program = NULL;
	size_t size;
	int err;

	if (event->group->gather)
		return any_event_resolve(event, out, error);
	err = find_parts(&resolution, event, &program, error);
	if (!err)
		err = check_local(&resolution, event, error);
	if (err) {
		free(resolution.counters);
		return err;
	}
	size = resolution.count * sizeof(*counters);
	counters = arena_alloc(arena, size ? size : 1);
	value = arena_alloc(arena, sizeof(*value));
	if (counters && value) {
		if (size)
			memcpy(counters, resolution.counters, size);
		*value = (struct catalog_value){
			.counters = counters,
			.counter_count = resolution.count,
			.program = program,
			.instances = count_instances(&resolution),
			.dies = count_dies(&resolution, program),
			.scope = find_scope(&resolution),
		};
		*out = value;
	}
	free(resolution.counters);
	if (!counters || !value)
		return error_set(error, -ENOMEM, "no memory for an event");
	return 0;
}

int
catalog_resolve(const struct drmperf_event *event,
		const struct catalog_value **out, struct drmperf_error *error)
{
	struct catalog *catalog = event->group->catalog;
	const struct catalog_value *value = atomic_load(&event->value);
	int err = 0;

	if (!value) {
		pthread_mutex_lock(&catalog->lock);
		value = atomic_load(&event->value);
		if (!value)
			err = make_value(catalog, event,
					 catalog->description.arena, &value,
					 error);
		if (!err)
			atomic_store(&catalog->numbered[event->number]->value,
				     value);
		pthread_mutex_unlock(&catalog->lock);
	}
	if (err)
		return err;
	*out = value;
	return 0;
}

int
catalog_try(const struct drmperf_event *event, bool *counts,
	    struct drmperf_error *error)
{
	struct catalog *catalog = event->group->catalog;
	struct arena *arena = arena_create();
	const struct catalog_value *value;
	int err;

	if (!arena)
		return catalog_no_memory(error);
	pthread_mutex_lock(&catalog->lock);
	err = make_value(catalog, event, arena, &value, error);
	pthread_mutex_unlock(&catalog->lock);
	if (!err)
		*counts = value->counter_count;
	arena_destroy(arena);
	return err;
}
