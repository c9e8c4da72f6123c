/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of struct pack, for pack_explain.c and pack_plan.c. */
#ifndef DRMPERF_LIB_PLAN_PACK_PRIVATE_H
#define DRMPERF_LIB_PLAN_PACK_PRIVATE_H

#include "base/arena.h"
#include "plan/pack/pack.h"
#include "plan/pack/space.h"

struct pack {
	struct arena *arena;
	struct pack_space space;
	struct pack_rule_origin *origins; /* per rule */
	uint32_t *counter_pools;	  /* per counter: of the problem */
	uint32_t *pool_slots;		  /* per pool of the problem */
	/* a row per choice that pack_fits() has to make, and two */
	struct pack_passes passes;
	uint32_t *open;	   /* positions of items with several alternatives */
	uint32_t *cursor;  /* per choice: the next alternative to try */
	uint32_t *chosen;  /* per position: alternative */
	/* for pack_explain() */
	uint32_t *list;	 /* items to be asked about */
	uint32_t *involved, *positions; /* items that matter, and where */
	uint32_t *holders, *removal, *choices;
};

/*
 * Memory for pack_fits() and pack_explain() over pack->space; the passes are to
 * be finished. -ENOMEM.
 */
int pack_scratch_init(struct pack *pack);

#endif /* DRMPERF_LIB_PLAN_PACK_PRIVATE_H */
