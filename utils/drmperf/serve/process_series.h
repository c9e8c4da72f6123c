/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Series of the processes that use GPUs: how long they had an engine, and what
 * memory they have, as the kernel shows both to users who may look at them.
 */
#ifndef DRMPERF_TOOL_SERVE_PROCESS_SERIES_H
#define DRMPERF_TOOL_SERVE_PROCESS_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "serve/openmetrics.h"

struct process_series;

/* Return NULL without memory. */
struct process_series *
process_series_create(void);
void
process_series_destroy(struct process_series *series);

/*
 * Read the processes if they have not been read for some seconds; returns
 * whether that was done. The kernel adds up what clients of xe use when their
 * fdinfo is read, in 32 bits that wrap after 112 s, and a process that begins
 * to use a GPU is noticed some reads later: scrapes may be less frequent.
 */
bool
process_series_keep(struct process_series *series, uint64_t now_ns);

/* Read what the processes have used, and write it. */
void
process_series_write(struct process_series *series,
		     const struct openmetrics *openmetrics);

/*
 * Find the Slurm job of a process in the text of its /proc/PID/cgroup, or in
 * the size bytes of its /proc/PID/environ. Returns a number as text, "" if it
 * is in no job.
 */
#define PROCESS_JOB_SIZE 24
const char *
process_job_find(const char *cgroup, const char *environment, size_t size,
		 char job[PROCESS_JOB_SIZE]);

#endif /* DRMPERF_TOOL_SERVE_PROCESS_SERIES_H */
