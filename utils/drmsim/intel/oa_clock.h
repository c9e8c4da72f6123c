/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock of OA timestamps, which may run apart from the engines'. */
#ifndef DRMSIM_INTEL_OA_CLOCK_H
#define DRMSIM_INTEL_OA_CLOCK_H

#include <stdint.h>

struct sim_oa_clock {
	uint64_t offset; /* ticks ahead of the engines' */
	int64_t drift_ppm;
	uint64_t drift_ns, drift_tick; /* what it has had at a moment */
};

/* Return the ticks without the offset, at a simulated time. */
uint64_t
sim_oa_clock_tick(const struct sim_oa_clock *clock, uint64_t hz, uint64_t ns);
/* Parse "200", "-200": how much faster it is from now on, in millionths. */
int
sim_oa_clock_set_drift(struct sim_oa_clock *clock, uint64_t hz, uint64_t now_ns,
		       const char *value);

#endif /* DRMSIM_INTEL_OA_CLOCK_H */
