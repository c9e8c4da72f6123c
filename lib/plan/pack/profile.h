/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is known about a space before any pass is filled: what every item needs
 * whichever alternative serves it, which items are as good as each other, and
 * how scarce things are.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_PROFILE_H
#define DRMPERF_LIB_PLAN_PACK_PROFILE_H

#include <stdint.h>

#include "plan/pack/space.h"

struct pack_profile {
	const struct pack_space *space;
	/* Counters that all alternatives of an item have. */
	uint32_t *sure_first; /* per item, in sure */
	uint32_t *sure;
	/*
	 * The setting that most items insist on, or PACK_NONE, and the value
	 * that an item wants in all its alternatives, or a counter in all that
	 * have it; or PACK_NONE.
	 */
	uint32_t setting;
	uint32_t value_count;
	uint32_t *item_value;
	uint32_t *counter_value;
	/*
	 * Items that could change places: same rules, same settings, and
	 * counters that nobody else needs. Each points to the one before in
	 * its class, or PACK_NONE.
	 */
	uint32_t *twin;
	/* The share of the scarcest hardware, in no particular unit. */
	uint64_t *counter_weight;
	uint64_t *item_weight;
	uint32_t *item_size; /* counters of the smallest alternative */
};

int pack_profile_init(struct pack_profile *profile,
		      const struct pack_space *space);
void pack_profile_finish(struct pack_profile *profile);

#endif /* DRMPERF_LIB_PLAN_PACK_PROFILE_H */
