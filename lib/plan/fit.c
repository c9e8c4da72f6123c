/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/fit.h"

/* ------------------------------------------------------------------ */
/* The pass                                                             */

static bool
agrees_with_setting(const struct plan_problem *fit, uint32_t setting,
		    uint32_t value)
{
	return setting == PACK_NONE ||
	       fit->settings[setting].value == PACK_NONE ||
	       fit->settings[setting].value == value;
}

/*
 * Return whether a counter can sit in all slots of its pool, and one is left.
 */
static bool
finds_slot(const struct plan_problem *fit, const struct pack_counter *counter)
{
	const struct pack_pool *pool = &fit->packing.pools[counter->pool];

	return pool->slots == PACK_UNLIMITED ||
	       (counter->after == PACK_NONE &&
		!(pack_pool_slots(pool) & ~counter->slots) &&
		fit->pool_index.records[counter->pool].taken < pool->slots);
}

static bool
counter_fits(const struct plan_problem *fit, const struct pack_counter *counter)
{
	const struct pack_pool *pool = &fit->packing.pools[counter->pool];

	return finds_slot(fit, counter) &&
	       agrees_with_setting(fit, pool->setting, pool->value) &&
	       agrees_with_setting(fit, counter->setting, counter->value);
}

static void
set_value(struct plan_problem *fit, uint32_t setting, uint32_t value)
{
	if (setting != PACK_NONE)
		fit->settings[setting].value = value;
}

/* Put an item into the pass; checked: only if it fits in any case. */
static bool
insert_item(struct plan_problem *fit, uint32_t item, bool checked)
{
	const struct pack_problem *packing = &fit->packing;
	const uint32_t alternative = fit->items[item].alternative;

	PACK_EACH(at, packing->demand_first, alternative) {
		const uint32_t number = packing->demands[at];
		const struct pack_counter *counter = &packing->counters[number];
		const struct pack_pool *pool = &packing->pools[counter->pool];

		if (fit->counter_index.records[number].taken)
			continue;
		if (checked && !counter_fits(fit, counter))
			return false;
		fit->counter_index.records[number].taken = 1;
		fit->pool_index.records[counter->pool].taken++;
		set_value(fit, pool->setting, pool->value);
		set_value(fit, counter->setting, counter->value);
	}
	return true;
}

/* ------------------------------------------------------------------ */

/* Add a selection, if that shows that it fits. */
static bool
add_selection(struct plan_problem *fit,
	      const struct drmperf_selection *selection)
{
	const uint32_t last = fit->packing.item_count;
	const uint32_t *first;

	if (!plan_problem_add(fit, selection))
		return false;
	first = fit->packing.alternative_first;
	fit->items[last].alternative = first[last];
	return first[last + 1] - first[last] == 1 &&
	       insert_item(fit, last, true);
}

/* Add what selections have beyond those of the fit, if that shows they fit. */
static bool
extend_fit(struct plan_problem *fit, const struct drmperf_selection *selections,
	   size_t count)
{
	const uint32_t known = fit->packing.item_count;
	bool fits = count >= known;

	for (size_t i = 0; fits && i < known; i++)
		fits = fit->items[i].selection.event == selections[i].event &&
		       fit->items[i].selection.instance ==
			       selections[i].instance;
	for (size_t i = known; fits && i < count; i++)
		fits = add_selection(fit, &selections[i]);
	return fits;
}

struct plan_problem *
plan_fit_take(struct drmperf *drmperf)
{
	return (struct plan_problem *)atomic_exchange(&drmperf->memo, NULL);
}

void
plan_fit_keep(struct drmperf *drmperf, struct plan_problem *fit)
{
	plan_problem_destroy((struct plan_problem *)atomic_exchange(
		&drmperf->memo, &fit->memo));
}

static void
destroy_fit(struct state_memo *memo)
{
	plan_problem_destroy((struct plan_problem *)memo);
}

void
plan_fit_remember(struct drmperf *drmperf, struct plan_problem *problem,
		  const uint32_t *alternatives)
{
	problem->memo.destroy = destroy_fit;
	pack_destroy(problem->pack);
	problem->pack = NULL;
	for (uint32_t i = 0; i < problem->packing.item_count; i++) {
		problem->items[i].alternative = alternatives[i];
		insert_item(problem, i, false);
	}
	plan_fit_keep(drmperf, problem);
}

bool
plan_fit_shows(struct drmperf *drmperf,
	       const struct drmperf_selection *selections, size_t count,
	       const struct drmperf_event **chosen)
{
	struct plan_problem *fit = plan_fit_take(drmperf);

	if (!fit || !extend_fit(fit, selections, count)) {
		plan_problem_destroy(fit);
		return false;
	}
	for (size_t i = 0; chosen && i < count; i++)
		chosen[i] = fit->alternatives[fit->items[i].alternative];
	plan_fit_keep(drmperf, fit);
	return true;
}
