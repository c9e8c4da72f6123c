/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/checks/reset_check.h"

#include <stddef.h>

static bool
is_plain(const struct block *block)
{
	return block->instance_count == 1 && block->banks == 1 &&
	       !block->windowed && !block->stage_masked && !block->saturates &&
	       block_slot(block, 0, 0)->style == BLOCK_GENERIC;
}

static struct commands_reset_check
reset_check_choose_event(const struct selection *selection,
			 const struct core_clock_event *core_clock)
{
	const struct block *block = &selection->core->blocks[core_clock->block];
	struct commands_reset_check reset_check = { .block = NULL };
	uint64_t counts, used = selection_slots(selection, core_clock->block, 0,
						core_clock->id, &counts);
	uint64_t room = block_slots_for(block, core_clock->id) & ~used;

	if (!is_plain(block) || !room)
		return reset_check;
	if (!counts) {
		counts = room & -room;
		room &= ~counts;
	}
	if (!room)
		return reset_check;
	reset_check.block = block;
	reset_check.id = core_clock->id;
	reset_check.slots[0] = (uint32_t)__builtin_ctzll(counts);
	reset_check.slots[1] = (uint32_t)__builtin_ctzll(room);
	return reset_check;
}

struct commands_reset_check
reset_check_choose(const struct selection *selection)
{
	const struct core *core = selection->core;
	struct commands_reset_check reset_check = { .block = NULL };

	if (core->commands.selects_wait)
		return reset_check;
	for (size_t i = 0;
	     !reset_check.block && i < core->core_clock_event_count; i++)
		reset_check = reset_check_choose_event(
			selection, &core->core_clock_events[i]);
	return reset_check;
}
