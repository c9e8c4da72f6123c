/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Averages replaced by the counters that they are made of, and how to compute
 * them from the differences of these.
 */
#ifndef DRMPERF_TOOL_SELECT_AVERAGE_PARTS_H
#define DRMPERF_TOOL_SELECT_AVERAGE_PARTS_H

#include "select/selection_list.h"

struct average_parts {
	struct selection_list choice; /* to be counted */
	struct selection_list replaced; /* by what of that, tell: */
	struct drmperf_formula **formulas;
};

/*
 * Find the replacements of the events. Averages that cannot be replaced stay,
 * with a warning; events that are no averages stay, too. 0, or the exit status
 * after a complaint; average_parts_finish() either way.
 */
int
average_parts_find(const struct tool *tool, const struct selection_list *events,
		   const struct drmperf_plan_options *options,
		   struct average_parts *parts);
void
average_parts_finish(struct average_parts *parts);

#endif /* DRMPERF_TOOL_SELECT_AVERAGE_PARTS_H */
