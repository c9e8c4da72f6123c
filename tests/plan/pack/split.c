/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/pack/reference.h"

#include <stdlib.h>

static bool
is_followed(const struct pack_problem *problem, uint32_t alternative,
	    uint32_t counter)
{
	for (uint32_t i = problem->demand_first[alternative];
	     i < problem->demand_first[alternative + 1]; i++) {
		if (problem->counters[problem->demands[i]].after == counter)
			return true;
	}
	return false;
}

/* Add the ends of chains that belong to one part, and what is before them. */
static bool
add_part(const struct pack_problem *problem, uint32_t a, uint32_t first,
	 bool *is_done, struct pack_problem *out)
{
	uint32_t begin = problem->demand_first[a];
	uint32_t tie = problem->counters[problem->demands[first]].tie;
	bool found = false;

	for (uint32_t i = first; i < problem->demand_first[a + 1]; i++) {
		uint32_t counter = problem->demands[i];

		if (is_done[i - begin] || is_followed(problem, a, counter) ||
		    (i != first &&
		     (!tie || problem->counters[counter].tie != tie)))
			continue;
		is_done[i - begin] = found = true;
		for (; counter != PACK_NONE;
		     counter = problem->counters[counter].after)
			pack_problem_add_demand(out, counter);
	}
	return found;
}

/*
 * Split into one item per counter that nothing sits after, or for all with its
 * tie.
 */
static void
item_split(const struct pack_problem *problem, uint32_t item,
	   struct pack_problem *out)
{
	uint32_t a = problem->alternative_first[item];
	uint32_t first = problem->demand_first[a];
	uint32_t end = problem->demand_first[a + 1];
	bool *is_done = calloc(end - first + 1, sizeof(*is_done));

	if (!is_done)
		abort();
	for (uint32_t i = first; i < end; i++) {
		if (is_done[i - first] ||
		    is_followed(problem, a, problem->demands[i]) ||
		    !add_part(problem, a, i, is_done, out))
			continue;
		pack_problem_end_alternative(out);
		pack_problem_end_item(out);
	}
	free(is_done);
}

static void
keep_item(const struct pack_problem *problem, uint32_t item,
	  struct pack_problem *out)
{
	for (uint32_t a = problem->alternative_first[item];
	     a < problem->alternative_first[item + 1]; a++) {
		for (uint32_t i = problem->demand_first[a];
		     i < problem->demand_first[a + 1]; i++)
			pack_problem_add_demand(out, problem->demands[i]);
		pack_problem_end_alternative(out);
	}
	pack_problem_end_item(out);
}

void
split_problem(const struct pack_problem *problem, const struct pack_plan *plan,
	      struct pack_problem *out)
{
	*out = (struct pack_problem){ 0 };
	while (out->setting_count < problem->setting_count)
		pack_problem_add_setting(out);
	for (uint32_t i = 0; i < problem->pool_count; i++)
		pack_problem_add_pool(out, &problem->pools[i]);
	for (uint32_t i = 0; i < problem->counter_count; i++)
		pack_problem_add_counter(out, &problem->counters[i]);
	for (uint32_t i = 0; i < problem->item_count; i++) {
		switch (plan->states[i]) {
		case PACK_STATE_WHOLE:
			keep_item(problem, i, out);
			break;
		case PACK_STATE_CUT:
			item_split(problem, i, out);
			break;
		case PACK_STATE_LEFT_OUT:
			break;
		}
	}
}
