/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What need not be searched: everything that cannot be in the way of anything,
 * and items that others bring along. What remains falls into parts that do not
 * limit each other.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_REDUCE_H
#define DRMPERF_LIB_PLAN_PACK_REDUCE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/pack/space.h"

/* What becomes of an item. */
enum pack_role {
	PACK_ROLE_ACTIVE, /* is in a part */
	/*
	 * Rides along with its host, whose needs include its own, or fits
	 * any pass: see pack_ride().
	 */
	PACK_ROLE_RIDER,
	PACK_ROLE_MISFIT, /* fits no pass */
};

/* Each round can only drop more; hardly any list of events needs a third. */
#define PACK_REDUCE_ROUNDS 8

/* What can be violated at all, as seen in one round. */
struct pack_binding {
	bool *rules, *pools, *settings;
	bool *counters; /* by one of their rules, or their pool */
};

/* What is left to be searched. Arrays are per element of the space. */
struct pack_reduction {
	const struct pack_space *space;
	enum pack_role *roles; /* items */
	bool *alive; /* alternatives worth considering */
	struct pack_binding rounds[PACK_REDUCE_ROUNDS];
	uint32_t round; /* the last one; its binding is what counts */
	/* riders */
	uint32_t *hosts;       /* item, or PACK_NONE: any pass will do */
	uint32_t *drop_rounds; /* when it became one */
};

/* passes needs one row. The arrays are in the arena. -ENOMEM. */
int pack_reduce(const struct pack_space *space, struct pack_passes *passes,
		struct arena *arena, struct pack_reduction *out);

/*
 * The alternative with which a rider fits the pass of its host, if that is
 * served by host_alternative (of no effect without a host).
 *
 * It adds only what bound nothing in the round of dropping it. All that could
 * be added there was counted then and fits together, so the rider fits if
 * everybody sticks to this: active items to alternatives that are alive, and
 * riders to what this function says.
 */
uint32_t pack_ride(const struct pack_reduction *reduction, uint32_t rider,
		   uint32_t host_alternative);

/* A part: a space of its own, and where its members come from. */
struct pack_part {
	struct pack_space space;
	uint32_t *items;
	uint32_t *alternatives;
};

/* Divide the active items. Parts are ordered by their first item. -ENOMEM. */
int pack_divide(const struct pack_reduction *reduction, struct arena *arena,
		struct pack_part **parts, uint32_t *count);

#endif /* DRMPERF_LIB_PLAN_PACK_REDUCE_H */
