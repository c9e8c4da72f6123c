/* SPDX-License-Identifier: BSD-3-Clause */
#include "rgp/rgp_asic.h"

#include <string.h>

#include "rgp/rgp_put.h"

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

/*
 * Facts that are alike in a generation: Mesa's ac_gpu_info.c. Units, in which
 * the hardware gives registers and LDS out, are those of AMD's own writers: PAL
 * (gfx12Device.cpp) and ROCm's CLR (BuildRgpFileBlob()). Mesa writes those of
 * fields of registers.
 */
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
	{ "gfx11.5", 0xd, 2048, 128, 2, 16, 64, 512 },
	{ "gfx11", 0xc, 2048, 128, 2, 16, 64, 512 },
	{ "gfx12", 0x10, 2048, 128, 2, 16, 64, 512 },
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
cu_mask(const struct rgp_machine *machine, uint32_t engine, uint32_t array)
{
	const uint32_t arrays = rgp_machine_u32(machine, MACHINE_ARRAYS);
	const uint32_t column = array + engine / 4 * 2;

	if (engine >= rgp_machine_u32(machine, MACHINE_ENGINES) ||
	    array >= arrays || column >= 4)
		return 0;
	return rgp_machine_u32(machine,
			       MACHINE_CU_MASKS +
				       4 * (4 * (engine % 4) + column)) &
	       UINT16_MAX;
}

/* Compute units of an engine if all arrays had as many as the smallest one. */
static uint32_t
count_compute_units(const struct rgp_machine *machine)
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
		       : least * rgp_machine_u32(machine, MACHINE_ARRAYS);
}

static void
put_f32(FILE *out, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	rgp_put_u32(out, bits);
}

static void
put_clocks(FILE *out, const struct rgp_facts *facts)
{
	const struct rgp_machine *machine = facts->machine;
	uint64_t engine_hz = facts->engine_hz, memory_hz = facts->memory_hz;

	if (!engine_hz)
		engine_hz = 1000 * rgp_machine_u64(machine, MACHINE_ENGINE_KHZ);
	if (!memory_hz)
		memory_hz = 1000 * rgp_machine_u64(machine, MACHINE_MEMORY_KHZ);
	rgp_put_u64(out, engine_hz ? engine_hz : UNKNOWN_ENGINE_HZ);
	rgp_put_u64(out, memory_hz ? memory_hz : UNKNOWN_MEMORY_HZ);
}

/* Put from device_id to sgpr_alloc_granularity. */
static void
put_shape(FILE *out, const struct rgp_machine *machine,
	  const struct generation *generation)
{
	const uint32_t vgprs = rgp_machine_u32(machine, MACHINE_VGPRS);
	const uint32_t unit = vgprs / generation->vgpr_units;

	rgp_put_u32(out, rgp_machine_u32(machine, MACHINE_DEVICE_ID));
	rgp_put_u32(out, rgp_machine_u32(machine, MACHINE_PCI_REVISION));
	rgp_put_u32(out, vgprs);
	rgp_put_u32(out, generation->sgprs);
	rgp_put_u32(out, rgp_machine_u32(machine, MACHINE_ENGINES));
	rgp_put_u32(out, count_compute_units(machine));
	rgp_put_u32(out, generation->simds);
	rgp_put_u32(out, generation->waves);
	rgp_put_u32(out, unit); /* the least, in AMD's files, too */
	rgp_put_u32(out, unit);
	rgp_put_u32(out, generation->sgpr_unit);
	rgp_put_u32(out, generation->sgpr_unit);
}

/*
 * Put from hardware_contexts to max_number_of_dedicated_cus: GDS and the RAM of
 * the constant engine are 0, as Mesa has them.
 */
static void
put_kind(FILE *out, const struct rgp_machine *machine,
	 const struct generation *generation)
{
	const bool is_apu =
		rgp_machine_u64(machine, MACHINE_FLAGS) & IDS_FLAGS_FUSION;

	rgp_put_u32(out, CONTEXTS);
	rgp_put_u32(out, !machine->answer_size ? 0 : is_apu ? 1 : 2);
	rgp_put_u32(out, generation->level);
	rgp_put_zeros(out, 7 * sizeof(uint32_t));
}

static void
put_cache(FILE *out, const struct rgp_machine *machine, unsigned member)
{
	rgp_put_u32(out, KIB * rgp_machine_u32(machine, member));
}

/* Put from vram_size to gpu_name. */
static void
put_memory(FILE *out, const struct rgp_machine *machine, const char *name)
{
	rgp_put_u64(out, machine->vram_bytes);
	rgp_put_u32(out, rgp_machine_u32(machine, MACHINE_VRAM_BITS));
	put_cache(out, machine, MACHINE_L2_CACHE);
	put_cache(out, machine, MACHINE_TCP_CACHE);
	rgp_put_u32(out, LDS_BYTES);
	rgp_put_text(out, name, NAME_SIZE);
}

/* Put from alu_per_clock to lds_granularity. */
static void
put_rates(FILE *out, const struct rgp_machine *machine,
	  const struct generation *generation)
{
	const uint32_t engines = rgp_machine_u32(machine, MACHINE_ENGINES);
	const struct memory_type memory =
		find_memory_type(rgp_machine_u32(machine, MACHINE_VRAM_TYPE));

	put_f32(out, 0);
	put_f32(out, 0);
	put_f32(out, (float)(generation->waves == 20 ? 2 * engines : engines));
	put_f32(out, 0);
	rgp_put_u64(out, 1000 * rgp_machine_timestamp_khz(machine));
	rgp_put_u64(out, 1000 * rgp_machine_u64(machine, MACHINE_ENGINE_KHZ));
	rgp_put_u64(out, 1000 * rgp_machine_u64(machine, MACHINE_MEMORY_KHZ));
	rgp_put_u32(out, memory.operations);
	rgp_put_u32(out, memory.type);
	rgp_put_u32(out, generation->lds_unit);
}

void
rgp_put_asic(FILE *out, const struct rgp_facts *facts)
{
	const struct rgp_machine *machine = facts->machine;
	const struct generation *generation =
		find_generation(machine->generation ? machine->generation : "");

	rgp_put_head(out, RGP_ASIC_INFO, 0, RGP_VERSION(0, 5), RGP_ASIC_SIZE);
	rgp_put_u64(out, FLAG_PS1_EVENTS);
	put_clocks(out, facts);
	put_shape(out, machine, generation);
	put_kind(out, machine, generation);
	put_memory(out, machine, facts->chip);
	put_rates(out, machine, generation);
	for (uint32_t engine = 0; engine < MOST_ENGINES; engine++)
		rgp_put_u32(out, cu_mask(machine, engine, 0) |
					 cu_mask(machine, engine, 1) << 16);
	/* masks of pixel packers, 0 as Mesa has them, between reserved bytes */
	rgp_put_zeros(out, 128 + 16 + 16);
	put_cache(out, machine, MACHINE_GL1_CACHE);
	put_cache(out, machine, MACHINE_INSTRUCTION_CACHE);
	put_cache(out, machine, MACHINE_SCALAR_CACHE);
	rgp_put_u32(out,
		    (uint32_t)rgp_machine_u64(machine, MACHINE_MALL_BYTES));
	rgp_put_u32(out, 0);
}
