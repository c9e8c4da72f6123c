/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/die.h"

#include <string.h>

#include "amdgpu/gfx/block.h"

#define FORCE_EN 1u

void
die_power_up(struct die *die, const struct chip *chip)
{
	const struct chip_register *reg = &chip->reg;
	unsigned number = die->number;

	memset(die, 0, sizeof(*die));
	die->number = number;
	die->registers[reg->grbm_gfx_index] = GRBM_BROADCAST;
	die->apart_index = GRBM_BROADCAST;
	if (reg->gb_addr_config)
		die->registers[reg->gb_addr_config] = chip->gb_addr_config;
	if (reg->sq_perfcounter_ctrl2)
		die->registers[reg->sq_perfcounter_ctrl2] = chip->vmid_enable;
	if (reg->sqg_perfcounter_ctrl2)
		die->registers[reg->sqg_perfcounter_ctrl2] = chip->vmid_enable;
	for (unsigned i = 0; i < chip->held_count; i++)
		die->registers[chip->held[i].dword] = chip->held[i].value;
}

/* ---- switches of what is counted */

uint32_t
die_stages(const struct die *die, const struct chip *chip,
	   const struct block *block, const struct instance *instance)
{
	return (block->sqg ? die->sqg_ctrl[instance->se]
			   : die->registers[chip->reg.sq_perfcounter_ctrl]) &
	       chip->stage_mask;
}

uint32_t
die_second_control(const struct die *die, const struct chip *chip,
		   const struct block *block)
{
	return die->registers[block->sqg ? chip->reg.sqg_perfcounter_ctrl2
					 : chip->reg.sq_perfcounter_ctrl2];
}

bool
die_is_forced(const struct die *die, const struct chip *chip,
	      const struct block *block)
{
	/* what AMD's kernel patches say of PERFCOUNT_ENABLE */
	if (chip->doubts[DOUBT_FORCE_EN])
		return false;
	return die_second_control(die, chip, block) & FORCE_EN;
}

/* ---- addresses */

static struct die_index
decode_index(uint32_t value, const struct chip *chip)
{
	const unsigned *bits = chip->index_bits;

	return (struct die_index){
		.all_se = value >> 31 & 1,
		.all_instances = value >> 30 & 1,
		.all_sa = value >> 29 & 1,
		.se = value >> 16 & ((1u << bits[2]) - 1),
		.sa = value >> 8 & ((1u << bits[1]) - 1),
		.instance = value & ((1u << bits[0]) - 1),
	};
}

struct die_index
die_index(const struct die *die, const struct chip *chip)
{
	return decode_index(die->registers[chip->reg.grbm_gfx_index], chip);
}

/*
 * Return whether a block wants each instance apart. GL2C of gfx12 may take a
 * select for a single instance only, and go from one to another only by way of
 * all of them (ROCm/rocm-systems 1991).
 */
bool
die_wants_apart(const struct chip *chip, const struct block *block)
{
	return chip->gfx_version[0] == 12 && chip->doubts[DOUBT_APART] &&
	       strcmp(block->name, "GL2C") == 0;
}

void
die_steer(struct die *die, const struct chip *chip, uint32_t value)
{
	uint32_t *index = &die->registers[chip->reg.grbm_gfx_index];

	if (*index == GRBM_BROADCAST || value == GRBM_BROADCAST)
		die->apart_index = value;
	*index = value;
	die->was_steered = die->index_is_left = false;
}

uint32_t
die_addressed_engines(const struct die *die, const struct chip *chip)
{
	struct die_index index = die_index(die, chip);

	return index.all_se ? UINT32_MAX : 1u << (index.se & 31);
}

static bool
names_instance(const struct chip *chip, const struct block *block,
	       const struct instance *instance, const struct die_index *index)
{
	unsigned number = index->instance;

	if (block->per_scope == 1 || index->all_instances)
		return true;
	/* any SIMD of a WGP */
	if (block->steer == STEER_WGP)
		number &= ~3u;
	return number == chip_steer(chip, block, instance->index);
}

bool
die_addresses(const struct die *die, const struct chip *chip,
	      const struct block *block, const struct instance *instance)
{
	struct die_index index = die_index(die, chip);

	if (die_wants_apart(chip, block))
		index = decode_index(die->apart_index, chip);
	if (instance->die != die->number)
		return false;
	if (block->scope != SCOPE_GLOBAL && !index.all_se &&
	    index.se != instance->se)
		return false;
	if (block->scope == SCOPE_SA && !index.all_sa &&
	    index.sa != instance->sa)
		return false;
	return names_instance(chip, block, instance, &index);
}
