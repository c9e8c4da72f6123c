/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Do the clocks of the blocks run in which something is counted? A block may
 * have an event that counts its clock. It is counted in addition to the
 * requests, in the first instance that they count in, if there is a slot to
 * spare. If it shows in a sample what it has shown in the one before, the clock
 * has not moved.
 *
 * As with a reset check, no process owns the slot: a process that wants it
 * takes it, and one that finds the event selected already uses that. So does a
 * reset check of the same event if there is but one slot for both.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_CHECKS_BLOCK_CLOCK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_CHECKS_BLOCK_CLOCK_H

#include <stdint.h>

#include "driver/amdgpu/selection/commands.h"
#include "driver/amdgpu/shared/slot_table.h"
#include "driver/amdgpu/selection/selection.h"

struct block_clocks {
	struct commands_block_clock all[COMMANDS_BLOCK_CLOCKS];
	uint32_t last[COMMANDS_BLOCK_CLOCKS]; /* values of the last sample */
	unsigned count;
	uint32_t looked_at; /* mask of clocks that are compared */
	uint32_t still; /* mask of those that did not move in a sample */
	unsigned stopped; /* the clock that the error names */
};

/*
 * Find slots for the clock events of the selection's blocks, and add them to
 * selects. Slots of other processes in table are left alone; NULL: there are
 * none. If may_select is false, only clock events that are selected already are
 * used.
 */
void
block_clocks_choose(struct block_clocks *block_clocks,
		    const struct selection *selection,
		    struct select_regs *selects, const struct slot_table *table,
		    bool may_select);

/* Begin to compare block clocks with this sample. */
void
block_clocks_begin(struct block_clocks *block_clocks,
		   const struct commands_sample *sample);

/* Continue comparing with the values that the replaced clocks had. */
void
block_clocks_continue(struct block_clocks *block_clocks,
		      const struct block_clocks *before);

/* Return the mask of clocks that have not advanced, and store it in still. */
static inline uint32_t
block_clocks_stopped(struct block_clocks *block_clocks,
		     const struct commands_sample *sample)
{
	uint32_t still = 0;

	for (unsigned i = 0; i < block_clocks->count; i++) {
		const uint32_t now = sample->block_clocks[i];

		still |= (uint32_t)(now == block_clocks->last[i]) << i;
		block_clocks->last[i] = now;
	}
	block_clocks->still = still & block_clocks->looked_at;
	return block_clocks->still;
}

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_CHECKS_BLOCK_CLOCK_H */
