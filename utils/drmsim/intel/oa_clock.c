/* SPDX-License-Identifier: BSD-3-Clause */
#include "intel/oa_clock.h"

#include <errno.h>
#include <stdbool.h>

#include "base/word.h"

/* No crystal is that bad. */
#define DRIFT_MOST 10000

uint64_t
sim_oa_clock_tick(const struct sim_oa_clock *clock, uint64_t hz, uint64_t ns)
{
	const uint64_t since = ns > clock->drift_ns ? ns - clock->drift_ns : 0;
	const uint64_t rate = (uint64_t)(1000000 + clock->drift_ppm);

	if (!clock->drift_ppm && !clock->drift_ns)
		return (uint64_t)((unsigned __int128)ns * hz / 1000000000);
	return clock->drift_tick +
	       (uint64_t)((unsigned __int128)since * hz * rate / 1000000 /
			  1000000000);
}

int
sim_oa_clock_set_drift(struct sim_oa_clock *clock, uint64_t hz, uint64_t now_ns,
		       const char *value)
{
	bool slower = *value == '-';
	uint64_t ppm;

	if (sim_word_u64(value + slower, &ppm) || ppm > DRIFT_MOST)
		return -EINVAL;
	clock->drift_tick = sim_oa_clock_tick(clock, hz, now_ns);
	clock->drift_ns = now_ns;
	clock->drift_ppm = slower ? -(int64_t)ppm : (int64_t)ppm;
	return 0;
}
