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
#include "driver/amdgpu/count/heir.h"
#include "driver/amdgpu/count/keeper.h"
#include "driver/amdgpu/count/ledger.h"
#include "driver/amdgpu/count/selection.h"
#include "driver/amdgpu/count/tape.h"
#include "driver/amdgpu/gpu/gpu.h"
#include "driver/amdgpu/submit/channel.h"

struct gfx_run {
	struct gpu *gpu;
	struct ledger *ledger; /* with who else counts */
	struct channel *channel;
	struct clock asked; /* for */
	struct clock clock;
	bool has_baton; /* so the clocks are ours */
	struct heir *heir; /* NULL: they are, or the mode is the usual one */
	struct counter_request *requests;
	size_t request_count;
	uint32_t dies; /* mask of the one that counts; 0: there is but one */
	/* what is in the select registers, by instance of the core */
	struct commands_selects *selects;
	struct selection *selection;
	struct tape *tape; /* of the selection */
	uint32_t claims; /* of the ledger when it was written */
	uint64_t timestamp; /* of the last sample */
	uint64_t given; /* the same of the values that were given last */
	/*
	 * Ticks of that clock after which the witness has something to tell,
	 * and after which a narrow counter may have wrapped; UINT64_MAX: the
	 * clock cannot be told.
	 */
	uint64_t witness_ticks, wrap_ticks;
	uint64_t timestamp_hz; /* of that clock; 0: it cannot be told */
	bool started;
	/* Why nothing can be read any more until stop; code 0: all is well. */
	struct drmperf_error failure;
	/* Samples narrow counters before they wrap; NULL: there are none. */
	struct keeper *keeper;
	/* Everything that samples, as soon as there is a keeper. */
	pthread_mutex_t mutex;
};

/*
 * Refuse to count what stands still without a clock mode that the kernel has
 * refused. The errors of clock_need().
 */
int run_check_clock(struct gfx_run *run, const struct selection *selection,
		    struct drmperf_error *error);

/* Make sure there is a keeper if the selection needs one. */
int run_keep(struct gfx_run *run, const struct selection *selection,
	     struct drmperf_error *error);

/* Find out what run_check() compares times with. */
void run_set_limits(struct gfx_run *run);

/* What a sample can tell about the time since the one before. */
enum run_trouble {
	RUN_FINE,
	RUN_BACKWARDS, /* a counter has lost what it had */
	RUN_GATED,     /* the witness stood still */
	RUN_LATE,      /* a narrow counter may have wrapped */
	RUN_FULL,      /* a narrow counter stands at its greatest value */
	RUN_STOLEN,    /* registers are not as they were programmed */
};

/*
 * After the totals have been brought up to date: is something wrong with the
 * time since the last sample? The selection, which may be about to replace the
 * run's, has a witness that had counted so far then.
 */
enum run_trouble run_check(const struct gfx_run *run,
			   const struct selection *selection,
			   uint64_t witnessed, uint64_t timestamp);

/*
 * Put the trouble of a sample, or what is behind it, into run->failure; its
 * code.
 */
int run_explain(struct gfx_run *run, const struct selection *selection,
		const struct tape *tape, enum run_trouble trouble,
		uint64_t timestamp);

/*
 * Say what is in run->failure and return its code. Where that does not mean
 * the end of the run, it is forgotten.
 */
int run_fail(struct gfx_run *run, struct drmperf_error *error);

/* The operation of the domain. */
int run_sample(void *run, enum drmperf_read_mode mode, uint64_t *raw,
	       uint64_t *time_ns, struct drmperf_error *error);

/* To be freed; NULL: no memory. */
struct counter_request *
run_copy_requests(const struct counter_request *requests, size_t count);

/* After tape_run(): what it tells of the GPU concerns all who count. */
int run_tell(struct gfx_run *run, int ret);

/* Has the slot of the witness been taken by others? Then there is none. */
bool
run_lose_witness(struct gfx_run *run);

/* Somebody has found that the counters are lost: -ECANCELED. */
int run_say_lost(struct gfx_run *run);

/*
 * As tape_create(), for the selection of a run that may not be alone; with a
 * marker of its own if it is to begin alone.
 */
int
run_write_tape(const struct gfx_run *run, struct selection *selection,
	       const struct selection *moved,
	       const struct commands_selects *selects, bool begins,
	       struct tape **out, struct drmperf_error *error);

/* Whether the marker, if there is one, is in the sample of the tape as well. */
bool run_is_marked(const struct gfx_run *run, struct tape *tape);

/*
 * Write the tape for a selection that becomes the run's, or is it already,
 * beside all that others have programmed. -ENOMEM and the errors of
 * tape_create() leave the run as it was.
 */
int run_take_over(struct gfx_run *run, struct selection *selection,
		  struct drmperf_error *error);

/* The same tape again if others have programmed slots since it was written. */
int run_keep_up(struct gfx_run *run, struct drmperf_error *error);

/*
 * Refuse what is to be selected while counters run, where that has no effect:
 * -EBUSY.
 */
int
run_check_selects(const struct gfx_run *run,
		  const struct commands_selects *selects,
		  struct drmperf_error *error);

/* Put the events of a selection's counters into selects. */
void
run_select(struct commands_selects *selects, const struct selection *selection);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RUN_H */
