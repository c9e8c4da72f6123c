/* SPDX-License-Identifier: BSD-3-Clause */
/* Events by topic: "-M memory", and "list -M". */
#ifndef DRMPERF_TOOL_SELECT_METRIC_GROUPS_H
#define DRMPERF_TOOL_SELECT_METRIC_GROUPS_H

#include "select/event_request.h"

/* Name of the group that is counted if no event was requested. */
#define METRIC_GROUPS_DEFAULT "default"

/*
 * Append groups of the GPUs of -d, or of the first GPU that has them and may
 * count them: all events or, with a hint, those that fit next to the other
 * requested events, the first of each group before its last; events left out
 * are reported, with the hint as the remedy. 0, or the exit status after a
 * complaint.
 */
int
metric_groups_add(const struct tool *tool, const char *names, const char *hint,
		  struct event_request *wanted);

/*
 * Append the default group, where no event was requested. Events that would be
 * refused, because the GPU's counters are those of one die of several, are left
 * out with a warning, and values from the kernel take their place: of the GPU,
 * and if there is a command of its use of the GPU.
 */
int
metric_groups_add_default(const struct tool *tool, const char *hint,
			  bool has_command, struct event_request *wanted);

/* Print those of all GPUs, or those of this name; the exit status. */
int
metric_groups_list(const struct tool *tool, const char *name, bool json);

#endif /* DRMPERF_TOOL_SELECT_METRIC_GROUPS_H */
