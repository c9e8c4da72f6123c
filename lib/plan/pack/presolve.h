/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts about items and counters before any pass is filled: what an item needs
 * whichever alternative serves it, which items are as good as each other, and
 * how scarce things are.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_PRESOLVE_H
#define DRMPERF_LIB_PLAN_PACK_PRESOLVE_H

#include <stdint.h>

#include "plan/pack/model.h"

struct pack_presolve {
	const struct pack_model *model;
	/* Counters that all alternatives of an item have. */
	uint32_t *sure_first; /* per item, in sure */
	uint32_t *sure;
	/*
	 * Twins could change places: the same constraints and settings, and
	 * counters that no other item needs. Each points to the one before, or
	 * PACK_NONE.
	 */
	uint32_t *twin;
	uint64_t *item_weight; /* need of scarce hardware, by item */
};

/* Prepare a model for the search. Returns 0, or -ENOMEM. */
int
pack_presolve_init(struct pack_presolve *presolve,
		   const struct pack_model *model, struct arena *arena);

#endif /* DRMPERF_LIB_PLAN_PACK_PRESOLVE_H */
