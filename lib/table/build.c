/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/build.h"

#include <string.h>

#include "base/arena.h"

struct table *
table_create(const char *path)
{
	struct arena *arena = arena_create();
	struct table *table = NULL;

	if (arena)
		table = arena_alloc(arena, sizeof(*table));
	if (table) {
		table->arena = arena;
		table->path = arena_strndup(arena, path, strlen(path));
	}
	if (!table || !table->path) {
		arena_destroy(arena);
		return NULL;
	}
	return table;
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
