/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the samples of a stream are laid out: which wires of its block a counter
 * takes, and where the RLC puts what it collects from them.
 *
 * A wire has an even and an odd lane of 16 bits: a counter of 32 bits takes
 * both, two of 16 bits one each. A line of a sample has 16 entries, which all
 * come from even lanes or all from odd ones, in turns. The lines of the blocks
 * without shader engine, the global segment, are followed by a segment for each
 * engine.
 *
 * Nothing is counted in turns: what does not fit is refused.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_STREAM_LAYOUT_H
#define DRMPERF_LIB_DRIVER_AMDGPU_STREAM_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/tables/gpu.h"
#include "driver/request.h"

/* What DRMPERF_UNTESTED calls streams, and before a dot those of a block. */
#define STREAM_NAME "STREAM"

#define STREAM_LINE_ENTRIES 16u
#define STREAM_LINE_SIZE 32u
#define STREAM_TIME_ENTRIES 4u
#define STREAM_SEGMENTS (1u + TOPOLOGY_ENGINES)

/* Registers of the RLC for streams; byte 0: this generation has none. */
struct stream_registers {
	struct pm4_register control;
	struct pm4_register ring_low, ring_high, ring_size;
	struct pm4_register ring_position; /* where the next sample goes */
	struct pm4_register accumulation;
	struct pm4_register segment_size, engine_segments, global_segment;
	struct pm4_register global_address, global_data;
	struct pm4_register engine_address, engine_data;
};

/* Registers of the RLC that hold how many lines segments have. */
enum stream_form {
	/* of each engine in engine_segments, the others in global_segment */
	STREAM_SEPARATE,
	/* in segment_size: all engines have as many as the one that has most */
	STREAM_EQUAL,
	/* in segment_size: of three engines; a fourth has what is left */
	STREAM_PACKED,
};

/* Streams of a generation as its table describes them. */
struct stream_table {
	struct stream_registers registers;
	enum stream_form form;
	unsigned position_unit; /* of that in the ring's header, in bytes */
	uint16_t time_codes[STREAM_TIME_ENTRIES];
	unsigned counter_bit, block_bit, array_bit, instance_bit;
	unsigned lines; /* of a segment at most */
};

/* A counter of a block, in all its instances. */
struct stream_counter {
	size_t block; /* index in core.blocks */
	uint32_t id;
	unsigned lane; /* of the block: twice the wire, and 1 for an odd one */
	bool wide; /* it takes the odd lane as well */
	unsigned simds; /* how many of an instance have selects of their own */
	/* first entry of each instance, or STREAM_NO_ENTRY; in all->cells */
	size_t first_cell;
};

#define STREAM_NO_ENTRY UINT32_MAX

/* An entry of a line. */
struct stream_entry {
	uint16_t code;
	uint8_t segment;
	uint8_t is_odd;
	uint32_t place; /* among those of its segment from such lanes */
	size_t block;
};

struct stream_segment {
	uint32_t counts[2]; /* of entries from even and odd lanes */
	unsigned lines, first_line;
};

/* Where a value is in a sample, in entries. */
struct stream_place {
	uint32_t low;
	uint32_t high; /* STREAM_NO_ENTRY: it has 16 bits */
};

struct stream_layout {
	const struct core *core;
	const struct topology *topology;
	struct stream_table table;
	struct stream_counter *counters;
	size_t counter_count;
	uint32_t *cells; /* of all counters, by instance */
	size_t cell_count;
	struct stream_entry *entries;
	size_t entry_count;
	struct stream_segment segments[STREAM_SEGMENTS];
	unsigned engine_lines; /* of the engine that has most */
	unsigned lines; /* of a sample */
	struct stream_place *places; /* of all values, in their order */
	size_t place_count;
};

/*
 * Lay a stream of these requests out. Returns 0; -ENOTSUP if the GPU, or a
 * block of them, does not stream; -ENOSPC if they do not fit; -EBADMSG;
 * -ENOMEM.
 */
int
stream_layout_create(const struct gpu *gpu,
		     const struct counter_request *requests, size_t count,
		     struct stream_layout **out, struct drmperf_error *error);
void
stream_layout_destroy(struct stream_layout *layout);

/* Return the line of a segment's sample in which an entry is. */
static inline unsigned
stream_entry_line(const struct stream_entry *entry)
{
	return 2 * (entry->place / STREAM_LINE_ENTRIES) + entry->is_odd;
}

/* Return whether any request needs the counter in an instance. */
static inline bool
stream_counter_reads(const struct stream_layout *layout,
		     const struct stream_counter *counter, unsigned instance)
{
	return layout->cells[counter->first_cell + instance] != STREAM_NO_ENTRY;
}

/* Return how many modules of a block's slots stream: those with SELECT1. */
unsigned
stream_block_modules(const struct block *block);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_STREAM_LAYOUT_H */
