/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Are the registers still as they were programmed? Nothing keeps two profilers
 * from using the same counters, and what another one has selected would look
 * like our events. Each sample reads back the state, the masks of the SQ, the
 * switch of the counters' clock and one select, each in its turn.
 *
 * The value that a register shows right after it has been programmed is what it
 * has to show later; a register that cannot be read back is not checked.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_CHECKS_READBACK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_CHECKS_READBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/selection/commands.h"
#include "driver/amdgpu/selection/selection.h"

/* The bit of RLC_PERFMON_CLK_CNTL that keeps the counters' clock on. */
#define READBACK_CLOCK_ON 1u

struct readback_select {
	uint32_t index; /* of GRBM_GFX_INDEX */
	uint32_t dword; /* number of the register */
	uint32_t expected;
	uint32_t event; /* mask of the bits that are sure to be there */
	uint32_t block, slot;
};

struct readback {
	const struct core *core;
	/* dword numbers of registers that are read with each select; 0: none */
	uint32_t fixed[COMMANDS_FIXED];
	/* values that are expected, in the bits that are compared */
	uint32_t expected[COMMANDS_SEEN], looked_at[COMMANDS_SEEN];
	uint32_t clock; /* the dword number of its switch; 0: there is none */
	bool looks_at_clock;
	struct readback_select *selects;
	size_t count;
	size_t listed; /* count before unreadable registers were dropped */
	size_t next;
	/* name of the register that was found overwritten, or "" */
	char overwritten[64];
	uint32_t shows;
	bool clock_is_off; /* overwritten is the clock's switch */
};

/*
 * Return whether CP_PERFMON_CNTL, read before any process counts, shows running
 * counters: a process that counted was killed, or could not stop them.
 */
bool
readback_was_counting(uint32_t state);

/*
 * List the registers that commands has programmed for a selection, without
 * those that only other processes count with. Returns 0, or -ENOMEM.
 */
int
readback_init(struct readback *readback, const struct commands *commands,
	      const struct selection *selection);
void
readback_finish(struct readback *readback);

/* Return the registers that a sample reads back. */
struct commands_readback
readback_of_sample(const struct readback *readback);

/*
 * Write commands that read, after programming, all that a sample reads, and all
 * selects, to an address.
 */
void
readback_write_all(const struct readback *readback, struct pm4 *pm4,
		   const struct commands *commands, uint64_t selects);

/* Take the values that readback_write_all() has read as those expected. */
void
readback_begin(struct readback *readback, const struct commands_sample *sample,
	       const uint32_t *selects);

/*
 * Take the expected values for a run that goes on. Return false if a register
 * that before checks has been overwritten.
 */
bool
readback_continue(struct readback *readback, const struct readback *before,
		  const struct commands_sample *sample,
		  const uint32_t *selects);

/*
 * Return whether, after registers have been programmed under running counters,
 * their clock was switched off before that. Then readback->overwritten names
 * the switch.
 */
bool
readback_clock_was_off(struct readback *readback,
		       const struct commands_sample *sample);

/* Return the select that the next sample reads, or NULL. */
const struct readback_select *
readback_next(struct readback *readback);

/* Return whether the sample shows the clock of the counters switched off. */
static inline bool
readback_clock_is_off(const struct readback *readback,
		      const struct commands_sample *sample)
{
	return readback->looks_at_clock &&
	       !(sample->clock_now & READBACK_CLOCK_ON);
}

/* Return whether all registers of the sample are as we programmed them. */
static inline bool
readback_holds(const struct readback *readback,
	       const struct commands_sample *sample)
{
	uint32_t changed = 0;

	for (int i = 0; i < COMMANDS_SEEN; i++)
		changed |= (sample->seen[i] ^ readback->expected[i]) &
			   readback->looked_at[i];
	return !changed && !readback_clock_is_off(readback, sample);
}

/*
 * Return whether registers differ only in that the SQ's control registers show
 * their reset value, where they may be lost to another ring. Then they are not
 * looked at any more.
 */
bool
readback_has_lost_owner(struct readback *readback,
			const struct commands_sample *sample);

/*
 * Name the registers that were overwritten, where readback has found that some
 * were.
 */
void
readback_name_overwritten(struct readback *readback,
			  const struct commands_sample *sample);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_CHECKS_READBACK_H */
