/* SPDX-License-Identifier: BSD-3-Clause */
/* What a format of OA reports says of one slot. */
#ifndef DRMPERF_TESTS_DRIVER_OA_BITS_H
#define DRMPERF_TESTS_DRIVER_OA_BITS_H

#include "driver/intel/oa/format.h"

/* Return how many bits it has; 0 if the format lacks it. */
static inline unsigned
format_bits(const struct oa_format *format, unsigned slot)
{
	for (unsigned i = 0; i < OA_RUNS_MAX; i++) {
		const struct oa_run *run = &format->runs[i];

		if (slot >= run->slot && slot < run->slot + run->count)
			return run->bits;
	}
	return 0;
}

#endif /* DRMPERF_TESTS_DRIVER_OA_BITS_H */
