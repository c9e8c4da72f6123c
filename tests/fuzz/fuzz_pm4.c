/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command buffers of a hostile program on each generation of simulated GPUs.
 * The first byte chooses the GPU, the second the ring (1: graphics, where there
 * is one) and whether the rest, which is dwords, is cut into two buffers (2);
 * with 4 a hang is left to the lockup timeout.
 *
 * Whatever comes: the job ends as done, hung or blocked, and after a reset the
 * hardware is as after power-up.
 */
#include <amdgpu_drm.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/die.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/scheduler.h"
#include "base/array.h"
#include "kernel/bo.h"
#include "machine/clock.h"
#include "machine/driver.h"
#include "machine/note.h"
#include "server/time.h"
#include "tests/drmsim/sim_client.h"

#define COMMANDS 0x400000u /* addresses */
#define DATA 0x800000u
#define BUFFER_SIZE 0x10000u
#define HEADER 2 /* bytes before the commands */

static const char *const kinds[] = {
	"bonaire", "polaris10", "vega10", "mi100",  "mi300",
	"navi10",  "navi21",	"navi31", "navi48", NULL,
};

/* A GPU under attack. */
struct target {
	struct sim_client client;
	struct amdgpu *amdgpu;
	uint32_t bos[2];
	uint8_t *commands, *data; /* the buffers' memory */
	struct die *power_up[DIES_MAX];
};

static struct sim *machine;
static struct target targets[ARRAY_SIZE(kinds) - 1];

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* ---- the machine */

#define CALL(target, request, args)                                            \
	sim_client_ioctl(&(target)->client, request, &(args), &(args),         \
			 sizeof(args))

static uint8_t *
make_buffer(struct target *target, uint64_t address, uint32_t *handle)
{
	union drm_amdgpu_gem_create create = {
		.in = { .bo_size = BUFFER_SIZE,
			.domains = AMDGPU_GEM_DOMAIN_GTT },
	};
	struct drm_amdgpu_gem_va va = {
		.operation = AMDGPU_VA_OP_MAP,
		.flags = AMDGPU_VM_PAGE_READABLE | AMDGPU_VM_PAGE_WRITEABLE |
			 AMDGPU_VM_PAGE_EXECUTABLE,
		.va_address = address,
		.map_size = BUFFER_SIZE,
	};
	int error = CALL(target, DRM_IOCTL_AMDGPU_GEM_CREATE, create);

	assert(!error);
	va.handle = *handle = create.out.handle;
	error = CALL(target, DRM_IOCTL_AMDGPU_GEM_VA, va);
	assert(!error);
	return sim_handle_bo(target->client.file, *handle)->memory;
}

static void
make_target(struct target *target, struct sim_gpu *gpu)
{
	sim_client_open(&target->client, gpu);
	target->amdgpu = gpu->data;
	target->commands = make_buffer(target, COMMANDS, &target->bos[0]);
	target->data = make_buffer(target, DATA, &target->bos[1]);
	for (unsigned d = 0; d < target->amdgpu->chip.die_count; d++) {
		target->power_up[d] = malloc(sizeof(struct die));
		assert(target->power_up[d]);
		memcpy(target->power_up[d], target->amdgpu->dies[d],
		       sizeof(struct die));
	}
}

static void
tear_down(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		for (unsigned d = 0; d < DIES_MAX; d++)
			free(targets[i].power_up[d]);
		sim_client_close(&targets[i].client);
	}
	sim_client_machine_destroy(machine);
}

/*
 * Find the GPU of a kind. GPUs stand in the order of their addresses, not of
 * the list.
 */
static struct sim_gpu *
gpu_of_kind(const char *kind)
{
	for (unsigned i = 0; i < machine->gpu_count; i++)
		if (strcmp(machine->gpus[i]->kind, kind) == 0)
			return machine->gpus[i];
	abort();
}

static void
start_machine(void)
{
	machine = sim_client_machine(kinds);
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++)
		make_target(&targets[i], gpu_of_kind(kinds[i]));
	atexit(tear_down);
}

/* ---- a job */

static uint32_t
make_context(struct target *target)
{
	union drm_amdgpu_ctx ctx = { .in.op = AMDGPU_CTX_OP_ALLOC_CTX };
	int error = CALL(target, DRM_IOCTL_AMDGPU_CTX, ctx);

	assert(!error);
	return ctx.out.alloc.ctx_id;
}

static void
free_context(struct target *target, uint32_t context)
{
	union drm_amdgpu_ctx ctx = { .in = { .op = AMDGPU_CTX_OP_FREE_CTX,
					     .ctx_id = context } };
	int error = CALL(target, DRM_IOCTL_AMDGPU_CTX, ctx);

	assert(!error);
}

static void
submit_dwords(struct target *target, uint32_t context, bool gfx,
	      uint32_t dwords, bool cut)
{
	struct drm_amdgpu_bo_list_entry entries[2] = {
		{ .bo_handle = target->bos[0] }, { .bo_handle = target->bos[1] }
	};
	struct drm_amdgpu_bo_list_in list = {
		.bo_number = 2,
		.bo_info_size = sizeof(entries[0]),
		.bo_info_ptr = (uintptr_t)entries,
	};
	uint32_t first = cut ? dwords / 2 : dwords;
	struct drm_amdgpu_cs_chunk_ib ibs[2] = {
		{ .va_start = COMMANDS, .ib_bytes = first * 4 },
		{ .va_start = COMMANDS + first * 4,
		  .ib_bytes = (dwords - first) * 4 },
	};
	struct drm_amdgpu_cs_chunk chunks[3] = {
		{ AMDGPU_CHUNK_ID_BO_HANDLES, sizeof(list) / 4,
		  (uintptr_t)&list },
		{ AMDGPU_CHUNK_ID_IB, sizeof(ibs[0]) / 4, (uintptr_t)&ibs[0] },
		{ AMDGPU_CHUNK_ID_IB, sizeof(ibs[1]) / 4, (uintptr_t)&ibs[1] },
	};
	uint64_t pointers[3];
	union drm_amdgpu_cs cs = { .in = { .ctx_id = context,
					   .num_chunks = cut ? 3 : 2,
					   .chunks = (uintptr_t)pointers } };
	int error;

	for (unsigned i = 0; i < 3; i++)
		pointers[i] = (uintptr_t)&chunks[i];
	for (unsigned i = 0; i < 2; i++)
		ibs[i].ip_type = gfx ? AMDGPU_HW_IP_GFX : AMDGPU_HW_IP_COMPUTE;
	error = CALL(target, DRM_IOCTL_AMDGPU_CS, cs);
	assert(!error);
}

static struct ring *
busy_ring(struct amdgpu *amdgpu)
{
	for (unsigned i = 0; i < amdgpu->ring_count; i++)
		if (amdgpu->rings[i].queue)
			return &amdgpu->rings[i];
	return NULL;
}

/*
 * Run until the job is done, hung, or blocked by what only a process can
 * change.
 */
static void
run_job(struct target *target)
{
	const struct ring *ring = busy_ring(target->amdgpu);
	unsigned steps = BUFFER_SIZE;

	while (ring && ring->queue && !ring->hung && !ring->blocked_since) {
		uint64_t now = machine->virtual_now;
		uint64_t next = scheduler_next(target->amdgpu);
		/* what is due already is done without going on in time */
		uint64_t wait = next > now ? next - now : 0;

		assert(next != SIM_NEVER && steps--);
		assert(wait < UINT64_C(1) << 50);
		sim_time_advance(machine, wait);
	}
}

/* ---- after it */

static void
check_counters(const struct chip *chip)
{
	static const struct counter zero;

	for (unsigned b = 0; b < chip->block_count; b++) {
		const struct block *block = &chip->blocks[b];

		assert(!block->is_stuck && !block->was_selected);
		for (unsigned i = 0; i < block->instance_count; i++) {
			const struct instance *in = &block->instances[i];

			assert(!in->control);
			for (unsigned s = 0; s < block->slot_count; s++)
				assert(!memcmp(&in->counters[s], &zero,
					       sizeof(zero)));
		}
	}
}

static void
check_ring(const struct ring *ring)
{
	assert(!ring->queue && !ring->ends && !ring->hung && !ring->depth);
	assert(!ring->blocked_since && !ring->blocked_until);
	assert(!ring->predicate_left && !ring->cam_count);
	assert(!ring->window_open && !ring->eop_pending);
	for (size_t i = 0; i < ARRAY_SIZE(ring->shader_registers); i++)
		assert(!ring->shader_registers[i]);
}

static void
reset_target(struct target *target, bool wait)
{
	struct amdgpu *amdgpu = target->amdgpu;
	const struct ring *ring = busy_ring(amdgpu);

	if (wait && ring && ring->hung) {
		sim_time_advance(machine, amdgpu->lockup_timeout);
		assert(!busy_ring(amdgpu));
	} else {
		target->client.gpu->driver->reset(target->client.gpu);
	}
	for (unsigned i = 0; i < amdgpu->ring_count; i++)
		check_ring(&amdgpu->rings[i]);
	check_counters(&amdgpu->chip);
	for (unsigned d = 0; d < amdgpu->chip.die_count; d++)
		assert(!memcmp(amdgpu->dies[d], target->power_up[d],
			       sizeof(struct die)));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct target *target;
	uint32_t context;
	size_t bytes;

	if (!machine)
		start_machine();
	if (size < HEADER + 8)
		return 0;
	bytes = (size - HEADER) & ~(size_t)3;
	if (bytes > BUFFER_SIZE)
		bytes = BUFFER_SIZE;
	target = &targets[data[0] % ARRAY_SIZE(targets)];
	memset(target->commands, 0, BUFFER_SIZE);
	memset(target->data, 0, BUFFER_SIZE);
	memcpy(target->commands, data + HEADER, bytes);
	context = make_context(target);
	submit_dwords(target, context,
		      data[1] & 1 && target->amdgpu->chip.gfx_rings,
		      (uint32_t)bytes / 4, data[1] & 2);
	run_job(target);
	reset_target(target, data[1] & 4);
	free_context(target, context);
	sim_notes_clear(machine);
	return 0;
}

/* ---- what to try */

/* Return a number below the limit. */
static uint32_t
draw_below(unsigned *seed, uint32_t limit)
{
	return (uint32_t)rand_r(seed) % limit;
}

/* Make a dword that some packet may take for what it wants. */
static uint32_t
plausible_dword(unsigned *seed)
{
	static const uint32_t edges[] = {
		0,
		1,
		2,
		0x7fffffff,
		0x80000000,
		0xffffffff,
		0xe0000000, /* broadcast */
		/* what arms thread traces: gfx9, gfx10, gfx11 on */
		0x336,
		0x2347,
		0x19ec,
	};

	switch (draw_below(seed, 6)) {
	case 0:
		return edges[draw_below(seed, ARRAY_SIZE(edges))];
	case 1:
		return COMMANDS + 4 * draw_below(seed, BUFFER_SIZE / 4);
	case 2:
		return DATA + draw_below(seed, BUFFER_SIZE);
	case 3:
		return 1u << draw_below(seed, 32);
	case 4:
		return draw_below(seed, 0x1000);
	}
	return (uint32_t)rand_r(seed) << 16 ^ (uint32_t)rand_r(seed);
}

/* Write a packet in front of the offset's packet or over it. */
static size_t
put_packet(uint8_t *data, size_t size, size_t room, unsigned *seed)
{
	static const uint8_t opcodes[] = {
		0x10, 0x15, 0x16, 0x1e, 0x21, 0x22, 0x23, 0x24, 0x2d,
		0x32, 0x37, 0x3c, 0x3d, 0x3f, 0x40, 0x42, 0x46, 0x47,
		0x49, 0x50, 0x58, 0x68, 0x69, 0x76, 0x79, 0x7a, 0x9b,
	};
	size_t at = HEADER, step = 0, length = 1 + draw_below(seed, 8);
	uint32_t word = 3u << 30 | (uint32_t)(length - 1) << 16 |
			(uint32_t)opcodes[draw_below(seed, sizeof(opcodes))]
				<< 8;

	for (unsigned skip = draw_below(seed, 32); skip && at + 4 <= size;
	     skip--) {
		memcpy(&step, data + at, 4);
		at += 4 * (2 + (step >> 16 & 0x3fff));
	}
	if (at > size)
		at = size;
	if (at + 4 * (length + 1) > room)
		return size;
	if (draw_below(seed, 2) && size + 4 * (length + 1) <= room) {
		memmove(data + at + 4 * (length + 1), data + at, size - at);
		size += 4 * (length + 1);
	}
	for (size_t i = 0; i <= length; i++, at += 4) {
		memcpy(data + at, &word, 4);
		word = plausible_dword(seed);
	}
	return at > size ? at : size;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
	if (size < HEADER || room < HEADER + 8 || draw_below(&seed, 3) == 0)
		return LLVMFuzzerMutate(data, size, room);
	for (unsigned i = draw_below(&seed, 4); i < 4; i++)
		size = put_packet(data, size, room, &seed);
	if (draw_below(&seed, 4) == 0)
		data[0] = (uint8_t)draw_below(&seed, ARRAY_SIZE(targets));
	if (draw_below(&seed, 4) == 0)
		data[1] = (uint8_t)draw_below(&seed, 8);
	return size;
}
