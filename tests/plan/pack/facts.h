/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packing problems from tables of facts: what tools of others ask for at once.
 * The tables are not part of this project; who has them, tests with them.
 *
 * Every function returns 0, or a negative errno value and nothing to be freed:
 * -ENOENT if the table is not there.
 */
#ifndef DRMPERF_TESTS_PLAN_PACK_FACTS_H
#define DRMPERF_TESTS_PLAN_PACK_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "plan/pack/problem.h"

/*
 * Return the path of a table: in the folder that DRMPERF_FACTS names, else in
 * ../shared/facts beside the source tree.
 */
int facts_path(const char *name, char *path, size_t size);

/*
 * Add all derived counters that AMD's GPU Performance API defines for a
 * generation ("gfx11"), over the counter blocks of that generation.
 */
int facts_gpa(const char *generation, struct pack_problem *out);

/*
 * Groups of counters that a real MI200 (gfx90a) counted at once, each with
 * others that ask for the same. An item is a counter, or a counter with the
 * one that accumulates it.
 */
struct facts_groups {
	struct pack_problem problem;
	uint32_t *items; /* of group after group */
	uint32_t *first; /* per group, and the end */
	uint32_t count;
};

int facts_groups(struct facts_groups *out);
void facts_groups_finish(struct facts_groups *groups);

/*
 * Add every symbol of an Intel platform ("sklgt2"), served by any metric set
 * that has it.
 */
int facts_oa(const char *platform, struct pack_problem *out);

#endif /* DRMPERF_TESTS_PLAN_PACK_FACTS_H */
