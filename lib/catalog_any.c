/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog_any.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalog_fill.h"
#include "catalog_name.h"

#define NO_EVENT UINT32_MAX

static int
no_memory(struct drmperf_error *error)
{
	return error_set(error, -ENOMEM, "no memory for the list of events");
}

/* Metrics over other groups are of no domain, wherever they stand. */
static bool
is_of(const struct description_group *group, domain_index domain)
{
	return group->domain == domain && strcmp(group->name, METRIC_GROUP);
}

/* ------------------------------------------------------------------ */
/* The groups                                                           */

/* True if a group of the domain has an event that is listed, or may have. */
static bool
has_events(const struct description *description, domain_index domain)
{
	size_t i;

	for (i = 0; i < description->group_count; i++)
		if (is_of(&description->groups[i], domain) &&
		    description->groups[i].describe)
			return true;
	for (i = 0; i < description->event_count; i++) {
		const struct description_event *event = &description->events[i];

		if (is_of(&description->groups[event->group], domain) &&
		    !event->hidden && !event->follows)
			return true;
	}
	return false;
}

/* It can do at best what the best of its groups can. */
static int
add_group(struct description *description, domain_index domain)
{
	const char *name = description->domains[domain].name;
	struct description_group any = {
		.name = name,
		.domain = domain,
		.instances = 1,
		.instances_per_engine = 1,
	};
	size_t i;

	for (i = 0; i < description->group_count; i++) {
		const struct description_group *group = &description->groups[i];

		if (!is_of(group, domain))
			continue;
		if (any.max_active < group->max_active)
			any.max_active = group->max_active;
		if (any.scope < group->scope)
			any.scope = group->scope;
	}
	any.description = arena_printf(
		description->arena,
		"Any group of the domain %s that has the event.", name);
	if (!any.description)
		return -ENOMEM;
	return description_add_group(description, &any, NULL);
}

int
any_groups_add(struct description *description, group_index *first)
{
	group_index known;
	domain_index i;
	int err = 0;

	*first = (group_index)description->group_count;
	for (i = 0; !err && i < description->domain_count; i++) {
		if (description->domains[i].exclusive &&
		    description_group_find(description,
					   description->domains[i].name,
					   &known) &&
		    has_events(description, i))
			err = add_group(description, i);
	}
	return err;
}

/* ------------------------------------------------------------------ */
/* Their events                                                         */

/* The events of a domain's groups, and what they are alternatives of. */
struct pool {
	struct catalog *catalog;
	struct drmperf_group *any;
	struct drmperf_error *error;
	const struct drmperf_event **members;
	/* per member: which of any's events it serves, or NO_EVENT */
	uint32_t *serves;
	size_t count;
	struct name_index names; /* gives positions in any's events */
	struct catalog_value *values; /* like any's events */
};

static int
fill_groups(struct pool *pool)
{
	const struct description *description = &pool->catalog->description;
	domain_index domain = catalog_group_record(pool->any)->domain;
	size_t i;

	for (i = 0; i < description->group_count; i++) {
		struct drmperf_group *group = &pool->catalog->groups[i];

		if (group == pool->any ||
		    !is_of(&description->groups[i], domain))
			continue;
		if (catalog_fill_group(group, pool->error) == -ENOMEM)
			return -ENOMEM;
		pool->count += group->listed;
	}
	return 0;
}

static void
find_members(struct pool *pool)
{
	const struct description *description = &pool->catalog->description;
	domain_index domain = catalog_group_record(pool->any)->domain;
	size_t i, k, count = 0;

	for (i = 0; i < description->group_count; i++) {
		const struct drmperf_group *group = &pool->catalog->groups[i];

		if (group == pool->any ||
		    !is_of(&description->groups[i], domain))
			continue;
		for (k = 0; k < group->listed; k++)
			pool->members[count++] = &group->events[k];
	}
}

/* The new event is like the first one that serves it. */
static int
add_event(struct pool *pool, const struct description_event *like)
{
	struct description_event event = *like;

	event.group = (group_index)(pool->any - pool->catalog->groups);
	event.alias = NULL;
	event.use = NULL; /* it serves whatever remains */
	return description_add_event(&pool->catalog->description, &event);
}

/* The position of any's event of this name, which is added if there is none. */
static int
find_or_add(struct pool *pool, const struct description_event *like,
	    uint32_t *out)
{
	const struct description *description = &pool->catalog->description;
	uint32_t hash = catalog_name_hash(like->name, strlen(like->name));
	size_t cursor = 0;

	while ((*out = name_index_next(&pool->names, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (!strcmp(description->events[*out].name, like->name))
			return 0;
	*out = (uint32_t)description->event_count;
	name_index_insert(&pool->names, hash, *out);
	return add_event(pool, like);
}

static bool
is_alike(const struct description_event *a, const struct description_event *b)
{
	return a->unit == b->unit && a->type == b->type && a->kind == b->kind;
}

static int
add_events(struct pool *pool)
{
	const struct description *description = &pool->catalog->description;
	uint32_t position;
	size_t i;

	assert(!description->event_count);
	for (i = 0; i < pool->count; i++) {
		const struct description_event *record =
			catalog_event_record(pool->members[i]);

		if (find_or_add(pool, record, &position))
			return no_memory(pool->error);
		pool->serves[i] =
			is_alike(&description->events[position], record)
				? position
				: NO_EVENT;
	}
	return 0;
}

/* Count each event's alternatives; returns their sum. */
static size_t
count_alternatives(struct pool *pool)
{
	size_t i, total = 0;

	for (i = 0; i < pool->count; i++) {
		if (pool->serves[i] == NO_EVENT)
			continue;
		pool->values[pool->serves[i]].alternative_count++;
		total++;
	}
	return total;
}

/* The values' lists are parts of this one. */
static void
add_alternative(struct catalog_value *value, const struct drmperf_event **list,
		const struct drmperf_event *event)
{
	enum drmperf_scope scope = catalog_group_record(event->group)->scope;

	list += value->alternatives - list;
	list[value->alternative_count++] = event;
	if (value->scope < scope)
		value->scope = scope;
}

/* Tell the events which ones serve them, in the order of the groups. */
static int
link_alternatives(struct pool *pool, size_t added)
{
	struct arena *arena = pool->catalog->description.arena;
	const struct drmperf_event **list;
	size_t i, first = 0;

	pool->values = arena_alloc(arena, (added + 1) * sizeof(*pool->values));
	if (!pool->values)
		return no_memory(pool->error);
	list = arena_alloc(arena,
			   (count_alternatives(pool) + 1) * sizeof(*list));
	if (!list)
		return no_memory(pool->error);
	for (i = 0; i < added; i++) {
		pool->values[i].alternatives = list + first;
		first += pool->values[i].alternative_count;
		pool->values[i].alternative_count = 0;
	}
	for (i = 0; i < pool->count; i++)
		if (pool->serves[i] != NO_EVENT)
			add_alternative(&pool->values[pool->serves[i]], list,
					pool->members[i]);
	return 0;
}

static int
make_events(struct pool *pool)
{
	size_t added, i;
	int err;

	find_members(pool);
	err = add_events(pool);
	added = pool->catalog->description.event_count;
	if (!err)
		err = link_alternatives(pool, added);
	if (!err)
		err = catalog_add_events(pool->catalog, pool->error);
	if (err)
		return err;
	/* no two have the same name, and all are listed */
	assert(pool->any->listed == added);
	for (i = 0; i < added; i++)
		atomic_store(&pool->any->events[i].value, &pool->values[i]);
	return 0;
}

int
any_group_fill(struct drmperf_group *any, struct drmperf_error *error)
{
	struct pool pool = {
		.catalog = any->catalog,
		.any = any,
		.error = error,
	};
	int err;

	err = fill_groups(&pool);
	if (err)
		return err;
	pool.members = calloc(pool.count + 1, sizeof(*pool.members));
	pool.serves = calloc(pool.count + 1, sizeof(*pool.serves));
	err = name_index_init(&pool.names, pool.count);
	if (err || !pool.members || !pool.serves)
		err = no_memory(error);
	else
		err = make_events(&pool);
	any->catalog->description.event_count = 0;
	name_index_finish(&pool.names);
	free(pool.members);
	free(pool.serves);
	return err;
}
