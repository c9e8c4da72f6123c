/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/perfcounter/accumulator.h"

#include <errno.h>

/*
 * Counters of fewer bits may gain more than half their range between two reads.
 * No counter of 64 bits ever wraps; one of 48 does within days.
 */
#define SAFE_BITS 40
#define ENDLESS_BITS 64

/*
 * Assumed clock if the kernel reports none: no GPU of such kernels is faster.
 */
#define UNKNOWN_KHZ 4000000

/*
 * Number of reads in the time in which a narrow counter wraps at one per cycle.
 * Counters that sum up waves add up to 64 per cycle, and threads may wake late.
 */
#define READS_PER_WRAP 128

const struct block_slot *
accumulator_slot(const struct selection *selection,
		 const struct value_cell *cell)
{
	const struct counter *counter = &selection->counters[cell->counter];
	const struct block *block = &selection->core->blocks[counter->block];

	return block_slot(block, block->instances[cell->instance].bank,
			  cell->slot);
}

/* Return the result of an XCC; xcc 0 is the sum over all. */
static inline const struct commands_result *
result_of_xcc(const struct selection *selection,
	      const struct commands_result *result, unsigned xcc)
{
	return (const struct commands_result *)((const char *)result +
						xcc * selection->xcc_stride);
}

void
accumulator_begin_cell(struct selection *selection, size_t i,
		       const struct commands_result *result)
{
	struct value_cell *cell = &selection->cells[i];
	struct cell_numbers *numbers = &selection->numbers;
	const struct block_slot *slot = accumulator_slot(selection, cell);
	uint64_t mask = UINT64_MAX >> (64 - slot->bits);

	cell->saturates =
		selection->core
			->blocks[selection->counters[cell->counter].block]
			.saturates;
	numbers->masks[i] = mask;
	/* No wide counter that is read in time gains half its range. */
	numbers->excess[i] = slot->bits > SAFE_BITS ? mask ^ mask >> 1 : 0;
	for (unsigned xcc = 0; xcc <= selection->xccs; xcc++)
		numbers->last[selection_on_xcc(selection, i, xcc)] =
			result_of_xcc(selection, result, xcc)->value & mask;
}

static inline int
add_cell(struct selection *selection, size_t i, unsigned xcc,
	 const struct commands_result *result)
{
	struct cell_numbers *numbers = &selection->numbers;
	const size_t at = selection_on_xcc(selection, i, xcc);
	uint64_t mask = numbers->masks[i];
	uint64_t now = result_of_xcc(selection, result, xcc)->value & mask;
	uint64_t gain = (now - numbers->last[at]) & mask;

	numbers->totals[at] += gain;
	numbers->last[at] = now;
	return gain & numbers->excess[i] ? -EIO : 0;
}

int
accumulator_add_cell(struct selection *selection, size_t i,
		     const struct commands_result *result)
{
	int ret = 0;

	for (unsigned xcc = 0; xcc <= selection->xccs && !ret; xcc++)
		ret = add_cell(selection, i, xcc, result);
	return ret;
}

/* Add the results of each XCC, if requests name single XCCs. */
static int
add_xccs(struct selection *selection, const struct commands_sample *sample)
{
	int ret = 0;

	for (unsigned xcc = 1; xcc <= selection->xccs; xcc++)
		for (size_t i = 0; i < selection->cell_count && !ret; i++)
			ret = add_cell(selection, i, xcc, &sample->results[i]);
	return ret;
}

void
accumulator_begin(struct selection *selection,
		  const struct commands_sample *sample)
{
	for (size_t i = 0; i < selection->cell_count; i++)
		accumulator_begin_cell(selection, i, &sample->results[i]);
}

int
accumulator_add_rest(struct selection *selection,
		     const struct commands_sample *sample)
{
	const size_t last = selection->cell_count - 1;

	if (last % 2 == 0 &&
	    add_cell(selection, last, 0, &sample->results[last]))
		return -EIO;
	return selection->xccs ? add_xccs(selection, sample) : 0;
}

enum accumulator_level
accumulator_level(const struct selection *selection, size_t *out)
{
	const uint64_t *last = selection->numbers.last;
	const uint64_t *masks = selection->numbers.masks;
	size_t fullest = SELECTION_NO_CELL;

	if (!selection->saturates)
		return ACCUMULATOR_LOW;
	for (size_t i = 0; i < selection->cell_count; i++) {
		if (selection->cells[i].saturates && last[i] > masks[i] / 2 &&
		    (fullest == SELECTION_NO_CELL || last[i] > last[fullest]))
			fullest = i;
	}
	if (fullest == SELECTION_NO_CELL)
		return ACCUMULATOR_LOW;
	*out = fullest;
	return last[fullest] == masks[fullest] ? ACCUMULATOR_FULL
					       : ACCUMULATOR_HALF;
}

void
accumulator_begin_saturating(struct selection *selection,
			     const struct commands_result *again)
{
	for (size_t i = 0; i < selection->cell_count; i++) {
		if (selection->cells[i].saturates)
			accumulator_begin_cell(selection, i, again++);
	}
}

const struct value_cell *
accumulator_narrowest(const struct selection *selection)
{
	const struct value_cell *narrowest = NULL;
	unsigned bits = ENDLESS_BITS;

	for (size_t i = 0; i < selection->cell_count; i++) {
		const struct value_cell *cell = &selection->cells[i];

		if (accumulator_slot(selection, cell)->bits >= bits)
			continue;
		bits = accumulator_slot(selection, cell)->bits;
		narrowest = cell;
	}
	return narrowest;
}

/* Return the time to wrap in microseconds, at one per cycle. */
static uint64_t
time_to_wrap(unsigned bits, uint64_t clock_khz)
{
	return (UINT64_C(1) << bits) * 1000 /
	       (clock_khz ? clock_khz : UNKNOWN_KHZ);
}

uint64_t
accumulator_least_wrap_us(uint64_t clock_khz)
{
	return time_to_wrap(BLOCK_LEAST_BITS, clock_khz);
}

bool
accumulator_may_have_wrapped(const struct selection *selection,
			     uint64_t clock_khz, uint64_t elapsed_us)
{
	return accumulator_narrowest(selection) &&
	       elapsed_us >= accumulator_wrap_us(selection, clock_khz);
}

uint64_t
accumulator_wrap_us(const struct selection *selection, uint64_t clock_khz)
{
	const struct value_cell *narrowest = accumulator_narrowest(selection);

	return narrowest ? time_to_wrap(
				   accumulator_slot(selection, narrowest)->bits,
				   clock_khz)
			 : 0;
}

uint64_t
accumulator_period_ms(const struct selection *selection, uint64_t clock_khz)
{
	return accumulator_wrap_us(selection, clock_khz) / 1000 /
	       READS_PER_WRAP;
}
