/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/tally.h"

#include <errno.h>

/* Wider counters do not wrap while anybody looks. */
#define SAFE_BITS 40

/* Faster than any clock that a kernel does not tell. */
#define UNKNOWN_KHZ 4000000

/*
 * Narrow counters are read so often in the time they need to wrap at one per
 * cycle: those that sum up waves add as many as 64 in a cycle, and threads may
 * wake up late.
 */
#define READS_PER_WRAP 128

const struct block_slot *
tally_slot(const struct selection *selection, const struct cell *cell)
{
	const struct counter *counter = &selection->counters[cell->counter];
	const struct block *block = &selection->core->blocks[counter->block];

	return block_slot(block, block->instances[cell->instance].bank,
			  counter->slot);
}

void
tally_begin_cell(const struct selection *selection, struct cell *cell,
		 const struct commands_result *result)
{
	cell->last = commands_value(tally_slot(selection, cell), result);
}

int
tally_add_cell(const struct selection *selection, struct cell *cell,
	       const struct commands_result *result)
{
	const struct block_slot *slot = tally_slot(selection, cell);
	uint64_t mask = commands_value_mask(slot);
	uint64_t now = commands_value(slot, result);
	uint64_t gain = (now - cell->last) & mask;

	/* No wide counter gains half its range between two samples. */
	if (slot->bits > SAFE_BITS && gain > mask >> 1)
		return -EIO;
	cell->total += gain;
	cell->last = now;
	return 0;
}

void
tally_begin(struct selection *selection, const struct commands_sample *sample)
{
	for (size_t i = 0; i < selection->cell_count; i++)
		tally_begin_cell(selection, &selection->cells[i],
				 &sample->results[i]);
}

int
tally_add(struct selection *selection, const struct commands_sample *sample)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < selection->cell_count; i++)
		ret = tally_add_cell(selection, &selection->cells[i],
				     &sample->results[i]);
	return ret;
}

const struct cell *
tally_narrowest(const struct selection *selection)
{
	const struct cell *narrowest = NULL;
	unsigned bits = SAFE_BITS;

	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct cell *cell = &selection->cells[i];

		if (tally_slot(selection, cell)->bits >= bits)
			continue;
		bits = tally_slot(selection, cell)->bits;
		narrowest = cell;
	}
	return narrowest;
}

uint64_t
tally_wrap_us(const struct selection *selection, uint64_t clock_khz)
{
	const struct cell *narrowest = tally_narrowest(selection);

	if (!narrowest)
		return 0;
	return (UINT64_C(1) << tally_slot(selection, narrowest)->bits) * 1000 /
	       (clock_khz ? clock_khz : UNKNOWN_KHZ);
}

uint64_t
tally_period_ms(const struct selection *selection, uint64_t clock_khz)
{
	return tally_wrap_us(selection, clock_khz) / 1000 / READS_PER_WRAP;
}
