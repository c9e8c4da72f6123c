/* SPDX-License-Identifier: BSD-3-Clause */
#include "catalog_any.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalog_fill.h"
#include "catalog_find.h"
#include "catalog_name.h"

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

/* The next group of any's domain, from this one on; NULL after the last. */
static struct drmperf_group *
next_group(const struct drmperf_group *any, struct drmperf_group *group)
{
	struct catalog *catalog = any->catalog;
	domain_index domain = catalog_group_record(any)->domain;
	struct drmperf_group *end =
		catalog->groups + catalog->description.group_count;

	while (group < end &&
	       (group->is_any || !is_of(catalog_group_record(group), domain)))
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

/* The new event is like the first one that serves it. */
static int
add_event(const struct drmperf_group *any, const struct description_event *like)
{
	struct catalog *catalog = any->catalog;
	struct description_event event = *like;

	event.group = (group_index)(any - catalog->groups);
	event.alias = NULL;
	event.use = NULL; /* it serves whatever remains */
	return description_add_event(&catalog->description, &event);
}

/* Unless there is one of this name; the index gives places among the added. */
static int
add_if_new(const struct drmperf_group *any, struct name_index *names,
	   const struct description_event *like)
{
	const struct description *description = &any->catalog->description;
	uint32_t hash, place;
	size_t length, cursor = 0;

	catalog_name_measure(like->name, &length, &hash);
	while ((place = name_index_next(names, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (!strcmp(description->events[place].name, like->name))
			return 0;
	name_index_insert(names, hash, (uint32_t)description->event_count);
	return add_event(any, like);
}

static int
add_events(const struct drmperf_group *any, struct name_index *names)
{
	struct drmperf_group *group = any->catalog->groups;
	int err = 0;

	for (; !err && (group = next_group(any, group)); group++)
		for (size_t i = 0; !err && i < group->listed; i++)
			err = add_if_new(any, names, &group->records[i]);
	return err;
}

int
any_group_describe(const struct drmperf_group *any, struct drmperf_error *error)
{
	struct name_index names;
	size_t count;
	int err;

	err = fill_groups(any, &count, error);
	if (err)
		return err;
	err = name_index_init(&names, count);
	if (!err)
		err = add_events(any, &names);
	name_index_finish(&names);
	return err ? no_memory(error) : 0;
}

/* ------------------------------------------------------------------ */
/* What serves them                                                     */

static bool
is_alike(const struct description_event *a, const struct description_event *b)
{
	return a->unit == b->unit && a->type == b->type && a->kind == b->kind;
}

/* The group's event that serves one of any's; NULL if it has none. */
static const struct drmperf_event *
find_alternative(struct drmperf_group *group, const struct drmperf_event *event)
{
	const struct description_event *record = catalog_event_record(event);
	const struct drmperf_event *found;

	if (catalog_find_in_group(group, record->name, strlen(record->name),
				  &found, NULL) ||
	    !found || found >= group->events + group->listed ||
	    !is_alike(catalog_event_record(found), record))
		return NULL;
	return found;
}

/* Returns how many there are; list has room for one of every group. */
static size_t
find_alternatives(const struct drmperf_event *event,
		  const struct drmperf_event **list)
{
	struct drmperf_group *group = event->group->catalog->groups;
	size_t count = 0;

	for (; (group = next_group(event->group, group)); group++) {
		list[count] = find_alternative(group, event);
		count += list[count] != NULL;
	}
	return count;
}

static struct catalog_value *
make_value(struct arena *arena, const struct drmperf_event *const *found,
	   size_t count)
{
	struct catalog_value *value = arena_alloc(arena, sizeof(*value));
	const struct drmperf_event **list =
		arena_alloc(arena, count * sizeof(*list));

	if (!value || !list)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		enum drmperf_scope scope =
			catalog_group_record(found[i]->group)->scope;

		list[i] = found[i];
		if (value->scope < scope)
			value->scope = scope;
	}
	value->alternatives = list;
	value->alternative_count = count;
	return value;
}

int
any_event_resolve(const struct drmperf_event *event,
		  const struct catalog_value **out, struct drmperf_error *error)
{
	const struct description *description =
		&event->group->catalog->description;
	const struct drmperf_event **found =
		calloc(description->group_count, sizeof(*found));

	if (!found)
		return no_memory(error);
	*out = make_value(description->arena, found,
			  find_alternatives(event, found));
	free(found);
	return *out ? 0 : no_memory(error);
}
