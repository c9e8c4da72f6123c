/* SPDX-License-Identifier: BSD-3-Clause */
/* A page of what drmperf stat --kernels --json has written. */
#ifndef DRMPERF_TOOL_REPORT_KERNELS_PAGE_H
#define DRMPERF_TOOL_REPORT_KERNELS_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "util/tool.h"

/* Return whether a file is JSON, and no recording. */
bool
kernels_page_is_for(const char *path);

/* Write the page. Returns 0, or TOOL_FAILED after a complaint. */
int
kernels_page_write(const struct tool *tool, const char *path, FILE *out);

#endif /* DRMPERF_TOOL_REPORT_KERNELS_PAGE_H */
