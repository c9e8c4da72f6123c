/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/describe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amdgpu/gfx/address.h"
#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/chip.h"
#include "base/array.h"
#include "base/text.h"
#include "base/word.h"

static int
read_block_option(struct block *block, const char *word)
{
	static const struct {
		const char *name;
		size_t flag;
	} flags[] = {
		{ "windowed", offsetof(struct block, windowed) },
		{ "staged", offsetof(struct block, staged) },
		{ "masked", offsetof(struct block, masked) },
		{ "sqg", offsetof(struct block, sqg) },
		{ "aid", offsetof(struct block, per_aid) },
		{ "graphics", offsetof(struct block, graphics) },
	};
	const char *value;
	uint64_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		if (strcmp(word, flags[i].name) == 0) {
			*(bool *)((char *)block + flags[i].flag) = true;
			return 0;
		}
	}
	if ((value = sim_word_value(word, "per"))) {
		static const char *const parts[] = { "none", "cu", "wgp",
						     "rb" };
		int part = sim_word_find(value, parts, ARRAY_SIZE(parts));
		block->part = part > 0 ? (enum block_part)part : PART_NONE;
		return part > 0 ? 0 : -EINVAL;
	}
	if ((value = sim_word_value(word, "steer"))) {
		static const char *const steers[] = { "flat", "cu", "wgp",
						      "pair" };
		int steer = sim_word_find(value, steers, ARRAY_SIZE(steers));
		block->steer = steer > 0 ? (enum block_steer)steer : STEER_FLAT;
		return steer > 0 ? 0 : -EINVAL;
	}
	value = strchr(word, '=');
	if (!value || sim_word_u64(value + 1, &n))
		return -EINVAL;
	if (sim_word_value(word, "bits"))
		block->bits = (unsigned)n;
	else if (sim_word_value(word, "events"))
		block->event_count = (unsigned)n;
	else if (sim_word_value(word, "control"))
		block->control = (uint32_t)BYTE_TO_DWORD(n);
	else if (sim_word_value(word, "stride"))
		block->stride = (uint32_t)BYTE_TO_DWORD(n);
	else if (sim_word_value(word, "require") && block->require_count < 4)
		block->require[block->require_count++] = (uint32_t)n;
	else
		return -EINVAL;
	return 0;
}

/*
 * Read the number of instances of a scope: a number, or [N*]PART[/D], which is
 * N times the parts divided by D, rounded up.
 */
static int
read_count(const struct chip *chip, const char *word, unsigned *out)
{
	const struct {
		const char *name;
		unsigned count;
	} parts[] = {
		{ "cu", chip->cu_per_sa },	 { "wgp", chip->cu_per_sa / 2 },
		{ "rb", chip_rbs_per_sa(chip) }, { "l2", chip->l2_channels },
		{ "gl2a", chip->gl2a_count },	 { "sdp", chip->sdp_count },
		{ "sdma", chip->sdma_engines },	 { "se", chip->se_count },
	};
	unsigned factor = 1, divisor = 1;
	size_t length;
	uint64_t number;
	int skipped = 0;

	if (!sim_word_u64(word, &number)) {
		*out = (unsigned)number;
		return number > 0 && number <= 256 ? 0 : -EINVAL;
	}
	if (sscanf(word, "%u*%n", &factor, &skipped) == 1 && skipped)
		word += skipped;
	length = strcspn(word, "/");
	if (word[length] &&
	    (sscanf(word + length, "/%u", &divisor) != 1 || divisor == 0))
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (strlen(parts[i].name) != length ||
		    strncmp(parts[i].name, word, length) != 0)
			continue;
		*out = factor * ((parts[i].count + divisor - 1) / divisor);
		return *out > 0 ? 0 : -EINVAL;
	}
	return -EINVAL;
}

int
describe_block(struct chip *chip, const struct sim_line *line)
{
	static const char *const styles[] = { "generic", "per-engine", "cfg",
					      "sdma", "rlc" };
	static const char *const scopes[] = { "global", "se", "sa" };
	struct block *block = &chip->blocks[chip->block_count];
	uint64_t number;
	int style, scope;

	if (chip->block_count == BLOCKS_MAX || line->count < 6 ||
	    strlen(line->words[1]) >= sizeof(block->name) ||
	    sim_line_number(line, 2, &number) ||
	    read_count(chip, line->words[5], &block->per_scope))
		return -EINVAL;
	style = sim_word_find(line->words[3], styles, ARRAY_SIZE(styles));
	scope = sim_word_find(line->words[4], scopes, ARRAY_SIZE(scopes));
	if (style < 0 || scope < 0)
		return -EINVAL;
	strcpy(block->name, line->words[1]);
	block->number = (unsigned)number;
	block->style = (enum block_style)style;
	block->scope = (enum block_scope)scope;
	for (size_t i = 6; i < line->count; i++)
		if (read_block_option(block, line->words[i]))
			return -EINVAL;
	chip->block_count++;
	return 0;
}

static int
read_slot_option(struct slot *slot, const char *word)
{
	const char *value;
	uint64_t n;

	if (strcmp(word, "plain") == 0) {
		slot->plain = true;
		return 0;
	}
	value = strchr(word, '=');
	if (!value || sim_word_u64(value + 1, &n) || n > 1024)
		return -EINVAL;
	if (sim_word_value(word, "engine"))
		slot->engine = (int)n;
	else if (sim_word_value(word, "parity") && n < 2)
		slot->parity = (int)n;
	else if (sim_word_value(word, "below"))
		slot->below = (uint32_t)n;
	else
		return -EINVAL;
	return 0;
}

int
describe_slot(struct chip *chip, const struct sim_line *line)
{
	struct slot slot = { .engine = -1, .parity = -1 };
	struct block *block;
	uint64_t value[5] = { 0 };
	size_t at = 1;

	if (chip->block_count == 0 || line->count < 5)
		return -EINVAL;
	block = &chip->blocks[chip->block_count - 1];
	/* the fifth number may be missing */
	for (; at <= 5 && at < line->count; at++) {
		if (strcmp(line->words[at], "-") == 0)
			continue;
		if (sim_line_number(line, at, &value[at - 1])) {
			if (at < 5)
				return -EINVAL;
			break;
		}
	}
	for (; at < line->count; at++)
		if (read_slot_option(&slot, line->words[at]))
			return -EINVAL;
	if (block->slot_count == SLOTS_MAX || value[3] == 0 || value[3] > 31)
		return -EINVAL;
	slot.select = (uint32_t)BYTE_TO_DWORD(value[0]);
	slot.lo = (uint32_t)BYTE_TO_DWORD(value[1]);
	slot.hi = (uint32_t)BYTE_TO_DWORD(value[2]);
	slot.event_mask = (1u << value[3]) - 1;
	slot.select1 = (uint32_t)BYTE_TO_DWORD(value[4]);
	block->slots[block->slot_count++] = slot;
	return 0;
}

/*
 * Pair slots: two counters share a wire, and the select of the odd one follows
 * the other's.
 */
static void
pair_slots(struct block *block)
{
	block->pairs = true;
	for (unsigned s = 0; s < block->slot_count; s++)
		block->slots[s].select1 = block->slots[s].select + 1;
}

/* Describe "stream BLOCK SEGMENT CODE WIRES [pairs]". */
int
describe_stream(struct chip *chip, const struct sim_line *line)
{
	static const char *const segments[] = { "none", "global", "se" };
	struct block *block;
	uint64_t code, wires;
	int segment;

	if (line->count < 5 || line->count > 6 ||
	    (line->count == 6 && strcmp(line->words[5], "pairs") != 0) ||
	    sim_line_number(line, 3, &code) || code > 31 ||
	    sim_line_number(line, 4, &wires) || !wires || wires > 16)
		return -EINVAL;
	block = chip_block(chip, line->words[1], strlen(line->words[1]));
	segment = sim_word_find(line->words[2], segments, ARRAY_SIZE(segments));
	if (!block || segment <= SEGMENT_NONE)
		return -EINVAL;
	block->segment = (enum block_segment)segment;
	block->stream_code = (unsigned)code;
	block->wires = (unsigned)wires;
	if (line->count == 6)
		pair_slots(block);
	return 0;
}

/*
 * Return whether a die has the block: blocks of an AID are on the first die of
 * its pair.
 */
static bool
die_has(const struct block *block, unsigned die)
{
	return !block->per_aid || die % 2 == 0;
}

/*
 * Drop registers of engines that no chip of this shape has: nothing counts
 * there.
 */
static int
drop_engines(struct chip *chip, struct block *block)
{
	while (block->slot_count > chip->se_count) {
		uint32_t select = block->slots[--block->slot_count].select;

		if (chip->named_count == NAMED_MAX)
			return -EINVAL;
		chip->named[chip->named_count++] =
			(struct range){ select, select };
	}
	return 0;
}

static int
make_instances(struct chip *chip, struct block *block)
{
	unsigned se_count = block->scope == SCOPE_GLOBAL ? 1 : chip->se_count;
	unsigned sa_count = block->scope == SCOPE_SA ? chip->sa_per_se : 1;
	unsigned number = 0;

	if (block->style == STYLE_PER_ENGINE && drop_engines(chip, block))
		return -EINVAL;
	block->instances = calloc((size_t)chip->die_count * se_count *
					  sa_count * block->per_scope,
				  sizeof(*block->instances));
	if (!block->instances)
		return -ENOMEM;
	for (unsigned die = 0; die < chip->die_count; die++)
		for (unsigned i = 0; die_has(block, die) &&
				     i < se_count * sa_count * block->per_scope;
		     i++) {
			block->instances[number] = (struct instance){
				.number = number,
				.die = die,
				.se = i / block->per_scope / sa_count,
				.sa = i / block->per_scope % sa_count,
				.index = i % block->per_scope,
			};
			number++;
		}
	block->instance_count = number;
	return 0;
}

int
describe_instances(struct chip *chip)
{
	int error = 0;

	for (unsigned b = 0; b < chip->block_count && !error; b++)
		error = make_instances(chip, &chip->blocks[b]);
	return error;
}
