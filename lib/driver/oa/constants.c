/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of a GPU's numbers and parts in the expressions of metric sets.
 */
#include "driver/oa/gpu.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"

/* Room for the plain ones, and for slices and XeCores by three names each. */
#define CONSTANTS_MAX (32 + GT_SLICES_MAX + 3 * GT_XECORES_MAX)

static int
make_room(struct oa_gpu *gpu)
{
	struct constants *constants = &gpu->constants;

	if (constants->list)
		return 0;
	gpu->arena = arena_create();
	if (gpu->arena)
		constants->list = arena_alloc(
			gpu->arena, CONSTANTS_MAX * sizeof(*constants->list));
	return constants->list ? 0 : -ENOMEM;
}

static void
constants_add(struct oa_gpu *gpu, const char *name, uint64_t value)
{
	struct constants *constants = &gpu->constants;

	assert(constants->count < CONSTANTS_MAX);
	constants->list[constants->count++] =
		(struct description_constant){ name, value };
}

int
oa_gpu_add_constant(struct oa_gpu *gpu, const char *name, uint64_t value)
{
	int ret = make_room(gpu);

	if (!ret)
		constants_add(gpu, name, value);
	return ret;
}

int
oa_gpu_add_part(struct oa_gpu *gpu, bool present, const char *format, ...)
{
	char text[32];
	va_list arguments;
	char *name;
	int ret = make_room(gpu);

	if (ret)
		return ret;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	name = arena_printf(gpu->arena, "%s", text);
	if (!name)
		return -ENOMEM;
	constants_add(gpu, name, present);
	return 0;
}

static void
add_numbers(struct oa_gpu *gpu)
{
	const struct gt_topology *topology = &gpu->topology;
	const struct description_constant numbers[] = {
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
		/* Mesa takes this mask; IGT takes the slices' mask. */
		{ "XeCoreMask", topology->subslice_mask },
		/* 1 in command buffer queries, which a stream is not */
		{ "QueryMode", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		constants_add(gpu, numbers[i].name, numbers[i].value);
}

int
oa_gpu_add_constants(struct oa_gpu *gpu)
{
	const struct gt_topology *topology = &gpu->topology;
	const unsigned xecores = gt_shape_xecores(&gpu->platform.shape);
	const unsigned per_slice = gpu->platform.shape.xecores_per_slice;
	int ret = make_room(gpu);

	if (ret)
		return ret;
	add_numbers(gpu);
	if (!per_slice)
		return 0;
	for (unsigned i = 0; !ret && i < GT_SLICES_MAX; i++)
		ret = oa_gpu_add_part(gpu, topology->slice_mask >> i & 1,
				      "GtSlice%u", i);
	for (unsigned i = 0; !ret && i < xecores; i++)
		ret = oa_gpu_add_part(gpu, topology->xecore_mask >> i & 1,
				      "XeCore%u", i);
	for (unsigned i = 0; !ret && i < xecores; i++)
		ret = oa_gpu_add_part(gpu, topology->xecore_mask >> i & 1,
				      "GtSlice%uXeCore%u", i / per_slice,
				      i % per_slice);
	return ret;
}
