/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selections as a packing problem: which pools, counters and settings of the
 * devices each of them needs.
 *
 * group              pool of max_active slots; groups of one slot pool are one
 * instance           pool of its own, if a selection names it; all others of
 *                    the group are one, since they have the same to count
 * counter            one in each pool of instances that it is counted in
 * exclusive domain   setting whose values are the domain's groups
 * shared setting     setting of its domain
 * any of several     item with an alternative for each
 *
 * How finer hardware is put into these words is described in pack/problem.h.
 */
#ifndef DRMPERF_LIB_PLAN_PROBLEM_H
#define DRMPERF_LIB_PLAN_PROBLEM_H

#include "base/arena.h"
#include "base/name_index.h"
#include "catalog/catalog.h"
#include "device/device.h"
#include "plan/pack/pack.h"

/* How many words tell a pool, or a counter, from others. */
#define PLAN_KEY_WORDS 4

/* Numbers of pools or of counters, by what tells each from others. */
struct plan_index {
	struct name_index names;
	struct plan_record {
		uint64_t key[PLAN_KEY_WORDS];
		/* slots that a fit takes of a pool; of a counter: 1 */
		uint32_t taken;
	} * records;
};

struct plan_problem {
	struct state_memo memo; /* the first member: see fit.h */
	struct pack_problem packing;
	struct pack *pack;
	/* the meaning of packing's numbers */
	struct plan_pool {
		const struct catalog *catalog;
		group_index group;
		int32_t instance; /* or DRMPERF_ALL_INSTANCES */
		uint32_t next; /* of the family, or PACK_NONE */
		bool is_whole; /* first of a family: some counter sits in all */
	} * pools;
	/* which group of an exclusive domain counts, or what counters share */
	struct plan_setting {
		const struct catalog *catalog;
		domain_index domain;
		bool is_group;
		uint32_t value; /* in a fit, or PACK_NONE */
	} * settings;
	const struct drmperf_event **alternatives; /* the event that serves */
	struct plan_item {
		struct drmperf_selection selection;
		uint32_t alternative; /* that serves it in a fit */
	} * items;
	struct plan_index pool_index, counter_index;
	/* an instance was named after a counter had been put into all */
	bool was_split;
};

/*
 * Make a problem of selections, one item each. plan_problem_destroy() releases
 * it, and takes NULL. -EINVAL for an instance that is not there; -ENOMEM; the
 * errors of catalog_resolve().
 */
int
plan_problem_create(const struct drmperf_selection *selections, size_t count,
		    struct plan_problem **out, struct drmperf_error *error);
void
plan_problem_destroy(struct plan_problem *problem);

/*
 * Add an item for one more selection. Returns false if that cannot be done, or
 * would have been done in another way if all had been known from the beginning:
 * the problem is good for nothing then.
 */
bool
plan_problem_add(struct plan_problem *problem,
		 const struct drmperf_selection *selection);

/* What a pass counts of an event that was cut. */
struct plan_part {
	struct plan_part *next; /* of the plan's, in any order */
	size_t pass, event;
	struct drmperf_selection *counters; /* in place of the event */
	size_t count;
};

/*
 * Note what a pass counts of its item number index, which was cut, in an arena;
 * part is zeroed. Returns 0, -ENOMEM, or the errors of catalog_resolve().
 */
int
plan_problem_read_part(struct plan_problem *problem,
		       const struct pack_pass *pass, uint32_t index,
		       struct arena *arena, struct plan_part *part);

/*
 * Describe the conflict of an item in the words of events and groups. Strings
 * and arrays are put into an arena. Returns 0, or -ENOMEM.
 */
int
plan_problem_describe(const struct plan_problem *problem, uint32_t refused,
		      const struct pack_conflict *conflict, struct arena *arena,
		      struct drmperf_conflict *out);

#endif /* DRMPERF_LIB_PLAN_PROBLEM_H */
