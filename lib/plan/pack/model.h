/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A packing problem in the form that is searched.
 *
 * The capacity of a pool becomes constraints: a constraint is a set of
 * counters, and the number of them that a pass holds at most. One constraint
 * says how many slots a pool has; further ones say how many counters fit the
 * slots that can hold them (for every union of slot masks: those that fit
 * nowhere else; Hall's theorem makes that exact). A constraint that nothing can
 * break is none. Where constraints do not settle what fits, because counters
 * sit side by side, the slots are tried as well.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_MODEL_H
#define DRMPERF_LIB_PLAN_PACK_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/pack/problem.h"

/* A setting must have this value. */
struct pack_requirement {
	uint32_t setting, value;
};

struct pack_constraint {
	uint32_t pool;
	uint64_t slots;	    /* it is about counters that fit no others */
	bool is_whole_pool; /* these are all slots of the pool */
	uint32_t limit;	    /* how many of its counters a pass holds */
};

struct pack_model {
	const struct pack_problem *problem;
	uint32_t constraint_count;
	uint32_t words; /* of a set of counters */

	/* per alternative; values are numbered from 0 for each setting */
	uint32_t *requirement_first; /* in wants */
	struct pack_requirement *requirements; /* a setting once */
	uint32_t *clash; /* a setting of which it wants two values, or NONE */
	uint32_t *value_count;	/* per setting */

	/* per counter */
	struct pack_requirement (
		*counter_requirements)[2]; /* setting may be PACK_NONE */
	uint32_t *obeyed_first, *obeyed; /* constraints */

	/* per pool */
	uint32_t *counter_first, *counters; /* that anybody needs; rising */
	uint32_t *constraint_first;
	bool *tries_slots; /* constraints do not settle what fits */

	struct pack_constraint *constraints;
};

/*
 * Make a model of a problem, which must live as long as the model. The arena
 * shows if memory is short.
 */
void
pack_model_init(struct pack_model *model, const struct pack_problem *problem,
		struct arena *arena);

/* Take numbers, all 0; as arena_array(). */
static inline uint32_t *
pack_numbers(struct arena *arena, size_t count)
{
	return arena_array(arena, count, sizeof(uint32_t));
}

/*
 * Sort the numbers below count by their groups, without those of PACK_NONE:
 * range g of the list becomes group g. The arena shows if memory is short.
 */
void
pack_group(const uint32_t *group, uint32_t count, uint32_t groups,
	   struct arena *arena, uint32_t **first, uint32_t **list);

/* Return the slots of its pool that a counter can use. */
static inline uint64_t
pack_model_slots(const struct pack_model *model, uint32_t counter)
{
	const struct pack_counter *record = &model->problem->counters[counter];
	const struct pack_pool *pool = &model->problem->pools[record->pool];

	return pack_pool_slots(pool) &
	       (pool->slots > 64 ? PACK_ANY_SLOT : record->slots);
}

/*
 * Return the value that an alternative wants a setting to have, or PACK_NONE.
 */
static inline uint32_t
pack_model_value(const struct pack_model *model, uint32_t alternative,
		 uint32_t setting)
{
	PACK_EACH(i, model->requirement_first, alternative) {
		if (model->requirements[i].setting == setting)
			return model->requirements[i].value;
	}
	return PACK_NONE;
}

/* ------------------------------------------------------------------ */
/* component.c                                                          */

/*
 * Components of the graph of conflicts: items that are in each other's way,
 * directly or through others. What is on different components does not meet:
 * pass n of a plan is pass n of each of them.
 */
struct pack_component {
	uint32_t *items; /* rising */
	uint32_t item_count;
	uint32_t *constraints; /* that its items can break */
	uint32_t constraint_count;
	uint32_t setting; /* the main one, or PACK_NONE */
	uint32_t value_count; /* of it */
	uint32_t pass_count, bound; /* for the solver, 0 until then */
};

struct pack_components {
	struct pack_component *all; /* by their first items */
	uint32_t count;
	/* per item, PACK_NONE for those that conflict with none */
	uint32_t *of;
};

/* Find the components. The arena shows if memory is short. */
void
pack_components_init(struct pack_components *components,
		     const struct pack_model *model, struct arena *arena);

#endif /* DRMPERF_LIB_PLAN_PACK_MODEL_H */
