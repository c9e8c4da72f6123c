/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules of Intel's Metrics Discovery (md_driver_ifc_linux_common.cpp): where
 * slices have two XeCores at most, they share one pipe of each kind. An EU with
 * ten threads has 32 blocks of registers, one with eight has 64.
 */
#include "driver/xe/gpu.h"

#include "base/array.h"

static int
add_numbers(struct xe_gpu *gpu)
{
	const unsigned slices = gpu->oa.topology.slices;
	const bool small = gpu->oa.platform.shape.xecores_per_slice <= 2;
	const unsigned pipes = gpu->oa.platform.geometry_pipes * slices;
	const bool many_threads = gpu->oa.platform.eu_threads > 8;
	const unsigned interfaces = gpu->oa.platform.fabric_interfaces;
	const struct description_constant numbers[] = {
		{ "L3BankTotalCount", gpu->l3.banks },
		{ "L3NodeTotalCount", gpu->l3.nodes },
		{ "SqidiTotalCount", interfaces ? interfaces : gpu->l3.nodes },
		{ "ComputeEngineTotalCount", gpu->facts->compute_engines },
		{ "CopyEngineTotalCount", gpu->facts->copy_engines },
		{ "VectorEngineGrfBlocksCount", many_threads ? 32 : 64 },
		{ "GeometryPipeTotalCount", small ? 1 : pipes },
		{ "ColorPipeTotalCount", small ? 1 : 2 * slices },
		{ "DepthPipeTotalCount", small ? 1 : 2 * slices },
	};
	int ret = 0;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(numbers); i++)
		ret = oa_gpu_add_constant(&gpu->oa, numbers[i].name,
					  numbers[i].value);
	return ret;
}

int
xe_gpu_make_constants(struct xe_gpu *gpu, struct drmperf_error *error)
{
	const struct gt_topology *topology = &gpu->oa.topology;
	const unsigned xecores = oa_gpu_named_xecores(&gpu->oa);
	int ret = oa_gpu_add_constants(&gpu->oa);

	if (!ret)
		ret = add_numbers(gpu);
	if (!ret)
		ret = oa_gpu_add_mask(&gpu->oa, "DualSubsliceMask",
				      &topology->subslice_mask);
	for (unsigned i = 0; !ret && i < xecores; i++)
		ret = oa_gpu_add_part(&gpu->oa,
				      gt_mask_has(&topology->xecore_mask, i),
				      "GtXeCore%u", i);
	return ret ? error_set(error, ret, "no memory") : 0;
}
