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
	const char *name;
	size_t gpu_size; /* of its struct, which begins with struct oa_gpu */
	const struct oa_kernel_ops *source;
	/* Find out what the GPU is; by itself, or by what was recorded. */
	int (*identify)(struct oa_gpu *gpu, const struct driver_target *target,
			struct drmperf_error *error);
	int (*identify_recorded)(struct oa_gpu *gpu,
				 const struct driver_target *target,
				 struct drmperf_error *error);
	/* Set constants, and what sets depend on, once it is identified. */
	int (*prepare)(struct oa_gpu *gpu, struct drmperf_error *error);
	bool (*has_unit)(const struct oa_gpu *gpu, enum oa_unit unit);
	/* Free what its struct has in addition. */
	void (*finish)(struct oa_gpu *gpu);
	const char *paranoid; /* of struct description_domain */
};

/*
 * Open a GPU, or that of a recording, of which one metric set can be counted,
 * and find out what it is. *out is released with oa_driver_close(). -EACCES;
 * -ENODEV; -ENOTSUP if there is no table for this GPU, or the kernel has no OA
 * support for it; -EBADMSG if the head of the recording is not valid; others.
 */
int
oa_driver_open(const struct oa_driver *driver,
	       const struct driver_target *target, struct oa_gpu **out,
	       struct drmperf_error *error);
void
oa_driver_close(const struct oa_driver *driver, struct oa_gpu *gpu);

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
