/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Solving a space: the fewest passes for its items, part by part.
 */
#ifndef DRMPERF_LIB_PLAN_PACK_SOLVE_H
#define DRMPERF_LIB_PLAN_PACK_SOLVE_H

#include <stdint.h>

#include "plan/pack/reduce.h"
#include "plan/pack/work.h"

struct arena;

/* A part, what is known about it, and its best assignment. */
struct pack_job {
	struct pack_part *part;
	struct pack_profile profile;
	struct pack_assignment best; /* of the part's items */
	uint32_t bound;
};

struct pack_solver {
	struct pack_reduction reduction;
	struct pack_job *jobs;
	uint32_t job_count;
	struct pack_work work;
	uint32_t pass_count; /* the most of any part */
	uint32_t bound;	     /* passes needed in any case */
};

/*
 * Takes all memory. passes, of which one row is used, belongs to the space;
 * what stays is in the arena. -ENOMEM.
 */
int pack_solver_init(struct pack_solver *solver, const struct pack_space *space,
		     struct pack_passes *passes, struct arena *arena);
void pack_solver_finish(struct pack_solver *solver);

void pack_solver_run(struct pack_solver *solver, uint64_t steps);

#endif /* DRMPERF_LIB_PLAN_PACK_SOLVE_H */
