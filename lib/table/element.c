/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/element.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"

/* ------------------------------------------------------------------ */
/* Making                                                               */

/* Make a table with an arena of its own, of which path is NULL yet. */
static struct table *
create_without_path(void)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->arena = arena_create();
	if (table->arena)
		return table;
	free(table);
	return NULL;
}

struct table *
table_create(const char *path)
{
	struct table *table = create_without_path();

	if (!table)
		return NULL;
	table->path = arena_strndup(table->arena, path, strlen(path));
	if (table->path)
		return table;
	table_destroy(table);
	return NULL;
}

struct table *
table_view(const struct table *owner)
{
	struct table *table = create_without_path();

	if (table) {
		table->path = owner->path;
		table->root = owner->root;
	}
	return table;
}

struct table *
table_share(struct table *owner)
{
	struct table *table = calloc(1, sizeof(*table));

	if (table) {
		table->arena = owner->arena;
		table->shares_arena = true;
		table->path = owner->path;
	}
	return table;
}

void
table_destroy(struct table *table)
{
	if (!table)
		return;
	if (table->mapping)
		munmap((void *)table->mapping, table->mapping_size);
	if (!table->shares_arena)
		arena_destroy(table->arena);
	free(table);
}

struct element *
table_element(struct table *table, const char *name, int line,
	      size_t attributes)
{
	struct element *element;
	struct element_attribute *room;

	element = arena_alloc(table->arena, sizeof(*element));
	room = arena_alloc(table->arena, (attributes + 1) * sizeof(*room));
	if (!element || !room)
		return NULL;
	element->name = name;
	element->text = "";
	element->line = line;
	element->attributes = room;
	return element;
}

void
element_set(struct element *element, const char *name, const char *value)
{
	struct element_attribute *room =
		(struct element_attribute *)element->attributes;

	if (value)
		room[element->attribute_count++] =
			(struct element_attribute){ name, value };
}

/* ------------------------------------------------------------------ */
/* Attributes                                                           */

/*
 * Return whether two names are equal. Mostly they differ in the first letter: a
 * call can be saved.
 */
static bool
is_name(const char *a, const char *b)
{
	return *a == *b && !strcmp(a, b);
}

const char *
element_attribute(const struct element *element, const char *name)
{
	size_t i;

	for (i = 0; i < element->attribute_count; i++)
		if (is_name(element->attributes[i].name, name))
			return element->attributes[i].value;
	return NULL;
}

void
element_attributes(const struct element *element, const char *const *names,
		   size_t count, const char **values)
{
	const struct element_attribute *attribute = element->attributes;
	const struct element_attribute *end =
		attribute + element->attribute_count;

	memset(values, 0, count * sizeof(*values));
	for (; attribute < end; attribute++) {
		size_t i = 0;

		while (i < count && !is_name(attribute->name, names[i]))
			i++;
		/* the first of a name counts, as everywhere */
		if (i < count && !values[i])
			values[i] = attribute->value;
	}
}

struct element *
element_named(const struct element *element, const char *name)
{
	while (element && !is_name(element->name, name))
		element = element->next;
	return (struct element *)element;
}

size_t
element_count(const struct element *element, const char *name)
{
	size_t count = 0;

	for (element = element_named(element, name); element;
	     element = element_named(element->next, name))
		count++;
	return count;
}

int
element_error(const struct table *table, const struct element *element,
	      struct drmperf_error *error, const char *cause, ...)
{
	char text[sizeof(error->cause)];
	va_list args;

	va_start(args, cause);
	vsnprintf(text, sizeof(text), cause, args);
	va_end(args);
	return error_set(error, -EBADMSG, "%s:%d: <%s> %s", table->path,
			 element->line, element->name, text);
}

int
element_text(const struct table *table, const struct element *element,
	     const char *name, const char **out, struct drmperf_error *error)
{
	const char *value = element_attribute(element, name);

	if (!value)
		return element_error(table, element, error,
				     "has no attribute %s", name);
	*out = value;
	return 0;
}

/*
 * Read all of a text as a number; strtoull() would take blanks and signs as
 * well.
 */
static bool
read_uint(const char *text, uint64_t *out)
{
	uint64_t value = 0;
	unsigned base = 10;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit;

		if (*text >= '0' && *text <= '9')
			digit = (unsigned)(*text - '0');
		else if ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'f')
			digit = (unsigned)((*text | 0x20) - 'a') + 10;
		else
			return false;
		if (digit >= base ||
		    __builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return false;
	}
	*out = value;
	return true;
}

int
element_number(const struct table *table, const struct element *element,
	       const char *name, const char *text, uint64_t max, uint64_t *out,
	       struct drmperf_error *error)
{
	uint64_t value;

	if (!read_uint(text, &value))
		return element_error(table, element, error,
				     "%s=\"%s\" is not a number", name, text);
	if (value > max)
		return element_error(table, element, error,
				     "%s=\"%s\" is larger than %llu", name,
				     text, (unsigned long long)max);
	*out = value;
	return 0;
}

int
element_uint(const struct table *table, const struct element *element,
	     const char *name, uint64_t max, uint64_t *out,
	     struct drmperf_error *error)
{
	const char *text = "";
	int err;

	err = element_text(table, element, name, &text, error);
	return err ? err
		   : element_number(table, element, name, text, max, out,
				    error);
}

int
element_uint_or(const struct table *table, const struct element *element,
		const char *name, uint64_t max, uint64_t fallback,
		uint64_t *out, struct drmperf_error *error)
{
	const char *text = element_attribute(element, name);

	*out = fallback;
	return text ? element_number(table, element, name, text, max, out,
				     error)
		    : 0;
}
