/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A second opinion on packing: checks what lib/pack.h gives against the
 * problem itself, sharing no code with it.
 */
#ifndef DRMPERF_TESTS_PLAN_PACK_CHECKER_H
#define DRMPERF_TESTS_PLAN_PACK_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/pack/pack.h"

/* Return whether counters (each once, any order) can count in one pass. */
bool checker_fits(const struct pack_problem *problem, const uint32_t *counters,
		  uint32_t count);

/*
 * Return whether items fit one pass, by trying all combinations of
 * alternatives.
 */
bool checker_items_fit(const struct pack_problem *problem,
		       const uint32_t *items, uint32_t count);

/*
 * Return whether every item is served as the plan says, and every pass is
 * possible. Writes what is wrong to complaint.
 */
bool checker_accepts(const struct pack_problem *problem,
		     const struct pack_plan *plan, char *complaint,
		     size_t size);

#endif /* DRMPERF_TESTS_PLAN_PACK_CHECKER_H */
