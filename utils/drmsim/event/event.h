/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Perf events of simulated PMUs: what the kernel's perf core does for a
 * system-wide counting event, whatever PMU it is of.
 *
 * Rules as in Linux 6.1 kernel/events/core.c: checks of perf_event_open() in
 * their order, groups, read formats, enabled and running time, ioctls.
 */
#ifndef DRMSIM_EVENT_EVENT_H
#define DRMSIM_EVENT_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_event_attr;
struct sim_call;
struct sim_gpu;
struct sim_stream;

/* Operations of a driver on its events. data is the PMU's. */
struct sim_pmu_ops {
	/*
	 * Is there such an event, and may it be opened so? 0 or -errno.
	 * Called before the perf core's own checks of pid and permission.
	 * NULL: any.
	 */
	int (*init)(void *data, const struct perf_event_attr *attr, int cpu);
	/* Return the hardware's count now; only differences of it are used. */
	uint64_t (*read)(void *data, uint64_t config, uint64_t now);
	/*
	 * Take a hardware counter, and give it back; NULL if there are enough.
	 * While add fails the event is enabled but does not run.
	 */
	int (*add)(void *data, uint64_t config);
	void (*remove)(void *data, uint64_t config);
	/*
	 * Return whether read gives a state of this moment, which each reading
	 * adds to the count. NULL: no event does.
	 */
	bool (*is_level)(uint64_t config);
	/* no event may exclude user, kernel or guest */
	bool no_exclude;
};

struct sim_pmu {
	struct sim_gpu *gpu;
	const struct sim_pmu_ops *ops;
	void *data;
};

/* Arguments of perf_event_open(). */
struct sim_event_request {
	const struct perf_event_attr *attr;
	pid_t pid;
	int cpu;
	struct sim_stream *leader; /* of the group, or NULL */
	unsigned long flags;
};

int sim_event_open(struct sim_call *call, const struct sim_pmu *pmu,
		   const struct sim_event_request *request);

/*
 * Put kernel.perf_event_paranoid, whose file is made if there is none. Level 2
 * as the kernel has it by default.
 */
void sim_event_put_paranoid(struct sim_gpu *gpu);

#endif /* DRMSIM_EVENT_EVENT_H */
