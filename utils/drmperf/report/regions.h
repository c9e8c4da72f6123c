/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions that programs marked, from the marks in a recording. */
#ifndef DRMPERF_TOOL_REPORT_REGIONS_H
#define DRMPERF_TOOL_REPORT_REGIONS_H

#include "record/recording.h"

struct region {
	pid_t process;
	/* whose region it is, in which others lie; 0: a range of the process */
	pid_t thread;
	const char *name; /* lives as long as the recording */
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC; alike: an instant */
	bool is_instant;
};

struct regions {
	struct region *list; /* by their beginnings, outer ones first */
	size_t count;
};

/*
 * Read the regions. One that does not end, ends with its thread, its process or
 * the recording. Returns 0, -ENOMEM, or -EBADMSG; regions_finish() either way.
 */
int
regions_read(struct recording *recording, struct regions *regions);
void
regions_finish(struct regions *regions);

#endif /* DRMPERF_TOOL_REPORT_REGIONS_H */
