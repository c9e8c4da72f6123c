/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drmperf top: what is asked (top.c), what is looked at (model.c, with rows,
 * sources, clients and counters), how it is looked at (view.c), and what is
 * drawn of it (frame.c), as lines for scripts or on a screen (screen.c).
 */
#ifndef DRMPERF_TOOL_TOP_STATE_H
#define DRMPERF_TOOL_TOP_STATE_H

#include "top/counters.h"
#include "top/frame.h"
#include "top/view.h"

struct top {
	struct tool *tool;
	struct top_model model;
	struct top_view view;
	struct top_frame frame;
	struct top_counters counters;
	unsigned period_ms;
	unsigned frames; /* how many; 0: until the end */
	bool batch;
	bool step; /* a frame per line of standard input, in place of time */
};

/*
 * Find the GPUs that are awake, whether counters that were requested can be
 * found then, which may print on standard error, and look at everything. 0, or
 * the exit status after a complaint.
 */
int
top_wake(struct top *top, bool *finds_counters);
int
top_sample(struct top *top, bool finds_counters);

/*
 * Run on the terminal, until the user quits. Returns the exit status;
 * TOOL_FAILED after a complaint, as where drmperf was built without ncursesw.
 */
int
top_screen_run(struct top *top);

#endif /* DRMPERF_TOOL_TOP_STATE_H */
