/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/reset_check.h"

#include <stddef.h>

static uint64_t
bit_of(uint32_t slot)
{
	return UINT64_C(1) << slot;
}

/*
 * Slots of the block's only instance that the selection uses; *counts are those
 * of them that count the event.
 */
static uint64_t
used_slots(const struct selection *selection,
	   const struct core_witness *witness, uint64_t *counts)
{
	uint64_t used = 0;

	*counts = 0;
	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct cell *cell = &selection->cells[i];
		const struct counter *counter =
			&selection->counters[cell->counter];

		if (counter->block != witness->block)
			continue;
		used |= bit_of(cell->slot);
		if (counter->id == witness->id)
			*counts |= bit_of(cell->slot);
	}
	return used;
}

static bool
is_plain(const struct block *block)
{
	return block->instance_count == 1 && block->banks == 1 &&
	       !block->windowed && !block->stage_masked && !block->saturates &&
	       block_slot(block, 0, 0)->style == BLOCK_GENERIC;
}

static struct commands_marker
choose(const struct selection *selection, const struct core_witness *witness)
{
	const struct block *block = &selection->core->blocks[witness->block];
	struct commands_marker marker = { .block = NULL };
	uint64_t counts, used = used_slots(selection, witness, &counts);
	uint64_t room = block_slots_for(block, witness->id) & ~used;

	if (!is_plain(block) || !room)
		return marker;
	if (!counts) {
		counts = room & -room;
		room &= ~counts;
	}
	if (!room)
		return marker;
	marker.block = block;
	marker.id = witness->id;
	marker.slots[0] = (uint32_t)__builtin_ctzll(counts);
	marker.slots[1] = (uint32_t)__builtin_ctzll(room);
	return marker;
}

struct commands_marker
marker_choose(const struct selection *selection)
{
	const struct core *core = selection->core;
	struct commands_marker marker = { .block = NULL };

	if (core->commands.selects_wait)
		return marker;
	for (size_t i = 0; !marker.block && i < core->witness_count; i++)
		marker = choose(selection, &core->witnesses[i]);
	return marker;
}
