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

#include "driver/amdgpu/count/selects.h"
#include "driver/amdgpu/gpu/core.h"
#include "driver/amdgpu/submit/pm4.h"

/* One counter of one instance, to be stored as results[result]. */
struct commands_read {
	uint32_t block;
	uint32_t instance;
	uint32_t slot;
	uint32_t result;
};

/* What the GPU stores for a read: the value in two halves, the lower first. */
struct commands_result {
	uint64_t value;
};

/* Registers that a sample reads back, see watch.h. */
enum commands_seen {
	COMMANDS_STATE, /* CP_PERFMON_CNTL */
	COMMANDS_SQ,	/* SQ_PERFCOUNTER_CTRL */
	COMMANDS_SQG,	/* SQG_PERFCOUNTER_CTRL */
	COMMANDS_SQ2,	/* SQ_PERFCOUNTER_CTRL2 */
	COMMANDS_SQG2,	/* SQG_PERFCOUNTER_CTRL2 */
	COMMANDS_MASK,	/* SQ_PERFCOUNTER_MASK */
	COMMANDS_EVENTS, /* SPI_SQG_EVENT_CTL */
	COMMANDS_FIXED,
	COMMANDS_SELECT = COMMANDS_FIXED,
	COMMANDS_SEEN
};

/* Of SQ_PERFCOUNTER_CTRL; CP_PERFMON_CNTL has its state there. */
#define COMMANDS_ALL_STAGES 0x7fu

/* Blocks whose clocks are counted beside what is asked for. */
#define COMMANDS_PULSES 15u

/* What the GPU stores for a sample; of results as many as there are reads. */
struct commands_sample {
	uint64_t timestamp;
	uint32_t fence; /* for waiting */
	uint32_t done; /* not 0 once the commands for one die have run */
	uint32_t seen[COMMANDS_SEEN];
	uint32_t stale; /* not to be believed */
	uint32_t clock; /* RLC_PERFMON_CLK_CNTL as it was found, see below */
	uint32_t marker[2]; /* low halves */
	uint32_t pulses[COMMANDS_PULSES]; /* as well */
	uint32_t clock_now; /* RLC_PERFMON_CLK_CNTL, see watch.h */
	struct commands_result results[];
};

/* Slots of an only instance that both count an event, see marker.h. */
struct commands_marker {
	const struct block *block; /* NULL: there is none */
	uint32_t id;
	uint32_t slots[2]; /* the second begins later */
};

/* The slot that counts the clock of a block, see pulse.h. */
struct commands_pulse {
	uint32_t block, instance, slot;
};

struct commands {
	const struct core *core;
	const struct commands_selects *selects; /* by instance of the core */
	uint64_t unused; /* selects_unused() of these, or 0 */
	const struct commands_read *reads;   /* sorted by block and instance */
	size_t read_count;
	/* what commands_clear() reads a second time */
	const struct commands_read *again;
	size_t again_count;
	uint32_t stages;
	struct commands_marker marker;
	const struct commands_pulse *pulses;
	size_t pulse_count;
	unsigned needs;	 /* enum core_need: commands_needs(), or more */
	uint64_t sample; /* GPU address of a struct commands_sample */
};

/* What is needed for the slots that are used: a mask of enum core_need. */
unsigned
commands_needs(const struct commands *commands);

/* Is anything counted that the SQ has to let count? */
bool commands_need_shaders(const struct commands *commands);

/* Order for qsort(): how reads have to be sorted. */
int commands_read_compare(const void *a, const void *b);

/*
 * Program everything, take a sample, begin to count; with a marker, another
 * sample, of that alone, once it counts as well.
 */
void commands_start(struct pm4 *pm4, const struct commands *commands);

/* Take a sample while counting. */
void commands_sample(struct pm4 *pm4, const struct commands *commands);

/*
 * Take a sample, clear the counters that saturate, and take a sample of these:
 * what they begin with then, whatever the hardware makes of the attempt.
 */
void commands_clear(struct pm4 *pm4, const struct commands *commands);

/*
 * Program what has changed while the rest counts on, and take a sample. As
 * commands_start() does, it stores what RLC_PERFMON_CLK_CNTL was before.
 */
void commands_change(struct pm4 *pm4, const struct commands *commands);

/*
 * Stop counting and put back every register that has been touched. What is
 * written to RLC_PERFMON_CLK_CNTL is at pm4->marked; 0: nothing is.
 */
void commands_stop(struct pm4 *pm4, const struct commands *commands);

/*
 * For a ring of graphics, where counting is started and stopped elsewhere: from
 * here on, count what is drawn and computed there; and stop that.
 */
void commands_open(struct pm4 *pm4, const struct commands *commands);
void commands_close(struct pm4 *pm4, const struct commands *commands);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_COMMANDS_H */
