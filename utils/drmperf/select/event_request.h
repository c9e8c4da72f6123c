/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stat is to count: events, and which of them belong together.
 *
 *   -e A,{B,C},D     sets {A}, {B, C}, {D}
 *   -i FILE          a list, or lines "pmc: A B" of ROC profiler, a set each
 */
#ifndef DRMPERF_TOOL_SELECT_EVENT_REQUEST_H
#define DRMPERF_TOOL_SELECT_EVENT_REQUEST_H

#include "select/selection_list.h"

/* Events that are to be counted in one pass. */
struct wanted_set {
	size_t *events; /* indices in the choice */
	size_t count;
	bool is_line; /* "pmc:", which may take several passes if it must */
};

struct wanted {
	bool per_instance; /* each instance in place of their sum */
	/* own */
	struct choice choice;
	struct wanted_set *sets;
	size_t set_count;
};

/* 0, or the exit status after a complaint; wanted_finish() either way. */
int
wanted_add_list(const struct tool *tool, const char *list,
		struct wanted *wanted);
int
wanted_add_file(const struct tool *tool, const char *path,
		struct wanted *wanted);
/* Each of them on its own. 0, or -ENOMEM. */
int
wanted_add_choice(struct wanted *wanted, const struct choice *choice);
/*
 * Refuse what tells only of drmperf itself: 0, or the exit status after a
 * complaint.
 */
int
wanted_check_scopes(const struct tool *tool, const struct wanted *wanted);
void
wanted_finish(struct wanted *wanted);

#endif /* DRMPERF_TOOL_SELECT_EVENT_REQUEST_H */
