/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One simulated Intel GPU under the i915 driver: its state and what the files
 * of this folder give each other.
 *
 * platform.*  what the description file says          (no simulator needed)
 * oa_*, rate.*, timeline.*, config.*  the OA unit     (no simulator needed)
 * context.c   hardware contexts of GEM
 * query.c     GETPARAM, QUERY, REG_READ
 * perf_*.c    the perf interface: open, streams, configurations
 * load.c      what engines and frequencies do, as PMU, sysfs, fdinfo show it
 * pmu.c       the i915 PMU
 * fdinfo.c    what a client sees of itself in /proc
 * sysfs.c     files
 * setting.c   words of scenarios and of drmsim ctl
 * driver.c    the table that the simulator knows
 */
#ifndef DRMSIM_I915_DEVICE_H
#define DRMSIM_I915_DEVICE_H

#include "intel/oa_config.h"
#include "intel/load.h"
#include "intel/platform.h"
#include "machine/sim.h"
#include "intel/timeline.h"

struct sim_perf_stream;
struct sim_i915_context;

/* Rates that a scenario gives for one metric set. */
struct sim_set_rates {
	char uuid[37];
	struct sim_rates rates;
	struct sim_set_rates *next;
};

/* One OA unit; a stream has it for itself. */
struct sim_oa_group {
	unsigned classes; /* of engines it sees: a bit each */
	bool media;
	struct sim_perf_stream *stream;
};

#define SIM_OA_GROUPS_MAX 2

struct sim_i915 {
	struct sim_gpu *gpu;
	struct sim_platform platform;
	bool linux_6_1; /* else 6.12 */
	bool has_perf; /* the kernel found an OA unit it knows */

	/* what runs */
	struct sim_timeline timeline;
	uint64_t clock_hz;
	struct sim_rates rates; /* given by the scenario */
	struct sim_set_rates *set_rates;
	uint64_t start[SIM_OA_SLOTS];
	uint64_t timestamp_offset;
	uint64_t noa_ns, config_ns; /* settling; switching */

	struct sim_oa_configs configs;
	struct sim_oa_group groups[SIM_OA_GROUPS_MAX];
	unsigned group_count;
	struct sim_i915_context *contexts;
	uint32_t next_context; /* hardware's id */
	struct sim_load load;
	uint64_t next_refresh; /* of the files of load */

	/* for the report */
	unsigned streams_opened, configs_added, configs_removed;
	struct sim_oa_statistics closed; /* of streams that are gone */
};

static inline struct sim_i915 *
sim_i915_of(const struct sim_gpu *gpu)
{
	return gpu->data;
}

/* Ticks of the OA timestamp, less its offset, at a simulated time. */
uint64_t sim_i915_tick(const struct sim_i915 *device, uint64_t ns);

/* ---- sysfs.c */
void sim_i915_put_files(struct sim_i915 *device);
void sim_i915_put_frequencies(struct sim_i915 *device);
void sim_i915_put_residency(struct sim_i915 *device);
void sim_i915_put_config(struct sim_i915 *device,
			 const struct sim_oa_config *config);
void sim_i915_remove_config(struct sim_i915 *device,
			    const struct sim_oa_config *config);
/* dev.i915.NAME as it stands now. */
uint64_t sim_i915_sysctl(struct sim_i915 *device, const char *name);
void sim_i915_put_sysctl(struct sim_i915 *device, const char *name,
			 uint64_t value);
/* paranoid, and the caller has neither of the two capabilities */
bool sim_i915_perf_refused(struct sim_i915 *device, struct sim_call *call);

/* ---- context.c */
int sim_i915_context_open(struct sim_file *file);
void sim_i915_context_close(struct sim_file *file);
/* The hardware's id for a handle, or -ENOENT. */
int sim_i915_context_find(struct sim_file *file, uint64_t handle,
			  uint32_t *out);
int sim_i915_context_create(struct sim_call *call, struct sim_file *file,
			    void *arg);
int sim_i915_context_destroy(struct sim_call *call, struct sim_file *file,
			     void *arg);

/* ---- query.c */
int sim_i915_getparam(struct sim_call *call, struct sim_file *file, void *arg);
int sim_i915_query(struct sim_call *call, struct sim_file *file, void *arg);
int sim_i915_reg_read(struct sim_call *call, struct sim_file *file, void *arg);
/* drm_i915_query_perf_config; results as QUERY puts them into an item. */
int sim_i915_query_perf(struct sim_call *call, struct sim_i915 *device,
			uint32_t flags, uint64_t data, int32_t length);

/* ---- perf_open.c, perf_config.c */
int sim_i915_perf_open(struct sim_call *call, struct sim_file *file, void *arg);
int sim_i915_add_config(struct sim_call *call, struct sim_file *file,
			void *arg);
int sim_i915_remove_config_ioctl(struct sim_call *call, struct sim_file *file,
				 void *arg);
unsigned sim_i915_perf_revision(const struct sim_i915 *device);

/* ---- perf_stream.c */
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
uint64_t sim_perf_streams_next(const struct sim_i915 *device);
void sim_perf_streams_advance(struct sim_i915 *device, uint64_t now);
/* Let the units run up to now, before anything they depend on changes. */
void sim_perf_streams_run(struct sim_i915 *device);
/* Rates or the clock have changed; the timeline has. */
void sim_perf_streams_recount(struct sim_i915 *device);
void sim_perf_streams_retime(struct sim_i915 *device);
void sim_perf_streams_reset(struct sim_i915 *device);
/* The kernel takes the stream away: it reads as if it were disabled. */
void sim_perf_streams_end(struct sim_i915 *device);
/* The unit of each stream that is open, for what setting.c does to them. */
struct sim_oa_unit *sim_oa_group_unit(const struct sim_oa_group *group);
void sim_perf_streams_statistics(const struct sim_i915 *device,
				 struct sim_oa_statistics *out);

/* ---- setting.c */
int sim_i915_set(struct sim_gpu *gpu, const char *key, const char *value);

/* ---- fdinfo.c */
void sim_i915_fdinfo(struct sim_file *file, FILE *out);

/* ---- pmu.c */
int sim_i915_pmu_register(struct sim_i915 *device);

#endif /* DRMSIM_I915_DEVICE_H */
