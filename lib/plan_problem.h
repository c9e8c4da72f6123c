/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selections as a packing problem: which pools, counters and settings of the
 * devices each of them needs.
 */
#ifndef DRMPERF_LIB_PLAN_PROBLEM_H
#define DRMPERF_LIB_PLAN_PROBLEM_H

#include "catalog.h"
#include "pack.h"
#include "pack_builder.h"

/* What a pool of the problem stands for. */
struct plan_pool {
	const struct description *description;
	group_index group; /* the slot pool's */
	const struct catalog *catalog;
};

/* What a counter of the problem stands for. */
struct plan_counter {
	uint32_t pool;
	group_index group;
	uint32_t selector;
	uint32_t setting;
	uint32_t after; /* counter, or PACK_NONE */
};

/* A setting: which group of an exclusive domain, or the shared setting. */
struct plan_setting {
	const struct description_domain *domain;
	bool is_group;
};

struct plan_problem {
	struct pack_builder builder;
	struct pack *pack;
	const struct drmperf_event **alternatives; /* by alternative */
	uint32_t alternative_room;
	struct plan_pool *pools;
	struct plan_counter *counters;
	uint32_t *buckets; /* counter + 1 by hash; open addressing */
	size_t bucket_count;
	struct plan_setting *settings;
};

/*
 * One item per selection. -EINVAL for an instance that is not there; -ENOMEM;
 * the errors of catalog_resolve().
 */
int plan_problem_init(struct plan_problem *problem,
		      const struct drmperf_selection *selections, size_t count,
		      struct drmperf_error *error);
void plan_problem_finish(struct plan_problem *problem);

/* The group a pool stands for. */
const struct drmperf_group *
plan_problem_group(const struct plan_problem *problem, uint32_t pool);

#endif /* DRMPERF_LIB_PLAN_PROBLEM_H */
