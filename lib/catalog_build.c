/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Making a catalog of a description:
 *
 *   check and hash every name, drop events that a later one replaces
 *   add the "any group that has it" events of exclusive domains
 *   sort: listed events group by group, then the hidden ones
 *   write out full names, and fill the index that finds them
 *
 * There are thousands of events, so each step is one walk over arrays that
 * are allocated at once. Up to the sorting, an event is known by its place in
 * the description as the driver filled it.
 */
#include "catalog.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalog_build.h"
#include "catalog_name.h"

#define NO_EVENT UINT32_MAX
#define NO_GROUP UINT32_MAX

struct builder {
	struct catalog *catalog;
	struct description *description;
	struct drmperf_error *error;
	/* per event, with room for those that are added */
	uint32_t *replaced; /* by this later event of the same name */
	uint32_t *serves; /* the "any group" event it is an alternative of */
	uint32_t *places; /* where it goes when sorted */
	uint32_t *sorted; /* the event that goes there */
	size_t first_added; /* events from here on are "any group" events */
	group_index *any_group; /* per domain */
};

static int
no_memory(struct builder *builder)
{
	return error_set(builder->error, -ENOMEM,
			 "no memory for the list of events");
}

static const struct description_group *
group_of(const struct builder *builder, size_t event)
{
	const struct description *description = builder->description;

	return &description->groups[description->events[event].group];
}

static const struct description_domain *
domain_of(const struct builder *builder, size_t event)
{
	return &builder->description->domains[group_of(builder, event)->domain];
}

/*
 * An event that follows another sums what stands before it: alone it means
 * nothing, and only expressions can use it.
 */
static bool
is_listed(const struct description_event *event)
{
	return !event->hidden && !event->follows;
}

static bool
is_bare(const struct description_group *group)
{
	return !strcmp(group->name, METRIC_GROUP);
}

/* ------------------------------------------------------------------ */
/* Names                                                                */

static int
check_names(struct builder *builder, size_t i)
{
	const struct description_event *event =
		&builder->description->events[i];

	if (catalog_name_is_legal(event->name) &&
	    (!event->alias || catalog_name_is_legal(event->alias)))
		return 0;
	return error_set(builder->error, -EBADMSG,
			 "%s:%d: \"%s\" is not a name for an event",
			 event->file ? event->file : "?", event->line,
			 event->name);
}

/* Groups of one name are one to whoever looks for an event. */
static bool
same_name(const struct builder *builder, size_t i, size_t k)
{
	const struct description_event *events = builder->description->events;

	return !strcmp(events[i].name, events[k].name) &&
	       (events[i].group == events[k].group ||
		!strcmp(group_of(builder, i)->name,
			group_of(builder, k)->name));
}

static void
index_name(struct builder *builder, size_t i)
{
	const char *name = builder->description->events[i].name;
	struct name_index *names = &builder->catalog->names;
	size_t cursor = 0;
	uint32_t hash, k;

	hash = catalog_name_hash(group_of(builder, i)->name, name,
				 strlen(name));
	builder->serves[i] = NO_EVENT;
	builder->replaced[i] = NO_EVENT;
	while ((k = name_index_next(names, hash, &cursor)) != NAME_INDEX_END)
		if (same_name(builder, i, k))
			builder->replaced[k] = (uint32_t)i;
	name_index_insert(names, hash, (uint32_t)i);
}

static int
index_names(struct builder *builder)
{
	size_t i;
	int err;

	for (i = 0; i < builder->description->group_count; i++)
		if (!catalog_name_is_legal(
			    builder->description->groups[i].name))
			return error_set(builder->error, -EBADMSG,
					 "\"%s\" is not a name for a group",
					 builder->description->groups[i].name);
	for (i = 0; i < builder->first_added; i++) {
		err = check_names(builder, i);
		if (err)
			return err;
		index_name(builder, i);
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* "Any group that has it"                                              */

/* The group named like the domain; made if the driver has none. */
static int
find_any_group(struct builder *builder, domain_index domain, group_index *out)
{
	struct description *description = builder->description;
	const char *name = description->domains[domain].name;
	struct description_group group = {
		.name = name,
		.domain = domain,
		.instances = 1,
		.instances_per_engine = 1,
	};

	if (builder->any_group[domain] != NO_GROUP) {
		*out = builder->any_group[domain];
		return 0;
	}
	if (!description_group_find(description, name, out)) {
		assert(description->groups[*out].domain == domain);
	} else {
		group.description = arena_printf(
			description->arena,
			"Any group of the domain %s that has the event.", name);
		if (!group.description ||
		    description_add_group(description, &group, out))
			return no_memory(builder);
	}
	builder->any_group[domain] = *out;
	return 0;
}

/* The event of this group and name, or NO_EVENT. */
static uint32_t
find_event(const struct builder *builder, group_index group, const char *name,
	   uint32_t hash)
{
	const struct description_event *events = builder->description->events;
	size_t cursor = 0;
	uint32_t k;

	while ((k = name_index_next(&builder->catalog->names, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (events[k].group == group && !strcmp(events[k].name, name))
			return k;
	return NO_EVENT;
}

/* The new event is like the first one that serves it. */
static int
add_any_event(struct builder *builder, group_index any, size_t i)
{
	struct description *description = builder->description;
	struct description_event event = description->events[i];

	event.group = any;
	event.alias = NULL;
	if (description_add_event(description, &event))
		return no_memory(builder);
	index_name(builder, description->event_count - 1);
	return 0;
}

/* "Any" can do at best what the best of its groups can. */
static void
widen_group(struct builder *builder, group_index any,
	    const struct description_group *by)
{
	struct description_group *group = &builder->description->groups[any];

	if (group->max_active < by->max_active)
		group->max_active = by->max_active;
	if (group->scope < by->scope)
		group->scope = by->scope;
}

static bool
is_alike(const struct description_event *a, const struct description_event *b)
{
	return a->unit == b->unit && a->type == b->type && a->kind == b->kind;
}

static int
add_alternative(struct builder *builder, size_t i)
{
	struct description *description = builder->description;
	const char *name = description->events[i].name;
	group_index any = 0;
	uint32_t hash, k;
	int err;

	err = find_any_group(builder, group_of(builder, i)->domain, &any);
	/* the driver's own event goes before ours */
	if (err || description->events[i].group == any)
		return err;
	hash = catalog_name_hash(description->groups[any].name, name,
				 strlen(name));
	k = find_event(builder, any, name, hash);
	if (k == NO_EVENT) {
		k = (uint32_t)description->event_count;
		err = add_any_event(builder, any, i);
		if (err)
			return err;
	}
	if (k >= builder->first_added &&
	    is_alike(&description->events[k], &description->events[i])) {
		builder->serves[i] = k;
		widen_group(builder, any, group_of(builder, i));
	}
	return 0;
}

static int
add_alternatives(struct builder *builder)
{
	const struct description_event *event;
	size_t i;
	int err;

	for (i = 0; i < builder->first_added; i++) {
		event = &builder->description->events[i];
		if (!domain_of(builder, i)->exclusive || !is_listed(event) ||
		    is_bare(group_of(builder, i)) ||
		    builder->replaced[i] != NO_EVENT)
			continue;
		err = add_alternative(builder, i);
		if (err)
			return err;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* The order                                                            */

/* The groups' ranges; returns the number of listed events. */
static size_t
measure_groups(struct builder *builder)
{
	struct description *description = builder->description;
	struct description_group *groups = description->groups;
	size_t i, listed = 0;

	for (i = 0; i < description->group_count; i++)
		groups[i].event_count = 0;
	for (i = 0; i < description->event_count; i++)
		if (builder->replaced[i] == NO_EVENT &&
		    is_listed(&description->events[i]))
			groups[description->events[i].group].event_count++;
	for (i = 0; i < description->group_count; i++) {
		groups[i].first_event = listed;
		listed += groups[i].event_count;
	}
	return listed;
}

static void
set_place(struct builder *builder, size_t event, size_t place)
{
	builder->places[event] = (uint32_t)place;
	builder->sorted[place] = (uint32_t)event;
}

/*
 * Give every event its place, those that are replaced behind all others;
 * returns how many others there are.
 */
static size_t
choose_places(struct builder *builder, size_t listed)
{
	struct description *description = builder->description;
	struct description_group *groups = description->groups;
	size_t i, count, next = listed;

	for (i = 0; i < description->event_count; i++) {
		const struct description_event *event = &description->events[i];

		if (builder->replaced[i] != NO_EVENT)
			continue;
		if (is_listed(event))
			set_place(builder, i,
				  groups[event->group].first_event++);
		else
			set_place(builder, i, next++);
	}
	count = next;
	for (i = 0; i < description->event_count; i++)
		if (builder->replaced[i] != NO_EVENT)
			set_place(builder, i, next++);
	for (i = 0; i < description->group_count; i++)
		groups[i].first_event -= groups[i].event_count;
	return count;
}

/* Events are large: they go to their places cycle by cycle, without a copy. */
static int
move_events(struct builder *builder)
{
	struct description_event *events = builder->description->events;
	size_t count = builder->description->event_count, start, i;
	const uint32_t *sorted = builder->sorted;
	bool *done = calloc(count + 1, sizeof(*done));

	if (!done)
		return no_memory(builder);
	for (start = 0; start < count; start++) {
		struct description_event first = events[start];

		for (i = start; !done[i]; i = sorted[i]) {
			done[i] = true;
			if (sorted[i] == start)
				events[i] = first;
			else
				events[i] = events[sorted[i]];
		}
	}
	free(done);
	return 0;
}

static int
sort_events(struct builder *builder)
{
	struct description *description = builder->description;
	size_t i, count;

	builder->catalog->listed = measure_groups(builder);
	count = choose_places(builder, builder->catalog->listed);
	if (move_events(builder))
		return -ENOMEM;
	for (i = 0; i < description->event_count; i++)
		if (builder->replaced[i] != NO_EVENT)
			builder->places[i] =
				builder->places[builder->replaced[i]];
	name_index_map(&builder->catalog->names, builder->places);
	description->event_count = count;
	return 0;
}

/* ------------------------------------------------------------------ */
/* The catalog                                                          */

static int
write_names(struct builder *builder)
{
	struct catalog *catalog = builder->catalog;
	struct description *description = builder->description;
	size_t size = 0, i;
	char *text;

	for (i = 0; i < description->event_count; i++)
		size += strlen(catalog->driver) +
			strlen(group_of(builder, i)->name) +
			strlen(description->events[i].name) + sizeof("::.");
	text = arena_alloc(description->arena, size + 1);
	if (!text)
		return no_memory(builder);
	for (i = 0; i < description->event_count; i++) {
		catalog->events[i].catalog = catalog;
		catalog->events[i].name = text;
		text = stpcpy(stpcpy(text, catalog->driver), "::");
		text = stpcpy(stpcpy(text, group_of(builder, i)->name), ".");
		text = stpcpy(text, description->events[i].name) + 1;
	}
	return 0;
}

static void
index_spelling(struct builder *builder, const char *spelling, size_t place)
{
	name_index_insert(&builder->catalog->names,
			  catalog_name_hash(NULL, spelling, strlen(spelling)),
			  (uint32_t)place);
}

/* Add the other spellings to the names. */
static void
index_spellings(struct builder *builder)
{
	const struct description *description = builder->description;
	size_t i;

	for (i = 0; i < description->event_count; i++) {
		const struct description_event *event = &description->events[i];

		if (event->alias)
			index_spelling(builder, event->alias, i);
		if (is_bare(group_of(builder, i)))
			index_spelling(builder, event->name, i);
	}
}

/* Count the alternatives of every added event; returns their sum. */
static size_t
count_alternatives(const struct builder *builder, struct catalog_value *values)
{
	size_t i, total = 0;

	for (i = 0; i < builder->first_added; i++) {
		if (builder->serves[i] == NO_EVENT)
			continue;
		values[builder->serves[i] - builder->first_added]
			.alternative_count++;
		total++;
	}
	return total;
}

/* Tell the added events which ones serve them, in the order of the list. */
static int
link_alternatives(struct builder *builder, size_t added)
{
	struct catalog *catalog = builder->catalog;
	struct arena *arena = builder->description->arena;
	const struct drmperf_event **list;
	struct catalog_value *values;
	size_t i, total, first = 0;

	values = arena_alloc(arena, added * sizeof(*values));
	if (!values)
		return no_memory(builder);
	total = count_alternatives(builder, values);
	list = arena_alloc(arena, total * sizeof(*list));
	if (!list)
		return no_memory(builder);
	for (i = 0; i < added; i++) {
		values[i].alternatives = list + first;
		first += values[i].alternative_count;
		values[i].alternative_count = 0;
	}
	for (i = 0; i < catalog->listed; i++) {
		uint32_t serves = builder->serves[builder->sorted[i]];
		struct catalog_value *value;
		size_t at;

		if (serves == NO_EVENT)
			continue;
		value = &values[serves - builder->first_added];
		value->scope = group_of(builder, i)->scope;
		at = (size_t)(value->alternatives - list);
		list[at + value->alternative_count++] = &catalog->events[i];
		atomic_store(&catalog->events[builder->places[serves]].value,
			     value);
	}
	return 0;
}

static int
build_handles(struct builder *builder)
{
	struct catalog *catalog = builder->catalog;
	struct description *description = builder->description;
	size_t i;

	catalog->events =
		calloc(description->event_count + 1, sizeof(*catalog->events));
	catalog->groups =
		calloc(description->group_count + 1, sizeof(*catalog->groups));
	if (!catalog->events || !catalog->groups)
		return no_memory(builder);
	for (i = 0; i < description->group_count; i++)
		catalog->groups[i].catalog = catalog;
	return 0;
}

static int
build(struct builder *builder)
{
	size_t added;
	int err;

	err = index_names(builder);
	if (!err)
		err = add_alternatives(builder);
	added = builder->description->event_count - builder->first_added;
	if (!err)
		err = sort_events(builder);
	if (!err)
		err = build_handles(builder);
	if (!err)
		err = write_names(builder);
	if (err)
		return err;
	index_spellings(builder);
	if (added)
		err = link_alternatives(builder, added);
	return err;
}

/* How many names the index will have, and events that may be added. */
static size_t
count_names(const struct builder *builder, size_t *added)
{
	const struct description *description = builder->description;
	size_t i, names = description->event_count;

	*added = 0;
	for (i = 0; i < description->event_count; i++) {
		if (domain_of(builder, i)->exclusive)
			++*added;
		if (description->events[i].alias)
			names++;
		if (is_bare(group_of(builder, i)))
			names++;
	}
	return names + *added;
}

static int
allocate(struct builder *builder)
{
	const struct description *description = builder->description;
	size_t added, names, room, i;

	names = count_names(builder, &added);
	room = description->event_count + added + 1;
	builder->replaced = calloc(room, sizeof(*builder->replaced));
	builder->serves = calloc(room, sizeof(*builder->serves));
	builder->places = calloc(room, sizeof(*builder->places));
	builder->sorted = calloc(room, sizeof(*builder->sorted));
	builder->any_group = calloc(description->domain_count + 1,
				    sizeof(*builder->any_group));
	if (!builder->replaced || !builder->serves || !builder->places ||
	    !builder->sorted || !builder->any_group ||
	    name_index_init(&builder->catalog->names, names))
		return no_memory(builder);
	for (i = 0; i < description->domain_count; i++)
		builder->any_group[i] = NO_GROUP;
	return 0;
}

int
catalog_build(struct catalog *catalog, struct description *description,
	      struct drmperf_error *error)
{
	struct builder builder = {
		.catalog = catalog,
		.description = description,
		.error = error,
		.first_added = description->event_count,
	};
	int err;

	err = allocate(&builder);
	if (!err)
		err = build(&builder);
	free(builder.replaced);
	free(builder.serves);
	free(builder.places);
	free(builder.sorted);
	free(builder.any_group);
	return err;
}
