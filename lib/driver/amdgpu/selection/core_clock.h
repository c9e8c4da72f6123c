/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event of the core clock, in a slot that no process needs and without a
 * request for it: whether it advances distinguishes a clock that stands still
 * from an idle GPU.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_CORE_CLOCK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_CORE_CLOCK_H

#include "driver/amdgpu/selection/slot_alloc.h"

/* Take one in if there is one that is asked for, or one that has room. */
void
core_clock_choose(struct selection *selection, const struct selection *before,
		  const struct other_slots *others);

/*
 * Give the core clock event up, since others have its slot now; only one that
 * gives way.
 */
void
core_clock_drop(struct selection *selection);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_CORE_CLOCK_H */
