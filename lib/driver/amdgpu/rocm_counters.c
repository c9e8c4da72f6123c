/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/rocm_counters.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/name_index.h"

/* Which counter of a file takes the place of one of ours. */
struct replacement {
	const struct table *table;
	const struct element *element; /* NULL: none */
	uint32_t id;
};

/* One counter on its way into the description. */
struct adder {
	const struct gpu *gpu;
	const struct table *table;
	const struct element *element;
	struct description *description;
	/* by index of our event; later ones of the same name count */
	struct replacement *replacements;
	size_t own_count;
	/* what ROCm calls our events, made for the first foreign table */
	const char **rocm_names;
	struct name_index own;
	struct arena *arena;
};

static void
log_left_out(const struct adder *adder, const char *name, const char *cause)
{
	log_write(&adder->gpu->log, DRMPERF_LOG_WARNING,
		  "%s:%d: %.80s is left out: %s", adder->table->path,
		  adder->element->line, name, cause);
}

/* Find the block of a name; some blocks have another name in ROCm. */
static const struct block *
find_block(const struct core *core, const char *name)
{
	for (size_t i = 0; i < core->block_count; i++) {
		const struct block *block = &core->blocks[i];
		const char *rocm = element_attribute(block->element, "rocm");

		if (!strcmp(rocm ? rocm : block->name, name))
			return block;
	}
	return core_block(core, name);
}

/* Return what follows a prefix, compared with our name in capitals, or NULL. */
static const char *
past_capitals(const char *text, const char *ours)
{
	while (text && *ours)
		text = *text++ == toupper((unsigned char)*ours++) ? text : NULL;
	return text;
}

/*
 * Return whether rocm is the name that ROCm makes of "GROUP.NAME", such as
 * "TA_TA_BUSY".
 */
static bool
is_rocm_name(const char *rocm, const char *group, const char *name)
{
	rocm = past_capitals(past_capitals(past_capitals(rocm, group), "_"),
			     name);
	return rocm && !*rocm;
}

static uint32_t
hash_event_name(group_index group, const char *rocm)
{
	return hash_text(rocm) + group * 0x9e3779b1u;
}

/* Return the block's own event that ROCm calls so; of several the first. */
static const struct description_event *
find_own_event(const struct adder *adder, group_index group, const char *name)
{
	const struct description_event *events = adder->description->events;
	uint32_t hash = hash_event_name(group, name), i;
	size_t cursor = 0;

	do
		i = name_index_next(&adder->own, hash, &cursor);
	while (i != NAME_INDEX_END && (events[i].group != group ||
				       strcmp(adder->rocm_names[i], name)));
	return i == NAME_INDEX_END ? NULL : &events[i];
}

/* Return "TA_TA_BUSY" for TA.TA_BUSY, unless the table has another name. */
static const char *
rocm_name(const struct adder *adder, const struct description_event *event)
{
	const char *group = adder->description->groups[event->group].name;
	char *name;

	if (event->alias)
		return event->alias;
	name = arena_printf(adder->arena, "%s_%s", group, event->name);
	for (char *c = name; c && *c; c++)
		*c = (char)toupper((unsigned char)*c);
	return name;
}

static int
index_own_events(struct adder *adder)
{
	adder->arena = arena_create();
	if (!adder->arena || name_index_init(&adder->own, adder->own_count))
		return -ENOMEM;
	adder->rocm_names =
		arena_alloc(adder->arena, (adder->own_count + 1) *
						  sizeof(*adder->rocm_names));
	if (!adder->rocm_names)
		return -ENOMEM;
	for (size_t i = 0; i < adder->own_count; i++) {
		const struct description_event *event =
			&adder->description->events[i];
		const char *name = rocm_name(adder, event);

		if (!name)
			return -ENOMEM;
		adder->rocm_names[i] = name;
		if (!find_own_event(adder, event->group, name))
			name_index_insert(&adder->own,
					  hash_event_name(event->group, name),
					  (uint32_t)i);
	}
	return 0;
}

/* Return the block's own name of it: "SQ_WAVES" of block SQ is WAVES. */
static const char *
own_name(const char *name, const char *block)
{
	size_t length = strlen(block);

	if (!strncmp(name, block, length) && name[length] == '_' &&
	    name[length + 1])
		return name + length + 1;
	return name;
}

/*
 * Return whether the id is above the block's highest event, which is only known
 * from enumerations that some blocks lack. The hardware accepts such an id and
 * counts nothing.
 */
static bool
is_beyond(const struct block *block, uint64_t id)
{
	uint64_t count;

	return !element_uint_or(block->table, block->element, "event-count",
				UINT32_MAX, UINT32_MAX, &count, NULL) &&
	       id >= count;
}

static int
adder_add_event(const struct adder *adder, const struct block *block,
		const char *name, const char *rocm_block, uint32_t id)
{
	const struct gpu *gpu = adder->gpu;
	group_index group =
		gpu->first_group + (group_index)(block - gpu->core.blocks);
	const struct description_event *own =
		find_own_event(adder, group, name);
	struct description_event event = {
		.name = own ? own->name : own_name(name, rocm_block),
		.description = adder->element->text,
		.file = adder->table->path,
		.line = adder->element->line,
		.group = group,
		.unit = own ? own->unit : DRMPERF_UNIT_NONE,
		.type = DRMPERF_TYPE_UINT64,
		.kind = DRMPERF_KIND_CUMULATIVE,
		.follows = strstr(name, "ACCUM_PREV"),
		.slots = block_slots_for(block, id),
		.selector = id,
	};

	if (!is_rocm_name(name, block->name, event.name))
		event.alias = name;
	if (own)
		adder->replacements[own - adder->description->events] =
			(struct replacement){ adder->table, adder->element,
					      id };
	if (own && own->selector == id)
		event.slots = own->slots;
	else if (event.slots == block_slots_for(block, 0))
		event.slots = SLOTS_ANY;
	if (block->windowed || block->stage_masked)
		event.setting = core_stages(&gpu->core);
	if (description_add_event(adder->description, &event))
		return -ENOMEM;
	return description_mark_foreign(adder->description);
}

static int
add_counter(const struct adder *adder)
{
	const char *name = element_attribute(adder->element, "name");
	const char *rocm_block = element_attribute(adder->element, "block");
	const struct block *block = find_block(&adder->gpu->core, rocm_block);
	uint64_t id;

	if (!block || !block->instance_count) {
		log_left_out(adder, name, "this GPU has no such block");
		return 0;
	}
	if (element_uint(adder->table, adder->element, "id", UINT32_MAX, &id,
			 NULL)) {
		log_left_out(adder, name, "its event is no number");
		return 0;
	}
	if (!block_slots_for(block, (uint32_t)id) || is_beyond(block, id)) {
		log_left_out(adder, name,
			     "the block has no event of this number");
		return 0;
	}
	return adder_add_event(adder, block, name, rocm_block, (uint32_t)id);
}

static int
add_table(struct adder *adder, const struct table *table)
{
	int ret = adder->arena ? 0 : index_own_events(adder);

	adder->table = table;
	adder->element = table->root->child;
	for (; adder->element && !ret; adder->element = adder->element->next) {
		if (!strcmp(adder->element->name, "counter"))
			ret = add_counter(adder);
	}
	return ret;
}

/*
 * Log where ROCm's file differs from our table: some of ROCm's are wrong, or
 * older than the GPU.
 */
static void
report_differences(const struct adder *adder)
{
	for (size_t i = 0; i < adder->own_count; i++) {
		const struct replacement *its = &adder->replacements[i];
		uint32_t ours = adder->description->events[i].selector;

		if (its->element && its->id != ours)
			log_write(&adder->gpu->log, DRMPERF_LOG_WARNING,
				  "%s:%d: %s is number %u of its block here, "
				  "but %u in our table; it is counted as here",
				  its->table->path, its->element->line,
				  element_attribute(its->element, "name"),
				  its->id, ours);
	}
}

int
rocm_counters_add(const struct gpu *gpu, const struct driver_target *target,
		  struct description *description)
{
	struct adder adder = {
		.gpu = gpu,
		.description = description,
		.own_count = description->event_count,
	};
	const struct table *table;
	int ret = 0;

	adder.replacements =
		calloc(adder.own_count + 1, sizeof(*adder.replacements));
	if (!adder.replacements)
		return -ENOMEM;
	for (size_t i = 0; i < target->user_table_count && !ret; i++) {
		table = target->user_tables[i];
		if (table_is_foreign(table) &&
		    table_is_for(table, "amdgpu", gpu->chip.generation,
				 gpu->chip.target))
			ret = add_table(&adder, table);
	}
	report_differences(&adder);
	name_index_finish(&adder.own);
	arena_destroy(adder.arena);
	free(adder.replacements);
	return ret;
}
