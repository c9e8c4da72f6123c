/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why the kernel refuses perf events, and who can change that.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_PERMISSION_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_PERMISSION_H

#include <stdbool.h>

#include "driver/perf_event/counter.h"
#include "drmperf.h"

/*
 * -EACCES or -EPERM came for the counter, which was to count all that runs,
 * or processes of the user. Returns -EACCES.
 */
int
perf_permission_explain(const struct perf_counter *counter, bool everywhere,
			struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_PERMISSION_H */
