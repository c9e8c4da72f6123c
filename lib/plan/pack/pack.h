/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packing: whether the items of a problem fit one pass, why not, and the
 * fewest passes for all of them. The words are those of problem.h.
 *
 * Everything is deterministic: the search is bounded by counted steps, never
 * by time, it uses integers only, and ties go to the lower index.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_PACK_H
#define DRMPERF_LIB_PLAN_PACK_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/pack/problem.h"

/*
 * About what a step takes, on a machine of the day: budgets in time are
 * divided by this.
 */
#define PACK_STEP_NS 20

/* ------------------------------------------------------------------ */
/* Fitting one pass                                                     */

struct pack; /* a problem made ready to be asked and solved */

/*
 * Takes all memory that the functions of this part need. The problem must live,
 * unchanged, as long as the pack is asked. Returns 0, or -ENOMEM, also if that
 * is the error of the problem.
 */
int pack_create(const struct pack_problem *problem, struct pack **out);
void pack_destroy(struct pack *pack);

/* Return whether the item fits a pass of its own. */
bool pack_item_fits(struct pack *pack, uint32_t item);

/*
 * Return whether the items fit one pass together. Unless alternatives is NULL,
 * alternatives[i] becomes the one that serves items[i].
 */
bool pack_fits(struct pack *pack, const uint32_t *items, uint32_t count,
	       uint32_t *alternatives);

enum pack_cause {
	PACK_CAUSE_NONE, /* there is no conflict */
	PACK_CAUSE_POOL,    /* more counters than the pool has slots for */
	PACK_CAUSE_SLOTS,   /* ... than slots that can hold them */
	PACK_CAUSE_SETTING, /* different values wanted */
};

/* Reason why an item is refused next to others. */
struct pack_conflict {
	enum pack_cause cause;
	uint32_t pool;	  /* PACK_CAUSE_POOL, PACK_CAUSE_SLOTS */
	uint32_t setting; /* PACK_CAUSE_SETTING */
	uint32_t limit;	  /* counters, or values of the setting */
	uint32_t wanted;
	/* those that hold slots of the pool, or another value */
	const uint32_t *holders;
	uint32_t holder_count;
	/*
	 * The fewest to be left out so that the refused one fits. Empty if it
	 * does not even fit alone.
	 */
	const uint32_t *removal;
	uint32_t removal_count;
	/* If removal is a single one: all that would do in its place. */
	const uint32_t *choices;
	uint32_t choice_count;
};

/*
 * Explain why an item is refused next to items, which fit one pass. Lists of
 * items are in the order of these, and live until the next call on the pack.
 * Returns 0, or -EINVAL if it is not refused, or if they do not fit.
 */
int pack_explain(struct pack *pack, const uint32_t *items, uint32_t count,
		 uint32_t refused, struct pack_conflict *out);

/* ------------------------------------------------------------------ */
/* Passes                                                               */

struct pack_options {
	/* Search steps allowed; the first plan is made in any case. */
	uint64_t steps;
	/*
	 * Cut items that fit no pass: their counters may count in different
	 * passes. Without it they are left out.
	 */
	bool split;
};

struct pack_pass {
	/*
	 * By rising item, with the alternative that serves each. A split item
	 * is in every pass that counts a part of it; what it needs is counted
	 * in these passes.
	 */
	size_t *items;
	uint32_t *alternatives;
	uint32_t item_count;
	uint32_t *counters; /* rising */
	uint32_t counter_count;
	/*
	 * Why the first item is not in the pass before; of one that was split,
	 * why it had to be. None for the first pass, and none where there are
	 * so many alternatives that pack_fits() gives up on what the plan has
	 * found.
	 */
	struct pack_conflict conflict;
};

enum pack_state {
	PACK_STATE_WHOLE,
	PACK_STATE_CUT,
	PACK_STATE_LEFT_OUT, /* fits no pass, not even in parts */
};

struct pack_plan {
	struct pack_pass *passes;
	uint32_t pass_count;
	uint32_t bound;		 /* no plan can have fewer passes than this */
	enum pack_state *states; /* per item */
	struct arena *arena; /* owns all, the plan too */
};

/* Create a plan, which needs the pack no longer. Returns 0, or -ENOMEM. */
int pack_plan_create(struct pack *pack, const struct pack_options *options,
		     struct pack_plan **out);
void pack_plan_destroy(struct pack_plan *plan);

#endif /* DRMPERF_LIB_PLAN_PACK_PACK_H */
