/* SPDX-License-Identifier: BSD-3-Clause */
/* Registered PMUs, and how perf_event_open() reaches them. */
#ifndef DRMSIM_EVENT_PMU_H
#define DRMSIM_EVENT_PMU_H

#include <sys/types.h>

#include "base/protocol.h"

struct perf_event_attr;
struct sim;
struct sim_call;
struct sim_gpu;
struct sim_stream;

struct sim_pmu {
	/*
	 * perf_event_open() for this type. attr is a private copy, zero
	 * filled beyond the caller's size. leader is the group's, or NULL.
	 * Ends with sim_stream_give().
	 */
	int (*open)(struct sim_call *call, void *data,
		    const struct perf_event_attr *attr, pid_t pid, int cpu,
		    struct sim_stream *leader, unsigned long flags);
};

/*
 * Register a PMU of the GPU and make its directory with `type`, which goes with
 * the GPU. Further files go below "/sys/bus/event_source/devices/NAME/" by
 * sim_gpu_file(). name is copied. Returns the type number, which is at least
 * PROTOCOL_PMU_TYPE, or -errno.
 */
int sim_pmu_register(struct sim_gpu *gpu, const struct sim_pmu *pmu,
		     const char *name, void *data);
void sim_pmus_free(struct sim *sim);

/* PROTOCOL_PERF_OPEN. */
int sim_pmu_open(struct sim_call *call);

#endif /* DRMSIM_EVENT_PMU_H */
