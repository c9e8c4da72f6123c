/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of a GPU's numbers and parts in the expressions of metric sets.
 */
#include "driver/intel/oa/gpu.h"

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
oa_gpu_add_mask(struct oa_gpu *gpu, const char *name,
		const struct gt_mask *mask)
{
	struct description_hidden *missing;
	int ret = make_room(gpu);

	if (ret)
		return ret;
	if (gt_mask_is_number(mask)) {
		constants_add(gpu, name, mask->words[0]);
		return 0;
	}
	missing = arena_alloc(gpu->arena, sizeof(*missing));
	if (!missing)
		return -ENOMEM;
	*missing = (struct description_hidden){
		.name = name,
		.reason = "the GPU has XeCores beyond the 64 that a mask in a "
			  "formula can name",
		.next = gpu->constants.missing,
	};
	gpu->constants.missing = missing;
	return 0;
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
		{ "PciDevice", gpu->device_id },
		/* 1 in command buffer queries, which a stream is not */
		{ "QueryMode", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		constants_add(gpu, numbers[i].name, numbers[i].value);
}

unsigned
oa_gpu_named_xecores(const struct oa_gpu *gpu)
{
	const unsigned all = gt_shape_xecores(&gpu->platform.shape);
	unsigned count = all / 2;

	for (unsigned i = count; i < all; i++) {
		if (gt_mask_has(&gpu->topology.xecore_mask, i))
			count = all;
	}
	return count;
}

int
oa_gpu_add_constants(struct oa_gpu *gpu)
{
	const struct gt_topology *topology = &gpu->topology;
	const struct gt_mask *subslices = &topology->subslice_mask;
	const unsigned xecores = oa_gpu_named_xecores(gpu);
	const unsigned per_slice = gpu->platform.shape.xecores_per_slice;
	int ret = make_room(gpu);

	if (ret)
		return ret;
	add_numbers(gpu);
	ret = oa_gpu_add_mask(gpu, "SubsliceMask", subslices);
	/* Mesa takes this mask; IGT takes the slices' mask. */
	if (!ret)
		ret = oa_gpu_add_mask(gpu, "XeCoreMask", subslices);
	if (!per_slice)
		return ret;
	for (unsigned i = 0; !ret && i < GT_SLICES_MAX; i++)
		ret = oa_gpu_add_part(gpu, topology->slice_mask >> i & 1,
				      "GtSlice%u", i);
	for (unsigned i = 0; !ret && i < xecores; i++)
		ret = oa_gpu_add_part(gpu,
				      gt_mask_has(&topology->xecore_mask, i),
				      "XeCore%u", i);
	for (unsigned i = 0; !ret && i < xecores; i++)
		ret = oa_gpu_add_part(
			gpu, gt_mask_has(&topology->xecore_mask, i),
			"GtSlice%uXeCore%u", i / per_slice, i % per_slice);
	return ret;
}
