/* SPDX-License-Identifier: BSD-3-Clause */
/* Ioctls on contexts: allocate, free and query them, set their pstate. */
#ifndef DRMSIM_AMDGPU_CONTEXT_IOCTL_H
#define DRMSIM_AMDGPU_CONTEXT_IOCTL_H

struct client;
struct sim_call;
struct sim_file;

int context_ioctl(struct sim_call *call, struct sim_file *file, void *arg);
/* End all contexts of the client. */
void contexts_close(struct client *client);

#endif /* DRMSIM_AMDGPU_CONTEXT_IOCTL_H */
