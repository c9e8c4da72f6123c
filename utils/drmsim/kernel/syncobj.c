/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, drivers/gpu/drm/drm_syncobj.c. */
#include "kernel/syncobj.h"

#include <drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/call.h"
#include "kernel/fence.h"
#include "kernel/file.h"
#include "kernel/slots.h"
#include "kernel/stream.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/gpu.h"
#include "machine/machine.h"

#define HANDLES_MAX 65536u

struct point {
	uint64_t value;
	struct sim_fence *fence;
};

struct syncobj {
	unsigned references;
	struct sim_fence *fence; /* of the binary payload, or the last point */
	struct point *points;	 /* rising */
	size_t point_count;
	uint64_t passed; /* the highest point that was signalled */
};

static void
syncobj_clear(struct syncobj *syncobj)
{
	sim_fence_put(syncobj->fence);
	syncobj->fence = NULL;
	for (size_t i = 0; i < syncobj->point_count; i++)
		sim_fence_put(syncobj->points[i].fence);
	free(syncobj->points);
	syncobj->points = NULL;
	syncobj->point_count = 0;
	syncobj->passed = 0;
}

static void
syncobj_put(struct syncobj *syncobj)
{
	if (--syncobj->references > 0)
		return;
	syncobj_clear(syncobj);
	free(syncobj);
}

static struct syncobj *
syncobj_find(struct sim_file *file, uint32_t handle)
{
	return sim_slots_get(&file->syncobjs, handle);
}

bool
sim_syncobj_exists(struct sim_file *file, uint32_t handle)
{
	return syncobj_find(file, handle) != NULL;
}

void
sim_syncobjs_close(struct sim_file *file)
{
	for (uint32_t handle = 1; handle <= file->syncobjs.room; handle++) {
		struct syncobj *syncobj =
			sim_slots_remove(&file->syncobjs, handle);

		if (syncobj)
			syncobj_put(syncobj);
	}
	sim_slots_free(&file->syncobjs);
}

/* Update a timeline, whose points count as passed only in order. */
static void
timeline_update(struct syncobj *syncobj)
{
	size_t i;

	for (i = 0; i < syncobj->point_count; i++) {
		if (!sim_fence_is_signaled(syncobj->points[i].fence))
			break;
		syncobj->passed = syncobj->points[i].value;
		sim_fence_put(syncobj->points[i].fence);
	}
	syncobj->point_count -= i;
	if (i)
		memmove(syncobj->points, syncobj->points + i,
			syncobj->point_count * sizeof(*syncobj->points));
}

/* Takes its own reference to the fence. */
static int
syncobj_replace(struct sim_file *file, struct syncobj *syncobj, uint64_t value,
		struct sim_fence *fence)
{
	struct point *grown;

	if (value == 0) {
		syncobj_clear(syncobj);
		syncobj->fence = sim_fence_get(fence);
		sim_wake(file->gpu->sim);
		return 0;
	}
	grown = realloc(syncobj->points,
			(syncobj->point_count + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	syncobj->points = grown;
	grown[syncobj->point_count++] =
		(struct point){ value, sim_fence_get(fence) };
	sim_fence_put(syncobj->fence);
	syncobj->fence = sim_fence_get(fence);
	sim_wake(file->gpu->sim);
	return 0;
}

/*
 * Find the fence of a point. Returns 1 and a borrowed fence; 0 if the point has
 * been passed; -EINVAL if it has not been submitted yet.
 */
static int
fence_of(struct syncobj *syncobj, uint64_t value, struct sim_fence **out)
{
	timeline_update(syncobj);
	if (value == 0) {
		if (!syncobj->fence)
			return -EINVAL;
		*out = syncobj->fence;
		return 1;
	}
	if (value <= syncobj->passed)
		return 0;
	for (size_t i = 0; i < syncobj->point_count; i++) {
		if (syncobj->points[i].value >= value) {
			*out = syncobj->points[i].fence;
			return 1;
		}
	}
	return -EINVAL;
}

int
sim_syncobj_fence(struct sim_file *file, uint32_t handle, uint64_t point,
		  struct sim_fence **out)
{
	struct syncobj *syncobj = syncobj_find(file, handle);
	struct sim_fence *fence = NULL;
	int result;

	if (!syncobj)
		return -ENOENT;
	result = fence_of(syncobj, point, &fence);
	if (result < 0)
		return result;
	*out = fence;
	return 0;
}

int
sim_syncobj_replace(struct sim_file *file, uint32_t handle, uint64_t point,
		    struct sim_fence *fence)
{
	struct syncobj *syncobj = syncobj_find(file, handle);

	return syncobj ? syncobj_replace(file, syncobj, point, fence) : -ENOENT;
}

/* ---- making and sharing */

int
sim_syncobj_create(struct sim_file *file, struct sim_fence *fence,
		   uint32_t *handle)
{
	struct syncobj *syncobj = calloc(1, sizeof(*syncobj));
	int error;

	if (!syncobj)
		return -ENOMEM;
	syncobj->references = 1;
	syncobj->fence = sim_fence_get(fence);
	error = sim_slots_add(&file->syncobjs, syncobj, handle);
	if (error)
		syncobj_put(syncobj);
	return error;
}

static int
syncobj_create(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_syncobj_create *create = arg;
	struct sim_fence *fence = NULL;
	int error;

	if (create->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
		return -EINVAL;
	if (create->flags & DRM_SYNCOBJ_CREATE_SIGNALED)
		fence = sim_fence_create_signaled(call->sim);
	error = sim_syncobj_create(file, fence, &create->handle);
	sim_fence_put(fence);
	return error;
}

static int
syncobj_destroy(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_syncobj_destroy *destroy = arg;
	struct syncobj *syncobj;

	(void)call;
	if (destroy->pad)
		return -EINVAL;
	syncobj = sim_slots_remove(&file->syncobjs, destroy->handle);
	if (!syncobj)
		return -EINVAL;
	syncobj_put(syncobj);
	return 0;
}

static void
close_shared(struct sim_stream *stream)
{
	syncobj_put(sim_stream_data(stream));
}

static const struct sim_stream_ops shared_ops = {
	.name = "syncobj",
	.close = close_shared,
};

int
sim_syncobj_give(struct sim_file *file, uint32_t handle, struct sim_call *call,
		 uint64_t store)
{
	struct syncobj *syncobj = syncobj_find(file, handle);
	struct sim_stream *stream;
	int error;

	if (!syncobj)
		return -EINVAL;
	error = sim_stream_create(call->sim, file->gpu, &shared_ops, syncobj,
				  &stream);
	if (error)
		return error;
	syncobj->references++;
	return sim_stream_give(stream, call, true, store);
}

static int
handle_to_fd(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_syncobj_handle *args = arg;
	const uint32_t as_file =
		DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE;
	uint64_t store = sim_call_arg_address(
		call, offsetof(struct drm_syncobj_handle, fd));
	struct sim_fence *fence = NULL;
	int error;

	if (args->pad || (args->flags & ~as_file))
		return -EINVAL;
	if (!(args->flags & as_file))
		return sim_syncobj_give(file, args->handle, call, store);
	error = sim_syncobj_fence(file, args->handle, 0, &fence);
	return error ? error : sim_fence_give(fence, call, store);
}

static int
fd_to_handle(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_syncobj_handle *args = arg;
	const uint32_t as_file =
		DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE;
	struct sim_stream *stream;
	struct syncobj *syncobj;
	int error;

	if (args->pad || (args->flags & ~as_file))
		return -EINVAL;
	if (args->flags & as_file) {
		struct sim_fence *fence = sim_fence_of_fd(call, args->fd);
		if (!fence)
			return -EINVAL;
		return sim_syncobj_replace(file, args->handle, 0, fence);
	}
	stream = sim_stream_of_fd(call, args->fd);
	if (!stream || sim_stream_type(stream) != &shared_ops)
		return -EINVAL;
	syncobj = sim_stream_data(stream);
	error = sim_slots_add(&file->syncobjs, syncobj, &args->handle);
	if (!error)
		syncobj->references++;
	return error;
}

/* ---- waiting */

struct wait_list {
	uint32_t *handles;
	uint64_t *points; /* or NULL: binary */
	uint32_t count;
};

static void
wait_list_free(struct wait_list *list)
{
	free(list->handles);
	free(list->points);
}

static int
wait_list_read(struct sim_call *call, uint64_t handles, uint64_t points,
	       uint32_t count, struct wait_list *list)
{
	memset(list, 0, sizeof(*list));
	if (count == 0)
		return -EINVAL;
	if (count > HANDLES_MAX)
		return -ENOMEM;
	list->count = count;
	list->handles = calloc(count, sizeof(*list->handles));
	list->points = points ? calloc(count, sizeof(*list->points)) : NULL;
	if (!list->handles || (points && !list->points))
		return -ENOMEM;
	if (sim_call_get(call, list->handles, handles,
			 count * sizeof(*list->handles)) ||
	    (points && sim_call_get(call, list->points, points,
				    count * sizeof(*list->points))))
		return -EFAULT;
	return 0;
}

enum { NOT_READY = 0, READY = 1 };

/* Return, for one entry, READY, NOT_READY, or -errno. */
static int
is_ready(struct sim_file *file, const struct wait_list *list, uint32_t i,
	 uint32_t flags)
{
	struct syncobj *syncobj = syncobj_find(file, list->handles[i]);
	struct sim_fence *fence = NULL;
	int result;

	if (!syncobj)
		return -ENOENT;
	result = fence_of(syncobj, list->points ? list->points[i] : 0, &fence);
	if (result == 0)
		return READY;
	if (result < 0)
		return flags & (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
				DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE) ?
			       NOT_READY :
			       -EINVAL;
	if (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)
		return READY;
	return sim_fence_is_signaled(fence) ? READY : NOT_READY;
}

static int
wait_once(struct sim_call *call, struct sim_file *file,
	  const struct wait_list *list, uint32_t flags, int64_t timeout,
	  uint32_t *first)
{
	uint32_t ready = 0;
	uint64_t deadline;

	for (uint32_t i = list->count; i-- > 0;) {
		int result = is_ready(file, list, i, flags);
		if (result < 0)
			return result;
		if (result == READY) {
			*first = i;
			ready++;
		}
	}
	if (ready == list->count ||
	    (ready && !(flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL)))
		return 0;
	deadline = sim_call_deadline(call, timeout);
	if (deadline <= sim_now(call->sim) || call->timed_out)
		return -ETIME;
	return sim_call_sleep(call, deadline,
			      file->gpu->driver->next(file->gpu));
}

static int
wait_for(struct sim_call *call, struct sim_file *file, uint64_t handles,
	 uint64_t points, uint32_t count, uint32_t flags, int64_t timeout,
	 uint32_t *first)
{
	struct wait_list list;
	int result = wait_list_read(call, handles, points, count, &list);

	if (!result)
		result = wait_once(call, file, &list, flags, timeout, first);
	wait_list_free(&list);
	return result;
}

static int
wait_binary(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_syncobj_wait *wait = arg;

	if (wait->flags & ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL |
				      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT))
		return -EINVAL;
	return wait_for(call, file, wait->handles, 0, wait->count_handles,
			wait->flags, wait->timeout_nsec, &wait->first_signaled);
}

static int
wait_timeline(struct sim_call *call, struct sim_file *file, void *arg)
{
	struct drm_syncobj_timeline_wait *wait = arg;

	if (wait->flags & ~(uint32_t)(DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL |
				      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT |
				      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE))
		return -EINVAL;
	return wait_for(call, file, wait->handles, wait->points,
			wait->count_handles, wait->flags, wait->timeout_nsec,
			&wait->first_signaled);
}

/* ---- changing and asking */

/* Set (or, without a fence, reset) all objects of an array. */
static int
set_all(struct sim_call *call, struct sim_file *file, uint64_t handles,
	uint64_t points, uint32_t count, struct sim_fence *fence)
{
	struct wait_list list;
	int error = wait_list_read(call, handles, points, count, &list);

	for (uint32_t i = 0; i < count && !error; i++)
		error = syncobj_find(file, list.handles[i]) ? 0 : -ENOENT;
	for (uint32_t i = 0; i < count && !error; i++)
		error = sim_syncobj_replace(file, list.handles[i],
					    points ? list.points[i] : 0,
					    fence);
	wait_list_free(&list);
	return error;
}

static int
syncobj_reset(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_syncobj_array *array = arg;

	if (array->pad)
		return -EINVAL;
	return set_all(call, file, array->handles, 0, array->count_handles,
		       NULL);
}

static int
signal_all(struct sim_call *call, struct sim_file *file, uint64_t handles,
	   uint64_t points, uint32_t count)
{
	struct sim_fence *fence = sim_fence_create_signaled(call->sim);
	int error;

	if (!fence)
		return -ENOMEM;
	error = set_all(call, file, handles, points, count, fence);
	sim_fence_put(fence);
	return error;
}

static int
signal_binary(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_syncobj_array *array = arg;

	if (array->pad)
		return -EINVAL;
	return signal_all(call, file, array->handles, 0, array->count_handles);
}

static int
signal_timeline(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_syncobj_timeline_array *array = arg;

	if (array->flags || !array->points)
		return -EINVAL;
	return signal_all(call, file, array->handles, array->points,
			  array->count_handles);
}

static int
syncobj_query(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_syncobj_timeline_array *array = arg;
	const uint32_t last = DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED;
	struct wait_list list;
	int error;

	if (array->flags & ~last)
		return -EINVAL;
	error = wait_list_read(call, array->handles, 0, array->count_handles,
			       &list);
	for (uint32_t i = 0; i < array->count_handles && !error; i++) {
		struct syncobj *syncobj = syncobj_find(file, list.handles[i]);
		uint64_t value;
		if (!syncobj) {
			error = -ENOENT;
			break;
		}
		timeline_update(syncobj);
		value = syncobj->passed;
		if ((array->flags & last) && syncobj->point_count)
			value = syncobj->points[syncobj->point_count - 1].value;
		error = sim_call_put(call, array->points + i * sizeof(value),
				     &value, sizeof(value));
	}
	wait_list_free(&list);
	return error;
}

static int
syncobj_transfer(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct drm_syncobj_transfer *transfer = arg;
	struct sim_fence *fence = NULL, *made = NULL;
	int error;

	if (transfer->pad)
		return -EINVAL;
	error = sim_syncobj_fence(file, transfer->src_handle,
				  transfer->src_point, &fence);
	if (error)
		return error;
	if (!fence)
		fence = made = sim_fence_create_signaled(call->sim);
	error = sim_syncobj_replace(file, transfer->dst_handle,
				    transfer->dst_point, fence);
	sim_fence_put(made);
	return error;
}

const struct sim_ioctl sim_syncobj_ioctls[] = {
	{ DRM_IOCTL_SYNCOBJ_CREATE, "syncobj_create", SIM_RENDER,
	  syncobj_create },
	{ DRM_IOCTL_SYNCOBJ_DESTROY, "syncobj_destroy", SIM_RENDER,
	  syncobj_destroy },
	{ DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, "syncobj_handle_to_fd", SIM_RENDER,
	  handle_to_fd },
	{ DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, "syncobj_fd_to_handle", SIM_RENDER,
	  fd_to_handle },
	{ DRM_IOCTL_SYNCOBJ_WAIT, "syncobj_wait", SIM_RENDER, wait_binary },
	{ DRM_IOCTL_SYNCOBJ_RESET, "syncobj_reset", SIM_RENDER, syncobj_reset },
	{ DRM_IOCTL_SYNCOBJ_SIGNAL, "syncobj_signal", SIM_RENDER,
	  signal_binary },
	{ DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, "syncobj_timeline_wait", SIM_RENDER,
	  wait_timeline },
	{ DRM_IOCTL_SYNCOBJ_QUERY, "syncobj_query", SIM_RENDER, syncobj_query },
	{ DRM_IOCTL_SYNCOBJ_TRANSFER, "syncobj_transfer", SIM_RENDER,
	  syncobj_transfer },
	{ DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, "syncobj_timeline_signal",
	  SIM_RENDER, signal_timeline },
};
const size_t sim_syncobj_ioctl_count = ARRAY_SIZE(sim_syncobj_ioctls);
