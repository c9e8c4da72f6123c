/* SPDX-License-Identifier: BSD-3-Clause */
/* Registered PMUs, and how perf_event_open() reaches them. */
#ifndef DRMSIM_EVENT_PMU_H
#define DRMSIM_EVENT_PMU_H

struct sim;
struct sim_call;
struct sim_gpu;
struct sim_pmu_ops;

/*
 * Register a PMU of the GPU and make its directory with `type`, which goes with
 * the GPU. Further files go below "/sys/bus/event_source/devices/NAME/" by
 * sim_gpu_file(). name is copied. 0 or -errno.
 */
int sim_pmu_register(struct sim_gpu *gpu, const struct sim_pmu_ops *ops,
		     void *data, const char *name);
void sim_pmus_free(struct sim *sim);

/* Handle PROTOCOL_PERF_OPEN. */
int sim_pmu_open(struct sim_call *call);

#endif /* DRMSIM_EVENT_PMU_H */
