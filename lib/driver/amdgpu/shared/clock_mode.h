/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clock modes, which the kernel calls stable power states: held while counters
 * run, by all processes of the user together (submit/pstate.h), and given back
 * with the last session.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SHARED_CLOCK_MODE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SHARED_CLOCK_MODE_H

#include <stdbool.h>

#include "driver/amdgpu/tables/gpu.h"
#include "driver/amdgpu/device/context.h"

struct clock_mode {
	enum drmperf_clock_mode mode; /* never AUTO */
	/*
	 * The mode was our choice and not asked for: counting goes on if it
	 * cannot be had, and the core clock's event shows whether that was
	 * possible.
	 */
	bool optional;
	int refused; /* error if it could not be set, or 0 */
	bool held; /* by this process, with or without others */
	/*
	 * A stable power state was set when counting began, by whatever
	 * program, and the clock of the counters stands still without one.
	 */
	bool is_stable;
};

/*
 * Decide on a mode. AUTO means what DRMPERF_CLOCK says, and without that
 * PROFILING if counters need it, else DEFAULT. -EINVAL if DRMPERF_CLOCK is not
 * a mode.
 */
int
clock_mode_choose(struct clock_mode *clock, enum drmperf_clock_mode asked,
		  bool counters_need_it, struct drmperf_error *error);

/* Return the kernel's word for a mode. */
enum stable_pstate
clock_mode_pstate(enum drmperf_clock_mode mode);

/* Explain why a mode could not be had: ret. */
int
clock_mode_explain_refused(enum drmperf_clock_mode mode, int ret,
			   const struct core *core,
			   struct drmperf_error *error);

/*
 * Begin to count in the mode. A state that another program or sysfs has set
 * is left alone, and nothing is held. -EBUSY if it is another one than the one
 * that was asked for; -ENOTSUP; -EINVAL.
 */
int
clock_mode_hold(struct clock_mode *clock, struct gpu *gpu,
		struct amd_context *ctx, struct drmperf_error *error);

/*
 * Check that counters can count if their clock stands still without a mode.
 * Returns 0, or the error of clock_mode_hold() if the mode was not asked for,
 * could not be set, and none is set by others.
 */
int
clock_mode_need(const struct clock_mode *clock, const struct core *core,
		struct amd_context *ctx, struct drmperf_error *error);

/* Return false if the state that was set when counting began has ended. */
bool
clock_mode_lasts(const struct clock_mode *clock, struct amd_context *ctx);

/*
 * Release the clock mode when counting ends; what is held stays until
 * gpu_leave_clock().
 */
void
clock_mode_release(struct clock_mode *clock, struct gpu *gpu);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SHARED_CLOCK_MODE_H */
