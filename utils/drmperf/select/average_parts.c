/* SPDX-License-Identifier: BSD-3-Clause */
#include "select/average_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ */
/* The metric sets of "i915::oa.X"                                      */

/* Return whether it is the event for any group of its domain that has it. */
static bool
is_of_any_group(const struct drmperf_selection *selection)
{
	const struct drmperf_group *group =
		drmperf_event_group(selection->event);

	return drmperf_group_is_exclusive(group) &&
	       !strcmp(drmperf_group_name(group), drmperf_group_domain(group));
}

/* Find the event of that name in this group; false if it has none. */
static bool
find_in_group(const struct tool *tool, const struct drmperf_group *group,
	      const struct drmperf_selection *selection,
	      struct drmperf_selection *out)
{
	const struct drmperf_device *device =
		drmperf_event_device(selection->event);
	const char *any =
		drmperf_group_name(drmperf_event_group(selection->event));
	const char *driver = drmperf_device_driver(device);
	/* behind "i915::oa." */
	const char *counter = drmperf_event_name(selection->event) +
			      strlen(driver) + strlen(any) + 3;
	char name[NAME_SIZE];

	snprintf(name, sizeof(name), "%s::%s.%s:device=%u", driver,
		 drmperf_group_name(group), counter,
		 drmperf_device_index(device));
	return !drmperf_event_find(tool->drmperf, name, out, NULL);
}

/* Events that count in one pass; those of one domain share its group. */
struct pass {
	const struct selection_list *events;
	const size_t *members;
	size_t count;
};

static const struct drmperf_selection *
pass_member(const struct pass *pass, size_t i)
{
	return &pass->events->selections[pass->members[i]];
}

static bool
same_domain(const struct drmperf_selection *a,
	    const struct drmperf_selection *b)
{
	const struct drmperf_group *group_a = drmperf_event_group(a->event);
	const struct drmperf_group *group_b = drmperf_event_group(b->event);

	return drmperf_event_device(a->event) ==
		       drmperf_event_device(b->event) &&
	       !strcmp(drmperf_group_domain(group_a),
		       drmperf_group_domain(group_b));
}

/*
 * Return whether the group has all events of the pass that are of its domain.
 */
static bool
group_serves(const struct tool *tool, const struct drmperf_group *group,
	     const struct drmperf_selection *selection, const struct pass *pass)
{
	struct drmperf_selection found;

	for (size_t i = 0; i < pass->count; i++) {
		const struct drmperf_selection *other = pass_member(pass, i);

		if (!same_domain(selection, other))
			continue;
		if (is_of_any_group(other)
			    ? !find_in_group(tool, group, other, &found)
			    : drmperf_event_group(other->event) != group)
			return false;
	}
	return true;
}

/*
 * Return the group that counts in the pass for an event of any; NULL: not
 * found.
 */
static const struct drmperf_group *
find_server(const struct tool *tool, const struct pass *pass,
	    const struct drmperf_selection *selection)
{
	const struct drmperf_group *any = drmperf_event_group(selection->event);
	const struct drmperf_device *device =
		drmperf_event_device(selection->event);
	const struct drmperf_group *group;

	for (size_t i = 0; (group = drmperf_group_at(device, i)); i++) {
		if (group != any && drmperf_group_is_exclusive(group) &&
		    !strcmp(drmperf_group_domain(group),
			    drmperf_group_domain(any)) &&
		    group_serves(tool, group, selection, pass))
			return group;
	}
	return NULL;
}

/*
 * Put, in place of events of any group, those of the ones that serve the pass.
 */
static void
choose_groups_of_pass(const struct tool *tool, const struct pass *pass,
		      struct drmperf_selection *settled)
{
	const struct drmperf_selection *last = NULL;
	const struct drmperf_group *server = NULL;

	for (size_t i = 0; i < pass->count; i++) {
		const struct drmperf_selection *selection =
			pass_member(pass, i);

		if (!is_of_any_group(selection))
			continue;
		if (!last || !same_domain(last, selection))
			server = find_server(tool, pass, selection);
		last = selection;
		if (server)
			find_in_group(tool, server, selection,
				      &settled[pass->members[i]]);
	}
}

/*
 * Settle all. The groups are those that let the events count in the fewest
 * passes.
 */
static int
choose_groups(const struct tool *tool, const struct selection_list *events,
	      const struct drmperf_plan_options *given,
	      struct drmperf_selection *settled)
{
	struct drmperf_plan_options options = *given;
	struct drmperf_plan *plan;
	struct drmperf_error error;
	struct pass pass = { .events = events };

	/* what fits no pass will be replaced by parts that do */
	options.cut_metrics = true;
	if (drmperf_plan_create(tool->drmperf, events->selections,
				events->count, &options, &plan, &error))
		return tool_complain(tool, &error);
	for (size_t i = 0; i < drmperf_plan_passes(plan); i++) {
		pass.members = drmperf_plan_pass_events(plan, i, &pass.count);
		choose_groups_of_pass(tool, &pass, settled);
	}
	drmperf_plan_destroy(plan);
	return 0;
}

/* ------------------------------------------------------------------ */

/* Return the first part whose differences mean nothing; NULL if all add up. */
static const struct drmperf_selection *
formula_obstacle(const struct drmperf_formula *formula)
{
	size_t count;
	const struct drmperf_selection *parts =
		drmperf_formula_parts(formula, &count);

	for (size_t i = 0; i < count; i++) {
		if (drmperf_event_kind(parts[i].event) !=
		    DRMPERF_KIND_CUMULATIVE)
			return &parts[i];
	}
	return NULL;
}

/*
 * Return the formula of an average; NULL, with the reason reported, if it has
 * to stay.
 */
static int
find_formula(const struct tool *tool, const struct drmperf_selection *asked,
	     const struct drmperf_selection *settled,
	     struct drmperf_formula **out)
{
	const struct drmperf_selection *part;
	char name[NAME_SIZE], other[NAME_SIZE];
	struct drmperf_error error;
	int ret;

	*out = NULL;
	ret = drmperf_formula_create(tool->drmperf, settled, out, &error);
	if (ret == -ENOTSUP) {
		tool_warn(tool, "%s, and stays as it is", error.cause);
		return 0;
	}
	if (ret)
		return tool_complain(tool, &error);
	part = formula_obstacle(*out);
	if (!part)
		return 0;
	tool_warn(tool,
		  "%s is computed from %s, which is of the moment and "
		  "not of an interval: it stays as it is",
		  selection_name(asked, "", name),
		  selection_name(part, "", other));
	drmperf_formula_destroy(*out);
	*out = NULL;
	return 0;
}

static int
parts_replace(struct average_parts *parts,
	      const struct drmperf_selection *asked,
	      struct drmperf_formula *formula)
{
	size_t count;
	const struct drmperf_selection *selections =
		drmperf_formula_parts(formula, &count);
	int ret = selection_list_add(&parts->replaced, asked);

	if (ret)
		drmperf_formula_destroy(formula);
	else
		parts->formulas[parts->replaced.count - 1] = formula;
	for (size_t i = 0; !ret && i < count; i++)
		ret = selection_list_add(&parts->choice, &selections[i]);
	return ret;
}

static int
add_event(const struct tool *tool, const struct drmperf_selection *asked,
	  const struct drmperf_selection *settled, struct average_parts *parts)
{
	struct drmperf_formula *formula = NULL;
	int status = 0;

	if (drmperf_event_kind(asked->event) == DRMPERF_KIND_AVERAGE)
		status = find_formula(tool, asked, settled, &formula);
	if (status)
		return status;
	if (formula ? parts_replace(parts, asked, formula)
		    : selection_list_add(&parts->choice, asked))
		return tool_fail(tool, "no memory");
	return 0;
}

int
average_parts_find(const struct tool *tool, const struct selection_list *events,
		   const struct drmperf_plan_options *options,
		   struct average_parts *parts)
{
	size_t size = events->count * sizeof(*events->selections);
	struct drmperf_selection *settled = malloc(size);
	int status = 0;

	*parts = (struct average_parts){ 0 };
	parts->formulas = calloc(events->count, sizeof(*parts->formulas));
	if (!settled || !parts->formulas)
		status = tool_fail(tool, "no memory");
	else
		memcpy(settled, events->selections, size);
	if (!status)
		status = choose_groups(tool, events, options, settled);
	for (size_t i = 0; !status && i < events->count; i++)
		status = add_event(tool, &events->selections[i], &settled[i],
				   parts);
	free(settled);
	return status;
}

void
average_parts_finish(struct average_parts *parts)
{
	for (size_t i = 0; i < parts->replaced.count; i++)
		drmperf_formula_destroy(parts->formulas[i]);
	free(parts->formulas);
	selection_list_finish(&parts->choice);
	selection_list_finish(&parts->replaced);
}
