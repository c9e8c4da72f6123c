/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts: the fences of their submissions, their fate in a reset, and the
 * stable power state one of them may hold. Facts: Linux 6.1, amdgpu_ctx.c.
 */
#include "amdgpu/gfx/gpu.h"

#include "base/array.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void
free_entity(struct entity *entity)
{
	for (size_t i = 0; i < ARRAY_SIZE(entity->fences); i++)
		sim_fence_put(entity->fences[i].fence);
}

struct context *
context_get(struct context *context)
{
	if (context)
		context->references++;
	return context;
}

void
context_put(struct context *context)
{
	if (!context || --context->references > 0)
		return;
	free_entity(&context->gfx);
	for (size_t i = 0; i < ARRAY_SIZE(context->compute); i++)
		free_entity(&context->compute[i]);
	free(context);
}

struct context *
context_find(struct client *client, uint32_t id)
{
	struct context *context = client->contexts;

	while (context && context->id != id)
		context = context->next;
	return context;
}

/* ---- stable power states */

static const char *const levels[] = {
	[AMDGPU_CTX_STABLE_PSTATE_NONE] = "auto",
	[AMDGPU_CTX_STABLE_PSTATE_STANDARD] = "profile_standard",
	[AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK] = "profile_min_sclk",
	[AMDGPU_CTX_STABLE_PSTATE_MIN_MCLK] = "profile_min_mclk",
	[AMDGPU_CTX_STABLE_PSTATE_PEAK] = "profile_peak",
};

/* What power_dpm_force_performance_level shows. */
void
context_show_level(struct amdgpu *amdgpu)
{
	sim_gpu_file(amdgpu->gpu, "power_dpm_force_performance_level", "%s\n",
		     levels[amdgpu->pstate]);
}

/*
 * On gfx10 the kernel clears the very bit that keeps the counters' clock on,
 * and sets it when the pstate is given back [Linux 6.1, nv.c, gfx_v10_0.c].
 */
static void
switch_clock(struct amdgpu *amdgpu, bool is_stable)
{
	const struct chip *chip = &amdgpu->chip;
	uint32_t *reg = &amdgpu->dies[0]->registers
				 [chip->reg.rlc_perfmon_clk_cntl];

	if (chip->perfmon_clock != CLOCK_REGISTER)
		return;
	*reg = is_stable ? *reg & ~1u : *reg | 1;
	amdgpu->clock_bit = false;
}

static void
set_level(struct amdgpu *amdgpu, uint32_t level)
{
	bool was_stable = amdgpu->pstate != AMDGPU_CTX_STABLE_PSTATE_NONE;
	bool is_stable = level != AMDGPU_CTX_STABLE_PSTATE_NONE;

	rings_wake(amdgpu);
	/* counters of clocks have to be right up to here */
	perfmon_sync(amdgpu, sim_now(amdgpu->gpu->sim));
	amdgpu->last_work = sim_now(amdgpu->gpu->sim);
	if (was_stable != is_stable)
		switch_clock(amdgpu, is_stable);
	amdgpu->pstate = level;
	amdgpu->perfmon.rates_changed = true;
	sysfs_show(amdgpu);
}

static int
set_pstate(struct amdgpu *amdgpu, struct context *context, uint32_t flags)
{
	uint32_t level = flags & AMDGPU_CTX_STABLE_PSTATE_FLAGS_MASK;

	if (level >= ARRAY_SIZE(levels))
		return -EINVAL;
	if (amdgpu->pstate_owner && amdgpu->pstate_owner != context)
		return -EBUSY;
	if (level == amdgpu->pstate)
		return 0;
	set_level(amdgpu, level);
	amdgpu->pstate_owner = level ? context : NULL;
	return 0;
}

/* The kernel gives the clocks back with the context that held them. */
static void
drop_pstate(struct context *context)
{
	struct amdgpu *amdgpu = context->client->amdgpu;
	struct sim_file *file = context->client->file;

	if (amdgpu->pstate_owner != context)
		return;
	amdgpu->pstate_owner = NULL;
	if (file->killed)
		sim_note_cleanup(amdgpu->gpu, file->pid, "pstate",
				 "killed holding %s: back to auto",
				 levels[amdgpu->pstate]);
	else
		sim_note_violation(amdgpu->gpu, file->pid, "pstate",
				   "context %u ended holding %s", context->id,
				   levels[amdgpu->pstate]);
	set_level(amdgpu, AMDGPU_CTX_STABLE_PSTATE_NONE);
}

/* ---- life */

static int
check_priority(struct sim_call *call, const struct sim_file *file,
	       int priority)
{
	static const int known[] = {
		AMDGPU_CTX_PRIORITY_UNSET,  AMDGPU_CTX_PRIORITY_VERY_LOW,
		AMDGPU_CTX_PRIORITY_LOW,    AMDGPU_CTX_PRIORITY_NORMAL,
		AMDGPU_CTX_PRIORITY_HIGH,   AMDGPU_CTX_PRIORITY_VERY_HIGH,
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (priority != known[i])
			continue;
		if (priority > AMDGPU_CTX_PRIORITY_NORMAL && !file->master &&
		    !sim_call_is_privileged(call))
			return -EACCES;
		return 0;
	}
	/* unknown ones count as normal, for old programs */
	return 0;
}

static int
allocate(struct sim_call *call, struct sim_file *file,
	 union drm_amdgpu_ctx *args)
{
	struct client *client = client_of(file);
	struct amdgpu *amdgpu = client->amdgpu;
	struct context *context;
	int error;

	error = check_priority(call, file, args->in.priority);
	if (error)
		return error;
	context = calloc(1, sizeof(*context));
	if (!context)
		return -ENOMEM;
	context->references = 1;
	context->client = client;
	context->id = ++client->next_context;
	context->reset_count = amdgpu->reset_count;
	context->reset_count_query = amdgpu->reset_count;
	context->vram_lost_count = amdgpu->vram_lost_count;
	context->next = client->contexts;
	client->contexts = context;
	memset(args, 0, sizeof(*args));
	args->out.alloc.ctx_id = context->id;
	return 0;
}

static void
end(struct context *context)
{
	struct context **link = &context->client->contexts;

	while (*link != context)
		link = &(*link)->next;
	*link = context->next;
	context->freed = true;
	drop_pstate(context);
	context_put(context);
}

void
context_close_all(struct client *client)
{
	while (client->contexts)
		end(client->contexts);
}

/* ---- resets */

static void
query_state(const struct amdgpu *amdgpu, struct context *context,
	    union drm_amdgpu_ctx *args)
{
	uint32_t status = AMDGPU_CTX_NO_RESET;

	if (context->reset_count_query != amdgpu->reset_count)
		status = context->guilty ? AMDGPU_CTX_GUILTY_RESET
					 : AMDGPU_CTX_UNKNOWN_RESET;
	context->reset_count_query = amdgpu->reset_count;
	memset(args, 0, sizeof(*args));
	args->out.state.reset_status = status;
}

static void
query_state2(const struct amdgpu *amdgpu, const struct context *context,
	     union drm_amdgpu_ctx *args)
{
	uint64_t flags = 0;

	if (context->reset_count != amdgpu->reset_count)
		flags |= AMDGPU_CTX_QUERY2_FLAGS_RESET;
	if (context->vram_lost_count != amdgpu->vram_lost_count)
		flags |= AMDGPU_CTX_QUERY2_FLAGS_VRAMLOST;
	if (context->guilty)
		flags |= AMDGPU_CTX_QUERY2_FLAGS_GUILTY;
	memset(args, 0, sizeof(*args));
	args->out.state.flags = flags;
}

int
context_ioctl(struct sim_call *call, struct sim_file *file, void *arg)
{
	union drm_amdgpu_ctx *args = arg;
	struct client *client = client_of(file);
	struct amdgpu *amdgpu = client->amdgpu;
	struct context *context = context_find(client, args->in.ctx_id);

	if (args->in.op == AMDGPU_CTX_OP_ALLOC_CTX)
		return args->in.flags ? -EINVAL : allocate(call, file, args);
	switch (args->in.op) {
	case AMDGPU_CTX_OP_FREE_CTX:
	case AMDGPU_CTX_OP_QUERY_STATE:
	case AMDGPU_CTX_OP_QUERY_STATE2:
	case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
	case AMDGPU_CTX_OP_SET_STABLE_PSTATE:
		break;
	default:
		return -EINVAL;
	}
	if (!context)
		return -EINVAL;
	switch (args->in.op) {
	case AMDGPU_CTX_OP_FREE_CTX:
		end(context);
		memset(args, 0, sizeof(*args));
		return 0;
	case AMDGPU_CTX_OP_QUERY_STATE:
		query_state(amdgpu, context, args);
		return 0;
	case AMDGPU_CTX_OP_QUERY_STATE2:
		query_state2(amdgpu, context, args);
		return 0;
	case AMDGPU_CTX_OP_GET_STABLE_PSTATE:
		if (args->in.flags)
			return -EINVAL;
		memset(args, 0, sizeof(*args));
		args->out.pstate.flags = amdgpu->pstate;
		return 0;
	}
	if (args->in.flags & ~(uint32_t)AMDGPU_CTX_STABLE_PSTATE_FLAGS_MASK)
		return -EINVAL;
	return set_pstate(amdgpu, context, args->in.flags);
}

/* ---- submissions */

int
context_entity(struct context *context, uint32_t ip, uint32_t ip_instance,
	       uint32_t ring, struct entity **out)
{
	const struct chip *chip = &context->client->amdgpu->chip;

	/* rings of other kinds are not simulated: the GPU has none of them */
	if (ip_instance != 0)
		return -EINVAL;
	if (ip == AMDGPU_HW_IP_GFX && ring < 1 && chip->gfx_rings) {
		*out = &context->gfx;
		return 0;
	}
	if (ip == AMDGPU_HW_IP_COMPUTE && ring < ENTITY_RINGS) {
		*out = &context->compute[ring];
		return 0;
	}
	return -EINVAL;
}

uint64_t
context_add_fence(struct entity *entity, struct sim_fence *fence)
{
	uint64_t sequence = ++entity->sequence;
	struct fence_slot *slot =
		&entity->fences[sequence % ARRAY_SIZE(entity->fences)];

	sim_fence_put(slot->fence);
	slot->fence = sim_fence_get(fence);
	slot->sequence = sequence;
	return sequence;
}

int
context_fence(struct entity *entity, uint64_t sequence, struct sim_fence **out)
{
	const struct fence_slot *slot;

	if (sequence == ~0ull)
		sequence = entity->sequence;
	if (sequence > entity->sequence)
		return -EINVAL;
	slot = &entity->fences[sequence % ARRAY_SIZE(entity->fences)];
	*out = sequence && slot->sequence == sequence ? slot->fence : NULL;
	return 0;
}
