/* SPDX-License-Identifier: BSD-3-Clause */
/* Search for a plan of all items of a component in a given number of passes. */
#ifndef DRMPERF_LIB_PLAN_PACK_SEARCH_H
#define DRMPERF_LIB_PLAN_PACK_SEARCH_H

#include <stdint.h>

#include "plan/pack/component.h"
#include "plan/pack/passes.h"
#include "plan/pack/presolve.h"

struct pack_search;

/*
 * Create a search for any of the components, in rows of passes, one per item.
 * Places, which the search writes to, are those of the user. -ENOMEM.
 */
int
pack_search_create(const struct pack_presolve *presolve,
		   struct pack_passes *passes,
		   const struct pack_assignment *assignment,
		   struct arena *arena, struct pack_search **out);

/*
 * Return how many passes a component needs by counting, and no fewer than
 * least.
 */
uint32_t
pack_search_bound(struct pack_search *search,
		  const struct pack_component *component, uint32_t least);

enum pack_verdict {
	PACK_VERDICT_FOUND,
	PACK_VERDICT_IMPOSSIBLE,
	PACK_VERDICT_OPEN, /* passes->steps came to stop, or too large to try */
};

/*
 * Run the search. If a plan is found, limit becomes the number of passes that
 * it uses.
 */
enum pack_verdict
pack_search_run(struct pack_search *search,
		const struct pack_component *component, uint64_t stop,
		uint32_t *limit);

#endif /* DRMPERF_LIB_PLAN_PACK_SEARCH_H */
