/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/gpu.h"

int
i915_gpu_make_constants(struct i915_gpu *gpu, struct drmperf_error *error)
{
	int ret = oa_gpu_add_constants(&gpu->oa);

	if (!ret)
		ret = oa_gpu_add_mask(&gpu->oa, "DualSubsliceMask",
				      &gpu->oa.topology.subslice_mask);
	if (!ret)
		ret = oa_gpu_add_constant(&gpu->oa, "SkuRevisionId",
					  (uint64_t)(unsigned)gpu->revision);
	return ret ? error_set(error, ret, "no memory") : 0;
}
