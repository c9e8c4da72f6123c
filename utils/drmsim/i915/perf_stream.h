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
struct sim_oa_statistics;
struct sim_oa_unit;
struct sim_perf_stream;
struct sim_stream;

/* Properties of PERF_OPEN that have passed the checks. */
struct sim_perf_properties {
	bool has_context, sampling, periodic, hold_preemption, has_sseu;
	uint64_t context, metrics_set, format, exponent, poll_ns;
	uint32_t hardware_context;
	unsigned engine_class;
	struct sim_oa_group *group;
};

int sim_perf_stream_create(struct sim_i915 *device,
			   const struct sim_perf_properties *properties,
			   bool disabled, struct sim_perf_stream **out);
struct sim_stream *sim_perf_stream_base(struct sim_perf_stream *stream);

/* ---- all streams of a device */
uint64_t sim_perf_streams_next(const struct sim_i915 *device);
void sim_perf_streams_advance(struct sim_i915 *device, uint64_t now);
/* Let the units run up to now, before anything they depend on changes. */
void sim_perf_streams_run(struct sim_i915 *device);
/*
 * Count again from here, since rates or the clock have changed; the timeline
 * has.
 */
void sim_perf_streams_recount(struct sim_i915 *device);
void sim_perf_streams_retime(struct sim_i915 *device);
void sim_perf_streams_reset(struct sim_i915 *device);
/* Disable all streams for good, as if the kernel took them away. */
void sim_perf_streams_end(struct sim_i915 *device);
/* Return the unit of the stream that is open, or NULL. */
struct sim_oa_unit *sim_oa_group_unit(const struct sim_oa_group *group);
void sim_perf_streams_statistics(const struct sim_i915 *device,
				 struct sim_oa_statistics *out);

#endif /* DRMSIM_I915_PERF_STREAM_H */
