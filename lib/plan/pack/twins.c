/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/solve.h"

#include <stdlib.h>
#include <string.h>

/* Only items with one alternative are compared. */
struct comparison {
	const struct pack_problem *problem;
	uint32_t *kinds; /* per demand: of the counter, sorted in each item */
};

static int
compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

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

static int
compare_kinds(const struct comparison *comparison, uint32_t a, uint32_t b)
{
	const struct pack_problem *problem = comparison->problem;
	const uint32_t *first = problem->demand_first;
	uint32_t left = problem->alternative_first[a];
	uint32_t right = problem->alternative_first[b];
	uint32_t count = pack_range_size(first, left);

	if (count != pack_range_size(first, right))
		return count < pack_range_size(first, right) ? -1 : 1;
	return memcmp(&comparison->kinds[first[left]],
		      &comparison->kinds[first[right]],
		      count * sizeof(*comparison->kinds));
}

static int
compare_items(const void *left, const void *right, void *data)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int difference = compare_kinds(data, a, b);

	return difference ? difference : compare_numbers(left, right);
}

/* Return whether no other item needs any of the item's counters. */
static bool
keeps_to_itself(const struct pack_model *model, uint32_t item,
		const uint32_t *users)
{
	const struct pack_problem *problem = model->problem;

	if (pack_range_size(problem->alternative_first, item) != 1)
		return false;
	PACK_EACH(i, problem->demand_first, problem->alternative_first[item]) {
		uint32_t counter = problem->demands[i];

		if (users[counter] != 1 ||
		    model->tries_slots[problem->counters[counter].pool])
			return false;
	}
	return true;
}

/* Link each item with the one before that is of the same kinds. */
static void
link_twins(const struct comparison *comparison, uint32_t *order, uint32_t count,
	   uint32_t *twin)
{
	qsort_r(order, count, sizeof(*order), compare_items,
		(void *)comparison);
	for (uint32_t k = 1; k < count; k++) {
		if (!compare_kinds(comparison, order[k - 1], order[k]))
			twin[order[k]] = order[k - 1];
	}
}

uint32_t *
pack_twins_create(const struct pack_model *model, struct arena *arena)
{
	const struct pack_problem *problem = model->problem;
	uint32_t *twin = pack_numbers(arena, problem->item_count);
	uint32_t *users = pack_numbers(arena, problem->counter_count);
	uint32_t *kinds = pack_numbers(arena, problem->demand_count);
	uint32_t *order = pack_numbers(arena, problem->item_count), count = 0;
	const struct comparison comparison = { problem, kinds };

	if (arena_is_short(arena))
		return NULL;
	for (uint32_t i = 0; i < problem->demand_count; i++)
		users[problem->demands[i]]++;
	for (uint32_t i = 0; i < problem->item_count; i++) {
		uint32_t a = problem->alternative_first[i];
		uint32_t *own = &kinds[problem->demand_first[a]];

		twin[i] = PACK_NONE;
		if (!keeps_to_itself(model, i, users))
			continue;
		order[count++] = i;
		PACK_EACH(k, problem->demand_first, a)
			kinds[k] = kind_of(model, problem->demands[k]);
		qsort(own, pack_range_size(problem->demand_first, a),
		      sizeof(*own), compare_numbers);
	}
	link_twins(&comparison, order, count, twin);
	return twin;
}
