/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of amdgpu that files of their own have and driver.c lists: ioctls,
 * and what struct sim_driver asks for.
 */
#ifndef DRMSIM_AMDGPU_OPERATIONS_H
#define DRMSIM_AMDGPU_OPERATIONS_H

#include "machine/driver.h"

struct amdgpu;
struct sim_call;
struct sim_file;
struct sim_gpu;

/* ---- info.c: answers of the INFO ioctl about the GPU */
int info_ioctl(struct sim_call *call, struct sim_file *file, void *arg);

/* ---- submit.c: command submission */
int submit_cs(struct sim_call *call, struct sim_file *file, void *arg);

/* ---- wait.c: waiting for submissions, and their fences for others */
int wait_cs(struct sim_call *call, struct sim_file *file, void *arg);
int wait_fences(struct sim_call *call, struct sim_file *file, void *arg);
int wait_fence_to_handle(struct sim_call *call, struct sim_file *file,
			 void *arg);

/*
 * ---- setting.c: words of a scenario, of "drmsim ctl set", and options of
 * --gpu, that are amdgpu's
 */
/* Implement sim_driver.set. */
int setting_set(struct sim_gpu *gpu, const char *key, const char *value);

/*
 * ---- foreign.c: another profiler, which takes the counters as its own;
 * nothing in the kernel keeps two of them apart
 */
/*
 * Interfere, on all dies, with what is programmed now, as another profiler does
 * from its own ring.
 */
void
other_profiler_strike(struct amdgpu *amdgpu, enum sim_foreign what);

#endif /* DRMSIM_AMDGPU_OPERATIONS_H */
