/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: Linux 6.1, amdgpu_ctx.c. */
#include "amdgpu/context.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/gpu.h"
#include "base/array.h"
#include "kernel/fence.h"

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
context_create(struct client *client)
{
	const struct amdgpu *amdgpu = client->amdgpu;
	struct context *context = calloc(1, sizeof(*context));

	if (!context)
		return NULL;
	context->references = 1;
	context->client = client;
	context->id = ++client->next_context;
	context->reset_count = amdgpu->reset_count;
	context->reset_count_query = amdgpu->reset_count;
	context->vram_lost_count = amdgpu->vram_lost_count;
	context->pstate_seen = amdgpu->pstate;
	context->next = client->contexts;
	client->contexts = context;
	return context;
}

void
context_remove(struct context *context)
{
	struct context **link = &context->client->contexts;

	while (*link != context)
		link = &(*link)->next;
	*link = context->next;
}

struct context *
context_find(const struct client *client, uint32_t id)
{
	struct context *context = client->contexts;

	while (context && context->id != id)
		context = context->next;
	return context;
}

/* ---- submissions */

int
context_entity(struct context *context, uint32_t ip, uint32_t ip_instance,
	       uint32_t ring, struct entity **out)
{
	const struct chip *chip = &context->client->amdgpu->chip;

	/* rings of other kinds are not simulated: the GPU has none of them */
	if (ip_instance != 0 || chip->user_queues_only)
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
context_fence(const struct entity *entity, uint64_t sequence,
	      struct sim_fence **out)
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
