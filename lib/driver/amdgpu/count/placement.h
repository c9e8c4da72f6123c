/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which slot holds which counter, within one block.
 *
 * Some slots are too narrow for some events, and some counters sum the one in
 * the slot before their own. Counters that have a slot already keep it unless
 * the others cannot be placed otherwise.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_PLACEMENT_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#define PLACEMENT_ANYWHERE UINT32_MAX /* follows no other counter */
#define PLACEMENT_NOWHERE UINT32_MAX  /* has no slot yet */

struct placement {
	uint64_t slots; /* bit n: may sit in slot n */
	uint32_t after; /* index of the counter that must sit just before */
	uint32_t slot;	/* in: where it sits; out: where it is to sit */
};

/*
 * Give each of count counters one of the slots 0 to slots - 1, of which there
 * are 64 at most. Returns 0; -ENOSPC, with nothing changed, if they do not fit.
 */
int placement_find(struct placement *items, size_t count, unsigned slots);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_PLACEMENT_H */
