/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Do the clocks of the blocks run in which something is counted? A block may
 * have an event that counts its clock. It is counted beside what is asked for,
 * in the first instance of that, if there is a slot to spare. If it shows in a
 * sample what it has shown in the one before, it has not moved.
 *
 * As a marker's, its slot belongs to nobody: who wants it takes it, and whoever
 * finds the event selected already uses that. So does a marker of the same
 * event if there is but one slot for both.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_BLOCK_CLOCK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_BLOCK_CLOCK_H

#include <stdint.h>

#include "driver/amdgpu/count/commands.h"
#include "driver/amdgpu/count/slot_table.h"
#include "driver/amdgpu/count/selection.h"

struct pulses {
	struct commands_pulse all[COMMANDS_PULSES];
	uint32_t last[COMMANDS_PULSES]; /* what they have shown */
	unsigned count;
	uint32_t looked_at; /* mask of those that can tell something */
	unsigned stopped; /* the one that is said to have stood still */
};

/*
 * Find slots for those of the selection's blocks and put their events into
 * selects, which has the selection's; beside others there is a table. More may
 * be selected only if the commands that do so are run; else there are those
 * that are selected already.
 */
void
pulses_choose(struct pulses *pulses, const struct selection *selection,
	      struct commands_selects *selects, const struct slot_table *table,
	      bool may_select);

/* The sample is where they begin. */
void
pulses_begin(struct pulses *pulses, const struct commands_sample *sample);

/* Those that were there before have shown something before. */
void
pulses_go_on(struct pulses *pulses, const struct pulses *before);

/* Mask of those that have not moved. */
static inline uint32_t
pulses_still(struct pulses *pulses, const struct commands_sample *sample)
{
	uint32_t still = 0;

	for (unsigned i = 0; i < pulses->count; i++) {
		const uint32_t now = sample->pulses[i];

		still |= (uint32_t)(now == pulses->last[i]) << i;
		pulses->last[i] = now;
	}
	return still & pulses->looked_at;
}

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_BLOCK_CLOCK_H */
