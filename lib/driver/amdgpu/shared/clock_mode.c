/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/shared/clock_mode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int
mode_from_environment(enum drmperf_clock_mode *out, struct drmperf_error *error)
{
	const char *text = secure_getenv("DRMPERF_CLOCK");

	*out = DRMPERF_CLOCK_AUTO;
	if (!text || !*text || !drmperf_clock_mode_find(text, out))
		return 0;
	error_set(error, -EINVAL, "DRMPERF_CLOCK is \"%s\"", text);
	error_remedy(error, "set it to auto, default, profiling, min-memory, "
			    "min-engine or peak, or unset it");
	return -EINVAL;
}

int
clock_mode_choose(struct clock_mode *clock, enum drmperf_clock_mode asked,
		  bool counters_need_it, struct drmperf_error *error)
{
	int ret = 0;

	if (asked == DRMPERF_CLOCK_AUTO)
		ret = mode_from_environment(&asked, error);
	if (ret)
		return ret;
	*clock = (struct clock_mode){ .mode = asked };
	if (asked != DRMPERF_CLOCK_AUTO)
		return 0;
	clock->optional = true;
	clock->mode = counters_need_it ? DRMPERF_CLOCK_PROFILING
				       : DRMPERF_CLOCK_DEFAULT;
	return 0;
}

enum stable_pstate
clock_mode_pstate(enum drmperf_clock_mode mode)
{
	switch (mode) {
	case DRMPERF_CLOCK_PROFILING:
		return STABLE_PSTATE_STANDARD;
	case DRMPERF_CLOCK_MIN_MEMORY:
		return STABLE_PSTATE_MIN_MCLK;
	case DRMPERF_CLOCK_MIN_ENGINE:
		return STABLE_PSTATE_MIN_SCLK;
	case DRMPERF_CLOCK_PEAK:
		return STABLE_PSTATE_PEAK;
	case DRMPERF_CLOCK_AUTO:
	case DRMPERF_CLOCK_DEFAULT:
		break;
	}
	return STABLE_PSTATE_NONE;
}

/*
 * Advise how to set a clock mode, without which some generations do not count.
 */
static void
error_advise_pstate(int ret, const struct core *core,
		    struct drmperf_error *error)
{
	const bool is_needed = core_clock_is_kernels(core);

	if (ret == -EBUSY)
		error_remedy(error, "%s",
			     is_needed ? "end that program, or write auto to "
					 "power_dpm_force_performance_level in "
					 "the GPU's folder of sysfs"
				       : "end that program, or count with "
					 "DRMPERF_CLOCK=default");
	else
		error_remedy(
			error, "%s",
			is_needed
				? "clock modes need Linux 5.17 and a GPU that "
				  "is not too hot; the counters of this GPU "
				  "stand still without one, so as root write "
				  "profile_standard to "
				  "power_dpm_force_performance_level in its "
				  "folder of sysfs"
				: "count with DRMPERF_CLOCK=default; clock "
				  "modes need Linux 5.17 and a GPU that is not "
				  "too hot");
}

int
clock_mode_explain_refused(enum drmperf_clock_mode mode, int ret,
			   const struct core *core, struct drmperf_error *error)
{
	const char *name = drmperf_clock_mode_name(mode);

	if (ret == -EBUSY)
		error_set(error, ret,
			  "cannot hold the clock mode %s: another "
			  "program holds the clocks",
			  name);
	else
		error_set(error, ret, "cannot hold the clock mode %s: %s", name,
			  strerror(-ret));
	error_advise_pstate(ret, core, error);
	return ret;
}

/*
 * Return whether the clock mode is still set: a write to sysfs may have ended
 * one that this process holds.
 */
static bool
is_held(const struct gpu_clock *held, const struct clock_mode *clock,
	struct amd_context *ctx)
{
	enum stable_pstate now = STABLE_PSTATE_NONE;

	if (!held->pstate || amd_context_get_pstate(ctx, &now))
		return false;
	return now == clock_mode_pstate(clock->mode) ||
	       (clock->optional && now != STABLE_PSTATE_NONE);
}

static int
gpu_clock_hold_mode(struct gpu_clock *held, struct clock_mode *clock,
		    struct amd_context *ctx)
{
	int ret;

	if (is_held(held, clock, ctx)) {
		clock->held = true;
		return 0;
	}
	if (held->counting)
		return -EBUSY;
	pstate_release(held->pstate);
	held->pstate = NULL;
	ret = pstate_hold(ctx, clock_mode_pstate(clock->mode), clock->optional,
			  &held->pstate);
	clock->held = held->pstate != NULL;
	return ret;
}

static void
look_at_state(struct clock_mode *clock, const struct core *core,
	      struct amd_context *ctx)
{
	enum stable_pstate now = STABLE_PSTATE_NONE;

	clock->is_stable = core_clock_is_kernels(core) &&
			   !amd_context_get_pstate(ctx, &now) &&
			   now != STABLE_PSTATE_NONE;
}

int
clock_mode_hold(struct clock_mode *clock, struct gpu *gpu,
		struct amd_context *ctx, struct drmperf_error *error)
{
	int ret = 0;

	if (clock->mode != DRMPERF_CLOCK_DEFAULT) {
		pthread_mutex_lock(&gpu->clock.lock);
		ret = gpu_clock_hold_mode(&gpu->clock, clock, ctx);
		gpu->clock.counting += clock->held;
		pthread_mutex_unlock(&gpu->clock.lock);
	}
	clock->refused = ret;
	look_at_state(clock, &gpu->core, ctx);
	if (!ret)
		return 0;
	if (!clock->optional)
		return clock_mode_explain_refused(clock->mode, ret, &gpu->core,
						  error);
	log_write(&gpu->log, DRMPERF_LOG_WARNING,
		  "cannot hold the clock mode %s, which the counters of this "
		  "GPU need: %s",
		  drmperf_clock_mode_name(clock->mode), strerror(-ret));
	return 0;
}

int
clock_mode_need(const struct clock_mode *clock, const struct core *core,
		struct amd_context *ctx, struct drmperf_error *error)
{
	enum stable_pstate now = STABLE_PSTATE_NONE;

	if (!clock->refused)
		return 0;
	if (!amd_context_get_pstate(ctx, &now) && now != STABLE_PSTATE_NONE)
		return 0;
	return clock_mode_explain_refused(clock->mode, clock->refused, core,
					  error);
}

bool
clock_mode_lasts(const struct clock_mode *clock, struct amd_context *ctx)
{
	enum stable_pstate now = STABLE_PSTATE_NONE;

	return !clock->is_stable || amd_context_get_pstate(ctx, &now) ||
	       now != STABLE_PSTATE_NONE;
}

void
clock_mode_release(struct clock_mode *clock, struct gpu *gpu)
{
	if (!clock->held)
		return;
	pthread_mutex_lock(&gpu->clock.lock);
	gpu->clock.counting--;
	pthread_mutex_unlock(&gpu->clock.lock);
	clock->held = false;
}
