/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clock of samples: CLOCK_MONOTONIC, in ns.
 */
#ifndef DRMPERF_LIB_BASE_MONOTONIC_H
#define DRMPERF_LIB_BASE_MONOTONIC_H

#include <stdint.h>
#include <time.h>

static inline uint64_t
monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif /* DRMPERF_LIB_BASE_MONOTONIC_H */
