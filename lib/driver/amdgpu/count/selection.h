/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is counted where: the requests of a run, the counters they need with
 * the slot of each, and the cells, one per counter and instance read, in which
 * values grow. Touches no hardware.
 *
 * A witness is added where a slot is free for it: a counter that advances with
 * every clock, so that a gated clock does not look like an idle GPU.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_SELECTION_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slots.h"
#include "driver/amdgpu/gpu/core.h"
#include "driver/driver.h"

struct counter {
	size_t block; /* index in core.blocks */
	uint32_t id;
	uint64_t slots;
	uint32_t after; /* counter in the slot before, or SLOT_NONE */
	uint32_t slot;
	size_t first_cell; /* by rising instance */
	size_t cell_count;
};

struct cell {
	uint32_t counter;
	uint32_t instance;
	uint64_t last;	/* what the hardware showed */
	uint64_t total; /* what it has counted in all */
	/* of the slot that it reads, from tally_begin_cell() */
	uint64_t mask; /* bits that belong to the value */
	uint64_t most; /* that can be gained between two samples */
	bool may_be_torn; /* the halves may be of two values */
};

/* The cells that answer a request. */
struct answer {
	size_t first_cell;
	size_t cell_count;
};

struct selection {
	const struct core *core;
	struct counter *counters;
	size_t counter_count;
	struct cell *cells;
	size_t cell_count;
	struct answer *answers; /* one per request */
	size_t answer_count;
	uint32_t stages; /* what SQ_PERFCOUNTER_CTRL is to hold */
	const struct core_witness *witness; /* or NULL */
	size_t witness_cell;
};

/*
 * Groups of the requests are numbered from first_group on, in the order of
 * core->blocks. Counters that before has as well keep their slots as far as
 * possible; before may be NULL. All cells are 0.
 *
 * Returns 0; -ENOSPC if the requests do not fit; -EINVAL; -ENOMEM.
 */
int selection_create(const struct core *core, group_index first_group,
		     const struct counter_request *requests, size_t count,
		     const struct selection *before, struct selection **out,
		     struct drmperf_error *error);

enum selection_part {
	SELECTION_KEPT,	 /* counters that other has as well */
	SELECTION_MOVED, /* of those, the ones it has in another slot */
};

/*
 * A part of selection: counters in the slots they have now, with their cells
 * and values, but no answers. -ENOMEM.
 */
int selection_part(const struct selection *selection,
		   const struct selection *other, enum selection_part part,
		   struct selection **out);

void selection_destroy(struct selection *selection);

/* The same counter in selection, or NULL. */
struct counter *selection_find(const struct selection *selection,
			       const struct selection *other,
			       const struct counter *counter);

/* The counter's cell for that instance, or NULL. */
struct cell *selection_cell(const struct selection *selection,
			    const struct counter *counter, uint32_t instance);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_SELECTION_H */
