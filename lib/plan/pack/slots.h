/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Giving slots to the counters of one pool, where counting them does not
 * settle whether they fit.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_SLOTS_H
#define DRMPERF_LIB_PLAN_PACK_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#define PACK_SLOTS_MAX 64

/* What one counter asks. */
struct pack_slot_need {
	uint64_t slots; /* bit n: slot n can hold it */
	/* position in the list of the counter before it, or PACK_NONE */
	uint32_t after;
};

/*
 * Whether count counters find room in a pool of up to PACK_SLOTS_MAX slots. A
 * search of its own that gives up, with false, after some ten thousand
 * placements of chains; with no more than eight slots it never does.
 */
bool pack_slots_fit(const struct pack_slot_need *needs, uint32_t count,
		    uint32_t slots);

#endif /* DRMPERF_LIB_PLAN_PACK_SLOTS_H */
