/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events by what they tell of: "-M memory", and "list -M".
 */
#ifndef DRMPERF_TOOL_SELECT_METRIC_GROUPS_H
#define DRMPERF_TOOL_SELECT_METRIC_GROUPS_H

#include "select/event_request.h"

/* What is counted where nothing is asked for. */
#define METRIC_GROUPS_DEFAULT "default"

/*
 * Append what groups of the GPUs of -d have, or of the first GPU that has them
 * and may count them: all of it, or with a hint what fits beside the rest of
 * what is wanted, the first of each group before its last; what is left out is
 * told, with the hint at what helps. 0, or the exit status after a complaint.
 */
int
metric_groups_add(const struct tool *tool, const char *names, const char *hint,
		  struct event_request *wanted);

/*
 * The same with the default group, where nobody has asked for anything: what
 * would be refused, because the GPU's counters are those of one die of several,
 * is left out with a warning, and what the kernel tells takes its place: of the
 * GPU, and if there is one of a command's use of it.
 */
int
metric_groups_add_default(const struct tool *tool, const char *hint,
			  bool has_command, struct event_request *wanted);

/* Print those of all GPUs, or those of this name; the exit status. */
int
metric_groups_list(const struct tool *tool, const char *name, bool json);

#endif /* DRMPERF_TOOL_SELECT_METRIC_GROUPS_H */
