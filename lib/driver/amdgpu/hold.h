/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings held for other programs: clock modes while nothing is counted, with
 * the clocks as they are, and the counting of all compute queues.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_HOLD_H
#define DRMPERF_LIB_DRIVER_AMDGPU_HOLD_H

#include "driver/driver.h"

/* See struct driver. */
int
hold_clocks(void *device, enum drmperf_clock_mode mode, void **out,
	    struct drmperf_error *error);
void
hold_release_clocks(void *hold, bool is_child);
int
hold_query(void *device, struct drmperf_clocks *out,
	   struct drmperf_error *error);

/* See struct driver. */
int
hold_queues(void *device, void **out, struct drmperf_error *error);
void
hold_release_queues(void *hold, bool is_child);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_HOLD_H */
