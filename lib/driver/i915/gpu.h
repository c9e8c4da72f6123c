/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open GPU: what it is, and what its metric sets are.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_GPU_H
#define DRMPERF_LIB_DRIVER_I915_GPU_H

#include <stdint.h>

#include "driver/intel/oa/gpu.h"

struct i915_gpu {
	struct oa_gpu oa;
	int perf_revision;
	int revision; /* stepping */
	uint64_t register_hz; /* of engine timestamps; 0: unknown */
	void *units; /* the kernel's answer, which the topology is from */
	size_t units_size;
};

static inline struct i915_gpu *
i915_gpu_of(struct oa_gpu *oa)
{
	return (struct i915_gpu *)oa;
}

/*
 * Open the device and find out what it is. *out is released with
 * i915_gpu_close(). -EACCES; -ENODEV; -ENOTSUP if there is no table for this
 * GPU, or the kernel has no OA support for it; others.
 */
int
i915_gpu_open(const struct driver_target *target, struct oa_gpu **out,
	      struct drmperf_error *error);
/*
 * Open the GPU of a recording, of which one metric set can be counted. Returns
 * the errors of i915_gpu_open(), and -EBADMSG if the head is not valid.
 */
int
i915_gpu_open_recorded(const struct driver_target *target, struct oa_gpu **out,
		       struct drmperf_error *error);
void
i915_gpu_close(struct oa_gpu *gpu);

/*
 * Fill in gpu->oa.constants from what else is known of the GPU. -ENOMEM. Part
 * of i915_gpu_open().
 */
int
i915_gpu_make_constants(struct i915_gpu *gpu, struct drmperf_error *error);

/* Streams of OA reports as i915 has them. */
extern const struct oa_kernel_ops i915_source;

#endif /* DRMPERF_LIB_DRIVER_I915_GPU_H */
