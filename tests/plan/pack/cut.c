/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/plan/pack/cut.h"

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

/* One item per counter that nothing sits after, with those before it. */
static void
cut(const struct pack_problem *problem, uint32_t item, struct pack_problem *out)
{
	uint32_t a = problem->alternative_first[item];

	for (uint32_t i = problem->demand_first[a];
	     i < problem->demand_first[a + 1]; i++) {
		uint32_t counter = problem->demands[i];

		if (is_followed(problem, a, counter))
			continue;
		for (; counter != PACK_NONE;
		     counter = problem->counters[counter].after)
			pack_problem_add_demand(out, counter);
		pack_problem_end_alternative(out);
		pack_problem_end_item(out);
	}
}

static void
keep(const struct pack_problem *problem, uint32_t item,
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
cut_problem(const struct pack_problem *problem, const struct pack_plan *plan,
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
			keep(problem, i, out);
			break;
		case PACK_STATE_CUT:
			cut(problem, i, out);
			break;
		case PACK_STATE_LEFT_OUT:
			break;
		}
	}
}
