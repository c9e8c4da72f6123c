/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * i915's half of an OA unit: what it sees of the unit's buffer, and the records
 * that a read() delivers.
 *
 *      head          visible        tail
 *       |<- for read ->|<- landing ->|
 *     --+--------------+-------------+----->  reports, counted from 0
 *
 * `visible` is moved when the driver's timer fires or a reader blocks, `head`
 * when reports are copied to a reader.
 */
#ifndef DRMSIM_I915_OA_READER_H
#define DRMSIM_I915_OA_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "intel/oa_unit.h"

struct sim_oa_reader {
	struct sim_oa_unit *unit;
	struct sim_oa_setup setup;
	/* Linux 6.1: what has lain still for 100 us is visible, too */
	bool aging;
	uint64_t visible, aging_tail, aging_ns;
	uint32_t last_context;
	bool lost_told; /* Haswell cannot clear its flag */
};

/* Set up the reader of a unit that has this setup. */
void
sim_oa_reader_init(struct sim_oa_reader *reader,
		   const struct sim_oa_setup *setup, bool aging,
		   struct sim_oa_unit *unit);
/* Start from the unit's tail, since the unit has been enabled. */
void
sim_oa_reader_restart(struct sim_oa_reader *reader);

/*
 * Read the unit's tail, as the kernel does. Returns whether there is something
 * to read.
 */
bool sim_oa_reader_check(struct sim_oa_reader *reader, uint64_t now_ns);

/* Records that one read() is going to deliver. */
struct sim_oa_batch {
	uint8_t *data; /* the caller's, with room for `room` bytes */
	size_t room;
	size_t size; /* filled; only whole records */
	int error; /* 0, or -ENOSPC: there is more than fits */
	/* for sim_oa_reader_commit() */
	uint64_t head;
	uint32_t last_context;
	bool restart, lost;
};

/* Return the bytes that a read of everything would take at most. */
size_t sim_oa_reader_readable(const struct sim_oa_reader *reader);
void sim_oa_reader_peek(const struct sim_oa_reader *reader,
			struct sim_oa_batch *batch);
/*
 * Release what the batch holds, when it has reached the caller of read().
 * Returns 0 or -ENOMEM.
 */
int sim_oa_reader_commit(struct sim_oa_reader *reader,
			 const struct sim_oa_batch *batch, uint64_t tick,
			 const struct sim_oa_counting *counting);

#endif /* DRMSIM_I915_OA_READER_H */
