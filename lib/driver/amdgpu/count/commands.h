/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command buffers of counting. They only write packets: what is to be
 * programmed and read is said by a struct commands, and the room needed is
 * found by writing into a struct pm4 without memory first.
 *
 * The order is that of AMD PAL (gfx9PerfExperiment.cpp), which needs no
 * counter to be 0 at the start: everything is read once while it stands still,
 * and values are differences from there.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_COMMANDS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/gpu/core.h"
#include "driver/amdgpu/submit/pm4.h"

/* What is in the select registers of a block. */
struct commands_block {
	uint64_t used;	  /* slots that have been programmed */
	uint64_t changed; /* slots whose event is new */
	uint32_t ids[BLOCK_MAX_SLOTS];
};

/* One counter of one instance, to be stored as results[result]. */
struct commands_read {
	uint32_t block;
	uint32_t instance;
	uint32_t slot;
	uint32_t result;
};

/* What the GPU stores for a read. */
struct commands_result {
	/*
	 * The upper half twice, where counters cannot be made to stand still
	 * while they are read; else high_before is not written.
	 */
	uint32_t high_before;
	uint32_t low;
	uint32_t high;
};

/* What the GPU stores for a sample; of results as many as there are reads. */
struct commands_sample {
	uint64_t timestamp;
	uint32_t fence; /* for waiting */
	uint32_t done; /* not 0 once the commands for one die have run */
	struct commands_result results[];
};

struct commands {
	const struct core *core;
	const struct commands_block *blocks; /* one per block of the core */
	const struct commands_read *reads;   /* sorted by block and instance */
	size_t read_count;
	uint32_t stages;
	uint64_t sample; /* GPU address of a struct commands_sample */
};

/* Order for qsort(): how reads have to be sorted. */
int commands_read_compare(const void *a, const void *b);

/* Program everything, take a sample, begin to count. */
void commands_start(struct pm4 *pm4, const struct commands *commands);

/* Take a sample while counting. */
void commands_sample(struct pm4 *pm4, const struct commands *commands);

/* Program what has changed while the rest counts on, and take a sample. */
void commands_change(struct pm4 *pm4, const struct commands *commands);

/* Stop counting and put back every register that has been touched. */
void commands_stop(struct pm4 *pm4, const struct commands *commands);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_COMMANDS_H */
