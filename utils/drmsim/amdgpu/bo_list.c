/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, amdgpu_bo_list.c. */
#include "amdgpu/bo_list.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/client.h"
#include "kernel/bo.h"
#include "kernel/call.h"

#define ENTRIES_MAX 0x10000u

void
bo_list_free(struct bo_list *list)
{
	if (!list)
		return;
	for (uint32_t i = 0; i < list->count; i++)
		sim_bo_put(list->bos[i]);
	free(list->bos);
	free(list);
}

int
bo_list_read(struct sim_call *call, struct sim_file *file, uint64_t from,
	     uint32_t count, uint32_t entry_size, struct bo_list **out)
{
	struct drm_amdgpu_bo_list_entry entry;
	struct bo_list *list;
	int error = 0;

	if (count > ENTRIES_MAX)
		return -EINVAL;
	list = calloc(1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	list->bos = calloc(count + 1, sizeof(struct sim_bo *));
	if (!list->bos)
		error = -ENOMEM;
	for (uint32_t i = 0; i < count && !error; i++) {
		struct sim_bo *bo;

		memset(&entry, 0, sizeof(entry));
		error = sim_call_get(call, &entry,
				     from + (uint64_t)i * entry_size,
				     entry_size < sizeof(entry)
					     ? entry_size
					     : sizeof(entry));
		if (error)
			break;
		bo = sim_handle_bo(file, entry.bo_handle);
		if (!bo) {
			error = -ENOENT;
			break;
		}
		list->bos[list->count++] = sim_bo_get(bo);
	}
	if (error) {
		bo_list_free(list);
		return error;
	}
	*out = list;
	return 0;
}

struct bo_list *
bo_list_find(const struct client *client, uint32_t handle)
{
	struct bo_list *list = client->bo_lists;

	while (list && list->handle != handle)
		list = list->next;
	return list;
}

static int
bo_list_destroy(struct client *client, uint32_t handle)
{
	struct bo_list **link = &client->bo_lists, *list;

	while (*link && (*link)->handle != handle)
		link = &(*link)->next;
	list = *link;
	/* the kernel does not mind */
	if (!list)
		return 0;
	*link = list->next;
	bo_list_free(list);
	return 0;
}

int
bo_list_ioctl(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_bo_list *args = arg;
	struct client *client = client_of(file);
	struct drm_amdgpu_bo_list_in in = args->in;
	struct bo_list *list, *old;
	int error;

	if (in.operation == AMDGPU_BO_LIST_OP_DESTROY) {
		memset(args, 0, sizeof(*args));
		return bo_list_destroy(client, in.list_handle);
	}
	if (in.operation != AMDGPU_BO_LIST_OP_CREATE &&
	    in.operation != AMDGPU_BO_LIST_OP_UPDATE)
		return -EINVAL;
	error = bo_list_read(call, file, in.bo_info_ptr, in.bo_number,
			     in.bo_info_size, &list);
	if (error)
		return error;
	list->handle = ++client->next_bo_list;
	if (in.operation == AMDGPU_BO_LIST_OP_UPDATE) {
		old = bo_list_find(client, in.list_handle);
		if (!old) {
			bo_list_free(list);
			return -ENOENT;
		}
		list->handle = in.list_handle;
		bo_list_destroy(client, in.list_handle);
	}
	list->next = client->bo_lists;
	client->bo_lists = list;
	memset(args, 0, sizeof(*args));
	args->out.list_handle = list->handle;
	return 0;
}

void
bo_lists_close(struct client *client)
{
	while (client->bo_lists) {
		struct bo_list *list = client->bo_lists;

		client->bo_lists = list->next;
		bo_list_free(list);
	}
}
