/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/checks/block_clock.h"

#include <string.h>

static uint64_t
bit_of(uint32_t slot)
{
	return UINT64_C(1) << slot;
}

/* The block, and the slots to choose from for its clock's event. */
struct choice {
	const struct selection *selection;
	const struct slot_table *table; /* or NULL */
	size_t index;
	const struct block *block;
	bool may_select;
};

/* Return slots of an instance that have the event already. */
static uint64_t
slots_with(const struct choice *choice, uint32_t instance,
	   const struct select_regs *selects)
{
	const struct block *block = choice->block;
	uint64_t slots = 0;

	for (uint32_t slot = 0; slot < block->max_active; slot++) {
		if (selects->used & bit_of(slot) &&
		    selects->ids[slot] == block->clock_id)
			slots |= bit_of(slot);
	}
	if (choice->table)
		slots &= ~slot_table_lost(choice->table,
					  block->first_instance + instance);
	return slots;
}

/* Return slots of the instance that neither this nor another process uses. */
static uint64_t
free_slots(const struct choice *choice, uint32_t instance)
{
	const struct block *block = choice->block;
	uint64_t same;
	uint64_t slots = block_slots_for(block, block->clock_id) &
			 ~selection_slots(choice->selection, choice->index,
					  instance, block->clock_id, &same);

	if (choice->table)
		slots &= ~slot_table_taken(choice->table,
					   block->first_instance + instance);
	return slots;
}

/*
 * Find a slot: one that has the event, or else the last free one, since others
 * look for theirs from the first on.
 */
static bool
choice_find_slot(const struct choice *choice, uint32_t instance,
		 struct select_regs *selects, struct commands_block_clock *out)
{
	uint64_t slots = slots_with(choice, instance, selects);

	*out = (struct commands_block_clock){ .block = (uint32_t)choice->index,
					      .instance = instance };
	if (slots) {
		out->slot = (uint32_t)__builtin_ctzll(slots);
		return true;
	}
	slots = choice->may_select ? free_slots(choice, instance) : 0;
	if (!slots)
		return false;
	out->slot = 63 - (uint32_t)__builtin_clzll(slots);
	selects->used |= bit_of(out->slot);
	selects->changed |= bit_of(out->slot);
	selects->ids[out->slot] = choice->block->clock_id;
	return true;
}

/*
 * Return whether a block has a clock event that counts. Where not all shader
 * stages are counted, clocks may not be either.
 */
static bool
has_clock(const struct selection *selection, const struct block *block)
{
	if (block->clock < BLOCK_CLOCK_DOUBTED)
		return false;
	return selection->stages == core_stages(selection->core) ||
	       !(block->windowed || block->stage_masked);
}

/*
 * Return whether a counter is the first of its block: one clock per block will
 * do.
 */
static bool
is_first(const struct selection *selection, size_t counter)
{
	size_t i = 0;

	while (selection->counters[i].block !=
	       selection->counters[counter].block)
		i++;
	return i == counter;
}

void
block_clocks_choose(struct block_clocks *block_clocks,
		    const struct selection *selection,
		    struct select_regs *selects, const struct slot_table *table,
		    bool may_select)
{
	struct choice choice = { .selection = selection,
				 .table = table,
				 .may_select = may_select };

	memset(block_clocks, 0, sizeof(*block_clocks));
	for (size_t i = 0; i < selection->counter_count; i++) {
		const struct counter *counter = &selection->counters[i];
		const struct block *block =
			&selection->core->blocks[counter->block];
		const struct value_cell *cell =
			&selection->cells[counter->first_cell];

		if (!has_clock(selection, block) || !is_first(selection, i) ||
		    block_clocks->count == COMMANDS_BLOCK_CLOCKS)
			continue;
		choice.index = counter->block;
		choice.block = block;
		block_clocks->count += choice_find_slot(
			&choice, cell->instance,
			&selects[block->first_instance + cell->instance],
			&block_clocks->all[block_clocks->count]);
	}
}

void
block_clocks_begin(struct block_clocks *block_clocks,
		   const struct commands_sample *sample)
{
	memcpy(block_clocks->last, sample->block_clocks,
	       sizeof(block_clocks->last));
	block_clocks->looked_at = (UINT32_C(1) << block_clocks->count) - 1;
}

void
block_clocks_continue(struct block_clocks *block_clocks,
		      const struct block_clocks *before)
{
	for (unsigned i = 0; i < block_clocks->count; i++) {
		/* a clock that begins here counts as advanced */
		block_clocks->last[i] = ~block_clocks->last[i];
		for (unsigned k = 0; k < before->count; k++) {
			if (!memcmp(&block_clocks->all[i], &before->all[k],
				    sizeof(block_clocks->all[i])))
				block_clocks->last[i] = before->last[k];
		}
	}
}
