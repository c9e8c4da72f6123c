/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting on the kernel that this machine has, and work of which it is known
 * how much it is.
 */
#ifndef DRMPERF_TESTS_DRIVER_PERF_EVENT_HOST_H
#define DRMPERF_TESTS_DRIVER_PERF_EVENT_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/driver/counting.h"
#include "tests/support/suite.h"

#define TASK_CLOCK "perf::TASK-CLOCK"
#define FAULTS "perf::PAGE-FAULTS"
#define SWITCHES "perf::CONTEXT-SWITCHES"

/* Pages touched where a number is compared, and what may come on top of it. */
#define PAGES 3000
#define BESIDE 1500 /* sanitizers and valgrind touch pages of their own */

/*
 * Return whether no process may count, or the kernel has no perf events at all.
 */
bool host_is_refused(int ret);

/*
 * Run a session. Returns false, with a line that says so, if the kernel lets no
 * process count; the session is destroyed then.
 */
bool
host_run(struct drmperf_session *session, const char *test);

/* Cause as many page faults as pages. */
void host_touch_pages(size_t pages);
void host_check_faults(uint64_t value, size_t pages);

/* Start a child that waits for a byte, then touches PAGES pages and exits. */
void
host_start_child(struct child *child);

#endif /* DRMPERF_TESTS_DRIVER_PERF_EVENT_HOST_H */
