/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metrics of a generation's table that this GPU can count: those of which
 * all blocks are there.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_METRICS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_METRICS_H

#include "driver/amdgpu/tables/core.h"
#include "driver/description.h"

/*
 * Append the metrics to the group. xccs is the number of XCCs that counters are
 * summed over: clocks and extremes of instances are divided by it. Returns 0;
 * -EBADMSG if the table is malformed; -ENOMEM.
 */
int
metrics_add(struct description *description, group_index group,
	    const struct core *core, unsigned xccs,
	    struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_METRICS_H */
