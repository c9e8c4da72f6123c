/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packing: items that need counters are cut into the fewest passes.
 *
 * This module knows numbers only; plan.c says what they mean. The words:
 *
 * pool         hardware that holds up to so many counters in one pass
 * counter      something a pool can count; items that need the same counter
 *              share its slot
 * setting      something that has one value during a pass: the stage mask of
 *              the shader sequencer, the metric set of an OA unit
 * demand       an alternative needs a counter
 * alternative  counters that together serve an item
 * item         one thing to be packed; any one of its alternatives will do
 *
 * An exclusive domain, of which one pool is active at a time, is a setting
 * whose values are its pools. A multiplexer beside counters of free choice is
 * a setting and a pool without it. Counters that are always there sit in a
 * pool without limit.
 *
 * Everything is deterministic: the search is bounded by counted steps, never
 * by time, it uses integers only, and ties go to the lower index.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_PACK_H
#define DRMPERF_LIB_PLAN_PACK_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACK_NONE UINT32_MAX
#define PACK_UNLIMITED UINT32_MAX /* slots of a pool */
#define PACK_ANY_SLOT UINT64_MAX

/*
 * About what a step takes, on a machine of the day: budgets in time are
 * divided by this.
 */
#define PACK_STEP_NS 20

struct pack_pool {
	/* or PACK_UNLIMITED; above 64 slots, only their number matters */
	uint32_t slots;
	/* Value that a setting must have while the pool counts. */
	uint32_t setting; /* or PACK_NONE */
	uint32_t value;
};

struct pack_counter {
	uint32_t pool;
	/* Bit n: slot n can hold it. */
	uint64_t slots;
	/*
	 * The counter that sits in the slot before this one, by a lower index
	 * in the same pool, or PACK_NONE. Alternatives that need this counter
	 * need that one too. A counter is followed by one other at most.
	 */
	uint32_t after;
	uint32_t setting; /* or PACK_NONE */
	uint32_t value;
};

/*
 * A problem, as arrays. Nothing of it is kept by the functions below.
 *
 * The alternatives of item i are from alternative_first[i] up to, and without,
 * alternative_first[i + 1]; demands of alternatives likewise. Both arrays are
 * one longer than what they belong to and begin with 0.
 */
struct pack_problem {
	const struct pack_pool *pools;
	uint32_t pool_count;
	uint32_t setting_count;
	const struct pack_counter *counters;
	uint32_t counter_count;
	const uint32_t *alternative_first;
	uint32_t item_count;
	const uint32_t *demand_first;
	uint32_t alternative_count;
	const uint32_t *demands; /* counters */
};

/* ------------------------------------------------------------------ */
/* What fits one pass                                                   */

struct pack; /* a problem made ready to be asked and solved */

/*
 * Takes all memory that the functions of this part need.
 *
 * -EINVAL if an index is out of range, an item has no alternative, or an
 * alternative lacks the counter before one of its counters; -ENOMEM.
 */
int pack_create(const struct pack_problem *problem, struct pack **out);
void pack_destroy(struct pack *pack);

/* True if the item fits a pass of its own. */
bool pack_item_fits(struct pack *pack, uint32_t item);

/*
 * Whether the items fit one pass together. Unless alternatives is NULL,
 * alternatives[i] becomes the one that serves items[i].
 */
bool pack_fits(struct pack *pack, const uint32_t *items, uint32_t count,
	       uint32_t *alternatives);

enum pack_cause {
	PACK_CAUSE_POOL,    /* more counters than the pool has slots for */
	PACK_CAUSE_SLOTS,   /* ... than slots that can hold them */
	PACK_CAUSE_SETTING, /* different values wanted */
};

/*
 * Why items and one more do not fit one pass. Positions are in the list of
 * items that was asked about; arrays live until the next call on the pack.
 */
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
	 * The fewest to be left out so that the one more fits. Empty if it
	 * does not even fit alone.
	 */
	const uint32_t *removal;
	uint32_t removal_count;
	/* If removal is a single one: all that would do in its place. */
	const uint32_t *choices;
	uint32_t choice_count;
};

/*
 * Explain why items, which fit one pass, and extra do not fit together.
 * -EINVAL if they do, or if items alone do not.
 */
int pack_explain(struct pack *pack, const uint32_t *items, uint32_t count,
		 uint32_t extra, struct pack_conflict *out);

/* ------------------------------------------------------------------ */
/* Passes                                                               */

struct pack_options {
	/* Search steps allowed; the first plan is made in any case. */
	uint64_t steps;
	/*
	 * Cut items that fit no pass: their counters may count in different
	 * passes. Without it they are left out.
	 */
	bool cut;
};

/* An item in a pass, with the alternative that serves it there. */
struct pack_member {
	uint32_t item;
	uint32_t alternative;
};

struct pack_plan; /* passes */

/*
 * Takes all memory at the beginning. The plan needs the pack no longer.
 * -ENOMEM.
 */
int pack_plan_create(struct pack *pack, const struct pack_options *options,
		     struct pack_plan **out);
void pack_plan_destroy(struct pack_plan *plan);

uint32_t pack_plan_passes(const struct pack_plan *plan);

/* No plan can have fewer passes than this. */
uint32_t pack_plan_bound(const struct pack_plan *plan);

/*
 * The items of a pass by rising index. A cut item is in every pass that
 * counts a part of it.
 */
const struct pack_member *pack_plan_pass(const struct pack_plan *plan,
					 uint32_t pass, uint32_t *count);

/*
 * The counters of a pass, by rising index. What a cut item needs is counted in
 * the passes it is a member of.
 */
const uint32_t *pack_plan_counters(const struct pack_plan *plan, uint32_t pass,
				   uint32_t *count);

enum pack_state {
	PACK_STATE_WHOLE,
	PACK_STATE_CUT,
	PACK_STATE_LEFT_OUT, /* fits no pass, not even in parts */
};

enum pack_state pack_plan_item(const struct pack_plan *plan, uint32_t item);

#endif /* DRMPERF_LIB_PLAN_PACK_PACK_H */
