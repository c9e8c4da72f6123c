/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The largest table has a thousand sets with eight thousand counters and has
 * to be ready within a few milliseconds. So what is the same for many is done
 * once: a counter is described once for all sets, or for all its copies in the
 * hardware, and each condition is evaluated once.
 */
#include "driver/oa/metric_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/oa/counter.h"
#include "table/rows.h"

/* Conditions whose value is known, by hash; a full table just costs time. */
#define ANSWERS 256u

struct answer {
	const char *text;
	bool value;
};

/* A counter of a set: what its definition there says, else NULL. */
struct definition {
	const char *name, *expression, *condition;
};

#define BASICS_MAX 8

struct reader {
	const struct table *table;
	const struct platform *platform;
	const struct constants *constants;
	struct description *description;
	struct drmperf_error cause, *error; /* the one is where the other is */
	struct metric_sets *sets;
	size_t known; /* sets of tables read before */
	bool foreign; /* somebody else's table: what is wrong is left out */
	bool own; /* the GPU's own table */
	/* events of sets whose place those of this table take */
	struct description_event *replaced;
	size_t replaced_count;
	struct arena *scratch;
	struct counter_index counters;
	struct description_event basics[BASICS_MAX]; /* that are available */
	size_t basic_count;
	struct answer answers[ANSWERS];
	char *room; /* for what copy_for_now() copies */
	size_t room_size;
};

/* ------------------------------------------------------------------ */
/* Conditions                                                           */

static uint32_t
hash_text(const char *text)
{
	uint32_t hash = 2166136261u;

	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 16777619u;
	return hash ^ hash >> 15;
}

static int
is_true(struct reader *reader, const struct element *element, const char *text,
	bool *out)
{
	struct answer *answer;
	int ret;

	if (!text) {
		*out = true;
		return 0;
	}
	answer = &reader->answers[hash_text(text) % ANSWERS];
	if (answer->text && !strcmp(answer->text, text)) {
		*out = answer->value;
		return 0;
	}
	ret = condition_is_true(reader->constants, reader->table, element, text,
				reader->scratch, out, reader->error);
	if (ret)
		return ret;
	answer->value = *out;
	answer->text = arena_strndup(reader->scratch, text, strlen(text));
	return answer->text ? 0 : -ENOMEM;
}

/* ------------------------------------------------------------------ */
/* Sets                                                                 */

/* The definition's condition, or else the counter's for its numbers. */
static const char *
condition_of(const struct counter *counter, const struct definition *definition,
	     const struct counter_number *numbers,
	     char filled[COUNTER_TEXT_MAX])
{
	if (definition->condition || !counter->condition)
		return definition->condition;
	if (!counter->many)
		return counter->condition;
	counter_fill_in(counter->condition, numbers, filled);
	return filled;
}

/* The same for the description, which the events keep. */
static const char *
description_of(struct reader *reader, const struct counter *counter,
	       const struct counter_number *numbers)
{
	char filled[COUNTER_TEXT_MAX];
	size_t length;

	if (!counter->numbered)
		return counter->description;
	length = counter_fill_in(counter->description, numbers, filled);
	return arena_strndup(reader->description->arena, filled, length);
}

/* The counter that a definition is of, and whether its hardware is there. */
static int
find_counter(struct reader *reader, const struct element *element,
	     const struct definition *definition,
	     struct counter_number numbers[COUNTER_NUMBERS_MAX],
	     const struct counter **out, bool *available)
{
	char condition[COUNTER_TEXT_MAX];

	*out = counter_index_find(&reader->counters, definition->name, numbers);
	if (!*out)
		return element_error(
			reader->table, element, reader->error,
			"lists %s, which no counter element describes",
			definition->name);
	return is_true(reader, element,
		       condition_of(*out, definition, numbers, condition),
		       available);
}

/* The event that a definition stands for, but for the group. */
static int
make_event(struct reader *reader, const struct element *element,
	   const struct definition *definition, bool *available,
	   struct description_event *out)
{
	struct counter_number numbers[COUNTER_NUMBERS_MAX] = { 0 };
	const struct counter *counter;
	int ret;

	ret = find_counter(reader, element, definition, numbers, &counter,
			   available);
	if (ret || !*available)
		return ret;
	*out = (struct description_event){
		.name = definition->name,
		.description = description_of(reader, counter, numbers),
		.expression = definition->expression ? definition->expression
						     : counter->expression,
		.language = EXPRESSION_INFIX,
		.file = reader->table->path,
		.line = definition->expression ? element->line : counter->line,
		.unit = counter->unit,
		.type = counter->type,
		.kind = counter->kind,
		.is_local = reader->own,
	};
	if (!out->expression)
		return element_error(reader->table, element, reader->error,
				     "has no expression for %s", out->name);
	if (!out->description)
		return error_set(reader->error, -ENOMEM, "no memory");
	return 0;
}

/* Append the event that a definition stands for, if its hardware is there. */
static int
add_definition(struct reader *reader, const struct element *set,
	       const struct definition *definition, group_index group,
	       size_t *added)
{
	struct description_event event;
	bool available;
	int ret;

	ret = make_event(reader, set, definition, &available, &event);
	if (ret || !available)
		return ret;
	event.group = group;
	++*added;
	return description_add_event(reader->description, &event);
}

/* Cut "NAME = EXPRESSION if CONDITION" apart. */
static struct definition
cut_definition(char *text)
{
	struct definition definition = { .name = text };
	char *word;

	word = strstr(text, " = ");
	if (word) {
		*word = '\0';
		text = word + 3;
		definition.expression = text;
	}
	word = strstr(text, " if ");
	if (word) {
		*word = '\0';
		definition.condition = word + 4;
	}
	return definition;
}

/* ------------------------------------------------------------------ */
/* Sets that describe their counters themselves                         */

/* What is wrong in other people's tables leaves out what it is about. */
static int
excuse(const struct reader *reader, int ret)
{
	if (!reader->foreign || ret == -ENOMEM)
		return ret;
	log_write(reader->sets->log, DRMPERF_LOG_WARNING, "%s; left out",
		  reader->cause.cause);
	return 0;
}

/* The event of this name that the table's set takes the place of; or NULL. */
static const struct description_event *
find_former(const struct reader *reader, group_index group, const char *name)
{
	const struct description_event *events = reader->replaced;
	size_t i = 0;

	/* those of a set stand together */
	while (i < reader->replaced_count && events[i].group != group)
		i++;
	for (; i < reader->replaced_count && events[i].group == group; i++) {
		if (!strcmp(events[i].name, name))
			return &events[i];
	}
	return NULL;
}

static int
make_own_event(struct reader *reader, const struct element *element,
	       bool *available, struct description_event *out)
{
	struct drmperf_error *error = reader->error;
	const char *unit, *type, *kind;
	enum drmperf_unit unit_value;
	enum drmperf_type type_value;
	enum drmperf_kind kind_value;
	int ret;

	*out = (struct description_event){
		.description = element->text,
		.language = condition_language(element),
		.file = reader->table->path,
		.line = element->line,
	};
	ret = is_true(reader, element, element_attribute(element, "if"),
		      available);
	if (!ret)
		ret = element_text(reader->table, element, "name", &out->name,
				   error);
	if (!ret)
		ret = element_text(reader->table, element, "expression",
				   &out->expression, error);
	if (!ret)
		ret = element_text(reader->table, element, "unit", &unit,
				   error);
	if (!ret)
		ret = element_text(reader->table, element, "type", &type,
				   error);
	if (!ret)
		ret = element_text(reader->table, element, "kind", &kind,
				   error);
	if (ret)
		return ret;
	if (unit_from_name(unit, &unit_value) ||
	    type_from_name(type, &type_value) ||
	    kind_from_name(kind, &kind_value))
		return element_error(reader->table, element, error,
				     "has an unknown unit, type or kind");
	out->unit = unit_value;
	out->type = type_value;
	out->kind = kind_value;
	return 0;
}

/*
 * Our own table has repaired units, and knows what adds up, where the source
 * of both does not say.
 */
static int
add_own_counter(struct reader *reader, const struct element *element,
		group_index group, size_t *added)
{
	const struct description_event *former;
	struct description_event event;
	bool available;
	int ret;

	ret = make_own_event(reader, element, &available, &event);
	if (ret)
		return excuse(reader, ret);
	if (!available)
		return 0;
	former = find_former(reader, group, event.name);
	if (former) {
		event.unit = former->unit;
		event.kind = former->kind;
	}
	event.group = group;
	++*added;
	ret = description_add_event(reader->description, &event);
	if (!ret && reader->foreign)
		ret = description_mark_foreign(reader->description);
	return ret;
}

static int
add_own_counters(struct reader *reader, const struct element *set,
		 group_index group, size_t *added)
{
	const struct element *element;
	struct rows rows;
	int ret = 0;

	rows_begin(&rows, reader->table, set->child, "counter",
		   reader->description->arena);
	while (!ret && (ret = rows_next(&rows, &element, reader->error)) > 0)
		ret = add_own_counter(reader, element, group, added);
	return ret;
}

/* Whether one of them is there. */
static int
has_own_counter(struct reader *reader, const struct element *set, bool *out)
{
	const struct element *element;
	struct rows rows;
	int ret = 0;

	*out = false;
	rows_begin(&rows, reader->table, set->child, "counter",
		   reader->scratch);
	while (!ret && !*out &&
	       (ret = rows_next(&rows, &element, reader->error)) > 0)
		ret = is_true(reader, element, element_attribute(element, "if"),
			      out);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Sets that list counters                                              */

/* Nothing may be left behind the last definition of a set's text. */
static int
check_end(struct reader *reader, const struct element *set, const char *rest)
{
	rest += strspn(rest, " ");
	return *rest ? element_error(reader->table, set, reader->error,
				     "has no semicolon behind %s", rest)
		     : 0;
}

/* The counters of a set's text; what is cut apart lives with the events. */
static int
add_definitions(struct reader *reader, const struct element *set,
		group_index group, size_t *added)
{
	struct definition definition;
	char *text, *end;
	int ret;

	text = arena_strndup(reader->description->arena, set->text,
			     strlen(set->text));
	if (!text)
		return error_set(reader->error, -ENOMEM, "no memory");
	for (; (end = strchr(text, ';')); text = end + 1) {
		*end = '\0';
		if (end > text && end[-1] == ' ')
			end[-1] = '\0';
		text += strspn(text, " ");
		definition = cut_definition(text);
		ret = add_definition(reader, set, &definition, group, added);
		if (ret)
			return ret;
	}
	return check_end(reader, set, text);
}

/* A terminated copy that holds until the next one is made. */
static char *
copy_for_now(struct reader *reader, const char *text, size_t length)
{
	if (length >= reader->room_size) {
		size_t size = 2 * length + 256;

		reader->room_size = 0;
		reader->room = arena_text(reader->scratch, size);
		if (!reader->room)
			return NULL;
		reader->room_size = size;
	}
	memcpy(reader->room, text, length);
	reader->room[length] = '\0';
	return reader->room;
}

/*
 * Whether one of the counters of a set's text is there: the first one, most of
 * the time. The text itself is left for add_definitions().
 */
static int
has_definition(struct reader *reader, const struct element *set, bool *out)
{
	const char *text = set->text, *end;
	int ret = 0;

	*out = false;
	for (; !ret && !*out && (end = strchr(text, ';')); text = end + 1) {
		struct counter_number numbers[COUNTER_NUMBERS_MAX] = { 0 };
		const struct counter *counter;
		struct definition definition;
		size_t length;
		char *copy;

		text += strspn(text, " ");
		length = (size_t)(end - text);
		if (length && text[length - 1] == ' ')
			length--;
		copy = copy_for_now(reader, text, length);
		if (!copy)
			return error_set(reader->error, -ENOMEM, "no memory");
		definition = cut_definition(copy);
		ret = find_counter(reader, set, &definition, numbers, &counter,
				   out);
	}
	return ret || *out ? ret : check_end(reader, set, text);
}

/* The events of the counters that nearly all sets have. */
static int
read_basics(struct reader *reader)
{
	const struct element *root = reader->table->root;
	const char *names = element_attribute(root, "basics");
	struct definition definition = { 0 };
	size_t length;
	bool available;
	int ret;

	for (; names && *names; names += length + (names[length] == ' ')) {
		length = strcspn(names, " ");
		definition.name = arena_strndup(reader->description->arena,
						names, length);
		if (!definition.name)
			return error_set(reader->error, -ENOMEM, "no memory");
		if (reader->basic_count == BASICS_MAX)
			return element_error(reader->table, root, reader->error,
					     "has too many basics");
		ret = make_event(reader, root, &definition, &available,
				 &reader->basics[reader->basic_count]);
		if (ret)
			return ret;
		reader->basic_count += available;
	}
	return 0;
}

static int
add_basics(struct reader *reader, const struct element *set, group_index group)
{
	int ret = 0;

	if (element_attribute(set, "basics"))
		return 0;
	for (size_t i = 0; i < reader->basic_count && !ret; i++) {
		reader->basics[i].group = group;
		ret = description_add_event(reader->description,
					    &reader->basics[i]);
	}
	return ret;
}

static int
add_report_age(struct reader *reader, group_index group)
{
	const struct description_event age = {
		.name = "ReportAge",
		.description = "Age of the report that the values come from.",
		.expression = "REPORT_AGE",
		.file = reader->table->path,
		.language = EXPRESSION_INFIX,
		.group = group,
		.unit = DRMPERF_UNIT_NANOSECONDS,
		.type = DRMPERF_TYPE_UINT64,
		.kind = DRMPERF_KIND_MOMENTARY,
	};

	return description_add_event(reader->description, &age);
}

/* Room for one more. */
static struct metric_set *
next_set(struct metric_sets *sets)
{
	if (sets->count == sets->capacity) {
		size_t capacity = sets->capacity ? 2 * sets->capacity : 64;
		struct metric_set *grown =
			reallocarray(sets->sets, capacity, sizeof(*grown));

		if (!grown)
			return NULL;
		sets->sets = grown;
		sets->capacity = capacity;
	}
	return &sets->sets[sets->count];
}

/* Which unit and format a set is for. */
static int
read_unit(const struct reader *reader, const struct element *element,
	  struct metric_set *set)
{
	const char *engine = element_attribute(element, "engine");
	uint64_t number;
	int ret;

	set->format = reader->platform->format;
	if (element_attribute(element, "format")) {
		ret = element_uint(reader->table, element, "format", UINT8_MAX,
				   &number, reader->error);
		if (ret)
			return ret;
		set->format = oa_format_find((unsigned)number,
					     reader->platform->generation);
	}
	if (engine && strcmp(engine, "video"))
		return element_error(reader->table, element, reader->error,
				     "is of an unknown engine, %s", engine);
	set->unit = engine ? OA_UNIT_MEDIA : OA_UNIT_RENDER;
	if (!set->format)
		return element_error(reader->table, element, reader->error,
				     "has a format that the GPU has not");
	return 0;
}

static const struct metric_set *
known_set(const struct reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->known; i++) {
		if (!strcmp(reader->sets->sets[i].name, name))
			return &reader->sets->sets[i];
	}
	return NULL;
}

static int
add_group(struct reader *reader, const struct element *element,
	  struct metric_set *set)
{
	const struct description_group group = {
		.name = set->name,
		.description = element_attribute(element, "description"),
		.domain = reader->sets->domains[set->unit],
		/* All raw counters of a report are always there. */
		.max_active = 64,
		.instances = 1,
		.instances_per_engine = 1,
		.borrows = true,
		.counters_of = reader->sets->raw_group,
		.scope = DRMPERF_SCOPE_DEVICE,
		.describe = reader->sets->describe,
	};

	if (!group.description)
		return element_error(reader->table, element, reader->error,
				     "has no description");
	return description_add_group(reader->description, &group, &set->group);
}

/* A user's table may say more about a set that is known already. */
static int
identify_set(struct reader *reader, const struct element *element,
	     struct metric_set *set)
{
	const struct metric_set *known;
	int ret;

	ret = element_text(reader->table, element, "name", &set->name,
			   reader->error);
	if (ret)
		return ret;
	known = known_set(reader, set->name);
	if (known)
		*set = *known;
	else if (reader->foreign && !element_attribute(element, "guid"))
		return element_error(reader->table, element, reader->error,
				     "has no registers, and the GPU's own "
				     "table has no set %s",
				     set->name);
	if (!known || element_attribute(element, "replaces"))
		ret = read_unit(reader, element, set);
	if (!ret && !known)
		ret = add_group(reader, element, set);
	if (!ret && element->child && element_attribute(element, "guid")) {
		set->table = reader->table;
		set->registers = element;
	}
	return ret;
}

static int
add_set_events(struct reader *reader, const struct element *element,
	       group_index group, size_t *added)
{
	int ret = add_basics(reader, element, group);

	if (!ret)
		ret = add_own_counters(reader, element, group, added);
	if (!ret)
		ret = add_definitions(reader, element, group, added);
	if (!ret)
		ret = add_report_age(reader, group);
	return ret;
}

/* Whether add_set_events() would find a counter of the set's own. */
static int
has_events(struct reader *reader, const struct element *element, bool *out)
{
	int ret = has_own_counter(reader, element, out);

	return ret || *out ? ret : has_definition(reader, element, out);
}

/* The events are added later, if there will be any. */
static int
keep_set(struct reader *reader, const struct element *element,
	 struct metric_set *set, bool *added)
{
	int ret = has_events(reader, element, added);

	if (ret || !*added)
		return ret;
	set->element = rows_keep(element, reader->scratch);
	return set->element ? 0 : -ENOMEM;
}

/* Take the last set out again: nothing of it can be counted here. */
static void
drop_set(struct reader *reader, size_t groups, size_t events)
{
	reader->description->group_count = groups;
	reader->description->event_count = events;
}

/*
 * Other people's sets do not say themselves that they need what their lists
 * for the multiplexers need: one of those has to be for this GPU.
 */
static int
has_mux(struct reader *reader, const struct element *set, bool *out)
{
	const struct element *list = element_named(set->child, "mux");
	int ret = 0;

	*out = !list;
	for (; list && !*out && !ret; list = element_named(list->next, "mux"))
		ret = is_true(reader, list, element_attribute(list, "if"), out);
	return ret;
}

/* Whether the set, or something of it, is in the description now. */
static int
add_set(struct reader *reader, const struct element *element,
	struct metric_set *set, bool *added)
{
	size_t count = 0;
	bool available;
	int ret;

	ret = is_true(reader, element, element_attribute(element, "if"),
		      &available);
	if (!ret && available && reader->foreign)
		ret = has_mux(reader, element, &available);
	if (ret || !available)
		return ret;
	ret = identify_set(reader, element, set);
	if (!ret && reader->sets->describe)
		return keep_set(reader, element, set, added);
	if (!ret)
		ret = add_set_events(reader, element, set->group, &count);
	*added = !ret && count;
	return ret;
}

static int
read_set(struct reader *reader, const struct element *element)
{
	size_t groups = reader->description->group_count;
	size_t events = reader->description->event_count;
	struct metric_set *set = next_set(reader->sets);
	bool added = false;
	int ret;

	if (!set)
		return error_set(reader->error, -ENOMEM, "no memory");
	memset(set, 0, sizeof(*set));
	ret = add_set(reader, element, set, &added);
	if (added)
		reader->sets->count++;
	else
		drop_set(reader, groups, events);
	return ret ? excuse(reader, ret) : 0;
}

/* Take the events of marked groups out; they remain in reader->replaced. */
static int
take_out(struct reader *reader, const bool *marked)
{
	struct description *description = reader->description;
	size_t kept = 0;

	reader->replaced =
		arena_alloc(reader->scratch, description->event_count *
						     sizeof(*reader->replaced));
	if (!reader->replaced)
		return error_set(reader->error, -ENOMEM, "no memory");
	for (size_t i = 0; i < description->event_count; i++) {
		const struct description_event event = description->events[i];

		if (marked[event.group])
			reader->replaced[reader->replaced_count++] = event;
		else
			description->events[kept++] = event;
	}
	description->event_count = kept;
	return 0;
}

/*
 * A set with registers of its own counts something else than the one of the
 * same name that was there: nothing of that may remain.
 */
static int
replace_sets(struct reader *reader)
{
	const struct element *set = reader->table->root->child;
	bool *marked, any = false;

	if (!reader->foreign)
		return 0;
	marked = arena_alloc(reader->scratch, reader->description->group_count *
						      sizeof(*marked));
	if (!marked)
		return error_set(reader->error, -ENOMEM, "no memory");
	for (; (set = element_named(set, "set")); set = set->next) {
		const char *name = element_attribute(set, "name");
		const struct metric_set *known =
			name && element_attribute(set, "replaces")
				? known_set(reader, name)
				: NULL;

		if (known)
			marked[known->group] = any = true;
	}
	return any ? take_out(reader, marked) : 0;
}

static int
read_elements(struct reader *reader)
{
	const struct element *first = reader->table->root->child, *element;
	struct arena *arena = reader->description->arena;
	struct rows rows;
	int ret = 0;

	rows_begin(&rows, reader->table, first, "counter", arena);
	while (!ret && (ret = rows_next(&rows, &element, reader->error)) > 0)
		ret = counter_index_add(&reader->counters, &rows, element,
					reader->scratch, reader->error);
	if (!ret)
		ret = read_basics(reader);
	if (!ret)
		ret = replace_sets(reader);
	rows_begin(&rows, reader->table, first, "set", arena);
	while (!ret && (ret = rows_next(&rows, &element, reader->error)) > 0)
		ret = read_set(reader, element);
	return ret;
}

/* What went wrong while reading, for the caller. */
static int
tell(const struct reader *reader, int ret, struct drmperf_error *error)
{
	if (ret == -ENOMEM)
		error_set(error, ret, "no memory");
	else if (ret && error)
		*error = reader->cause;
	return ret;
}

static struct reader *
create_reader(void)
{
	struct arena *scratch = arena_create();
	struct reader *reader =
		scratch ? arena_alloc(scratch, sizeof(*reader)) : NULL;

	if (!reader) {
		arena_destroy(scratch);
		return NULL;
	}
	reader->scratch = scratch;
	reader->error = &reader->cause;
	return reader;
}

static void
destroy_reader(struct reader *reader)
{
	if (reader)
		arena_destroy(reader->scratch);
}

int
metric_sets_read(struct metric_sets *sets, const struct table *table,
		 const struct platform *platform,
		 const struct constants *constants,
		 struct description *description, struct drmperf_error *error)
{
	struct reader *reader = create_reader();
	int ret;

	if (!reader)
		return error_set(error, -ENOMEM, "no memory");
	reader->table = table;
	reader->platform = platform;
	reader->constants = constants;
	reader->description = description;
	reader->foreign = table_is_foreign(table);
	reader->sets = sets;
	reader->known = sets->count;
	reader->own = !sets->count; /* that comes first */
	ret = tell(reader, read_elements(reader), error);
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
	/* one table alone was read: its groups are in the order of its sets */
	const struct metric_set *set = &sets->sets[group - sets->sets[0].group];
	struct reader *reader = sets->reader;
	size_t count = 0;

	reader->description = description;
	return tell(reader, add_set_events(reader, set->element, group, &count),
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

/* ------------------------------------------------------------------ */
/* Raw counters                                                         */

static int
add_raw(struct description *description, group_index group, const char *name,
	uint32_t selector, enum drmperf_kind kind)
{
	const struct description_event event = {
		.name = name,
		.description = "Raw counter of an OA report.",
		.group = group,
		.unit = DRMPERF_UNIT_NONE,
		.type = DRMPERF_TYPE_UINT64,
		.kind = kind,
		.hidden = true,
		.slots = SLOTS_ANY,
		.selector = selector,
	};

	return name ? description_add_event(description, &event) : -ENOMEM;
}

static int
add_bank(struct description *description, group_index group, char bank,
	 uint32_t first, unsigned count)
{
	int ret = 0;

	for (unsigned i = 0; i < count && !ret; i++)
		ret = add_raw(description, group,
			      arena_printf(description->arena, "%c%u", bank, i),
			      first + i, DRMPERF_KIND_CUMULATIVE);
	return ret;
}

int
metric_sets_add_raw(struct metric_sets *sets, struct description *description)
{
	const struct description_group group = {
		.name = "report",
		.description = "Raw counters of OA reports, for expressions.",
		.domain = sets->domains[OA_UNIT_RENDER],
		.max_active = 64,
		.instances = 1,
		.instances_per_engine = 1,
		.scope = DRMPERF_SCOPE_DEVICE,
	};
	int ret;

	ret = description_add_group(description, &group, &sets->raw_group);
	if (!ret)
		ret = add_raw(description, sets->raw_group, "TIME",
			      OA_SLOT_TIME, DRMPERF_KIND_CUMULATIVE);
	if (!ret)
		ret = add_raw(description, sets->raw_group, "CLOCK",
			      OA_SLOT_CLOCK, DRMPERF_KIND_CUMULATIVE);
	/* What Intel's equations call them: "GPU_TIME 0 READ". */
	if (!ret)
		ret = add_raw(description, sets->raw_group, "GPU_TIME0",
			      OA_SLOT_TIME, DRMPERF_KIND_CUMULATIVE);
	if (!ret)
		ret = add_raw(description, sets->raw_group, "GPU_CLOCK0",
			      OA_SLOT_CLOCK, DRMPERF_KIND_CUMULATIVE);
	if (!ret)
		ret = add_bank(description, sets->raw_group, 'A', OA_SLOT_A,
			       OA_SLOT_B - OA_SLOT_A);
	if (!ret)
		ret = add_bank(description, sets->raw_group, 'B', OA_SLOT_B,
			       OA_SLOT_C - OA_SLOT_B);
	if (!ret)
		ret = add_bank(description, sets->raw_group, 'C', OA_SLOT_C,
			       OA_SLOT_COUNT - OA_SLOT_C);
	if (!ret)
		ret = add_raw(description, sets->raw_group, "REPORT_AGE",
			      METRIC_SET_REPORT_AGE, DRMPERF_KIND_MOMENTARY);
	return ret;
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
