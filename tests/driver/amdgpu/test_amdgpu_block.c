/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/tables/block_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/driver/amdgpu/table.h"
#include "tests/support/suite.h"

static struct amdgpu_table navi10;

static void
set_up(void)
{
	vega10_open();
	amdgpu_table_open(&navi10, "gfx10.1", &amdgpu_navi10_chip,
			  &amdgpu_navi10);
}

static void
tear_down(void)
{
	vega10_close();
	amdgpu_table_close(&navi10);
}

TEST_CASE(block, set_up, tear_down, "amdgpu_block");

/* ------------------------------------------------------------------ */
/* Instances of a whole chip                                            */

static const struct {
	int line;
	struct amdgpu_table *table;
	const char *block;
	unsigned instances, per_engine, max_active;
	/* one of them */
	unsigned instance;
	const char *name; /* NULL: there are no names */
	uint32_t index;
	uint32_t low; /* result register of slot 0 */
} shapes[] = {
	{ __LINE__, &vega10, "GRBM", 1, 1, 2, 0, NULL, 0xa0000000, 0x34100 },
	{ __LINE__, &vega10, "SQ", 4, 1, 8, 2, "se2", 0x20020000, 0x34700 },
	{ __LINE__, &vega10, "TA", 64, 16, 2, 23, "se1.sa0.cu7", 0x00010007,
	  0x34b00 },
	{ __LINE__, &vega10, "TCC", 16, 16, 4, 3, "channel3", 0xa0000003,
	  0x34e00 },
	{ __LINE__, &vega10, "TCA", 2, 2, 4, 1, "1", 0xa0000001, 0x34e40 },
	{ __LINE__, &vega10, "CB", 16, 4, 4, 15, "se3.sa0.rb3", 0x00030003,
	  0x35018 },
	{ __LINE__, &vega10, "RMI", 8, 2, 4, 5, "se2.sa0.rbpair1", 0x00020001,
	  0x35300 },
	{ __LINE__, &vega10, "PA_SC", 4, 1, 8, 1, "se1.sa0", 0x00010000,
	  0x34500 },
	{ __LINE__, &vega10, "IA", 2, 2, 4, 1, "sepair1", 0xa0000001, 0x34220 },
	{ __LINE__, &vega10, "EA", 16, 16, 2, 9, "interface9", 0xa0000009,
	  0xabdc },
	/* one register per engine: slot 0 of engine 2 is the third */
	{ __LINE__, &vega10, "GRBMSE", 4, 1, 1, 2, "se2", 0xe0000000, 0x34124 },
	/* two slots per engine of DMA */
	{ __LINE__, &vega10, "SDMA", 2, 2, 2, 1, "sdma1", 0xe0000000, 0x52e0 },
	/* compute units by workgroup processor, two of five below the SPI */
	{ __LINE__, &navi10, "TA", 40, 20, 2, 0, "se0.sa0.cu0", 0x00000000,
	  0x34b00 },
	{ __LINE__, &navi10, "TA", 40, 20, 2, 5, "se0.sa0.cu5", 0x00000009,
	  0x34b00 },
	{ __LINE__, &navi10, "TA", 40, 20, 2, 19, "se0.sa1.cu9", 0x00000125,
	  0x34b00 },
	{ __LINE__, &navi10, "TA", 40, 20, 2, 36, "se1.sa1.cu6", 0x00010120,
	  0x34b00 },
	{ __LINE__, &navi10, "SQ", 2, 1, 16, 1, "se1", 0x20010000, 0x34700 },
	{ __LINE__, &navi10, "GL2C", 16, 16, 4, 12, "channel12", 0xa000000c,
	  0x34e00 },
};

TEST_LOOP(block, a_block_has_the_instances_of_its_gpu, ARRAY_SIZE(shapes))
{
	const struct amdgpu_table *table = shapes[_i].table;
	const struct block *block = core_block(&table->core, shapes[_i].block);
	const struct block_instance *instance;
	int line = shapes[_i].line;

	ck_assert_msg(block != NULL, "line %d: no such block", line);
	ck_assert_msg(block->instance_count == shapes[_i].instances,
		      "line %d: %u instances", line, block->instance_count);
	ck_assert_msg(block->instances_per_engine == shapes[_i].per_engine,
		      "line %d: %u instances per engine", line,
		      block->instances_per_engine);
	ck_assert_msg(block->max_active == shapes[_i].max_active,
		      "line %d: %u slots", line, block->max_active);
	instance = &block->instances[shapes[_i].instance];
	ck_assert_msg(instance->index == shapes[_i].index,
		      "line %d: index %08x", line, instance->index);
	ck_assert_msg(block_slot(block, instance->bank, 0)->low.byte ==
			      shapes[_i].low,
		      "line %d: result at %05x", line,
		      block_slot(block, instance->bank, 0)->low.byte);
	if (!shapes[_i].name)
		ck_assert_ptr_null(block->instance_names);
	else
		ck_assert_str_eq(block->instance_names[shapes[_i].instance],
				 shapes[_i].name);
}

/* Names and ways to reach instances are all different, in all blocks. */
TEST_LOOP(block, instances_of_a_block_are_all_different, 2)
{
	const struct core *core = _i ? &navi10.core : &vega10.core;

	for (size_t i = 0; i < core->block_count; i++) {
		const struct block *block = &core->blocks[i];

		for (unsigned a = 0; a < block->instance_count; a++) {
			for (unsigned b = 0; b < a; b++) {
				ck_assert_str_ne(block->instance_names[a],
						 block->instance_names[b]);
				ck_assert(block->instances[a].index !=
						  block->instances[b].index ||
					  block->instances[a].bank !=
						  block->instances[b].bank);
			}
		}
	}
}

/* ------------------------------------------------------------------ */
/* Harvested chips                                                      */

/* Four engines of one array, and what is left of a Vega 10 in them. */
#define ENGINES .engines = 4, .arrays = 1
#define UNITS(a, b, c, d) .cu_bitmap = { { a }, { b }, { c }, { d } }
#define ALL_UNITS UNITS(0xffff, 0xffff, 0xffff, 0xffff)
#define REST .channels = 16, .rb_mask = 0xffff

/* two units less in each engine, not the same everywhere */
static const struct amd_device_shape vega56 = {
	ENGINES, REST, UNITS(0x3fff, 0xfffc, 0xff3f, 0x7ffe)
};
static const struct amd_device_shape uneven = { ENGINES, REST,
						UNITS(0x0003, 0x0007, 1, 1) };
static const struct amd_device_shape engine_off = {
	ENGINES, REST, UNITS(0xffff, 0, 0xffff, 0xffff)
};
static const struct amd_device_shape backends_off = { ENGINES, ALL_UNITS,
						      .channels = 16,
						      .rb_mask = 0xfe37 };
static const struct amd_device_shape more_backends_off = { ENGINES, ALL_UNITS,
							   .channels = 16,
							   .rb_mask = 0xfc30 };
/* the kernel knows better than the table how many there are */
static const struct amd_device_shape channels_off = { ENGINES, ALL_UNITS,
						      .channels = 12,
						      .rb_mask = 0xffff,
						      .channels_off = 0x21 };
static const struct amd_device_shape untold = { ENGINES, ALL_UNITS };

static const struct {
	int line;
	const struct amd_device_shape *shape;
	const char *block;
	unsigned instances, per_engine;
	unsigned instance;
	const char *name;
	uint32_t index;
} harvested[] = {
	{ __LINE__, &vega56, "TCP", 56, 14, 14, "se1.sa0.cu2", 0x00010002 },
	{ __LINE__, &vega56, "TCP", 56, 14, 34, "se2.sa0.cu8", 0x00020008 },
	/* the fullest engine tells the number */
	{ __LINE__, &uneven, "TD", 7, 3, 2, "se1.sa0.cu0", 0x00010000 },
	/* the others keep their numbers */
	{ __LINE__, &engine_off, "SQ", 3, 1, 1, "se2", 0x20020000 },
	{ __LINE__, &engine_off, "GRBMSE", 3, 1, 1, "se2", 0xe0000000 },
	/* render backends, alone and in pairs */
	{ __LINE__, &backends_off, "DB", 12, 4, 3, "se1.sa0.rb0", 0x00010000 },
	{ __LINE__, &backends_off, "RMI", 7, 2, 3, "se2.sa0.rbpair0",
	  0x00020000 },
	{ __LINE__, &more_backends_off, "RMI", 4, 2, 0, "se1.sa0.rbpair0",
	  0x00010000 },
	/* channels of the L2 cache */
	{ __LINE__, &channels_off, "TCC", 10, 10, 4, "channel6", 0xa0000006 },
	/* where the kernel does not say, everything is there */
	{ __LINE__, &untold, "TCC", 16, 16, 15, "channel15", 0xa000000f },
	{ __LINE__, &untold, "CB", 16, 4, 4, "se1.sa0.rb0", 0x00010000 },
};

TEST_LOOP(block, harvested_units_leave_no_instances, ARRAY_SIZE(harvested))
{
	struct amdgpu_table table;
	const struct block *block;
	int line = harvested[_i].line;

	amdgpu_table_open(&table, "gfx9", &amdgpu_vega10_chip,
			  harvested[_i].shape);
	block = core_block(&table.core, harvested[_i].block);
	ck_assert_msg(block != NULL, "line %d", line);
	ck_assert_msg(block->instance_count == harvested[_i].instances,
		      "line %d: %u instances", line, block->instance_count);
	ck_assert_msg(block->instances_per_engine == harvested[_i].per_engine,
		      "line %d: %u per engine", line,
		      block->instances_per_engine);
	ck_assert_str_eq(block->instance_names[harvested[_i].instance],
			 harvested[_i].name);
	ck_assert_msg(block->instances[harvested[_i].instance].index ==
			      harvested[_i].index,
		      "line %d: index %08x", line,
		      block->instances[harvested[_i].instance].index);
	amdgpu_table_close(&table);
}

TEST_LOOP(block, the_kernel_says_how_many_sdma_there_are, 4)
{
	static const unsigned engines[] = { 0, 1, 2, 5 };
	static const unsigned instances[] = { 2, 1, 2, 2 };
	struct amd_device_shape shape = amdgpu_vega10;
	struct amdgpu_table table;

	shape.sdma_engines = engines[_i];
	amdgpu_table_open(&table, "gfx9", &amdgpu_vega10_chip, &shape);
	ck_assert_uint_eq(core_block(&table.core, "SDMA")->instance_count,
			  instances[_i]);
	amdgpu_table_close(&table);
}

/* A block without any instance is not there. */
TEST(block, a_block_without_instances_is_absent)
{
	struct amd_device_shape shape = amdgpu_vega10;
	struct chip chip = amdgpu_vega10_chip;
	struct amdgpu_table table;

	shape.channels_off = 0xffff;
	chip.without = "TA SX";
	amdgpu_table_open(&table, "gfx9", &chip, &shape);
	ck_assert_ptr_null(core_block(&table.core, "TCC"));
	ck_assert_ptr_null(core_block(&table.core, "TA"));
	ck_assert_ptr_null(core_block(&table.core, "SX"));
	ck_assert_ptr_nonnull(core_block(&table.core, "TCA"));
	ck_assert_ptr_nonnull(core_block(&table.core, "SPI"));
	amdgpu_table_close(&table);
}

static const struct amd_device_shape one_of_four = {
	.engines = 2, .arrays = 2, .cu_bitmap = { { 0, 0 }, { 0, 1 } }
};
/* eight engines of one array each, before gfx11 */
static const struct amd_device_shape one_of_eight = {
	.engines = 8, .arrays = 1, .cu_bitmap = { { 0 }, { 0, 1 } }
};
/* six engines of two arrays, since gfx11 */
static const struct amd_device_shape one_of_twelve = {
	.engines = 6, .arrays = 2, .cu_bitmap = { { 0 }, { 0, 0, 0, 1 } }
};

static const struct {
	int line;
	unsigned level;
	const struct amd_device_shape *shape;
	unsigned engines, cus, simds;
	unsigned engine, array; /* where one that is there lies */
} bitmaps[] = {
	{ __LINE__, 9, &untold, 4, 64, 256, 3, 0 },
	{ __LINE__, 10, &one_of_four, 1, 1, 2, 1, 1 },
	{ __LINE__, 9, &one_of_eight, 1, 1, 4, 5, 0 },
	{ __LINE__, 11, &one_of_twelve, 1, 1, 2, 5, 1 },
};

TEST_LOOP(block, units_are_counted_from_bitmaps, ARRAY_SIZE(bitmaps))
{
	struct topology topology;
	int line = bitmaps[_i].line;

	ck_assert_int_eq(topology_init(&topology, bitmaps[_i].level,
				       bitmaps[_i].shape, &amdgpu_vega10_chip,
				       NULL),
			 0);
	ck_assert_msg(topology_engine_count(&topology) == bitmaps[_i].engines,
		      "line %d", line);
	ck_assert_msg(topology_cu_count(&topology) == bitmaps[_i].cus,
		      "line %d", line);
	ck_assert_msg(topology_simd_count(&topology) == bitmaps[_i].simds,
		      "line %d", line);
	ck_assert_msg(topology_has_cu(&topology, bitmaps[_i].engine,
				      bitmaps[_i].array, 0),
		      "line %d", line);
}

/* The kernel is believed about units that the table lacks. */
static const struct {
	int line;
	unsigned level;
	uint32_t bitmap;
	unsigned cus, beyond, per_array;
} beyond[] = {
	{ __LINE__, 9, 0xffff, 16, 0, 16 },  { __LINE__, 9, 0x0f0f, 8, 0, 16 },
	{ __LINE__, 9, 0x3ffff, 18, 2, 18 }, { __LINE__, 9, 0x10001, 2, 1, 17 },
	{ __LINE__, 10, 0x1ffff, 17, 1, 18 },
	{ __LINE__, 9, UINT32_MAX, 16, 0, 16 },
	{ __LINE__, 9, UINT32_MAX >> 1, 31, 15, 31 },
};

TEST_LOOP(block, units_beyond_a_bitmap_are_counted_apart, ARRAY_SIZE(beyond))
{
	const struct amd_device_shape shape = {
		.engines = 1,
		.arrays = 1,
		.cu_bitmap = { { beyond[_i].bitmap } },
	};
	struct topology topology;
	int line = beyond[_i].line;

	ck_assert_int_eq(topology_init(&topology, beyond[_i].level, &shape,
				       &amdgpu_vega10_chip, NULL),
			 0);
	ck_assert_msg(topology_cu_count(&topology) == beyond[_i].cus,
		      "line %d", line);
	ck_assert_msg(topology.cus_beyond == beyond[_i].beyond, "line %d",
		      line);
	ck_assert_msg(topology.cus_per_array == beyond[_i].per_array,
		      "line %d", line);
}

TEST(block, a_gpu_beyond_all_limits_is_refused)
{
	static const struct amd_device_shape shapes_beyond[] = {
		{ .engines = 9, .arrays = 1 },
		{ .engines = 4, .arrays = 5 },
		{ .engines = 0, .arrays = 1 },
	};
	struct drmperf_error error = { 0 };
	struct topology topology;

	for (size_t i = 0; i < ARRAY_SIZE(shapes_beyond); i++) {
		ck_assert_int_eq(topology_init(&topology, 9, &shapes_beyond[i],
					       &amdgpu_vega10_chip, &error),
				 -ENOTSUP);
		ck_assert_ptr_nonnull(strstr(error.cause, "Vega 10"));
	}
}

/* ------------------------------------------------------------------ */
/* Slots                                                                */

TEST(block, slots_know_their_width_and_filters)
{
	const struct block *ia = core_block(&vega10.core, "IA");
	const struct block *spi = core_block(&vega10.core, "SPI");
	const struct block *sq = core_block(&vega10.core, "SQ");

	ck_assert_uint_eq(block_slots_for(ia, 255), 0xf);
	ck_assert_uint_eq(block_slots_for(ia, 256), 0x1);
	ck_assert_uint_eq(block_slots_for(spi, 256), 0x0f);
	ck_assert_uint_eq(block_slots_for(spi, 1024), 0);
	ck_assert_uint_eq(block_slots_for(sq, 511), 0xff);
	ck_assert_uint_eq(block_slots_for(sq, 512), 0);
}

/* ------------------------------------------------------------------ */
/* Which chip                                                           */

static const struct {
	int line;
	struct amd_device_identity identity;
	const char *name, *generation; /* NULL: unknown */
} chips[] = {
	{ __LINE__, { 141, 0x01, 0x090001 }, "Vega 10", "gfx9" },
	{ __LINE__, { 141, 0x13, 0 }, "Vega 10", "gfx9" },
	{ __LINE__, { 141, 0x14, 0x090201 }, "Vega 12", "gfx9" },
	{ __LINE__, { 141, 0x3c, 0x090402 }, "Aldebaran", "gfx90a" },
	{ __LINE__, { 143, 0x01, 0x0a010a }, "Navi 10", "gfx10.1" },
	/* what Linux makes of each: common_early_init() in its cik.c, vi.c,
	 * soc15.c, nv.c, soc21.c and soc24.c, with revision 0 of the chip */
	{ __LINE__, { 120, 0x14, 0 }, "Bonaire", "gfx7" },
	{ __LINE__, { 120, 0x28, 0 }, "Hawaii", "gfx7" },
	{ __LINE__, { 125, 0x01, 0 }, "Kaveri", "gfx7" },
	{ __LINE__, { 125, 0x41, 0 }, "Kaveri", "gfx7" },
	{ __LINE__, { 125, 0x81, 0 }, "Kabini", "gfx7" },
	{ __LINE__, { 125, 0xa1, 0 }, "Kabini", "gfx7" },
	{ __LINE__, { 130, 0x01, 0 }, "Topaz", "gfx8" },
	{ __LINE__, { 130, 0x14, 0 }, "Tonga", "gfx8" },
	{ __LINE__, { 130, 0x3c, 0 }, "Fiji", "gfx8" },
	{ __LINE__, { 130, 0x50, 0 }, "Polaris 10", "gfx8" },
	{ __LINE__, { 130, 0x5a, 0 }, "Polaris 11", "gfx8" },
	{ __LINE__, { 130, 0x64, 0 }, "Polaris 12", "gfx8" },
	{ __LINE__, { 130, 0x6e, 0 }, "Vega M", "gfx8" },
	{ __LINE__, { 135, 0x01, 0 }, "Carrizo", "gfx8" },
	{ __LINE__, { 135, 0x61, 0 }, "Stoney", "gfx8" },
	{ __LINE__, { 141, 0x28, 0x090400 }, "Vega 20", "gfx906" },
	{ __LINE__, { 141, 0x32, 0x090401 }, "Arcturus", "gfx908" },
	{ __LINE__, { 141, 0x46, 0x090403 }, "Aqua Vanjaram", "gfx940" },
	{ __LINE__, { 141, 0x47, 0x090404 }, "Aqua Vanjaram", "gfx940" },
	{ __LINE__, { 141, 0x50, 0x090500 }, "MI350", "gfx950" },
	{ __LINE__, { 141, 0x47, 0x090500 }, "MI350", "gfx950" },
	{ __LINE__, { 150, 0x01, 0x0b0500 }, "Strix Point", "gfx11.5" },
	{ __LINE__, { 150, 0x40, 0x0b0502 }, "Krackan", "gfx11.5" },
	{ __LINE__, { 150, 0x50, 0x0b0503 }, "gfx1153", "gfx11.5" },
	{ __LINE__, { 150, 0xc1, 0x0b0501 }, "Strix Halo", "gfx11.5" },
	{ __LINE__, { 142, 0x01, 0x090100 }, "Raven", "gfx9" },
	{ __LINE__, { 142, 0x41, 0x090100 }, "Raven", "gfx9" }, /* Picasso */
	{ __LINE__, { 142, 0x81, 0x090202 }, "Raven 2", "gfx9" },
	{ __LINE__, { 142, 0x91, 0x090300 }, "Renoir", "gfx9" },
	{ __LINE__, { 142, 0xa1, 0x090300 }, "Renoir", "gfx9" }, /* Cezanne */
	{ __LINE__, { 143, 0x0a, 0x0a0102 }, "Navi 12", "gfx10.1" },
	{ __LINE__, { 143, 0x14, 0x0a0101 }, "Navi 14", "gfx10.1" },
	{ __LINE__, { 143, 0x28, 0x0a0300 }, "Navi 21", "gfx10.3" },
	{ __LINE__, { 143, 0x32, 0x0a0302 }, "Navi 22", "gfx10.3" },
	{ __LINE__, { 143, 0x3c, 0x0a0304 }, "Navi 23", "gfx10.3" },
	{ __LINE__, { 143, 0x46, 0x0a0305 }, "Navi 24", "gfx10.3" },
	{ __LINE__, { 143, 0x82, 0x0a0103 }, "Cyan Skillfish", "gfx10.1" },
	{ __LINE__, { 143, 0x84, 0x0a0104 }, "Cyan Skillfish", "gfx10.1" },
	{ __LINE__, { 144, 0x01, 0x0a0301 }, "Van Gogh", "gfx10.3" },
	{ __LINE__, { 146, 0x01, 0x0a0303 }, "Rembrandt", "gfx10.3" },
	{ __LINE__, { 146, 0x20, 0x0a0303 }, "Rembrandt", "gfx10.3" },
	{ __LINE__, { 149, 0x01, 0x0a0306 }, "Raphael", "gfx10.3" },
	{ __LINE__, { 151, 0x01, 0x0a0307 }, "Mendocino", "gfx10.3" },
	{ __LINE__, { 145, 0x01, 0x0b0000 }, "Navi 31", "gfx11" },
	{ __LINE__, { 145, 0x10, 0x0b0002 }, "Navi 33", "gfx11" },
	{ __LINE__, { 145, 0x20, 0x0b0003 }, "Navi 32", "gfx11" },
	{ __LINE__, { 148, 0x01, 0x0b0001 }, "Phoenix", "gfx11" },
	{ __LINE__, { 148, 0x80, 0x0b0004 }, "Phoenix 2", "gfx11" },
	{ __LINE__, { 148, 0xc0, 0x0b0001 }, "Hawk Point", "gfx11" },
	{ __LINE__, { 150, 0x01, 0x0b0500 }, "Strix Point", "gfx11.5" },
	{ __LINE__, { 150, 0xc1, 0x0b0501 }, "Strix Halo", "gfx11.5" },
	{ __LINE__, { 150, 0x40, 0x0b0502 }, "Krackan", "gfx11.5" },
	{ __LINE__, { 150, 0x50, 0x0b0503 }, "gfx1153", "gfx11.5" },
	{ __LINE__, { 152, 0x40, 0x0c0000 }, "Navi 44", "gfx12" },
	{ __LINE__, { 152, 0x50, 0x0c0001 }, "Navi 48", "gfx12" },
	/* known to none */
	{ __LINE__, { 141, 0x00, 0 }, NULL, NULL },
	{ __LINE__, { 153, 0x01, 0x0d0000 }, NULL, NULL },
	{ __LINE__, { 142, 0x90, 0 }, NULL, NULL },
	{ __LINE__, { 9999, 0x01, 0 }, NULL, NULL },
	/* the version of the core contradicts the revision */
	{ __LINE__, { 141, 0x01, 0x090003 }, NULL, NULL },
};

TEST_LOOP(block, a_chip_is_found_by_its_identity, ARRAY_SIZE(chips))
{
	struct drmperf_error error = { 0 };
	struct table *table;
	struct chip found = { 0 };
	char family[32];
	int ret;

	ck_assert_int_eq(table_read("events/amdgpu/chips.xml", &table, NULL),
			 0);
	ret = chip_find(table, &chips[_i].identity, &found, &error);
	if (chips[_i].name) {
		ck_assert_msg(!ret, "line %d: %s", chips[_i].line, error.cause);
		ck_assert_str_eq(found.name, chips[_i].name);
		ck_assert_str_eq(found.generation, chips[_i].generation);
	} else {
		snprintf(family, sizeof(family), "family %u, revision 0x%x",
			 chips[_i].identity.family,
			 chips[_i].identity.revision);
		ck_assert_int_eq(ret, -ENOTSUP);
		ck_assert_msg(strstr(error.cause, family) != NULL, "%s",
			      error.cause);
		ck_assert_str_ne(error.remedy, "");
	}
	table_destroy(table);
}

/* ------------------------------------------------------------------ */
/* Every table of ours can be read                                      */

TEST_LOOP(block, every_table_of_ours_can_be_read, AMDGPU_GENERATIONS)
{
	struct amdgpu_table table;

	amdgpu_table_open(&table, amdgpu_generations[_i], &amdgpu_navi10_chip,
			  &amdgpu_navi10);
	ck_assert_uint_ge(table.core.block_count, 10);
	ck_assert_uint_gt(table.core.core_clock_event_count, 0);
	amdgpu_table_close(&table);
}

/* ------------------------------------------------------------------ */
/* Tables that are not right                                            */

#define REGISTERS                                                              \
	"<register name='GRBM_GFX_INDEX' offset='0x30800'/>\n"                 \
	"<register name='CP_PERFMON_CNTL' offset='0x36020'/>\n"
#define BLOCK(attributes, slots)                                               \
	REGISTERS "<block name='B' bits='64' window='uconfig' " attributes     \
		  ">\n" slots "</block>\n"
#define SLOT "<slot select='0x36700' lo='0x34700' hi='0x34704' id-bits='9'"
#define GLOBAL "style='generic' scope='global' instances='1'"

static const struct {
	int line;
	const char *text;
	int at; /* line of the table that is to blame */
	const char *complaint;
} malformed[] = {
	{ __LINE__, "<register name='GRBM_GFX_INDEX' offset='0x30800'/>", 1,
	  "CP_PERFMON_CNTL" },
	{ __LINE__, "<register name='CP_PERFMON_CNTL' offset='0x36021'/>", 2,
	  "offset" },
	{ __LINE__,
	  BLOCK("style='odd' scope='global' instances='1'", SLOT "/>"), 4,
	  "style" },
	{ __LINE__,
	  BLOCK("style='generic' scope='all' instances='1'", SLOT "/>"), 4,
	  "scope" },
	{ __LINE__,
	  BLOCK("style='generic' scope='global' instances='some'", SLOT "/>"),
	  4, "instances" },
	{ __LINE__, BLOCK(GLOBAL, ""), 4, "slots" },
	{ __LINE__,
	  BLOCK(GLOBAL, "<slot select='0x36700' lo='0x34700' "
			"id-bits='9'/>\n"),
	  5, "hi" },
	{ __LINE__, BLOCK(GLOBAL, SLOT " bits='40'/>\n"), 5, "bits" },
	{ __LINE__, BLOCK(GLOBAL, SLOT " window='copy'/>\n"), 5, "window" },
	{ __LINE__,
	  BLOCK(GLOBAL, "<slot select='0x6700' lo='0x34700' "
			"hi='0x34704' id-bits='9'/>\n"),
	  5, "select" },
	{ __LINE__, BLOCK(GLOBAL, SLOT " part='1'/>\n" SLOT " part='0'/>\n"), 5,
	  "parts" },
	{ __LINE__,
	  BLOCK(GLOBAL,
		SLOT " part='0'/>\n" SLOT " part='1'/>\n" SLOT " part='1'/>\n"),
	  6, "parts" },
	{ __LINE__,
	  BLOCK("style='cfg' scope='global' instances='1'", SLOT "/>\n"), 4,
	  "result-control" },
	{ __LINE__,
	  BLOCK("style='sdma' scope='global' instances='1'",
		SLOT "/>\n" SLOT "/>\n" SLOT "/>\n"),
	  4, "sdma" },
	{ __LINE__,
	  BLOCK(GLOBAL,
		SLOT "/>\n") "<core_clock block='B' event='NOTHING'/>\n",
	  7, "NOTHING" },
};

TEST_LOOP(block, a_malformed_table_is_refused, ARRAY_SIZE(malformed))
{
	char path[] = "/tmp/test_amdgpu_block.XXXXXX", place[64];
	struct drmperf_error error = { 0 };
	const struct table *tables[1];
	struct topology topology;
	struct arena *arena = arena_create();
	struct table *table;
	struct core core;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	dprintf(fd,
		"<events driver='amdgpu' generation='t' level='9'>\n%s"
		"</events>\n",
		malformed[_i].text);
	close(fd);
	ck_assert_int_eq(table_read(path, &table, NULL), 0);
	unlink(path);
	tables[0] = table;
	ck_assert_int_eq(topology_init(&topology, 9, &amdgpu_vega10,
				       &amdgpu_vega10_chip, NULL),
			 0);
	ck_assert_int_eq(core_read(&core, tables, 1, &topology, arena, &error),
			 -EBADMSG);
	ck_assert_msg(strstr(error.cause, malformed[_i].complaint) != NULL,
		      "line %d: \"%s\"", malformed[_i].line, error.cause);
	snprintf(place, sizeof(place), "%s:%d:", path, malformed[_i].at);
	ck_assert_msg(strstr(error.cause, place) != NULL, "line %d: \"%s\"",
		      malformed[_i].line, error.cause);
	arena_destroy(arena);
	table_destroy(table);
}
