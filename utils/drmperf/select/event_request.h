/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events that stat is to count, in sets of those that belong together.
 *
 *   -e A,{B,C},D     sets {A}, {B, C}, {D}
 *   -i FILE          a list, or lines "pmc: A B" of ROC profiler, a set each
 */
#ifndef DRMPERF_TOOL_SELECT_EVENT_REQUEST_H
#define DRMPERF_TOOL_SELECT_EVENT_REQUEST_H

#include "select/selection_list.h"

/* Events that are to be counted in one pass. */
struct event_request_set {
	size_t *events; /* indices in the choice */
	size_t count;
	bool is_line; /* "pmc:", which may take several passes if it must */
};

struct event_request {
	bool per_instance; /* each instance in place of their sum */
	bool of_whole_gpu; /* of groups, leave out what shows drmperf itself */
	/* own */
	struct selection_list choice;
	struct event_request_set *sets;
	size_t set_count;
};

/*
 * Add the events of a list. Returns 0, or the exit status after a complaint;
 * the request is to be finished either way.
 */
int
event_request_add_list(const struct tool *tool, const char *list,
		       struct event_request *wanted);
int
event_request_add_file(const struct tool *tool, const char *path,
		       struct event_request *wanted);
/* Add each selection on its own. Returns 0, or -ENOMEM. */
int
event_request_add_choice(struct event_request *wanted,
			 const struct selection_list *choice);
/*
 * Refuse events that show only drmperf itself: 0, or the exit status after a
 * complaint.
 */
int
event_request_check_scopes(const struct tool *tool,
			   const struct event_request *wanted);
void
event_request_finish(struct event_request *wanted);

#endif /* DRMPERF_TOOL_SELECT_EVENT_REQUEST_H */
