/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Are the registers still as they were programmed? Nobody keeps two profilers
 * from using the same counters, and what another one has selected would look
 * like our events. Each sample reads back the state, the masks of the SQ, the
 * switch of the counters' clock and one select, each in its turn.
 *
 * What a register shows right after it has been programmed is what it has to
 * show later; one that cannot be read back is not looked at.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_READBACK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_READBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/count/commands.h"
#include "driver/amdgpu/count/selection.h"

/* The bit of RLC_PERFMON_CLK_CNTL that keeps the counters' clock on. */
#define WATCH_CLOCK_ON 1u

struct watch_select {
	uint32_t index; /* of GRBM_GFX_INDEX */
	uint32_t dword; /* number of the register */
	uint32_t expected;
	uint32_t event; /* mask of the bits that are sure to be there */
	uint32_t block, slot;
};

struct watch {
	const struct core *core;
	/* dword numbers of what is read beside a select; 0: nothing */
	uint32_t fixed[COMMANDS_FIXED];
	/* what it has to show, in the bits that are looked at */
	uint32_t expected[COMMANDS_SEEN], looked_at[COMMANDS_SEEN];
	uint32_t clock; /* the dword number of its switch; 0: there is none */
	bool looks_at_clock;
	struct watch_select *selects;
	size_t count;
	size_t listed; /* before those were left out that do not read back */
	size_t next;
	/* what is not ours any more, once that has been found out */
	char stolen[64];
	uint32_t shows;
	bool clock_is_off; /* it is the switch of the counters' clock */
};

/*
 * Return whether CP_PERFMON_CNTL, read before any process counts, shows running
 * counters: a process that counted was killed, or could not stop them.
 */
bool
watch_was_counting(uint32_t state);

/*
 * What commands has programmed for a selection, and not what other processes
 * count beside it. -ENOMEM.
 */
int
watch_init(struct watch *watch, const struct commands *commands,
	   const struct selection *selection);
void
watch_finish(struct watch *watch);

/* What a sample reads of it. */
struct commands_watch
watch_reads(const struct watch *watch);

/* After programming: the same, and all selects, to an address. */
void
watch_write_all(const struct watch *watch, struct pm4 *pm4,
		const struct commands *commands, uint64_t selects);

/* What watch_write_all() has read is what is ours. */
void
watch_begin(struct watch *watch, const struct commands_sample *sample,
	    const uint32_t *selects);

/*
 * The same in a run that goes on; false if something which before has looked at
 * is not ours any more.
 */
bool
watch_go_on(struct watch *watch, const struct watch *before,
	    const struct commands_sample *sample, const uint32_t *selects);

/*
 * After registers have been programmed under counters that run: was their
 * clock switched off before that? Then watch->stolen names the switch.
 */
bool
watch_clock_was_off(struct watch *watch, const struct commands_sample *sample);

/* Before a sample: which one is read next? NULL: none is. */
const struct watch_select *
watch_turn(struct watch *watch);

/* After it: has the clock of the counters been switched off? */
static inline bool
watch_clock_is_off(const struct watch *watch,
		   const struct commands_sample *sample)
{
	return watch->looks_at_clock && !(sample->clock_now & WATCH_CLOCK_ON);
}

/* After it: is all of it ours? */
static inline bool
watch_holds(const struct watch *watch, const struct commands_sample *sample)
{
	uint32_t changed = 0;

	for (int i = 0; i < COMMANDS_SEEN; i++)
		changed |= (sample->seen[i] ^ watch->expected[i]) &
			   watch->looked_at[i];
	return !changed && !watch_clock_is_off(watch, sample);
}

/*
 * If not: is it only that the SQ's control registers show their reset value,
 * where they may be lost to another ring? Then they are not looked at any more.
 */
bool
watch_has_lost_owner(struct watch *watch, const struct commands_sample *sample);

/* If not: find out what. */
void
watch_tell_stolen(struct watch *watch, const struct commands_sample *sample);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_READBACK_H */
