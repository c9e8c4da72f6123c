/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arguments of -e, -i and -M, in order. They are kept until all options are
 * known: -d says which GPU their names mean.
 */
#ifndef DRMPERF_TOOL_SELECT_EVENT_LISTS_H
#define DRMPERF_TOOL_SELECT_EVENT_LISTS_H

#include "select/event_request.h"
#include "util/command.h"

struct event_list {
	const char *text;
	int option;
};

struct event_lists {
	struct event_list *list;
	size_t count;
	bool has_command; /* whose use of the GPU can be counted */
};

/*
 * Add the argument of an option: 'e', 'i' or 'M'. Returns 0, or the exit status
 * after a complaint.
 */
int
event_lists_add(const struct tool *tool, struct event_lists *lists, int option,
		const char *text);
/* Read the argument of one of these options into a struct event_lists. */
int
event_lists_add_events(struct tool *tool, const char *text, void *lists);
int
event_lists_add_file(struct tool *tool, const char *text, void *lists);
int
event_lists_add_groups(struct tool *tool, const char *text, void *lists);
/* Return whether the lists have metric groups, if only the default one. */
bool
event_lists_have_groups(const struct event_lists *lists);
/* Return whether a metric group is named in the lists. */
bool
event_lists_name_group(const struct event_lists *lists, const char *name,
		       size_t length);

/*
 * Read all events that the lists name, or the default group if there are none;
 * metric groups as metric_groups_add() takes the hint. Returns 0, or the exit
 * status after a complaint.
 */
int
event_lists_read(const struct tool *tool, const struct event_lists *lists,
		 const char *hint, struct event_request *wanted);
void
event_lists_finish(struct event_lists *lists);

/* Rows of -M, -d and --per-instance, for an object with lists and wanted. */
/* clang-format off */
#define EVENT_LISTS_OPTIONS(object)                                            \
	{ "metric-groups", 'M', "GROUPS",                                      \
	  COMMAND_READ(object, lists, event_lists_add_groups),                 \
	  .help = "events of these metric groups (drmperf list -M); without "  \
		  "-e, -i and -M: of \"default\"" },                           \
	{ "device", 'd', "DEVICE,...", COMMAND_CALL(choose_own_device),        \
	  .help = "the GPUs for names without :device=: number, PCI address "  \
		  "or node (card0, renderD128), or \"all\"; may be "           \
		  "repeated" },                                                \
	{ "per-instance", 0, NULL, COMMAND_FLAG(object, wanted.per_instance),  \
	  .help = "each instance in place of their sum" }
/* clang-format on */

#endif /* DRMPERF_TOOL_SELECT_EVENT_LISTS_H */
