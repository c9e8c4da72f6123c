/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clock modes held while nothing is counted, and the clocks as they are.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_HOLD_H
#define DRMPERF_LIB_DRIVER_AMDGPU_HOLD_H

#include "driver/driver.h"

/* See struct driver. */
int
hold_clocks(void *device, enum drmperf_clock_mode mode, void **out,
	    struct drmperf_error *error);
void
hold_give_back(void *hold, bool is_child);
int
hold_query(void *device, struct drmperf_clocks *out,
	   struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_HOLD_H */
