/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instances of a block: which of them this GPU has, how GRBM_GFX_INDEX
 * reaches each, and what they are called.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_GPU_INSTANCE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_GPU_INSTANCE_H

#include "base/arena.h"
#include "driver/amdgpu/gpu/block.h"
#include "driver/amdgpu/gpu/topology.h"

/*
 * Fill in block->instances, from the scope and instances attributes of its
 * element; banks must be known.
 */
int instance_list(struct block *block, const struct topology *topology,
		  struct arena *arena, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_GPU_INSTANCE_H */
