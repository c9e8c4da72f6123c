/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf report --stalls: where programs on a GPU wait, and for what.
 */
#ifndef DRMPERF_TOOL_REPORT_STALLS_H
#define DRMPERF_TOOL_REPORT_STALLS_H

#include "record/recording.h"
#include "report/kernel_names.h"

enum stalls_format {
	STALLS_TABLE,
	STALLS_CSV,
	STALLS_JSON,
	STALLS_FLAME, /* collapsed stacks */
	STALLS_SECTIONS, /* flame graphs, to be put into a page */
};

/* Settings of a report's output. */
struct stalls_report {
	enum stalls_format format;
	const char *separator; /* of CSV */
	const struct kernel_names *names;
};

/*
 * Write what was sampled. The recording has been read by stalls_read(). 0, or a
 * negative errno value.
 */
int
stalls_write(const struct recording *recording,
	     const struct stalls_report *report, FILE *out);
/* Read all of a recording: -ENODATA if nothing was sampled; -EBADMSG. */
int
stalls_read(struct recording *recording);

#endif /* DRMPERF_TOOL_REPORT_STALLS_H */
