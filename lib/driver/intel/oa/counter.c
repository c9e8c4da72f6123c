/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/intel/oa/counter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "driver/description.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Hash a name, alike for all names that differ in their numbers only. */
static uint32_t
hash_name(const char *name)
{
	uint32_t hash = HASH_BEGIN;

	for (; *name; name++)
		if (!is_digit(*name) && *name != '#')
			hash = hash_byte(hash, *name);
	return hash;
}

/* Match a name with the pattern, and find its number for each #. */
static bool
counter_match(const struct oa_counter *counter, const char *name,
	      struct counter_number numbers[COUNTER_NUMBERS_MAX])
{
	const char *pattern = counter->pattern;
	size_t count = 0;

	if (strncmp(pattern, name, counter->same))
		return false;
	pattern += counter->same;
	name += counter->same;
	for (; *pattern; pattern++) {
		if (*pattern != '#') {
			if (*pattern != *name++)
				return false;
			continue;
		}
		if (count == COUNTER_NUMBERS_MAX || !is_digit(*name))
			return false;
		numbers[count].text = name;
		while (is_digit(*name))
			name++;
		numbers[count].length = (size_t)(name - numbers[count].text);
		count++;
	}
	return !*name;
}

size_t
counter_fill_in(const char *text,
		const struct counter_number numbers[COUNTER_NUMBERS_MAX],
		char filled[COUNTER_TEXT_MAX])
{
	size_t at = 0;

	while (*text) {
		size_t length = (size_t)(strchrnul(text, '#') - text);
		const char *source = text;

		text += length;
		if (!length) {
			unsigned index = (unsigned)(text[1] - '1');

			if (index >= COUNTER_NUMBERS_MAX ||
			    !numbers[index].text)
				break;
			source = numbers[index].text;
			length = numbers[index].length;
			text += 2;
		}
		if (length > COUNTER_TEXT_MAX - 1 - at)
			length = COUNTER_TEXT_MAX - 1 - at;
		memcpy(filled + at, source, length);
		at += length;
	}
	filled[at] = '\0';
	return at;
}

enum counter_word {
	WORD_NAME,
	WORD_UNIT,
	WORD_EXPRESSION,
	WORD_TYPE,
	WORD_KIND,
	WORD_IF,
	WORD_COUNT
};

static const char *const counter_words[WORD_COUNT] = {
	[WORD_NAME] = "name",
	[WORD_UNIT] = "unit",
	[WORD_EXPRESSION] = "expression",
	[WORD_TYPE] = "type",
	[WORD_KIND] = "kind",
	[WORD_IF] = "if",
};

static int
read_counter(const struct table *table, const struct element *element,
	     const char *const words[WORD_COUNT], struct oa_counter *counter,
	     struct drmperf_error *error)
{
	const char *type = words[WORD_TYPE], *kind = words[WORD_KIND];

	for (size_t i = WORD_NAME; i <= WORD_UNIT; i++)
		if (!words[i])
			return element_error(table, element, error,
					     "has no attribute %s",
					     counter_words[i]);
	counter->pattern = words[WORD_NAME];
	counter->type = DRMPERF_TYPE_UINT64;
	counter->kind = DRMPERF_KIND_CUMULATIVE;
	if (unit_from_name(words[WORD_UNIT], &counter->unit) ||
	    (type && type_from_name(type, &counter->type)) ||
	    (kind && kind_from_name(kind, &counter->kind)))
		return element_error(table, element, error,
				     "has an unknown unit, type or kind");
	counter->line = element->line;
	counter->description = element->text;
	counter->expression = words[WORD_EXPRESSION];
	counter->condition = words[WORD_IF];
	return 0;
}

/* ------------------------------------------------------------------ */
/* The index                                                            */

int
counter_index_init(struct counter_index *index)
{
	*index = (struct counter_index){ .last = NULL };
	return name_index_init(&index->names, 0);
}

void
counter_index_finish(struct counter_index *index)
{
	name_index_finish(&index->names);
	free(index->counters);
}

int
counter_index_reserve(struct counter_index *index, size_t more)
{
	size_t room = index->count + more;
	struct oa_counter *counters;

	if (room <= index->room)
		return 0;
	counters = reallocarray(index->counters, room, sizeof(*counters));
	if (!counters)
		return -ENOMEM;
	index->counters = counters;
	if (name_index_reserve(&index->names, more))
		return -ENOMEM;
	index->room = room;
	return 0;
}

static struct oa_counter *
next_counter(struct counter_index *index)
{
	if (index->count == index->room &&
	    counter_index_reserve(index, index->count + 64))
		return NULL;
	return &index->counters[index->count];
}

/*
 * Insert a counter. Names of one pattern have the same hash; others may have
 * it, too.
 */
static void
counter_index_insert(struct counter_index *index, struct oa_counter *counter)
{
	uint32_t hash = hash_name(counter->pattern), i;
	size_t cursor = 0;

	counter->alone = true;
	while ((i = name_index_next(&index->names, hash, &cursor)) !=
	       NAME_INDEX_END)
		counter->alone = index->counters[i].alone = false;
	name_index_insert(&index->names, hash, (uint32_t)index->count++);
}

int
counter_index_add(struct counter_index *index, struct rows *rows,
		  const struct element *element, struct drmperf_error *error)
{
	struct oa_counter *counter = next_counter(index);
	const char *words[WORD_COUNT], *first;
	int ret;

	if (!counter)
		return error_set(error, -ENOMEM, "no memory");
	rows_values(rows, element, counter_words, WORD_COUNT, words);
	ret = read_counter(rows->table, element, words, counter, error);
	if (ret)
		return ret;
	first = strchrnul(counter->pattern, '#');
	counter->same = (size_t)(first - counter->pattern);
	counter->many = *first;
	counter->numbered = strchr(counter->description, '#');
	counter_index_insert(index, counter);
	return 0;
}

/* Prefer patterns without # to those with one, and later to earlier ones. */
static bool
is_better(const struct oa_counter *a, const struct oa_counter *b)
{
	return !b || a->many < b->many || (a->many == b->many && a > b);
}

static const struct oa_counter *
find_matching(const struct counter_index *index, const char *name,
	      struct counter_number numbers[COUNTER_NUMBERS_MAX])
{
	struct counter_number candidates[COUNTER_NUMBERS_MAX] = { 0 };
	const struct oa_counter *found = NULL;
	uint32_t hash = hash_name(name), i;
	size_t cursor = 0;

	while ((i = name_index_next(&index->names, hash, &cursor)) !=
	       NAME_INDEX_END) {
		const struct oa_counter *counter = &index->counters[i];

		if (!is_better(counter, found) ||
		    !counter_match(counter, name, candidates))
			continue;
		found = counter;
		memcpy(numbers, candidates, sizeof(candidates));
	}
	return found;
}

const struct oa_counter *
counter_index_find(struct counter_index *index, const char *name,
		   struct counter_number numbers[COUNTER_NUMBERS_MAX])
{
	const struct oa_counter *last = index->last;

	if (!last || !last->alone || !counter_match(last, name, numbers))
		index->last = find_matching(index, name, numbers);
	return index->last;
}
