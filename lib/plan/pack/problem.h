/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A packing problem: items that need counters go into the fewest passes. This
 * room knows numbers only; lib/plan says what they mean. The words:
 *
 * pool         hardware that holds a limited number of counters in one pass
 * counter      something a pool can count; items that need the same counter
 *              share its slot
 * setting      something that has one value during a pass: the stage mask of
 *              the shader sequencer, the metric set of an OA unit
 * demand       an alternative needs a counter
 * alternative  counters that together serve an item
 * item         one thing to be packed; any one of its alternatives will do
 *
 * An exclusive domain, of which one pool is active at a time, is a setting
 * whose values are its pools. A multiplexer next to counters of free choice is
 * a setting, and a pool without it. Counters that are always there sit in a
 * pool without limit. Hardware that selects per instance has a pool for each.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_PROBLEM_H
#define DRMPERF_LIB_PLAN_PACK_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACK_NONE UINT32_MAX
#define PACK_UNLIMITED UINT32_MAX /* slots of a pool */
#define PACK_ANY_SLOT UINT64_MAX

/*
 * Go over a range. Ranges are arrays one longer than what they belong to: those
 * of x are from first[x] up to, and without, first[x + 1].
 */
#define PACK_EACH(i, first, x)                                                 \
	for (uint32_t i = (first)[x], i##_end = (first)[(x) + 1]; i < i##_end; \
	     i++)

/* Return how many a range has. */
static inline uint32_t
pack_range_size(const uint32_t *first, uint32_t x)
{
	return first[x + 1] - first[x];
}

struct pack_pool {
	/* or PACK_UNLIMITED; above 64 slots, only their number matters */
	uint32_t slots;
	/* Value that a setting must have while the pool counts. */
	uint32_t setting; /* or PACK_NONE */
	uint32_t value;
};

/* Return the slots of a pool; where only their number matters, all. */
static inline uint64_t
pack_pool_slots(const struct pack_pool *pool)
{
	return pool->slots < 64 ? (UINT64_C(1) << pool->slots) - 1
				: PACK_ANY_SLOT;
}

struct pack_counter {
	uint32_t pool;
	/* Bit n: slot n can hold it. */
	uint64_t slots;
	/*
	 * The counter that sits in the slot before this one, by a lower index
	 * in the same pool, or PACK_NONE. Alternatives that need this counter
	 * need that one too. A counter is followed by one other at most.
	 */
	uint32_t after;
	uint32_t setting; /* or PACK_NONE */
	uint32_t value;
	/*
	 * 0, or what counters of one alternative have in common that belong to
	 * the same part of it: when it is split they stay together.
	 */
	uint32_t tie;
};

/* Zeroed is empty. Items have ranges of alternatives, and these of demands. */
struct pack_problem {
	struct pack_pool *pools;
	uint32_t pool_count;
	uint32_t setting_count;
	struct pack_counter *counters;
	uint32_t counter_count;
	uint32_t *demands; /* counters; rising in each alternative */
	uint32_t demand_count;
	uint32_t *demand_first;
	uint32_t alternative_count;
	uint32_t *alternative_first;
	uint32_t item_count;
	int error; /* -ENOMEM when something could not be added */
};

void pack_problem_finish(struct pack_problem *problem);

/*
 * Make room for one more element by array_grow(), in an array of the user's:
 * *array is a pointer to count elements of that size, and may change. Returns
 * false with the error noted.
 */
bool
pack_problem_grow(struct pack_problem *problem, void *array, uint32_t count,
		  size_t size);
#define PACK_GROW(problem, array, count)                                       \
	pack_problem_grow(problem, &(array), count, sizeof(*(array)))

/*
 * Add to a problem. A problem is made piece by piece: demands, then the end of
 * their alternative; alternatives, then the end of their item. Demands that are
 * repeated count once. Pools, counters and settings that are referred to are
 * there already, items have an alternative, and alternatives the counter before
 * each of their counters. Each function returns the index of the new one.
 */
uint32_t pack_problem_add_setting(struct pack_problem *problem);
uint32_t pack_problem_add_pool(struct pack_problem *problem,
			       const struct pack_pool *pool);
uint32_t pack_problem_add_counter(struct pack_problem *problem,
				  const struct pack_counter *counter);
void pack_problem_add_demand(struct pack_problem *problem, uint32_t counter);
uint32_t pack_problem_end_alternative(struct pack_problem *problem);
uint32_t pack_problem_end_item(struct pack_problem *problem);

#endif /* DRMPERF_LIB_PLAN_PACK_PROBLEM_H */
