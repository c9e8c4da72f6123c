/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The selection: the requests of a run, the counters they need, and the cells,
 * one per counter and instance read, in which values grow. Each cell has a slot
 * of its instance: an instance that is not read takes none. Touches no
 * hardware.
 *
 * An event of the core clock is added where a slot is free for it: a counter
 * that advances with every clock, so that a gated clock does not look like an
 * idle GPU.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SELECTION_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/slot_match.h"
#include "driver/amdgpu/tables/core.h"
#include "driver/amdgpu/device/device_info.h"
#include "driver/driver.h"

struct counter {
	size_t block; /* index in core.blocks */
	uint32_t id;
	uint64_t slots;
	uint32_t after; /* counter in the slot before, or SLOT_NONE */
	size_t first_cell; /* by rising instance */
	size_t cell_count;
};

struct value_cell {
	uint32_t counter;
	uint32_t instance;
	uint32_t slot;
	bool saturates; /* stops at the greatest value */
};

/*
 * The numbers of all cells, by cell. Each kind is an array of its own, since a
 * read goes over all of them; all lie in the memory of the first. If requests
 * name single XCCs, totals and last also have each XCC's numbers, behind the
 * sums over all: see selection_on_xcc().
 */
struct cell_numbers {
	uint64_t *totals; /* sum since the run began */
	uint64_t *last; /* value of the last sample */
	/* of the slot that it reads, from accumulator_begin_cell() */
	uint64_t *masks; /* bits that belong to the value */
	uint64_t *excess; /* a gain with these bits set is impossible */
};

/* The cells whose values a request gets. */
struct request_cells {
	size_t first_cell;
	size_t cell_count;
};

struct selection {
	const struct core *core;
	struct counter *counters;
	size_t counter_count;
	struct value_cell *cells;
	struct cell_numbers numbers;
	size_t cell_count;
	struct request_cells *answers; /* one per request */
	size_t answer_count;
	/* the same in order, with adjacent ranges merged */
	struct request_cells *spans;
	size_t span_count;
	size_t room; /* of the numbers of an XCC */
	unsigned xccs; /* that have numbers; 0: no request names one */
	size_t xcc_stride; /* in bytes, from the sample of one to the next's */
	bool saturates;	 /* cells of that kind are there */
	uint32_t stages; /* what SQ_PERFCOUNTER_CTRL is to hold */
	unsigned also_needs; /* enum core_need, whatever is counted */
	const struct core_clock_event *core_clock; /* or NULL */
	size_t core_clock_cell;
	/*
	 * no request has it: it is the last counter and cell, and processes
	 * that need its slot take it
	 */
	bool core_clock_gives_way;
};

/*
 * Make room for count cells, all of them 0, on selection->xccs. Returns 0, or
 * -ENOMEM.
 */
int
selection_reserve(struct selection *selection, size_t count);

/* Return the counter of an event that follows another one, or UINT32_MAX. */
uint32_t
selection_find_event(const struct selection *selection, size_t block,
		     uint32_t id, uint32_t after);

/*
 * Return the counter of an event that follows another one, added if need be:
 * there is room for those asked for, and one.
 */
uint32_t
selection_add_event(struct selection *selection, size_t block, uint32_t id,
		    uint32_t after, uint64_t slots);

/* Copy totals and last of a cell on an XCC that both selections have, or 0. */
void
selection_copy_numbers(struct selection *to, size_t cell,
		       const struct selection *from, size_t old, unsigned xcc);

enum selection_part {
	SELECTION_KEPT, /* cells that other has as well */
	SELECTION_MOVED, /* of those, the ones it has in another slot */
};

/*
 * Copy cells of a selection with their slots, counters and values, but no
 * requests. Returns 0, or -ENOMEM.
 */
int selection_part(const struct selection *selection,
		   const struct selection *other, enum selection_part part,
		   struct selection **out);

void selection_destroy(struct selection *selection);

/* Find the counter in selection that equals one of other's, or NULL. */
struct counter *selection_find(const struct selection *selection,
			       const struct selection *other,
			       const struct counter *counter);

#define SELECTION_NO_CELL SIZE_MAX

/*
 * Return the slots that the selection's counters have in an instance of a
 * block; *same becomes those of them that count the event.
 */
uint64_t
selection_slots(const struct selection *selection, size_t block,
		uint32_t instance, uint32_t id, uint64_t *same);

/* Return the counter's cell for that instance, or SELECTION_NO_CELL. */
size_t selection_cell(const struct selection *selection,
		      const struct counter *counter, uint32_t instance);

/*
 * Return the cell of the same counter and instance in selection as other's
 * cell, or SELECTION_NO_CELL.
 */
size_t
selection_find_cell(const struct selection *selection,
		    const struct selection *other, size_t cell);

/*
 * Return the cell of the counter that sits in the slot before, or behind, or
 * none.
 */
size_t
selection_cell_before(const struct selection *selection, size_t cell);
size_t
selection_cell_behind(const struct selection *selection, size_t cell);

/* Return where an XCC has its numbers of a cell; xcc 0 is the sum over all. */
static inline size_t
selection_on_xcc(const struct selection *selection, size_t cell, unsigned xcc)
{
	return xcc * selection->room + cell;
}

/* Return how many totals there are to be copied. */
static inline size_t
selection_total_count(const struct selection *selection)
{
	return selection->xccs ? (1 + selection->xccs) * selection->room
			       : selection->cell_count;
}

/* Return where the state of a cell's instance is, by instance of the core. */
static inline size_t
selection_instance(const struct selection *selection,
		   const struct value_cell *cell)
{
	size_t block = selection->counters[cell->counter].block;

	return selection->core->blocks[block].first_instance + cell->instance;
}

/* Copy totals of the cells to the values of all requests. */
static inline void
selection_answer(const struct selection *selection, const uint64_t *totals,
		 uint64_t *raw)
{
	const struct request_cells *span = selection->spans;
	const struct request_cells *end = span + selection->span_count;

	for (; span < end; raw += span++->cell_count)
		memcpy(raw, &totals[span->first_cell],
		       span->cell_count * sizeof(*raw));
}

/*
 * Find the engine whose ring the selection is counted on: the one DRMPERF_RING
 * names, else the table's, or the only one that the GPU has. Compute runs in
 * parallel to the work that is measured, so reads are not delayed; graphics
 * waits behind draws, and is the only engine known to reach all of the graphics
 * pipe. Returns 0, -EINVAL if DRMPERF_RING names no engine, or -ENOTSUP if the
 * GPU has no such engine.
 */
int
ring_select(const struct selection *selection,
	    const struct amd_device_info *info, enum pm4_engine *out,
	    struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_SELECTION_H */
