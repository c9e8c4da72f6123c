/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts: the fences of their submissions, and their fate in a reset. */
#ifndef DRMSIM_AMDGPU_CONTEXT_H
#define DRMSIM_AMDGPU_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct client;
struct ring;
struct sim_fence;

#define ENTITY_RINGS 4 /* of one kind that a context may name */

/* State that a context keeps for each of its queues. */
struct entity {
	uint64_t sequence; /* of the last submission */
	struct fence_slot {
		uint64_t sequence;
		struct sim_fence *fence;
	} fences[32];
	struct ring *ring; /* of the last submission */
};

struct context {
	struct context *next;
	struct client *client;
	uint32_t id;
	unsigned references;
	bool guilty;
	unsigned reset_count, reset_count_query, vram_lost_count;
	uint32_t pstate_seen; /* when it was made */
	struct entity gfx, compute[ENTITY_RINGS];
};

/* Create a context. Returns NULL if there is no memory. */
struct context *context_create(struct client *client);
/* Remove the context from the client; the reference remains. */
void context_remove(struct context *context);
struct context *context_find(const struct client *client, uint32_t id);
struct context *context_get(struct context *context);
void context_put(struct context *context);

/* Find the entity of a ring. Returns 0, or -EINVAL if there is no such ring. */
int context_entity(struct context *context, uint32_t ip, uint32_t ip_instance,
		   uint32_t ring, struct entity **out);
/*
 * Find the fence of a submission: *out is NULL if it is long past. Returns 0,
 * or -EINVAL if there was no such submission yet.
 */
int context_fence(const struct entity *entity, uint64_t sequence,
		  struct sim_fence **out);
uint64_t context_add_fence(struct entity *entity, struct sim_fence *fence);

#endif /* DRMSIM_AMDGPU_CONTEXT_H */
