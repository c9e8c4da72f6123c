/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Islands: items that are in each other's way, directly or through others.
 * What is on different islands does not meet: pass n of a plan is pass n of
 * each of them.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_ISLAND_H
#define DRMPERF_LIB_PLAN_PACK_ISLAND_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/pack/memory.h"
#include "plan/pack/model.h"

struct pack_island {
	uint32_t *items; /* rising */
	uint32_t item_count;
	uint32_t *rules; /* that its items can break */
	uint32_t rule_count;
	uint32_t setting;     /* the main one, or PACK_NONE */
	uint32_t value_count; /* of it */
	/* for those who plan it */
	uint32_t pass_count, bound;
	bool is_fitted;
};

struct pack_islands {
	struct pack_island *all; /* by their first items */
	uint32_t count;
	/* per item, PACK_NONE for those that are in nobody's way */
	uint32_t *of;
};

/* -ENOMEM. */
int pack_islands_init(struct pack_islands *islands,
		      const struct pack_model *model,
		      struct pack_memory *memory);

#endif /* DRMPERF_LIB_PLAN_PACK_ISLAND_H */
