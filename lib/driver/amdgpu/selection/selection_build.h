/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests become a selection. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SELECTION_BUILD_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SELECTION_BUILD_H

#include "driver/amdgpu/selection/slot_alloc.h"

/*
 * Create a selection from requests. Groups of the requests are numbered from
 * first_group on, in the order of core->blocks. Counters that before has as
 * well keep their slots as far as possible; before may be NULL. All cells are
 * 0.
 *
 * Returns 0; -ENOSPC if the requests do not fit; -EINVAL; -ENOMEM.
 */
int
selection_create(const struct core *core, group_index first_group,
		 const struct counter_request *requests, size_t count,
		 const struct selection *before, struct selection **out,
		 struct drmperf_error *error);

/*
 * Create a selection, as selection_create() does, in slots that other processes
 * leave, or with beside NULL: a counter of theirs that is wanted as well is
 * read where it is.
 */
int
selection_create_around(const struct core *core, group_index first_group,
			const struct counter_request *requests, size_t count,
			const struct selection *before,
			const struct other_slots *others,
			struct selection **out, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SELECTION_BUILD_H */
