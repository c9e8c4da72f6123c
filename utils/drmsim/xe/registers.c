/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_oa.c: the ranges that it accepts from graphics version 20 on] */
#include "xe/registers.h"

#include <stddef.h>

#include "base/array.h"

#define PES 0x13000

static const struct {
	uint32_t first, last;
} ranges[] = {
	{ 0x2b2c, 0x2b2c },	{ 0xd900, 0xd93c },	{ 0xd940, 0xd97c },
	{ 0xdc00, 0xdc40 },	{ 0xdc44, 0xdc48 },	{ 0xdd00, 0xdd48 },
	{ 0x393000, 0x39303c }, { 0x393040, 0x39307c }, { 0x393200, 0x39323c },
	{ 0x394200, 0x39423c }, { 0x394a00, 0x394a3c }, { 0x5194, 0x5194 },
	{ 0x8704, 0x8704 },	{ 0xb01c, 0xb01c },	{ 0xb1bc, 0xb1bc },
	{ 0xd0e0, 0xd0f4 },	{ 0xe18c, 0xe18c },	{ 0xe590, 0xe590 },
	{ 0x13000, 0x137fc },	{ 0x145194, 0x145194 }, { 0x145340, 0x14537c },
};

static const uint32_t mpes[SIM_XE_BLOCKS] = {
	[SIM_XE_SAG] = 0x393200,
	[SIM_XE_SCMI_0] = 0x394200,
	[SIM_XE_SCMI_1] = 0x394a00,
};

static const uint32_t flex[SIM_XE_FLEX_COUNT] = {
	0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c,
};

/* Gaps inside of what is one range above. */
static bool
is_gap(uint32_t address)
{
	return (address > 0xdc3c && address < 0xdc40) ||
	       (address > 0xdc44 && address < 0xdc48) ||
	       (address > 0xd91c && address < 0xd920) ||
	       (address > 0x39301c && address < 0x393020);
}

bool
sim_xe_register_allowed(uint32_t address)
{
	for (size_t i = 0; i < ARRAY_SIZE(flex); i++) {
		if (flex[i] == address)
			return true;
	}
	if (is_gap(address))
		return false;
	/* the kernel does not ask whether it is a multiple of four */
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		if (address >= ranges[i].first && address <= ranges[i].last)
			return true;
	}
	return false;
}

/* Where it is kept: NULL if nothing that is simulated follows from it. */
static uint32_t *
place(struct sim_xe_registers *registers, uint32_t address)
{
	if (address % 4)
		return NULL;
	if (address >= PES && address < PES + 4 * SIM_XE_PES_WORDS)
		return &registers->pes[(address - PES) / 4];
	for (size_t i = 0; i < ARRAY_SIZE(flex); i++) {
		if (flex[i] == address)
			return &registers->flex[i];
	}
	for (size_t b = 0; b < ARRAY_SIZE(mpes); b++) {
		if (address >= mpes[b] &&
		    address < mpes[b] + 4 * SIM_XE_MPES_WORDS)
			return &registers->mpes[b][(address - mpes[b]) / 4];
	}
	return NULL;
}

void
sim_xe_register_write(struct sim_xe_registers *registers, uint32_t address,
		      uint32_t value)
{
	uint32_t *word = place(registers, address);

	if (word)
		*word = value;
}
