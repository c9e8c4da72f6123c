/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two measurements side by side: recordings, or documents that stat --json
 * wrote.
 */
#ifndef DRMPERF_TOOL_REPORT_DIFF_H
#define DRMPERF_TOOL_REPORT_DIFF_H

#include <stdio.h>

#include "util/tool.h"

/*
 * Write a table of the values of two files, with the change from the first to
 * the second and whether it is larger than the spread of the runs; as text, or
 * as a page of HTML. Returns 0, or TOOL_FAILED after a complaint.
 */
int
report_diff(const struct tool *tool, const char *const paths[2], FILE *out,
	    bool html);

#endif /* DRMPERF_TOOL_REPORT_DIFF_H */
