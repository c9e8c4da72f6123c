/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/clock.h"

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
clock_choose(struct clock *clock, enum drmperf_clock_mode asked,
	     bool counters_need_it, struct drmperf_error *error)
{
	int ret = 0;

	if (asked == DRMPERF_CLOCK_AUTO)
		ret = mode_from_environment(&asked, error);
	if (ret)
		return ret;
	*clock = (struct clock){ .mode = asked };
	if (asked != DRMPERF_CLOCK_AUTO)
		return 0;
	clock->optional = true;
	clock->mode = counters_need_it ? DRMPERF_CLOCK_PROFILING
				       : DRMPERF_CLOCK_DEFAULT;
	return 0;
}

static enum channel_clock
channel_clock(enum drmperf_clock_mode mode)
{
	switch (mode) {
	case DRMPERF_CLOCK_PROFILING:
		return CHANNEL_CLOCK_STANDARD;
	case DRMPERF_CLOCK_MIN_MEMORY:
		return CHANNEL_CLOCK_MIN_MEMORY;
	case DRMPERF_CLOCK_MIN_ENGINE:
		return CHANNEL_CLOCK_MIN_ENGINE;
	case DRMPERF_CLOCK_PEAK:
		return CHANNEL_CLOCK_PEAK;
	case DRMPERF_CLOCK_AUTO:
	case DRMPERF_CLOCK_DEFAULT:
		break;
	}
	return CHANNEL_CLOCK_NORMAL;
}

static int
say_refused(const struct clock *clock, int ret, struct drmperf_error *error)
{
	const char *mode = drmperf_clock_mode_name(clock->mode);

	if (ret == -EBUSY) {
		error_set(error, ret,
			  "cannot hold the clock mode %s: another "
			  "program holds the clocks",
			  mode);
		error_remedy(error, "end that program, or count with "
				    "DRMPERF_CLOCK=default");
		return ret;
	}
	error_set(error, ret, "cannot hold the clock mode %s: %s", mode,
		  strerror(-ret));
	error_remedy(error, "count with DRMPERF_CLOCK=default; clock modes "
			    "need Linux 5.17 and a GPU that is not too hot");
	return ret;
}

int
clock_hold(struct clock *clock, struct channel *channel,
	   const struct log_sink *log, struct drmperf_error *error)
{
	int ret;

	if (clock->mode == DRMPERF_CLOCK_DEFAULT)
		return 0;
	ret = channel_set_clock(channel, channel_clock(clock->mode));
	clock->held = !ret;
	clock->refused = ret;
	if (!ret)
		return 0;
	if (!clock->optional)
		return say_refused(clock, ret, error);
	log_write(log, DRMPERF_LOG_WARNING,
		  "cannot hold the clock mode %s, which the counters of this "
		  "GPU need: %s",
		  drmperf_clock_mode_name(clock->mode), strerror(-ret));
	return 0;
}

int
clock_need(const struct clock *clock, struct channel *channel,
	   struct drmperf_error *error)
{
	enum channel_clock others = CHANNEL_CLOCK_NORMAL;

	if (!clock->refused)
		return 0;
	if (!channel_get_clock(channel, &others) &&
	    others != CHANNEL_CLOCK_NORMAL)
		return 0;
	return say_refused(clock, clock->refused, error);
}

int
clock_release(struct clock *clock, struct channel *channel,
	      struct drmperf_error *error)
{
	int ret;

	if (!clock->held)
		return 0;
	ret = channel_set_clock(channel, CHANNEL_CLOCK_NORMAL);
	clock->held = ret;
	if (!ret)
		return 0;
	error_set(error, ret, "cannot give back the clock mode %s: %s",
		  drmperf_clock_mode_name(clock->mode), strerror(-ret));
	error_remedy(error, "the kernel takes it back when this program ends, "
			    "or gives up the GPU");
	return ret;
}

void
clock_forget(struct clock *clock)
{
	clock->held = false;
}
