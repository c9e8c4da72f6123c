/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A problem without what fits no pass: such items are left out, or split into
 * parts, which become items in their place.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_SPLIT_H
#define DRMPERF_LIB_PLAN_PACK_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/pack/pack.h"

struct pack_split {
	struct pack_problem problem;
	struct pack *pack; /* of that problem */
	/* per item: whose it is, or of which it is a part; rising */
	uint32_t *items;
	bool *is_part;
	/* per alternative: where it comes from; parts of an item: the same */
	uint32_t *alternatives;
	enum pack_state *states; /* per item of the original problem */
	uint32_t original_count;
};

/*
 * Begin to split, from the pack of the original problem; without leave, nothing
 * is split. Returns 0, or -ENOMEM. To be finished in any case, before the arena
 * is destroyed.
 */
int
pack_split_init(struct pack_split *split, struct pack *pack, bool leave,
		struct arena *arena);
void
pack_split_finish(struct pack_split *split);

#endif /* DRMPERF_LIB_PLAN_PACK_SPLIT_H */
