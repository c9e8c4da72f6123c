/* SPDX-License-Identifier: BSD-3-Clause */
/* Times at which programs ran, from the events of processes in a recording. */
#ifndef DRMPERF_TOOL_REPORT_TIMELINE_H
#define DRMPERF_TOOL_REPORT_TIMELINE_H

#include "record/recording.h"

/* A process while it had one name: from fork or exec to exec or exit. */
struct span {
	pid_t process;
	const char *name; /* lives as long as the recording */
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
};

struct timeline {
	struct span *list; /* by their beginnings */
	size_t count;
};

/*
 * Read the spans. A span that has not ended when the recording does ends with
 * it. 0, -ENOMEM, or -EBADMSG; timeline_finish() either way.
 */
int
timeline_read(struct recording *recording, struct timeline *spans);
void
timeline_finish(struct timeline *spans);

#endif /* DRMPERF_TOOL_REPORT_TIMELINE_H */
