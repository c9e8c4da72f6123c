/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random packing problems, the same ones on every machine.
 */
#ifndef DRMPERF_TESTS_PLAN_PACK_RANDOM_H
#define DRMPERF_TESTS_PLAN_PACK_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/pack/problem.h"

/* What a problem is made of. Numbers are upper limits, 1 at least. */
struct random_kind {
	const char *name;
	uint32_t items;
	uint32_t pools;
	uint32_t slots; /* of a pool, and at least 1 */
	uint32_t counters; /* of a pool */
	uint32_t demands;  /* of an alternative */
	uint32_t alternatives;
	uint32_t settings;
	uint32_t values;
	/* of a hundred: counters that want a value ... */
	uint32_t setting_share;
	uint32_t mask_share;  /* ... that fit some slots only ... */
	uint32_t chain_share; /* ... that sit after another */
	uint32_t exclusive_share; /* pools that want a value */
	uint32_t tie_share; /* counters that stay with others when split */
};

/*
 * Add a problem to others. One after the other, they are like devices:
 * nothing of one limits what is in the other.
 */
void random_problem(const struct random_kind *kind, uint64_t *state,
		    struct pack_problem *out);

#endif /* DRMPERF_TESTS_PLAN_PACK_RANDOM_H */
