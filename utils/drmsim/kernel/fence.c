/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernel/fence.h"

#include <errno.h>
#include <stdlib.h>

#include "kernel/call.h"
#include "kernel/stream.h"
#include "machine/machine.h"

struct sim_fence {
	struct sim *sim;
	unsigned references;
	bool signaled;
	int error;
	struct fence_file *files;
};

/* A sync file on a fence. */
struct fence_file {
	struct fence_file *next;
	struct sim_fence *fence;
	struct sim_stream *stream;
};

struct sim_fence *
sim_fence_create(struct sim *sim)
{
	struct sim_fence *fence = calloc(1, sizeof(*fence));

	if (!fence)
		return NULL;
	fence->sim = sim;
	fence->references = 1;
	return fence;
}

struct sim_fence *
sim_fence_get(struct sim_fence *fence)
{
	if (fence)
		fence->references++;
	return fence;
}

void
sim_fence_put(struct sim_fence *fence)
{
	if (fence && --fence->references == 0)
		free(fence);
}

void
sim_fence_signal(struct sim_fence *fence, int error)
{
	if (fence->signaled)
		return;
	fence->signaled = true;
	fence->error = error;
	for (struct fence_file *file = fence->files; file; file = file->next)
		sim_stream_set_readable(file->stream, true);
	sim_wake(fence->sim);
}

struct sim_fence *
sim_fence_create_signaled(struct sim *sim)
{
	struct sim_fence *fence = sim_fence_create(sim);

	if (fence)
		sim_fence_signal(fence, 0);
	return fence;
}

bool
sim_fence_is_signaled(const struct sim_fence *fence)
{
	return fence->signaled;
}

int
sim_fence_error(const struct sim_fence *fence)
{
	return fence->error;
}

static void
close_file(struct sim_stream *stream)
{
	struct fence_file *file = sim_stream_data(stream);
	struct fence_file **p = &file->fence->files;

	while (*p != file)
		p = &(*p)->next;
	*p = file->next;
	sim_fence_put(file->fence);
	free(file);
}

static const struct sim_stream_ops sync_file_ops = {
	.name = "sync_file",
	.close = close_file,
};

int
sim_fence_give(struct sim_fence *fence, struct sim_call *call, uint64_t store)
{
	struct fence_file *file = calloc(1, sizeof(*file));
	int error;

	if (!file)
		return -ENOMEM;
	error = sim_stream_create(call->sim, NULL, &sync_file_ops, file,
				  &file->stream);
	if (error) {
		free(file);
		return error;
	}
	file->fence = sim_fence_get(fence);
	file->next = fence->files;
	fence->files = file;
	if (fence->signaled)
		sim_stream_set_readable(file->stream, true);
	return sim_stream_give(file->stream, call, true, store);
}

struct sim_fence *
sim_fence_of_fd(const struct sim_call *call, int fd)
{
	struct sim_stream *stream = sim_stream_of_fd(call, fd);
	struct fence_file *file;

	if (!stream || sim_stream_type(stream) != &sync_file_ops)
		return NULL;
	file = sim_stream_data(stream);
	return file->fence;
}
