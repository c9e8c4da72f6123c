/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/solve.h"

#include <string.h>

/* Weights are multiples of this part of a pass. */
#define WEIGHT_UNIT UINT64_C(65536)

/* ------------------------------------------------------------------ */
/* Twins                                                                */

/*
 * Return whether counters obey the same constraints and want the same settings.
 */
static bool
are_of_a_kind(const struct pack_model *model, uint32_t a, uint32_t b)
{
	const uint32_t *first = model->obeyed_first;
	uint32_t count = pack_range_size(first, a);

	return pack_range_size(first, b) == count &&
	       !memcmp(&model->obeyed[first[a]], &model->obeyed[first[b]],
		       count * sizeof(*model->obeyed)) &&
	       !memcmp(model->counter_requirements[a],
		       model->counter_requirements[b],
		       sizeof(*model->counter_requirements));
}

/* Return the lowest counter of the pool that is of a kind with this one. */
static uint32_t
kind_of(const struct pack_model *model, uint32_t counter)
{
	uint32_t at =
		model->counter_first[model->problem->counters[counter].pool];

	while (!are_of_a_kind(model, model->counters[at], counter))
		at++;
	return model->counters[at];
}

/*
 * Return the counter of an item that needs one, which no other item needs and
 * whose slots need not be tried; or PACK_NONE.
 */
static uint32_t
only_counter(const struct pack_model *model, uint32_t item,
	     const uint32_t *users)
{
	const struct pack_problem *problem = model->problem;
	uint32_t a = problem->alternative_first[item], counter;

	if (pack_range_size(problem->alternative_first, item) != 1 ||
	    pack_range_size(problem->demand_first, a) != 1)
		return PACK_NONE;
	counter = problem->demands[problem->demand_first[a]];
	if (users[counter] > 1 ||
	    model->tries_slots[problem->counters[counter].pool])
		return PACK_NONE;
	return counter;
}

/*
 * Find items that are twins; users holds, per counter, how many alternatives
 * have it. last is scratch, per counter.
 */
static void
find_twins(struct pack_presolve *presolve, uint32_t *last,
	   const uint32_t *users)
{
	const struct pack_model *model = presolve->model;

	memset(last, 0xff, model->problem->counter_count * sizeof(*last));
	for (uint32_t i = 0; i < model->problem->item_count; i++) {
		uint32_t counter = only_counter(model, i, users), kind;

		presolve->twin[i] = PACK_NONE;
		if (counter == PACK_NONE)
			continue;
		kind = kind_of(model, counter);
		presolve->twin[i] = last[kind];
		last[kind] = i;
	}
}

/* ------------------------------------------------------------------ */
/* Weights                                                              */

/*
 * Weigh the counters. A counter takes 1/limit of its constraint in a pass, and
 * that is the dearer the more passes the constraint alone asks for. pressure is
 * zeroed, one per constraint.
 */
static void
weigh_counters(const struct pack_model *model, uint64_t *weight,
	       uint64_t *pressure)
{
	uint32_t counters = model->problem->counter_count;

	for (uint32_t i = 0; i < model->obeyed_first[counters]; i++)
		pressure[model->obeyed[i]]++;
	for (uint32_t c = 0; c < counters; c++) {
		PACK_EACH(i, model->obeyed_first, c) {
			uint32_t constraint = model->obeyed[i];
			uint64_t limit = model->constraints[constraint].limit;

			weight[c] += WEIGHT_UNIT * pressure[constraint] /
				     (limit * limit);
		}
	}
}

/* Weigh the items: each is as heavy as the lightest of its alternatives. */
static void
weigh_items(struct pack_presolve *presolve, const uint64_t *weight)
{
	const struct pack_problem *problem = presolve->model->problem;

	for (uint32_t item = 0; item < problem->item_count; item++) {
		presolve->item_weight[item] = UINT64_MAX;
		PACK_EACH(a, problem->alternative_first, item) {
			uint64_t sum = 0;

			PACK_EACH(i, problem->demand_first, a)
				sum += weight[problem->demands[i]];
			if (sum < presolve->item_weight[item])
				presolve->item_weight[item] = sum;
		}
	}
}

void
pack_presolve_init(struct pack_presolve *presolve,
		   const struct pack_model *model, struct arena *arena)
{
	const struct pack_problem *problem = model->problem;
	size_t items = problem->item_count, counters = problem->counter_count;
	uint32_t *users = pack_numbers(arena, counters);
	uint32_t *last = pack_numbers(arena, counters);
	uint64_t *weight = arena_array(arena, counters, sizeof(*weight));
	uint64_t *pressure =
		arena_array(arena, model->constraint_count, sizeof(*pressure));

	*presolve = (struct pack_presolve){
		.model = model,
		.twin = pack_numbers(arena, items),
		.item_weight = arena_array(arena, items, sizeof(uint64_t)),
	};
	if (arena_is_short(arena))
		return;
	for (uint32_t i = 0; i < problem->demand_count; i++)
		users[problem->demands[i]]++;
	find_twins(presolve, last, users);
	weigh_counters(model, weight, pressure);
	weigh_items(presolve, weight);
}
