/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include <errno.h>

#include "driver/intel/oa/recorded.h"
#include "driver/intel/oa/stream/driver.h"
#include "driver/xe/eu_stall.h"
#include "driver/xe/gpu.h"

static int
xe_describe(const struct driver_target *target, struct description *description,
	    void **out, struct drmperf_error *error)
{
	int ret = oa_driver_describe(&xe_oa_driver, target, description, out,
				     error);

	if (ret)
		return ret;
	if (!eu_stall_domain_describe(xe_gpu_of(*out), description))
		return 0;
	oa_driver_close(&xe_oa_driver, *out);
	return error_set(error, -ENOMEM, "no memory");
}

static int
recorded_describe(const struct driver_target *target,
		  struct description *description, void **out,
		  struct drmperf_error *error)
{
	return oa_driver_describe(&xe_oa_driver, target, description, out,
				  error);
}

static bool
xe_recognizes_header(const void *header, size_t size)
{
	return recorded_facts_are_of(RECORDED_XE, header, size);
}

static void
xe_release(void *device)
{
	oa_driver_close(&xe_oa_driver, device);
}

const struct driver xe_driver = {
	.name = "xe",
	.tables_of = "i915",
	.describe = xe_describe,
	.release = xe_release,
	/* Closing a descriptor of the node has no effect on others of it. */
	.abandon = xe_release,
	.sampling = &xe_eu_stall_ops,
};

const struct driver xe_recorded_driver = {
	.name = "xe",
	.tables_of = "i915",
	.describe = recorded_describe,
	.recognizes = xe_recognizes_header,
	.release = xe_release,
	.abandon = xe_release,
};
