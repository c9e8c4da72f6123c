/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of kernel PMUs that count together: one perf group, and so one
 * read(), for each PMU and each thread or CPU it is counted for.
 */
#ifndef DRMPERF_LIB_DRIVER_PERF_EVENT_RUN_H
#define DRMPERF_LIB_DRIVER_PERF_EVENT_RUN_H

#include <sys/types.h>

#include "driver/driver.h"
#include "driver/perf_event/counter.h"

/*
 * Open the counters, which have to outlive the run. pid is
 * a process whose threads are counted, with those that they start later; 0:
 * the calling one; -1: all that runs. PMUs that cannot tell processes apart
 * count all in any case.
 *
 * Returns 0; -EACCES; -ENOENT or -ENODEV if the PMU or the event has gone;
 * -ENOSPC if the PMU has too few counters; -ESRCH if there is no such process;
 * -EAGAIN if it never stops starting threads; -EMFILE; -ENOMEM; the PMU's
 * errors. With partial, -ENODEV only if the kernel counts none of the counters;
 * the samples lack those that it does not count.
 */
int
perf_run_open(const struct perf_counter *const *counters, size_t count,
	      pid_t pid, bool partial, void **out, struct drmperf_error *error);

/* Implement the functions of struct domain_ops but arm; there is no change. */
int
perf_run_start(void *run, struct drmperf_error *error);
int
perf_run_sample(void *run, enum drmperf_read_mode mode, uint64_t *raw,
		uint64_t *time_ns, struct drmperf_error *error);
int
perf_run_missing(const void *run, size_t request, struct drmperf_error *error);
int
perf_run_stop(void *run, struct drmperf_error *error);
void
perf_run_close(void *run);

#endif /* DRMPERF_LIB_DRIVER_PERF_EVENT_RUN_H */
