/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of ROC profiler's metric files, added to the groups of the blocks.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_ROCM_COUNTERS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_ROCM_COUNTERS_H

#include "driver/amdgpu/tables/gpu.h"
#include "driver/driver.h"

/*
 * Append the <counter> elements of all foreign tables for this GPU, after the
 * blocks' own events. One that ROCm knows by the same name is replaced: it
 * keeps our name and unit. What this GPU has not is left out with a warning.
 * -ENOMEM.
 */
int
rocm_counters_add(const struct gpu *gpu, const struct driver_target *target,
		  struct description *description);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_ROCM_COUNTERS_H */
