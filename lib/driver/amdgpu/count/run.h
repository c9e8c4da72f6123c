/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of a GPU that count together.
 *
 * All functions but the keeper's are called by one thread at a time.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RUN_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RUN_H

#include <pthread.h>
#include <stdbool.h>

#include "driver/amdgpu/count/clock.h"
#include "driver/amdgpu/count/keeper.h"
#include "driver/amdgpu/count/lock.h"
#include "driver/amdgpu/count/selection.h"
#include "driver/amdgpu/count/tape.h"
#include "driver/amdgpu/gpu/gpu.h"
#include "driver/amdgpu/submit/channel.h"

struct gfx_run {
	struct gpu *gpu;
	struct lock lock;
	struct channel *channel;
	struct clock clock;
	uint32_t dies; /* mask of the one that counts; 0: there is but one */
	/* what is in the select registers, by block of the core */
	struct commands_block *blocks;
	struct selection *selection;
	struct tape *tape; /* of the selection */
	uint64_t timestamp; /* of the last sample */
	bool started;
	/* Why nothing can be read any more until stop; code 0: all is well. */
	struct drmperf_error failure;
	/* Samples narrow counters before they wrap; NULL: there are none. */
	struct keeper *keeper;
	/* Everything that samples, as soon as there is a keeper. */
	pthread_mutex_t mutex;
};

/* Make sure there is a keeper if the selection needs one. */
int run_keep(struct gfx_run *run, const struct selection *selection,
	     struct drmperf_error *error);

/* What a sample can tell about the time since the one before. */
enum run_trouble {
	RUN_FINE,
	RUN_BACKWARDS, /* a counter has lost what it had */
	RUN_GATED,     /* the witness stood still */
	RUN_LATE,      /* a narrow counter may have wrapped */
};

/*
 * After the totals have been brought up to date: is something wrong with the
 * time since the last sample? The selection, which may be about to replace the
 * run's, has a witness that had counted so far then.
 */
enum run_trouble run_check(const struct gfx_run *run,
			   const struct selection *selection,
			   uint64_t witnessed, uint64_t timestamp);

/* Put the trouble, or what is behind it, into run->failure; its code. */
int run_explain(struct gfx_run *run, enum run_trouble trouble,
		uint64_t timestamp);

/*
 * Say what is in run->failure and return its code. Where that does not mean
 * the end of the run, it is forgotten.
 */
int run_fail(struct gfx_run *run, struct drmperf_error *error);

/* Bring all totals up to date; what goes wrong is put into run->failure. */
int run_take_sample(struct gfx_run *run);

/* Put the events of a selection's counters into blocks. */
void run_select(struct commands_block *blocks,
		const struct selection *selection);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RUN_H */
