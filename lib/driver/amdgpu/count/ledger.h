/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the processes that count on a GPU know of each other: which event sits
 * in which slot of which instance, and who uses the slot. Each samples for
 * itself, under a lock; who comes programs slots that nobody uses, and the last
 * stops the counters.
 *
 * A GPU that has lost what the ledger says is begun anew, in another epoch, by
 * who comes next; members of an old epoch count no more.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_LEDGER_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/amdgpu/count/commands.h"
#include "driver/amdgpu/count/place.h"
#include "driver/share/share.h"

struct ledger;

/* The errors of share_join(). */
int ledger_open(const char *node, const struct core *core, struct ledger **out,
		struct drmperf_error *error);
void ledger_close(struct ledger *ledger);
void ledger_abandon(struct ledger *ledger);

/* Whether others can count as well. */
bool ledger_is_shared(const struct ledger *ledger);

/* Everything below is for who has the lock; the errors of share_lock(). */
int ledger_lock(struct ledger *ledger, struct drmperf_error *error);
void ledger_unlock(struct ledger *ledger);

/* The same, and -ECANCELED, without a word, unless ledger_counts(). */
int ledger_lock_counts(struct ledger *ledger, struct drmperf_error *error);

/* What all who count have to agree on. */
struct ledger_terms {
	uint32_t stages;
	uint32_t dies;
	uint32_t clock; /* enum drmperf_clock_mode */
};

/*
 * What others count, who did not lose it; pressed: without witnesses that give
 * way. NULL: nobody does. It belongs to the ledger, until the next call.
 */
const struct beside *
ledger_beside(struct ledger *ledger, bool pressed);
struct ledger_terms ledger_terms(const struct ledger *ledger);

/*
 * The select registers as they are; nothing has changed. It makes what
 * ledger_beside() gave anew.
 */
void
ledger_load(struct ledger *ledger, struct commands_selects *selects);

/*
 * Slots of an instance, of the core, of which nobody knows what is in them;
 * these and those that somebody uses.
 */
uint64_t
ledger_lost(const struct ledger *ledger, size_t instance);
uint64_t
ledger_taken(const struct ledger *ledger, size_t instance);

/* Whether selects have all slots that somebody has programmed. */
bool
ledger_is_within(const struct ledger *ledger,
		 const struct commands_selects *selects);

/* Another number whenever slots have been programmed. */
uint32_t ledger_claims(const struct ledger *ledger);

/* Another number whenever a process has begun or ceased to count. */
uint32_t ledger_members(const struct ledger *ledger);

/* What RLC_PERFMON_CLK_CNTL was before anybody counted; its to be written. */
uint32_t *ledger_found_clock(struct ledger *ledger);

/* Whether the SQ's sync bit is set, 0 or 1; its to be written. */
uint32_t *
ledger_sync(struct ledger *ledger);

/* Nobody else counts: a new epoch. */
void ledger_begin(struct ledger *ledger, const struct ledger_terms *terms);

/*
 * Before the commands run that make it so: the selection's slots are taken as
 * well, and pulses are selected. If this process dies now, slots in which
 * something else was are not used again.
 */
void
ledger_claim(struct ledger *ledger, const struct selection *selection,
	     const struct commands_pulse *pulses, size_t count);

/* The commands have run: this is what the process uses. */
void ledger_settle(struct ledger *ledger, const struct selection *selection);

/*
 * They failed, if they did not run in part: the process uses what it used, and
 * nobody what was new. selection is NULL if that was nothing.
 */
void ledger_retreat(struct ledger *ledger, const struct selection *selection);

/*
 * The slots of a marker have been programmed, and differ by so much. They
 * belong to nobody, who programs one of them ends it.
 */
void ledger_mark(struct ledger *ledger, const struct commands_marker *marker,
		 int32_t difference);

/* It was found wrong, and says nothing any more, to nobody. */
void ledger_unmark(struct ledger *ledger);
bool
ledger_marker_was_wrong(const struct ledger *ledger);

/* By how much they differ; 0 if there is none, or it has given way. */
int32_t ledger_marked(const struct ledger *ledger, struct commands_marker *out);

/* This process counts no more. */
void ledger_drop(struct ledger *ledger);

/* What was counted is lost, for everybody. */
void ledger_fail(struct ledger *ledger);

/* False if others have programmed the cell's slot with something else. */
bool
ledger_has(const struct ledger *ledger, const struct selection *selection,
	   size_t cell);

bool
ledger_has_pulse(const struct ledger *ledger,
		 const struct commands_pulse *pulse);

/* False if somebody has found that it is lost. */
bool ledger_counts(const struct ledger *ledger);

/* Why the selection does not fit beside others: -EBUSY. */
int ledger_say_full(struct ledger *ledger, const struct selection *wanted,
		    struct drmperf_error *error);

/* The same of something that all have to agree on. */
int ledger_say_other(struct ledger *ledger, const char *what,
		     struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_LEDGER_H */
