/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/island.h"

#include <errno.h>

/*
 * Pools, and behind them settings, are sites: an item joins all sites where it
 * can be in the way. What stays apart are the islands.
 */
struct map {
	const struct pack_model *model;
	uint32_t *towards; /* per site: another of its island, or itself */
	uint32_t *number; /* per site where others lead: its island */
	uint32_t *sites; /* scratch: those of an item */
};

static uint32_t
centre_of(const struct map *map, uint32_t site)
{
	uint32_t *towards = map->towards;

	while (towards[site] != site) {
		towards[site] = towards[towards[site]];
		site = towards[site];
	}
	return site;
}

/* The sites of an alternative; returns how many. */
static uint32_t
list_sites(const struct map *map, uint32_t alternative, uint32_t *list)
{
	const struct pack_model *model = map->model;
	const struct pack_problem *problem = model->problem;
	uint32_t count = 0;

	for (uint32_t i = problem->demand_first[alternative];
	     i < problem->demand_first[alternative + 1]; i++) {
		uint32_t pool = problem->counters[problem->demands[i]].pool;

		if (pack_model_pool_binds(model, pool))
			list[count++] = pool;
	}
	for (uint32_t i = model->want_first[alternative];
	     i < model->want_first[alternative + 1]; i++) {
		uint32_t setting = model->wants[i].setting;

		if (model->value_count[setting] > 1)
			list[count++] = problem->pool_count + setting;
	}
	return count;
}

/*
 * Join all sites of an item; returns one of them, or PACK_NONE if it has an
 * alternative without any.
 */
static uint32_t
join_item(const struct map *map, uint32_t item)
{
	const uint32_t *first = &map->model->problem->alternative_first[item];
	uint32_t *sites = map->sites, count = 0;

	for (uint32_t a = first[0]; a < first[1]; a++) {
		uint32_t more = list_sites(map, a, &sites[count]);

		if (!more)
			return PACK_NONE;
		count += more;
	}
	for (uint32_t i = 1; i < count; i++)
		map->towards[centre_of(map, sites[i])] =
			centre_of(map, sites[0]);
	return sites[0];
}

/* Number the islands by their first items. */
static void
number_islands(const struct map *map, struct pack_islands *islands)
{
	uint32_t items = map->model->problem->item_count;

	for (uint32_t i = 0; i < items; i++)
		islands->of[i] = join_item(map, i);
	for (uint32_t i = 0; i < items; i++) {
		uint32_t centre;

		if (islands->of[i] == PACK_NONE)
			continue;
		centre = centre_of(map, islands->of[i]);
		if (map->number[centre] == PACK_NONE)
			map->number[centre] = islands->count++;
		islands->of[i] = map->number[centre];
	}
}

/* The island of a site, or NULL if nobody is there. */
static struct pack_island *
island_at(const struct map *map, const struct pack_islands *islands,
	  uint32_t site)
{
	uint32_t number = map->number[centre_of(map, site)];

	return number == PACK_NONE ? NULL : &islands->all[number];
}

static void
list_items(const struct pack_model *model, struct pack_islands *islands,
	   uint32_t *list)
{
	uint32_t items = model->problem->item_count;

	for (uint32_t i = 0; i < items; i++) {
		if (islands->of[i] != PACK_NONE)
			islands->all[islands->of[i]].item_count++;
	}
	for (uint32_t n = 0; n < islands->count; n++) {
		islands->all[n].items = list;
		list += islands->all[n].item_count;
		islands->all[n].item_count = 0;
	}
	for (uint32_t i = 0; i < items; i++) {
		struct pack_island *island;

		if (islands->of[i] == PACK_NONE)
			continue;
		island = &islands->all[islands->of[i]];
		island->items[island->item_count++] = i;
	}
}

static void
list_rules(const struct map *map, struct pack_islands *islands, uint32_t *list)
{
	const struct pack_model *model = map->model;

	for (uint32_t r = 0; r < model->rule_count; r++) {
		struct pack_island *island =
			island_at(map, islands, model->rules[r].pool);

		if (island)
			island->rule_count++;
	}
	for (uint32_t n = 0; n < islands->count; n++) {
		islands->all[n].rules = list;
		list += islands->all[n].rule_count;
		islands->all[n].rule_count = 0;
	}
	for (uint32_t r = 0; r < model->rule_count; r++) {
		struct pack_island *island =
			island_at(map, islands, model->rules[r].pool);

		if (island)
			island->rules[island->rule_count++] = r;
	}
}

/* The main setting of an island is the one with most values. */
static void
choose_settings(const struct map *map, struct pack_islands *islands)
{
	const struct pack_problem *problem = map->model->problem;
	const uint32_t *values = map->model->value_count;

	for (uint32_t n = 0; n < islands->count; n++)
		islands->all[n].setting = PACK_NONE;
	for (uint32_t s = 0; s < problem->setting_count; s++) {
		struct pack_island *island =
			island_at(map, islands, problem->pool_count + s);

		if (island && values[s] > island->value_count) {
			island->setting = s;
			island->value_count = values[s];
		}
	}
}

static int
fill_islands(const struct map *map, struct pack_islands *islands,
	     struct pack_memory *memory)
{
	const struct pack_model *model = map->model;
	uint32_t *items, *rules;

	islands->all =
		pack_memory_take(memory, islands->count, sizeof(*islands->all));
	items = pack_memory_numbers(memory, model->problem->item_count);
	rules = pack_memory_numbers(memory, model->rule_count);
	if (memory->is_short)
		return -ENOMEM;
	list_items(model, islands, items);
	list_rules(map, islands, rules);
	choose_settings(map, islands);
	return 0;
}

int
pack_islands_init(struct pack_islands *islands, const struct pack_model *model,
		  struct pack_memory *memory)
{
	const struct pack_problem *problem = model->problem;
	size_t sites = (size_t)problem->pool_count + problem->setting_count;
	struct pack_memory scratch = { 0 };
	const struct map map = {
		.model = model,
		.towards = pack_memory_numbers(&scratch, sites),
		.number = pack_memory_numbers(&scratch, sites),
		.sites = pack_memory_numbers(&scratch,
					     3 * (size_t)problem->demand_count),
	};
	int ret = -ENOMEM;

	*islands = (struct pack_islands){
		.of = pack_memory_numbers(memory, problem->item_count),
	};
	if (!memory->is_short && !scratch.is_short) {
		for (uint32_t i = 0; i < sites; i++) {
			map.towards[i] = i;
			map.number[i] = PACK_NONE;
		}
		number_islands(&map, islands);
		ret = fill_islands(&map, islands, memory);
	}
	pack_memory_release(&scratch);
	return ret;
}
