/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Control events, which are measured in every pass: they show whether the runs
 * did the same work.
 */
#ifndef DRMPERF_TOOL_STAT_REFERENCE_EVENT_H
#define DRMPERF_TOOL_STAT_REFERENCE_EVENT_H

#include "select/passes.h"

/*
 * Choose the events that are named, which must fit every pass; none for ""; for
 * NULL the best that fits, for each GPU whose events are wanted. None for a
 * single pass. 0, or the exit status after a complaint; *controls is to be
 * finished either way.
 */
int
reference_event_choose(const struct tool *tool, const char *named,
		       const struct selection_list *wanted,
		       const struct passes *passes,
		       struct selection_list *controls);

/* Append the events of a pass, with the controls behind them. -ENOMEM. */
int
reference_event_pass(const struct selection_list *events,
		     const struct selection_list *controls,
		     struct selection_list *out);

#endif /* DRMPERF_TOOL_STAT_REFERENCE_EVENT_H */
