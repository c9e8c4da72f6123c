/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, amdgpu_cs.c. */
#include "amdgpu/operations.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/bo_list.h"
#include "amdgpu/client.h"
#include "amdgpu/context.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/job.h"
#include "amdgpu/scheduler.h"
#include "kernel/bo.h"
#include "kernel/call.h"
#include "kernel/fence.h"
#include "kernel/syncobj.h"
#include "scene/fault.h"

#define CHUNKS_MAX 64
#define TARGETS_MAX 64
/*
 * Limit of an array of the caller, in bytes: the kernel has no memory for more.
 */
#define ARRAY_MAX (4u << 20)
#define IB_ALIGNMENT 4 /* bytes; the kernel asks for no more */

struct sync_target {
	uint32_t handle;
	uint64_t point;
};

/* A submission being taken apart. */
struct submission {
	struct sim_call *call;
	struct sim_file *file;
	struct client *client;
	struct context *context;
	struct entity *entity;
	bool is_gfx;
	struct job *job;
	struct bo_list *list;	/* of a BO_HANDLES chunk: ours */
	struct sim_bo *fence_bo; /* borrowed */
	uint32_t fence_offset;
	struct sync_target targets[TARGETS_MAX];
	uint32_t target_count;
};

struct chunk {
	uint32_t id, dwords;
	uint64_t data;
};

/* ---- chunks */

static int
read_ib(struct submission *s, const struct chunk *chunk)
{
	struct drm_amdgpu_cs_chunk_ib ib;
	struct entity *entity;
	int error;

	if (chunk->dwords * 4 < sizeof(ib))
		return -EINVAL;
	error = sim_call_get(s->call, &ib, chunk->data, sizeof(ib));
	if (error)
		return error;
	error = context_entity(s->context, ib.ip_type, ib.ip_instance,
			       ib.ring, &entity);
	if (error)
		return error;
	/* all IBs of a submission go to one ring */
	if (s->entity && s->entity != entity)
		return -EINVAL;
	if (ib.flags & AMDGPU_IB_FLAG_PREEMPT && s->job->ib_count)
		return -EINVAL;
	if (ib.ib_bytes % 4 || ib.va_start % IB_ALIGNMENT || !ib.ib_bytes)
		return -EINVAL;
	if (s->job->ib_count == IBS_MAX)
		return -EINVAL;
	s->entity = entity;
	s->is_gfx = ib.ip_type == AMDGPU_HW_IP_GFX;
	/* a constant engine's IB does nothing that is simulated */
	if (ib.flags & AMDGPU_IB_FLAG_CE)
		return 0;
	s->job->ibs[s->job->ib_count++] = (struct ib){
		.address = ib.va_start,
		.dwords = ib.ib_bytes / 4,
	};
	return 0;
}

static int
read_user_fence(struct submission *s, const struct chunk *chunk)
{
	struct drm_amdgpu_cs_chunk_fence fence;
	int error;

	if (chunk->dwords * 4 < sizeof(fence))
		return -EINVAL;
	error = sim_call_get(s->call, &fence, chunk->data, sizeof(fence));
	if (error)
		return error;
	s->fence_bo = sim_handle_bo(s->file, fence.handle);
	if (!s->fence_bo || s->fence_bo->size != 4096 ||
	    fence.offset > 4096 - 8)
		return -EINVAL;
	s->fence_offset = fence.offset;
	return 0;
}

static int
add_wait(struct submission *s, struct sim_fence *fence)
{
	struct job *job = s->job;
	struct sim_fence **grown;

	if (!fence || sim_fence_is_signaled(fence))
		return 0;
	grown = reallocarray(job->waits, job->wait_count + 1,
			     sizeof(struct sim_fence *));
	if (!grown)
		return -ENOMEM;
	job->waits = grown;
	job->waits[job->wait_count++] = sim_fence_get(fence);
	return 0;
}

static int
read_dependencies(struct submission *s, const struct chunk *chunk)
{
	struct drm_amdgpu_cs_chunk_dep dep;
	uint32_t count = chunk->dwords * 4 / (uint32_t)sizeof(dep);
	int error = 0;

	for (uint32_t i = 0; i < count && !error; i++) {
		struct context *context;
		struct sim_fence *fence = NULL;
		struct entity *entity;

		error = sim_call_get(s->call, &dep,
				     chunk->data + i * sizeof(dep),
				     sizeof(dep));
		if (error)
			break;
		context = context_find(s->client, dep.ctx_id);
		if (!context)
			return -EINVAL;
		error = context_entity(context, dep.ip_type, dep.ip_instance,
				       dep.ring, &entity);
		if (!error)
			error = context_fence(entity, dep.handle, &fence);
		if (!error)
			error = add_wait(s, fence);
	}
	return error;
}

static int
read_sync_in(struct submission *s, const struct chunk *chunk)
{
	bool timeline = chunk->id == AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT;
	struct drm_amdgpu_cs_chunk_syncobj entry = { 0 };
	uint32_t size = timeline ? sizeof(entry)
				 : sizeof(struct drm_amdgpu_cs_chunk_sem);
	int error = 0;

	for (uint32_t i = 0; i < chunk->dwords * 4 / size && !error; i++) {
		struct sim_fence *fence = NULL;

		error = sim_call_get(s->call, &entry, chunk->data + i * size,
				     size);
		if (!error)
			error = sim_syncobj_fence(
				s->file, entry.handle,
				timeline ? entry.point : 0, &fence);
		if (!error)
			error = add_wait(s, fence);
	}
	return error;
}

static int
read_sync_out(struct submission *s, const struct chunk *chunk)
{
	bool timeline = chunk->id == AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL;
	struct drm_amdgpu_cs_chunk_syncobj entry = { 0 };
	uint32_t size = timeline ? sizeof(entry)
				 : sizeof(struct drm_amdgpu_cs_chunk_sem);

	for (uint32_t i = 0; i < chunk->dwords * 4 / size; i++) {
		int error = sim_call_get(s->call, &entry,
					 chunk->data + i * size, size);
		if (error)
			return error;
		/* or else there would be a fence that no job ever signals */
		if (!sim_syncobj_exists(s->file, entry.handle))
			return -EINVAL;
		if (s->target_count == TARGETS_MAX)
			return -EINVAL;
		s->targets[s->target_count++] = (struct sync_target){
			.handle = entry.handle,
			.point = timeline ? entry.point : 0,
		};
	}
	return 0;
}

static int
read_bo_handles(struct submission *s, const struct chunk *chunk)
{
	struct drm_amdgpu_bo_list_in in;
	int error;

	if (chunk->dwords * 4 < sizeof(in) || s->list)
		return -EINVAL;
	error = sim_call_get(s->call, &in, chunk->data, sizeof(in));
	if (error)
		return error;
	return bo_list_read(s->call, s->file, in.bo_info_ptr, in.bo_number,
			    in.bo_info_size, &s->list);
}

static int
read_chunk(struct submission *s, const struct chunk *chunk)
{
	if (chunk->dwords > ARRAY_MAX / 4)
		return -ENOMEM;
	switch (chunk->id) {
	case AMDGPU_CHUNK_ID_IB:
		return read_ib(s, chunk);
	case AMDGPU_CHUNK_ID_FENCE:
		return read_user_fence(s, chunk);
	case AMDGPU_CHUNK_ID_DEPENDENCIES:
	case AMDGPU_CHUNK_ID_SCHEDULED_DEPENDENCIES:
		return read_dependencies(s, chunk);
	case AMDGPU_CHUNK_ID_SYNCOBJ_IN:
	case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_WAIT:
		return read_sync_in(s, chunk);
	case AMDGPU_CHUNK_ID_SYNCOBJ_OUT:
	case AMDGPU_CHUNK_ID_SYNCOBJ_TIMELINE_SIGNAL:
		return read_sync_out(s, chunk);
	case AMDGPU_CHUNK_ID_BO_HANDLES:
		return read_bo_handles(s, chunk);
	}
	return -EINVAL;
}

static int
read_chunks(struct submission *s, const struct drm_amdgpu_cs_in *in)
{
	struct drm_amdgpu_cs_chunk user;
	uint64_t at;
	int error = 0;

	if (in->num_chunks == 0 || in->num_chunks > CHUNKS_MAX)
		return -EINVAL;
	for (uint32_t i = 0; i < in->num_chunks && !error; i++) {
		error = sim_call_get(s->call, &at, in->chunks + i * sizeof(at),
				     sizeof(at));
		if (!error)
			error = sim_call_get(s->call, &user, at, sizeof(user));
		if (!error)
			error = read_chunk(
				s, &(struct chunk){ user.chunk_id,
						    user.length_dw,
						    user.chunk_data });
	}
	if (!error && !s->job->ib_count)
		error = -EINVAL;
	return error;
}

/* ---- submitting */

/* Take the buffers of the job: those of the list, by whatever way it came. */
static int
take_buffers(struct submission *s, uint32_t handle)
{
	const struct bo_list *list = s->list;
	struct job *job = s->job;

	if (handle && list)
		return -EINVAL;
	if (handle) {
		list = bo_list_find(s->client, handle);
		if (!list)
			return -ENOENT;
	}
	job->bos = calloc((list ? list->count : 0) + 2,
			  sizeof(struct sim_bo *));
	if (!job->bos)
		return -ENOMEM;
	for (uint32_t i = 0; list && i < list->count; i++)
		job->bos[job->bo_count++] = sim_bo_get(list->bos[i]);
	if (s->fence_bo) {
		job->bos[job->bo_count++] = sim_bo_get(s->fence_bo);
		job->user_fence = sim_bo_get(s->fence_bo);
		job->user_fence_offset = s->fence_offset;
	}
	return 0;
}

static int
check_context(const struct submission *s)
{
	const struct amdgpu *amdgpu = s->client->amdgpu;

	if (s->context->guilty)
		return -ECANCELED;
	if (s->context->vram_lost_count != amdgpu->vram_lost_count)
		return -ECANCELED;
	return 0;
}

static int
signal_targets(struct submission *s)
{
	for (uint32_t i = 0; i < s->target_count; i++) {
		int error = sim_syncobj_replace(s->file, s->targets[i].handle,
						s->targets[i].point,
						s->job->fence);
		if (error)
			return error;
	}
	return 0;
}

static void
queue_job(struct submission *s, enum sim_fault_action action)
{
	struct amdgpu *amdgpu = s->client->amdgpu;
	struct job *job = s->job;

	job->number = amdgpu->next_job++;
	job->client = s->client;
	job->file = s->file->id;
	job->vm = &s->client->vm;
	job->context = context_get(s->context);
	job->pid = s->call->caller.pid;
	job->shall_hang = action == SIM_FAULT_HANG;
	job->sequence = context_add_fence(s->entity, job->fence);
	job->ring = scheduler_choose(amdgpu, s->is_gfx, s->file->partition,
				     s->entity);
	s->entity->ring = job->ring;
	s->job = NULL;
	scheduler_submit(amdgpu, job);
	if (action == SIM_FAULT_RESET || action == SIM_FAULT_ENGINE_RESET)
		scheduler_reset(amdgpu, s->context);
}

static int
submission_submit(struct submission *s, const struct drm_amdgpu_cs_in *in,
		  uint64_t *sequence)
{
	enum sim_fault_action action;
	int error;

	/* the mode may have changed since the file was opened */
	if (s->file->partition >= s->client->amdgpu->partitions)
		return -ENODEV;

	error = read_chunks(s, in);
	if (!error)
		error = take_buffers(s, in->bo_list_handle);
	if (!error)
		error = check_context(s);
	if (error)
		return error;
	s->job->fence = sim_fence_create(s->file->gpu->sim);
	if (!s->job->fence)
		return -ENOMEM;
	error = signal_targets(s);
	if (error)
		return error;
	action = sim_fault_submission(s->file->gpu);
	if (action == SIM_FAULT_GONE)
		return -ENODEV;
	queue_job(s, action);
	*sequence = s->entity->sequence;
	return 0;
}

int
submit_cs(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_cs *args = arg;
	struct submission s = { .call = call,
				.file = file,
				.client = client_of(file) };
	struct drm_amdgpu_cs_in in = args->in;
	uint64_t sequence = 0;
	int error;

	s.context = context_find(s.client, in.ctx_id);
	if (!s.context)
		return -EINVAL;
	s.job = calloc(1, sizeof(*s.job));
	if (!s.job)
		return -ENOMEM;
	error = submission_submit(&s, &in, &sequence);
	bo_list_free(s.list);
	if (s.job)
		job_free(s.job);
	if (error)
		return error;
	memset(args, 0, sizeof(*args));
	args->out.handle = sequence;
	return 0;
}
