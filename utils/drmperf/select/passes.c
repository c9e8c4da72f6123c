/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/passes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static int
passes_plan(const struct tool *tool, const struct selection_list *events,
	    unsigned most, struct drmperf_plan **out,
	    struct drmperf_error *error)
{
	struct drmperf_plan_options options = { .size = sizeof(options),
						.max_passes = most };

	return drmperf_plan_create(tool->drmperf, events->selections,
				   events->count, &options, out, error);
}

bool
passes_fit(const struct tool *tool, const struct selection_list *events,
	   struct drmperf_error *error)
{
	struct drmperf_plan *found;

	if (passes_plan(tool, events, 1, &found, error))
		return false;
	drmperf_plan_destroy(found);
	return true;
}

static struct selection_list *
new_pass(struct passes *passes)
{
	return array_add(&passes->list, &passes->count, sizeof(*passes->list));
}

/* ------------------------------------------------------------------ */
/* Passes of the library's plan                                         */

static bool
has_event(const size_t *events, size_t count, size_t event)
{
	for (size_t i = 0; i < count; i++) {
		if (events[i] == event)
			return true;
	}
	return false;
}

static bool
is_in_one_pass(const struct drmperf_plan *found,
	       const struct event_request_set *set)
{
	for (size_t pass = 0; pass < drmperf_plan_passes(found); pass++) {
		size_t count, here = 0;
		const size_t *events =
			drmperf_plan_pass_events(found, pass, &count);

		for (size_t i = 0; i < set->count; i++)
			here += has_event(events, count, set->events[i]);
		if (here == set->count)
			return true;
	}
	return false;
}

static bool
keeps_sets(const struct drmperf_plan *found, const struct event_request *wanted)
{
	for (size_t i = 0; i < wanted->set_count; i++) {
		if (wanted->sets[i].count > 1 &&
		    !is_in_one_pass(found, &wanted->sets[i]))
			return false;
	}
	return true;
}

static int
take_plan(const struct drmperf_plan *found, const struct selection_list *choice,
	  struct passes *passes)
{
	for (size_t pass = 0; pass < drmperf_plan_passes(found); pass++) {
		struct selection_list *list = new_pass(passes);
		size_t count;
		const size_t *events =
			drmperf_plan_pass_events(found, pass, &count);

		for (size_t i = 0; list && i < count; i++) {
			if (selection_list_add(list,
					       &choice->selections[events[i]]))
				return -ENOMEM;
		}
		if (!list)
			return -ENOMEM;
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Where that parts a set: each goes into the first pass that has room  */

static int
add_set(struct selection_list *pass, const struct event_request *wanted,
	const struct event_request_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		if (selection_list_add(
			    pass, &wanted->choice.selections[set->events[i]]))
			return -ENOMEM;
	}
	return 0;
}

/* Add a set to the pass, and remove it again unless it fits. */
static int
try_set(const struct tool *tool, struct selection_list *pass,
	const struct event_request *wanted, const struct event_request_set *set,
	struct drmperf_error *error)
{
	size_t before = pass->count;

	error->code = -ENOMEM;
	if (!add_set(pass, wanted, set) && passes_fit(tool, pass, error))
		return 0;
	pass->count = before;
	return error->code;
}

static int
place_set(const struct tool *tool, const struct event_request *wanted,
	  const struct event_request_set *set, struct passes *passes);

/* Place events of a line that is too long for a pass, each for itself. */
static int
place_line(const struct tool *tool, const struct event_request *wanted,
	   const struct event_request_set *line, struct passes *passes)
{
	int status = 0;

	tool_warn(tool, "%zu events of a pmc line do not fit one pass, and are "
			"counted in several",
		  line->count);
	for (size_t i = 0; !status && i < line->count; i++) {
		const struct event_request_set one = { .events =
							       &line->events[i],
						       .count = 1 };

		status = place_set(tool, wanted, &one, passes);
	}
	return status;
}

static int
place_set(const struct tool *tool, const struct event_request *wanted,
	  const struct event_request_set *set, struct passes *passes)
{
	struct drmperf_error error = { .cause = "no memory" };
	struct selection_list *pass;

	for (size_t i = 0; i < passes->count; i++) {
		if (!try_set(tool, &passes->list[i], wanted, set, &error))
			return 0;
	}
	pass = new_pass(passes);
	if (!pass)
		return tool_fail(tool, "no memory");
	if (!try_set(tool, pass, wanted, set, &error))
		return 0;
	if (set->is_line && error.code == -ENOSPC)
		return place_line(tool, wanted, set, passes);
	tool_complain(tool, &error);
	if (set->count > 1)
		fputs("or: take it out of its braces\n", stderr);
	return TOOL_FAILED;
}

/* Place the sets, those first that leave no choice. */
static int
place_sets(const struct tool *tool, const struct event_request *wanted,
	   struct passes *passes)
{
	int status = 0;

	for (int singles = 0; singles < 2; singles++) {
		for (size_t i = 0; !status && i < wanted->set_count; i++) {
			if ((wanted->sets[i].count == 1) == singles)
				status = place_set(tool, wanted,
						   &wanted->sets[i], passes);
		}
	}
	return status;
}

/* ------------------------------------------------------------------ */

int
passes_make(const struct tool *tool, const struct event_request *wanted,
	    bool many, struct passes *passes)
{
	struct drmperf_plan *found;
	struct drmperf_error error;
	size_t fewest;
	int ret, status = 0;

	ret = passes_plan(tool, &wanted->choice, many ? 0 : 1, &found, &error);
	if (ret) {
		tool_complain(tool, &error);
		if (ret == -ENOSPC)
			fputs("or: --passes runs the command once per pass\n",
			      stderr);
		return TOOL_FAILED;
	}
	fewest = drmperf_plan_passes(found);
	if (!keeps_sets(found, wanted))
		status = place_sets(tool, wanted, passes);
	else if (take_plan(found, &wanted->choice, passes))
		status = tool_fail(tool, "no memory");
	drmperf_plan_destroy(found);
	if (!status && passes->count > fewest)
		tool_warn(tool,
			  "events in braces stay together: that takes %zu "
			  "passes, %zu without braces",
			  passes->count, fewest);
	return status;
}

void
passes_finish(struct passes *passes)
{
	for (size_t i = 0; i < passes->count; i++)
		selection_list_finish(&passes->list[i]);
	free(passes->list);
}
