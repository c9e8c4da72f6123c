/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is written beside an event's number so that it counts at all: masks in
 * the selects and in the control register of SQ, as ROCm's aqlprofile writes
 * them.
 */
#include <stdint.h>

#include "tests/support/check.h"
#include "tests/driver/amdgpu/table.h"
#include "tests/support/suite.h"

static const struct {
	const char *generation;
	uint32_t select, control;
} masks[] = {
	{ "gfx7", 0x0f0ff000, 0x7f },
	{ "gfx8", 0x0f0ff000, 0x7f },
	{ "gfx9", 0x0f0ff000, 0xffff007f },
	{ "gfx906", 0x0f0ff000, 0xffff007f },
	{ "gfx908", 0x0f0ff000, 0xffff007f },
	{ "gfx90a", 0x0f0ff000, 0xffff007f },
	{ "gfx940", 0x0f0ff000, 0xffff007f },
	{ "gfx950", 0x0f0ff000, 0xffff007f },
	{ "gfx10.1", 0xf000, 0x7f },
	{ "gfx10.3", 0xf000, 0x7f },
	{ "gfx11", 0, 0x55 },
	{ "gfx11.5", 0, 0x55 },
	{ "gfx12", 0, 0x55 },
};

TEST_CASE(masks, NULL, NULL, "amdgpu_masks");

TEST_LOOP(masks, masks_and_stages_are_the_generations, ARRAY_SIZE(masks))
{
	struct amdgpu_table table;
	const struct block *sq;

	amdgpu_table_open(&table, masks[_i].generation, &amdgpu_vega10_chip,
			  &amdgpu_vega10);
	sq = core_block(&table.core, "SQ");
	ck_assert_ptr_nonnull(sq);
	ck_assert_uint_eq(sq->select_or, masks[_i].select);
	ck_assert_uint_eq(core_stages(&table.core), masks[_i].control);
	amdgpu_table_close(&table);
}
