/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/array.h"
#include "driver/i915/gpu.h"

#include <assert.h>
#include <errno.h>

/* Room for the plain ones, and for slices and XeCores by both names. */
#define CONSTANTS_MAX (20 + GT_SLICES_MAX + 2 * GT_XECORES_MAX)

static void
add_constant(struct i915_gpu *gpu, const char *name, uint64_t value)
{
	struct constants *constants = &gpu->constants;

	assert(constants->count < CONSTANTS_MAX);
	constants->list[constants->count++] =
		(struct description_constant){ name, value };
}

static void
add_plain_constants(struct i915_gpu *gpu)
{
	const struct gt_topology *topology = &gpu->topology;
	const struct description_constant plain[] = {
		{ "GpuTimestampFrequency", gpu->timestamp_hz },
		{ "GpuMinFrequency", gpu->min_hz },
		{ "GpuMaxFrequency", gpu->max_hz },
		{ "EuCoresTotalCount", topology->eus },
		{ "VectorEngineTotalCount", topology->eus },
		{ "EuSlicesTotalCount", topology->slices },
		{ "SliceTotalCount", topology->slices },
		{ "EuSubslicesTotalCount", topology->subslices },
		{ "XeCoreTotalCount", topology->subslices },
		{ "EuThreadsCount", gpu->platform.eu_threads },
		{ "VectorEngineThreadsCount", gpu->platform.eu_threads },
		{ "SliceMask", topology->slice_mask },
		{ "SubsliceMask", topology->subslice_mask },
		{ "DualSubsliceMask", topology->subslice_mask },
		/* As Mesa has it; IGT takes the slices' mask. */
		{ "XeCoreMask", topology->subslice_mask },
		{ "SkuRevisionId", (uint64_t)(unsigned)gpu->revision },
		/* 1 in command buffer queries, which a stream is not */
		{ "QueryMode", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
		add_constant(gpu, plain[i].name, plain[i].value);
}

/* False when memory is short. */
static bool
add_xecore(struct i915_gpu *gpu, unsigned number)
{
	unsigned per_slice = gpu->platform.shape.xecores_per_slice;
	uint64_t present = gpu->topology.xecore_mask >> number & 1;
	const char *flat = arena_printf(gpu->arena, "XeCore%u", number);
	const char *nested =
		arena_printf(gpu->arena, "GtSlice%uXeCore%u",
			     number / per_slice, number % per_slice);

	if (!flat || !nested)
		return false;
	add_constant(gpu, flat, present);
	add_constant(gpu, nested, present);
	return true;
}

static bool
add_slice(struct i915_gpu *gpu, unsigned number)
{
	const char *name = arena_printf(gpu->arena, "GtSlice%u", number);

	if (!name)
		return false;
	add_constant(gpu, name, gpu->topology.slice_mask >> number & 1);
	return true;
}

int
i915_gpu_make_constants(struct i915_gpu *gpu, struct drmperf_error *error)
{
	bool ok;

	gpu->arena = arena_create();
	if (gpu->arena)
		gpu->constants.list = arena_alloc(
			gpu->arena,
			CONSTANTS_MAX * sizeof(*gpu->constants.list));
	ok = gpu->constants.list;
	if (ok)
		add_plain_constants(gpu);
	if (gpu->platform.shape.xecores_per_slice) {
		for (unsigned i = 0; ok && i < GT_SLICES_MAX; i++)
			ok = add_slice(gpu, i);
		for (unsigned i = 0; ok && i < GT_XECORES_MAX; i++)
			ok = add_xecore(gpu, i);
	}
	return ok ? 0 : error_set(error, -ENOMEM, "no memory");
}
