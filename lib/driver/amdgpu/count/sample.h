/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of a run, what can be wrong with one, and its error messages. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_SAMPLE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_SAMPLE_H

#include "driver/amdgpu/count/run.h"

/* Problems that a sample can show about the time since the one before. */
enum run_trouble {
	RUN_FINE,
	RUN_BACKWARDS, /* a counter has lost what it had */
	RUN_TIME_BACK, /* the GPU's timestamps went backwards */
	RUN_GATED, /* the core clock's event stood still */
	RUN_STILL, /* the block's clock of a block did */
	RUN_LATE,      /* a narrow counter may have wrapped */
	RUN_FULL,      /* a narrow counter stands at its greatest value */
	RUN_STOLEN,    /* registers are not as they were programmed */
	RUN_MODE_ENDED, /* the clock mode did, and the clock with it */
};

/*
 * Return what is wrong with the time since the last sample, after the totals
 * have been brought up to date. The selection, which may be about to replace
 * the run's, has an event of the core clock that had counted core_clock_total
 * then.
 */
enum run_trouble
run_check(const struct gfx_run *run, const struct selection *selection,
	  uint64_t core_clock_total, uint64_t timestamp);

/*
 * Check the clocks of blocks in that way, by what the last sample shows. Blocks
 * whose clock is not known to run all the time are reported in the log only.
 */
enum run_trouble
run_check_block_clocks(const struct gfx_run *run, struct ibs *ibs);

/*
 * Return whether, after a sample, the clock mode has ended. The kernel is asked
 * if other programs hold the mode, or if other processes have begun or ceased
 * to count.
 */
bool run_mode_has_ended(struct gfx_run *run);

/*
 * Put the trouble of a sample, or what is behind it, into run->failure; its
 * code.
 */
int
run_explain(struct gfx_run *run, const struct selection *selection,
	    const struct ibs *ibs, enum run_trouble trouble,
	    uint64_t timestamp);

/*
 * Say what is in run->failure and return its code. Where that does not mean
 * the end of the run, it is forgotten.
 */
int run_fail(struct gfx_run *run, struct drmperf_error *error);

/* The operations of the domain. */
int run_sample(void *run, enum drmperf_read_mode mode, uint64_t *raw,
	       uint64_t *time_ns, struct drmperf_error *error);
int
run_submit_sample(void *run, enum drmperf_read_mode mode,
		  struct drmperf_error *error);
int
run_wait_sample(void *run, bool briefly, uint64_t *raw, uint64_t *time_ns,
		struct drmperf_error *error);

/*
 * Log that other programs' steering cannot be noticed, if so, after IBs have
 * begun or changed what counts.
 */
void
run_note_steering(const struct gfx_run *run, const struct ibs *ibs);

/* Keep the last sample for reads of the latest values. */
void
run_publish(struct gfx_run *run);

/* Make sure there is a thread if the selection, or such reads, need one. */
int run_keep(struct gfx_run *run, const struct selection *selection,
	     struct drmperf_error *error);

/*
 * Pass on the result of ibs_run(): a problem with the GPU concerns all
 * processes that count.
 */
int run_tell(struct gfx_run *run, int ret);

/*
 * Has the slot of the core clock's event been taken by others? Then there is
 * none.
 */
bool
run_lose_core_clock(struct gfx_run *run);

/* Report that another process has found the counters lost: -ECANCELED. */
int run_say_lost(struct gfx_run *run);

/*
 * Return whether the reset check, if there is one, holds in the sample of the
 * IBs.
 */
bool
run_is_marked(const struct gfx_run *run, struct ibs *ibs);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_SAMPLE_H */
