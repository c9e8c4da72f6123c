/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/event_lists.h"

#include <stdlib.h>
#include <string.h>

#include "select/metric_groups.h"
#include "util/array.h"

int
event_lists_add(const struct tool *tool, struct event_lists *lists, int option,
		const char *text)
{
	struct event_list *list =
		array_add(&lists->list, &lists->count, sizeof(*list));

	if (!list)
		return tool_fail(tool, "no memory");
	*list = (struct event_list){ .text = text, .option = option };
	return 0;
}

int
event_lists_add_events(struct tool *tool, const char *text, void *lists)
{
	return event_lists_add(tool, lists, 'e', text);
}

int
event_lists_add_file(struct tool *tool, const char *text, void *lists)
{
	return event_lists_add(tool, lists, 'i', text);
}

int
event_lists_add_groups(struct tool *tool, const char *text, void *lists)
{
	return event_lists_add(tool, lists, 'M', text);
}

bool
event_lists_have_groups(const struct event_lists *lists)
{
	for (size_t i = 0; i < lists->count; i++) {
		if (lists->list[i].option == 'M')
			return true;
	}
	return !lists->count;
}

/* Return whether a list with commas has the name. */
static bool
names_have(const char *names, const char *name, size_t length)
{
	while (strcspn(names, ",") != length || strncmp(names, name, length)) {
		names += strcspn(names, ",");
		if (!*names++)
			return false;
	}
	return true;
}

bool
event_lists_name_group(const struct event_lists *lists, const char *name,
		       size_t length)
{
	for (size_t i = 0; i < lists->count; i++) {
		if (lists->list[i].option == 'M' &&
		    names_have(lists->list[i].text, name, length))
			return true;
	}
	return false;
}

static int
read_list(const struct tool *tool, const struct event_list *list,
	  const char *hint, struct event_request *wanted)
{
	switch (list->option) {
	case 'i':
		return event_request_add_file(tool, list->text, wanted);
	case 'M':
		return metric_groups_add(tool, list->text, hint, wanted);
	default:
		return event_request_add_list(tool, list->text, wanted);
	}
}

/* Count user mode alone, like perf, where the kernel allows no more. */
static void
limit_to_user_mode(const struct tool *tool, struct selection_list *choice)
{
	for (size_t i = 0; i < choice->count; i++) {
		const struct drmperf_event *event = choice->selections[i].event;
		struct drmperf_selection limited;
		char name[NAME_SIZE + sizeof(":u")];

		if (!selection_is_of_cpus(&choice->selections[i]) ||
		    drmperf_event_may_count(event))
			continue;
		selection_name(&choice->selections[i], "", name);
		strcat(name, ":u");
		if (!drmperf_event_find(tool->drmperf, name, &limited, NULL) &&
		    drmperf_event_may_count(limited.event))
			choice->selections[i] = limited;
	}
}

int
event_lists_read(const struct tool *tool, const struct event_lists *lists,
		 const char *hint, struct event_request *wanted)
{
	int status = 0;

	if (!lists->count)
		return metric_groups_add_default(
			tool, hint, lists->has_command, wanted);
	for (size_t i = 0; !status && i < lists->count; i++)
		status = read_list(tool, &lists->list[i], hint, wanted);
	limit_to_user_mode(tool, &wanted->choice);
	return status;
}

void
event_lists_finish(struct event_lists *lists)
{
	free(lists->list);
	*lists = (struct event_lists){ 0 };
}
