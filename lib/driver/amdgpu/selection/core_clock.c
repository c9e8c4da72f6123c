/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selection/core_clock.h"

/*
 * Add a counter of the core clock's event alone, with a cell in the first
 * instance.
 */
static size_t
add_core_clock(struct selection *selection,
	       const struct core_clock_event *core_clock)
{
	const struct block *block = &selection->core->blocks[core_clock->block];
	uint32_t index = selection_add_event(
		selection, core_clock->block, core_clock->id, SLOT_NONE,
		block_slots_for(block, core_clock->id));
	struct counter *counter = &selection->counters[index];
	size_t cell = selection->cell_count++;

	counter->first_cell = cell;
	counter->cell_count = 1;
	selection->cells[cell] =
		(struct value_cell){ .counter = index, .slot = SLOT_NONE };
	return cell;
}

static void
remove_core_clock(struct selection *selection)
{
	selection->counter_count--;
	selection->cell_count--;
}

/*
 * Place the core clock's event, in its old slot if before has it; false: no
 * room.
 */
static bool
place_core_clock(struct selection *selection, const struct selection *before,
		 const struct other_slots *others,
		 const struct core_clock_event *core_clock)
{
	uint32_t found = selection_find_event(selection, core_clock->block,
					      core_clock->id, SLOT_NONE);
	size_t cell, old;

	if (found != UINT32_MAX) {
		selection->core_clock = core_clock;
		selection->core_clock_cell =
			selection->counters[found].first_cell;
		return true;
	}
	cell = add_core_clock(selection, core_clock);
	old = before ? selection_find_cell(before, selection, cell)
		     : SELECTION_NO_CELL;
	if (old != SELECTION_NO_CELL)
		selection->cells[cell].slot = before->cells[old].slot;
	if (!slot_alloc_first(selection, others, core_clock->block)) {
		remove_core_clock(selection);
		return false;
	}
	selection->core_clock = core_clock;
	selection->core_clock_cell = cell;
	selection->core_clock_gives_way = true;
	selection->saturates |=
		selection->core->blocks[core_clock->block].saturates;
	return true;
}

void
core_clock_choose(struct selection *selection, const struct selection *before,
		  const struct other_slots *others)
{
	const struct core *core = selection->core;

	/* Prefer the event that counts already: its total can be compared. */
	if (before && before->core_clock &&
	    place_core_clock(selection, before, others, before->core_clock))
		return;
	for (size_t i = 0; i < core->core_clock_event_count; i++) {
		if (place_core_clock(selection, before, others,
				     &core->core_clock_events[i]))
			return;
	}
}

void
core_clock_drop(struct selection *selection)
{
	remove_core_clock(selection);
	selection->core_clock = NULL;
	selection->core_clock_gives_way = false;
}
