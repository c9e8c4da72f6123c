/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of slots that all processes counting on a GPU share: which event is
 * in which slot of which instance, and which processes use the slot. Every
 * process samples on its own while it holds the lock. A process that joins
 * programs free slots; the last one to leave stops the counters.
 *
 * If the GPU has lost the registers that the table describes, the next process
 * to join begins a new epoch; members of an old epoch count no more.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SHARED_SLOT_TABLE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SHARED_SLOT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/amdgpu/selection/commands.h"
#include "driver/amdgpu/selection/slot_alloc.h"
#include "driver/share/share.h"

struct slot_table;

/* Returns 0, or the errors of share_join(). */
int
slot_table_open(const char *node, const struct core *core,
		struct slot_table **out, struct drmperf_error *error);
void
slot_table_close(struct slot_table *table);
void
slot_table_abandon(struct slot_table *table);

/* Get the descriptors of share_descriptors(). */
void
slot_table_descriptors(const struct slot_table *table,
		       int out[SHARE_DESCRIPTORS]);

/* Return whether other processes can count as well. */
bool
slot_table_is_shared(const struct slot_table *table);

/*
 * Lock the table, which callers of everything below have done. The errors of
 * share_lock().
 */
int
slot_table_lock(struct slot_table *table, struct drmperf_error *error);
void
slot_table_unlock(struct slot_table *table);

/*
 * Lock the table. Returns -ECANCELED, with the table unlocked and no complaint,
 * unless slot_table_is_counting(); else the errors of slot_table_lock().
 */
int
slot_table_lock_counting(struct slot_table *table, struct drmperf_error *error);

/* Settings that all processes that count have to agree on. */
struct slot_table_config {
	uint32_t stages;
	uint32_t xccs;
	uint32_t clock; /* enum drmperf_clock_mode */
	uint32_t streams; /* 1: the only member streams, beside no other */
};

/*
 * Return what processes count that have not lost their counters; NULL if none
 * does. If pressed, core clock events that give way are not included. The
 * result belongs to the table, until the next call.
 */
const struct other_slots *
slot_table_others(struct slot_table *table, bool pressed);
struct slot_table_config
slot_table_config(const struct slot_table *table);

/*
 * Load the select registers as they are, without changes. The result of
 * slot_table_others() is invalid afterwards.
 */
void
slot_table_load(struct slot_table *table, struct select_regs *selects);

/*
 * Return the slots of an instance, of the core, whose contents are not known;
 * slot_table_taken() adds those in use.
 */
uint64_t
slot_table_lost(const struct slot_table *table, size_t instance);
uint64_t
slot_table_taken(const struct slot_table *table, size_t instance);

/* Return whether selects have all slots that any process has programmed. */
bool
slot_table_is_within(const struct slot_table *table,
		     const struct select_regs *selects);

/*
 * Return the generation number, which changes whenever a process programs
 * slots.
 */
uint32_t
slot_table_generation(const struct slot_table *table);

/* Return a number that changes whenever a process begins or ceases to count. */
uint32_t
slot_table_members(const struct slot_table *table);

/*
 * Return a pointer to the value RLC_PERFMON_CLK_CNTL had before any process
 * counted; the caller may write it.
 */
uint32_t *
slot_table_found_clock(struct slot_table *table);

/* Return a pointer to the SQ's sync bit, 0 or 1; the caller may write it. */
uint32_t *
slot_table_sync(struct slot_table *table);

/* Begin a new epoch. No other process counts. */
void
slot_table_reset(struct slot_table *table,
		 const struct slot_table_config *terms);

/*
 * Reserve the selection's slots, and those of block clocks, before the commands
 * run that program them. If this process dies then, slots whose event was to
 * change are not used again in this epoch.
 */
void
slot_table_reserve(struct slot_table *table, const struct selection *selection,
		   const struct commands_block_clock *block_clocks,
		   size_t count);

/* Commit what the process uses, once the commands have run. */
void
slot_table_commit(struct slot_table *table, const struct selection *selection);

/*
 * Undo a reservation after its commands have failed: the process uses the slots
 * of selection as before, NULL being none. New slots become lost, since some
 * commands may have run.
 */
void
slot_table_roll_back(struct slot_table *table,
		     const struct selection *selection);

/*
 * Record the slots of a reset check, which have been programmed and differ by
 * difference. No process owns them; programming one of them ends the check.
 */
void
slot_table_set_reset_check(struct slot_table *table,
			   const struct commands_reset_check *reset_check,
			   int32_t difference);

/* Drop the reset check, which was found wrong, for all processes. */
void
slot_table_drop_reset_check(struct slot_table *table);
bool
slot_table_reset_check_was_wrong(const struct slot_table *table);

/*
 * Get the reset check of the table. Returns the difference of its counters, or
 * 0 if there is none any more.
 */
int32_t
slot_table_get_reset_check(const struct slot_table *table,
			   struct commands_reset_check *out);

/* Release all slots of this process, which counts no more. */
void
slot_table_release(struct slot_table *table);

/* Mark the counts of all processes lost. */
void
slot_table_invalidate(struct slot_table *table);

/*
 * Return false if others have programmed the cell's slot with something else.
 */
bool
slot_table_has(const struct slot_table *table,
	       const struct selection *selection, size_t cell);

bool
slot_table_has_block_clock(const struct slot_table *table,
			   const struct commands_block_clock *block_clock);

/* Return false if a process has found that the counts are lost. */
bool
slot_table_is_counting(const struct slot_table *table);

/* Explain why the selection does not fit next to others. Returns -EBUSY. */
int
slot_table_explain_full(struct slot_table *table,
			const struct selection *wanted,
			struct drmperf_error *error);

/*
 * Explain that this process or another one streams, which allows no other to
 * count or stream. Returns -EBUSY.
 */
int
slot_table_explain_alone(struct slot_table *table, struct drmperf_error *error);

/* Explain that others count with another one of what all have to share. */
int
slot_table_explain_other(struct slot_table *table, const char *what,
			 struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SHARED_SLOT_TABLE_H */
