/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux 6.12 i915_getparam.c, i915_query.c, intel_uncore.c] */
#include "i915/query.h"

#include <errno.h>
#include <i915_drm.h>
#include <stddef.h>
#include <string.h>

#include "i915/device.h"
#include "i915/perf_ioctls.h"
#include "i915/uapi.h"
#include "intel/load.h"
#include "intel/platform.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "machine/clock.h"
#include "machine/gpu.h"

/* ------------------------------------------------------------------ */
/* GETPARAM                                                             */

static unsigned
slice_mask(const struct sim_topology *topology)
{
	unsigned mask = 0;

	for (unsigned s = 0; s < topology->max_slices; s++)
		mask |= topology->subslices[s] ? 1u << s : 0;
	return mask;
}

static int
query_parameter(const struct sim_i915 *device, int number, int *out)
{
	const struct sim_platform *platform = &device->platform;
	const struct sim_topology *topology = &platform->topology;

	switch (number) {
	case I915_PARAM_CHIPSET_ID:
		*out = device->gpu->pci.device_id;
		return 0;
	case I915_PARAM_REVISION:
		*out = device->gpu->pci.revision;
		return 0;
	case I915_PARAM_HAS_GEM:
	case I915_PARAM_HAS_EXECBUF2:
	case I915_PARAM_HAS_WAIT_TIMEOUT:
		*out = 1;
		return 0;
	case I915_PARAM_HAS_BSD:
		*out = platform->engines[SIM_ENGINE_VIDEO] > 0;
		return 0;
	case I915_PARAM_HAS_BLT:
		*out = platform->engines[SIM_ENGINE_COPY] > 0;
		return 0;
	case I915_PARAM_HAS_VEBOX:
		*out = platform->engines[SIM_ENGINE_VIDEO_ENHANCE] > 0;
		return 0;
	case I915_PARAM_HAS_BSD2:
		*out = platform->engines[SIM_ENGINE_VIDEO] > 1;
		return 0;
	case I915_PARAM_HAS_LLC:
		*out = !platform->discrete && !platform->cherryview;
		return 0;
	case I915_PARAM_SUBSLICE_TOTAL:
		*out = (int)(sim_topology_eus(topology) / topology->eus);
		return 0;
	case I915_PARAM_EU_TOTAL:
		*out = (int)sim_topology_eus(topology);
		return 0;
	case I915_PARAM_SLICE_MASK:
		*out = (int)slice_mask(topology);
		return *out ? 0 : -ENODEV;
	case I915_PARAM_SUBSLICE_MASK:
		if (platform->version >= 1250)
			return -EINVAL;
		*out = (int)topology->subslices[0];
		return *out ? 0 : -ENODEV;
	case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
		*out = (int)platform->cs_hz;
		return 0;
	case I915_PARAM_PERF_REVISION:
		*out = (int)sim_i915_perf_revision(device);
		return 0;
	case SIM_PARAM_OA_TIMESTAMP_FREQUENCY:
		if (device->linux_6_1)
			return -EINVAL;
		*out = (int)platform->oa_hz;
		return 0;
	}
	return -EINVAL;
}

int
sim_i915_getparam(struct sim_call *call, struct sim_file *file, void *arg)
{
	/* drm_i915_getparam_t, whose pointer is the caller's */
	struct {
		int32_t param;
		uint32_t pad;
		uint64_t value;
	} get;
	int value, error;

	memcpy(&get, arg, sizeof(get));
	error = query_parameter(sim_i915_of(file->gpu), get.param, &value);
	if (error)
		return error;
	return sim_call_put(call, get.value, &value, sizeof(value));
}

/* ------------------------------------------------------------------ */
/* QUERY                                                                */

/*
 * Check the length of an answer. 0 asks for the size; anything too small is
 * refused. The kernel compares without sign: the error that a failed call left
 * as length is large enough.
 */
static int
check_length(int32_t length, size_t size)
{
	if (length == 0)
		return (int)size;
	return (uint32_t)length < size ? -EINVAL : 0;
}

#define TOPOLOGY_DATA_MAX                                                      \
	(1 + SIM_SLICES_MAX * SIM_SUBSLICES_MAX / 8 +                          \
	 SIM_SLICES_MAX * SIM_SUBSLICES_MAX * 2)

static size_t
fill_topology(const struct sim_topology *t,
	      struct drm_i915_query_topology_info *header, uint8_t *data)
{
	unsigned stride = (t->max_subslices + 7) / 8;
	unsigned eu_stride = (t->max_eus + 7) / 8;
	unsigned eus = (1u << t->eus) - 1;
	size_t size;

	*header = (struct drm_i915_query_topology_info){
		.max_slices = (uint16_t)t->max_slices,
		.max_subslices = (uint16_t)t->max_subslices,
		.max_eus_per_subslice = (uint16_t)t->max_eus,
		.subslice_offset = 1,
		.subslice_stride = (uint16_t)stride,
		.eu_offset = (uint16_t)(1 + t->max_slices * stride),
		.eu_stride = (uint16_t)eu_stride,
	};
	size = header->eu_offset +
	       (size_t)t->max_slices * t->max_subslices * eu_stride;
	memset(data, 0, size);
	data[0] = (uint8_t)slice_mask(t);
	for (unsigned s = 0; s < t->max_slices; s++) {
		for (unsigned ss = 0; ss < t->max_subslices; ss++) {
			uint8_t *eu = data + header->eu_offset +
				      (s * t->max_subslices + ss) * eu_stride;

			if (!(t->subslices[s] & 1u << ss))
				continue;
			data[1 + s * stride + ss / 8] |=
				(uint8_t)(1u << ss % 8);
			for (unsigned b = 0; b < eu_stride; b++)
				eu[b] = (uint8_t)(eus >> 8 * b);
		}
	}
	return size;
}

static int
query_topology(struct sim_call *call, const struct sim_i915 *device,
	       uint64_t address, int32_t length)
{
	struct drm_i915_query_topology_info header, given;
	uint8_t data[TOPOLOGY_DATA_MAX];
	size_t size = fill_topology(&device->platform.topology, &header, data);
	int error = check_length(length, sizeof(header) + size);

	if (error)
		return error;
	error = sim_call_get(call, &given, address, sizeof(given));
	if (error)
		return error;
	if (given.flags)
		return -EINVAL;
	error = sim_call_put(call, address, &header, sizeof(header));
	if (!error)
		error = sim_call_put(call, address + sizeof(header), data,
				     size);
	return error ? error : (int)(sizeof(header) + size);
}

/* Answer with the topology, for the geometry pipeline of one engine. */
static int
query_geometry(struct sim_call *call, const struct sim_i915 *device,
	       uint32_t flags, uint64_t address, int32_t length)
{
	uint16_t class = (uint16_t)flags, instance = (uint16_t)(flags >> 16);

	if (device->platform.version < 1250)
		return -ENODEV;
	if (class != I915_ENGINE_CLASS_RENDER || instance != 0)
		return -EINVAL;
	return query_topology(call, device, address, length);
}

/*
 * Answer with a list. Its header, whichever it is, is the number of items and
 * three words that are reserved.
 */
static int
query_list(struct sim_call *call, uint64_t address, int32_t length,
	   unsigned count, const void *items, size_t item_size)
{
	uint32_t header[4];
	size_t size = sizeof(header) + count * item_size;
	int error = check_length(length, size);

	if (error)
		return error;
	error = sim_call_get(call, header, address, sizeof(header));
	if (error)
		return error;
	if (header[0] || header[1] || header[2] || header[3])
		return -EINVAL;
	header[0] = count;
	error = sim_call_put(call, address, header, sizeof(header));
	if (!error)
		error = sim_call_put(call, address + sizeof(header), items,
				     count * item_size);
	return error ? error : (int)size;
}

static int
query_engines(struct sim_call *call, const struct sim_i915 *device,
	      uint64_t address, int32_t length)
{
	struct drm_i915_engine_info infos[SIM_ENGINE_CLASSES * SIM_ENGINES_MAX];
	unsigned count = 0;

	for (unsigned c = 0; c < SIM_ENGINE_CLASSES; c++) {
		for (unsigned i = 0; i < device->platform.engines[c]; i++)
			infos[count++] = (struct drm_i915_engine_info){
				.engine.engine_class = (uint16_t)c,
				.engine.engine_instance = (uint16_t)i,
				.flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE,
				.logical_instance = (uint16_t)i,
			};
	}
	return query_list(call, address, length, count, infos, sizeof(*infos));
}

#define GIB (1ull << 30)

/*
 * Fill in the memory regions. The system's memory is free as a whole: i915 does
 * not count what it takes of it. The free part of the GPU's own is reported to
 * privileged callers; others read that all of it is free.
 */
static unsigned
fill_regions(const struct sim_i915 *device, bool privileged,
	     struct drm_i915_memory_region_info regions[2])
{
	const uint64_t vram = device->platform.vram;

	regions[0] = (struct drm_i915_memory_region_info){
		.region.memory_class = I915_MEMORY_CLASS_SYSTEM,
		.probed_size = 16 * GIB,
		.unallocated_size = 16 * GIB,
		.probed_cpu_visible_size = 16 * GIB,
		.unallocated_cpu_visible_size = 16 * GIB,
	};
	if (!vram)
		return 1;
	regions[1] = (struct drm_i915_memory_region_info){
		.region.memory_class = I915_MEMORY_CLASS_DEVICE,
		.probed_size = vram,
		.unallocated_size = vram,
		.probed_cpu_visible_size = vram,
		.unallocated_cpu_visible_size = vram,
	};
	if (privileged) {
		regions[1].unallocated_size -=
			sim_load_memory(&device->load, vram);
		regions[1].unallocated_cpu_visible_size =
			regions[1].unallocated_size;
	}
	return 2;
}

static int
query_regions(struct sim_call *call, const struct sim_i915 *device,
	      uint64_t address, int32_t length)
{
	struct drm_i915_memory_region_info regions[2];
	unsigned count =
		fill_regions(device, sim_call_is_privileged(call), regions);

	return query_list(call, address, length, count, regions,
			  sizeof(*regions));
}

static int
query_item(struct sim_call *call, struct sim_i915 *device,
	   const struct drm_i915_query_item *item)
{
	switch (item->query_id) {
	case DRM_I915_QUERY_TOPOLOGY_INFO:
		if (item->flags)
			return -EINVAL;
		return query_topology(call, device, item->data_ptr,
				      item->length);
	case DRM_I915_QUERY_ENGINE_INFO:
		if (item->flags)
			return -EINVAL;
		return query_engines(call, device, item->data_ptr,
				     item->length);
	case DRM_I915_QUERY_PERF_CONFIG:
		return sim_i915_query_perf(call, device, item->flags,
					   item->data_ptr, item->length);
	case DRM_I915_QUERY_MEMORY_REGIONS:
		if (item->flags)
			return -EINVAL;
		return query_regions(call, device, item->data_ptr,
				     item->length);
	case DRM_I915_QUERY_GEOMETRY_SUBSLICES:
		return query_geometry(call, device, item->flags, item->data_ptr,
				      item->length);
	}
	return -EINVAL;
}

int
sim_i915_query(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_i915_query *query = arg;
	struct drm_i915_query_item item;
	int error;

	if (query->flags)
		return -EINVAL;
	for (uint32_t i = 0; i < query->num_items; i++) {
		uint64_t address = query->items_ptr + i * sizeof(item);

		error = sim_call_get(call, &item, address, sizeof(item));
		if (error)
			return error;
		if (item.query_id == 0)
			return -EINVAL;
		/* an error of one item is its length, the call succeeds */
		item.length = query_item(call, sim_i915_of(file->gpu), &item);
		error = sim_call_put(
			call,
			address + offsetof(struct drm_i915_query_item, length),
			&item.length, sizeof(item.length));
		if (error)
			return error;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* REG_READ                                                             */

#define RENDER_TIMESTAMP 0x2358
#define TIMESTAMP_BITS 36

/* Read the one register that may be read: the render engine's timestamp. */
int
sim_i915_reg_read(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_i915_reg_read *reg = arg;
	const struct sim_i915 *device = sim_i915_of(file->gpu);
	uint64_t flags = reg->offset & 7;
	uint64_t ticks;

	if ((reg->offset & ~7ull) != RENDER_TIMESTAMP ||
	    (flags && flags != I915_REG_READ_8B_WA))
		return -EINVAL;
	ticks = sim_i915_engine_tick(device, sim_now(file->gpu->sim)) +
		device->oa.timestamp_offset;
	/* From DG2 on the OA unit counts the same crystal at a higher rate. */
	ticks /= device->platform.oa_hz / device->platform.cs_hz;
	reg->val = ticks & ((1ull << TIMESTAMP_BITS) - 1);
	(void)call;
	return 0;
}
