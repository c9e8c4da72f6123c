/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sync objects of a file: a place for a fence (binary), or for a sequence of
 * fences by point (timeline).
 */
#ifndef DRMSIM_KERNEL_SYNCOBJ_H
#define DRMSIM_KERNEL_SYNCOBJ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/ioctl.h"

struct sim_call;
struct sim_fence;
struct sim_file;

/* Create a syncobj that holds the fence, which may be NULL. 0 or -ENOMEM. */
int sim_syncobj_create(struct sim_file *file, struct sim_fence *fence,
		       uint32_t *handle);
bool sim_syncobj_exists(struct sim_file *file, uint32_t handle);
/*
 * Find a fence; point 0 is the binary payload. Borrowed fence or NULL through
 * *out.
 */
int sim_syncobj_fence(struct sim_file *file, uint32_t handle, uint64_t point,
		      struct sim_fence **out);
int sim_syncobj_replace(struct sim_file *file, uint32_t handle, uint64_t point,
			struct sim_fence *fence);
/* Give the caller a descriptor, as sim_call_give_fd() does. */
int sim_syncobj_give(struct sim_file *file, uint32_t handle,
		     struct sim_call *call, uint64_t store);
void sim_syncobjs_close(struct sim_file *file);

/* Ioctls of the DRM core. */
extern const struct sim_ioctl sim_syncobj_ioctls[];
extern const size_t sim_syncobj_ioctl_count;

#endif /* DRMSIM_KERNEL_SYNCOBJ_H */
