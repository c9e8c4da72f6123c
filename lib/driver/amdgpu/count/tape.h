/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command buffers of a selection, written once and run as often as need
 * be, and the memory their samples go to.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_TAPE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_TAPE_H

#include <stddef.h>
#include <stdint.h>

#include "driver/amdgpu/count/commands.h"
#include "driver/amdgpu/count/selection.h"
#include "driver/amdgpu/submit/channel.h"

enum tape_track {
	TAPE_START,
	TAPE_SAMPLE,
	TAPE_CHANGE,
	TAPE_STOP,
	TAPE_TRACKS
};

struct tape {
	uint32_t dies; /* mask of the one to run on; 0: there is but one */
	struct channel *channel;
	struct buffer buffer;
	struct {
		size_t offset;
		size_t dwords;
	} tracks[TAPE_TRACKS];
};

/*
 * Write all tracks for a selection whose counters have slots. blocks says what
 * is in the select registers once it runs; it is not needed afterwards.
 *
 * Cell i of the selection is stored as result i. Cell k of moved, which may be
 * NULL and is read in TAPE_CHANGE only, is stored behind those. All of it runs
 * on the die in the mask, if there are several.
 */
int tape_create(struct channel *channel, uint32_t dies,
		const struct selection *selection,
		const struct selection *moved,
		const struct commands_block *blocks, struct tape **out,
		struct drmperf_error *error);
void tape_destroy(struct tape *tape);
void tape_abandon(struct tape *tape);

/*
 * Run a track. The errors of channel_run(); -EIO if the kernel keeps choosing
 * other dies.
 */
int tape_run(struct tape *tape, enum tape_track track,
	     struct drmperf_error *error);

/* What the last track that takes a sample has stored. */
const struct commands_sample *tape_sample(const struct tape *tape);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_TAPE_H */
