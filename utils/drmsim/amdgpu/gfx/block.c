/* SPDX-License-Identifier: BSD-3-Clause */
#include "amdgpu/gfx/block.h"

enum block_style
block_style(const struct block *block, unsigned slot)
{
	return block->slots[slot].plain ? STYLE_GENERIC : block->style;
}

bool
block_follows_cp(const struct block *block, unsigned slot)
{
	enum block_style style = block_style(block, slot);

	return style == STYLE_GENERIC || style == STYLE_PER_ENGINE;
}

bool
block_follows_rlc(const struct block *block, unsigned slot)
{
	return block_style(block, slot) == STYLE_RLC;
}

uint64_t
block_value_mask(const struct block *block, unsigned slot)
{
	if (block->bits >= 64 || block->slots[slot].plain)
		return UINT64_MAX;
	return (1ull << block->bits) - 1;
}

bool
block_has_slot(const struct block *block, const struct instance *instance,
	       unsigned slot)
{
	const struct slot *s = &block->slots[slot];

	return (s->engine < 0 || (unsigned)s->engine == instance->index) &&
	       (s->parity < 0 || (unsigned)s->parity == instance->index % 2);
}

uint32_t
block_event(const struct block *block, const struct instance *instance,
	    unsigned slot)
{
	return instance->counters[slot].chosen & block->slots[slot].event_mask;
}

unsigned
block_spm_mode(const struct block *block, uint32_t select)
{
	return block->segment == SEGMENT_NONE ? BLOCK_SPM_OFF
					      : select >> 20 & 0xf;
}

unsigned
block_sdma_shift(const struct block *block, unsigned slot)
{
	unsigned bits =
		(unsigned)__builtin_popcount(block->slots[0].event_mask);

	return slot * (bits + SDMA_EVENT_SHIFT);
}
