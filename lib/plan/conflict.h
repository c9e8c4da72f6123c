/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why events do not fit one pass, in the words of events and groups.
 */
#ifndef DRMPERF_LIB_PLAN_CONFLICT_H
#define DRMPERF_LIB_PLAN_CONFLICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "drmperf.h"
#include "plan/problem.h"

/* Why events do not fit one pass; strings and arrays are in an arena. */
struct plan_conflict {
	struct drmperf_conflict record;
	bool alone; /* record.event fits no pass, whatever else is in it */
};

/*
 * Explain why an item is refused next to items, which do fit together; or, if
 * it fits no pass, why that is. Returns 0, -EINVAL if all of them fit, or
 * -ENOMEM.
 */
int plan_conflict_find(const struct plan_problem *problem,
		       const uint32_t *items, uint32_t count, uint32_t refused,
		       struct arena *arena, struct plan_conflict *out);

#endif /* DRMPERF_LIB_PLAN_CONFLICT_H */
