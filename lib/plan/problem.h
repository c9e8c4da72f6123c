/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selections as a packing problem: which pools, counters and settings of the
 * devices each of them needs.
 *
 * group              pool of max_active slots; groups of one slot pool are one
 * counter            the same for all its instances: programming is broadcast,
 *                    so that it takes its slot in every instance
 * exclusive domain   setting whose values are the domain's groups
 * shared setting     setting of its domain
 * any of several     item with an alternative for each
 */
#ifndef DRMPERF_LIB_PLAN_PROBLEM_H
#define DRMPERF_LIB_PLAN_PROBLEM_H

#include "catalog/catalog.h"
#include "plan/pack/builder.h"
#include "plan/pack/pack.h"

/* What a pool of the problem stands for. */
struct plan_pool {
	const struct catalog *catalog;
	group_index group;
};

/* What makes a counter of the problem different from others. */
struct plan_counter {
	uint32_t pool;
	group_index group;
	uint32_t selector;
	uint32_t setting;
	uint32_t after; /* counter, or PACK_NONE */
};

/* Which group of an exclusive domain counts, or what its counters share. */
struct plan_setting {
	const struct catalog *catalog;
	domain_index domain;
	bool is_group;
};

/* The pools of a device, by group; PACK_NONE: not needed yet. */
struct plan_device {
	const struct catalog *catalog;
	uint32_t *pools;
};

struct plan_problem {
	const struct drmperf_selection *selections;
	struct pack_builder builder;
	struct pack *pack;
	uint32_t *items; /* per item: its selection */
	uint32_t item_room;
	/* by alternative: the event that serves */
	const struct drmperf_event **alternatives;
	uint32_t alternative_room;
	struct plan_pool *pools;
	uint32_t pool_room;
	struct plan_setting *settings;
	struct plan_device *devices;
	size_t device_count;
	struct plan_counter *counters;
	uint32_t *buckets; /* counter + 1 by hash; open addressing */
	size_t bucket_count;
};

/*
 * One item per selection; the selections must live as long as the problem.
 * -EINVAL for an instance that is not there; -ENOMEM; the errors of
 * catalog_resolve().
 */
int plan_problem_init(struct plan_problem *problem,
		      const struct drmperf_selection *selections, size_t count,
		      struct drmperf_error *error);
void plan_problem_finish(struct plan_problem *problem);

/*
 * Whether counter number index of what an alternative is made of is in a list,
 * which is rising.
 */
bool plan_problem_counts(const struct plan_problem *problem,
			 uint32_t alternative, uint32_t index,
			 const uint32_t *counters, uint32_t count);

/*
 * Add an item that stands for a part of a selection: those of its counters
 * that are in a list, which is rising. Returns the item's number; the pack
 * knows it after plan_problem_pack(). -ENOMEM shows there.
 */
uint32_t plan_problem_add_part(struct plan_problem *problem, uint32_t item,
			       uint32_t alternative, const uint32_t *counters,
			       uint32_t count);

/* Make the pack anew. -ENOMEM. */
int plan_problem_pack(struct plan_problem *problem);

/* The group a pool stands for. */
const struct drmperf_group *
plan_problem_group(const struct plan_problem *problem, uint32_t pool);

#endif /* DRMPERF_LIB_PLAN_PROBLEM_H */
