/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Control events: what is measured in every pass, to tell whether the runs did
 * the same work.
 */
#ifndef DRMPERF_TOOL_STAT_REFERENCE_EVENT_H
#define DRMPERF_TOOL_STAT_REFERENCE_EVENT_H

#include "select/passes.h"

/*
 * Those that are named, which must fit every pass; none for ""; NULL: the best
 * that fits, for each GPU whose events are wanted. None of a single pass. 0, or
 * the exit status after a complaint; *controls is to be finished either way.
 */
int
stat_control_choose(const struct tool *tool, const char *named,
		    const struct choice *wanted, const struct passes *passes,
		    struct choice *controls);

/* Append the events of a pass, with the controls behind them. -ENOMEM. */
int
stat_control_pass(const struct choice *events, const struct choice *controls,
		  struct choice *out);

#endif /* DRMPERF_TOOL_STAT_REFERENCE_EVENT_H */
