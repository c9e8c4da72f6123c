/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/i915/gpu.h"

int
i915_gpu_make_constants(struct oa_gpu *oa, struct drmperf_error *error)
{
	unsigned revision = (unsigned)i915_gpu_of(oa)->revision;
	int ret = oa_gpu_add_constants(oa);

	if (!ret)
		ret = oa_gpu_add_mask(oa, "DualSubsliceMask",
				      &oa->topology.subslice_mask);
	if (!ret)
		ret = oa_gpu_add_constant(oa, "SkuRevisionId", revision);
	return ret ? error_set(error, ret, "no memory") : 0;
}
