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
#include "plan/pack/pack.h"

struct plan_problem {
	const struct drmperf_selection *selections;
	struct pack_problem packing;
	struct pack *pack;
	/* the meaning of packing's numbers, and indices to look them up */
	struct plan_pool *pools;
	struct plan_counter *counters;
	struct plan_setting *settings;
	const struct drmperf_event **alternatives; /* the event that serves */
	uint32_t *items; /* of which selection */
	uint32_t pool_room, counter_room, setting_room;
	uint32_t alternative_room, item_room;
	struct name_index pool_index, counter_index;
	/* an instance was named after a counter had been put into all */
	bool was_split;
};

/*
 * Make a problem of selections. One item per selection; the selections must
 * live as long as the problem. -EINVAL for an instance that is not there;
 * -ENOMEM; the errors of catalog_resolve().
 */
int plan_problem_init(struct plan_problem *problem,
		      const struct drmperf_selection *selections, size_t count,
		      struct drmperf_error *error);
void plan_problem_finish(struct plan_problem *problem);

/* Move a problem, without its pack, to where there is none. */
void
plan_problem_move(struct plan_problem *to, struct plan_problem *from);

/*
 * Add an item for the last of the selections, which begin with those that the
 * problem has. Returns false if that cannot be done, or would have been done
 * in another way if all had been known from the beginning: the problem is good
 * for nothing then.
 */
bool
plan_problem_add(struct plan_problem *problem,
		 const struct drmperf_selection *selections, size_t count);

/*
 * Return whether a rising list of counters has all that stand for counter
 * number index of an alternative's event, in that instance or in all.
 */
bool
plan_problem_counts(struct plan_problem *problem,
		    const struct drmperf_event *event,
		    const struct catalog_value *value, uint32_t index,
		    int32_t instance, const uint32_t *list, uint32_t count);

/*
 * Add an item that stands for a part of a selection: those of its counters
 * that are in a list, which is rising. The pack knows it after
 * plan_problem_pack(); -ENOMEM shows there.
 */
void plan_problem_add_part(struct plan_problem *problem, uint32_t item,
			   uint32_t alternative, const uint32_t *counters,
			   uint32_t count);

/* Make the pack again. Returns 0, or -ENOMEM. */
int plan_problem_pack(struct plan_problem *problem);

/*
 * Explain why an item is refused next to items, which do fit together; or, if
 * count is 0, why it fits no pass. Strings and arrays are put into an arena.
 * Returns 0, -EINVAL if all of them fit, or -ENOMEM.
 */
int
plan_problem_explain(const struct plan_problem *problem, const uint32_t *items,
		     uint32_t count, uint32_t refused, struct arena *arena,
		     struct drmperf_conflict *out);

/*
 * Return the group a pool stands for; unless instance is NULL, it becomes the
 * one, or DRMPERF_ALL_INSTANCES.
 */
const struct drmperf_group *
plan_problem_group(const struct plan_problem *problem, uint32_t pool,
		   int32_t *instance);

/*
 * Return which domain a setting belongs to; *is_group: its values are groups.
 */
const struct description_domain *
plan_problem_domain(const struct plan_problem *problem, uint32_t setting,
		    bool *is_group);

#endif /* DRMPERF_LIB_PLAN_PROBLEM_H */
