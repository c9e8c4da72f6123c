/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Allocation of a slot to each cell within its instance: next to what other
 * processes count there, and where it was before, if that can be.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SLOT_ALLOC_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SLOT_ALLOC_H

#include "driver/amdgpu/selection/selection.h"

/*
 * Slots of an instance in which other processes count and which they do not
 * give up.
 */
struct other_slots_instance {
	uint64_t taken;
	uint64_t known; /* of those, the ones whose event is in ids */
	uint64_t chained; /* of those, the ones that sum the slot before */
	const uint32_t *ids; /* by slot */
};

struct other_slots {
	uint32_t stages;
	const struct other_slots_instance *instances; /* of the core */
};

/*
 * Allocate a slot for each cell: the one it has in before, or any that others
 * leave. Both may be NULL. Returns 0, or -ENOSPC if there are too few slots.
 */
int
slot_alloc_all(struct selection *selection, const struct selection *before,
	       const struct other_slots *others, struct drmperf_error *error);

/*
 * Give slots to cells of a block's first instance. Return false if there is no
 * room.
 */
bool
slot_alloc_first(struct selection *selection, const struct other_slots *others,
		 size_t block);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SLOT_ALLOC_H */
