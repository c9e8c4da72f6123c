/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/tables/block.h"

const struct block_slot *
block_slot(const struct block *block, unsigned bank, unsigned slot)
{
	return &block->slots[bank * block->max_active + slot];
}

uint64_t
block_all_slots(const struct block *block)
{
	return UINT64_MAX >> (BLOCK_MAX_SLOTS - block->max_active);
}

uint64_t
block_slots_for(const struct block *block, uint32_t id)
{
	uint64_t slots = 0;

	if (id >> block->id_bits == 0)
		return block_all_slots(block);
	for (unsigned slot = 0; slot < block->max_active; slot++) {
		if (id >> block_slot(block, 0, slot)->id_bits == 0)
			slots |= UINT64_C(1) << slot;
	}
	return slots;
}
