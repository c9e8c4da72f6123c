/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofline of a page: operations in a second over operations per byte, both
 * on logarithmic axes, with the roofs of the GPU and a point of each interval.
 */
#ifndef DRMPERF_TOOL_REPORT_ROOFLINE_PLOT_H
#define DRMPERF_TOOL_REPORT_ROOFLINE_PLOT_H

#include "report/outputs.h"

/* Print a plot for each GPU that has one. 0, or a negative errno value. */
int
roofline_plot_print(struct recording *recording,
		    const struct report_overview *overview, FILE *out);

#endif /* DRMPERF_TOOL_REPORT_ROOFLINE_PLOT_H */
