/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/amdgpu/table.h"

#include <stdio.h>

#include "tests/support/check.h"

const struct chip amdgpu_vega10_chip = {
	.name = "Vega 10",
	.generation = "gfx9",
	.cus_per_array = 16,
	.rbs_per_engine = 4,
	.channels = 16,
	.interfaces = 16,
};

const struct amd_device_shape amdgpu_vega10 = {
	.engines = 4,
	.arrays = 1,
	.cu_bitmap = { { 0xffff }, { 0xffff }, { 0xffff }, { 0xffff } },
	.rb_mask = 0xffff,
	.channels = 16,
	.sdma_engines = 2,
};

const struct chip amdgpu_navi10_chip = {
	.name = "Navi 10",
	.generation = "gfx10.1",
	.cus_per_array = 10,
	.rbs_per_engine = 8,
	.channels = 16,
	.arbiters = 4,
	.interfaces = 16,
	.wgps_above_spi = 3,
};

const struct amd_device_shape amdgpu_navi10 = {
	.engines = 2,
	.arrays = 2,
	.cu_bitmap = { { 0x3ff, 0x3ff }, { 0x3ff, 0x3ff } },
	.rb_mask = 0xffff,
	.channels = 16,
	.sdma_engines = 2,
};

const char *const amdgpu_generations[] = { "gfx7",   "gfx8",	"gfx9",
					   "gfx906", "gfx908",	"gfx90a",
					   "gfx940", "gfx950",	"gfx10.1",
					   "gfx10.3", "gfx11",	"gfx11.5",
					   "gfx12" };

static void
open_table(struct amdgpu_table *table, const char *generation,
	   const struct chip *chip, const struct amd_device_shape *shape,
	   const char *untested)
{
	struct drmperf_error error = { 0 };
	const struct table *tables[1];
	char path[128];
	unsigned level;

	snprintf(path, sizeof(path), "events/amdgpu/%s.xml", generation);
	ck_assert_msg(!table_read(path, &table->table, &error), "%s",
		      error.cause);
	tables[0] = table->table;
	table->arena = arena_create();
	ck_assert_ptr_nonnull(table->arena);
	table->chip = *chip;
	ck_assert_msg(!core_level(table->table, &level, &error), "%s",
		      error.cause);
	ck_assert_msg(!topology_init(&table->topology, level, shape, chip,
				     &error),
		      "%s", error.cause);
	table->topology.untested = untested;
	ck_assert_msg(!core_read(&table->core, tables, 1, &table->topology,
				 table->arena, &error),
		      "%s", error.cause);
}

void
amdgpu_table_open(struct amdgpu_table *table, const char *generation,
		  const struct chip *chip, const struct amd_device_shape *shape)
{
	open_table(table, generation, chip, shape, "EA SDMA MC_VM_L2");
}

void
amdgpu_table_open_untested(struct amdgpu_table *table, const char *generation,
			   const char *untested)
{
	open_table(table, generation, &amdgpu_navi10_chip, &amdgpu_navi10,
		   untested);
}

void
amdgpu_table_close(struct amdgpu_table *table)
{
	arena_destroy(table->arena);
	table_destroy(table->table);
}

struct amdgpu_table vega10;

void
vega10_open(void)
{
	amdgpu_table_open(&vega10, "gfx9", &amdgpu_vega10_chip, &amdgpu_vega10);
}

void
vega10_close(void)
{
	amdgpu_table_close(&vega10);
}

size_t
amdgpu_table_block(const struct amdgpu_table *table, const char *name)
{
	const struct block *block = core_block(&table->core, name);

	ck_assert_msg(block != NULL, "no block %s", name);
	return (size_t)(block - table->core.blocks);
}
