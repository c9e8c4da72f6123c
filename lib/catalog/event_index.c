/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events arrive in the description, those of one group or, with what drivers
 * describe at once, of many:
 *
 *   check and hash every name
 *   find which ones are replaced by a later one of the same name
 *   place the others in their groups, what is listed before what is hidden
 *
 * There may be thousands, so each step is one walk over arrays that are
 * allocated at once.
 */
#include "catalog/event_index.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_syntax.h"

/*
 * Upper and lower case, and "-", "_" and ".", are alike to ROCm, and so is an
 * alias. In our tables two are; each is compared with all others.
 */
#define MAX_ALIKE 64

/* ------------------------------------------------------------------ */
/* Batches                                                              */

struct arrival {
	uint32_t length, hash; /* of its name */
	bool is_replaced;
};

/* The facts of a group that are needed for each of its events. */
struct group_facts {
	const struct drmperf_group *group; /* NULL: not asked yet */
	const char *name;
	size_t length; /* of its name */
	struct name_syntax_prefix prefix;
	bool bare; /* its events are found without its name */
};

struct batch {
	struct catalog *catalog;
	struct description *description;
	struct drmperf_error *error;
	struct arrival *arrivals; /* like description.events */
	size_t count;
	group_index *groups; /* that have any */
	size_t group_count;
	size_t text_size; /* of all names with their prefixes */
	size_t spellings; /* that events may have in addition to their names */
	struct group_facts facts; /* of the group asked for last */
	char *text; /* room for names */
	const char *last; /* written to it last, with this group before it */
	const struct drmperf_group *last_group;
	size_t last_prefix;
};

static struct drmperf_group *
group_of(const struct batch *batch, size_t i)
{
	return &batch->catalog->groups[batch->description->events[i].group];
}

static void
learn_group(struct group_facts *facts, const struct drmperf_group *group)
{
	facts->group = group;
	facts->name = catalog_group_record(group)->name;
	facts->length = strlen(facts->name);
	facts->prefix = name_syntax_prefix(facts->name, facts->length);
	facts->bare = catalog_group_is_bare(group);
}

/*
 * Return the facts of an event's group, which mostly is that of the one before.
 */
static inline const struct group_facts *
facts_of(struct batch *batch, size_t i)
{
	const struct drmperf_group *group = group_of(batch, i);

	if (batch->facts.group != group)
		learn_group(&batch->facts, group);
	return &batch->facts;
}

/* ------------------------------------------------------------------ */
/* Names                                                                */

static int
illegal_name(const struct batch *batch, const struct description_event *event)
{
	const char *name = event->name;

	if (name_syntax_is_legal(name))
		name = event->alias;
	return error_set(batch->error, -EBADMSG, "%s:%d: \"%.80s\" %s",
			 event->file ? event->file : "?", event->line, name,
			 name_syntax_fault(name));
}

static int
learn_name(struct batch *batch, size_t i)
{
	const struct description_event *event = &batch->description->events[i];
	const struct group_facts *facts = facts_of(batch, i);
	struct arrival *arrival = &batch->arrivals[i];
	size_t length, other_length;
	uint32_t other_hash;

	/* a group is filled once */
	assert(!group_of(batch, i)->count);
	if (!name_syntax_measure(event->name, &length, &arrival->hash) ||
	    (event->alias &&
	     !name_syntax_measure(event->alias, &other_length, &other_hash)))
		return illegal_name(batch, event);
	arrival->length = (uint32_t)length;
	arrival->is_replaced = false;
	batch->text_size += facts->length + length;
	batch->spellings += event->alias != NULL;
	batch->spellings += facts->bare;
	return 0;
}

static int
learn_names(struct batch *batch)
{
	int err = 0;

	for (size_t i = 0; !err && i < batch->count; i++)
		err = learn_name(batch, i);
	batch->text_size +=
		batch->count * (strlen(batch->catalog->driver) + sizeof("::."));
	return err;
}

/* Compare two names of events; groups of one name count as one group. */
static bool
same_name(const struct description_group *groups,
	  const struct description_event *a, const struct description_event *b)
{
	return !strcmp(a->name, b->name) &&
	       (a->group == b->group ||
		!strcmp(groups[a->group].name, groups[b->group].name));
}

static int
too_many_alike(const struct batch *batch, size_t i)
{
	const struct description_event *event = &batch->description->events[i];

	return error_set(batch->error, -EBADMSG,
			 "%s:%d: more than %d events have names that ROCm "
			 "would spell like \"%s\"",
			 event->file ? event->file : "?", event->line,
			 MAX_ALIKE, event->name);
}

/*
 * Note which of two events of one name is replaced, event i or the one with
 * this number. Returns true if the latter stays.
 */
static bool
batch_replaces(struct batch *batch, size_t i, uint32_t number)
{
	const size_t base = batch->catalog->numbered_count;

	/* the driver that described that one at once knew of this group */
	if (number < base)
		batch->arrivals[i].is_replaced = true;
	else
		batch->arrivals[number - base].is_replaced = true;
	return number < base;
}

/* Return whether event i has the name of the one with this number. */
static bool
is_known(const struct batch *batch, size_t i, uint32_t number)
{
	const struct description *description = batch->description;
	const size_t base = batch->catalog->numbered_count;
	const struct drmperf_event *there;

	if (number >= base)
		return same_name(description->groups, &description->events[i],
				 &description->events[number - base]);
	there = batch->catalog->numbered[number];
	return there && same_name(description->groups, &description->events[i],
				  catalog_event_record(there));
}

static int
index_name(struct batch *batch, size_t i)
{
	struct name_index *names = &batch->catalog->names;
	const uint32_t own = (uint32_t)(batch->catalog->numbered_count + i);
	uint32_t number, hash = name_syntax_join(facts_of(batch, i)->prefix,
						 batch->arrivals[i].hash);
	size_t cursor = 0, alike = 0;

	while ((number = name_index_next(names, hash, &cursor)) !=
	       NAME_INDEX_END) {
		if (is_known(batch, i, number)) {
			if (!batch_replaces(batch, i, number))
				name_index_renumber(names, hash, cursor, own);
			return 0;
		}
		if (++alike == MAX_ALIKE)
			return too_many_alike(batch, i);
	}
	name_index_insert(names, hash, own);
	return 0;
}

static int
index_names(struct batch *batch)
{
	int err = 0;

	for (size_t i = 0; !err && i < batch->count; i++)
		err = index_name(batch, i);
	return err;
}

/* ------------------------------------------------------------------ */
/* Places                                                               */

/* Make room for numbers from the first free one on. */
static int
reserve_numbers(struct catalog *catalog, size_t count)
{
	size_t room = catalog->numbered_count + count;
	struct drmperf_event **numbered;

	if (room <= catalog->numbered_room)
		return 0;
	if (room < 2 * catalog->numbered_room)
		room = 2 * catalog->numbered_room;
	numbered = reallocarray(catalog->numbered, room, sizeof(*numbered));
	if (!numbered)
		return -ENOMEM;
	catalog->numbered = numbered;
	catalog->numbered_room = room;
	return 0;
}

/* Find the groups that have arrivals, and how many each has. */
static void
find_groups(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct drmperf_group *group = group_of(batch, i);

		if (!group->count++)
			batch->groups[batch->group_count++] =
				batch->description->events[i].group;
	}
}

/* Make room in every group for all of its arrivals; none of it is taken yet. */
static int
reserve_places(struct batch *batch)
{
	struct arena *arena = batch->description->arena;
	struct description_event *records;
	struct drmperf_event *events;

	records = arena_alloc(arena, batch->count * sizeof(*records));
	events = arena_alloc(arena, batch->count * sizeof(*events));
	batch->text = arena_text(arena, batch->text_size);
	for (size_t i = 0; i < batch->group_count; i++) {
		struct drmperf_group *group =
			&batch->catalog->groups[batch->groups[i]];

		if (records && events) {
			group->records = records;
			group->events = events;
			records += group->count;
			events += group->count;
		}
		group->count = 0;
	}
	return records && events && batch->text ? 0 : -ENOMEM;
}

static int
batch_reserve(struct batch *batch)
{
	find_groups(batch);
	if (reserve_places(batch) ||
	    reserve_numbers(batch->catalog, batch->count) ||
	    name_index_reserve(&batch->catalog->names,
			       batch->count + batch->spellings))
		return catalog_no_memory(batch->error);
	return 0;
}

static char *
append_text(char *to, const char *text, size_t length)
{
	memcpy(to, text, length);
	return to + length;
}

/* Write "amdgpu::SQ.WAVES" */
static const char *
write_name(struct batch *batch, size_t i)
{
	const struct description_event *event = &batch->description->events[i];
	const char *driver = batch->catalog->driver;
	const struct group_facts *facts;
	char *name = batch->text, *to;

	/* most begin like the one before */
	if (batch->last_group == group_of(batch, i)) {
		to = append_text(name, batch->last, batch->last_prefix);
	} else {
		facts = facts_of(batch, i);
		to = append_text(name, driver, strlen(driver));
		to = append_text(to, "::", 2);
		to = append_text(to, facts->name, facts->length);
		*to++ = '.';
		batch->last_group = facts->group;
		batch->last_prefix = (size_t)(to - name);
	}
	/* with its end */
	batch->text =
		append_text(to, event->name, batch->arrivals[i].length + 1);
	batch->last = name;
	return name;
}

static int
index_spelling(struct batch *batch, size_t i, uint32_t hash, uint32_t number)
{
	struct name_index *names = &batch->catalog->names;
	size_t cursor = 0, alike = 0;

	while (name_index_next(names, hash, &cursor) != NAME_INDEX_END)
		if (++alike == MAX_ALIKE)
			return too_many_alike(batch, i);
	name_index_insert(names, hash, number);
	return 0;
}

/* Add the other spellings to the name. */
static int
index_spellings(struct batch *batch, size_t i, uint32_t number)
{
	const char *alias = batch->description->events[i].alias;
	int err = 0;

	if (alias)
		err = index_spelling(batch, i,
				     name_syntax_hash(alias, strlen(alias)),
				     number);
	if (!err && facts_of(batch, i)->bare)
		err = index_spelling(batch, i, batch->arrivals[i].hash, number);
	return err;
}

/* Accumulate counters are found by their place in the group. */
static void
note_follower(struct drmperf_group *group, const struct drmperf_event *event)
{
	if (!catalog_event_record(event)->follows)
		return;
	if (!group->first_follower)
		group->first_follower = event;
	group->last_follower = event;
}

static int
batch_place(struct batch *batch, size_t i)
{
	struct catalog *catalog = batch->catalog;
	struct drmperf_group *group = group_of(batch, i);
	struct drmperf_event *event = &group->events[group->count];
	uint32_t number = (uint32_t)(catalog->numbered_count + i);

	group->records[group->count] = batch->description->events[i];
	event->record = &group->records[group->count++];
	event->group = group;
	event->name = write_name(batch, i);
	event->number = number;
	event->same = CATALOG_NO_EVENT;
	catalog->numbered[number] = event;
	note_follower(group, event);
	return index_spellings(batch, i, number);
}

static int
place_events(struct batch *batch)
{
	const struct description_event *events = batch->description->events;
	struct catalog *catalog = batch->catalog;
	int err = 0;
	size_t i;

	for (i = 0; i < batch->count && !err; i++) {
		if (!batch->arrivals[i].is_replaced &&
		    catalog_lists(&events[i]))
			err = batch_place(batch, i);
	}
	for (i = 0; i < batch->group_count; i++) {
		struct drmperf_group *group =
			&catalog->groups[batch->groups[i]];

		group->listed = group->count;
	}
	for (i = 0; i < batch->count && !err; i++)
		if (!batch->arrivals[i].is_replaced &&
		    !catalog_lists(&events[i]))
			err = batch_place(batch, i);
	return err;
}

/*
 * Note how the events are used: one that was replaced may come back when the
 * other one is taken out.
 */
static void
note_uses(const struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		enum event_use *use = batch->description->events[i].use;

		if (use && batch->arrivals[i].is_replaced)
			*use = EVENT_USE_REPLACED;
		else if (use && *use == EVENT_USE_REPLACED)
			*use = EVENT_USE_LISTED;
	}
}

/*
 * Number the events, and place them. Numbers that were given stay so, whatever
 * fails then.
 */
static int
index_and_place(struct batch *batch)
{
	struct catalog *catalog = batch->catalog;
	int err;

	for (size_t i = 0; i < batch->count; i++)
		catalog->numbered[catalog->numbered_count + i] = NULL;
	err = index_names(batch);
	note_uses(batch);
	if (!err)
		err = place_events(batch);
	catalog->numbered_count += batch->count;
	if (!err)
		catalog->description.event_count = 0;
	return err;
}

int
catalog_add_events(struct catalog *catalog, struct drmperf_error *error)
{
	struct batch batch = {
		.catalog = catalog,
		.description = &catalog->description,
		.error = error,
		.count = catalog->description.event_count,
	};
	int err;

	if (!batch.count)
		return 0;
	batch.arrivals =
		reallocarray(NULL, batch.count, sizeof(*batch.arrivals));
	batch.groups = reallocarray(NULL, batch.count, sizeof(*batch.groups));
	if (!batch.arrivals || !batch.groups)
		err = catalog_no_memory(error);
	else
		err = learn_names(&batch);
	if (!err)
		err = batch_reserve(&batch);
	if (!err)
		err = index_and_place(&batch);
	free(batch.arrivals);
	free(batch.groups);
	return err;
}

int
catalog_add_named(struct drmperf_group *group,
		  const struct description_event *record,
		  const struct drmperf_event **out)
{
	struct catalog *catalog = group->catalog;
	struct arena *arena = catalog->description.arena;
	const char *home = catalog_group_record(group)->name;
	struct description_event *own = arena_alloc(arena, sizeof(*own));
	struct drmperf_event *event = arena_alloc(arena, sizeof(*event));
	uint32_t hash = name_syntax_join(
		name_syntax_prefix(home, strlen(home)),
		name_syntax_hash(record->name, strlen(record->name)));

	if (!own || !event || reserve_numbers(catalog, 1) ||
	    name_index_reserve(&catalog->names, 1))
		return -ENOMEM;
	*own = *record;
	event->group = group;
	event->record = own;
	event->name = arena_printf(arena, "%s::%s.%s", catalog->driver, home,
				   record->name);
	if (!event->name)
		return -ENOMEM;
	event->number = (uint32_t)catalog->numbered_count++;
	event->same = CATALOG_NO_EVENT;
	catalog->numbered[event->number] = event;
	name_index_insert(&catalog->names, hash, event->number);
	*out = event;
	return 0;
}
