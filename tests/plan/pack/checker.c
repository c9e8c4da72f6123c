/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/pack/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_MAX 64
#define COUNTERS_MAX 100000

static bool
list_contains(const uint32_t *list, uint32_t count, uint32_t element)
{
	for (uint32_t i = 0; i < count; i++) {
		if (list[i] == element)
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------ */
/* One pool                                                             */

/* Counters of one pool, and the slots they have been given so far. */
struct seating {
	const struct pack_problem *problem;
	const uint32_t *counters;
	uint32_t count;
	uint32_t slots;
	uint32_t slot_of[SLOTS_MAX]; /* per counter, PACK_NONE */
	bool taken[SLOTS_MAX];
};

static bool
may_sit(const struct seating *seating, uint32_t at, uint32_t slot)
{
	const struct pack_counter *counter =
		&seating->problem->counters[seating->counters[at]];

	if (seating->taken[slot] || !(counter->slots >> slot & 1))
		return false;
	for (uint32_t i = 0; i < seating->count; i++) {
		const struct pack_counter *other =
			&seating->problem->counters[seating->counters[i]];

		if (seating->slot_of[i] == PACK_NONE)
			continue;
		if (counter->after == seating->counters[i] &&
		    slot != seating->slot_of[i] + 1)
			return false;
		if (other->after == seating->counters[at] &&
		    slot + 1 != seating->slot_of[i])
			return false;
	}
	return true;
}

static uint32_t
count_seats(const struct seating *seating, uint32_t at)
{
	uint32_t count = 0;

	for (uint32_t slot = 0; slot < seating->slots; slot++)
		count += may_sit(seating, at, slot);
	return count;
}

/* Seat the counter with the fewest possible slots, then the others. */
static bool
seat_all(struct seating *seating, uint32_t left)
{
	uint32_t best = PACK_NONE, fewest = PACK_NONE;

	if (!left)
		return true;
	for (uint32_t i = 0; i < seating->count; i++) {
		uint32_t seats;

		if (seating->slot_of[i] != PACK_NONE)
			continue;
		seats = count_seats(seating, i);
		if (seats < fewest) {
			fewest = seats;
			best = i;
		}
	}
	for (uint32_t slot = 0; fewest && slot < seating->slots; slot++) {
		if (!may_sit(seating, best, slot))
			continue;
		seating->slot_of[best] = slot;
		seating->taken[slot] = true;
		if (seat_all(seating, left - 1))
			return true;
		seating->taken[slot] = false;
		seating->slot_of[best] = PACK_NONE;
	}
	return false;
}

static bool
pool_holds(const struct pack_problem *problem, uint32_t slots,
	   const uint32_t *counters, uint32_t count)
{
	struct seating seating = {
		.problem = problem,
		.counters = counters,
		.count = count,
		.slots = slots,
	};

	if (slots == PACK_UNLIMITED)
		return true;
	if (count > slots)
		return false;
	if (slots > SLOTS_MAX)
		return true;
	for (uint32_t i = 0; i < SLOTS_MAX; i++)
		seating.slot_of[i] = PACK_NONE;
	return seat_all(&seating, count);
}

/* ------------------------------------------------------------------ */
/* One pass                                                             */

/* Note a wanted value; false if another is wanted already. */
static bool
value_require(uint64_t *values, uint32_t setting, uint32_t value)
{
	if (setting == PACK_NONE)
		return true;
	if (values[setting] == UINT64_MAX)
		values[setting] = value;
	return values[setting] == value;
}

static bool
settings_agree(const struct pack_problem *problem, const uint32_t *counters,
	       uint32_t count)
{
	uint64_t *values =
		malloc((problem->setting_count + 1) * sizeof(*values));
	bool agree = values != NULL;

	for (uint32_t i = 0; agree && i < problem->setting_count; i++)
		values[i] = UINT64_MAX;
	for (uint32_t i = 0; agree && i < count; i++) {
		const struct pack_counter *counter =
			&problem->counters[counters[i]];
		const struct pack_pool *pool = &problem->pools[counter->pool];

		agree = value_require(values, counter->setting,
				      counter->value) &&
			value_require(values, pool->setting, pool->value);
	}
	free(values);
	return agree;
}

bool
checker_fits(const struct pack_problem *problem, const uint32_t *counters,
	     uint32_t count)
{
	uint32_t *members = malloc((count + 1) * sizeof(*members));
	bool fits = members && settings_agree(problem, counters, count);

	for (uint32_t i = 0; fits && i < count; i++) {
		uint32_t pool = problem->counters[counters[i]].pool;
		uint32_t in_pool = 0;
		bool first = true;

		for (uint32_t j = 0; j < count; j++) {
			if (problem->counters[counters[j]].pool != pool)
				continue;
			first = first && j >= i;
			members[in_pool++] = counters[j];
		}
		if (first)
			fits = pool_holds(problem, problem->pools[pool].slots,
					  members, in_pool);
	}
	free(members);
	return fits;
}

/* ------------------------------------------------------------------ */
/* Items                                                                */

/* Append the demands of an alternative that are not in the list yet. */
static uint32_t
add_demands(const struct pack_problem *problem, uint32_t alternative,
	    uint32_t *list, uint32_t count)
{
	for (uint32_t i = problem->demand_first[alternative];
	     i < problem->demand_first[alternative + 1]; i++) {
		if (!list_contains(list, count, problem->demands[i]))
			list[count++] = problem->demands[i];
	}
	return count;
}

static bool
try_items(const struct pack_problem *problem, const uint32_t *items,
	  uint32_t count, uint32_t *list, uint32_t listed)
{
	uint32_t item;

	if (!checker_fits(problem, list, listed))
		return false;
	if (!count)
		return true;
	item = items[0];
	for (uint32_t a = problem->alternative_first[item];
	     a < problem->alternative_first[item + 1]; a++) {
		uint32_t more = add_demands(problem, a, list, listed);

		if (try_items(problem, items + 1, count - 1, list, more))
			return true;
	}
	return false;
}

bool
checker_items_fit(const struct pack_problem *problem, const uint32_t *items,
		  uint32_t count)
{
	uint32_t *list = calloc(problem->counter_count + 1, sizeof(*list));
	bool fits = list && try_items(problem, items, count, list, 0);

	free(list);
	return fits;
}

/* ------------------------------------------------------------------ */
/* A plan                                                               */

static bool
is_served(const struct pack_problem *problem, uint32_t alternative,
	  const uint32_t *counters, uint32_t count)
{
	for (uint32_t i = problem->demand_first[alternative];
	     i < problem->demand_first[alternative + 1]; i++) {
		if (!list_contains(counters, count, problem->demands[i]))
			return false;
	}
	return true;
}

static bool
alternative_is_own(const struct pack_problem *problem, size_t item,
		   uint32_t alternative)
{
	return alternative >= problem->alternative_first[item] &&
	       alternative < problem->alternative_first[item + 1];
}

/* What the passes say about each item. */
struct census {
	uint32_t *passes; /* it is in */
	uint32_t *alternatives; /* of the last one */
	/* counters of the passes it is in, a row per split item only */
	bool *seen; /* per demand of its alternative */
};

static bool
check_pass(const struct pack_problem *problem, const struct pack_plan *plan,
	   uint32_t pass, struct census *census, char *complaint, size_t size)
{
	const struct pack_pass *at = &plan->passes[pass];
	const uint32_t *counters = at->counters;
	uint32_t count = at->counter_count;

	if (!at->item_count) {
		snprintf(complaint, size, "pass %u is empty", pass);
		return false;
	}
	if (!checker_fits(problem, counters, count)) {
		snprintf(complaint, size, "pass %u is not possible", pass);
		return false;
	}
	for (uint32_t i = 0; i < at->item_count; i++) {
		size_t item = at->items[i];
		uint32_t a = at->alternatives[i];

		if (item >= problem->item_count ||
		    (i && item <= at->items[i - 1]) ||
		    !alternative_is_own(problem, item, a)) {
			snprintf(complaint, size, "pass %u, item %u", pass, i);
			return false;
		}
		census->passes[item]++;
		for (uint32_t d = problem->demand_first[a];
		     d < problem->demand_first[a + 1]; d++) {
			if (list_contains(counters, count, problem->demands[d]))
				census->seen[d] = true;
		}
		if (census->passes[item] > 1 &&
		    census->alternatives[item] != a) {
			snprintf(complaint, size, "item %zu: two alternatives",
				 item);
			return false;
		}
		census->alternatives[item] = a;
		if (plan->states[item] == PACK_STATE_WHOLE &&
		    !is_served(problem, a, counters, count)) {
			snprintf(complaint, size, "item %zu lacks a counter",
				 item);
			return false;
		}
	}
	return true;
}

static bool
check_item(const struct pack_problem *problem, const struct pack_plan *plan,
	   uint32_t item, const struct census *census, char *complaint,
	   size_t size)
{
	uint32_t passes = census->passes[item];
	uint32_t a = census->alternatives[item];
	bool alone = checker_items_fit(problem, &item, 1);
	bool right = false;

	switch (plan->states[item]) {
	case PACK_STATE_WHOLE:
		right = alone && passes == 1;
		break;
	case PACK_STATE_CUT:
		right = !alone && passes > 1;
		for (uint32_t d = problem->demand_first[a];
		     d < problem->demand_first[a + 1]; d++)
			right = right && census->seen[d];
		break;
	case PACK_STATE_LEFT_OUT:
		right = !alone && !passes;
		break;
	}
	if (!right)
		snprintf(complaint, size, "item %u: state %d in %u passes",
			 item, plan->states[item], passes);
	return right;
}

bool
checker_accepts(const struct pack_problem *problem,
		const struct pack_plan *plan, char *complaint, size_t size)
{
	struct census census = {
		.passes = calloc(problem->item_count + 1, sizeof(uint32_t)),
		.alternatives =
			calloc(problem->item_count + 1, sizeof(uint32_t)),
		.seen = calloc(problem->demand_count + 1, sizeof(bool)),
	};
	bool right = census.passes && census.alternatives && census.seen;

	snprintf(complaint, size, "out of memory");
	for (uint32_t i = 0; right && i < plan->pass_count; i++)
		right = check_pass(problem, plan, i, &census, complaint, size);
	for (uint32_t i = 0; right && i < problem->item_count; i++)
		right = check_item(problem, plan, i, &census, complaint, size);
	if (right && plan->bound > plan->pass_count) {
		snprintf(complaint, size, "the bound is above the plan");
		right = false;
	}
	free(census.passes);
	free(census.alternatives);
	free(census.seen);
	return right;
}
