/* SPDX-License-Identifier: BSD-3-Clause */
/* Contents of passes. */
#ifndef DRMPERF_LIB_PLAN_PACK_PASSES_H
#define DRMPERF_LIB_PLAN_PACK_PASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/pack/model.h"

/* A pass is a row of each array. */
struct pack_passes {
	const struct pack_model *model;
	uint64_t *counters; /* sets of counters */
	uint32_t *used; /* per constraint: how many of its counters */
	uint32_t *values;   /* per setting, or PACK_NONE */
	uint64_t steps;	    /* a count of the work done on them */
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

static inline bool
pack_passes_has(const struct pack_passes *passes, uint32_t pass,
		uint32_t counter)
{
	size_t at = (size_t)pass * passes->model->words + counter / 64;

	return passes->counters[at] >> counter % 64 & 1;
}

static inline uint32_t *
pack_passes_used(const struct pack_passes *passes, uint32_t pass)
{
	return &passes->used[(size_t)pass * passes->model->constraint_count];
}

static inline uint32_t *
pack_passes_values(const struct pack_passes *passes, uint32_t pass)
{
	size_t settings = passes->model->problem->setting_count;

	return &passes->values[pass * settings];
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
