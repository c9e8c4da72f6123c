/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include "driver/i915/gpu.h"
#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/stream/driver.h"

/*
 * Return whether the GPU has a unit. Only Meteor Lake and later have a unit of
 * media engines.
 */
static bool
has_unit(const struct oa_gpu *gpu, enum oa_unit unit)
{
	return unit == OA_UNIT_RENDER ||
	       (unit == OA_UNIT_MEDIA && gpu->platform.generation >= OA_XELPG);
}

static const struct oa_driver ours = {
	.source = &i915_source,
	.open = i915_gpu_open,
	.open_recorded = i915_gpu_open_recorded,
	.has_unit = has_unit,
	.close = i915_gpu_close,
	.paranoid = "dev/i915/perf_stream_paranoid",
};

static int
i915_describe(const struct driver_target *target,
	      struct description *description, void **out,
	      struct drmperf_error *error)
{
	return oa_driver_describe(&ours, target, description, out, error);
}

static bool
i915_recognizes_header(const void *header, size_t size)
{
	return recorded_facts_are_of(RECORDED_TOPOLOGY, header, size);
}

static void
i915_release(void *device)
{
	i915_gpu_close(device);
}

const struct driver i915_driver = {
	.name = "i915",
	.describe = i915_describe,
	.release = i915_release,
	/* Closing a descriptor of the node has no effect on others of it. */
	.abandon = i915_release,
};

const struct driver i915_recorded_driver = {
	.name = "i915",
	.describe = i915_describe,
	.recognizes = i915_recognizes_header,
	.release = i915_release,
	.abandon = i915_release,
};
