/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The largest table has a thousand sets with eight thousand counters and has
 * to be ready within a few milliseconds. So what is the same for many is done
 * once: a counter is described once for all sets, or for all its copies in the
 * hardware, and each condition is evaluated once.
 */
#include "metric_set.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* Numbers in the name of a counter that stands for many. */
#define NUMBERS_MAX 4

#define COUNTER_NAME_MAX 128

/* A <counter> element. */
struct counter {
	const char *pattern; /* name, with # for any number */
	struct counter *next; /* in the same bucket */
	const char *description, *expression, *condition;
	const struct element *element;
	enum drmperf_unit unit;
	enum drmperf_type type;
	enum drmperf_kind kind;
};

#define BUCKETS 1024u

/* Conditions whose value is known, by hash; a full table just costs time. */
#define ANSWERS 256u

struct answer {
	const char *text;
	bool value;
};

/* A number in a counter's name. */
struct span {
	const char *text;
	size_t length;
};

struct reader {
	const struct table *table;
	const struct platform *platform;
	const struct constants *constants;
	struct description *description;
	struct drmperf_error *error;
	struct metric_sets *sets;
	size_t known; /* sets of tables read before */
	struct arena *scratch;
	struct counter *buckets[BUCKETS];
	struct answer answers[ANSWERS];
};

/* A counter of a set: what its definition there says, else NULL. */
struct definition {
	const char *name, *expression, *condition;
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
	if (!ret)
		*answer = (struct answer){ text, *out };
	return ret;
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

static bool
is_number(char c)
{
	return isdigit((unsigned char)c) || c == '#';
}

/* The same for all names that differ in their numbers only. */
static uint32_t
hash_name(const char *name)
{
	uint32_t hash = 2166136261u;

	while (*name) {
		if (is_number(*name)) {
			while (is_number(*name))
				name++;
			hash = (hash ^ '#') * 16777619u;
		} else {
			hash = (hash ^ (uint8_t)*name++) * 16777619u;
		}
	}
	return hash ^ hash >> 15;
}

/* Whether a name is of the pattern, and which numbers it has for each #. */
static bool
match(const char *pattern, const char *name, struct span numbers[NUMBERS_MAX])
{
	size_t count = 0;

	for (; *pattern; pattern++) {
		if (*pattern != '#') {
			if (*pattern != *name++)
				return false;
			continue;
		}
		if (count == NUMBERS_MAX || !isdigit((unsigned char)*name))
			return false;
		numbers[count].text = name;
		while (isdigit((unsigned char)*name))
			name++;
		numbers[count].length = (size_t)(name - numbers[count].text);
		count++;
	}
	return !*name;
}

/* The text with #1, #2 ... replaced. */
static const char *
fill_in(struct arena *arena, const char *text,
	const struct span numbers[NUMBERS_MAX])
{
	char filled[512];
	size_t at = 0;

	for (; *text && at + 24 < sizeof(filled); text++) {
		unsigned index = (unsigned)(text[1] - '1');

		if (*text != '#' || index >= NUMBERS_MAX) {
			filled[at++] = *text;
			continue;
		}
		for (size_t i = 0; i < numbers[index].length && i < 20; i++)
			filled[at++] = numbers[index].text[i];
		text++;
	}
	return arena_strndup(arena, filled, at);
}

static int
read_value(struct reader *reader, const struct element *element,
	   struct counter *counter)
{
	const char *unit, *type, *kind;
	int ret;

	ret = element_text(reader->table, element, "unit", &unit,
			   reader->error);
	if (ret)
		return ret;
	type = element_attribute(element, "type");
	kind = element_attribute(element, "kind");
	if (unit_from_name(unit, &counter->unit) ||
	    (type && type_from_name(type, &counter->type)) ||
	    (kind && kind_from_name(kind, &counter->kind)))
		return element_error(reader->table, element, reader->error,
				     "unknown unit, type or kind");
	return 0;
}

static int
read_counter(struct reader *reader, const struct element *element)
{
	struct counter *counter =
		arena_alloc(reader->scratch, sizeof(*counter));
	struct counter **bucket;
	int ret;

	if (!counter)
		return error_set(reader->error, -ENOMEM, "no memory");
	counter->type = DRMPERF_TYPE_UINT64;
	counter->kind = DRMPERF_KIND_CUMULATIVE;
	counter->element = element;
	counter->description = element->text;
	counter->expression = element_attribute(element, "expression");
	counter->condition = element_attribute(element, "if");
	ret = element_text(reader->table, element, "name", &counter->pattern,
			   reader->error);
	if (!ret)
		ret = read_value(reader, element, counter);
	if (ret)
		return ret;
	bucket = &reader->buckets[hash_name(counter->pattern) % BUCKETS];
	counter->next = *bucket;
	*bucket = counter;
	return 0;
}

/* The element that describes a counter; its own comes before a pattern. */
static const struct counter *
find_counter(const struct reader *reader, const char *name,
	     struct span numbers[NUMBERS_MAX])
{
	const struct counter *counter, *found = NULL;
	struct span spans[NUMBERS_MAX];

	counter = reader->buckets[hash_name(name) % BUCKETS];
	for (; counter; counter = counter->next) {
		memset(spans, 0, sizeof(spans));
		if (!match(counter->pattern, name, spans))
			continue;
		if (found && strchr(counter->pattern, '#'))
			continue;
		found = counter;
		memcpy(numbers, spans, sizeof(spans));
	}
	return found;
}

/* ------------------------------------------------------------------ */
/* Sets                                                                 */

static struct description_event
event_of(const struct counter *counter, const struct definition *definition,
	 group_index group)
{
	return (struct description_event){
		.name = definition->name,
		.description = counter->description,
		.expression = definition->expression ? definition->expression
						     : counter->expression,
		.language = EXPRESSION_INFIX,
		.group = group,
		.unit = counter->unit,
		.type = counter->type,
		.kind = counter->kind,
	};
}

/* Append the event that a definition stands for, if its hardware is there. */
static int
add_definition(struct reader *reader, const struct element *set,
	       const struct definition *definition, group_index group,
	       size_t *added)
{
	const char *condition = definition->condition;
	struct span numbers[NUMBERS_MAX] = { 0 };
	struct description_event event;
	const struct counter *counter;
	bool available, many;
	int ret;

	counter = find_counter(reader, definition->name, numbers);
	if (!counter)
		return element_error(reader->table, set, reader->error,
				     "no counter element for %s",
				     definition->name);
	many = strchr(counter->pattern, '#');
	if (!condition) {
		condition = counter->condition;
		if (condition && many)
			condition =
				fill_in(reader->scratch, condition, numbers);
	}
	ret = is_true(reader, set, condition, &available);
	if (ret || !available)
		return ret;
	event = event_of(counter, definition, group);
	event.file = reader->table->path;
	event.line =
		definition->expression ? set->line : counter->element->line;
	if (many)
		event.description = fill_in(reader->description->arena,
					    counter->description, numbers);
	if (!event.expression)
		return element_error(reader->table, set, reader->error,
				     "no expression for %s", event.name);
	if (!event.description)
		return error_set(reader->error, -ENOMEM, "no memory");
	++*added;
	return description_add_event(reader->description, &event);
}

static void
trim(char **text)
{
	char *end;

	while (**text == ' ')
		++*text;
	end = *text + strlen(*text);
	while (end > *text && end[-1] == ' ')
		*--end = '\0';
}

/* Cut "NAME = EXPRESSION if CONDITION" apart. */
static struct definition
cut_definition(char *text)
{
	struct definition definition = { 0 };
	char *expression, *condition;

	trim(&text);
	condition = strstr(text, " if ");
	if (condition) {
		*condition = '\0';
		definition.condition = condition + 4;
	}
	expression = strstr(text, " = ");
	if (expression) {
		*expression = '\0';
		definition.expression = expression + 3;
	}
	definition.name = text;
	return definition;
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
		definition = cut_definition(text);
		ret = add_definition(reader, set, &definition, group, added);
		if (ret)
			return ret;
	}
	trim(&text);
	if (*text)
		return element_error(reader->table, set, reader->error,
				     "no semicolon behind %s", text);
	return 0;
}

static int
add_basics(struct reader *reader, const struct element *set, group_index group)
{
	const char *names = element_attribute(reader->table->root, "basics");
	struct definition definition = { 0 };
	size_t added, length;
	int ret;

	if (!names || element_attribute(set, "basics"))
		return 0;
	for (; *names; names += length + (names[length] == ' ')) {
		length = strcspn(names, " ");
		definition.name = arena_strndup(reader->description->arena,
						names, length);
		if (!definition.name)
			return error_set(reader->error, -ENOMEM, "no memory");
		ret = add_definition(reader, set, &definition, group, &added);
		if (ret)
			return ret;
	}
	return 0;
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

/* Room for one more; the array moves to a larger place in the arena. */
static struct metric_set *
next_set(struct reader *reader)
{
	struct metric_sets *sets = reader->sets;

	if (sets->count == sets->capacity) {
		size_t capacity = sets->capacity ? 2 * sets->capacity : 64;
		struct metric_set *grown = arena_alloc(
			reader->description->arena, capacity * sizeof(*grown));

		if (!grown)
			return NULL;
		if (sets->count)
			memcpy(grown, sets->sets, sets->count * sizeof(*grown));
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

	ret = element_uint_or(reader->table, element, "format", UINT8_MAX,
			      reader->platform->format->number, &number,
			      reader->error);
	if (ret)
		return ret;
	if (engine && strcmp(engine, "video"))
		return element_error(reader->table, element, reader->error,
				     "unknown engine %s", engine);
	set->unit = engine ? OA_UNIT_MEDIA : OA_UNIT_RENDER;
	set->format =
		oa_format_find((unsigned)number, reader->platform->generation);
	if (!set->format)
		return element_error(reader->table, element, reader->error,
				     "no such format on this GPU");
	return 0;
}

/* A user's table may say more about a set that is known already. */
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
add_set_events(struct reader *reader, const struct element *element,
	       struct metric_set *set, size_t *added)
{
	struct description *description = reader->description;
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
	};
	const struct metric_set *known = known_set(reader, set->name);
	int ret;

	if (known) {
		set->group = known->group;
	} else {
		if (!group.description)
			return element_error(reader->table, element,
					     reader->error, "no description");
		ret = description_add_group(description, &group, &set->group);
		if (ret)
			return ret;
	}
	ret = add_basics(reader, element, set->group);
	if (!ret)
		ret = add_definitions(reader, element, set->group, added);
	if (!ret)
		ret = add_report_age(reader, set->group);
	return ret;
}

/* Take the last set out again: nothing of it can be counted here. */
static void
drop_set(struct reader *reader, size_t groups, size_t events)
{
	reader->description->group_count = groups;
	reader->description->event_count = events;
}

static int
read_set(struct reader *reader, const struct element *element)
{
	size_t groups = reader->description->group_count;
	size_t events = reader->description->event_count;
	struct metric_set *set = next_set(reader);
	size_t added = 0;
	bool available;
	int ret;

	if (!set)
		return error_set(reader->error, -ENOMEM, "no memory");
	memset(set, 0, sizeof(*set));
	ret = is_true(reader, element, element_attribute(element, "if"),
		      &available);
	if (ret || !available)
		return ret;
	ret = element_text(reader->table, element, "name", &set->name,
			   reader->error);
	if (!ret)
		ret = read_unit(reader, element, set);
	if (!ret)
		ret = add_set_events(reader, element, set, &added);
	if (ret)
		return ret;
	if (!added) {
		drop_set(reader, groups, events);
		return 0;
	}
	if (element_attribute(element, "guid")) {
		set->table = reader->table;
		set->registers = element;
	}
	reader->sets->count++;
	return 0;
}

static int
read_elements(struct reader *reader)
{
	struct element *element;
	int ret = 0;

	for (element = reader->table->root->child; element && !ret;
	     element = element->next) {
		if (!strcmp(element->name, "counter"))
			ret = read_counter(reader, element);
	}
	for (element = reader->table->root->child; element && !ret;
	     element = element->next) {
		if (!strcmp(element->name, "set"))
			ret = read_set(reader, element);
	}
	return ret;
}

int
metric_sets_read(struct metric_sets *sets, const struct table *table,
		 const struct platform *platform,
		 const struct constants *constants,
		 struct description *description, struct drmperf_error *error)
{
	struct reader *reader;
	struct arena *scratch = arena_create();
	int ret;

	reader = scratch ? arena_alloc(scratch, sizeof(*reader)) : NULL;
	if (!reader) {
		arena_destroy(scratch);
		return error_set(error, -ENOMEM, "no memory");
	}
	reader->table = table;
	reader->platform = platform;
	reader->constants = constants;
	reader->description = description;
	reader->error = error;
	reader->sets = sets;
	reader->known = sets->count;
	reader->scratch = scratch;
	ret = read_elements(reader);
	arena_destroy(scratch);
	return ret;
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
