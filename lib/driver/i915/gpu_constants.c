/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/gpu.h"

static int
add_nested_xecores(struct oa_gpu *gpu, unsigned per_slice)
{
	const unsigned xecores = gt_shape_xecores(&gpu->platform.shape);
	int ret = 0;

	for (unsigned i = 0; !ret && i < xecores; i++)
		ret = oa_gpu_add_part(gpu, gpu->topology.xecore_mask >> i & 1,
				      "GtSlice%uXeCore%u", i / per_slice,
				      i % per_slice);
	return ret;
}

int
i915_gpu_make_constants(struct i915_gpu *gpu, struct drmperf_error *error)
{
	const unsigned per_slice = gpu->oa.platform.shape.xecores_per_slice;
	int ret = oa_gpu_add_constants(&gpu->oa);

	if (!ret)
		ret = oa_gpu_add_constant(&gpu->oa, "DualSubsliceMask",
					  gpu->oa.topology.subslice_mask);
	if (!ret)
		ret = oa_gpu_add_constant(&gpu->oa, "SkuRevisionId",
					  (uint64_t)(unsigned)gpu->revision);
	if (!ret && per_slice)
		ret = add_nested_xecores(&gpu->oa, per_slice);
	return ret ? error_set(error, ret, "no memory") : 0;
}
