/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EVENTS on the command line: names and shell patterns, separated by commas or
 * blanks.
 */
#ifndef DRMPERF_TOOL_CHOOSE_H
#define DRMPERF_TOOL_CHOOSE_H

#include "tool.h"

struct choice {
	struct drmperf_selection *selections;
	size_t count;
	size_t capacity;
};

/*
 * Append what a list names. Complains and returns TOOL_FAILED if a part of it
 * names nothing; 0 otherwise.
 */
int
choose_events(const struct tool *tool, const char *list, struct choice *choice);

/* Append one selection unless it is there already. 0, or -ENOMEM. */
int
choice_add(struct choice *choice, const struct drmperf_selection *selection);

void
choice_finish(struct choice *choice);

/*
 * The full name with the prefix "drm:::" or another one, in a buffer of the
 * caller's that is large enough for any name.
 */
#define NAME_SIZE 256
const char *
choice_name(const struct drmperf_selection *selection, const char *prefix,
	    char text[NAME_SIZE]);

#endif /* DRMPERF_TOOL_CHOOSE_H */
