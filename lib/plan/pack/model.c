/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/slot_match.h"

/*
 * Unions of slot masks that are worth a constraint each; where there are more,
 * slots are tried.
 */
#define UNIONS_MAX 64

void
pack_group(const uint32_t *group, uint32_t count, uint32_t groups,
	   struct arena *arena, uint32_t **first, uint32_t **list)
{
	uint32_t *end = pack_numbers(arena, (size_t)groups + 2);

	*first = end;
	*list = pack_numbers(arena, count);
	if (arena_is_short(arena))
		return;
	for (uint32_t i = 0; i < count; i++) {
		if (group[i] != PACK_NONE)
			end[group[i] + 2]++;
	}
	for (uint32_t g = 0; g < groups; g++)
		end[g + 2] += end[g + 1];
	for (uint32_t i = 0; i < count; i++) {
		if (group[i] != PACK_NONE)
			(*list)[end[group[i] + 1]++] = i;
	}
}

/* ------------------------------------------------------------------ */
/* Settings                                                             */

static int
compare_requirements(const void *left, const void *right)
{
	const struct pack_requirement *a =
		*(struct pack_requirement *const *)left;
	const struct pack_requirement *b =
		*(struct pack_requirement *const *)right;

	if (a->setting != b->setting)
		return a->setting < b->setting ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/*
 * Read the settings that counters want, themselves and by their pools, as
 * given.
 */
static void
read_requirements(struct pack_model *model)
{
	const struct pack_problem *problem = model->problem;

	for (uint32_t c = 0; c < problem->counter_count; c++) {
		const struct pack_counter *own = &problem->counters[c];
		const struct pack_pool *pool = &problem->pools[own->pool];
		struct pack_requirement *requirements =
			model->counter_requirements[c];

		requirements[0] =
			(struct pack_requirement){ own->setting, own->value };
		requirements[1] =
			(struct pack_requirement){ pool->setting, pool->value };
	}
}

/* Number the values of each setting by rank; all is scratch. */
static void
number_values(struct pack_model *model, struct pack_requirement **all)
{
	size_t requirements = 2 * (size_t)model->problem->counter_count;
	struct pack_requirement *requirement = model->counter_requirements[0];
	struct pack_requirement before = { .setting = PACK_NONE };
	size_t count = 0;

	for (size_t i = 0; i < requirements; i++) {
		if (requirement[i].setting != PACK_NONE)
			all[count++] = &requirement[i];
	}
	qsort(all, count, sizeof(*all), compare_requirements);
	for (size_t i = 0; i < count; i++) {
		struct pack_requirement given = *all[i];
		uint32_t *values = &model->value_count[given.setting];

		if (given.setting != before.setting ||
		    given.value != before.value)
			++*values;
		all[i]->value = *values - 1;
		before = given;
	}
}

/* Add what is wanted, or see that it is, or cannot be. */
static void
add_requirement(struct pack_model *model, uint32_t alternative,
		const struct pack_requirement *requirement)
{
	uint32_t *end = &model->requirement_first[alternative + 1];
	uint32_t value =
		pack_model_value(model, alternative, requirement->setting);

	if (value == PACK_NONE)
		model->requirements[(*end)++] = *requirement;
	else if (value != requirement->value)
		model->clash[alternative] = requirement->setting;
}

static void
add_requirements(struct pack_model *model, uint32_t alternative)
{
	const struct pack_problem *problem = model->problem;

	model->clash[alternative] = PACK_NONE;
	model->requirement_first[alternative + 1] =
		model->requirement_first[alternative];
	PACK_EACH(i, problem->demand_first, alternative) {
		const struct pack_requirement *requirements =
			model->counter_requirements[problem->demands[i]];

		for (int k = 0; k < 2; k++) {
			if (requirements[k].setting != PACK_NONE)
				add_requirement(model, alternative,
						&requirements[k]);
		}
	}
}

static void
read_settings(struct pack_model *model, struct arena *arena)
{
	const struct pack_problem *problem = model->problem;
	size_t counters = problem->counter_count;
	struct pack_requirement **all =
		arena_array(arena, 2 * counters, sizeof(*all));

	model->value_count = pack_numbers(arena, problem->setting_count);
	model->counter_requirements = arena_array(
		arena, counters, sizeof(*model->counter_requirements));
	model->requirement_first =
		pack_numbers(arena, (size_t)problem->alternative_count + 1);
	model->requirements =
		arena_array(arena, 2 * (size_t)problem->demand_count + 1,
			    sizeof(*model->requirements));
	model->clash = pack_numbers(arena, problem->alternative_count);
	if (arena_is_short(arena))
		return;
	read_requirements(model);
	number_values(model, all);
	for (uint32_t a = 0; a < problem->alternative_count; a++)
		add_requirements(model, a);
}

/* ------------------------------------------------------------------ */
/* Rules                                                                */

/* The unions of the slot masks of a pool's counters. */
struct unions {
	uint64_t masks[UNIONS_MAX];
	uint32_t count;
	bool overflow; /* more than there is room for */
};

static void
add_union(struct unions *unions, uint64_t mask)
{
	for (uint32_t i = 0; i < unions->count; i++) {
		if (unions->masks[i] == mask)
			return;
	}
	if (unions->count == UNIONS_MAX)
		unions->overflow = true;
	else
		unions->masks[unions->count++] = mask;
}

/* Close the set of masks under union. */
static void
find_unions(const struct pack_model *model, uint32_t pool,
	    struct unions *unions)
{
	uint32_t masks;

	PACK_EACH(i, model->counter_first, pool)
		add_union(unions, pack_model_slots(model, model->counters[i]));
	masks = unions->count;
	for (uint32_t i = 0; i < unions->count && !unions->overflow; i++) {
		for (uint32_t j = 0; j < masks; j++)
			add_union(unions, unions->masks[i] | unions->masks[j]);
	}
}

/*
 * Add a constraint for the counters that fit these slots only, if it can be
 * broken.
 */
static void
add_constraint(struct pack_model *model, uint32_t pool, uint64_t slots,
	       uint32_t limit)
{
	const struct pack_pool *record = &model->problem->pools[pool];
	uint32_t count = 0;

	PACK_EACH(i, model->counter_first, pool)
		count +=
			!(pack_model_slots(model, model->counters[i]) & ~slots);
	if (count <= limit)
		return;
	model->constraints[model->constraint_count++] =
		(struct pack_constraint){
			.pool = pool,
			.slots = slots,
			.is_whole_pool = slots == pack_pool_slots(record),
			.limit = limit,
		};
	model->constraint_first[pool + 1] = model->constraint_count;
}

/*
 * Return whether counting slots does not show if counters can sit side by side:
 * some do not fit all slots, or two want to follow the same one.
 */
static bool
has_neighbours(const struct pack_model *model, uint32_t pool, bool has_masks)
{
	const struct pack_counter *counters = model->problem->counters;

	PACK_EACH(i, model->counter_first, pool) {
		uint32_t after = counters[model->counters[i]].after;
		uint32_t k = model->counter_first[pool];

		if (after != PACK_NONE && has_masks)
			return true;
		for (; after != PACK_NONE && k < i; k++) {
			if (counters[model->counters[k]].after == after)
				return true;
		}
	}
	return false;
}

static void
read_pool(struct pack_model *model, uint32_t pool)
{
	const struct pack_pool *record = &model->problem->pools[pool];
	struct unions unions = { .count = 0 };
	uint64_t all = pack_pool_slots(record);
	bool has_masks;

	if (record->slots == PACK_UNLIMITED)
		return;
	add_constraint(model, pool, all, record->slots);
	find_unions(model, pool, &unions);
	for (uint32_t i = 0; i < unions.count; i++) {
		uint64_t mask = unions.masks[i];

		if (mask != all)
			add_constraint(model, pool, mask,
				       (uint32_t)__builtin_popcountll(mask));
	}
	has_masks = unions.count > 1 || unions.masks[0] != all;
	model->tries_slots[pool] =
		record->slots <= SLOTS_MAX &&
		(unions.overflow || has_neighbours(model, pool, has_masks));
}

/* Sort the counters that are needed by pool; pools is scratch per counter. */
static void
sort_counters(struct pack_model *model, uint32_t *pools, struct arena *arena)
{
	const struct pack_problem *problem = model->problem;

	for (uint32_t c = 0; c < problem->counter_count; c++)
		pools[c] = PACK_NONE;
	for (uint32_t i = 0; i < problem->demand_count; i++)
		pools[problem->demands[i]] =
			problem->counters[problem->demands[i]].pool;
	pack_group(pools, problem->counter_count, problem->pool_count, arena,
		   &model->counter_first, &model->counters);
}

/* List which constraints each counter obeys. */
static void
list_obeyed(struct pack_model *model, struct arena *arena)
{
	const struct pack_problem *problem = model->problem;
	uint32_t at = 0;
	size_t most = 0;

	for (uint32_t c = 0; c < problem->counter_count; c++) {
		most += pack_range_size(model->constraint_first,
					problem->counters[c].pool);
	}
	model->obeyed_first =
		pack_numbers(arena, (size_t)problem->counter_count + 1);
	model->obeyed = pack_numbers(arena, most);
	for (uint32_t c = 0;
	     !arena_is_short(arena) && c < problem->counter_count; c++) {
		uint64_t slots = pack_model_slots(model, c);

		PACK_EACH(r, model->constraint_first,
			  problem->counters[c].pool) {
			if (!(slots & ~model->constraints[r].slots))
				model->obeyed[at++] = r;
		}
		model->obeyed_first[c + 1] = at;
	}
}

static void
read_pools(struct pack_model *model, struct arena *arena)
{
	const struct pack_problem *problem = model->problem;
	size_t pools = problem->pool_count;
	uint32_t *scratch = pack_numbers(arena, problem->counter_count);

	if (scratch)
		sort_counters(model, scratch, arena);
	model->constraint_first = pack_numbers(arena, pools + 1);
	model->constraints = arena_array(arena, pools * (UNIONS_MAX + 1),
					 sizeof(*model->constraints));
	model->tries_slots = arena_array(arena, pools, sizeof(bool));
	if (arena_is_short(arena))
		return;
	for (uint32_t p = 0; p < problem->pool_count; p++) {
		model->constraint_first[p + 1] = model->constraint_count;
		read_pool(model, p);
	}
	list_obeyed(model, arena);
}

void
pack_model_init(struct pack_model *model, const struct pack_problem *problem,
		struct arena *arena)
{
	*model = (struct pack_model){
		.problem = problem,
		.words = problem->counter_count / 32 + 1,
	};
	read_settings(model, arena);
	read_pools(model, arena);
}
