/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/metric_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/name_index.h"
#include "driver/intel/oa/config.h"
#include "driver/intel/oa/set_events.h"
#include "driver/intel/oa/raw_counters.h"
#include "table/rows.h"

enum set_word {
	SET_NAME,
	SET_DESCRIPTION,
	SET_ENGINE,
	SET_FORMAT,
	SET_EXTRAPOLATES,
	SET_GUID,
	SET_IF,
	SET_REPLACES,
	SET_WORD_COUNT
};

static const char *const set_words[SET_WORD_COUNT] = {
	[SET_NAME] = "name",
	[SET_DESCRIPTION] = "description",
	[SET_ENGINE] = "engine",
	[SET_FORMAT] = "format",
	[SET_EXTRAPOLATES] = "extrapolates",
	[SET_GUID] = "guid",
	[SET_IF] = "if",
	[SET_REPLACES] = "replaces",
};

/* The state of reading the sets of a table. */
struct set_reader {
	struct set_events events;
	const struct platform *platform;
	struct metric_sets *sets;
	struct name_index known; /* sets of tables read before */
	const char *words[SET_WORD_COUNT]; /* of the present element, or NULL */
	const struct oa_format *format; /* of the last set, or NULL, */
	uint64_t slots[BORROWED_MAX / 64]; /* and its slots */
};

static int
reserve_sets(struct metric_sets *sets, size_t more)
{
	size_t capacity = sets->count + more;
	struct metric_set *grown;

	if (capacity <= sets->capacity)
		return 0;
	grown = reallocarray(sets->sets, capacity, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	sets->sets = grown;
	sets->capacity = capacity;
	return 0;
}

/* Make room for one more set. */
static struct metric_set *
next_set(struct metric_sets *sets)
{
	if (sets->count == sets->capacity &&
	    reserve_sets(sets, sets->count + 1))
		return NULL;
	return &sets->sets[sets->count];
}

/* Find the unit of an engine; false if there is none of that name. */
static bool
find_unit(const char *engine, enum oa_unit *out)
{
	static const char *const engines[OA_UNIT_COUNT] = {
		[OA_UNIT_MEDIA] = "video",
		[OA_UNIT_MEDIA_SECOND] = "video2",
		[OA_UNIT_MEDIA_GT] = "media",
		[OA_UNIT_MERT] = "mert",
	};

	*out = OA_UNIT_RENDER;
	while (engine && ++*out < OA_UNIT_COUNT) {
		if (!strcmp(engines[*out], engine))
			return true;
	}
	return !engine;
}

/* Read which unit and format a set is for. */
static int
read_unit(const struct set_reader *reader, const struct element *element,
	  struct metric_set *set)
{
	const char *engine = reader->words[SET_ENGINE];
	const char *format = reader->words[SET_FORMAT];
	uint64_t number;
	int ret;

	set->format = reader->platform->format;
	if (format) {
		ret = element_number(reader->events.table, element, "format",
				     format, UINT32_MAX, &number,
				     reader->events.error);
		if (ret)
			return ret;
		set->format = oa_format_find((unsigned)number,
					     reader->platform->generation);
	}
	if (!find_unit(engine, &set->unit))
		return element_error(reader->events.table, element,
				     reader->events.error,
				     "is of an unknown engine, %s", engine);
	if (!set->format)
		return element_error(reader->events.table, element,
				     reader->events.error,
				     "has a format that the GPU has not");
	return 0;
}

/* Find a set by its name; of several, the first one. */
static const struct metric_set *
known_set(const struct set_reader *reader, const char *name)
{
	const struct metric_set *sets = reader->sets->sets;
	size_t cursor = 0;
	uint32_t hash, i;

	if (!reader->known.count)
		return NULL;
	hash = hash_text(name);
	do
		i = name_index_next(&reader->known, hash, &cursor);
	while (i != NAME_INDEX_END && strcmp(sets[i].name, name));
	return i == NAME_INDEX_END ? NULL : &sets[i];
}

static int
index_known_sets(struct set_reader *reader)
{
	const struct metric_sets *sets = reader->sets;

	if (name_index_init(&reader->known, sets->count))
		return error_set(reader->events.error, -ENOMEM, "no memory");
	for (size_t i = 0; i < sets->count; i++) {
		const char *name = sets->sets[i].name;

		if (!known_set(reader, name))
			name_index_insert(&reader->known, hash_text(name),
					  (uint32_t)i);
	}
	return 0;
}

_Static_assert(OA_SLOT_COUNT <= BORROWED_MAX, "a bit for each slot");

/*
 * Add the rate of a unit: expressions of its sets see its own rate of time.
 * Returns 0, or -ENOMEM.
 */
static int
add_rate(const struct set_reader *reader, const struct metric_set *set,
	 struct description_group *group)
{
	const uint64_t hz = reader->sets->timestamp_hz[set->unit];
	struct description_constant *rate;

	if (!hz)
		return 0;
	rate = arena_alloc(reader->events.description->arena, sizeof(*rate));
	if (!rate)
		return error_set(reader->events.error, -ENOMEM, "no memory");
	*rate = (struct description_constant){ "GpuTimestampFrequency", hz };
	group->constant = rate;
	return 0;
}

/* Find the slots of a format, which most sets have in common. */
static void
find_slots(struct set_reader *reader, const struct oa_format *format)
{
	if (reader->format == format)
		return;
	memset(reader->slots, 0, sizeof(reader->slots));
	oa_format_slots(format, reader->slots);
	reader->format = format;
}

static int
add_group(struct set_reader *reader, const struct element *element,
	  struct metric_set *set)
{
	struct description_group group = {
		.name = set->name,
		.description = reader->words[SET_DESCRIPTION],
		.domain = reader->sets->domains[set->unit],
		/* All raw counters of a report are always there. */
		.max_active = RAW_COUNTERS_MAX(reader->platform->generation),
		.instances = 1,
		.instances_per_engine = 1,
		.borrows = true,
		.counters_of = reader->sets->raw_group,
		.extrapolates = reader->words[SET_EXTRAPOLATES],
		.scope = DRMPERF_SCOPE_DEVICE,
		.describe = reader->sets->describe,
	};

	if (!group.description)
		return element_error(reader->events.table, element,
				     reader->events.error,
				     "has no description");
	if (reader->sets->note)
		group.description =
			arena_printf(reader->events.description->arena, "%s %s",
				     group.description, reader->sets->note);
	if (!group.description)
		return error_set(reader->events.error, -ENOMEM, "no memory");
	find_slots(reader, set->format);
	memcpy(group.borrowed, reader->slots, sizeof(group.borrowed));
	if (add_rate(reader, set, &group))
		return -ENOMEM;
	return description_add_group(reader->events.description, &group,
				     &set->group);
}

/* Identify a set. A user's table may extend a set that exists already. */
static int
identify_set(struct set_reader *reader, const struct element *element,
	     struct metric_set *set)
{
	const struct metric_set *known;
	int ret = 0;

	set->name = reader->words[SET_NAME];
	if (!set->name)
		return element_error(reader->events.table, element,
				     reader->events.error,
				     "has no attribute name");
	known = known_set(reader, set->name);
	if (known)
		*set = *known;
	else if (reader->events.foreign && !reader->words[SET_GUID])
		return element_error(reader->events.table, element,
				     reader->events.error,
				     "has no registers, and the GPU's own "
				     "table has no set %s",
				     set->name);
	if (!known || reader->words[SET_REPLACES])
		ret = read_unit(reader, element, set);
	if (!ret && !known)
		ret = add_group(reader, element, set);
	if (!ret && element->child && reader->words[SET_GUID]) {
		set->table = reader->events.table;
		set->registers = element;
	}
	return ret;
}

/* Keep a set, whose events are added on demand. */
static int
keep_set(struct set_reader *reader, const struct element *element,
	 struct metric_set *set, bool *added)
{
	int ret = set_events_has_any(&reader->events, element, added);

	if (ret || !*added)
		return ret;
	set->element = rows_keep(element, reader->events.arena);
	return set->element ? 0 : -ENOMEM;
}

/* Remove the last set: this GPU can count nothing of it. */
static void
drop_set(struct set_reader *reader, size_t groups, size_t events)
{
	reader->events.description->group_count = groups;
	reader->events.description->event_count = events;
}

/*
 * Find out whether a set has no lists for the multiplexers, or one that is for
 * this GPU: a set's condition may leave out what those of its lists say.
 */
static int
has_mux(struct set_reader *reader, const struct element *set, bool *out)
{
	struct set_events *events = &reader->events;
	const struct element *list = NULL;
	int ret;

	*out = !element_named(set->child, "mux");
	if (*out)
		return 0;
	ret = mux_list_next(events->conditions.constants, events->table, set,
			    NULL, events->arena, &list, events->error);
	*out = list;
	return ret;
}

static bool
is_of_no_interest(const struct set_reader *reader)
{
	const char *name = reader->words[SET_NAME], *only = reader->sets->only;

	return only && name && strcmp(name, only);
}

/* Add a set; *added: the set, or a part of it, is in the description now. */
static int
add_set(struct set_reader *reader, const struct element *element,
	struct metric_set *set, bool *added)
{
	size_t count = 0;
	enum oa_unit unit;
	bool available;
	int ret;

	if (find_unit(reader->words[SET_ENGINE], &unit) &&
	    reader->sets->without[unit])
		return 0;
	if (is_of_no_interest(reader))
		return 0;
	ret = set_events_is_true(&reader->events, element,
				 reader->words[SET_IF], &available);
	if (!ret && available)
		ret = has_mux(reader, element, &available);
	if (ret || !available)
		return ret;
	ret = identify_set(reader, element, set);
	if (!ret && reader->sets->describe)
		return keep_set(reader, element, set, added);
	if (!ret)
		ret = set_events_add(&reader->events, element, set->group,
				     &count);
	*added = !ret && count;
	return ret;
}

static int
read_set(struct set_reader *reader, const struct element *element)
{
	size_t groups = reader->events.description->group_count;
	size_t events = reader->events.description->event_count;
	struct metric_set *set = next_set(reader->sets);
	bool added = false;
	int ret;

	if (!set)
		return error_set(reader->events.error, -ENOMEM, "no memory");
	memset(set, 0, sizeof(*set));
	ret = add_set(reader, element, set, &added);
	if (added)
		reader->sets->count++;
	else
		drop_set(reader, groups, events);
	return ret ? set_events_excuse(&reader->events, ret) : 0;
}

/* Take the events of marked groups out; they remain as those replaced. */
static int
remove_marked_events(struct set_reader *reader, const bool *marked)
{
	struct description *description = reader->events.description;
	struct description_event *replaced;
	size_t count = 0, kept = 0;

	replaced = arena_alloc(reader->events.arena,
			       description->event_count * sizeof(*replaced));
	if (!replaced)
		return error_set(reader->events.error, -ENOMEM, "no memory");
	for (size_t i = 0; i < description->event_count; i++) {
		const struct description_event event = description->events[i];

		if (marked[event.group])
			replaced[count++] = event;
		else
			description->events[kept++] = event;
	}
	description->event_count = kept;
	return set_events_replace(&reader->events, replaced, count);
}

/*
 * Replace sets by those of a user's table. A set with registers of its own
 * counts something else than the set of that name before it, of which no event
 * may remain.
 */
static int
replace_sets(struct set_reader *reader)
{
	const struct element *set = reader->events.table->root->child;
	bool *marked, any = false;

	if (!reader->events.foreign)
		return 0;
	marked = arena_alloc(reader->events.arena,
			     reader->events.description->group_count *
				     sizeof(*marked));
	if (!marked)
		return error_set(reader->events.error, -ENOMEM, "no memory");
	for (; (set = element_named(set, "set")); set = set->next) {
		const char *name = element_attribute(set, "name");
		const struct metric_set *known =
			name && element_attribute(set, "replaces")
				? known_set(reader, name)
				: NULL;

		if (known)
			marked[known->group] = any = true;
	}
	return any ? remove_marked_events(reader, marked) : 0;
}

/* Make room for this number of sets, and for their groups of events. */
static int
reserve_sets_and_groups(struct set_reader *reader, size_t count)
{
	if (reserve_sets(reader->sets, count) ||
	    description_reserve_groups(reader->events.description, count))
		return error_set(reader->events.error, -ENOMEM, "no memory");
	return 0;
}

static int
read_elements(struct set_reader *reader)
{
	const struct element *first = reader->events.table->root->child,
			     *element;
	struct rows rows;
	int ret;

	ret = index_known_sets(reader);
	if (!ret)
		ret = reserve_sets_and_groups(reader, rows_most(first, "set"));
	if (!ret)
		ret = set_events_read_counters(&reader->events);
	if (!ret)
		ret = replace_sets(reader);
	rows_begin(&rows, reader->events.table, first, "set",
		   reader->events.description->arena);
	while (!ret &&
	       (ret = rows_next(&rows, &element, reader->events.error)) > 0) {
		rows_values(&rows, element, set_words, SET_WORD_COUNT,
			    reader->words);
		ret = read_set(reader, element);
	}
	return ret;
}

/* Pass the error of reading on to the caller. */
static int
set_reader_report(const struct set_reader *reader, int ret,
		  struct drmperf_error *error)
{
	if (ret == -ENOMEM)
		error_set(error, ret, "no memory");
	else if (ret && error)
		*error = reader->events.cause;
	return ret;
}

static struct set_reader *
create_reader(const struct table *table, const struct constants *constants)
{
	struct set_reader *reader = calloc(1, sizeof(*reader));

	if (reader && set_events_init(&reader->events, table, constants)) {
		free(reader);
		reader = NULL;
	}
	return reader;
}

static void
destroy_reader(struct set_reader *reader)
{
	if (!reader)
		return;
	set_events_finish(&reader->events);
	name_index_finish(&reader->known);
	free(reader);
}

int
metric_sets_read(struct metric_sets *sets, const struct table *table,
		 const struct platform *platform,
		 const struct constants *constants,
		 struct description *description, struct drmperf_error *error)
{
	struct set_reader *reader = create_reader(table, constants);
	int ret;

	if (!reader)
		return error_set(error, -ENOMEM, "no memory");
	reader->platform = platform;
	reader->sets = sets;
	reader->events.description = description;
	reader->events.log = sets->log;
	reader->events.foreign = table_is_foreign(table);
	reader->events.own = !sets->count; /* that comes first */
	ret = set_reader_report(reader, read_elements(reader), error);
	if (sets->describe && !ret)
		sets->reader = reader;
	else
		destroy_reader(reader);
	return ret;
}

int
metric_sets_describe(struct metric_sets *sets, group_index group,
		     struct description *description,
		     struct drmperf_error *error)
{
	/* with one table, groups are in the order of its sets */
	const struct metric_set *set = &sets->sets[group - sets->sets[0].group];
	struct set_reader *reader = sets->reader;
	size_t count = 0;

	reader->events.description = description;
	return set_reader_report(
		reader,
		set_events_add(&reader->events, set->element, group, &count),
		error);
}

void
metric_sets_finish(struct metric_sets *sets)
{
	destroy_reader(sets->reader);
	free(sets->sets);
	sets->reader = NULL;
	sets->sets = NULL;
	sets->count = sets->capacity = 0;
}

struct metric_set *
metric_sets_add(struct metric_sets *sets)
{
	struct metric_set *set = next_set(sets);

	if (set) {
		memset(set, 0, sizeof(*set));
		sets->count++;
	}
	return set;
}

const struct metric_set *
metric_sets_find(const struct metric_sets *sets, group_index group)
{
	/* From the end: a user's table has the last word about a set. */
	for (size_t i = sets->count; i-- > 0;) {
		if (sets->sets[i].group == group)
			return &sets->sets[i];
	}
	return NULL;
}
