/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ring that a selection is counted on. Compute runs in parallel to the work
 * that is being measured and reads it without delay; graphics is behind what is
 * drawn, and the only one that is known to reach all of the graphics pipe.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RING_SELECT_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RING_SELECT_H

#include "base/error.h"
#include "driver/amdgpu/count/selection.h"
#include "driver/amdgpu/submit/device_info.h"

/*
 * Find the engine for the selection: the one DRMPERF_RING names, else the
 * table's, or the only one that the GPU has. Returns 0, -EINVAL if DRMPERF_RING
 * names no engine, or -ENOTSUP if the GPU has no such engine.
 */
int
ring_select(const struct selection *selection,
	    const struct amd_device_info *info, enum pm4_engine *out,
	    struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RING_SELECT_H */
