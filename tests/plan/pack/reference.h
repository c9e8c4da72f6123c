/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What plans are compared with: the fewest passes of a small problem, by trying
 * everything, and those of a large one, by plain first-fit-decreasing.
 */
#ifndef DRMPERF_TESTS_PLAN_PACK_REFERENCE_H
#define DRMPERF_TESTS_PLAN_PACK_REFERENCE_H

#include <stdint.h>

#include "plan/pack/pack.h"
#include "plan/pack/problem.h"

#define BRUTE_ITEMS_MAX 11

/*
 * Return how many passes are needed: each of the items, at least one and not
 * more than that, must fit a pass.
 */
uint32_t
brute_fewest(const struct pack_problem *problem);

/* Return the number of passes that it takes for all items that fit any. */
uint32_t
plain_passes(const struct pack_problem *problem);

/*
 * Make the problem that is left once a plan has decided what to split and what
 * to leave out: every part of an item that was split becomes an item, and each
 * fits a pass.
 */
void
split_problem(const struct pack_problem *problem, const struct pack_plan *plan,
	      struct pack_problem *out);

#endif /* DRMPERF_TESTS_PLAN_PACK_REFERENCE_H */
