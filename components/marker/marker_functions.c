/* SPDX-License-Identifier: BSD-3-Clause */
/* What drmperf_marker.h calls. */
#include <drmperf_marker.h>

#include "mark_buffer.h"

static void
region_push(const char *name)
{
	mark_write(MARK_PUSH, 0, name);
}

static void
region_pop(void)
{
	mark_write(MARK_POP, 0, NULL);
}

static unsigned long long
range_start(const char *name)
{
	const uint64_t range = mark_new_range();

	mark_write(MARK_START, range, name);
	return range;
}

static void
range_stop(unsigned long long range)
{
	mark_write(MARK_STOP, range, NULL);
}

static void
instant_set(const char *name)
{
	mark_write(MARK_INSTANT, 0, name);
}

extern const struct drmperf_marker_functions drmperf_marker_functions;

__attribute__((visibility("default")))
const struct drmperf_marker_functions drmperf_marker_functions = {
	.size = sizeof(drmperf_marker_functions),
	.push = region_push,
	.pop = region_pop,
	.start = range_start,
	.stop = range_stop,
	.set = instant_set,
};
