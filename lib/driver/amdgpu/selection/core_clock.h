/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event of the core clock, in a slot that no process needs and without a
 * request for it: whether it advances distinguishes a clock that stands still
 * from an idle GPU.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_CORE_CLOCK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_CORE_CLOCK_H

#include "driver/amdgpu/selection/slot_alloc.h"

/*
 * Add the core clock event that a request has, or one for which a slot is free.
 */
void
core_clock_choose(struct selection *selection, const struct selection *before,
		  const struct other_slots *others);

/*
 * Drop the core clock event, whose slot another process has taken. Only for one
 * that gives way.
 */
void
core_clock_drop(struct selection *selection);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_CORE_CLOCK_H */
