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

/* What is asked of a group for each of its events. */
struct group_facts {
	struct catalog_prefix prefix;
	size_t length; /* of its name */
	bool bare; /* its events are found without its name */
	bool exclusive;
};

struct builder {
	struct catalog *catalog;
	struct description *description;
	struct drmperf_error *error;
	struct group_facts *groups; /* with room for those that are added */
	/* per event, with room for those that are added */
	uint32_t *lengths; /* of its name */
	uint32_t *hashes; /* of its name */
	uint32_t *replaced; /* by this later event of the same name */
	uint32_t *serves; /* the "any group" event it is an alternative of */
	uint32_t *places; /* where it goes when sorted */
	uint32_t *sorted; /* the event that goes there */
	size_t text_size; /* of all names, with their groups' */
	size_t spellings; /* that events may have beside their names */
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

static const struct group_facts *
facts_of(const struct builder *builder, size_t event)
{
	return &builder->groups[builder->description->events[event].group];
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

/* ------------------------------------------------------------------ */
/* Names                                                                */

static int
learn_group(struct builder *builder, group_index index)
{
	const struct description *description = builder->description;
	const struct description_group *group = &description->groups[index];
	struct group_facts *facts = &builder->groups[index];
	uint32_t hash;

	if (!catalog_name_measure(group->name, &facts->length, &hash))
		return error_set(builder->error, -EBADMSG,
				 "\"%s\" is not a name for a group",
				 group->name);
	facts->prefix = catalog_name_prefix(group->name, facts->length);
	facts->bare = !strcmp(group->name, METRIC_GROUP);
	facts->exclusive = description->domains[group->domain].exclusive;
	return 0;
}

static int
learn_name(struct builder *builder, size_t i)
{
	const struct description_event *event =
		&builder->description->events[i];
	size_t length, other_length;
	uint32_t other_hash;

	if (!catalog_name_measure(event->name, &length, &builder->hashes[i]) ||
	    (event->alias &&
	     !catalog_name_measure(event->alias, &other_length, &other_hash)))
		return error_set(builder->error, -EBADMSG,
				 "%s:%d: \"%s\" is not a name for an event",
				 event->file ? event->file : "?", event->line,
				 event->name);
	builder->lengths[i] = (uint32_t)length;
	builder->spellings += event->alias != NULL;
	builder->spellings += facts_of(builder, i)->bare;
	return 0;
}

/* The hash that event i has in some group. */
static uint32_t
hash_in(const struct builder *builder, group_index group, size_t i)
{
	return catalog_name_join(builder->groups[group].prefix,
				 builder->hashes[i]);
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
insert_name(struct builder *builder, size_t i, uint32_t hash)
{
	builder->serves[i] = NO_EVENT;
	builder->replaced[i] = NO_EVENT;
	builder->text_size +=
		facts_of(builder, i)->length + builder->lengths[i];
	name_index_insert(&builder->catalog->names, hash, (uint32_t)i);
}

static void
index_name(struct builder *builder, size_t i)
{
	const struct name_index *names = &builder->catalog->names;
	uint32_t hash, k;
	size_t cursor = 0;

	hash = hash_in(builder, builder->description->events[i].group, i);
	while ((k = name_index_next(names, hash, &cursor)) != NAME_INDEX_END)
		if (same_name(builder, i, k))
			builder->replaced[k] = (uint32_t)i;
	insert_name(builder, i, hash);
}

static int
index_names(struct builder *builder)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < builder->description->group_count; i++)
		err = learn_group(builder, (group_index)i);
	for (i = 0; !err && i < builder->first_added; i++) {
		err = learn_name(builder, i);
		if (!err)
			index_name(builder, i);
	}
	return err;
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
	return learn_group(builder, *out);
}

/* The event of this group that is called like event i, or NO_EVENT. */
static uint32_t
find_event(const struct builder *builder, group_index group, size_t i)
{
	const struct description_event *events = builder->description->events;
	uint32_t hash = hash_in(builder, group, i), k;
	size_t cursor = 0;

	while ((k = name_index_next(&builder->catalog->names, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (events[k].group == group &&
		    !strcmp(events[k].name, events[i].name))
			return k;
	return NO_EVENT;
}

/* The new event is like the first one that serves it. */
static int
add_any_event(struct builder *builder, group_index any, size_t i)
{
	struct description *description = builder->description;
	struct description_event event = description->events[i];
	size_t added = description->event_count;

	event.group = any;
	event.alias = NULL;
	event.use = NULL; /* it serves whatever remains */
	builder->lengths[added] = builder->lengths[i];
	builder->hashes[added] = builder->hashes[i];
	if (description_add_event(description, &event) ||
	    name_index_reserve(&builder->catalog->names, 1))
		return no_memory(builder);
	/* no other has its name, or it would not be added */
	insert_name(builder, added, hash_in(builder, any, added));
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
	group_index any = 0;
	uint32_t k;
	int err;

	err = find_any_group(builder, group_of(builder, i)->domain, &any);
	/* the driver's own event goes before ours */
	if (err || description->events[i].group == any)
		return err;
	k = find_event(builder, any, i);
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
		if (!facts_of(builder, i)->exclusive || !is_listed(event) ||
		    facts_of(builder, i)->bare ||
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
		struct description_event first;

		if (done[start] || sorted[start] == start)
			continue;
		first = events[start];
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

static char *
append_text(char *to, const char *text, size_t length)
{
	memcpy(to, text, length);
	return to + length;
}

/* "amdgpu::SQ.", before the name of event i. */
static char *
append_prefix(const struct builder *builder, size_t i, char *to)
{
	const char *driver = builder->catalog->driver;

	to = append_text(to, driver, strlen(driver));
	to = append_text(to, "::", 2);
	to = append_text(to, group_of(builder, i)->name,
			 facts_of(builder, i)->length);
	*to++ = '.';
	return to;
}

static int
write_names(struct builder *builder)
{
	struct catalog *catalog = builder->catalog;
	struct description *description = builder->description;
	const struct description_event *events = description->events;
	size_t count = description->event_count, i, prefix = 0;
	char *text, *name = NULL;

	text = arena_text(
		description->arena,
		builder->text_size +
			count * (strlen(catalog->driver) + sizeof("::.")) + 1);
	if (!text)
		return no_memory(builder);
	for (i = 0; i < count; i++) {
		/* most begin like the one before */
		if (i && events[i].group == events[i - 1].group)
			memcpy(text, name, prefix);
		else
			prefix = (size_t)(append_prefix(builder, i, text) -
					  text);
		name = text;
		catalog->events[i].catalog = catalog;
		catalog->events[i].name = name;
		/* with its end */
		text = append_text(text + prefix, events[i].name,
				   builder->lengths[builder->sorted[i]] + 1);
	}
	return 0;
}

/* Add the other spellings to the names. */
static int
index_spellings(struct builder *builder)
{
	const struct description *description = builder->description;
	struct name_index *names = &builder->catalog->names;
	size_t i;

	if (!builder->spellings)
		return 0;
	if (name_index_reserve(names, builder->spellings))
		return no_memory(builder);
	for (i = 0; i < description->event_count; i++) {
		const char *alias = description->events[i].alias;

		if (alias)
			name_index_insert(
				names, catalog_name_hash(alias, strlen(alias)),
				(uint32_t)i);
		if (facts_of(builder, i)->bare)
			name_index_insert(names,
					  builder->hashes[builder->sorted[i]],
					  (uint32_t)i);
	}
	return 0;
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
	if (!err)
		err = index_spellings(builder);
	if (!err && added)
		err = link_alternatives(builder, added);
	return err;
}

/* How many events may be added: no more than are in exclusive domains. */
static size_t
count_added(const struct description *description)
{
	bool exclusive = false;
	size_t i, added = 0;

	for (i = 0; i < description->domain_count; i++)
		exclusive |= description->domains[i].exclusive;
	for (i = 0; exclusive && i < description->event_count; i++) {
		group_index group = description->events[i].group;
		domain_index domain = description->groups[group].domain;

		added += description->domains[domain].exclusive;
	}
	return added;
}

static uint32_t *
new_numbers(size_t count)
{
	return reallocarray(NULL, count, sizeof(uint32_t));
}

static int
allocate(struct builder *builder)
{
	const struct description *description = builder->description;
	size_t room, i;

	room = description->event_count + count_added(description) + 1;
	builder->groups =
		calloc(description->group_count + description->domain_count + 1,
		       sizeof(*builder->groups));
	builder->lengths = new_numbers(room);
	builder->hashes = new_numbers(room);
	builder->replaced = new_numbers(room);
	builder->serves = new_numbers(room);
	builder->places = new_numbers(room);
	builder->sorted = new_numbers(room);
	builder->any_group = calloc(description->domain_count + 1,
				    sizeof(*builder->any_group));
	if (!builder->groups || !builder->lengths || !builder->hashes ||
	    !builder->replaced || !builder->serves || !builder->places ||
	    !builder->sorted || !builder->any_group ||
	    name_index_init(&builder->catalog->names, description->event_count))
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
	free(builder.groups);
	free(builder.lengths);
	free(builder.hashes);
	free(builder.replaced);
	free(builder.serves);
	free(builder.places);
	free(builder.sorted);
	free(builder.any_group);
	return err;
}
