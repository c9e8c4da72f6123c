/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/rows.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

/* Words are written into pieces of this size, or larger ones if need be. */
#define PIECE 4096

void
rows_begin(struct rows *rows, const struct table *table,
	   const struct element *first, const char *name, struct arena *arena)
{
	rows->table = table;
	rows->arena = arena;
	rows->name = name;
	rows->next = first;
	rows->list = NULL;
	rows->to = rows->to_end = NULL;
}

/* ------------------------------------------------------------------ */
/* A line                                                               */

static int
no_memory(const struct rows *rows, struct drmperf_error *error)
{
	return error_set(error, -ENOMEM, "no memory for %s", rows->table->path);
}

/* Eight bytes at once, the first one lowest. */
#define ONES (UINT64_MAX / UINT8_MAX)

/*
 * Return bit 7 of the first byte that is below c, and maybe of some behind it.
 */
static uint64_t
bytes_below(uint64_t bytes, unsigned char c)
{
	return (bytes - ONES * c) & ~bytes & ONES << 7;
}

/*
 * Return bit 7 of the first byte that cannot be part of a word, and maybe of
 * some behind it: blanks, and what stands between words.
 */
static uint64_t
ends_word(uint64_t bytes)
{
	return bytes_below(bytes, ' ' + 1) |
	       bytes_below(bytes ^ ONES * ':', 1) |
	       bytes_below(bytes ^ ONES * '=', 1);
}

/*
 * Copy what is part of a word; returns how long it is. May read and write up to
 * TABLE_LIST_SLACK bytes behind that.
 */
static inline size_t
copy_plain_word(char *to, const char *from)
{
	size_t at = 0;

	for (;; at += 8) {
		uint64_t bytes, ends;

		memcpy(&bytes, from + at, sizeof(bytes));
		memcpy(to + at, &bytes, sizeof(bytes));
		ends = ends_word(le64toh(bytes));
		if (ends)
			return at + (size_t)__builtin_ctzll(ends) / 8;
	}
}

/* Return whether a character is a blank; others are not in lists. */
static bool
is_space(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * Copy a word to rows->to, which is behind it then; returns where it ends. NULL
 * if its quotation marks are not closed.
 */
static inline const char *
copy_word(struct rows *rows, const char *at)
{
	char *to = rows->to;
	size_t length;

	if (*at != '"') {
		length = copy_plain_word(to, at);
		at += length;
	} else {
		const char *end = strchr(at + 1, '"');

		if (!end)
			return NULL;
		length = (size_t)(end - at - 1);
		memcpy(to, at + 1, length);
		at = end + 1;
	}
	to[length] = '\0';
	rows->to = to + length + 1;
	return at;
}

static const char unclosed[] = "a quotation mark is not closed";
static const char no_colon[] = "a line of a list lacks its colon";
static const char too_many[] = "a line of a list has more words than columns";

/*
 * Read the words before the colon, which become attributes; *end is behind it.
 * Returns what is wrong, or NULL.
 */
static inline const char *
read_words(struct rows *rows, const char *at, const char **end)
{
	struct element_attribute *attribute = rows->attributes;
	const struct table_list *list = rows->list;
	const char *begin;

	for (size_t column = 0;; column++, attribute++) {
		while (is_space(*at))
			at++;
		if (column && *at == ':')
			break;
		if (column == ROWS_ATTRIBUTES)
			return "too many words in a line of a list";
		begin = at;
		attribute->value = rows->to;
		at = copy_word(rows, at);
		if (!at)
			return unclosed;
		if (at == begin)
			return no_colon;
		if (*at == '=') {
			attribute->name = attribute->value;
			attribute->value = rows->to;
			at = copy_word(rows, at + 1);
			if (!at)
				return unclosed;
		} else if (column < list->column_count) {
			attribute->name = list->columns[column];
		} else {
			return too_many;
		}
		if (*at == ':') {
			attribute++;
			break;
		}
		if (!is_space(*at))
			return no_colon;
	}
	rows->row.attribute_count = (size_t)(attribute - rows->attributes);
	*end = at + 1;
	return NULL;
}

/*
 * Reserve room for the words of a line; each ends where something is left out.
 */
static bool
rows_reserve(struct rows *rows, size_t length)
{
	size_t needed = length + 8, size = PIECE;
	char *piece;

	if ((size_t)(rows->to_end - rows->to) >= needed)
		return true;
	/* a word needs no more than its place in the list */
	if (size > (size_t)(rows->list->end - rows->at) + 8)
		size = (size_t)(rows->list->end - rows->at) + 8;
	if (size < needed)
		size = needed;
	piece = arena_text(rows->arena, size);
	if (!piece)
		return false;
	rows->to = piece;
	rows->to_end = piece + size;
	return true;
}

/* Read the element for which the line stands that begins here. */
static int
read_line(struct rows *rows, struct drmperf_error *error)
{
	size_t length = strlen(rows->at);
	const char *text, *fault;

	if (!rows_reserve(rows, length))
		return no_memory(rows, error);
	fault = read_words(rows, rows->at, &text);
	if (fault)
		return error_set(error, -EBADMSG, "%s:%d: %s",
				 rows->table->path, rows->row.line, fault);
	while (is_space(*text))
		text++;
	rows->row.text = text;
	rows->at += length;
	return 0;
}

/* Go to the next line that says something: 1; 0 if there is none. */
static int
next_line(struct rows *rows, struct drmperf_error *error)
{
	const char *end = rows->list->end;

	for (; rows->at < end; rows->at++) {
		int ret;

		if (is_space(*rows->at))
			continue;
		if (*rows->at) {
			ret = read_line(rows, error);
			return ret ? ret : 1;
		}
		rows->row.line++;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Elements and lines                                                   */

static bool
is_name(const char *a, const char *b)
{
	return *a == *b && !strcmp(a, b);
}

/* Begin a list, whose lines come before what is behind it. */
static void
begin_list(struct rows *rows, const struct table_list *list)
{
	rows->list = list;
	rows->at = list->text;
	rows->words = NULL;
	rows->row = (struct element){
		.name = list->of,
		.attributes = rows->attributes,
		.line = list->line,
	};
}

int
rows_next(struct rows *rows, const struct element **out,
	  struct drmperf_error *error)
{
	const struct element *element;

	for (;;) {
		int ret = rows->list ? next_line(rows, error) : 0;

		*out = &rows->row;
		if (ret)
			return ret;
		rows->list = NULL;
		element = rows->next;
		if (!element)
			return 0;
		rows->next = element->next;
		if (element->list && is_name(element->list->of, rows->name))
			begin_list(rows, element->list);
		if (!element->list && is_name(element->name, rows->name)) {
			*out = element;
			return 1;
		}
	}
}

size_t
rows_most(const struct element *first, const char *name)
{
	size_t count = element_count(first, name);

	while ((first = element_named(first, "list"))) {
		if (first->list && is_name(first->list->of, name))
			count += (size_t)first->list->lines + 1;
		first = first->next;
	}
	return count;
}

/* ------------------------------------------------------------------ */
/* Values                                                               */

static size_t
find_word(const char *name, const char *const *words, size_t count)
{
	size_t i = 0;

	while (i < count && !is_name(name, words[i]))
		i++;
	return i;
}

void
rows_values(struct rows *rows, const struct element *row,
	    const char *const *words, size_t count, const char **values)
{
	const char *const *columns;
	size_t i, column_count, place;

	if (row != &rows->row) {
		element_attributes(row, words, count, values);
		return;
	}
	columns = rows->list->columns;
	column_count = rows->list->column_count;
	for (i = 0; rows->words != words && i < column_count; i++)
		rows->places[i] = find_word(columns[i], words, count);
	rows->words = words;
	for (i = 0; i < count; i++)
		values[i] = NULL;
	for (i = 0; i < row->attribute_count; i++) {
		const struct element_attribute *attribute =
			&rows->attributes[i];

		/* columns come first, most of the time */
		place = i < column_count && attribute->name == columns[i]
				? rows->places[i]
				: find_word(attribute->name, words, count);
		if (place < count && !values[place])
			values[place] = attribute->value;
	}
}

struct element *
rows_keep(const struct element *row, struct arena *arena)
{
	size_t size = row->attribute_count * sizeof(*row->attributes);
	struct element_attribute *attributes;
	struct element *element;

	/* one block for both, which are aligned alike */
	element = arena_alloc(arena, sizeof(*element) + size);
	if (!element)
		return NULL;
	attributes = (struct element_attribute *)(element + 1);
	memcpy(attributes, row->attributes, size);
	*element = *row;
	element->attributes = attributes;
	return element;
}

/* ------------------------------------------------------------------ */
/* Everything                                                           */

/* Put the elements that a list stands for into its place. */
static int
expand_list(struct table *table, struct element **place,
	    struct drmperf_error *error)
{
	struct element *list = *place, *behind = list->next;
	const struct element *row;
	struct rows rows;
	int ret;

	list->next = NULL;
	*place = behind;
	rows_begin(&rows, table, list, list->list->of, table->arena);
	while ((ret = rows_next(&rows, &row, error)) > 0) {
		struct element *element = rows_keep(row, table->arena);

		if (!element)
			return no_memory(&rows, error);
		element->next = behind;
		*place = element;
		place = &element->next;
	}
	return ret;
}

static int
expand_children(struct table *table, struct element *parent,
		struct drmperf_error *error)
{
	struct element **place = &parent->child;
	int ret = 0;

	while (*place && !ret) {
		if ((*place)->list) {
			/* what comes into its place has no children */
			ret = expand_list(table, place, error);
			continue;
		}
		ret = expand_children(table, *place, error);
		place = &(*place)->next;
	}
	return ret;
}

int
table_expand(struct table *table, struct drmperf_error *error)
{
	return expand_children(table, table->root, error);
}
