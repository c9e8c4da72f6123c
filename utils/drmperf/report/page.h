/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of pages. All share a style, and a script for values under the pointer,
 * a cursor over all plots, and zoom; the page of a recording has a roofline.
 */
#ifndef DRMPERF_TOOL_REPORT_PAGE_H
#define DRMPERF_TOOL_REPORT_PAGE_H

#include <stdio.h>

struct recording;
struct report_overview;

extern const char page_style[], page_script[];

/* Print a text as a page has it: with entities, without control characters. */
void
page_print_text(FILE *out, const char *text);

/*
 * Print the roofline of each GPU that has one: operations in a second over
 * operations per byte, both on logarithmic axes, with the roofs of the GPU and
 * a point of each interval. Returns 0, or a negative errno value. See
 * roofline_plot.c.
 */
int
roofline_plot_print(struct recording *recording,
		    const struct report_overview *overview, FILE *out);

#endif /* DRMPERF_TOOL_REPORT_PAGE_H */
