/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hardware counters that were asked for: events (-e), and metric groups of
 * each GPU (-M). Only a GPU that is awake shows whose names they are.
 */
#ifndef DRMPERF_TOOL_TOP_COUNTERS_H
#define DRMPERF_TOOL_TOP_COUNTERS_H

#include "top/model.h"

struct top_counters {
	/* lists of names, joined by commas, or NULL; own */
	char *events, *groups;
	struct selection_list chosen; /* of the events, when they are known */
	bool events_known;
	bool *done; /* of each GPU, by its index */
	uint64_t found; /* bits: groups, by their place, that some GPU has */
};

/* Add names to one of the lists. 0, or -ENOMEM. */
int
top_counters_add(char **list, const char *names);

/* Return whether events can be found that need no GPU to be woken. */
bool
top_counters_due(const struct top_counters *counters,
		 const struct top_model *model);

/*
 * Count what can be found by now. 0, or the exit status after a complaint.
 */
int
top_counters_update(struct top_counters *counters, struct top_model *model);
void
top_counters_finish(struct top_counters *counters);

#endif /* DRMPERF_TOOL_TOP_COUNTERS_H */
