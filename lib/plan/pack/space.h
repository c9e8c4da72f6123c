/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A packing problem in the form that is searched, and the contents of passes.
 *
 * What a pool can hold becomes rules: a rule is a set of counters of which a
 * pass holds so many at most. One rule says how many slots a pool has; further
 * ones say how many counters fit the slots that can hold them (for every union
 * of slot masks: those that fit nowhere else; Hall's theorem makes that
 * exact). Where rules do not suffice, because neighbours are asked for, the
 * pool is searched as well.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_SPACE_H
#define DRMPERF_LIB_PLAN_PACK_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/pack/pack.h"

struct arena;

/* A setting must have this value. */
struct pack_want {
	uint32_t setting, value;
};

/*
 * Ranges are arrays one longer than what they belong to: those of x are
 * from first[x] up to first[x + 1].
 */
struct pack_space {
	uint32_t item_count;
	uint32_t alternative_count;
	uint32_t counter_count;
	uint32_t rule_count;
	uint32_t pool_count; /* searched pools only */
	uint32_t setting_count;
	uint32_t words; /* of a set of counters */

	uint32_t *alternative_first; /* per item */
	uint32_t *demand_first;	     /* per alternative, in demands */
	uint32_t *demands;	     /* counters, rising, each once */
	uint32_t *want_first;	     /* per alternative, in wants */
	struct pack_want *wants;     /* by rising setting, each once */
	bool *impossible; /* per alternative: wants two values of a setting */

	uint32_t *rule_first; /* per counter, in rules */
	uint32_t *rules;
	uint32_t *limits; /* per rule: how many of its counters */

	uint32_t *searched;  /* per counter: its pool, or PACK_NONE */
	uint64_t *slots;     /* per counter of a searched pool */
	uint32_t *after;     /* the same */
	uint32_t *pool_first; /* per pool, in pool_counters */
	uint32_t *pool_counters;
	uint32_t *pool_slots;

	uint32_t *value_count; /* per setting: values are below this */
	/* What each counter wants by itself; a whole problem's space only. */
	struct pack_want (*counter_wants)[2]; /* setting may be PACK_NONE */
};

/* What passes hold. A pass is a row of each array. */
struct pack_passes {
	const struct pack_space *space;
	uint64_t *counters; /* sets of counters */
	uint32_t *used;	    /* per rule */
	uint32_t *values;   /* per setting, or PACK_NONE */
	uint64_t steps;	    /* a count of the work done on them */
};

/* What pack_passes_probe() says of alternatives that do not fit. */
#define PACK_NO_FIT UINT32_MAX

/* For rules made from pools: which pool, whether it is about its masks. */
struct pack_rule_origin {
	uint32_t pool;
	bool masks;
};

/*
 * Make the space of a whole problem, in the arena. origins, one per rule, say
 * where its rules come from. -ENOMEM.
 */
int pack_space_init(struct pack_space *space,
		    const struct pack_problem *problem,
		    struct pack_rule_origin **origins, struct arena *arena);

/*
 * Arrays for the counts that space has, the given number of demands and wants
 * in all, and no rules. -ENOMEM.
 */
int pack_space_alloc(struct pack_space *space, size_t demands, size_t wants,
		     struct arena *arena);

/*
 * Memory for so many passes of the space; rows are undefined until cleared.
 * Other spaces may use it too, if the rows they need take no more. -ENOMEM.
 */
int pack_passes_init(struct pack_passes *passes,
		     const struct pack_space *space, size_t count);
void pack_passes_finish(struct pack_passes *passes);

void pack_passes_clear(struct pack_passes *passes, uint32_t pass);

static inline bool
pack_passes_has(const struct pack_passes *passes, uint32_t pass,
		uint32_t counter)
{
	size_t at = (size_t)pass * passes->space->words + counter / 64;

	return passes->counters[at] >> counter % 64 & 1;
}

/* The value that an alternative wants a setting to have, or PACK_NONE. */
uint32_t pack_space_value(const struct pack_space *space, uint32_t alternative,
			  uint32_t setting);

/* For qsort: uint32_t, rising. */
int pack_space_compare(const void *left, const void *right);

/*
 * How many counters and settings the alternative would add to a pass; 0: it is
 * served already; PACK_NO_FIT.
 */
uint32_t pack_passes_probe(struct pack_passes *passes, uint32_t pass,
			   uint32_t alternative);

/* The least that any alternative of an item would add, and which that is. */
uint32_t pack_passes_probe_item(struct pack_passes *passes, uint32_t pass,
				uint32_t item, uint32_t *alternative);

/* Put one counter into a pass that does not have it, or take it out. */
void pack_passes_insert(struct pack_passes *passes, uint32_t pass,
			uint32_t counter);
void pack_passes_remove(struct pack_passes *passes, uint32_t pass,
			uint32_t counter);

/* Put an alternative that fits into a pass. */
void pack_passes_add(struct pack_passes *passes, uint32_t pass,
		     uint32_t alternative);

#endif /* DRMPERF_LIB_PLAN_PACK_SPACE_H */
