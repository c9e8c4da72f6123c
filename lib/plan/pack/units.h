/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is packed: the items of a problem, and in place of those that fit no
 * pass the counters they need, if they may be cut.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_UNITS_H
#define DRMPERF_LIB_PLAN_PACK_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/pack/private.h"

struct pack_units {
	struct pack_space space; /* its items are the units */
	uint32_t *items; /* per unit: whose it is; rising */
	/*
	 * Per unit: the first of its alternatives in the problem. All parts of
	 * an item come from the same one.
	 */
	uint32_t *alternatives;
	bool *is_part;	/* per unit */
	enum pack_state *states; /* per item of the problem */
};

/* Everything is in the arena. -ENOMEM. */
int pack_units_init(struct pack_units *units, struct pack *pack, bool cut,
		    struct arena *arena);

#endif /* DRMPERF_LIB_PLAN_PACK_UNITS_H */
