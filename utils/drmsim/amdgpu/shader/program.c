/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/shader/program.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/dispatch.h"
#include "amdgpu/gfx/gpu.h"
#include "amdgpu/gfx/ring.h"
#include "amdgpu/shader/instruction.h"
#include "amdgpu/shader/wave.h"

#define PROGRAM_MAX 65536u /* instructions */
/*
 * Registers with one address on all generations (Mesa, gfx7.json to
 * gfx12.json).
 */
#define COMPUTE_PGM_RSRC2 BYTE_TO_DWORD(0xb84cu)
#define COMPUTE_USER_DATA_0 BYTE_TO_DWORD(0xb900u)
/* Where gfx12 has the numbers of the group: ttmp9, and halves of ttmp7. */
#define TTMP7 115
#define TTMP9 117

struct program {
	struct instruction *instructions;
	unsigned count, room, memory; /* memory: those that access it */
	unsigned vectors; /* registers that are named, at least */
};

static uint32_t
shader_register(const struct ring *ring, uint32_t dword)
{
	return ring->shader_registers[dword - SHADER_START];
}

/* ---- its instructions */

static unsigned
larger_of(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/*
 * Return how many vector registers there must be for the numbers in an
 * instruction, of which some may be of scalar ones.
 */
static unsigned
named_vectors(const struct instruction *in)
{
	unsigned named = larger_of(in->destination, in->other) + 1;

	named = larger_of(named, larger_of(in->address + 3, in->data + 1));
	if (in->source >= SOURCE_VECTORS)
		named = larger_of(named, in->source - SOURCE_VECTORS + 1);
	return named < WAVE_VECTORS ? named : WAVE_VECTORS;
}

static int
program_append(struct program *program, const struct instruction *in)
{
	struct instruction *grown = program->instructions;

	if (program->count == program->room) {
		program->room = program->room * 2 + 64;
		grown = reallocarray(grown, program->room, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		program->instructions = grown;
	}
	grown[program->count++] = *in;
	program->vectors = larger_of(program->vectors, named_vectors(in));
	program->memory += in->operation == OPERATION_LOAD ||
			   in->operation == OPERATION_STORE;
	return 0;
}

/* Return whether all registers it names exist: pairs and fours have to fit. */
static bool
is_sound(const struct instruction *in)
{
	if (in->operation != OPERATION_LOAD && in->operation != OPERATION_STORE)
		return true;
	return !in->lacks_format && in->address + 2 <= WAVE_VECTORS &&
	       (in->base + 4 <= WAVE_SCALARS ||
		(in->space != SPACE_BUFFER && !in->has_base));
}

/*
 * Fetch an instruction. Returns 0; -ENOEXEC: not one that is followed; -EFAULT.
 */
static int
instruction_fetch(struct ring *ring, uint64_t address, struct instruction *in)
{
	unsigned generation = ring->amdgpu->chip.gfx_version[0];
	uint32_t words[INSTRUCTION_DWORDS] = { 0 };

	in->dwords = 1;
	for (unsigned i = 0; i < in->dwords; i++) {
		const uint8_t *at = ring_dwords(ring, address + 4 * i,
						AMDGPU_VM_PAGE_EXECUTABLE, 4);

		if (!at)
			return -EFAULT;
		memcpy(&words[i], at, sizeof(words[i]));
		if (!instruction_decode(generation, words, in))
			return -ENOEXEC;
	}
	return is_sound(in) ? 0 : -ENOEXEC;
}

static int
program_load(struct ring *ring, uint64_t address, struct program *program)
{
	struct instruction in = { .operation = OPERATION_NOTHING };
	int error = 0;

	while (!error && in.operation != OPERATION_END) {
		if (program->count == PROGRAM_MAX)
			return -ENOEXEC;
		error = instruction_fetch(ring, address, &in);
		if (!error)
			error = program_append(program, &in);
		address += 4 * in.dwords;
	}
	return error;
}

/* ---- its waves */

/* Count the instructions that all waves execute, whatever registers hold. */
static void
count_instructions(const struct program *program, uint64_t waves,
		   struct shader_work *work)
{
	for (unsigned i = 0; i < program->count; i++) {
		const struct instruction *in = &program->instructions[i];

		switch (in->operation) {
		case OPERATION_END:
		case OPERATION_NOTHING:
			break;
		case OPERATION_SCALAR_MOVE:
			work->salu += waves;
			break;
		case OPERATION_MOVE:
		case OPERATION_SHIFT_LEFT:
		case OPERATION_ADD:
			work->valu += waves;
			break;
		case OPERATION_LOAD:
			work->loads += waves;
			work->flats += in->space == SPACE_FLAT ? waves : 0;
			break;
		case OPERATION_STORE:
			work->stores += waves;
			work->flats += in->space == SPACE_FLAT ? waves : 0;
			break;
		}
	}
}

/* Set user data, then the numbers of the group that were asked for. */
static void
set_scalars(struct wave *wave, const uint32_t group[3])
{
	const struct ring *ring = wave->ring;
	uint32_t control = shader_register(ring, COMPUTE_PGM_RSRC2);
	unsigned user = control >> 1 & 0x1f, next = user;

	memset(wave->scalar, 0, sizeof(wave->scalar));
	for (unsigned i = 0; i < user; i++)
		wave->scalar[i] =
			shader_register(ring, COMPUTE_USER_DATA_0 + i);
	if (ring->amdgpu->chip.gfx_version[0] >= 12) {
		wave->scalar[TTMP9] = group[0];
		wave->scalar[TTMP7] = (group[1] & 0xffff) | group[2] << 16;
		return;
	}
	for (unsigned i = 0; i < 3; i++)
		if (control >> (7 + i) & 1)
			wave->scalar[next++] = group[i];
}

/*
 * Return whether the chip has the three numbers of a thread in one register, as
 * later ones do.
 */
static bool
packs_threads(const struct chip *chip)
{
	const unsigned *version = chip->gfx_version;

	return version[0] >= 11 ||
	       (version[0] == 9 &&
		(version[1] > 4 || (version[1] == 4 && version[2] >= 2)));
}

static void
set_vectors(struct wave *wave, const struct program *program,
	    const struct launch *launch, uint64_t first)
{
	bool packed = packs_threads(&wave->ring->amdgpu->chip);

	memset(wave->vector, 0, program->vectors * sizeof(*wave->vector));
	for (unsigned lane = 0; lane < wave->lanes; lane++) {
		uint64_t thread = first + lane;
		uint32_t x = (uint32_t)(thread % launch->threads[0]);
		uint32_t y = (uint32_t)(thread / launch->threads[0] %
					launch->threads[1]);
		uint32_t z = (uint32_t)(thread / launch->threads[0] /
					launch->threads[1]);

		wave->vector[0][lane] = packed ? x | y << 10 | z << 20 : x;
		wave->vector[1][lane] = packed ? 0 : y;
		wave->vector[2][lane] = packed ? 0 : z;
	}
}

static int
run_group(struct wave *wave, const struct program *program,
	  const struct launch *launch, const uint32_t group[3],
	  struct shader_work *work)
{
	uint64_t size = (uint64_t)launch->threads[0] * launch->threads[1] *
			launch->threads[2];
	/* see ring_spend(): what all lanes access, then the rest */
	uint32_t spent = 1 + 16 * program->memory + program->count / 64;
	int error = 0;

	for (uint64_t first = 0; first < size; first += launch->wave) {
		uint64_t left = size - first;

		if (!ring_spend(wave->ring, spent))
			return -EFAULT;
		wave->lanes =
			left < launch->wave ? (unsigned)left : launch->wave;
		wave->line_count = 0;
		set_scalars(wave, group);
		set_vectors(wave, program, launch, first);
		for (unsigned i = 0; i < program->count && !error; i++)
			error = wave_execute(wave, &program->instructions[i],
					     work);
		if (error)
			return error;
	}
	return 0;
}

static int
run_groups(struct ring *ring, const struct program *program,
	   const struct launch *launch, struct shader_work *work)
{
	struct wave *wave = calloc(1, sizeof(*wave));
	uint32_t group[3];
	int error = wave ? 0 : -ENOMEM;

	if (wave) {
		wave->ring = ring;
		wave->line_size = ring->amdgpu->chip.cache_line;
	}
	for (group[2] = 0; group[2] < launch->groups[2] && !error; group[2]++)
		for (group[1] = 0; group[1] < launch->groups[1] && !error;
		     group[1]++)
			for (group[0] = 0;
			     group[0] < launch->groups[0] && !error; group[0]++)
				error = run_group(wave, program, launch, group,
						  work);
	free(wave);
	return error;
}

/*
 * Return a program's address, of which the registers leave out what is the same
 * in all addresses.
 */
static uint64_t
program_address(const struct ring *ring)
{
	const struct chip_register *reg = &ring->amdgpu->chip.reg;
	uint64_t low = shader_register(ring, reg->compute_pgm_lo);
	uint64_t high = shader_register(ring, reg->compute_pgm_hi) & 0xff;

	return (uint64_t)((int64_t)(high << 56 | low << 24) >> 16);
}

int
program_run(struct ring *ring, const struct launch *launch,
	    struct dispatch *work)
{
	uint64_t address = program_address(ring);
	struct program program = { .count = 0 };
	int error;

	if (!address)
		return 0;
	error = program_load(ring, address, &program);
	if (!error)
		count_instructions(&program, work->waves, &work->shader);
	if (!error && program.memory)
		error = run_groups(ring, &program, launch, &work->shader);
	free(program.instructions);
	return error == -EFAULT ? error : 0;
}
