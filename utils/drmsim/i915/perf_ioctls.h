/* SPDX-License-Identifier: BSD-3-Clause */
/* Ioctls of the perf interface, and the query that shows what is loaded. */
#ifndef DRMSIM_I915_PERF_IOCTLS_H
#define DRMSIM_I915_PERF_IOCTLS_H

#include <stdint.h>

struct sim_call;
struct sim_file;
struct sim_i915;

/*
 * ---- perf_open.c: PERF_OPEN, the kernel's checks in the kernel's order, which
 * decides what error a program sees first
 */
int sim_i915_perf_open(struct sim_call *call, struct sim_file *file, void *arg);

/* ---- perf_config.c: ADD_CONFIG, REMOVE_CONFIG, and the query */
int sim_i915_add_config(struct sim_call *call, struct sim_file *file,
			void *arg);
int sim_i915_remove_config_ioctl(struct sim_call *call, struct sim_file *file,
				 void *arg);
/*
 * Answer drm_i915_query_perf_config; results are those that QUERY puts into an
 * item.
 */
int sim_i915_query_perf(struct sim_call *call, struct sim_i915 *device,
			uint32_t flags, uint64_t data, int32_t length);

#endif /* DRMSIM_I915_PERF_IOCTLS_H */
