/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command buffers of a selection, written once and run as often as need
 * be, and the memory their samples go to.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_TAPE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "driver/amdgpu/count/commands.h"
#include "driver/amdgpu/count/pulse.h"
#include "driver/amdgpu/count/selection.h"
#include "driver/amdgpu/count/watch.h"
#include "driver/amdgpu/submit/channel.h"

enum tape_track {
	TAPE_START,
	TAPE_SAMPLE,
	TAPE_CLEAR, /* a sample, then one of cells that saturate, from 0 */
	TAPE_CHANGE,
	TAPE_STOP,
	/* on the other ring, where there are two: behind START, before STOP */
	TAPE_OPEN,
	TAPE_CLOSE,
	TAPE_TRACKS
};

struct tape {
	uint32_t dies; /* mask of the one to run on; 0: there is but one */
	struct channel *channel;
	struct buffer buffer;
	struct watch watch;
	struct commands_marker marker;
	int32_t marked; /* what it has been found to differ by, or 0 */
	struct pulses pulses;
	size_t again; /* the result of the first cell that is cleared */
	size_t selects; /* where in the buffer the watch finds its own */
	/* in TAPE_STOP: what RLC_PERFMON_CLK_CNTL is put back to; 0: nothing */
	size_t at_clock;
	const struct core *core;
	/* what all who count flip, see struct commands_written */
	uint32_t *sync;
	uint32_t *indices; /* of all tracks */
	const struct commands_shown *shown;
	bool index_is_unread; /* GRBM_GFX_INDEX does not read back */
	/* the track that is run most often, made ready, by command buffer */
	struct job *sample[COMMANDS_BUFFERS];
	/* of its first command buffer */
	const uint32_t *shown_indices, *expected_indices;
	size_t index_count;
	bool samples_at_once; /* it has no other, for all dies */
	struct {
		enum pm4_engine engine;
		size_t offset;
		size_t dwords; /* 0: there is nothing to be done */
		struct commands_written written;
	} tracks[TAPE_TRACKS];
};

/*
 * Write all tracks for a selection whose cells have slots. selects says what
 * is in the select registers once it runs; it is not needed afterwards.
 *
 * Cell i of the selection is stored as result i. Cell k of moved, which may be
 * NULL and is read in TAPE_CHANGE only, is stored behind those; so is, in
 * TAPE_CLEAR, what cells that saturate show once they have been cleared. All
 * of it runs on the die in the mask, if there are several. sync, which is
 * slot_table_sync(), has to live as long. The errors of ring_choose().
 */
int
tape_create(struct channel *channel, uint32_t dies,
	    const struct selection *selection, const struct selection *moved,
	    const struct commands_selects *selects,
	    const struct commands_marker *marker, const struct pulses *pulses,
	    uint32_t *sync, struct tape **out, struct drmperf_error *error);
void tape_destroy(struct tape *tape);
void tape_abandon(struct tape *tape);

/*
 * Run a track, and with START or STOP what belongs to it on the other ring.
 * What was read of another instance than the one meant, or before all engines
 * had what was written, is read again, three times at most.
 *
 * The errors of channel_run(); -EIO if the kernel keeps choosing other dies, or
 * the engines do not show what was written; -EBUSY if others keep steering
 * reads.
 */
int tape_run(struct tape *tape, enum tape_track track,
	     struct drmperf_error *error);

/* Read another select back with the next sample. */
void tape_turn(struct tape *tape);

/* Run one track by itself. */
int
tape_run_alone(struct tape *tape, enum tape_track track,
	       struct drmperf_error *error);

/* TAPE_SAMPLE, of whose first command buffer others have steered the reads. */
int
tape_sample_again(struct tape *tape, struct drmperf_error *error);

/* Whether what TAPE_SAMPLE has read at once is what was meant. */
static inline bool
tape_indices_hold(const struct tape *tape)
{
	return !memcmp(tape->shown_indices, tape->expected_indices,
		       tape->index_count * sizeof(uint32_t));
}

/* Run TAPE_SAMPLE, which shows whether watch_holds(). */
static inline int
tape_take_sample(struct tape *tape, struct drmperf_error *error)
{
	int ret;

	if (tape->watch.count > 1)
		tape_turn(tape);
	if (!tape->samples_at_once)
		return tape_run_alone(tape, TAPE_SAMPLE, error);
	ret = job_run(tape->sample[0], error);
	if (!ret && !tape_indices_hold(tape))
		return tape_sample_again(tape, error);
	return ret;
}

/*
 * After TAPE_CHANGE, with the tape that was there before: are the registers
 * still ours? If not, watch.stolen tells which one is not.
 */
bool tape_is_ours(struct tape *tape, const struct tape *before);

/*
 * After TAPE_START, *clock becomes what RLC_PERFMON_CLK_CNTL was before; before
 * TAPE_STOP, on whichever tape, that is what it is put back to. They do nothing
 * where there is no such register. tape_found() leaves *clock alone and returns
 * false if a process that ended without stopping the counters has left its own
 * value there.
 */
bool tape_found(const struct tape *tape, uint32_t *clock);
void tape_put_back(struct tape *tape, uint32_t clock);

/* What the last track that takes a sample has stored. */
static inline const struct commands_sample *
tape_sample(const struct tape *tape)
{
	return tape->buffer.memory;
}

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_TAPE_H */
