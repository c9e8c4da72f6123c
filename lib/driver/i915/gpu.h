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

extern const struct oa_driver i915_oa_driver;

/* Fill in oa->constants from what else is known of the GPU. -ENOMEM. */
int
i915_gpu_make_constants(struct oa_gpu *oa, struct drmperf_error *error);

/* Streams of OA reports as i915 has them. */
extern const struct oa_kernel_ops i915_source;

#endif /* DRMPERF_LIB_DRIVER_I915_GPU_H */
