/* SPDX-License-Identifier: BSD-3-Clause */
/* Turn values of the hardware's counters into totals that only grow. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_ACCUMULATOR_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_ACCUMULATOR_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/vec2.h"
#include "driver/amdgpu/selection/commands.h"
#include "driver/amdgpu/selection/selection.h"

/*
 * Begin to count from this sample, in which results[i] is of cell i. Totals
 * stay.
 */
void
accumulator_begin(struct selection *selection,
		  const struct commands_sample *sample);

/*
 * Add the cells that accumulator_add() does not process in pairs: an odd last
 * one, and those of each XCC.
 */
int
accumulator_add_rest(struct selection *selection,
		     const struct commands_sample *sample);

/*
 * Add to every cell's total what its counter has gained since the last sample,
 * to two cells at a time.
 *
 * Returns 0, or -EIO if a counter went backwards, as happens when another
 * program programs it or the GPU has lost power: totals are useless then.
 */
static inline int
accumulator_add(struct selection *selection,
		const struct commands_sample *sample)
{
	const uint64_t *shown = (const uint64_t *)sample->results;
	vec2 *const totals = vec2_at(selection->numbers.totals);
	vec2 *const last = vec2_at(selection->numbers.last);
	const vec2 *const masks = vec2_at(selection->numbers.masks);
	const vec2 *const excess = vec2_at(selection->numbers.excess);
	const size_t count = selection->cell_count;
	vec2 beyond = { 0 };

	for (size_t i = 0; i < count / 2; i++) {
		vec2 now = vec2_load(&shown[2 * i]) & masks[i];
		vec2 gain = (now - last[i]) & masks[i];

		beyond |= gain & excess[i];
		totals[i] += gain;
		last[i] = now;
	}
	if (beyond[0] | beyond[1])
		return -EIO;
	return count % 2 || selection->xccs
		       ? accumulator_add_rest(selection, sample)
		       : 0;
}

/* Begin or go on with one cell, in the slot that its counter has now. */
void
accumulator_begin_cell(struct selection *selection, size_t cell,
		       const struct commands_result *result);
int
accumulator_add_cell(struct selection *selection, size_t cell,
		     const struct commands_result *result);

/* How full the fullest counter is of those that stop when they are full. */
enum accumulator_level {
	ACCUMULATOR_LOW,
	ACCUMULATOR_HALF, /* time to clear it */
	ACCUMULATOR_FULL, /* it may have lost counts */
};

/*
 * Return the level of the fullest counter; *out is its cell, if not
 * ACCUMULATOR_LOW.
 */
enum accumulator_level
accumulator_level(const struct selection *selection, size_t *out);

/*
 * Begin to count with counters that saturate, which have been cleared; again[i]
 * is of the ith of them.
 */
void
accumulator_begin_saturating(struct selection *selection,
			     const struct commands_result *again);

/* Return the slot that a cell's values come from. */
const struct block_slot *
accumulator_slot(const struct selection *selection,
		 const struct value_cell *cell);

/*
 * Return a cell of the narrowest counter that can wrap between samples, or
 * NULL.
 */
const struct value_cell *
accumulator_narrowest(const struct selection *selection);

/*
 * Return in how many microseconds the narrowest counter of the selection wraps,
 * if it gains one in every cycle of the given clock; 0 if none is narrow.
 */
uint64_t
accumulator_wrap_us(const struct selection *selection, uint64_t clock_khz);

/* Return that time for the narrowest counter that any GPU has. */
uint64_t
accumulator_least_wrap_us(uint64_t clock_khz);

/*
 * Return whether a counter can have wrapped unseen in that time. It looks at
 * all cells: not to be called for less than accumulator_least_wrap_us().
 */
bool
accumulator_may_have_wrapped(const struct selection *selection,
			     uint64_t clock_khz, uint64_t elapsed_us);

/*
 * Return once in how many milliseconds to read such counters, so that a wrap is
 * seen; 0 if none is narrow.
 */
uint64_t
accumulator_period_ms(const struct selection *selection, uint64_t clock_khz);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_ACCUMULATOR_H */
