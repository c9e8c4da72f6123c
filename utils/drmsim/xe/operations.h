/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of xe that files of their own have and driver.c lists: its ioctls,
 * and what struct sim_driver asks for.
 */
#ifndef DRMSIM_XE_OPERATIONS_H
#define DRMSIM_XE_OPERATIONS_H

#include <stdio.h>

struct sim_call;
struct sim_file;
struct sim_gpu;
struct sim_xe;

/* ---- query.c: DEVICE_QUERY, the driver's answers about the GPU */
int
sim_xe_query(struct sim_call *call, struct sim_file *file, void *arg);

/*
 * ---- observation.c: OBSERVATION, streams of an OA unit, and the metric sets
 * for them
 */
int
sim_xe_observation(struct sim_call *call, struct sim_file *file, void *arg);

/* ---- user_fence.c: WAIT_USER_FENCE, for a value in a caller's memory */
int
sim_xe_wait_user_fence(struct sim_call *call, struct sim_file *file, void *arg);

/* ---- setting.c: words of a scenario for a GPU under xe */
/* Implement sim_driver.set. */
int
sim_xe_set(struct sim_gpu *gpu, const char *key, const char *value);

/* ---- fdinfo.c: the fdinfo of a client of xe */
/* Implement sim_driver.fdinfo. */
void
sim_xe_fdinfo(struct sim_file *file, FILE *out);

/* ---- pmu.c: the PMU that xe registers with perf */
/* Register the PMU of a device that is probed. Returns 0 or -errno. */
int
sim_xe_pmu_register(struct sim_xe *device);

#endif /* DRMSIM_XE_OPERATIONS_H */
