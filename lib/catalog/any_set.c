/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog/any_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_syntax.h"
#include "catalog/event_index.h"
#include "catalog/lazy_load.h"

/*
 * Return whether a group is of the domain; metrics over other groups are of
 * none, wherever they stand.
 */
static bool
is_of(const struct description_group *group, domain_index domain)
{
	return group->domain == domain && strcmp(group->name, METRIC_GROUP);
}

/* ------------------------------------------------------------------ */
/* The groups                                                           */

/*
 * Return true if a group of the domain has an event that is listed, or may
 * have.
 */
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
		    catalog_lists(event))
			return true;
	}
	return false;
}

/* Add the group, which can do at best what the best of its groups can. */
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
		"Any group of the unit %s that has the event.", name);
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

/*
 * Return the next group of any's domain, from this one on; NULL after the last.
 */
static struct drmperf_group *
next_group(const struct drmperf_group *any, struct drmperf_group *group)
{
	struct catalog *catalog = any->catalog;
	domain_index domain = catalog_group_record(any)->domain;
	struct drmperf_group *end =
		catalog->groups + catalog->description.group_count;

	while (group < end &&
	       (group->gather || !is_of(catalog_group_record(group), domain)))
		group++;
	return group < end ? group : NULL;
}

/* Fill the groups of the domain; *count: how many events they list. */
static int
fill_groups(const struct drmperf_group *any, size_t *count,
	    struct drmperf_error *error)
{
	struct drmperf_group *group = any->catalog->groups;

	*count = 0;
	for (; (group = next_group(any, group)); group++) {
		if (catalog_fill_group(group, error) == -ENOMEM)
			return -ENOMEM;
		*count += group->listed;
	}
	return 0;
}

/* The events of one name in the groups of the domain. */
struct event_chain {
	struct drmperf_event *first, *last;
};

/* The group being filled. */
struct filling {
	struct drmperf_group *any;
	struct description *description;
	struct name_index names; /* gives positions in the two: */
	struct event_chain *chains; /* like description.events */
};

/* Add an event that is like the first one that serves it. */
static int
add_event(struct filling *filling, const struct description_event *like)
{
	struct description_event event = *like;

	event.group =
		(group_index)(filling->any - filling->any->catalog->groups);
	event.alias = NULL;
	event.use = NULL; /* it serves whatever remains */
	return description_add_event(filling->description, &event);
}

/* Return the chain of this name; NULL if there is none yet. */
static struct event_chain *
find_chain(const struct filling *filling, const char *name, uint32_t hash)
{
	const struct description_event *events = filling->description->events;
	size_t cursor = 0;
	uint32_t i;

	while ((i = name_index_next(&filling->names, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (!strcmp(events[i].name, name))
			return &filling->chains[i];
	return NULL;
}

static int
add_to_chain(struct filling *filling, struct drmperf_event *event)
{
	const struct description_event *record = catalog_event_record(event);
	size_t position = filling->description->event_count, length;
	struct event_chain *chain;
	uint32_t hash;

	name_syntax_measure(record->name, &length, &hash);
	chain = find_chain(filling, record->name, hash);
	if (chain) {
		chain->last->same = event->number;
		chain->last = event;
		return 0;
	}
	filling->chains[position] = (struct event_chain){ event, event };
	name_index_insert(&filling->names, hash, (uint32_t)position);
	return add_event(filling, record);
}

static int
add_events(struct filling *filling, struct drmperf_error *error)
{
	struct drmperf_group *group = filling->any->catalog->groups;

	for (; (group = next_group(filling->any, group)); group++)
		for (size_t i = 0; i < group->listed; i++)
			if (add_to_chain(filling, &group->events[i]))
				return catalog_no_memory(error);
	return catalog_add_events(filling->any->catalog, error);
}

int
any_group_fill(struct drmperf_group *any, struct drmperf_error *error)
{
	struct filling filling = {
		.any = any,
		.description = &any->catalog->description,
	};
	size_t count;
	int err;

	err = fill_groups(any, &count, error);
	if (err)
		return err;
	filling.chains = calloc(count + 1, sizeof(*filling.chains));
	if (name_index_init(&filling.names, count) || !filling.chains)
		err = catalog_no_memory(error);
	else
		err = add_events(&filling, error);
	/* in the same order: no two have one name, and all are listed */
	for (size_t i = 0; !err && i < any->listed; i++)
		any->events[i].same = filling.chains[i].first->number;
	filling.description->event_count = 0;
	name_index_finish(&filling.names);
	free(filling.chains);
	return err;
}

/* ------------------------------------------------------------------ */
/* Which events of sets serve an event of the domain                    */

static bool
is_alike(const struct description_event *a, const struct description_event *b)
{
	return a->unit == b->unit && a->type == b->type && a->kind == b->kind;
}

static const struct drmperf_event *
next_same_event(const struct drmperf_event *event)
{
	return event->same == CATALOG_NO_EVENT
		       ? NULL
		       : event->group->catalog->numbered[event->same];
}

static bool
event_leads_sets(const struct drmperf_event *event)
{
	return catalog_group_record(event->group)->leads;
}

static bool
event_is_extrapolated(const struct drmperf_event *event)
{
	return catalog_group_record(event->group)->extrapolates;
}

/* Return the event that serves alone; NULL if all alike events serve. */
static const struct drmperf_event *
find_leader(const struct drmperf_event *any)
{
	const struct drmperf_event *event = any;

	while ((event = next_same_event(event)))
		if (event_leads_sets(event))
			break;
	return event;
}

static bool
event_serves_any(const struct drmperf_event *event,
		 const struct drmperf_event *any,
		 const struct drmperf_event *leader)
{
	if (leader)
		return event == leader;
	if (event_is_extrapolated(event) &&
	    !event_is_extrapolated(next_same_event(any)))
		return false;
	return is_alike(catalog_event_record(event), catalog_event_record(any));
}

static size_t
count_alternatives(const struct drmperf_event *any,
		   const struct drmperf_event *leader)
{
	const struct drmperf_event *event = any;
	size_t count = 0;

	while ((event = next_same_event(event)))
		count += event_serves_any(event, any, leader);
	return count;
}

int
any_event_resolve(const struct drmperf_event *any,
		  const struct catalog_value **out, struct drmperf_error *error)
{
	struct arena *arena = any->group->catalog->description.arena;
	const struct drmperf_event *leader = find_leader(any);
	const struct drmperf_event *event = any, **list;
	struct catalog_value *value;

	value = arena_alloc(arena, sizeof(*value));
	list = arena_alloc(arena,
			   count_alternatives(any, leader) * sizeof(*list));
	if (!value || !list)
		return catalog_no_memory(error);
	value->alternatives = list;
	while ((event = next_same_event(event))) {
		enum drmperf_scope scope =
			catalog_group_record(event->group)->scope;

		if (!event_serves_any(event, any, leader))
			continue;
		list[value->alternative_count++] = event;
		if (value->scope < scope)
			value->scope = scope;
	}
	*out = value;
	return 0;
}
