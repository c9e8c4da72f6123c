/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The passes that stat makes: those of the library's plan, unless that parts
 * what belongs together.
 */
#ifndef DRMPERF_TOOL_SELECT_PASSES_H
#define DRMPERF_TOOL_SELECT_PASSES_H

#include "select/event_request.h"

struct passes {
	struct selection_list *list; /* the events of each */
	size_t count;
};

/*
 * Make one pass, or as many as it takes. Returns 0, or the exit status after a
 * complaint; the caller calls passes_finish() either way.
 */
int
passes_make(const struct tool *tool, const struct event_request *wanted,
	    bool many, struct passes *passes);
void
passes_finish(struct passes *passes);

/* Return whether all events can be counted at once. */
bool
passes_fit(const struct tool *tool, const struct selection_list *events,
	   struct drmperf_error *error);

#endif /* DRMPERF_TOOL_SELECT_PASSES_H */
