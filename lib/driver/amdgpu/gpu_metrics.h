/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors in the table that a GPU's firmware fills and amdgpu shows as
 * gpu_metrics in sysfs. Its layout depends on kernel and chip;
 * events/amdgpu/gpu_metrics.xml lists where each value lies, and its unit. A
 * value with all bits set is not available.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_GPU_METRICS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_GPU_METRICS_H

#include "base/arena.h"
#include "driver/sensor.h"

/* The file is no longer than a page. */
#define GPU_METRICS_SIZE 4096

struct gpu_metrics;

/*
 * Read the table once and find the sensors that have values in it. *out is
 * NULL if the GPU has no such table, does not give it now, or has one of a
 * layout that is not known. core is that of struct amd_device_identity.
 *
 * *out and all strings live in the arena.
 *
 * Returns 0; the errors of table_find(); -ENOMEM; transient errors.
 */
int gpu_metrics_find(const struct driver_target *target, uint32_t core,
		     struct arena *arena, struct gpu_metrics **out,
		     struct drmperf_error *error);

size_t gpu_metrics_count(const struct gpu_metrics *metrics);
const struct sensor *gpu_metrics_sensor(const struct gpu_metrics *metrics,
					size_t index);

/*
 * Read the table into GPU_METRICS_SIZE bytes. -EBADMSG if its layout is no
 * longer the one that was found; what the kernel returns.
 */
int gpu_metrics_read(const struct gpu_metrics *metrics, void *table);

/* Take a value from a table that was read. -ENODATA if it has none now. */
int gpu_metrics_pick(const struct gpu_metrics *metrics, size_t index,
		     const void *table, uint64_t *out);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_GPU_METRICS_H */
