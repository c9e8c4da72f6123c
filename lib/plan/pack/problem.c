/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/problem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void
pack_problem_finish(struct pack_problem *problem)
{
	free(problem->pools);
	free(problem->counters);
	free(problem->demands);
	free(problem->demand_first);
	free(problem->alternative_first);
	*problem = (struct pack_problem){ 0 };
}

bool
pack_problem_grow(struct pack_problem *problem, void *array, uint32_t count,
		  size_t size)
{
	void *elements;

	memcpy(&elements, array, sizeof(elements));
	elements = array_grow(elements, count, size);
	if (elements)
		memcpy(array, &elements, sizeof(elements));
	else
		problem->error = -ENOMEM;
	return elements;
}

uint32_t
pack_problem_add_setting(struct pack_problem *problem)
{
	return problem->setting_count++;
}

uint32_t
pack_problem_add_pool(struct pack_problem *problem,
		      const struct pack_pool *pool)
{
	if (!PACK_GROW(problem, problem->pools, problem->pool_count))
		return 0;
	problem->pools[problem->pool_count] = *pool;
	return problem->pool_count++;
}

uint32_t
pack_problem_add_counter(struct pack_problem *problem,
			 const struct pack_counter *counter)
{
	if (!PACK_GROW(problem, problem->counters, problem->counter_count))
		return 0;
	problem->counters[problem->counter_count] = *counter;
	return problem->counter_count++;
}

void
pack_problem_add_demand(struct pack_problem *problem, uint32_t counter)
{
	uint32_t at = problem->demand_count;
	uint32_t *demands, first = 0;

	if (!PACK_GROW(problem, problem->demands, at))
		return;
	demands = problem->demands;
	if (problem->alternative_count)
		first = problem->demand_first[problem->alternative_count];
	/* most come in order */
	while (at > first && demands[at - 1] > counter)
		at--;
	if (at > first && demands[at - 1] == counter)
		return;
	for (uint32_t i = problem->demand_count++; i > at; i--)
		demands[i] = demands[i - 1];
	demands[at] = counter;
}

/*
 * Add the end of a range to those that are there; returns its index. The first
 * range brings its beginning along.
 */
static uint32_t
end_range(struct pack_problem *problem, uint32_t **first, uint32_t *count,
	  uint32_t end)
{
	if (!PACK_GROW(problem, *first, *count ? *count + 1 : 0) ||
	    problem->error)
		return 0;
	(*first)[0] = 0;
	(*first)[*count + 1] = end;
	return (*count)++;
}

uint32_t
pack_problem_end_alternative(struct pack_problem *problem)
{
	return end_range(problem, &problem->demand_first,
			 &problem->alternative_count, problem->demand_count);
}

uint32_t
pack_problem_end_item(struct pack_problem *problem)
{
	return end_range(problem, &problem->alternative_first,
			 &problem->item_count, problem->alternative_count);
}
