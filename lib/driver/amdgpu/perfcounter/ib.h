/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The indirect buffers (IBs) of a selection, written once and run as often as
 * need be, and the memory that their samples go to. An IB is of one or two
 * command buffers that are submitted one after the other.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_IB_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_IB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "driver/amdgpu/selection/commands.h"
#include "driver/amdgpu/checks/block_clock.h"
#include "driver/amdgpu/selection/selection.h"
#include "driver/amdgpu/checks/readback.h"
#include "driver/amdgpu/device/context.h"

enum ib_kind {
	IB_START,
	IB_SAMPLE,
	IB_CLEAR, /* a sample, then one of the cleared cells */
	IB_CHANGE,
	IB_STOP,
	/*
	 * on the other engine's ring, if it is needed, too: run after START and
	 * before STOP
	 */
	IB_GFX_START,
	IB_GFX_STOP,
	IB_KINDS
};

struct ibs {
	uint32_t xccs; /* mask of XCCs that count; 0: the GPU has one */
	/*
	 * Number of XCCs if all run the commands at once, else 0. Each stores a
	 * sample of its own in the buffer, xcc_stride bytes after the one
	 * before, and the CPU adds them up.
	 */
	unsigned all_xccs;
	size_t xcc_stride;
	/*
	 * The sum of the XCCs' samples, followed by copies of these if
	 * keeps_xccs is set; NULL: there is only one sample.
	 */
	struct commands_sample *sum;
	struct commands_sample *taken; /* sum, or the one sample */
	bool keeps_xccs;
	struct amd_context *ctx;
	struct buffer buffer;
	struct readback readback;
	struct commands_reset_check reset_check;
	int32_t difference; /* of the reset check's counters, or 0 */
	struct block_clocks block_clocks;
	size_t again; /* the result of the first cell that is cleared */
	bool clears; /* there are such cells: IB_CLEAR is written */
	bool begins; /* nothing counts yet: IB_CHANGE is not written */
	size_t selects; /* where behind the sample the readback finds its own */
	/* in IB_STOP: what RLC_PERFMON_CLK_CNTL is put back to; 0: nothing */
	size_t at_clock;
	const struct core *core;
	/* the sync bit that all processes flip, see struct commands_written */
	uint32_t *sync;
	uint32_t *indices; /* of all IBs */
	const struct commands_shown *shown;
	bool index_is_unread; /* GRBM_GFX_INDEX does not read back */
	/* the IB that is run most often, made ready, by command buffer */
	struct amd_submission *sample[COMMANDS_BUFFERS];
	/* of its first command buffer */
	const uint32_t *shown_indices, *expected_indices;
	size_t index_count;
	bool samples_at_once; /* IB_SAMPLE is one buffer for all XCCs */
	struct {
		enum pm4_engine engine;
		size_t offset;
		size_t dwords; /* 0: there is nothing to be done */
		struct commands_written written;
	} list[IB_KINDS];
};

/*
 * Write all IBs for a selection whose cells have slots. selects holds the
 * select registers as they are once it runs, and is not needed afterwards.
 *
 * Cell i of the selection is stored as result i. Cell k of moved, which may be
 * NULL and is read in IB_CHANGE only, is stored behind those; so is, in
 * IB_CLEAR, what cells that saturate show once they have been cleared. All
 * of it runs on the XCCs in the mask, if there are several: on one, or on all,
 * with a context for that. IBs that begin, and so run IB_START before anything
 * else, have no IB_CHANGE; without cells that saturate there is no IB_CLEAR.
 * sync, which is slot_table_sync(), has to live as long. The errors of
 * ring_select().
 */
int
ibs_create(struct amd_context *ctx, uint32_t xccs,
	   const struct selection *selection, const struct selection *moved,
	   const struct select_regs *selects,
	   const struct commands_reset_check *reset_check,
	   const struct block_clocks *block_clocks, bool begins, uint32_t *sync,
	   struct ibs **out, struct drmperf_error *error);
void
ibs_destroy(struct ibs *ibs);
void
ibs_abandon(struct ibs *ibs);

/*
 * Run an IB, and with START or STOP what belongs to it on the other ring. An IB
 * is repeated, three times at most, if reads were steered to another instance
 * or came before all engines had the writes.
 *
 * The errors of amd_context_run(); -EIO if the kernel keeps choosing other
 * XCCs, or the engines do not show what was written; -EBUSY if others keep
 * steering reads.
 */
int
ibs_run(struct ibs *ibs, enum ib_kind ib, struct drmperf_error *error);

/* Read another select back with the next sample. */
void
ibs_turn(struct ibs *ibs);

/* Run one IB by itself. */
int
ibs_run_one(struct ibs *ibs, enum ib_kind ib, struct drmperf_error *error);

/*
 * Run IB_SAMPLE again after the reads of its first command buffer were steered
 * by another program.
 */
int
ibs_sample_again(struct ibs *ibs, struct drmperf_error *error);

/*
 * Return whether the GRBM_GFX_INDEX values that IB_SAMPLE has read back are
 * those it wrote.
 */
static inline bool
ibs_indices_hold(const struct ibs *ibs)
{
	return !memcmp(ibs->shown_indices, ibs->expected_indices,
		       ibs->index_count * sizeof(uint32_t));
}

/* Run IB_SAMPLE, which shows whether readback_holds(). */
static inline int
ibs_take_sample(struct ibs *ibs, struct drmperf_error *error)
{
	int ret;

	if (ibs->readback.count > 1)
		ibs_turn(ibs);
	if (!ibs->samples_at_once)
		return ibs_run_one(ibs, IB_SAMPLE, error);
	ret = amd_submission_run(ibs->sample[0], error);
	if (!ret && !ibs_indices_hold(ibs))
		return ibs_sample_again(ibs, error);
	return ret;
}

/*
 * Run IB_SAMPLE in two halves. ibs_wait_sample() waits for what
 * ibs_submit_sample() submitted, and runs the rest. If asked to wait briefly it
 * may return SUBMISSION_RUNS, and has to be called again.
 */
int
ibs_submit_sample(struct ibs *ibs, struct drmperf_error *error);
int
ibs_wait_sample(struct ibs *ibs, bool briefly, struct drmperf_error *error);

/*
 * Return the values that the select registers listed by the readback show after
 * IB_START or IB_CHANGE.
 */
const uint32_t *
ibs_selects(const struct ibs *ibs);

/*
 * Set *clock, after IB_START, to the value RLC_PERFMON_CLK_CNTL had before;
 * before IB_STOP, on whichever IBs, set the value that it gets back. They do
 * nothing where there is no such register. ibs_found_clock() leaves *clock and
 * returns false if a process that ended without stopping the counters has left
 * its own value there.
 */
bool
ibs_found_clock(const struct ibs *ibs, uint32_t *clock);
void
ibs_set_clock(struct ibs *ibs, uint32_t clock);

/* Return the sample that the last IB has stored, summed over all XCCs. */
static inline const struct commands_sample *
ibs_sample(const struct ibs *ibs)
{
	return ibs->taken;
}

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_IB_H */
