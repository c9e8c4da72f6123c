/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long the machine has slept since it was started, in ns: CLOCK_BOOTTIME
 * counts sleep and CLOCK_MONOTONIC does not. They are read one after the other,
 * and the thread may be kept waiting in between.
 */
#ifndef DRMPERF_LIB_BASE_SUSPEND_TIME_H
#define DRMPERF_LIB_BASE_SUSPEND_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/monotonic.h"

/* No machine sleeps for less; clocks do not agree to the nanosecond. */
#define SUSPEND_MIN_NS 1000000

static inline uint64_t
suspend_boottime_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline uint64_t
suspend_at_most(void)
{
	const uint64_t awake = monotonic_ns();

	return suspend_boottime_ns() - awake;
}

static inline uint64_t
suspend_at_least(void)
{
	const uint64_t all = suspend_boottime_ns();
	const uint64_t awake = monotonic_ns();

	return all > awake ? all - awake : 0;
}

/* Return whether the machine has slept since suspend_at_most() gave this. */
static inline bool
suspend_since(uint64_t slept_ns)
{
	return suspend_at_least() > slept_ns + SUSPEND_MIN_NS;
}

#endif /* DRMPERF_LIB_BASE_SUSPEND_TIME_H */
