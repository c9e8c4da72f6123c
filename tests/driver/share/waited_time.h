/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time that passes by waiting only, for suites that are linked with wrappers of
 * clock_gettime(), nanosleep(), futex_wait() and futex_wake().
 */
#ifndef DRMPERF_TESTS_DRIVER_SHARE_WAITED_TIME_H
#define DRMPERF_TESTS_DRIVER_SHARE_WAITED_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define SECOND INT64_C(1000000000)

struct waited_time {
	bool is_made_up; /* else it passes as ever */
	struct timespec since; /* when that began: libcheck reads it, too */
	int64_t ns; /* waited since then */
	unsigned waits, wakes; /* calls of futex_wait() and futex_wake() */
};
extern struct waited_time waited_time;

/* Let time pass by waiting only, until is_made_up is false again. */
void
waited_time_begin(void);

/* Sleep for a time that passes in any case. */
void
waited_time_sleep(const struct timespec *time);

#endif /* DRMPERF_TESTS_DRIVER_SHARE_WAITED_TIME_H */
