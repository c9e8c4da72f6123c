/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common part of the drivers of GPUs with OA units: a domain for each unit,
 * whose streams are opened, or were recorded.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_DRIVER_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_DRIVER_H

#include "driver/intel/oa/stream/kernel_ops.h"

/* The part of one kernel driver. Functions return 0 or -errno. */
struct oa_driver {
	const struct oa_kernel_ops *source;
	/* Find out what the GPU is; by itself, or by what was recorded. */
	int (*open)(const struct driver_target *target, struct oa_gpu **out,
		    struct drmperf_error *error);
	int (*open_recorded)(const struct driver_target *target,
			     struct oa_gpu **out, struct drmperf_error *error);
	bool (*has_unit)(const struct oa_gpu *gpu, enum oa_unit unit);
	void (*close)(struct oa_gpu *gpu);
	const char *paranoid; /* of struct description_domain */
};

/*
 * Implement describe() of struct driver for GPUs and recordings of them; the
 * device is a struct oa_gpu.
 */
int
oa_driver_describe(const struct oa_driver *driver,
		   const struct driver_target *target,
		   struct description *description, void **out,
		   struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_DRIVER_H */
