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

/*
 * What the hardware shows. Above a narrow counter stands nothing, or, in cfg
 * blocks, the value to compare with.
 */
static uint64_t
value_of(const struct cell *cell, const struct commands_result *result)
{
	uint64_t high = result->high;

	/*
	 * The lower half was read between the upper ones: if those differ, a
	 * small lower half belongs to the second and a large one to the first.
	 */
	if (cell->may_be_torn && result->high_before != high &&
	    result->low >> 31)
		high = result->high_before;
	return (high << 32 | result->low) & cell->mask;
}

void
tally_begin_cell(const struct selection *selection, struct cell *cell,
		 const struct commands_result *result)
{
	const struct block_slot *slot = tally_slot(selection, cell);

	cell->mask = UINT64_MAX >> (64 - slot->bits);
	/* No wide counter gains half its range between two samples. */
	cell->most = slot->bits > SAFE_BITS ? cell->mask >> 1 : cell->mask;
	cell->may_be_torn = slot->style == BLOCK_CFG;
	cell->last = value_of(cell, result);
}

int
tally_add_cell(struct cell *cell, const struct commands_result *result)
{
	uint64_t now = value_of(cell, result);
	uint64_t gain = (now - cell->last) & cell->mask;

	if (gain > cell->most)
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
	const struct commands_result *result = sample->results;
	struct cell *cell = selection->cells;
	const struct cell *end = cell + selection->cell_count;
	int ret = 0;

	while (!ret && cell < end)
		ret = tally_add_cell(cell++, result++);
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

/* In microseconds, at one per cycle. */
static uint64_t
time_to_wrap(unsigned bits, uint64_t clock_khz)
{
	return (UINT64_C(1) << bits) * 1000 /
	       (clock_khz ? clock_khz : UNKNOWN_KHZ);
}

bool
tally_may_have_wrapped(const struct selection *selection, uint64_t clock_khz,
		       uint64_t elapsed_us)
{
	/* whatever is counted: that takes no look at the cells */
	if (elapsed_us < time_to_wrap(BLOCK_LEAST_BITS, clock_khz))
		return false;
	return tally_narrowest(selection) &&
	       elapsed_us >= tally_wrap_us(selection, clock_khz);
}

uint64_t
tally_wrap_us(const struct selection *selection, uint64_t clock_khz)
{
	const struct cell *narrowest = tally_narrowest(selection);

	return narrowest ? time_to_wrap(tally_slot(selection, narrowest)->bits,
					clock_khz)
			 : 0;
}

uint64_t
tally_period_ms(const struct selection *selection, uint64_t clock_khz)
{
	return tally_wrap_us(selection, clock_khz) / 1000 / READS_PER_WRAP;
}
