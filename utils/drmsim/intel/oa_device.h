/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OA units of a device as a whole, whichever driver it has: what runs, how
 * fast counters count, and the metric sets that were loaded.
 */
#ifndef DRMSIM_INTEL_OA_DEVICE_H
#define DRMSIM_INTEL_OA_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "intel/oa_clock.h"
#include "intel/oa_config.h"
#include "intel/oa_unit.h"
#include "intel/platform.h"
#include "intel/rate.h"
#include "intel/set_rates.h"
#include "intel/timeline.h"

struct sim_gpu;
struct sim_oa_stream;

#define SIM_OA_UNITS_MAX 5

struct sim_oa_device {
	struct sim_gpu *gpu;
	struct sim_platform *platform;

	/* what runs */
	struct sim_timeline timeline;
	uint64_t clock_hz;
	struct sim_rates rates; /* given by the scenario */
	bool zero_rates; /* where it gives none */
	struct sim_set_rates *set_rates;
	uint64_t start[SIM_OA_SLOTS];
	int slots; /* that the driver has, the first ones */
	uint64_t timestamp_offset; /* at platform->oa_hz */
	struct sim_oa_clock clock;
	uint64_t settle_ns; /* that a metric set takes once it is written */
	bool engine_held; /* by work that cannot be preempted */

	struct sim_oa_configs configs;
	/* that are open, each by the number of its unit: oa_stream.c */
	struct sim_oa_stream *streams[SIM_OA_UNITS_MAX];

	/* for the report */
	unsigned streams_opened, configs_added, configs_removed;
	struct sim_oa_statistics closed; /* of streams that are gone */
};

/*
 * Set up a device that has nothing in it but so many slots. The platform has
 * been read.
 */
void
sim_oa_device_init(struct sim_oa_device *oa, struct sim_gpu *gpu,
		   struct sim_platform *platform, int slots);
void
sim_oa_device_finish(struct sim_oa_device *oa);

/* Return the fastest clock that has whole clocks per tick of the timestamp. */
uint64_t
sim_oa_whole_clock(const struct sim_platform *platform, unsigned mhz);
/*
 * Return the ticks of the OA timestamp, less its offset, at a simulated time.
 */
uint64_t
sim_oa_device_tick(const struct sim_oa_device *oa, uint64_t ns);

/* Put the directory of the files of metric sets, metrics/. */
void
sim_oa_put_metrics(struct sim_oa_device *oa);
/*
 * Load a metric set and put its file, metrics/UUID/id. Takes over the
 * reference. Returns the set's id, or -EADDRINUSE.
 */
int
sim_oa_load_config(struct sim_oa_device *oa, struct sim_oa_config *config);
/* Remove a metric set and its file. Returns 0 or -ENOENT. */
int
sim_oa_unload_config(struct sim_oa_device *oa, uint64_t id);

/*
 * ---- oa_setting.c: words of a scenario and of "drmsim ctl set" that both
 * drivers have. Returns 0, -ENOENT for another word, or another -errno.
 */
int
sim_oa_set(struct sim_oa_device *oa, const char *key, const char *value);

/* Report the metric sets that were loaded. */
void
sim_oa_report_configs(const struct sim_oa_device *oa, FILE *out);

#endif /* DRMSIM_INTEL_OA_DEVICE_H */
