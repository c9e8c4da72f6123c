/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fewest passes for all items of a model, each of which fits a pass.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_SOLVE_H
#define DRMPERF_LIB_PLAN_PACK_SOLVE_H

#include <stdint.h>

#include "plan/pack/passes.h"

/*
 * Find places for the items, in as few passes as that number of steps shows.
 * passes has a row per item, and holds nothing of use afterwards. *pass_count
 * becomes the number of passes, *bound how many there must be. Items that are
 * in no other's way have no place: any pass takes them. If all are, the numbers
 * are as before. Returns 0, or -ENOMEM.
 */
int
pack_solve(struct pack_passes *passes, uint64_t steps, struct arena *arena,
	   struct pack_assignment *assignment, uint32_t *pass_count,
	   uint32_t *bound);

#endif /* DRMPERF_LIB_PLAN_PACK_SOLVE_H */
