/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/chip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"

void
chip_free(struct chip *chip)
{
	for (unsigned b = 0; b < chip->block_count; b++)
		free(chip->blocks[b].instances);
}

/* ---- its shape */

static bool
has_se(const struct chip *chip, unsigned die, unsigned se)
{
	for (unsigned sa = 0; sa < chip->sa_per_se; sa++)
		if (chip->cu_mask[die][se][sa])
			return true;
	return false;
}

unsigned
chip_rbs_per_sa(const struct chip *chip)
{
	return chip->rb_per_se / chip->sa_per_se;
}

unsigned
chip_compute_rings(const struct chip *chip)
{
	return chip->compute_rings * chip->die_count;
}

unsigned
chip_cu_count(const struct chip *chip, unsigned die)
{
	unsigned count = 0;

	for (unsigned se = 0; se < chip->se_count; se++)
		for (unsigned sa = 0; sa < chip->sa_per_se; sa++)
			count += (unsigned)__builtin_popcount(
				chip->cu_mask[die][se][sa]);
	return count;
}

unsigned
chip_wave_slots(const struct chip *chip, unsigned die)
{
	return chip_cu_count(chip, die) * chip->waves_per_cu;
}

/* Return whether the part of an instance is not fused off. */
static bool
has_part(const struct chip *chip, const struct block *block,
	 const struct instance *in)
{
	uint32_t cus = chip->cu_mask[in->die][in->se][in->sa];
	unsigned rbs = chip_rbs_per_sa(chip), first, count;

	switch (block->part) {
	case PART_NONE:
		return true;
	case PART_CU:
		return cus >> in->index & 1;
	case PART_WGP:
		return cus >> 2 * in->index & 3;
	case PART_RB:
		/* an instance may be of several, or a half of one */
		count = rbs > block->per_scope ? rbs / block->per_scope : 1;
		first = in->sa * rbs + in->index * rbs / block->per_scope;
		return chip->rb_mask[in->se] >> first & ((1u << count) - 1);
	}
	return true;
}

void
chip_update_presence(struct chip *chip)
{
	struct instance *in;
	struct block *block;

	for_each_instance(chip, block, in)
	{
		in->present = (block->scope == SCOPE_GLOBAL ||
			       has_se(chip, in->die, in->se)) &&
			      has_part(chip, block, in);
	}
}

/* Harvest "cu [DIE] SE SH MASK". */
static int
harvest_cus(struct chip *chip, const uint64_t *value, size_t count)
{
	const bool names_die = count == 4;
	const unsigned first = names_die ? (unsigned)value[0] : 0;
	const unsigned end = names_die ? first + 1 : DIES_MAX;

	value += names_die;
	if ((names_die && first >= chip->die_count) || count < 3 ||
	    value[0] >= chip->se_count || value[1] >= chip->sa_per_se)
		return -EINVAL;
	for (unsigned die = first; die < end; die++)
		chip->cu_mask[die][value[0]][value[1]] &= ~(uint32_t)value[2];
	return 0;
}

/* Harvest "rb SE MASK". */
static int
harvest_rbs(struct chip *chip, const uint64_t *value, size_t count)
{
	if (count != 2 || value[0] >= chip->se_count)
		return -EINVAL;
	chip->rb_mask[value[0]] &= ~(uint32_t)value[1];
	return 0;
}

/* Harvest "se SE". */
static int
harvest_engine(struct chip *chip, const uint64_t *value, size_t count)
{
	if (count != 1 || value[0] >= chip->se_count)
		return -EINVAL;
	for (unsigned die = 0; die < DIES_MAX; die++)
		memset(chip->cu_mask[die][value[0]], 0,
		       sizeof(chip->cu_mask[die][value[0]]));
	chip->rb_mask[value[0]] = 0;
	return 0;
}

int
chip_harvest(struct chip *chip, const struct sim_words *words)
{
	static const struct {
		const char *what;
		int (*harvest)(struct chip *chip, const uint64_t *value,
			       size_t count);
	} kinds[] = {
		{ "cu", harvest_cus },
		{ "rb", harvest_rbs },
		{ "se", harvest_engine },
	};
	uint64_t value[4];
	int error = -EINVAL;

	if (words->count < 2 || words->count > 1 + ARRAY_SIZE(value))
		return -EINVAL;
	for (size_t i = 1; i < words->count; i++)
		if (sim_word_u64(words->word[i], &value[i - 1]))
			return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kinds[i].what, words->word[0]) == 0)
			error = kinds[i].harvest(chip, value, words->count - 1);
	if (error)
		return error;
	chip_update_presence(chip);
	for (unsigned die = 0; die < chip->die_count; die++)
		if (!chip_cu_count(chip, die))
			return -EINVAL;
	return 0;
}

unsigned
chip_steer(const struct chip *chip, const struct block *block, unsigned index)
{
	unsigned wgp = block->steer == STEER_CU ? index / 2 : index;
	unsigned low = block->steer == STEER_CU ? index % 2 : 0;

	/* a bit further on, where no source is right that says otherwise */
	if (chip->doubts[DOUBT_CU_NUMBER])
		low *= 2;

	if (block->steer == STEER_FLAT)
		return index;
	if (block->steer == STEER_PAIR)
		return index / 2;
	/* bit 5 tells the WGPs on the far side of the SPI */
	if (wgp >= chip->wgp_above)
		return 0x20 | (wgp - chip->wgp_above) << 2 | low;
	return wgp << 2 | low;
}

struct block *
chip_block(struct chip *chip, const char *name, size_t length)
{
	for (unsigned b = 0; b < chip->block_count; b++)
		if (strlen(chip->blocks[b].name) == length &&
		    strncmp(chip->blocks[b].name, name, length) == 0)
			return &chip->blocks[b];
	return NULL;
}

/* ---- what the kernel reports of it */

uint32_t
chip_firmware_version(const struct chip *chip, unsigned kind)
{
	for (unsigned i = 0; i < chip->firmware_count; i++)
		if (chip->firmware[i].kind == kind)
			return chip->firmware[i].version;
	return 0;
}

int
chip_set_firmware(struct chip *chip, const struct sim_words *words)
{
	uint64_t kind, version;

	if (words->count != 2 || sim_word_u64(words->word[0], &kind) ||
	    sim_word_u64(words->word[1], &version) || version > UINT32_MAX)
		return -EINVAL;
	for (unsigned i = 0; i < chip->firmware_count; i++) {
		if (chip->firmware[i].kind == kind) {
			chip->firmware[i].version = (uint32_t)version;
			return 0;
		}
	}
	return -EINVAL;
}

struct chip_sensor *
chip_sensor(struct chip *chip, const char *name)
{
	/* those that a description file may lack; amdgpu_drm.h, Linux 6.12 */
	static const struct chip_sensor others[] = {
		{ .number = 3, .name = "temp" },
		{ .number = 4, .name = "load" },
		{ .number = 5, .name = "power" },
		{ .number = 6, .name = "vddnb" },
		{ .number = 7, .name = "vddgfx" },
		{ .number = 10, .name = "peak-sclk" },
		{ .number = 11, .name = "peak-mclk" },
		{ .number = 12, .name = "input-power" },
	};

	for (unsigned i = 0; i < chip->sensor_count; i++)
		if (strcmp(chip->sensors[i].name, name) == 0)
			return &chip->sensors[i];
	if (chip->sensor_count == ARRAY_SIZE(chip->sensors))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (strcmp(others[i].name, name) != 0)
			continue;
		chip->sensors[chip->sensor_count] = others[i];
		return &chip->sensors[chip->sensor_count++];
	}
	return NULL;
}
