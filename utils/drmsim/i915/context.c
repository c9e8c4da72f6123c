/* SPDX-License-Identifier: BSD-3-Clause */
#include "i915/context.h"

#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>

#include "i915/device.h"
#include "kernel/file.h"

#define FIRST_CREATED 0x100
#define FIRST_DEFAULT 0x10000

struct sim_i915_context {
	uint64_t file;
	uint32_t handle, hardware;
	struct sim_i915_context *next;
};

static int
context_add(struct sim_file *file, uint32_t handle, uint32_t hardware)
{
	struct sim_i915 *device = sim_i915_of(file->gpu);
	struct sim_i915_context *context = calloc(1, sizeof(*context));

	if (!context)
		return -ENOMEM;
	context->file = file->id;
	context->handle = handle;
	context->hardware = hardware;
	context->next = device->contexts;
	device->contexts = context;
	return 0;
}

int
sim_i915_context_open(struct sim_file *file)
{
	return context_add(file, 0, FIRST_DEFAULT + file->client);
}

static struct sim_i915_context **
context_find(struct sim_file *file, uint64_t handle)
{
	struct sim_i915_context **place = &sim_i915_of(file->gpu)->contexts;

	while (*place &&
	       ((*place)->file != file->id || (*place)->handle != handle))
		place = &(*place)->next;
	return place;
}

static void
context_drop(struct sim_i915_context **place)
{
	struct sim_i915_context *context = *place;

	*place = context->next;
	free(context);
}

void
sim_i915_context_close(struct sim_file *file)
{
	struct sim_i915_context **place = &sim_i915_of(file->gpu)->contexts;

	while (*place) {
		if ((*place)->file == file->id)
			context_drop(place);
		else
			place = &(*place)->next;
	}
}

int
sim_i915_context_find(struct sim_file *file, uint64_t handle, uint32_t *out)
{
	struct sim_i915_context *context = *context_find(file, handle);

	if (!context)
		return -ENOENT;
	*out = context->hardware;
	return 0;
}

int
sim_i915_context_create(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_i915_gem_context_create_ext *create = arg;
	struct sim_i915 *device = sim_i915_of(file->gpu);
	uint32_t handle = 1;
	int error;

	(void)call;
	if (create->flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)
		return -EINVAL;
	while (*context_find(file, handle))
		handle++;
	error = context_add(file, handle, FIRST_CREATED + device->next_context);
	if (error)
		return error;
	device->next_context++;
	create->ctx_id = handle;
	return 0;
}

int
sim_i915_context_destroy(struct sim_call *call, struct sim_file *file,
			 void *arg)
{
	const struct drm_i915_gem_context_destroy *destroy = arg;
	struct sim_i915_context **place;

	(void)call;
	if (destroy->pad)
		return -EINVAL;
	/* the default context stays */
	if (destroy->ctx_id == 0)
		return -ENOENT;
	place = context_find(file, destroy->ctx_id);
	if (!*place)
		return -ENOENT;
	context_drop(place);
	return 0;
}
