/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/model.h"

/*
 * Pools, and behind them settings, are sites: an item joins all sites where it
 * can be in the way. What stays apart are the components.
 */
struct map {
	const struct pack_model *model;
	uint32_t *towards; /* per site: another of its component, or itself */
	/* per site where others lead: its component, or PACK_NONE */
	uint32_t *number;
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

/* List the sites of an alternative; returns how many. */
static uint32_t
list_sites(const struct map *map, uint32_t alternative, uint32_t *list)
{
	const struct pack_model *model = map->model;
	const struct pack_problem *problem = model->problem;
	uint32_t count = 0;

	PACK_EACH(i, problem->demand_first, alternative) {
		uint32_t pool = problem->counters[problem->demands[i]].pool;

		/* one that can be in the way of any item */
		if (pack_range_size(model->constraint_first, pool) ||
		    model->tries_slots[pool])
			list[count++] = pool;
	}
	PACK_EACH(i, model->requirement_first, alternative) {
		uint32_t setting = model->requirements[i].setting;

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
	uint32_t *sites = map->sites, count = 0;

	PACK_EACH(a, map->model->problem->alternative_first, item) {
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

/* Number the components by their first items. */
static void
number_components(const struct map *map, struct pack_components *components)
{
	uint32_t items = map->model->problem->item_count;

	for (uint32_t i = 0; i < items; i++)
		components->of[i] = join_item(map, i);
	for (uint32_t i = 0; i < items; i++) {
		uint32_t centre;

		if (components->of[i] == PACK_NONE)
			continue;
		centre = centre_of(map, components->of[i]);
		if (map->number[centre] == PACK_NONE)
			map->number[centre] = components->count++;
		components->of[i] = map->number[centre];
	}
}

/* Choose the main setting of each component, the one with most values. */
static void
choose_settings(const struct map *map, struct pack_components *components)
{
	const struct pack_problem *problem = map->model->problem;
	const uint32_t *values = map->model->value_count;

	for (uint32_t s = 0; s < problem->setting_count; s++) {
		uint32_t n =
			map->number[centre_of(map, problem->pool_count + s)];

		if (n != PACK_NONE &&
		    values[s] > components->all[n].value_count) {
			components->all[n].setting = s;
			components->all[n].value_count = values[s];
		}
	}
}

static void
fill_components(const struct map *map, struct pack_components *components,
		struct arena *arena)
{
	const struct pack_model *model = map->model;
	uint32_t *item_first, *items, *constraint_first, *constraints;
	uint32_t *of = pack_numbers(arena, model->constraint_count);

	components->all =
		arena_array(arena, components->count, sizeof(*components->all));
	for (uint32_t r = 0; of && r < model->constraint_count; r++)
		of[r] = map->number[centre_of(map, model->constraints[r].pool)];
	pack_group(components->of, model->problem->item_count,
		   components->count, arena, &item_first, &items);
	pack_group(of, model->constraint_count, components->count, arena,
		   &constraint_first, &constraints);
	if (arena_is_short(arena))
		return;
	for (uint32_t n = 0; n < components->count; n++)
		components->all[n] = (struct pack_component){
			.items = &items[item_first[n]],
			.item_count = pack_range_size(item_first, n),
			.constraints = &constraints[constraint_first[n]],
			.constraint_count =
				pack_range_size(constraint_first, n),
			.setting = PACK_NONE,
		};
	choose_settings(map, components);
}

void
pack_components_init(struct pack_components *components,
		     const struct pack_model *model, struct arena *arena)
{
	const struct pack_problem *problem = model->problem;
	size_t sites = (size_t)problem->pool_count + problem->setting_count;
	const struct map map = {
		.model = model,
		.towards = pack_numbers(arena, sites),
		.number = pack_numbers(arena, sites),
		.sites = pack_numbers(arena, 3 * (size_t)problem->demand_count),
	};

	*components = (struct pack_components){
		.of = pack_numbers(arena, problem->item_count),
	};
	if (arena_is_short(arena))
		return;
	for (uint32_t i = 0; i < sites; i++) {
		map.towards[i] = i;
		map.number[i] = PACK_NONE;
	}
	number_components(&map, components);
	fill_components(&map, components, arena);
}
