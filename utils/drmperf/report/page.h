/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts shared by all pages of report_html(): their style, and a script for
 * values under the pointer, a cursor over all plots, and zoom.
 */
#ifndef DRMPERF_TOOL_REPORT_PAGE_H
#define DRMPERF_TOOL_REPORT_PAGE_H

#include <stdio.h>

extern const char page_style[], page_script[];

/* Print a text as a page has it: with entities, without control characters. */
void
page_print_text(FILE *out, const char *text);

#endif /* DRMPERF_TOOL_REPORT_PAGE_H */
