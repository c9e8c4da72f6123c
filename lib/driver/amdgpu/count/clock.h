/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clock modes, which the kernel calls stable power states: held by a context,
 * taken back by the kernel when the context ends, however that happens.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_CLOCK_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_CLOCK_H

#include <stdbool.h>

#include "driver/amdgpu/submit/channel.h"

struct clock {
	enum drmperf_clock_mode mode; /* never AUTO */
	/*
	 * The mode was our choice and not asked for: counting goes on if it
	 * cannot be had, and the witness tells whether that was possible.
	 */
	bool optional;
	int refused; /* why it could not be had, or 0 */
	bool held;
};

/*
 * Decide on a mode. AUTO means what DRMPERF_CLOCK says, and without that
 * PROFILING if counters need it, else DEFAULT. -EINVAL if DRMPERF_CLOCK is not
 * a mode.
 */
int clock_choose(struct clock *clock, enum drmperf_clock_mode asked,
		 bool counters_need_it, struct drmperf_error *error);

/* -EBUSY if another context holds a mode; -ENOTSUP; -EINVAL. */
int clock_hold(struct clock *clock, struct channel *channel,
	       const struct log_sink *log, struct drmperf_error *error);

/*
 * For counters whose clock stands still without a mode: those of clock_hold()
 * if it was not asked for and could not be had, and nobody else holds one.
 */
int clock_need(const struct clock *clock, struct channel *channel,
	       struct drmperf_error *error);

/* A mode that cannot be given back is held still: there may be a next try. */
int clock_release(struct clock *clock, struct channel *channel,
		  struct drmperf_error *error);

/* The context has ended, and the mode with it. */
void clock_forget(struct clock *clock);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_CLOCK_H */
