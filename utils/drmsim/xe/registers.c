/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c: the ranges that it accepts] */
#include "xe/registers.h"

#include <stddef.h>

#include "base/array.h"
#include "intel/oa_config.h"
#include "intel/rate.h"

#define PES 0x13000

enum {
	XE2 = 1,
	GEN12 = 2, /* from graphics version 12 to below 12.70 */
	XELPG = 4, /* from there to below 20 */
	OLDER = GEN12 | XELPG,
	ALL = XE2 | OLDER,
};

static const struct {
	unsigned platforms;
	uint32_t first, last;
} ranges[] = {
	{ ALL, 0x2b2c, 0x2b2c },       { ALL, 0xd900, 0xd93c },
	{ ALL, 0xd940, 0xd97c },       { ALL, 0xdc00, 0xdc40 },
	{ ALL, 0xdc44, 0xdc48 },       { ALL, 0xdd00, 0xdd48 },
	{ ALL, 0x393000, 0x39303c },   { ALL, 0x393040, 0x39307c },
	{ ALL, 0x393200, 0x39323c },   { XE2, 0x394200, 0x39423c },
	{ XE2, 0x394a00, 0x394a3c },   { XE2, 0x5194, 0x5194 },
	{ XE2, 0x8704, 0x8704 },       { XE2, 0xb01c, 0xb01c },
	{ XE2, 0xb1bc, 0xb1bc },       { XE2, 0xd0e0, 0xd0f4 },
	{ XE2, 0xe18c, 0xe18c },       { XE2, 0xe590, 0xe590 },
	{ XE2, 0x13000, 0x137fc },     { XE2, 0x145194, 0x145194 },
	{ XE2, 0x145340, 0x14537c },   { OLDER, 0xd00, 0xd04 },
	{ OLDER, 0xd0c, 0xd2c },       { OLDER, 0x9840, 0x9840 },
	{ OLDER, 0x9884, 0x9888 },     { GEN12, 0x20cc, 0x20cc },
	{ XELPG, 0x38d100, 0x38d114 },
};

static const uint32_t mpes[SIM_XE_BLOCKS] = {
	[SIM_XE_SAG] = 0x393200,
	[SIM_XE_SCMI_0] = 0x394200,
	[SIM_XE_SCMI_1] = 0x394a00,
	[SIM_XE_MERTSS] = 0x145340,
};

/* Return whether an address is in a gap inside of what is one range above. */
static bool
is_gap(uint32_t address)
{
	return (address > 0xdc3c && address < 0xdc40) ||
	       (address > 0xdc44 && address < 0xdc48) ||
	       (address > 0xd91c && address < 0xd920) ||
	       (address > 0x39301c && address < 0x393020);
}

static unsigned
platform_of(unsigned version)
{
	if (version >= 2000)
		return XE2;
	return version >= 1270 ? XELPG : GEN12;
}

bool
sim_xe_register_allowed(unsigned version, uint32_t address)
{
	unsigned platform = platform_of(version);

	if (sim_flex_index(address) >= 0)
		return true;
	if (is_gap(address))
		return false;
	/* the kernel does not ask whether it is a multiple of four */
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		if (ranges[i].platforms & platform &&
		    address >= ranges[i].first && address <= ranges[i].last)
			return true;
	}
	return false;
}

/* Return the place of a register: NULL if nothing simulated follows from it. */
static uint32_t *
registers_place(struct sim_xe_registers *registers, uint32_t address)
{
	int flex = sim_flex_index(address);

	if (flex >= 0)
		return &registers->flex[flex];
	if (address % 4)
		return NULL;
	if (address >= PES && address < PES + 4 * SIM_XE_PES_WORDS)
		return &registers->pes[(address - PES) / 4];
	for (size_t b = 0; b < ARRAY_SIZE(mpes); b++) {
		if (address >= mpes[b] &&
		    address < mpes[b] + 4 * SIM_XE_MPES_WORDS)
			return &registers->mpes[b][(address - mpes[b]) / 4];
	}
	return NULL;
}

void
sim_xe_registers_write(struct sim_xe_registers *registers,
		       const struct sim_oa_register *list, uint32_t count)
{
	registers->routing = SIM_HASH_EMPTY;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t *word = registers_place(registers, list[i].address);

		if (word)
			*word = list[i].value;
		if (sim_flex_index(list[i].address) >= 0)
			continue;
		registers->routing =
			sim_hash_word(registers->routing, list[i].address);
		registers->routing =
			sim_hash_word(registers->routing, list[i].value);
	}
}
