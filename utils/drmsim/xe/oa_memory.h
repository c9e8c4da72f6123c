/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bytes of a stream's OA buffer, for the program that maps it. There are
 * none until somebody does: reports are made when they are read.
 *
 *      0                       ring     size
 *      |<- reports, in turn ---->|........|
 */
#ifndef DRMSIM_XE_OA_MEMORY_H
#define DRMSIM_XE_OA_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct sim_call;
struct sim_oa_unit;

struct sim_xe_memory {
	uint8_t *bytes; /* NULL: nobody maps them */
	int fd; /* of the bytes */
	uint64_t size, ring;
	size_t report_size, word; /* of the id, and of the timestamp */
	uint64_t first; /* index of the report at place 0 */
	uint64_t end; /* index behind the last report in memory */
};

/*
 * Map the whole buffer for the caller, as mmap() asks: request a offset, b
 * length, c protection, d flags. 0 or -errno.
 */
int
sim_xe_memory_map(struct sim_xe_memory *memory, struct sim_call *call,
		  const struct sim_oa_unit *unit);
/* Clear the buffer: the unit begins at place 0 with the report at index. */
void
sim_xe_memory_restart(struct sim_xe_memory *memory, uint64_t index);
/* Write what the unit has written since. */
void
sim_xe_memory_follow(struct sim_xe_memory *memory,
		     const struct sim_oa_unit *unit);
/* Clear what the driver clears of reports that it has delivered. */
void
sim_xe_memory_take(struct sim_xe_memory *memory, uint64_t from, uint64_t to);
void
sim_xe_memory_free(struct sim_xe_memory *memory);

#endif /* DRMSIM_XE_OA_MEMORY_H */
