/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stream of OA reports: the descriptor that PERF_OPEN returns.
 *
 * A timer looks at the unit's tail every 5 ms, or as property 8 says, and only
 * it makes poll() see data. A blocking read looks by itself before it sleeps,
 * and again when the timer wakes it.
 */
#ifndef DRMSIM_I915_PERF_STREAM_H
#define DRMSIM_I915_PERF_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct sim_i915;
struct sim_oa_group;
struct sim_stream;

/* Properties of PERF_OPEN that have passed the checks. */
struct sim_perf_properties {
	bool has_context, sampling, periodic, hold_preemption, has_sseu;
	uint64_t context, metrics_set, format, exponent, poll_ns;
	uint32_t hardware_context;
	unsigned engine_class;
	struct sim_oa_group *group;
};

/* Create a stream. Returns 0 and its file in *out, or -errno. */
int
sim_perf_stream_create(struct sim_i915 *device,
		       const struct sim_perf_properties *properties,
		       bool disabled, struct sim_stream **out);

/* ---- all streams of a device */

/* Clear what metric sets have written. */
void sim_perf_streams_reset(struct sim_i915 *device);
/* Disable all streams for good, as if the kernel took them away. */
void
sim_perf_streams_end(struct sim_i915 *device);

#endif /* DRMSIM_I915_PERF_STREAM_H */
