/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which slot holds which counter, within one instance of a block.
 *
 * Some slots are too narrow for some counters, and some counters sum the one
 * in the slot before their own. A plan asks whether counters fit, a driver
 * where they go. Both ask here, so that a driver can place what a plan says
 * fits.
 */
#ifndef DRMPERF_LIB_BASE_SLOT_MATCH_H
#define DRMPERF_LIB_BASE_SLOT_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#define SLOTS_MAX 64
#define SLOT_NONE UINT32_MAX

/* The slots that one counter may take, and the one that it gets. */
struct slot_request {
	uint64_t slots; /* bit n: it may sit in slot n */
	/* request, a lower one, of the counter in the slot before; SLOT_NONE */
	uint32_t after;
	/* in: where it sits, or SLOT_NONE; out: where it is to sit */
	uint32_t slot;
};

/*
 * Assign to each of count requests one of the slots 0 to slots - 1, of which
 * there are SLOTS_MAX at most. Counters that have a slot keep it if the others
 * can be placed without moving them.
 *
 * False, with nothing changed, if they do not fit, or if that is not known
 * after some ten thousand arrangements of neighbours: with no more than eight
 * slots it always is. What fits slots that are free also fits wherever
 * counters sit now.
 */
bool
slot_match(struct slot_request *requests, uint32_t count, uint32_t slots);

#endif /* DRMPERF_LIB_BASE_SLOT_MATCH_H */
