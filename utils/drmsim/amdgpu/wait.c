/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, amdgpu_cs.c. */
#include "amdgpu/operations.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/context.h"
#include "amdgpu/scheduler.h"
#include "kernel/call.h"
#include "kernel/fence.h"
#include "kernel/syncobj.h"
#include "machine/clock.h"

/*
 * Limit of an array of the caller, in bytes: the kernel has no memory for more.
 */
#define ARRAY_MAX (4u << 20)

static int
find_fence(struct client *client, uint32_t context_id, uint32_t ip,
	   uint32_t ip_instance, uint32_t ring, uint64_t sequence,
	   struct sim_fence **out)
{
	struct context *context = context_find(client, context_id);
	struct entity *entity;
	int error;

	*out = NULL;
	if (!context)
		return -EINVAL;
	error = context_entity(context, ip, ip_instance, ring, &entity);
	return error ? error : context_fence(entity, sequence, out);
}

/*
 * Wait until is_done, or no longer. SIM_SLEEP, or 0 with *timed_out.
 */
static int
wait_for(struct sim_call *call, struct amdgpu *amdgpu, bool is_done,
	 uint64_t timeout, bool *timed_out)
{
	uint64_t deadline = sim_call_deadline(call, (int64_t)timeout);

	*timed_out = false;
	if (is_done)
		return 0;
	/* a negative timeout, as an absolute time, is for ever */
	if ((int64_t)timeout < 0)
		deadline = SIM_NEVER;
	if (call->timed_out || deadline <= sim_now(call->sim)) {
		*timed_out = true;
		return 0;
	}
	return sim_call_sleep(call, deadline, scheduler_next(amdgpu));
}

int
wait_cs(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_wait_cs *args = arg;
	struct client *client = client_of(file);
	struct sim_fence *fence;
	bool timed_out;
	int error;

	error = find_fence(client, args->in.ctx_id, args->in.ip_type,
			   args->in.ip_instance, args->in.ring, args->in.handle,
			   &fence);
	if (error)
		return error;
	error = wait_for(call, client->amdgpu,
			 !fence || sim_fence_is_signaled(fence),
			 args->in.timeout, &timed_out);
	if (error)
		return error;
	if (!timed_out && fence && sim_fence_error(fence))
		return sim_fence_error(fence);
	memset(args, 0, sizeof(*args));
	args->out.status = timed_out;
	return 0;
}

int
wait_fences(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_wait_fences *args = arg;
	struct client *client = client_of(file);
	struct drm_amdgpu_fence one;
	uint32_t ready = 0, first = UINT32_MAX, count = args->in.fence_count;
	bool timed_out, done;
	int error = 0, fault = 0;

	if (count > ARRAY_MAX / sizeof(one))
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		struct sim_fence *fence;

		error = sim_call_get(call, &one,
				     args->in.fences + i * sizeof(one),
				     sizeof(one));
		if (!error)
			error = find_fence(client, one.ctx_id, one.ip_type,
					   one.ip_instance, one.ring,
					   one.seq_no, &fence);
		if (error)
			return error;
		if (fence && !sim_fence_is_signaled(fence))
			continue;
		if (fence && sim_fence_error(fence))
			fault = sim_fence_error(fence);
		ready++;
		if (first == UINT32_MAX)
			first = i;
	}
	done = args->in.wait_all ? ready == count : ready > 0;
	error = wait_for(call, client->amdgpu, done || !count,
			 args->in.timeout_ns, &timed_out);
	if (error)
		return error;
	if (fault && !timed_out)
		return fault;
	memset(args, 0, sizeof(*args));
	args->out.status = !timed_out;
	args->out.first_signaled = first == UINT32_MAX ? 0 : first;
	return 0;
}

int
wait_fence_to_handle(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_fence_to_handle *args = arg;
	const struct drm_amdgpu_fence *in = &args->in.fence;
	uint64_t store = sim_call_arg_address(
		call, offsetof(union drm_amdgpu_fence_to_handle, out.handle));
	struct sim_fence *fence;
	uint32_t what = args->in.what, handle = 0;
	int error;

	error = find_fence(client_of(file), in->ctx_id, in->ip_type,
			   in->ip_instance, in->ring, in->seq_no, &fence);
	if (error)
		return error;
	fence = fence ? sim_fence_get(fence)
		      : sim_fence_create_signaled(call->sim);
	if (!fence)
		return -ENOMEM;
	memset(args, 0, sizeof(*args));
	switch (what) {
	case AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ:
		error = sim_syncobj_create(file, fence, &args->out.handle);
		break;
	case AMDGPU_FENCE_TO_HANDLE_GET_SYNCOBJ_FD:
		error = sim_syncobj_create(file, fence, &handle);
		if (!error)
			error = sim_syncobj_give(file, handle, call, store);
		break;
	case AMDGPU_FENCE_TO_HANDLE_GET_SYNC_FILE_FD:
		error = sim_fence_give(fence, call, store);
		break;
	default:
		error = -EINVAL;
	}
	sim_fence_put(fence);
	return error;
}
