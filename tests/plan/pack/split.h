/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The problem that is left once a plan has decided what to split and what to
 * leave out: every item of it fits a pass.
 */
#ifndef DRMPERF_TESTS_PLAN_PACK_SPLIT_H
#define DRMPERF_TESTS_PLAN_PACK_SPLIT_H

#include "plan/pack/pack.h"

/* Split a problem: every part of an item that was split becomes an item. */
void
split_problem(const struct pack_problem *problem, const struct pack_plan *plan,
	      struct pack_problem *out);

#endif /* DRMPERF_TESTS_PLAN_PACK_SPLIT_H */
