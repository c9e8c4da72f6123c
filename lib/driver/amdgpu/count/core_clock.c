/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/core_clock.h"

/* A counter of the witness alone, with a cell in the first instance. */
static size_t
add_witness(struct selection *selection, const struct core_witness *witness)
{
	const struct block *block = &selection->core->blocks[witness->block];
	uint32_t index = selection_add_event(
		selection, witness->block, witness->id, SLOT_NONE,
		block_slots_for(block, witness->id));
	struct counter *counter = &selection->counters[index];
	size_t cell = selection->cell_count++;

	counter->first_cell = cell;
	counter->cell_count = 1;
	selection->cells[cell] =
		(struct cell){ .counter = index, .slot = SLOT_NONE };
	return cell;
}

static void
remove_witness(struct selection *selection)
{
	selection->counter_count--;
	selection->cell_count--;
}

/* Place the witness, in its old slot if before has it; false: no room. */
static bool
place_witness(struct selection *selection, const struct selection *before,
	      const struct beside *beside, const struct core_witness *witness)
{
	uint32_t found = selection_find_event(selection, witness->block,
					      witness->id, SLOT_NONE);
	size_t cell, old;

	if (found != UINT32_MAX) {
		selection->witness = witness;
		selection->witness_cell = selection->counters[found].first_cell;
		return true;
	}
	cell = add_witness(selection, witness);
	old = before ? selection_find_cell(before, selection, cell)
		     : SELECTION_NO_CELL;
	if (old != SELECTION_NO_CELL)
		selection->cells[cell].slot = before->cells[old].slot;
	if (!place_first(selection, beside, witness->block)) {
		remove_witness(selection);
		return false;
	}
	selection->witness = witness;
	selection->witness_cell = cell;
	selection->witness_gives_way = true;
	selection->saturates |=
		selection->core->blocks[witness->block].saturates;
	return true;
}

void
witness_choose(struct selection *selection, const struct selection *before,
	       const struct beside *beside)
{
	const struct core *core = selection->core;

	/* The one that is at work has a value to compare with. */
	if (before && before->witness &&
	    place_witness(selection, before, beside, before->witness))
		return;
	for (size_t i = 0; i < core->witness_count; i++) {
		if (place_witness(selection, before, beside,
				  &core->witnesses[i]))
			return;
	}
}

void
witness_give_up(struct selection *selection)
{
	remove_witness(selection);
	selection->witness = NULL;
	selection->witness_gives_way = false;
}
