/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reasons why the kernel refuses perf events, with a remedy.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_PERMISSION_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_PERMISSION_H

#include <stdbool.h>

#include "driver/perf_event/counter.h"
#include "drmperf.h"

/*
 * Check that the kernel lets this process count the counter in processes of the
 * user, or in all if it cannot tell them apart, as far as files show.
 */
bool
perf_permission_may_count(const struct perf_counter *counter);

/*
 * Explain -EACCES or -EPERM for the counter, which was to count all that runs
 * (everywhere), or processes of the user. Returns -EACCES.
 */
int
perf_permission_explain(const struct perf_counter *counter, bool everywhere,
			struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_PERMISSION_H */
