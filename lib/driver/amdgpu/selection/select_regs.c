/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selection/select_regs.h"

#include <stdlib.h>

/* Bit of PERFCOUNTERn_CFG */
#define CFG_ENABLE (1u << 28)

/* Shift to the fields of the nth counter in SDMA's register. */
#define SDMA_FIELD(slot) ((slot)->place * ((slot)->id_bits + 2))
#define SDMA_ENABLE 1u
#define SDMA_ID_SHIFT 2

struct select_regs *
select_regs_create(const struct core *core)
{
	/* events are written with the slots that have them */
	struct select_regs *selects =
		malloc((core->instance_count + 1) * sizeof(*selects) +
		       core->slot_count * sizeof(*selects->ids));
	uint32_t *ids;

	if (!selects)
		return NULL;
	ids = (uint32_t *)&selects[core->instance_count + 1];
	for (size_t i = 0; i < core->block_count; i++) {
		const struct block *block = &core->blocks[i];

		for (unsigned k = 0; k < block->instance_count; k++) {
			selects[block->first_instance + k] =
				(struct select_regs){ .ids = ids };
			ids += block->max_active;
		}
	}
	return selects;
}

uint64_t
select_regs_used(const struct block *block, const struct select_regs *selects)
{
	uint64_t used = 0;

	for (unsigned i = 0; i < block->instance_count; i++)
		used |= selects[block->first_instance + i].used;
	return used;
}

uint64_t
select_regs_unused(const struct core *core, const struct select_regs *selects)
{
	uint64_t unused = 0;

	for (size_t i = 0; i < core->block_count && i < 64; i++) {
		if (!select_regs_used(&core->blocks[i], selects))
			unused |= UINT64_C(1) << i;
	}
	return unused;
}

static uint32_t
sdma_value(const struct block *block, const struct select_regs *selects,
	   unsigned bank)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < block->max_active; i++) {
		const struct block_slot *slot = block_slot(block, bank, i);

		if (selects->used >> i & 1)
			value |=
				(selects->ids[i] << SDMA_ID_SHIFT | SDMA_ENABLE)
				<< SDMA_FIELD(slot);
	}
	return value;
}

static uint32_t
select_value(const struct block *block, const struct select_regs *selects,
	     unsigned bank, unsigned slot)
{
	switch (block_slot(block, bank, slot)->style) {
	case BLOCK_SDMA:
		return sdma_value(block, selects, bank);
	case BLOCK_CFG:
		return selects->ids[slot] | CFG_ENABLE;
	case BLOCK_GENERIC:
	case BLOCK_RLC:
		break;
	}
	return selects->ids[slot] | block->select_or;
}

void
select_regs_set_slot(struct pm4 *pm4, const struct block *block,
		     const struct block_slot *slot, uint32_t value)
{
	write_register(pm4, slot->select, value);
	/* Another tool may have left streaming fields there. */
	if (slot->select1.byte)
		write_register(pm4, slot->select1, 0);
	/*
	 * Otherwise counters that saturate would never count again (PAL,
	 * gfx9PerfExperiment.cpp).
	 */
	if (block->saturates)
		write_register(pm4, slot->low, 0);
}

/* Selects to be programmed: all that are used, or those that are new. */
struct programming {
	const struct core *core;
	const struct block *block;
	const struct select_regs *selects; /* of its first instance */
	bool all;
};

static uint64_t
slots_to_program(const struct programming *programming, unsigned instance)
{
	const struct select_regs *selects = &programming->selects[instance];

	return programming->all ? selects->used : selects->changed;
}

enum reach {
	REACH_NONE, /* nothing is to be programmed */
	REACH_TOGETHER, /* all instances of the bank can be programmed at
			 * once */
	REACH_APART,
};

/*
 * Return whether one broadcast can program a slot in all instances: it gets the
 * same event in each, or is not used there. *value becomes the select.
 */
static enum reach
find_reach(const struct programming *programming, unsigned bank, unsigned slot,
	   uint32_t *value)
{
	const struct block *block = programming->block;
	const bool is_sdma = block_slot(block, bank, slot)->style == BLOCK_SDMA;
	const uint64_t bit = UINT64_C(1) << slot;
	bool wanted = false, apart = false;

	for (unsigned i = 0; i < block->instance_count; i++) {
		const struct select_regs *selects = &programming->selects[i];
		uint32_t here;

		if (block->instances[i].bank != bank ||
		    !(selects->used & (is_sdma ? UINT64_MAX : bit)))
			continue;
		here = select_value(block, selects, bank, slot);
		if (!(slots_to_program(programming, i) & bit) ||
		    (wanted && here != *value)) {
			apart = true;
			continue;
		}
		*value = here;
		wanted = true;
	}
	if (!wanted)
		return REACH_NONE;
	return apart || block->apart ? REACH_APART : REACH_TOGETHER;
}

/* Program the slots that all instances share, and return the rest. */
static uint64_t
set_common_selects(struct pm4 *pm4, const struct programming *programming)
{
	const struct block *block = programming->block;
	uint64_t slots = 0, rest = 0;
	uint32_t value = 0;

	for (unsigned i = 0; i < block->instance_count; i++)
		slots |= slots_to_program(programming, i);
	for (; slots; slots &= slots - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(slots);

		for (unsigned bank = 0; bank < block->banks; bank++) {
			enum reach reach =
				find_reach(programming, bank, slot, &value);

			if (reach == REACH_TOGETHER)
				select_regs_set_slot(
					pm4, block,
					block_slot(block, bank, slot), value);
			else if (reach == REACH_APART)
				rest |= slots & -slots;
		}
	}
	return rest;
}

static void
write_instance(struct pm4 *pm4, const struct core *core,
	       const struct block *block, unsigned instance)
{
	if (block->apart)
		write_index(pm4, core, BLOCK_BROADCAST);
	write_index(pm4, core, block->instances[instance].index);
}

static void
set_selects_of(struct pm4 *pm4, const struct programming *programming,
	       unsigned instance, uint64_t slots)
{
	const struct block *block = programming->block;
	const struct block_instance *hardware = &block->instances[instance];
	uint32_t value;

	slots &= slots_to_program(programming, instance);
	if (slots)
		write_instance(pm4, programming->core, block, instance);
	for (; slots; slots &= slots - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(slots);

		if (find_reach(programming, hardware->bank, slot, &value) !=
		    REACH_APART)
			continue;
		value = select_value(block, &programming->selects[instance],
				     hardware->bank, slot);
		select_regs_set_slot(pm4, block,
				     block_slot(block, hardware->bank, slot),
				     value);
	}
}

/*
 * Set the selects, once with broadcast where that will do, else for each
 * instance by itself.
 */
static void
set_selects(struct pm4 *pm4, const struct programming *programming)
{
	const struct core *core = programming->core;
	uint64_t rest = set_common_selects(pm4, programming);

	if (!rest)
		return;
	pm4_counter_window(pm4, true);
	for (unsigned i = 0; i < programming->block->instance_count; i++)
		set_selects_of(pm4, programming, i, rest);
	write_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
}

static void
clear_slots(struct pm4 *pm4, const struct block *block, unsigned bank,
	    uint64_t slots)
{
	for (; slots; slots &= slots - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(slots);

		write_register(pm4, block_slot(block, bank, slot)->select, 0);
	}
}

static void
clear_each_instance(struct pm4 *pm4, const struct core *core,
		    const struct block *block,
		    const struct select_regs *selects)
{
	pm4_counter_window(pm4, true);
	for (unsigned i = 0; i < block->instance_count; i++) {
		if (!selects[i].used)
			continue;
		write_instance(pm4, core, block, i);
		clear_slots(pm4, block, block->instances[i].bank,
			    selects[i].used);
	}
	write_index(pm4, core, BLOCK_BROADCAST);
	pm4_counter_window(pm4, false);
}

static void
clear_selects(struct pm4 *pm4, const struct core *core,
	      const struct block *block, const struct select_regs *selects)
{
	const uint64_t slots = select_regs_used(block, selects);

	if (block->apart && slots) {
		clear_each_instance(pm4, core, block,
				    &selects[block->first_instance]);
		return;
	}
	for (unsigned bank = 0; bank < block->banks; bank++)
		clear_slots(pm4, block, bank, slots);
}

static bool
has_cfg_slots(const struct block *block, uint64_t slots)
{
	for (; slots; slots &= slots - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(slots);

		if (block_slot(block, 0, slot)->style == BLOCK_CFG)
			return true;
	}
	return false;
}

void
select_regs_set_all(struct pm4 *pm4, const struct core *core,
		    const struct select_regs *selects, uint64_t unused,
		    bool all)
{
	for (size_t i = 0; i < core->block_count; i++) {
		const struct block *block = &core->blocks[i];
		const struct programming programming = {
			.core = core,
			.block = block,
			.selects = &selects[block->first_instance],
			.all = all,
		};

		if (!select_regs_is_unused(unused, i))
			set_selects(pm4, &programming);
	}
}

void
select_regs_clear_all(struct pm4 *pm4, const struct core *core,
		      const struct select_regs *selects, uint64_t unused)
{
	for (size_t i = 0; i < core->block_count; i++) {
		const struct block *block = &core->blocks[i];

		if (!select_regs_is_unused(unused, i))
			clear_selects(pm4, core, block, selects);
	}
}

void
select_regs_set_results(struct pm4 *pm4, const struct core *core,
			const struct select_regs *selects, uint64_t unused,
			uint32_t value)
{
	for (size_t i = 0; i < core->block_count; i++) {
		const struct block *block = &core->blocks[i];

		if (!select_regs_is_unused(unused, i) &&
		    has_cfg_slots(block, select_regs_used(block, selects)))
			write_register(pm4, block->result_control, value);
	}
}
