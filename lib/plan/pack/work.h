/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of packing one part: the passes being filled, the best that has
 * been found, and the ways to find something better.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_WORK_H
#define DRMPERF_LIB_PLAN_PACK_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/pack/profile.h"
#include "plan/pack/space.h"

/* Items and the passes they are in. Arrays are per item. */
struct pack_assignment {
	uint32_t *pass;
	uint32_t *alternative;
	uint32_t pass_count;
};

/* The largest of each number that a part has; memory is made for these. */
struct pack_sizes {
	size_t items, alternatives, counters, demands, wants;
	size_t rules, settings, values;
	size_t needs; /* rules by values of the main setting, and none */
	size_t words, uses, slots; /* rows of passes: one per item, and one */
};

struct pack_work {
	/* the part */
	const struct pack_space *space;
	const struct pack_profile *profile;
	/* a pass per item */
	struct pack_passes passes;
	/* being made */
	struct pack_assignment now;
	/* the best so far; the part's own arrays */
	struct pack_assignment *best;
	uint32_t bound; /* no fewer passes are possible */
	/* stop when passes.steps has come so far */
	uint64_t stop;
	/* scratch of several ways, one per item */
	uint32_t *order;
	uint64_t *key;
	struct pack_search *search;
	struct pack_tally *tally;
};

int pack_work_init(struct pack_work *work, const struct pack_sizes *sizes);
void pack_work_finish(struct pack_work *work);

/* Turn to a part. best holds no assignment yet if its pass_count is 0. */
void pack_work_begin(struct pack_work *work, const struct pack_space *space,
		     const struct pack_profile *profile,
		     struct pack_assignment *best);

/* Keep what has been made if it has fewer passes than the best. */
void pack_work_keep(struct pack_work *work);

static inline bool
pack_work_is_over(const struct pack_work *work)
{
	return work->passes.steps >= work->stop;
}

/* greedy.c: first plans, by putting item after item where it fits. */
void pack_greedy(struct pack_work *work);

/* bound.c: raise work->bound by what can be counted. */
void pack_bound(struct pack_work *work);

enum pack_verdict {
	PACK_VERDICT_FOUND,
	PACK_VERDICT_IMPOSSIBLE,
	PACK_VERDICT_OPEN, /* out of steps, or too large to try */
};

/*
 * search.c: find out whether count passes suffice. What is found is kept;
 * impossibility raises the bound.
 */
enum pack_verdict pack_search(struct pack_work *work, uint32_t count);

int pack_search_create(const struct pack_sizes *sizes,
		       struct pack_search **out);
void pack_search_destroy(struct pack_search *search);
int pack_tally_create(const struct pack_sizes *sizes, struct pack_tally **out);
void pack_tally_destroy(struct pack_tally *tally);

#endif /* DRMPERF_LIB_PLAN_PACK_WORK_H */
