/* SPDX-License-Identifier: BSD-3-Clause */
/* Peak rates of a GPU, and the share that was reached. */
#ifndef DRMPERF_TOOL_VERDICT_PEAKS_H
#define DRMPERF_TOOL_VERDICT_PEAKS_H

#include "select/selection_list.h"
#include "util/tool.h"

struct peaks {
	struct drmperf_peaks **devices; /* of each one that has events */
	size_t count;
};

/*
 * Read the peaks of the devices of these events. 0, or the exit status after a
 * complaint.
 */
int
peaks_read(const struct tool *tool, const struct selection_list *choice,
	   struct peaks *out);
void
peaks_finish(struct peaks *peaks);

/*
 * Return the first peak that an event counts towards, or NULL. One instance is
 * not what the peak is of.
 */
const struct drmperf_peak *
peaks_find(const struct peaks *peaks, const struct drmperf_selection *of);

/*
 * Return the share of a peak that this rate is, in percent. NaN where it is
 * above 100 by more than clocks differ, since what was counted is then not what
 * the peak is of, and where nothing was counted.
 */
double
peak_share(const struct drmperf_peak *peak, double per_second);

#endif /* DRMPERF_TOOL_VERDICT_PEAKS_H */
