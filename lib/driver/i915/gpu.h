/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open GPU: what it is, and what its metric sets are.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_GPU_H
#define DRMPERF_LIB_DRIVER_I915_GPU_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "driver/driver.h"
#include "driver/oa/condition.h"
#include "driver/oa/metric_set.h"
#include "driver/oa/platform.h"
#include "driver/oa/topology.h"

struct i915_gpu {
	int fd; /* of the DRM node */
	struct log_sink log;
	struct table *platforms;
	struct platform platform;
	struct gt_topology topology;
	int perf_revision;
	int revision; /* stepping */
	uint64_t timestamp_hz; /* of OA reports */
	atomic_bool warned_of_rate; /* that this is not their rate */
	uint64_t register_hz;  /* of engine timestamps; 0: unknown */
	uint64_t min_hz, max_hz; /* limits of the core clock as they are now */
	uint64_t peak_hz;	 /* what the core clock never exceeds */
	char metrics[256];	 /* sysfs folder of loaded sets */
	_Atomic uint64_t stream_closed_ns; /* when ours last was; 0: never */

	struct table *table; /* PLATFORM.xml */
	struct metric_sets sets;
	/* What expressions and conditions may refer to. */
	struct constants constants;
	struct arena *arena; /* of the constants */
	struct table_path tables;
	/* PLATFORM.registers.xml, read when a set is first used. */
	pthread_mutex_t registers_lock;
	struct table *registers;
};

/*
 * Open the device and find out what it is. *out is released with
 * i915_gpu_close(). -EACCES; -ENODEV; -ENOTSUP if there is no table for this
 * GPU, or the kernel has no OA support for it; others.
 */
int i915_gpu_open(const struct driver_target *target, struct i915_gpu **out,
		  struct drmperf_error *error);
void i915_gpu_close(struct i915_gpu *gpu);

/*
 * Neighbouring reports must not be farther apart than this, or a counter may
 * have wrapped unseen.
 */
uint64_t i915_gpu_wrap_ns(const struct i915_gpu *gpu,
			  const struct oa_format *format);

/*
 * Fill in gpu->constants from what else is known of the GPU. -ENOMEM. Part of
 * i915_gpu_open().
 */
int i915_gpu_make_constants(struct i915_gpu *gpu, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_I915_GPU_H */
