/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/set_events.h"

#include <errno.h>
#include <string.h>

#include "base/hash.h"
#include "table/rows.h"

/* A counter of a set: what its definition there says, else NULL. */
struct set_definition {
	const char *name, *expression, *condition;
};

int
set_events_init(struct set_events *events, const struct table *table,
		const struct constants *constants)
{
	events->table = table;
	events->error = &events->cause;
	events->arena = arena_create();
	if (events->arena && !counter_index_init(&events->counters) &&
	    !conditions_init(&events->conditions, constants, table,
			     events->arena))
		return 0;
	set_events_finish(events);
	return -ENOMEM;
}

void
set_events_finish(struct set_events *events)
{
	conditions_finish(&events->conditions);
	counter_index_finish(&events->counters);
	name_index_finish(&events->replaced_names);
	arena_destroy(events->arena);
}

int
set_events_is_true(struct set_events *events, const struct element *element,
		   const char *text, bool *out)
{
	return conditions_are_true(&events->conditions, element, text, out,
				   events->error);
}

int
set_events_excuse(const struct set_events *events, int ret)
{
	if (!events->foreign || ret == -ENOMEM)
		return ret;
	log_write(events->log, DRMPERF_LOG_WARNING, "%s; left out",
		  events->cause.cause);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Absent hardware                                                      */

/*
 * Add an event of absent hardware. It is not listed, but other events of the
 * set may use it, such as the maximum over all samplers, and get 0. It still
 * refers to a raw counter, so that an event made of such events alone belongs
 * to its set.
 */
static int
add_absent(struct set_events *events, const char *name, enum drmperf_type type,
	   group_index group)
{
	const struct description_event absent = {
		.name = name,
		.description = "Hardware that this GPU lacks.",
		.expression = "0 * TIME",
		.language = EXPRESSION_INFIX,
		.file = events->table->path,
		.group = group,
		.type = type,
		.hidden = true,
	};

	return description_add_event(events->description, &absent);
}

/* ------------------------------------------------------------------ */
/* One counter of a set                                                 */

/* Return the definition's condition, or else the counter's for its numbers. */
static const char *
condition_of(const struct oa_counter *counter,
	     const struct set_definition *definition,
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

/* Make the counter's description for its numbers, which the events keep. */
static const char *
description_of(struct set_events *events, const struct oa_counter *counter,
	       const struct counter_number *numbers)
{
	char filled[COUNTER_TEXT_MAX];
	size_t length;

	if (!counter->numbered)
		return counter->description;
	length = counter_fill_in(counter->description, numbers, filled);
	return arena_strndup(events->description->arena, filled, length);
}

/*
 * Find the counter that a definition is of, and whether its hardware is there.
 */
static int
find_counter(struct set_events *events, const struct element *element,
	     const struct set_definition *definition,
	     struct counter_number numbers[COUNTER_NUMBERS_MAX],
	     const struct oa_counter **out, bool *available)
{
	char condition[COUNTER_TEXT_MAX];

	*out = counter_index_find(&events->counters, definition->name, numbers);
	if (!*out)
		return element_error(
			events->table, element, events->error,
			"lists %s, which no counter element describes",
			definition->name);
	return set_events_is_true(
		events, element,
		condition_of(*out, definition, numbers, condition), available);
}

/*
 * Make the event that a definition stands for, but for the group; of one whose
 * hardware is absent, fill in the type alone.
 */
static int
make_event(struct set_events *events, const struct element *element,
	   const struct set_definition *definition, bool *available,
	   struct description_event *out)
{
	struct counter_number numbers[COUNTER_NUMBERS_MAX] = { 0 };
	const struct oa_counter *counter;
	int ret;

	ret = find_counter(events, element, definition, numbers, &counter,
			   available);
	if (ret)
		return ret;
	out->type = counter->type;
	if (!*available)
		return 0;
	*out = (struct description_event){
		.name = definition->name,
		.description = description_of(events, counter, numbers),
		.expression = definition->expression ? definition->expression
						     : counter->expression,
		.language = EXPRESSION_INFIX,
		.file = events->table->path,
		.line = definition->expression ? element->line : counter->line,
		.unit = counter->unit,
		.type = counter->type,
		.kind = counter->kind,
		.is_local = events->own,
	};
	if (!out->expression)
		return element_error(events->table, element, events->error,
				     "has no expression for %s", out->name);
	if (!out->description)
		return error_set(events->error, -ENOMEM, "no memory");
	return 0;
}

/* Append the event that a definition stands for. */
static int
add_definition(struct set_events *events, const struct element *set,
	       const struct set_definition *definition, group_index group,
	       size_t *added)
{
	struct description_event event;
	bool available;
	int ret;

	ret = make_event(events, set, definition, &available, &event);
	if (ret)
		return ret;
	if (!available)
		return add_absent(events, definition->name, event.type, group);
	event.group = group;
	++*added;
	return description_add_event(events->description, &event);
}

/* Cut "NAME = EXPRESSION if CONDITION" apart. */
static struct set_definition
cut_definition(char *text)
{
	struct set_definition definition = { .name = text };
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

static uint32_t
hash_former(group_index group, const char *name)
{
	return hash_text(name) + group * 0x9e3779b1u;
}

/* Find the event of this name that the table's set replaces; or NULL. */
static const struct description_event *
find_former(const struct set_events *events, group_index group,
	    const char *name)
{
	const struct description_event *former;
	uint32_t hash = hash_former(group, name), i;
	size_t cursor = 0;

	if (!events->replaced)
		return NULL;
	do {
		i = name_index_next(&events->replaced_names, hash, &cursor);
		if (i == NAME_INDEX_END)
			return NULL;
		former = &events->replaced[i];
	} while (former->group != group || strcmp(former->name, name));
	return former;
}

int
set_events_replace(struct set_events *events,
		   const struct description_event *replaced, size_t count)
{
	if (name_index_init(&events->replaced_names, count))
		return error_set(events->error, -ENOMEM, "no memory");
	events->replaced = replaced;
	for (size_t i = 0; i < count; i++) {
		group_index group = replaced[i].group;
		const char *name = replaced[i].name;

		/* the first one of a name counts */
		if (!find_former(events, group, name))
			name_index_insert(&events->replaced_names,
					  hash_former(group, name),
					  (uint32_t)i);
	}
	return 0;
}

static int
make_own_event(struct set_events *events, const struct element *element,
	       bool *available, struct description_event *out)
{
	struct drmperf_error *error = events->error;
	const char *unit, *type, *kind;
	enum drmperf_unit unit_value;
	enum drmperf_type type_value;
	enum drmperf_kind kind_value;
	int ret;

	*out = (struct description_event){
		.description = element->text,
		.language = condition_language(element),
		.file = events->table->path,
		.line = element->line,
	};
	ret = set_events_is_true(events, element,
				 element_attribute(element, "if"), available);
	if (!ret)
		ret = element_text(events->table, element, "name", &out->name,
				   error);
	if (!ret)
		ret = element_text(events->table, element, "expression",
				   &out->expression, error);
	if (!ret)
		ret = element_text(events->table, element, "unit", &unit,
				   error);
	if (!ret)
		ret = element_text(events->table, element, "type", &type,
				   error);
	if (!ret)
		ret = element_text(events->table, element, "kind", &kind,
				   error);
	if (ret)
		return ret;
	if (unit_from_name(unit, &unit_value) ||
	    type_from_name(type, &type_value) ||
	    kind_from_name(kind, &kind_value))
		return element_error(events->table, element, error,
				     "has an unknown unit, type or kind");
	out->unit = unit_value;
	out->type = type_value;
	out->kind = kind_value;
	return 0;
}

/*
 * Add a counter of our own table, which has corrected units, and kinds that its
 * source does not have.
 */
static int
add_own_counter(struct set_events *events, const struct element *element,
		group_index group, size_t *added)
{
	const struct description_event *former;
	struct description_event event;
	bool available;
	int ret;

	ret = make_own_event(events, element, &available, &event);
	if (ret)
		return set_events_excuse(events, ret);
	if (!available)
		return add_absent(events, event.name, event.type, group);
	former = find_former(events, group, event.name);
	if (former) {
		event.unit = former->unit;
		event.kind = former->kind;
	}
	event.group = group;
	++*added;
	ret = description_add_event(events->description, &event);
	if (!ret && events->foreign)
		ret = description_mark_foreign(events->description);
	return ret;
}

static int
add_own_counters(struct set_events *events, const struct element *set,
		 group_index group, size_t *added)
{
	const struct element *element;
	struct rows rows;
	int ret = 0;

	rows_begin(&rows, events->table, set->child, "counter",
		   events->description->arena);
	while (!ret && (ret = rows_next(&rows, &element, events->error)) > 0)
		ret = add_own_counter(events, element, group, added);
	return ret;
}

/* Find out whether the set has a counter of its own for this GPU. */
static int
has_own_counter(struct set_events *events, const struct element *set, bool *out)
{
	const struct element *element;
	struct rows rows;
	int ret = 0;

	*out = false;
	if (!set->child)
		return 0;
	rows_begin(&rows, events->table, set->child, "counter", events->arena);
	while (!ret && !*out &&
	       (ret = rows_next(&rows, &element, events->error)) > 0)
		ret = set_events_is_true(events, element,
					 element_attribute(element, "if"), out);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Sets that list counters                                              */

/* Check that nothing is left behind the last definition of a set's text. */
static int
check_end(struct set_events *events, const struct element *set,
	  const char *rest)
{
	rest += strspn(rest, " ");
	return *rest ? element_error(events->table, set, events->error,
				     "has no semicolon behind %s", rest)
		     : 0;
}

/* Add the counters of a set's text; what is cut apart lives with the events. */
static int
add_definitions(struct set_events *events, const struct element *set,
		group_index group, size_t *added)
{
	struct set_definition definition;
	char *text, *end;
	int ret;

	text = arena_strndup(events->description->arena, set->text,
			     strlen(set->text));
	if (!text)
		return error_set(events->error, -ENOMEM, "no memory");
	for (; (end = strchr(text, ';')); text = end + 1) {
		*end = '\0';
		if (end > text && end[-1] == ' ')
			end[-1] = '\0';
		text += strspn(text, " ");
		definition = cut_definition(text);
		ret = add_definition(events, set, &definition, group, added);
		if (ret)
			return ret;
	}
	return check_end(events, set, text);
}

/* Copy a text to a terminated one that holds until the next copy is made. */
static char *
copy_temporary_text(struct set_events *events, const char *text, size_t length)
{
	if (length >= events->room_size) {
		size_t size = 2 * length + 256;

		events->room_size = 0;
		events->room = arena_text(events->arena, size);
		if (!events->room)
			return NULL;
		events->room_size = size;
	}
	memcpy(events->room, text, length);
	events->room[length] = '\0';
	return events->room;
}

/*
 * Find out whether the GPU has one of the counters of a set's text: the first
 * one, most of the time. The text itself is left for add_definitions().
 */
static int
has_definition(struct set_events *events, const struct element *set, bool *out)
{
	const char *text = set->text, *end;
	int ret = 0;

	*out = false;
	for (; !ret && !*out && (end = strchr(text, ';')); text = end + 1) {
		struct counter_number numbers[COUNTER_NUMBERS_MAX] = { 0 };
		const struct oa_counter *counter;
		struct set_definition definition;
		size_t length;
		char *copy;

		text += strspn(text, " ");
		length = (size_t)(end - text);
		if (length && text[length - 1] == ' ')
			length--;
		copy = copy_temporary_text(events, text, length);
		if (!copy)
			return error_set(events->error, -ENOMEM, "no memory");
		definition = cut_definition(copy);
		ret = find_counter(events, set, &definition, numbers, &counter,
				   out);
	}
	return ret || *out ? ret : check_end(events, set, text);
}

/* Read the events of the counters that nearly all sets have. */
static int
read_basics(struct set_events *events)
{
	const struct element *root = events->table->root;
	const char *names = element_attribute(root, "basics");
	struct set_definition definition = { 0 };
	size_t length;
	bool available;
	int ret;

	for (; names && *names; names += length + (names[length] == ' ')) {
		length = strcspn(names, " ");
		definition.name = arena_strndup(events->description->arena,
						names, length);
		if (!definition.name)
			return error_set(events->error, -ENOMEM, "no memory");
		if (events->basic_count == BASICS_MAX)
			return element_error(events->table, root, events->error,
					     "has too many basics");
		ret = make_event(events, root, &definition, &available,
				 &events->basics[events->basic_count]);
		if (ret)
			return ret;
		events->basic_count += available;
	}
	return 0;
}

int
set_events_read_counters(struct set_events *events)
{
	const struct element *first = events->table->root->child, *element;
	struct rows rows;
	int ret;

	ret = counter_index_reserve(&events->counters,
				    rows_most(first, "counter"));
	if (ret)
		return error_set(events->error, ret, "no memory");
	rows_begin(&rows, events->table, first, "counter",
		   events->description->arena);
	while (!ret && (ret = rows_next(&rows, &element, events->error)) > 0)
		ret = counter_index_add(&events->counters, &rows, element,
					events->error);
	return ret ? ret : read_basics(events);
}

static int
add_basics(struct set_events *events, const struct element *set,
	   group_index group)
{
	int ret = 0;

	if (element_attribute(set, "basics"))
		return 0;
	for (size_t i = 0; i < events->basic_count && !ret; i++) {
		events->basics[i].group = group;
		ret = description_add_event(events->description,
					    &events->basics[i]);
	}
	return ret;
}

static int
add_report_age(struct set_events *events, group_index group)
{
	const struct description_event age = {
		.name = "ReportAge",
		.description = "Age of the report that the values come from.",
		.expression = "REPORT_AGE",
		.file = events->table->path,
		.language = EXPRESSION_INFIX,
		.group = group,
		.unit = DRMPERF_UNIT_NANOSECONDS,
		.type = DRMPERF_TYPE_UINT64,
		.kind = DRMPERF_KIND_MOMENTARY,
	};

	return description_add_event(events->description, &age);
}

int
set_events_add(struct set_events *events, const struct element *element,
	       group_index group, size_t *added)
{
	int ret = add_basics(events, element, group);

	if (!ret)
		ret = add_own_counters(events, element, group, added);
	if (!ret)
		ret = add_definitions(events, element, group, added);
	if (!ret)
		ret = add_report_age(events, group);
	return ret;
}

int
set_events_has_any(struct set_events *events, const struct element *element,
		   bool *out)
{
	int ret = has_own_counter(events, element, out);

	return ret || *out ? ret : has_definition(events, element, out);
}
