/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for submissions, and their fences for others. */
#ifndef DRMSIM_AMDGPU_WAIT_H
#define DRMSIM_AMDGPU_WAIT_H

struct sim_call;
struct sim_file;

int wait_cs(struct sim_call *call, struct sim_file *file, void *arg);
int wait_fences(struct sim_call *call, struct sim_file *file, void *arg);
int wait_fence_to_handle(struct sim_call *call, struct sim_file *file,
			 void *arg);

#endif /* DRMSIM_AMDGPU_WAIT_H */
