/* SPDX-License-Identifier: BSD-3-Clause */
/* ADD_CONFIG, REMOVE_CONFIG, and the query that shows what is loaded. */
#ifndef DRMSIM_I915_PERF_CONFIG_H
#define DRMSIM_I915_PERF_CONFIG_H

#include <stdint.h>

struct sim_call;
struct sim_file;
struct sim_i915;

int sim_i915_add_config(struct sim_call *call, struct sim_file *file,
			void *arg);
int sim_i915_remove_config_ioctl(struct sim_call *call, struct sim_file *file,
				 void *arg);
/* drm_i915_query_perf_config; results as QUERY puts them into an item. */
int sim_i915_query_perf(struct sim_call *call, struct sim_i915 *device,
			uint32_t flags, uint64_t data, int32_t length);

#endif /* DRMSIM_I915_PERF_CONFIG_H */
