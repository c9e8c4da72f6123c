/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulated Intel GPU under the i915 driver: its state. */
#ifndef DRMSIM_I915_DEVICE_H
#define DRMSIM_I915_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "intel/load.h"
#include "intel/oa_device.h"
#include "intel/platform.h"
#include "intel/rate.h"

struct sim_gpu;
struct sim_i915_context;

/* One OA unit; a stream has it for itself. */
struct sim_oa_group {
	unsigned id;
	unsigned classes; /* of engines it sees: a bit each */
	bool media;
};

#define SIM_OA_GROUPS_MAX 2

struct sim_i915 {
	struct sim_gpu *gpu;
	struct sim_platform platform;
	bool linux_6_1; /* else 6.12 */
	bool has_perf; /* the kernel found an OA unit it knows */

	struct sim_oa_device oa;
	uint32_t flex[SIM_FLEX_COUNT]; /* registers of the EUs */
	uint64_t config_ns; /* that a change of the metric set takes */
	bool media_c6; /* on, against what media engines' units can stand */
	struct sim_oa_group groups[SIM_OA_GROUPS_MAX];
	unsigned group_count;
	struct sim_i915_context *contexts; /* context.c */
	uint32_t next_context; /* hardware's id */
	struct sim_load load;
	uint64_t next_refresh; /* of the files of load */

	unsigned resets; /* for the report */
};

struct sim_i915 *sim_i915_of(const struct sim_gpu *gpu);

/* Return an engine's timestamp, at the OA unit's nominal rate. */
uint64_t
sim_i915_engine_tick(const struct sim_i915 *device, uint64_t ns);
/* Return the revision of the perf interface for the kernel's release. */
unsigned sim_i915_perf_revision(const struct sim_i915 *device);

#endif /* DRMSIM_I915_DEVICE_H */
