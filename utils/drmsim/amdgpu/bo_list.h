/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of buffers for submissions. */
#ifndef DRMSIM_AMDGPU_BO_LIST_H
#define DRMSIM_AMDGPU_BO_LIST_H

#include <stdint.h>

struct client;
struct sim_bo;
struct sim_call;
struct sim_file;

struct bo_list {
	struct bo_list *next;
	uint32_t handle;
	uint32_t count;
	struct sim_bo **bos;
};

/*
 * Read a list from an array of the caller. Returns 0, -EINVAL if it is too
 * long, -ENOENT if a handle is unknown, -ENOMEM, or -EFAULT.
 */
int bo_list_read(struct sim_call *call, struct sim_file *file, uint64_t from,
		 uint32_t count, uint32_t entry_size, struct bo_list **out);
void bo_list_free(struct bo_list *list);
struct bo_list *bo_list_find(const struct client *client, uint32_t handle);
void bo_lists_close(struct client *client);

int bo_list_ioctl(struct sim_call *call, struct sim_file *file, void *arg);

#endif /* DRMSIM_AMDGPU_BO_LIST_H */
