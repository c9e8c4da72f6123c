/* SPDX-License-Identifier: BSD-3-Clause */
/* A chunk of a file for RGP: what counters have counted in intervals. */
#ifndef DRMPERF_COMPONENTS_RGP_RGP_COUNTERS_H
#define DRMPERF_COMPONENTS_RGP_RGP_COUNTERS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A counter of a block, by AMD's numbers. */
struct rgp_counter {
	uint32_t block, instance, number;
};

struct rgp_counters {
	const struct rgp_counter *list;
	size_t count;
	uint32_t period_cycles; /* of an interval */
	size_t sample_count;
	const uint64_t *times; /* when intervals ended, in ticks of the GPU */
	const uint32_t *values;
	/* from a value to that of the next counter, and of the next interval */
	size_t counter_step, sample_step;
};

/* Return the size of the chunk. */
uint64_t
rgp_counters_size(const struct rgp_counters *counters);
void
rgp_put_counters(FILE *out, const struct rgp_counters *counters);

#endif /* DRMPERF_COMPONENTS_RGP_RGP_COUNTERS_H */
