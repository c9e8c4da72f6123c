/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans: what packing says about selections, in the words of events, groups
 * and limits.
 */
#include "plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "pack.h"
#include "plan_problem.h"

#define DEFAULT_BUDGET_NS 100000000
/* Names in a remedy: enough to choose from. */
#define NAMES_MAX 4

struct pass {
	size_t *events;
	size_t count;
	bool has_conflict;
	struct drmperf_conflict conflict;
	size_t *holders;
	char remedy[512];
};

struct drmperf_plan {
	struct pass *passes;
	size_t pass_count;
	size_t bound;
	bool *cut; /* per selection */
};

/* ------------------------------------------------------------------ */
/* Explaining                                                           */

/* A list that items are taken from: item i stands for selection list[i]. */
struct question {
	const struct plan_problem *problem;
	const struct drmperf_selection *selections;
	const uint32_t *items;
};

static void
append_name(char *text, size_t size, const char *before,
	    const struct drmperf_selection *selection)
{
	size_t length = strlen(text);
	char name[160];

	drmperf_selection_name(selection, name, sizeof(name));
	snprintf(text + length, size - length, "%s%s", before, name);
}

static void
name_some(const struct question *question, const uint32_t *positions,
	  uint32_t count, const char *between, char *text, size_t size)
{
	for (uint32_t i = 0; i < count && i < NAMES_MAX; i++)
		append_name(text, size, i ? between : "",
			    &question->selections
				     [question->items[positions[i]]]);
	if (count > NAMES_MAX) {
		size_t length = strlen(text);

		snprintf(text + length, size - length, " and %u more",
			 count - NAMES_MAX);
	}
}

static void
describe_remedy(const struct question *question,
		const struct pack_conflict *conflict, char *text, size_t size)
{
	if (conflict->removal_count == 1 && conflict->choice_count > 1) {
		snprintf(text, size, "leave out one of ");
		name_some(question, conflict->choices, conflict->choice_count,
			  ", ", text, size);
	} else if (conflict->removal_count) {
		snprintf(text, size, "leave out ");
		name_some(question, conflict->removal,
			  conflict->removal_count, " and ", text, size);
	} else {
		snprintf(text, size, "leave it out");
	}
}

static const char *
setting_name(const struct plan_problem *problem, uint32_t setting)
{
	return problem->settings[setting].is_group
		       ? "only one group counts at a time"
		       : "different shader stages are wanted";
}

static void
describe_cause(const struct question *question,
	       const struct pack_conflict *conflict,
	       const struct drmperf_selection *extra,
	       struct drmperf_error *error)
{
	const struct plan_problem *problem = question->problem;
	const struct drmperf_group *group;
	char name[160];

	drmperf_selection_name(extra, name, sizeof(name));
	if (conflict->cause == PACK_CAUSE_SETTING) {
		error_set(error, -ENOSPC,
			  "%s does not fit beside the other events: %s in "
			  "domain %s",
			  name, setting_name(problem, conflict->setting),
			  problem->settings[conflict->setting].domain->name);
		return;
	}
	group = plan_problem_group(problem, conflict->pool);
	error_set(error, -ENOSPC,
		  "%s does not fit: group %s counts %u at once, and %u are "
		  "wanted",
		  name, drmperf_group_name(group), conflict->limit,
		  conflict->wanted);
}

static int
say_conflict(const struct question *question, uint32_t fitting,
	     uint32_t extra, struct drmperf_error *error)
{
	struct pack_conflict conflict;
	char remedy[512] = "";
	int ret;

	ret = pack_explain(question->problem->pack, question->items, fitting,
			   extra, &conflict);
	if (ret)
		return error_set(error, -ENOSPC,
				 "the events need more than one pass");
	describe_cause(question, &conflict, &question->selections[extra],
		       error);
	describe_remedy(question, &conflict, remedy, sizeof(remedy));
	error_remedy(error, "%s, or cut the events into passes with "
			    "drmperf split",
		     remedy);
	return -ENOSPC;
}

static int
say_alone(const struct question *question, uint32_t item,
	  struct drmperf_error *error)
{
	const struct drmperf_selection *selection =
		&question->selections[item];
	struct pack_conflict conflict;
	char name[160];

	drmperf_selection_name(selection, name, sizeof(name));
	if (pack_explain(question->problem->pack, question->items, 0, item,
			 &conflict) ||
	    conflict.cause == PACK_CAUSE_SETTING)
		error_set(error, -E2BIG, "%s needs more than one pass by "
					 "itself",
			  name);
	else
		error_set(error, -E2BIG,
			  "%s needs more than one pass by itself: group %s "
			  "counts %u at once, and it wants %u",
			  name,
			  drmperf_group_name(plan_problem_group(
				  question->problem, conflict.pool)),
			  conflict.limit, conflict.wanted);
	error_remedy(error, "leave it out, or spread it over passes with "
			    "drmperf split --cut-metrics");
	return -E2BIG;
}

/* ------------------------------------------------------------------ */
/* One pass                                                             */

static uint32_t *
identity(size_t count)
{
	uint32_t *items = calloc(count + 1, sizeof(*items));

	for (size_t i = 0; items && i < count; i++)
		items[i] = (uint32_t)i;
	return items;
}

/* The first item that does not fit beside those before it. */
static int
say_first_misfit(const struct question *question, uint32_t count,
		 struct drmperf_error *error)
{
	struct pack *pack = question->problem->pack;
	uint32_t low = 0, high = count;

	for (uint32_t i = 0; i < count; i++) {
		if (!pack_item_fits(pack, i))
			return say_alone(question, i, error);
	}
	/* the first low items fit, the first high do not */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (pack_fits(pack, question->items, middle, NULL))
			low = middle;
		else
			high = middle;
	}
	return say_conflict(question, low, low, error);
}

int
plan_check_one_pass(struct drmperf *drmperf,
		    const struct drmperf_selection *selections, size_t count,
		    const struct drmperf_event **chosen,
		    struct drmperf_error *error)
{
	struct plan_problem problem;
	struct question question;
	uint32_t *items, *alternatives;
	int ret;

	(void)drmperf;
	ret = plan_problem_init(&problem, selections, count, error);
	if (ret)
		return ret;
	items = identity(count);
	alternatives = calloc(count + 1, sizeof(*alternatives));
	question = (struct question){ &problem, selections, items };
	if (!items || !alternatives)
		ret = error_set(error, -ENOMEM, "no memory");
	else if (!pack_fits(problem.pack, items, (uint32_t)count,
			    alternatives))
		ret = say_first_misfit(&question, (uint32_t)count, error);
	for (size_t i = 0; !ret && i < count; i++)
		chosen[i] = problem.alternatives[alternatives[i]];
	free(items);
	free(alternatives);
	plan_problem_finish(&problem);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Plans                                                                */

static int
fill_pass(struct pass *pass, const struct pack_plan *packed, uint32_t index)
{
	uint32_t count;
	const struct pack_member *members =
		pack_plan_pass(packed, index, &count);

	pass->events = calloc(count + 1, sizeof(*pass->events));
	if (!pass->events)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		pass->events[i] = members[i].item;
	pass->count = count;
	return 0;
}

/* Keep what a conflict says beyond the life of the pack. */
static int
fill_conflict(struct pass *pass, const struct question *question,
	      const uint32_t *items, uint32_t extra)
{
	const struct plan_problem *problem = question->problem;
	struct drmperf_conflict *out = &pass->conflict;
	struct pack_conflict conflict;
	uint32_t count = 0;

	while (items[count] != PACK_NONE)
		count++;
	if (pack_explain(problem->pack, items, count, extra, &conflict))
		return 0;
	pass->holders = calloc(conflict.holder_count + 1,
			       sizeof(*pass->holders));
	if (!pass->holders)
		return -ENOMEM;
	for (uint32_t i = 0; i < conflict.holder_count; i++)
		pass->holders[i] = items[conflict.holders[i]];
	describe_remedy(&(struct question){ problem, question->selections,
					    items },
			&conflict, pass->remedy, sizeof(pass->remedy));
	if (conflict.cause != PACK_CAUSE_SETTING)
		out->group = plan_problem_group(problem, conflict.pool);
	out->limit = conflict.limit;
	out->wanted = conflict.wanted;
	out->event = extra;
	out->holders = pass->holders;
	out->holder_count = conflict.holder_count;
	out->remedy = pass->remedy;
	pass->has_conflict = true;
	return 0;
}

/* Why the first event of a pass is not in the pass before. */
static int
explain_pass(struct drmperf_plan *plan, size_t index,
	     const struct question *question)
{
	const struct pass *before = &plan->passes[index - 1];
	struct pass *pass = &plan->passes[index];
	uint32_t *items = calloc(before->count + 1, sizeof(*items));
	int ret = 0;

	if (!items)
		return -ENOMEM;
	for (size_t i = 0; i < before->count; i++)
		items[i] = (uint32_t)before->events[i];
	items[before->count] = PACK_NONE;
	for (size_t i = 0; !ret && !pass->has_conflict && i < pass->count;
	     i++)
		ret = fill_conflict(pass, question, items,
				    (uint32_t)pass->events[i]);
	free(items);
	return ret;
}

static int
fill_plan(struct drmperf_plan *plan, const struct pack_plan *packed,
	  const struct question *question, size_t count)
{
	int ret = 0;

	plan->bound = pack_plan_bound(packed);
	plan->cut = calloc(count + 1, sizeof(*plan->cut));
	plan->passes = calloc(pack_plan_passes(packed) + 1,
			      sizeof(*plan->passes));
	if (!plan->cut || !plan->passes)
		return -ENOMEM;
	plan->pass_count = pack_plan_passes(packed);
	for (size_t i = 0; !ret && i < plan->pass_count; i++)
		ret = fill_pass(&plan->passes[i], packed, (uint32_t)i);
	for (size_t i = 0; i < count; i++)
		plan->cut[i] = pack_plan_item(packed, (uint32_t)i) ==
			       PACK_STATE_CUT;
	for (size_t i = 1; !ret && i < plan->pass_count; i++)
		ret = explain_pass(plan, i, question);
	return ret;
}

static int
check_left_out(const struct pack_plan *packed, const struct question *question,
	       size_t count, struct drmperf_error *error)
{
	for (size_t i = 0; i < count; i++) {
		if (pack_plan_item(packed, (uint32_t)i) ==
		    PACK_STATE_LEFT_OUT)
			return say_alone(question, (uint32_t)i, error);
	}
	return 0;
}

static int
make_plan(const struct question *question, size_t count,
	  const struct drmperf_plan_options *options,
	  struct drmperf_plan **out, struct drmperf_error *error)
{
	uint64_t budget =
		options->budget_ns ? options->budget_ns : DEFAULT_BUDGET_NS;
	struct pack_options packing = { .steps = budget / PACK_STEP_NS,
					.cut = options->cut_metrics };
	struct drmperf_plan *plan = NULL;
	struct pack_plan *packed;
	int ret;

	ret = pack_plan_create(question->problem->pack, &packing, &packed);
	if (ret)
		return error_set(error, ret, "no memory");
	ret = check_left_out(packed, question, count, error);
	if (!ret && options->max_passes &&
	    pack_plan_passes(packed) > options->max_passes) {
		if (options->max_passes == 1)
			ret = say_first_misfit(question, (uint32_t)count,
					       error);
		else
			ret = error_set(error, -ENOSPC,
					"the events need %u passes, %u are "
					"allowed",
					pack_plan_passes(packed),
					options->max_passes);
	}
	if (!ret) {
		plan = calloc(1, sizeof(*plan));
		ret = plan ? fill_plan(plan, packed, question, count)
			   : -ENOMEM;
		if (ret)
			error_set(error, ret, "no memory");
	}
	pack_plan_destroy(packed);
	if (ret)
		drmperf_plan_destroy(plan);
	else
		*out = plan;
	return ret;
}

static int
read_options(const struct drmperf_plan_options *given,
	     struct drmperf_plan_options *out, struct drmperf_error *error)
{
	memset(out, 0, sizeof(*out));
	if (!given)
		return 0;
	if (given->size < sizeof(given->size) || given->size > sizeof(*given))
		return error_set(error, -EINVAL,
				 "plan options of %zu bytes, this library "
				 "knows %zu",
				 given->size, sizeof(*given));
	memcpy(out, given, given->size);
	return 0;
}

int
drmperf_plan_create(struct drmperf *drmperf,
		    const struct drmperf_selection *selections, size_t count,
		    const struct drmperf_plan_options *options,
		    struct drmperf_plan **out, struct drmperf_error *error)
{
	struct drmperf_plan_options own;
	struct plan_problem problem;
	struct question question;
	uint32_t *items;
	int ret;

	ret = fork_guard_check(&drmperf->guard, error);
	if (ret)
		return ret;
	ret = read_options(options, &own, error);
	if (ret)
		return ret;
	ret = plan_problem_init(&problem, selections, count, error);
	if (ret)
		return ret;
	items = identity(count);
	question = (struct question){ &problem, selections, items };
	ret = items ? make_plan(&question, count, &own, out, error)
		    : error_set(error, -ENOMEM, "no memory");
	free(items);
	plan_problem_finish(&problem);
	return ret;
}

void
drmperf_plan_destroy(struct drmperf_plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->pass_count; i++) {
		free(plan->passes[i].events);
		free(plan->passes[i].holders);
	}
	free(plan->passes);
	free(plan->cut);
	free(plan);
}

size_t
drmperf_plan_passes(const struct drmperf_plan *plan)
{
	return plan->pass_count;
}

const size_t *
drmperf_plan_pass_events(const struct drmperf_plan *plan, size_t pass,
			 size_t *count)
{
	*count = plan->passes[pass].count;
	return plan->passes[pass].events;
}

size_t
drmperf_plan_lower_bound(const struct drmperf_plan *plan)
{
	return plan->bound;
}

bool
drmperf_plan_is_proved(const struct drmperf_plan *plan)
{
	return plan->bound == plan->pass_count;
}

bool
drmperf_plan_event_is_cut(const struct drmperf_plan *plan, size_t event)
{
	return plan->cut[event];
}

const struct drmperf_conflict *
drmperf_plan_conflict(const struct drmperf_plan *plan, size_t pass)
{
	const struct pass *record = &plan->passes[pass];

	return record->has_conflict ? &record->conflict : NULL;
}
