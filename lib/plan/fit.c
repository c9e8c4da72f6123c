/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/fit.h"

#include <stdlib.h>

/* An array that grows with what the problem has. */
struct pass_table {
	uint32_t *entries;
	size_t count, room;
};

struct plan_fit {
	struct state_memo memo; /* the first member */
	struct plan_problem problem;
	struct drmperf_selection *selections;
	uint32_t *alternatives; /* that serves each of them */
	size_t count, room; /* of both */
	/* what the pass has */
	struct pass_table counters; /* 1: it is counted */
	struct pass_table pools; /* how many of the slots are used */
	struct pass_table settings; /* the value, or PACK_NONE */
};

/* Grow a table; entries that were not there are initial. */
static bool
grow_table(struct pass_table *table, size_t count, uint32_t initial)
{
	uint32_t *entries = table->entries;

	if (count > table->room) {
		entries = reallocarray(entries, 2 * count, sizeof(*entries));
		if (!entries)
			return false;
		table->entries = entries;
		table->room = 2 * count;
	}
	for (; table->count < count; table->count++)
		entries[table->count] = initial;
	return true;
}

static bool
grow_pass(struct plan_fit *fit)
{
	const struct pack_problem *packing = &fit->problem.packing;

	return grow_table(&fit->counters, packing->counter_count, 0) &&
	       grow_table(&fit->pools, packing->pool_count, 0) &&
	       grow_table(&fit->settings, packing->setting_count, PACK_NONE);
}

static bool
reserve_items(struct plan_fit *fit, size_t count)
{
	struct drmperf_selection *selections = fit->selections;
	uint32_t *alternatives = fit->alternatives;

	if (count <= fit->room)
		return true;
	selections = reallocarray(selections, 2 * count, sizeof(*selections));
	if (!selections)
		return false;
	fit->selections = selections;
	alternatives =
		reallocarray(alternatives, 2 * count, sizeof(*alternatives));
	if (!alternatives)
		return false;
	fit->alternatives = alternatives;
	fit->room = 2 * count;
	return true;
}

/* ------------------------------------------------------------------ */
/* The pass                                                             */

static bool
agrees_with_setting(const struct plan_fit *fit, uint32_t setting,
		    uint32_t value)
{
	return setting == PACK_NONE ||
	       fit->settings.entries[setting] == PACK_NONE ||
	       fit->settings.entries[setting] == value;
}

/*
 * Return whether a counter can sit in all slots of its pool, and one is left.
 */
static bool
finds_slot(const struct plan_fit *fit, const struct pack_counter *counter)
{
	const struct pack_pool *pool =
		&fit->problem.packing.pools[counter->pool];
	const uint64_t all = pool->slots < 64 ? (UINT64_C(1) << pool->slots) - 1
					      : UINT64_MAX;

	return pool->slots == PACK_UNLIMITED ||
	       (counter->after == PACK_NONE && !(all & ~counter->slots) &&
		fit->pools.entries[counter->pool] < pool->slots);
}

static bool
counter_fits(const struct plan_fit *fit, const struct pack_counter *counter)
{
	const struct pack_pool *pool =
		&fit->problem.packing.pools[counter->pool];

	return finds_slot(fit, counter) &&
	       agrees_with_setting(fit, pool->setting, pool->value) &&
	       agrees_with_setting(fit, counter->setting, counter->value);
}

static void
set_value(struct plan_fit *fit, uint32_t setting, uint32_t value)
{
	if (setting != PACK_NONE)
		fit->settings.entries[setting] = value;
}

static void
insert_counter(struct plan_fit *fit, uint32_t index)
{
	const struct pack_problem *packing = &fit->problem.packing;
	const struct pack_counter *counter = &packing->counters[index];
	const struct pack_pool *pool = &packing->pools[counter->pool];

	fit->counters.entries[index] = 1;
	fit->pools.entries[counter->pool]++;
	set_value(fit, pool->setting, pool->value);
	set_value(fit, counter->setting, counter->value);
}

/* Put an alternative into the pass; checked: only if it fits in any case. */
static bool
add_alternative(struct plan_fit *fit, uint32_t alternative, bool checked)
{
	const struct pack_problem *packing = &fit->problem.packing;
	uint32_t at = packing->demand_first[alternative];

	for (; at < packing->demand_first[alternative + 1]; at++) {
		const uint32_t counter = packing->demands[at];

		if (fit->counters.entries[counter])
			continue;
		if (checked && !counter_fits(fit, &packing->counters[counter]))
			return false;
		insert_counter(fit, counter);
	}
	return true;
}

/* ------------------------------------------------------------------ */

static void
destroy_fit(struct state_memo *memo)
{
	struct plan_fit *fit = (struct plan_fit *)memo;

	plan_problem_finish(&fit->problem);
	free(fit->selections);
	free(fit->alternatives);
	free(fit->counters.entries);
	free(fit->pools.entries);
	free(fit->settings.entries);
	free(fit);
}

void
plan_fit_destroy(struct plan_fit *fit)
{
	if (fit)
		destroy_fit(&fit->memo);
}

static struct plan_fit *
create_fit(struct plan_problem *problem, size_t count,
	   const uint32_t *alternatives)
{
	struct plan_fit *fit = calloc(1, sizeof(*fit));

	if (!fit)
		return NULL;
	fit->memo.destroy = destroy_fit;
	if (!reserve_items(fit, count))
		goto no_memory;
	for (size_t i = 0; i < count; i++) {
		fit->selections[i] = problem->selections[i];
		fit->alternatives[i] = alternatives[i];
	}
	fit->count = count;
	plan_problem_move(&fit->problem, problem);
	if (!grow_pass(fit))
		goto no_memory;
	for (size_t i = 0; i < count; i++)
		add_alternative(fit, alternatives[i], false);
	return fit;

no_memory:
	plan_fit_destroy(fit);
	return NULL;
}

static bool
begins_with(const struct drmperf_selection *selections,
	    const struct plan_fit *fit)
{
	for (size_t i = 0; i < fit->count; i++) {
		if (selections[i].event != fit->selections[i].event ||
		    selections[i].instance != fit->selections[i].instance)
			return false;
	}
	return true;
}

static bool
add_last(struct plan_fit *fit)
{
	const struct pack_problem *packing = &fit->problem.packing;
	const uint32_t *first = packing->alternative_first;
	const size_t last = fit->count - 1;

	if (!grow_pass(fit) || first[last + 1] - first[last] != 1)
		return false;
	fit->alternatives[last] = first[last];
	return add_alternative(fit, first[last], true);
}

/* Add what selections have beyond those of the fit, if that shows they fit. */
static bool
extend_fit(struct plan_fit *fit, const struct drmperf_selection *selections,
	   size_t count)
{
	if (count < fit->count || !begins_with(selections, fit) ||
	    !reserve_items(fit, count))
		return false;
	while (fit->count < count) {
		fit->selections[fit->count] = selections[fit->count];
		fit->count++;
		if (!plan_problem_add(&fit->problem, fit->selections,
				      fit->count) ||
		    !add_last(fit))
			return false;
	}
	return true;
}

struct plan_fit *
plan_fit_take(struct drmperf *drmperf)
{
	return (struct plan_fit *)atomic_exchange(&drmperf->memo, NULL);
}

void
plan_fit_keep(struct drmperf *drmperf, struct plan_fit *fit)
{
	plan_fit_destroy(
		(struct plan_fit *)atomic_exchange(&drmperf->memo, &fit->memo));
}

void
plan_fit_remember(struct drmperf *drmperf, struct plan_problem *problem,
		  size_t count, const uint32_t *alternatives)
{
	struct plan_fit *fit = create_fit(problem, count, alternatives);

	if (fit)
		plan_fit_keep(drmperf, fit);
}

bool
plan_fit_shows(struct drmperf *drmperf,
	       const struct drmperf_selection *selections, size_t count,
	       const struct drmperf_event **chosen)
{
	struct plan_fit *fit = plan_fit_take(drmperf);

	if (!fit || !extend_fit(fit, selections, count)) {
		plan_fit_destroy(fit);
		return false;
	}
	for (size_t i = 0; chosen && i < count; i++)
		chosen[i] = fit->problem.alternatives[fit->alternatives[i]];
	plan_fit_keep(drmperf, fit);
	return true;
}
