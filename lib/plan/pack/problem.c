/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/problem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* Keep the first error, which is the one to report. */
static void
pack_problem_fail(struct pack_problem *problem, int error)
{
	if (!problem->error)
		problem->error = error;
}

bool
pack_problem_grow(struct pack_problem *problem, void *array, uint32_t count,
		  uint32_t *room, size_t size)
{
	uint32_t more = *room ? 2 * *room : 16;
	void *old, *elements;

	if (count < *room)
		return true;
	memcpy(&old, array, sizeof(old));
	elements = reallocarray(old, more, size);
	if (!elements) {
		pack_problem_fail(problem, -ENOMEM);
		return false;
	}
	memcpy(array, &elements, sizeof(elements));
	*room = more;
	return true;
}

static bool
setting_is_valid(const struct pack_problem *problem, uint32_t setting)
{
	return setting == PACK_NONE || setting < problem->setting_count;
}

static bool
counter_is_valid(const struct pack_problem *problem,
		 const struct pack_counter *counter)
{
	if (counter->pool >= problem->pool_count ||
	    !setting_is_valid(problem, counter->setting))
		return false;
	if (counter->after == PACK_NONE)
		return true;
	return counter->after < problem->counter_count &&
	       problem->counters[counter->after].pool == counter->pool;
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
	if (!setting_is_valid(problem, pool->setting))
		pack_problem_fail(problem, -EINVAL);
	if (!pack_problem_grow(problem, &problem->pools, problem->pool_count,
			       &problem->pool_room, sizeof(*pool)))
		return 0;
	problem->pools[problem->pool_count] = *pool;
	return problem->pool_count++;
}

uint32_t
pack_problem_add_counter(struct pack_problem *problem,
			 const struct pack_counter *counter)
{
	if (!counter_is_valid(problem, counter))
		pack_problem_fail(problem, -EINVAL);
	if (!pack_problem_grow(problem, &problem->counters,
			       problem->counter_count, &problem->counter_room,
			       sizeof(*counter)))
		return 0;
	problem->counters[problem->counter_count] = *counter;
	return problem->counter_count++;
}

/* Return the first demand that is in no alternative yet. */
static uint32_t
first_open_demand(const struct pack_problem *problem)
{
	uint32_t count = problem->alternative_count;

	return count ? problem->demand_first[count] : 0;
}

void
pack_problem_add_demand(struct pack_problem *problem, uint32_t counter)
{
	uint32_t at = problem->demand_count;
	uint32_t first = first_open_demand(problem);
	uint32_t *demands;

	if (counter >= problem->counter_count)
		pack_problem_fail(problem, -EINVAL);
	if (!pack_problem_grow(problem, &problem->demands, at,
			       &problem->demand_room, sizeof(*demands)))
		return;
	demands = problem->demands;
	/* most come in order */
	while (at > first && demands[at - 1] > counter)
		at--;
	if (at > first && demands[at - 1] == counter)
		return;
	for (uint32_t i = problem->demand_count++; i > at; i--)
		demands[i] = demands[i - 1];
	demands[at] = counter;
}

/* Return whether the open demands have every counter before one of them. */
static bool
demands_are_complete(const struct pack_problem *problem)
{
	uint32_t first = first_open_demand(problem);
	const uint32_t *demands = problem->demands;

	for (uint32_t i = first; i < problem->demand_count; i++) {
		uint32_t after = problem->counters[demands[i]].after;
		uint32_t at = first;

		while (after != PACK_NONE && at < i && demands[at] != after)
			at++;
		if (after != PACK_NONE && at == i)
			return false;
	}
	return true;
}

/* Note that a range ends here: first has count ranges so far. */
static uint32_t *
end_range(struct pack_problem *problem, uint32_t *first, uint32_t count,
	  uint32_t *room, uint32_t end)
{
	if (!pack_problem_grow(problem, &first, count + 1, room,
			       sizeof(*first)))
		return first;
	first[0] = 0;
	first[count + 1] = end;
	return first;
}

uint32_t
pack_problem_end_alternative(struct pack_problem *problem)
{
	if (!problem->error && !demands_are_complete(problem))
		pack_problem_fail(problem, -EINVAL);
	problem->demand_first = end_range(
		problem, problem->demand_first, problem->alternative_count,
		&problem->alternative_room, problem->demand_count);
	return problem->error ? 0 : problem->alternative_count++;
}

uint32_t
pack_problem_end_item(struct pack_problem *problem)
{
	uint32_t count = problem->item_count;

	if (problem->alternative_count ==
	    (count ? problem->alternative_first[count] : 0))
		pack_problem_fail(problem, -EINVAL);
	problem->alternative_first =
		end_range(problem, problem->alternative_first, count,
			  &problem->item_room, problem->alternative_count);
	return problem->error ? 0 : problem->item_count++;
}
