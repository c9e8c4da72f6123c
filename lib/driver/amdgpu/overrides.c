/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/overrides.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

const struct element *
overrides_block(const struct table *table, const char *name)
{
	const struct element *element;
	const char *text;

	for (element = element_named(table->root->child, "block"); element;
	     element = element_named(element->next, "block")) {
		text = element_attribute(element, "name");
		if (text && !strcmp(text, name))
			return element;
	}
	return NULL;
}

static const struct element *
first_event(const struct table *table, const char *block)
{
	const struct element *element = overrides_block(table, block);

	return element ? element_named(element->child, "event") : NULL;
}

static struct override *
overrides_find(const struct overrides *overrides, const char *name)
{
	uint32_t i, hash = hash_text(name);
	size_t cursor = 0;

	while ((i = name_index_next(&overrides->names, hash, &cursor)) !=
	       NAME_INDEX_END)
		if (!strcmp(overrides->events[i].name, name))
			return &overrides->events[i];
	return NULL;
}

/* Add the override of an event; there is room. Tables come in their order. */
static void
overrides_add(struct overrides *overrides, const char *name, size_t table)
{
	struct override *known = overrides_find(overrides, name);

	if (known) {
		known->table = table;
		return;
	}
	overrides->events[overrides->count] = (struct override){ name, table };
	name_index_insert(&overrides->names, hash_text(name),
			  (uint32_t)overrides->count++);
}

int
overrides_init(struct overrides *overrides, const struct table *const *tables,
	       size_t count, const char *block)
{
	const struct element *event;
	const char *name;
	size_t most = 0;

	memset(overrides, 0, sizeof(*overrides));
	for (size_t i = 1; i < count; i++)
		for (event = first_event(tables[i], block); event;
		     event = element_named(event->next, "event"))
			most++;
	if (!most)
		return 0;
	overrides->events = calloc(most, sizeof(*overrides->events));
	if (!overrides->events || name_index_init(&overrides->names, most)) {
		overrides_finish(overrides);
		return -ENOMEM;
	}
	for (size_t i = 1; i < count; i++) {
		for (event = first_event(tables[i], block); event;
		     event = element_named(event->next, "event")) {
			name = element_attribute(event, "name");
			if (name)
				overrides_add(overrides, name, i);
		}
	}
	return 0;
}

void
overrides_finish(struct overrides *overrides)
{
	name_index_finish(&overrides->names);
	free(overrides->events);
}

bool
overrides_have(const struct overrides *overrides, const char *name,
	       size_t table)
{
	const struct override *known = overrides->count && name
					       ? overrides_find(overrides, name)
					       : NULL;

	return known && known->table > table;
}
