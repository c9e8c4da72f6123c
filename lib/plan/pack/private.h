/* SPDX-License-Identifier: BSD-3-Clause */
/* The inside of struct pack, for the files that explain, split and plan. */
#ifndef DRMPERF_LIB_PLAN_PACK_PRIVATE_H
#define DRMPERF_LIB_PLAN_PACK_PRIVATE_H

#include "plan/pack/passes.h"

struct pack {
	struct arena *arena;
	struct pack_model model;
	/* a row per choice that pack_fits() has to make, and two */
	struct pack_passes passes;
	/* for pack_fits() */
	uint32_t *open; /* positions of items with several alternatives */
	uint32_t *cursor; /* per choice: the next alternative to try */
	uint32_t *chosen; /* per position: alternative */
	/* for pack_explain() */
	uint32_t *list; /* items to be asked about */
	uint32_t *involved, *positions; /* items that matter, and where */
	uint32_t *holders, *removal, *choices;
};

#endif /* DRMPERF_LIB_PLAN_PACK_PRIVATE_H */
