/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include "driver/i915/gpu.h"
#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/stream/driver.h"

static int
i915_describe(const struct driver_target *target,
	      struct description *description, void **out,
	      struct drmperf_error *error)
{
	return oa_driver_describe(&i915_oa_driver, target, description, out,
				  error);
}

static bool
i915_recognizes_header(const void *header, size_t size)
{
	return recorded_facts_are_of(RECORDED_TOPOLOGY, header, size);
}

static void
i915_release(void *device)
{
	oa_driver_close(&i915_oa_driver, device);
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
