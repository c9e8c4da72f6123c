/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dispatches and draws: how many waves they launch.
 */
#include "amdgpu/pm4/handlers.h"

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/gfx/sqtt.h"
#include "amdgpu/shader/program.h"

/* Stages, as SQ_PERFCOUNTER_CTRL numbers them. */
#define STAGE_PS 0
#define STAGE_GS 2

static bool
may_count(const struct ring *ring)
{
	return (ring->is_gfx && ring->die->window_open) || ring_may_count(ring);
}

/* Return the threads of a wave: from gfx10 on the dispatch chooses. */
static unsigned
wave_size(const struct chip *chip, uint32_t initiator)
{
	if (!chip->wave32_bit)
		return chip->wavefront;
	return initiator >> chip->wave32_bit & 1 ? 32 : 64;
}

static enum outcome
ring_launch_work(struct ring *ring, const struct dispatch *work)
{
	if (!sqtt_launch(ring, work))
		return NEXT;
	ring_hang(ring, "more work than comes to an end");
	return HUNG;
}

/* Launch groups of a size; none of them is no work. */
static enum outcome
launch_groups(struct ring *ring, const struct launch *shape, uint64_t size,
	      unsigned stage)
{
	const uint32_t *groups = shape->groups;
	struct dispatch work = { .groups = 1,
				 .stage = stage,
				 .die = ring->die->number,
				 .is_gfx = ring->is_gfx,
				 .pipe = ring->index,
				 .allowed = may_count(ring) };
	bool too_much = false;

	for (unsigned i = 0; i < 3; i++)
		too_much |= __builtin_mul_overflow(work.groups, groups[i],
						   &work.groups);
	too_much |= __builtin_mul_overflow(work.groups, size, &work.threads);
	work.waves = work.groups * ((size + shape->wave - 1) / shape->wave);
	if (too_much)
		work.waves = UINT64_MAX;
	if (!groups[0] || !groups[1] || !groups[2])
		return NEXT;
	if (stage != STAGE_CS)
		return ring_launch_work(ring, &work);
	ring->cs_threads += work.threads;
	if (!too_much && program_run(ring, shape, &work))
		return HUNG;
	return ring_launch_work(ring, &work);
}

/* ---- compute */

static enum outcome
ring_dispatch_groups(struct ring *ring, const uint32_t groups[3],
		     uint32_t initiator)
{
	const struct chip *chip = &ring->amdgpu->chip;
	struct launch launch = { .wave = wave_size(chip, initiator) };
	uint64_t threads = 1;

	for (unsigned i = 0; i < 3; i++) {
		uint32_t dword = chip->reg.compute_num_thread[i];

		launch.groups[i] = groups[i];
		launch.threads[i] =
			ring->shader_registers[dword - SHADER_START] & 0xffff;
		threads *= launch.threads[i];
	}
	if (!threads) {
		ring_hang(ring, "dispatch of groups without threads");
		return HUNG;
	}
	return launch_groups(ring, &launch, threads, STAGE_CS);
}

enum outcome
pm4_dispatch_direct(const struct packet *packet)
{
	const uint32_t groups[3] = { pm4_body(packet, 0), pm4_body(packet, 1),
				     pm4_body(packet, 2) };

	return ring_dispatch_groups(packet->ring, groups, pm4_body(packet, 3));
}

static bool
read_arguments(struct ring *ring, uint64_t address, uint32_t *arguments,
	       unsigned count)
{
	const uint8_t *at = ring_dwords(ring, address, READABLE, 4ull * count);

	if (at)
		memcpy(arguments, at, 4ull * count);
	return at != NULL;
}

/* Dispatch on the graphics ring: the number of groups is at an offset. */
enum outcome
pm4_dispatch_indirect(const struct packet *packet)
{
	struct ring *ring = packet->ring;
	uint32_t groups[3];

	if (!read_arguments(ring,
			    ring->told.bases[BASE_ARGUMENTS] +
				    pm4_body(packet, 0),
			    groups, 3))
		return HUNG;
	return ring_dispatch_groups(ring, groups, pm4_body(packet, 1));
}

/* Dispatch on a compute ring: the number of groups is at an address. */
enum outcome
pm4_dispatch_at_address(const struct packet *packet)
{
	uint32_t groups[3];

	if (!read_arguments(packet->ring, pm4_body64(packet, 0), groups, 3))
		return HUNG;
	return ring_dispatch_groups(packet->ring, groups, pm4_body(packet, 2));
}

/* ---- several at once, with their arguments in memory */

#define ONE_OF_SEVERAL 16 /* what it costs, see ring_spend() */

struct several {
	uint64_t arguments;
	uint32_t count, stride;
	uint32_t initiator;
};

/* Read a packet's count, which may only limit one that is in memory. */
static bool
read_count(struct ring *ring, bool is_in_memory, uint64_t address,
	   uint32_t *count)
{
	uint32_t limit = *count;

	if (!is_in_memory)
		return true;
	if (!read_arguments(ring, address, count, 1))
		return false;
	if (*count > limit)
		*count = limit;
	return true;
}

/* Run several; one executes a single one of them. */
static enum outcome
run_several(struct ring *ring, const struct several *several,
	    enum outcome (*one)(struct ring *ring, uint64_t arguments,
				uint32_t initiator))
{
	for (uint32_t i = 0; i < several->count; i++) {
		uint64_t at =
			several->arguments + (uint64_t)i * several->stride;

		if (!ring_spend(ring, ONE_OF_SEVERAL) ||
		    one(ring, at, several->initiator) == HUNG)
			return HUNG;
	}
	return NEXT;
}

static enum outcome
one_dispatch(struct ring *ring, uint64_t arguments, uint32_t initiator)
{
	uint32_t groups[3];

	return read_arguments(ring, arguments, groups, 3)
		       ? ring_dispatch_groups(ring, groups, initiator)
		       : HUNG;
}

/* Dispatch task shaders, whose meshes the graphics ring launches. */
enum outcome
pm4_dispatch_tasks(const struct packet *packet)
{
	struct several tasks = { .arguments = pm4_body64(packet, 0) & ~3ull,
				 .count = pm4_body(packet, 5),
				 .stride = pm4_body(packet, 8),
				 .initiator = pm4_body(packet, 9) };

	if (!read_count(packet->ring, pm4_body(packet, 3) >> 1 & 1,
			pm4_body64(packet, 6), &tasks.count))
		return HUNG;
	return run_several(packet->ring, &tasks, one_dispatch);
}

/* ---- draws */

/* Launch one wave, of pixels. */
static enum outcome
launch_draw(struct ring *ring)
{
	return ring_launch_work(ring, &(struct dispatch){
					      .waves = 1,
					      .stage = STAGE_PS,
					      .die = ring->die->number,
					      .is_gfx = ring->is_gfx,
					      .pipe = ring->index,
					      .allowed = may_count(ring),
				      });
}

/* Draw. A draw keeps the chip busy for the time of a wave. */
enum outcome
pm4_draw(const struct packet *packet)
{
	return launch_draw(packet->ring);
}

/* Draw once: vertices or indices, then instances; initiator is not needed. */
static enum outcome
one_draw(struct ring *ring, uint64_t arguments, uint32_t initiator)
{
	uint32_t counts[2];

	(void)initiator;
	if (!read_arguments(ring, arguments, counts, 2))
		return HUNG;
	return counts[0] && counts[1] ? launch_draw(ring) : NEXT;
}

enum outcome
pm4_draw_indirect(const struct packet *packet)
{
	struct ring *ring = packet->ring;

	return one_draw(ring,
			ring->told.bases[BASE_ARGUMENTS] + pm4_body(packet, 0),
			pm4_body(packet, 3));
}

/*
 * Run several of one kind: the packet has their arguments, and from the word of
 * its control on where the count and the rest are.
 */
static enum outcome
run_multi(const struct packet *packet, unsigned control,
	  enum outcome (*one)(struct ring *ring, uint64_t arguments,
			      uint32_t initiator))
{
	struct ring *ring = packet->ring;
	struct several several = {
		.arguments =
			ring->told.bases[BASE_ARGUMENTS] + pm4_body(packet, 0),
		.count = pm4_body(packet, control + 1),
		.stride = pm4_body(packet, control + 4),
		.initiator = pm4_body(packet, control + 5),
	};

	if (!read_count(ring, pm4_body(packet, control) >> 30 & 1,
			pm4_body64(packet, control + 2), &several.count))
		return HUNG;
	return run_several(ring, &several, one);
}

enum outcome
pm4_draw_indirect_multi(const struct packet *packet)
{
	return run_multi(packet, 3, one_draw);
}

/* ---- meshes */

/* Registers, from Mesa's gfx11.json and gfx12.json. */
#define SPI_SHADER_GS_MESHLET_DIM BYTE_TO_DWORD(0xb2b0u)
#define VGT_SHADER_STAGES_EN_GFX11 BYTE_TO_DWORD(0x28b54u)
#define VGT_SHADER_STAGES_EN_GFX12 BYTE_TO_DWORD(0x28a98u)
#define GS_W32_EN 22 /* bit of VGT_SHADER_STAGES_EN */

/*
 * Launch groups of a mesh shader. From gfx11 on a register has their threads;
 * before, each is taken for one wave.
 */
static enum outcome
launch_meshes(struct ring *ring, const uint32_t groups[3])
{
	unsigned generation = ring->amdgpu->chip.gfx_version[0];
	uint32_t stages = pm4_read_register(
		ring, generation < 12 ? VGT_SHADER_STAGES_EN_GFX11
				      : VGT_SHADER_STAGES_EN_GFX12);
	unsigned wave = stages >> GS_W32_EN & 1 ? 32 : 64;
	uint64_t size = wave;

	if (generation >= 11)
		size = 1 +
		       (pm4_read_register(ring, SPI_SHADER_GS_MESHLET_DIM) >>
			24);
	return launch_groups(
		ring,
		&(struct launch){
			.groups = { groups[0], groups[1], groups[2] },
			.wave = wave,
		},
		size, STAGE_GS);
}

enum outcome
pm4_dispatch_mesh(const struct packet *packet)
{
	const uint32_t groups[3] = { pm4_body(packet, 0), pm4_body(packet, 1),
				     pm4_body(packet, 2) };

	return launch_meshes(packet->ring, groups);
}

static enum outcome
one_mesh(struct ring *ring, uint64_t arguments, uint32_t initiator)
{
	uint32_t groups[3];

	(void)initiator;
	return read_arguments(ring, arguments, groups, 3)
		       ? launch_meshes(ring, groups)
		       : HUNG;
}

enum outcome
pm4_dispatch_mesh_multi(const struct packet *packet)
{
	return run_multi(packet, 2, one_mesh);
}
