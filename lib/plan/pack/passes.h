/* SPDX-License-Identifier: BSD-3-Clause */
/* Contents of passes, and what a pack has beside them. */
#ifndef DRMPERF_LIB_PLAN_PACK_PASSES_H
#define DRMPERF_LIB_PLAN_PACK_PASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/pack/model.h"

/*
 * A pass is a row: the set of its counters, a bit for each; per constraint, how
 * many of its counters these are; per setting, its value or PACK_NONE.
 */
struct pack_passes {
	const struct pack_model *model;
	uint32_t *rows;
	size_t width; /* of a row */
	uint64_t steps; /* a count of the work done on them */
};

struct pack {
	struct arena *arena; /* owns all, the pack too */
	struct pack_model model;
	struct pack_components components;
	/* a row per choice that pack_fits() has to make, and two */
	struct pack_passes passes;
	/* for pack_fits() */
	uint32_t *open; /* positions of items with several alternatives */
	uint32_t *cursor; /* per choice: the next alternative to try */
	uint32_t *chosen; /* per position: alternative */
	/* for pack_explain() */
	uint32_t *list; /* items to be asked about */
	uint32_t *involved; /* items that matter */
	uint32_t *holders, *removal, *choices;
};

/* Where items are. Arrays are per item of the problem. */
struct pack_assignment {
	uint32_t *pass;
	uint32_t *alternative;
};

/* Result of pack_passes_probe() for alternatives that do not fit. */
#define PACK_NO_FIT UINT32_MAX

/* Allocate rows for count passes, undefined until cleared. */
void
pack_passes_init(struct pack_passes *passes, const struct pack_model *model,
		 size_t count, struct arena *arena);

void pack_passes_clear(struct pack_passes *passes, uint32_t pass);
void pack_passes_copy(struct pack_passes *passes, uint32_t from, uint32_t to);

static inline uint32_t *
pack_passes_row(const struct pack_passes *passes, uint32_t pass)
{
	return &passes->rows[pass * passes->width];
}

static inline bool
pack_passes_has(const struct pack_passes *passes, uint32_t pass,
		uint32_t counter)
{
	return pack_passes_row(passes, pass)[counter / 32] >> counter % 32 & 1;
}

static inline uint32_t *
pack_passes_used(const struct pack_passes *passes, uint32_t pass)
{
	return pack_passes_row(passes, pass) + passes->model->words;
}

static inline uint32_t *
pack_passes_values(const struct pack_passes *passes, uint32_t pass)
{
	return pack_passes_used(passes, pass) + passes->model->constraint_count;
}

/*
 * Return whether the pool has slots for the counters of a pass and for those
 * that an alternative, or PACK_NONE, adds.
 */
bool pack_passes_has_slots(const struct pack_passes *passes, uint32_t pass,
			   uint32_t pool, uint32_t alternative);

/*
 * Return how many counters and settings the alternative would add to a pass; 0:
 * it is served already; PACK_NO_FIT.
 */
uint32_t pack_passes_probe(struct pack_passes *passes, uint32_t pass,
			   uint32_t alternative);

/*
 * Return the least that any alternative of an item would add, and which that
 * is.
 */
uint32_t pack_passes_probe_item(struct pack_passes *passes, uint32_t pass,
				uint32_t item, uint32_t *alternative);

/* Put an alternative into a pass. */
void pack_passes_add(struct pack_passes *passes, uint32_t pass,
		     uint32_t alternative);

/* Put a counter into a pass that does not have it (1), or take it out (-1). */
void
pack_passes_change(struct pack_passes *passes, uint32_t pass, uint32_t counter,
		   int by);

#endif /* DRMPERF_LIB_PLAN_PACK_PASSES_H */
