/* SPDX-License-Identifier: BSD-3-Clause */
#include "kfd/grid.h"

#include <string.h>

#include "amdgpu/client.h"
#include "amdgpu/gfx/busy.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/sqtt.h"
#include "kfd/process.h"
#include "kfd/queue.h"
#include "kfd/signal.h"
#include "kfd/state.h"
#include "machine/gpu.h"

/* A kernel's descriptor, and in it the bit of waves of 32. */
#define DESCRIPTOR_BYTES 64
#define PROPERTIES 56
#define WAVE32 (1u << 10)

/* The share of a dispatch that a die executes. */
struct share {
	uint64_t groups, waves, threads;
};

static bool
read_wave_size(struct kfd_queue *queue, uint64_t kernel, unsigned *size)
{
	const struct chip *chip = &amdgpu_of(queue->device->node.gpu)->chip;
	const uint8_t *at =
		queue_memory(queue, kernel, DESCRIPTOR_BYTES, false);
	uint16_t properties;

	if (!at)
		return false;
	memcpy(&properties, at + PROPERTIES, sizeof(properties));
	*size = chip->wave32_bit && properties & WAVE32 ? 32 : 64;
	return true;
}

/*
 * Deal groups of a size, one die after the other, from where the last ones
 * ended.
 */
static void
deal_groups(struct share *shares, unsigned dies, unsigned *next,
	    uint64_t groups, uint64_t threads, unsigned wave)
{
	for (unsigned i = 0; i < dies; i++) {
		struct share *share = &shares[(*next + i) % dies];
		const uint64_t count = groups / dies + (i < groups % dies);

		share->groups += count;
		share->threads += count * threads;
		share->waves += count * ((threads + wave - 1) / wave);
	}
	*next = (*next + (unsigned)(groups % dies)) % dies;
}

/*
 * Deal all groups. In each dimension the last group may have fewer work-items:
 * so there are up to eight sizes of groups. False: more than a GPU can count.
 */
static bool
deal_all_groups(const struct grid *grid, unsigned wave, struct share *shares,
		unsigned dies, unsigned next)
{
	for (unsigned kind = 0; kind < 8; kind++) {
		uint64_t groups = 1, threads = 1;
		bool too_much = false;

		for (unsigned i = 0; i < 3; i++) {
			const uint32_t rest = grid->size[i] % grid->group[i];

			if (kind >> i & 1) {
				groups = rest ? groups : 0;
				threads *= rest;
				continue;
			}
			too_much |= __builtin_mul_overflow(
				groups, grid->size[i] / grid->group[i],
				&groups);
			threads *= grid->group[i];
		}
		too_much |= groups && threads > UINT64_MAX / groups;
		if (too_much)
			return false;
		if (groups)
			deal_groups(shares, dies, &next, groups, threads, wave);
	}
	return true;
}

static bool
check_grid(struct kfd_queue *queue, struct grid *grid)
{
	bool is_wrong = grid->dimensions < 1 || grid->dimensions > 3;

	for (unsigned i = 0; i < 3; i++) {
		/* what a packet has beyond its dimensions is not looked at */
		if (i >= grid->dimensions)
			grid->size[i] = grid->group[i] = 1;
		is_wrong |= !grid->size[i] || !grid->group[i];
	}
	if (is_wrong)
		queue_break(queue,
			    "a dispatch of %u dimensions without "
			    "work-items",
			    grid->dimensions);
	return !is_wrong;
}

bool
grid_launch(struct kfd_queue *queue, const struct grid *asked, uint64_t kernel,
	    uint64_t *end)
{
	const struct kfd_node *node = &queue->device->node;
	struct kfd_seen *seen =
		&queue->device->process->sim->kfd->seen[node->gpu->index];
	struct amdgpu *amdgpu = amdgpu_of(node->gpu);
	struct share shares[DIES_MAX] = { { 0 } };
	struct grid grid = *asked;
	unsigned wave;

	if (!check_grid(queue, &grid) || !read_wave_size(queue, kernel, &wave))
		return false;
	if (!deal_all_groups(&grid, wave, shares, node->dies,
			     queue->first_die)) {
		queue_break(queue, "a dispatch of too many work-items");
		return false;
	}
	*end = amdgpu->now;
	seen->dispatches++;
	for (unsigned i = 0; i < node->dies; i++) {
		struct kfd_engine *engine = &queue->engines[i];
		const struct dispatch dispatch = {
			.waves = shares[i].waves,
			.groups = shares[i].groups,
			.threads = shares[i].threads,
			.die = engine->ring.die->number,
			.allowed = ring_may_count(&engine->ring),
			.pipe = queue->id,
			.stage = STAGE_CS,
		};

		if (!dispatch.groups)
			continue;
		seen->waves += dispatch.waves;
		/* each has its own time, as no submission has them together */
		engine->job.work_ns = 0;
		if (sqtt_launch(&engine->ring, &dispatch)) {
			queue_break(queue, "more work than comes to an end");
			return false;
		}
		if (engine->ring.busy->to > *end)
			*end = engine->ring.busy->to;
	}
	return true;
}
