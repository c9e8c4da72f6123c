/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Components of the graph of conflicts: items that are in each other's way,
 * directly or through others. What is on different components does not meet:
 * pass n of a plan is pass n of each of them.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_COMPONENT_H
#define DRMPERF_LIB_PLAN_PACK_COMPONENT_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/pack/model.h"

struct pack_component {
	uint32_t *items; /* rising */
	uint32_t item_count;
	uint32_t *constraints; /* that its items can break */
	uint32_t constraint_count;
	uint32_t setting; /* the main one, or PACK_NONE */
	uint32_t value_count; /* of it */
	/* for its planner */
	uint32_t pass_count, bound;
	bool is_fitted;
};

struct pack_components {
	struct pack_component *all; /* by their first items */
	uint32_t count;
	/* per item, PACK_NONE for those that conflict with none */
	uint32_t *of;
};

/* Find the components. Returns 0, or -ENOMEM. */
int
pack_components_init(struct pack_components *components,
		     const struct pack_model *model, struct arena *arena);

/*
 * Compute a bound of the passes that a component with a main setting needs,
 * from what its items accept: where every item insists on some value, each pass
 * serves the items that accept its value. Prices for items, such that no
 * value's items cost more than one pass in all, bound the passes from below by
 * their sum: the dual of set covering. *bound is 1 at least. Returns 0, or
 * -ENOMEM.
 */
int
pack_cover_bound(const struct pack_model *model,
		 const struct pack_component *component, struct arena *arena,
		 uint32_t *bound);

#endif /* DRMPERF_LIB_PLAN_PACK_COMPONENT_H */
