/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts: AMD PAL 2025-04 (gfx9PerfExperiment.h), Mesa 25.0.7 (ac_spm.c). */
#include "amdgpu/gfx/spm_muxsel.h"

#include "amdgpu/gfx/block.h"
#include "amdgpu/gfx/chip.h"

/* Four entries of the first line: a quarter of the time stamp each. */
#define TIME_ENTRIES 4
#define TIME_ENTRY 0xf0f0u
#define NEW_TIME_ENTRY 0xf840u /* and the quarter's number, from gfx11 on */
#define EVENT_BITS 10 /* of the first event in a select */
#define NO_MODULE ~0u

int
muxsel_time(const struct chip *chip, uint32_t entry, unsigned position)
{
	bool is_new = chip->spm_style >= SPM_GFX11;

	if (position >= TIME_ENTRIES ||
	    entry != (is_new ? NEW_TIME_ENTRY + position : TIME_ENTRY))
		return -1;
	return (int)position;
}

struct muxsel_fields {
	unsigned counter, code, sa, number;
};

static struct muxsel_fields
split_entry(const struct chip *chip, uint32_t entry, bool is_global)
{
	if (chip->spm_style >= SPM_GFX11)
		return (struct muxsel_fields){
			.counter = entry & 0x1f,
			.number = entry >> 5 & 0x1f,
			.sa = entry >> 10 & 1,
			.code = entry >> 11 & 0x1f,
		};
	/* no block has two arrays in an engine there */
	if (is_global || chip->spm_style == SPM_GFX9)
		return (struct muxsel_fields){
			.counter = entry & 0x3f,
			.code = entry >> 6 & 0x1f,
			.number = entry >> 11 & 0x1f,
		};
	return (struct muxsel_fields){
		.counter = entry & 0x3f,
		.code = entry >> 6 & 0xf,
		.sa = entry >> 10 & 1,
		.number = entry >> 11 & 0x1f,
	};
}

static struct block *
find_block(struct chip *chip, unsigned code, enum block_segment segment)
{
	for (unsigned b = 0; b < chip->block_count; b++)
		if (chip->blocks[b].segment == segment &&
		    chip->blocks[b].stream_code == code)
			return &chip->blocks[b];
	return NULL;
}

/*
 * Return whether the fields name the instance. Blocks of an engine that stand
 * in the global segment are numbered by engine.
 */
static bool
names_instance(const struct block *block, const struct instance *instance,
	       const struct muxsel_fields *fields, int se)
{
	if (block->segment == SEGMENT_GLOBAL && block->scope == SCOPE_SE)
		return instance->se == fields->number;
	if (se >= 0 && instance->se != (unsigned)se)
		return false;
	return instance->sa == fields->sa && instance->index == fields->number;
}

/*
 * Find the WGP of a number, which sources put one bit higher, or where others
 * are.
 */
static bool
find_wgp(const struct chip *chip, const struct block *block, unsigned *number)
{
	if (block->steer != STEER_WGP || !chip->doubts[DOUBT_SPM_WGP])
		return true;
	if (*number % 2)
		return false;
	*number /= 2;
	return true;
}

bool
muxsel_find(struct chip *chip, uint32_t entry, int se, struct muxsel_lane *out)
{
	struct muxsel_fields fields = split_entry(chip, entry, se < 0);
	struct block *block = find_block(chip, fields.code,
					 se < 0 ? SEGMENT_GLOBAL : SEGMENT_SE);

	if (!block || fields.counter / 2 >= block->wires ||
	    !find_wgp(chip, block, &fields.number))
		return false;
	for (unsigned i = 0; i < block->instance_count; i++) {
		const struct instance *instance = &block->instances[i];

		if (!names_instance(block, instance, &fields, se))
			continue;
		*out = (struct muxsel_lane){
			.block = block,
			.instance = instance,
			.wire = fields.counter / 2,
			.is_odd = fields.counter % 2,
		};
		return true;
	}
	return false;
}

/* Return the slot of a module: a counter with a second select. */
static unsigned
find_module(const struct block *block, const struct instance *instance,
	    unsigned module)
{
	for (unsigned s = 0; s < block->slot_count; s++)
		if (block->slots[s].select1 &&
		    block_has_slot(block, instance, s) && module-- == 0)
			return s;
	return NO_MODULE;
}

static bool
has_modules(const struct block *block)
{
	if (block->pairs)
		return false;
	for (unsigned s = 0; s < block->slot_count; s++)
		if (block->slots[s].select1)
			return true;
	return false;
}

/*
 * Find a counter of a block without modules. Such counters have a wire each, or
 * share one with another, unless they are of 32 bits.
 */
static bool
find_plain(const struct muxsel_lane *lane, struct muxsel_counter *out)
{
	const struct block *block = lane->block;
	const struct counter *counter;
	bool is_second;

	if (lane->wire >= block->slot_count)
		return false;
	counter = &lane->instance->counters[lane->wire];
	is_second = block->pairs && lane->is_odd &&
		    block_spm_mode(block, counter->select) < SPM_32_CLAMP;
	out->slot = lane->wire;
	out->select = is_second ? counter->select1 : counter->select;
	out->simds = is_second ? counter->simds1 : counter->simds;
	out->mode = block_spm_mode(block, out->select);
	return true;
}

/*
 * Find a counter. A module has two wires, for the events of its first and its
 * second select: two in each, of which counters of 32 bits use one.
 */
bool
muxsel_counter(const struct muxsel_lane *lane, struct muxsel_counter *out)
{
	const struct block *block = lane->block;
	const struct counter *counter;
	uint32_t select;
	unsigned slot;

	if (!has_modules(block))
		return find_plain(lane, out);
	slot = find_module(block, lane->instance, lane->wire / 2);
	if (slot == NO_MODULE)
		return false;
	counter = &lane->instance->counters[slot];
	out->slot = slot;
	out->simds = counter->simds;
	out->mode = block_spm_mode(block, counter->select);
	select = lane->wire % 2 ? counter->select1 : counter->select;
	if (lane->is_odd && out->mode < SPM_32_CLAMP)
		select >>= EVENT_BITS;
	out->select = select & block->slots[slot].event_mask;
	return true;
}
