/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts shared by all pages of report_html(): their style, and a script for
 * values under the pointer, a cursor over all plots, and zoom.
 */
#ifndef DRMPERF_TOOL_REPORT_PAGE_H
#define DRMPERF_TOOL_REPORT_PAGE_H

extern const char page_style[], page_script[];

#endif /* DRMPERF_TOOL_REPORT_PAGE_H */
