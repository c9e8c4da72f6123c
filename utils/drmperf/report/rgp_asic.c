/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/rgp_chunks.h"

#include <string.h>

#include "report/rgp_bytes.h"
#include "report/rgp_samples.h"

#define ASIC_SIZE 768
#define NAME_SIZE 256
#define MOST_ENGINES 32
#define MASK_ARRAYS 2 /* of an engine */
#define KIB 1024
#define FLAG_PS1_EVENTS 2 /* from gfx9 on */
#define IDS_FLAGS_FUSION 1 /* of the kernel: an APU */
#define CONTEXTS 8 /* of registers */
#define LDS_BYTES 65536 /* of a compute unit */
/* RGP cannot do with 0; these are what Mesa writes then. */
#define UNKNOWN_ENGINE_HZ 1300000000
#define UNKNOWN_MEMORY_HZ 687000000

/* Facts that are alike in a generation (Mesa, src/amd/common/ac_gpu_info.c). */
static const struct generation {
	const char *name; /* begins with it */
	uint32_t level; /* RGP's number */
	uint32_t sgprs, sgpr_unit; /* of a SIMD; what they are given out in */
	uint32_t simds, waves; /* of a compute unit; of a SIMD */
	uint32_t vgpr_units; /* of a SIMD's VGPRs */
	uint32_t lds_unit;
} generations[] = {
	{ "gfx10.1", 0x7, 2560, 128, 2, 20, 128, 512 },
	{ "gfx10.3", 0x9, 2048, 128, 2, 16, 64, 1024 },
	{ "gfx11.5", 0xd, 2048, 128, 2, 16, 64, 1024 },
	{ "gfx11", 0xc, 2048, 128, 2, 16, 64, 1024 },
	{ "gfx12", 0x10, 2048, 128, 2, 16, 64, 1024 },
	{ "gfx9", 0x5, 800, 16, 4, 10, 64, 512 },
};

static const struct generation *
find_generation(const char *name)
{
	static const struct generation none = { .name = "", .vgpr_units = 1 };

	for (size_t i = 0; i < sizeof(generations) / sizeof(generations[0]);
	     i++) {
		if (!strncmp(name, generations[i].name,
			     strlen(generations[i].name)))
			return &generations[i];
	}
	return &none;
}

/* Memory by the kernel's number: RGP's, and bits that a wire moves a clock. */
static const struct memory_type {
	uint32_t type, operations;
} memory_types[] = {
	[2] = { 0x2, 2 }, /* DDR2 */
	[3] = { 0x10, 0 }, /* GDDR3 */
	[4] = { 0x11, 0 }, /* GDDR4 */
	[5] = { 0x12, 4 }, /* GDDR5 */
	[6] = { 0x20, 2 }, /* HBM, of any version */
	[7] = { 0x3, 2 }, /* DDR3 */
	[8] = { 0x4, 2 }, /* DDR4 */
	[9] = { 0x13, 16 }, /* GDDR6 */
	[10] = { 0x5, 4 }, /* DDR5 */
	[11] = { 0x30, 2 }, /* LPDDR4 */
	[12] = { 0x31, 4 }, /* LPDDR5 */
};

static struct memory_type
find_memory_type(uint32_t number)
{
	if (number >= sizeof(memory_types) / sizeof(memory_types[0]))
		number = 0;
	return memory_types[number];
}

/*
 * Return a mask of compute units. Engines from the fourth on have the places of
 * arrays that the others lack.
 */
static uint32_t
cu_mask(const struct recording_machine *machine, uint32_t engine,
	uint32_t array)
{
	const uint32_t arrays = recording_machine_u32(machine, MACHINE_ARRAYS);
	const uint32_t column = array + engine / 4 * 2;

	if (engine >= recording_machine_u32(machine, MACHINE_ENGINES) ||
	    array >= arrays || column >= 4)
		return 0;
	return recording_machine_u32(machine,
				     MACHINE_CU_MASKS +
					     4 * (4 * (engine % 4) + column)) &
	       UINT16_MAX;
}

/* Compute units of an engine if all arrays had as many as the smallest one. */
static uint32_t
count_compute_units(const struct recording_machine *machine)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < MOST_ENGINES * MASK_ARRAYS; i++) {
		const uint32_t mask =
			cu_mask(machine, i / MASK_ARRAYS, i % MASK_ARRAYS);
		const uint32_t units = (uint32_t)__builtin_popcount(mask);

		if (units && units < least)
			least = units;
	}
	return least == UINT32_MAX
		       ? 0
		       : least * recording_machine_u32(machine, MACHINE_ARRAYS);
}

static void
add_f32(struct bytes *bytes, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	bytes_add_u32(bytes, bits);
}

static void
add_clocks(struct bytes *bytes, const struct recording *recording)
{
	const struct recording_machine *machine = &recording->machine;
	const struct held_clocks *clocks =
		held_clocks_find(&recording->clocks, recording->stream.device);
	uint64_t engine_hz = 0, memory_hz = 0;

	if (clocks) {
		engine_hz = clocks->held.engine_hz;
		memory_hz = clocks->held.memory_hz;
	}
	if (!engine_hz)
		engine_hz = 1000 *
			    recording_machine_u64(machine, MACHINE_ENGINE_KHZ);
	if (!memory_hz)
		memory_hz = 1000 *
			    recording_machine_u64(machine, MACHINE_MEMORY_KHZ);
	bytes_add_u64(bytes, engine_hz ? engine_hz : UNKNOWN_ENGINE_HZ);
	bytes_add_u64(bytes, memory_hz ? memory_hz : UNKNOWN_MEMORY_HZ);
}

/* Add from device_id to sgpr_alloc_granularity. */
static void
add_shape(struct bytes *bytes, const struct recording_machine *machine,
	  const struct generation *generation)
{
	const uint32_t vgprs = recording_machine_u32(machine, MACHINE_VGPRS);
	const uint32_t unit = vgprs / generation->vgpr_units;

	bytes_add_u32(bytes, recording_machine_u32(machine, MACHINE_DEVICE_ID));
	bytes_add_u32(bytes,
		      recording_machine_u32(machine, MACHINE_PCI_REVISION));
	bytes_add_u32(bytes, vgprs);
	bytes_add_u32(bytes, generation->sgprs);
	bytes_add_u32(bytes, recording_machine_u32(machine, MACHINE_ENGINES));
	bytes_add_u32(bytes, count_compute_units(machine));
	bytes_add_u32(bytes, generation->simds);
	bytes_add_u32(bytes, generation->waves);
	/* the least is that of 64 lanes, all others of 32 from gfx10 on */
	bytes_add_u32(bytes, generation->simds == 2 ? unit / 2 : unit);
	bytes_add_u32(bytes, unit);
	bytes_add_u32(bytes, generation->sgpr_unit);
	bytes_add_u32(bytes, generation->sgpr_unit);
}

/*
 * Add from hardware_contexts to max_number_of_dedicated_cus: GDS and the RAM of
 * the constant engine are 0, as Mesa has them.
 */
static void
add_kind(struct bytes *bytes, const struct recording_machine *machine,
	 const struct generation *generation)
{
	const bool is_apu = recording_machine_u64(machine, MACHINE_FLAGS) &
			    IDS_FLAGS_FUSION;

	bytes_add_u32(bytes, CONTEXTS);
	bytes_add_u32(bytes, !machine->answer_size ? 0 : is_apu ? 1 : 2);
	bytes_add_u32(bytes, generation->level);
	rgp_add_zeros(bytes, 7 * sizeof(uint32_t));
}

static void
add_cache(struct bytes *bytes, const struct recording_machine *machine,
	  unsigned member)
{
	bytes_add_u32(bytes, KIB * recording_machine_u32(machine, member));
}

/* Add from vram_size to gpu_name. */
static void
add_memory(struct bytes *bytes, const struct recording_machine *machine,
	   const char *name)
{
	bytes_add_u64(bytes, machine->vram_bytes);
	bytes_add_u32(bytes, recording_machine_u32(machine, MACHINE_VRAM_BITS));
	add_cache(bytes, machine, MACHINE_L2_CACHE);
	add_cache(bytes, machine, MACHINE_TCP_CACHE);
	bytes_add_u32(bytes, LDS_BYTES);
	rgp_add_text(bytes, name, NAME_SIZE);
}

/* Add from alu_per_clock to lds_granularity. */
static void
add_rates(struct bytes *bytes, const struct recording_machine *machine,
	  const struct generation *generation)
{
	const uint32_t engines =
		recording_machine_u32(machine, MACHINE_ENGINES);
	const struct memory_type memory = find_memory_type(
		recording_machine_u32(machine, MACHINE_VRAM_TYPE));

	add_f32(bytes, 0);
	add_f32(bytes, 0);
	add_f32(bytes,
		(float)(generation->waves == 20 ? 2 * engines : engines));
	add_f32(bytes, 0);
	bytes_add_u64(bytes, 1000 * rgp_timestamp_khz(machine));
	bytes_add_u64(bytes, 1000 * recording_machine_u64(machine,
							  MACHINE_ENGINE_KHZ));
	bytes_add_u64(bytes, 1000 * recording_machine_u64(machine,
							  MACHINE_MEMORY_KHZ));
	bytes_add_u32(bytes, memory.operations);
	bytes_add_u32(bytes, memory.type);
	bytes_add_u32(bytes, generation->lds_unit);
}

void
rgp_add_asic(struct bytes *bytes, const struct recording *recording,
	     const char *name)
{
	const struct recording_machine *machine = &recording->machine;
	const struct generation *generation =
		find_generation(machine->generation ? machine->generation : "");

	rgp_add_head(bytes, RGP_ASIC_INFO, 0, 5, ASIC_SIZE);
	bytes_add_u64(bytes, FLAG_PS1_EVENTS);
	add_clocks(bytes, recording);
	add_shape(bytes, machine, generation);
	add_kind(bytes, machine, generation);
	add_memory(bytes, machine, name);
	add_rates(bytes, machine, generation);
	for (uint32_t engine = 0; engine < MOST_ENGINES; engine++)
		bytes_add_u32(bytes, cu_mask(machine, engine, 0) |
					     cu_mask(machine, engine, 1) << 16);
	/* masks of pixel packers, 0 as Mesa has them, between reserved bytes */
	rgp_add_zeros(bytes, 128 + 16 + 16);
	add_cache(bytes, machine, MACHINE_GL1_CACHE);
	add_cache(bytes, machine, MACHINE_INSTRUCTION_CACHE);
	add_cache(bytes, machine, MACHINE_SCALAR_CACHE);
	bytes_add_u32(bytes, (uint32_t)recording_machine_u64(
				     machine, MACHINE_MALL_BYTES));
	bytes_add_u32(bytes, 0);
}
