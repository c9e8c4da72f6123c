/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/xe/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/intel/oa/period.h"
#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/stream/driver.h"
#include "driver/intel/xe_uapi.h"

#define MHZ UINT64_C(1000000)

/* Where the kernel reports no peak: more than any of these GPUs has. */
#define PEAK_HZ (4000 * MHZ)

/* ------------------------------------------------------------------ */
/* Facts that the kernel reports                                        */

static int
read_frequencies(struct xe_gpu *gpu, const struct driver_target *target)
{
	char folder[512];
	int ret;

	snprintf(folder, sizeof(folder), "%s/tile0/gt0/freq0", target->sysfs);
	ret = oa_gpu_read_mhz(folder, "min_freq", &gpu->oa.min_hz);
	if (!ret)
		ret = oa_gpu_read_mhz(folder, "max_freq", &gpu->oa.max_hz);
	if (!ret)
		ret = oa_gpu_read_mhz(folder, "rp0_freq", &gpu->oa.peak_hz);
	if (!gpu->oa.peak_hz)
		gpu->oa.peak_hz = PEAK_HZ;
	gpu->facts->peak_hz = (uint32_t)gpu->oa.peak_hz;
	return ret;
}

static int
explain_too_old(struct drmperf_error *error)
{
	error_set(error, -ENOTSUP,
		  "the kernel's xe driver does not offer OA counters");
	error_remedy(error, "use Linux 6.12 or later (the events of the "
			    "group pmu need a later one still)");
	return -ENOTSUP;
}

static int
read_units(struct xe_gpu *gpu, struct drmperf_error *error)
{
	size_t length;
	void *data;
	int ret;

	ret = xe_query_ask(gpu->oa.fd, XE_UAPI_QUERY_OA_UNITS, &data, &length);
	if (ret == -EINVAL || ret == -ENOTTY)
		return explain_too_old(error);
	if (!ret) {
		ret = xe_units_decode(data, length, gpu->oa.platform.generation,
				      gpu->units);
		gpu->oa.timestamp_hz = gpu->units[OA_UNIT_RENDER].timestamp_hz;
		if (gpu->units[OA_UNIT_RENDER].has_buffer_size)
			gpu->oa.buffer_size = OA_BUFFER_SIZE_MAX;
		for (unsigned i = 0; i < OA_UNIT_COUNT; i++)
			gpu->units[i].fd = gpu->oa.fd;
		free(data);
	}
	if (ret == -ENODEV || ret == -ENODATA ||
	    (!ret && !gpu->units[OA_UNIT_RENDER].present)) {
		error_set(error, -ENOTSUP,
			  "the kernel has no OA counters for this GPU");
		error_remedy(error, "it may be a virtual GPU, below a "
				    "hypervisor, or have no firmware loaded");
		return -ENOTSUP;
	}
	return ret ? error_set(error, ret, "cannot query the OA units: %s",
			       strerrordesc_np(-ret))
		   : 0;
}

/*
 * Count the parts of the GPU. The main GT of the first tile is that of the
 * render unit's engines.
 */
static void
count_parts(const struct xe_parts *parts, struct xe_facts *facts)
{
	for (size_t i = 0; i < parts->gt_count; i++) {
		if (parts->gts[i].type != XE_UAPI_GT_MAIN)
			continue;
		if (!facts->tiles++)
			facts->main_gt = parts->gts[i].id;
	}
	for (size_t i = 0; i < parts->engine_count; i++) {
		unsigned engine_class = parts->engines[i].engine_class;

		facts->compute_engines += engine_class == XE_UAPI_CLASS_COMPUTE;
		facts->copy_engines += engine_class == XE_UAPI_CLASS_COPY;
	}
}

static int
make_facts(struct xe_gpu *gpu, const void *masks, size_t size)
{
	struct xe_facts *facts = calloc(1, sizeof(*facts) + size);

	if (!facts)
		return -ENOMEM;
	facts->masks_size = (uint32_t)size;
	memcpy(facts->masks, masks, size);
	count_parts(&gpu->parts, facts);
	gpu->facts = facts;
	return 0;
}

static int
take_topology(struct xe_gpu *gpu)
{
	return xe_topology_decode(gpu->facts->masks, gpu->facts->masks_size,
				  gpu->facts->main_gt, &gpu->oa.platform.shape,
				  &gpu->oa.topology, &gpu->l3);
}

static uint64_t
find_engine_hz(const struct xe_parts *parts, const struct xe_oa_unit *unit)
{
	for (size_t i = 0; unit->has_engine && i < parts->gt_count; i++) {
		if (parts->gts[i].id == unit->engine.gt)
			return parts->gts[i].reference_hz;
	}
	return 0;
}

static int
read_topology(struct xe_gpu *gpu, struct drmperf_error *error)
{
	size_t length;
	void *data;
	int ret;

	ret = xe_parts_read(gpu->oa.fd, &gpu->parts);
	if (!ret)
		ret = xe_query_ask(gpu->oa.fd, XE_UAPI_QUERY_TOPOLOGY, &data,
				   &length);
	if (ret)
		return error_set(error, ret,
				 "cannot query which units the GPU has: %s",
				 strerrordesc_np(-ret));
	ret = make_facts(gpu, data, length);
	free(data);
	for (unsigned i = 0; i < OA_UNIT_COUNT; i++)
		gpu->units[i].engine_hz =
			find_engine_hz(&gpu->parts, &gpu->units[i]);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = take_topology(gpu);
	if (ret)
		error_set(error, ret,
			  "what the kernel reports about the GPU's "
			  "units does not make sense");
	return ret;
}

/* ------------------------------------------------------------------ */
/* Opening                                                              */

/*
 * Read what the card's folder holds. Metric sets are below the card, not the
 * render node.
 */
static int
read_card(struct xe_gpu *gpu, const struct driver_target *target,
	  struct drmperf_error *error)
{
	const char *name = strrchr(target->primary, '/');
	int ret = read_frequencies(gpu, target);

	if (ret)
		return error_set(error, ret,
				 "cannot read the GPU's frequencies: %s",
				 strerrordesc_np(-ret));
	snprintf(gpu->oa.metrics, sizeof(gpu->oa.metrics),
		 "%.180s/drm/%.40s/metrics", target->sysfs,
		 name ? name + 1 : target->primary);
	return 0;
}

/*
 * Find the platform. GPUs from Tiger Lake to Arrow Lake are driven by i915 or
 * by xe, as the user has chosen: the tables of i915 serve both.
 */
static int
find_platform(struct xe_gpu *gpu, struct drmperf_error *error)
{
	int ret = oa_gpu_find_platform(&gpu->oa, NULL, error);

	if (ret == -ENOTSUP)
		ret = oa_gpu_find_platform_in(&gpu->oa, "i915", error);
	if (!ret && !gpu->oa.platform.format->xe_number)
		ret = error_set(error, -ENOTSUP,
				"the xe driver has no OA format of %s",
				gpu->oa.platform.chip);
	return ret;
}

static int
identify_gpu(struct oa_gpu *oa, const struct driver_target *target,
	     struct drmperf_error *error)
{
	struct xe_gpu *gpu = xe_gpu_of(oa);
	int ret = find_platform(gpu, error);

	if (!ret)
		ret = oa_gpu_open_node(oa, target, error);
	if (!ret)
		ret = read_units(gpu, error);
	if (!ret)
		ret = read_topology(gpu, error);
	/* which of two similar ones it is, its EUs tell */
	if (!ret)
		ret = oa_gpu_find_platform(oa, &oa->topology, error);
	return ret ? ret : read_card(gpu, target, error);
}

/* ------------------------------------------------------------------ */
/* Recorded                                                             */

static int
error_no_stream_header(struct drmperf_error *error)
{
	return error_set(error, -EBADMSG,
			 "the recording lacks facts about the GPU that are "
			 "needed to count its reports");
}

/* Take the facts of a recording. The end of what is recorded is padded. */
static int
take_facts(struct xe_gpu *gpu, const struct recorded_facts *recorded,
	   struct drmperf_error *error)
{
	size_t size = recorded->units_size;
	struct xe_facts *facts;

	if (recorded->kind != RECORDED_XE || size < sizeof(*facts))
		return error_no_stream_header(error);
	facts = malloc(size);
	if (!facts)
		return error_set(error, -ENOMEM, "no memory");
	memcpy(facts, recorded->units, size);
	gpu->facts = facts;
	if (facts->masks_size > size - sizeof(*facts))
		return error_no_stream_header(error);
	recorded_device_take(&recorded->device, &gpu->oa);
	gpu->oa.peak_hz = facts->peak_hz ? facts->peak_hz : PEAK_HZ;
	return 0;
}

static int
identify_recorded(struct oa_gpu *oa, const struct driver_target *target,
		  struct drmperf_error *error)
{
	struct xe_gpu *gpu = xe_gpu_of(oa);
	struct recorded_facts facts;
	int ret;

	if (recorded_facts_read(target->recorded, target->recorded_size,
				&facts))
		return error_no_stream_header(error);
	ret = take_facts(gpu, &facts, error);
	if (!ret)
		ret = find_platform(gpu, error);
	if (!ret && take_topology(gpu))
		ret = error_set(error, -EBADMSG,
				"the recording's data about the GPU's units is "
				"not plausible");
	if (!ret)
		ret = oa_gpu_find_platform(oa, &oa->topology, error);
	return ret;
}

/* ------------------------------------------------------------------ */
/* The driver                                                           */

/*
 * Set what the sets need of the units. A recording is one of a unit that was
 * there.
 */
static void
prepare_sets(struct xe_gpu *gpu)
{
	for (unsigned i = 0; i < OA_UNIT_COUNT; i++) {
		gpu->oa.sets.without[i] =
			gpu->oa.fd >= 0 && !gpu->units[i].present;
		if (gpu->units[i].timestamp_hz != gpu->oa.timestamp_hz)
			gpu->oa.sets.timestamp_hz[i] =
				gpu->units[i].timestamp_hz;
	}
	if (gpu->facts->tiles > 1)
		gpu->oa.sets.note = "Counts the first tile of the GPU: work on "
				    "the others is not seen.";
}

static int
prepare_gpu(struct oa_gpu *oa, struct drmperf_error *error)
{
	struct xe_gpu *gpu = xe_gpu_of(oa);

	prepare_sets(gpu);
	return xe_gpu_make_constants(gpu, error);
}

static bool
has_unit(const struct oa_gpu *gpu, enum oa_unit unit)
{
	return !gpu->sets.without[unit];
}

static void
free_answers(struct oa_gpu *oa)
{
	struct xe_gpu *gpu = xe_gpu_of(oa);

	xe_parts_free(&gpu->parts);
	free(gpu->facts);
}

const struct oa_driver xe_oa_driver = {
	.name = "xe",
	.gpu_size = sizeof(struct xe_gpu),
	.source = &xe_source,
	.identify = identify_gpu,
	.identify_recorded = identify_recorded,
	.prepare = prepare_gpu,
	.has_unit = has_unit,
	.finish = free_answers,
	.paranoid = "dev/xe/observation_paranoid",
};
