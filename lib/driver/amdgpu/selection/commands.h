/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command buffers of counting. These functions only write packets: struct
 * commands holds what to program and read, and writing into a struct pm4
 * without memory returns the room that is needed.
 *
 * They never wait for a register: if another program writes it, such a wait
 * does not end. Where reads overtake writes to the counters (gfx12), the writes
 * are in one command buffer and the reads in the next, after the kernel's fence
 * of the first, and a proof that the writes have arrived is stored for the CPU
 * to check.
 *
 * The order is that of AMD PAL (gfx9PerfExperiment.cpp), which needs no
 * counter to be 0 at the start: everything is read once while it stands still,
 * and values are differences from there.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_COMMANDS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/selection/select_regs.h"
#include "driver/amdgpu/tables/core.h"
#include "driver/amdgpu/device/pm4.h"

/* One counter of one instance, to be stored as results[result]. */
struct commands_read {
	uint32_t block;
	uint32_t instance;
	uint32_t slot;
	uint32_t result;
};

/* Result of one read as the GPU stores it, in two halves, the lower first. */
struct commands_result {
	uint64_t value;
};

/* Registers that a sample reads back, see readback.h. */
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

/* All stages in SQ_PERFCOUNTER_CTRL; CP_PERFMON_CNTL has its state there. */
#define COMMANDS_ALL_STAGES 0x7fu

/* Most blocks whose clocks are counted in addition to the requests. */
#define COMMANDS_BLOCK_CLOCKS 15u

/* Result of a sample as the GPU stores it, with one result per read. */
struct commands_sample {
	struct pm4_samples samples; /* for waiting */
	uint64_t timestamp;
	uint32_t fence; /* as well */
	uint32_t done; /* not 0 once the commands for one XCC have run */
	uint32_t seen[COMMANDS_SEEN];
	uint32_t stale; /* of a first read that may be wrong */
	uint32_t clock; /* RLC_PERFMON_CLK_CNTL as it was found, see below */
	uint32_t reset_check[2]; /* low halves */
	uint32_t block_clocks[COMMANDS_BLOCK_CLOCKS]; /* as well */
	uint32_t clock_now; /* RLC_PERFMON_CLK_CNTL, see readback.h */
	uint32_t state_found; /* CP_PERFMON_CNTL then; 0 if it shows nothing */
	struct commands_result results[];
};

/*
 * Two slots of a block's only instance that count one event, see reset_check.h.
 */
struct commands_reset_check {
	const struct block *block; /* NULL: there is none */
	uint32_t id;
	uint32_t slots[2]; /* the second begins later */
};

/* The slot that counts the clock of a block, see block_clock.h. */
struct commands_block_clock {
	uint32_t block, instance, slot;
};

/*
 * Registers that a sample reads back to find other profilers, see readback.h:
 * dword numbers, 0 being none, and a select register of one instance.
 */
struct commands_readback {
	uint32_t fixed[COMMANDS_FIXED];
	uint32_t clock; /* read into clock_now; 0: it is not */
	uint32_t index; /* of GRBM_GFX_INDEX */
	uint32_t select; /* 0: none */
};

/* Most command buffers of an IB: two latches, and the reads of each. */
#define COMMANDS_BUFFERS 4u

/*
 * One command buffer of an IB: what the CPU changes in it before it runs, and
 * what it checks afterwards.
 */
struct commands_buffer {
	size_t begin, end; /* dwords */
	/* the dword that flips the SQ's sync bit; 0: none does */
	size_t sync;
	/* it stores proof that writes have arrived in each engine */
	bool shows_sync, shows_state;
	/* range of written.indices: GRBM_GFX_INDEX as expected after reads */
	size_t first_index, index_count;
};

/* Commands that have been written, filled by the functions below. */
struct commands_written {
	struct commands_buffer buffers[COMMANDS_BUFFERS];
	unsigned count;
	uint32_t *indices; /* NULL: they are only counted */
	size_t index_count;
	/* parts that select another register to read back */
	size_t readback_index, readback_select; /* dwords */
	size_t readback_shown; /* in indices */
	/* ---- while it is being written */
	uint32_t index; /* in GRBM_GFX_INDEX */
	bool was_read; /* a register was read with that index */
	bool sync; /* the bit is set */
};

/* Values that the GPU stores for the CPU to check, at commands.shown. */
struct commands_shown {
	uint32_t sync[TOPOLOGY_ENGINES]; /* SQG_PERFCOUNTER_CTRL */
	uint32_t state[TOPOLOGY_ENGINES]; /* GRBMH_SYNC */
	uint32_t indices[]; /* GRBM_GFX_INDEX behind reads of an instance */
};

struct commands {
	const struct core *core;
	const struct select_regs *selects; /* by instance of the core */
	uint64_t unused; /* select_regs_unused() of these, or 0 */
	const struct commands_read *reads;   /* sorted by block and instance */
	size_t read_count;
	/* what commands_clear() reads a second time */
	const struct commands_read *again;
	size_t again_count;
	uint32_t stages;
	struct commands_reset_check reset_check;
	const struct commands_block_clock *block_clocks;
	size_t block_clock_count;
	const struct commands_readback *readback; /* for samples; or NULL */
	unsigned needs;	 /* enum core_need: commands_needs(), or more */
	uint64_t sample; /* GPU address of a struct commands_sample */
	uint64_t shown; /* GPU address of a struct commands_shown */
	size_t alignment; /* of command buffers, in dwords */
	struct commands_written *written;
};

/* Return what the used slots need: a mask of enum core_need. */
unsigned
commands_needs(const struct commands *commands);

/* Return whether anything is counted that the SQ has to let count. */
bool commands_need_shaders(const struct commands *commands);

/* Begin and end what is written by the functions further below. */
void
commands_begin(struct pm4 *pm4, const struct commands *commands);
void
commands_end(struct pm4 *pm4, const struct commands *commands);

/*
 * Write GRBM_GFX_INDEX. If a register was read since it was last written, store
 * its present value first, to be checked: the kernel writes it, too, by MMIO,
 * and then another instance was read.
 */
void
commands_steer(struct pm4 *pm4, const struct commands *commands,
	       uint32_t index);

/* Read a register of the instance that GRBM_GFX_INDEX selects. */
void
commands_read_register(struct pm4 *pm4, const struct commands *commands,
		       struct pm4_register reg, uint64_t address);

/* Read registers of a struct commands_readback into the sample's seen. */
void
commands_read_fixed(struct pm4 *pm4, const struct commands *commands,
		    const struct commands_readback *readback);

/* Compare reads for qsort(), in the order they have to have. */
int commands_read_compare(const void *a, const void *b);

/*
 * Program everything, take a sample, begin to count; with a reset check,
 * another sample, of that alone, once it counts as well.
 */
void commands_start(struct pm4 *pm4, const struct commands *commands);

/* Take a sample while counting, and read back what commands.watch says. */
void commands_sample(struct pm4 *pm4, const struct commands *commands);

/*
 * Take a sample, clear the saturating counters, and sample these again:
 * counting goes on from what they show then, whether or not clearing had an
 * effect.
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
 * Start or stop counting of a graphics ring's draws and compute work, where
 * counters are started and stopped on another ring.
 */
void commands_open(struct pm4 *pm4, const struct commands *commands);
void commands_close(struct pm4 *pm4, const struct commands *commands);

/*
 * Write the control registers that the needs require, with their values while
 * counting or to restore them. The value of RLC_PERFMON_CLK_CNTL is at
 * pm4->marked.
 */
void
commands_set_controls(struct pm4 *pm4, const struct commands *commands,
		      bool on);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELECTION_COMMANDS_H */
