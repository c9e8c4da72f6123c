/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fewest passes for the items of a small problem, by trying everything.
 */
#ifndef DRMPERF_TESTS_PLAN_PACK_BRUTE_H
#define DRMPERF_TESTS_PLAN_PACK_BRUTE_H

#include <stdint.h>

#include "plan/pack/problem.h"

#define BRUTE_ITEMS_MAX 11

/*
 * Return how many passes are needed: each of the items, at least one and not
 * more than that, must fit a pass.
 */
uint32_t
brute_fewest(const struct pack_problem *problem);

#endif /* DRMPERF_TESTS_PLAN_PACK_BRUTE_H */
