/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps from a problem to a plan, and the parts of its solver. */
#ifndef DRMPERF_LIB_PLAN_PACK_SOLVE_H
#define DRMPERF_LIB_PLAN_PACK_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/pack/pack.h"
#include "plan/pack/passes.h"

/* ------------------------------------------------------------------ */
/* split.c                                                              */

/*
 * A problem without what fits no pass: such items are left out, or split into
 * parts, which become items in their place.
 */
struct pack_split {
	struct pack_problem problem;
	struct pack *pack; /* of that problem */
	/* per item: whose it is, or of which it is a part; rising */
	uint32_t *items;
	bool *is_part;
	/* per alternative: where it comes from; parts of an item: the same */
	uint32_t *alternatives;
};

/*
 * Begin to split, from the pack of the original problem, and say what becomes
 * of its items; without leave, nothing is split. Returns 0, or -ENOMEM. To be
 * finished in any case, before the arena is destroyed.
 */
int
pack_split_init(struct pack_split *split, struct pack *pack, bool leave,
		enum pack_state *states, struct arena *arena);
void
pack_split_finish(struct pack_split *split);

/* ------------------------------------------------------------------ */
/* twins.c                                                              */

/*
 * Return, per item, the twin before it, or PACK_NONE. Twins could change
 * places: they have the same constraints and settings, and counters that no
 * other item needs. The arena shows if memory is short.
 */
uint32_t *
pack_twins_create(const struct pack_model *model, struct arena *arena);

/* ------------------------------------------------------------------ */
/* search.c                                                             */

/* Search for a plan of all items of a component in a given number of passes. */
struct pack_search;

/*
 * Create a search for any of the components, in rows of passes, one per item.
 * Weights are per item: the heaviest are placed first. twin is what
 * pack_twins_create() returned. Places, which the search writes to, are those
 * of the user. The arena shows if memory is short.
 */
struct pack_search *
pack_search_create(const uint64_t *weight, const uint32_t *twin,
		   struct pack_passes *passes,
		   const struct pack_assignment *assignment,
		   struct arena *arena);

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

/* ------------------------------------------------------------------ */
/* solve.c                                                              */

/*
 * Find places for the items, in as few passes as that number of steps shows.
 * passes has a row per item, and holds nothing of use afterwards. *pass_count
 * becomes the number of passes, *bound how many there must be. Items that are
 * in no other's way have no place: any pass takes them. If all are, the numbers
 * are as before. Returns 0, or -ENOMEM.
 */
int
pack_solve(struct pack *pack, struct pack_passes *passes, uint64_t steps,
	   struct arena *arena, struct pack_assignment *assignment,
	   uint32_t *pass_count, uint32_t *bound);

#endif /* DRMPERF_LIB_PLAN_PACK_SOLVE_H */
