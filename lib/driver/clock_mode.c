/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "drmperf.h"

static const char *const names[] = {
	[DRMPERF_CLOCK_AUTO] = "auto",
	[DRMPERF_CLOCK_DEFAULT] = "default",
	[DRMPERF_CLOCK_PROFILING] = "profiling",
	[DRMPERF_CLOCK_MIN_MEMORY] = "min-memory",
	[DRMPERF_CLOCK_MIN_ENGINE] = "min-engine",
	[DRMPERF_CLOCK_PEAK] = "peak",
};

const char *
drmperf_clock_mode_name(enum drmperf_clock_mode mode)
{
	return mode <= DRMPERF_CLOCK_PEAK ? names[mode] : "";
}

int
drmperf_clock_mode_find(const char *name, enum drmperf_clock_mode *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(name, names[i])) {
			*out = (enum drmperf_clock_mode)i;
			return 0;
		}
	}
	return -EINVAL;
}
