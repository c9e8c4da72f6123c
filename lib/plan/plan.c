/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans: what packing says about selections.
 */
#include "plan/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cancellation.h"
#include "plan/fit.h"
#include "plan/problem.h"

#define DEFAULT_BUDGET_NS UINT64_C(100000000)

/* Remedies other than leaving something out. */
#define SPLIT_INSTEAD                                                          \
	", or count in several passes (drmperf split finds the fewest)"
#define CUT_INSTEAD                                                            \
	", or count its parts in different passes (drmperf split "             \
	"--cut-metrics)"

struct drmperf_plan {
	struct pack_plan *packed; /* whose arena owns all, the plan too */
	struct drmperf_conflict *conflicts; /* per pass: with the one before */
	struct plan_part *parts;
};

static int
no_memory(struct drmperf_error *error)
{
	return error_set(error, -ENOMEM, "no memory for a plan");
}

/* ------------------------------------------------------------------ */
/* One pass                                                             */

/*
 * Explain why an item does not fit next to other items, or, without any, fits
 * no pass. The remedy is what to leave out, followed by instead.
 */
static int
explain_misfit(const struct plan_problem *problem, const uint32_t *items,
	       uint32_t count, uint32_t refused, const char *instead,
	       struct drmperf_error *error)
{
	struct arena *arena = arena_create();
	struct pack_conflict conflict;
	struct drmperf_conflict described;
	int ret;

	if (!arena ||
	    pack_explain(problem->pack, items, count, refused, &conflict) ||
	    plan_problem_describe(problem, refused, &conflict, arena,
				  &described)) {
		ret = no_memory(error);
	} else {
		ret = error_set(error, count ? -ENOSPC : -E2BIG, "%s",
				described.cause);
		error_remedy(error, "%s%s", described.remedy, instead);
	}
	arena_destroy(arena);
	return ret;
}

/*
 * Report the first item that no pass holds: not even in parts, where these were
 * tried, because of a counter for no slot.
 */
static int
check_items(const struct plan_problem *problem, const struct pack_plan *tried,
	    struct drmperf_error *error)
{
	for (uint32_t i = 0; i < problem->packing.item_count; i++) {
		if (tried ? tried->states[i] == PACK_STATE_LEFT_OUT
			  : !pack_item_fits(problem->pack, i))
			return explain_misfit(problem, NULL, 0, i,
					      tried ? "" : CUT_INSTEAD, error);
	}
	return 0;
}

/*
 * Explain why the items do not fit together: say which is the first in the way.
 */
static int
explain_first_misfit(const struct plan_problem *problem, const uint32_t *items,
		     uint32_t count, struct drmperf_error *error)
{
	uint32_t low = 0, high = count;
	int ret = check_items(problem, NULL, error);

	if (ret)
		return ret;
	/* the first low items fit, the first high do not */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (pack_fits(problem->pack, items, middle, NULL))
			low = middle;
		else
			high = middle;
	}
	return explain_misfit(problem, items, low, low, SPLIT_INSTEAD, error);
}

int
plan_check_one_pass(struct drmperf *drmperf,
		    const struct drmperf_selection *selections, size_t count,
		    const struct drmperf_event **chosen,
		    struct drmperf_error *error)
{
	struct plan_problem *problem;
	uint32_t *items; /* behind them the alternatives that serve them */
	int ret;

	if (plan_fit_shows(drmperf, selections, count, chosen))
		return 0;
	ret = plan_problem_create(selections, count, &problem, error);
	if (ret)
		return ret;
	items = calloc(2 * count + 1, sizeof(*items));
	for (uint32_t i = 0; items && i < count; i++)
		items[i] = i;
	if (!items)
		ret = no_memory(error);
	else if (!pack_fits(problem->pack, items, (uint32_t)count,
			    items + count))
		ret = explain_first_misfit(problem, items, (uint32_t)count,
					   error);
	for (size_t i = 0; !ret && i < count; i++)
		chosen[i] = problem->alternatives[items[count + i]];
	if (ret)
		plan_problem_destroy(problem);
	else
		plan_fit_remember(drmperf, problem, items + count);
	free(items);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Passes                                                               */

/* Create a plan that takes over what was packed, also if that fails. */
static struct drmperf_plan *
create_plan(struct pack_plan *packed)
{
	struct arena *arena = packed->arena;
	struct drmperf_plan *plan = arena_array(arena, 1, sizeof(*plan));
	struct drmperf_conflict *conflicts =
		arena_array(arena, packed->pass_count, sizeof(*conflicts));

	if (arena_is_short(arena)) {
		pack_plan_destroy(packed);
		return NULL;
	}
	plan->packed = packed;
	plan->conflicts = conflicts;
	return plan;
}

/* Return what a pass counts of an event that was cut, or NULL. */
static const struct plan_part *
find_part(const struct drmperf_plan *plan, size_t pass, size_t event)
{
	const struct plan_part *part = plan->parts;

	while (part && (part->event != event || part->pass != pass))
		part = part->next;
	return part;
}

/* Note what a pass counts of events that were cut. */
static int
read_parts(struct drmperf_plan *plan, struct plan_problem *problem, size_t pass)
{
	struct pack_plan *packed = plan->packed;
	const struct pack_pass *from = &packed->passes[pass];
	int ret = 0;

	for (uint32_t i = 0; i < from->item_count && !ret; i++) {
		struct plan_part *part;

		if (packed->states[from->items[i]] != PACK_STATE_CUT)
			continue;
		part = arena_array(packed->arena, 1, sizeof(*part));
		if (!part)
			return -ENOMEM;
		part->pass = pass;
		part->next = plan->parts;
		plan->parts = part;
		ret = plan_problem_read_part(problem, from, i, packed->arena,
					     part);
	}
	return ret;
}

/* Note what the passes count, and why they are as many. */
static int
read_passes(struct drmperf_plan *plan, struct plan_problem *problem)
{
	struct pack_plan *packed = plan->packed;
	int ret = 0;

	for (uint32_t i = 0; i < packed->pass_count && !ret; i++) {
		const struct pack_pass *pass = &packed->passes[i];

		ret = read_parts(plan, problem, i);
		if (!ret && pass->conflict.cause != PACK_CAUSE_NONE)
			ret = plan_problem_describe(
				problem, (uint32_t)pass->items[0],
				&pass->conflict, packed->arena,
				&plan->conflicts[i]);
	}
	return ret;
}

/* ------------------------------------------------------------------ */
/* Plans                                                                */

static int
check_passes(const struct drmperf_plan *plan, unsigned allowed,
	     struct drmperf_error *error)
{
	const size_t passes = plan->packed->pass_count;
	const struct drmperf_conflict *conflict;

	if (!allowed || passes <= allowed)
		return 0;
	conflict = drmperf_plan_conflict(plan, allowed);
	error_set(error, -ENOSPC, "the events take %zu passes, not %u%s%s",
		  passes, allowed, conflict ? ": " : "",
		  conflict ? conflict->cause : "");
	error_remedy(error, "%s%sallow more passes",
		     conflict ? conflict->remedy : "", conflict ? ", or " : "");
	return -ENOSPC;
}

/* Make the plan of selections that fit one pass. NULL: no memory. */
static struct drmperf_plan *
plan_one_pass(size_t count)
{
	struct arena *arena = arena_create();
	struct pack_plan *packed = arena_array(arena, 1, sizeof(*packed));
	struct pack_pass *pass = arena_array(arena, 1, sizeof(*pass));
	size_t *items = arena_array(arena, count, sizeof(*items));

	if (arena_is_short(arena)) {
		arena_destroy(arena);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		items[i] = i;
	pass->items = items;
	pass->item_count = (uint32_t)count;
	*packed = (struct pack_plan){
		.passes = pass,
		.pass_count = 1,
		.bound = 1,
		.arena = arena,
	};
	return create_plan(packed);
}

/*
 * Search for a plan, and keep the problem with the state if it is one pass: to
 * find a plan of these events and one more takes no search then.
 */
static int
search_plan(struct drmperf *drmperf, struct plan_problem *problem,
	    const struct drmperf_plan_options *options,
	    struct drmperf_plan **out, struct drmperf_error *error)
{
	uint64_t budget =
		options->budget_ns ? options->budget_ns : DEFAULT_BUDGET_NS;
	const struct pack_options packing = { .steps = budget / PACK_STEP_NS,
					      .split = options->cut_metrics };
	struct pack_plan *packed;
	struct drmperf_plan *plan = NULL;
	int ret = packing.split ? 0 : check_items(problem, NULL, error);

	if (!ret && (pack_plan_create(problem->pack, &packing, &packed) ||
		     !(plan = create_plan(packed))))
		ret = no_memory(error);
	if (!ret)
		ret = check_items(problem, packed, error);
	if (!ret && read_passes(plan, problem))
		ret = no_memory(error);
	if (!ret)
		ret = check_passes(plan, options->max_passes, error);
	if (!ret && packed->pass_count == 1 && !plan->parts)
		plan_fit_remember(drmperf, problem,
				  packed->passes->alternatives);
	else
		plan_problem_destroy(problem);
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
	*out = (struct drmperf_plan_options){ .size = sizeof(*out) };
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
	NO_CANCELLATION;
	struct drmperf_plan_options own;
	struct drmperf_plan *quick;
	struct plan_problem *problem;
	int ret;

	ret = fork_guard_check(&drmperf->guard, error);
	if (ret)
		return ret;
	if (!count)
		return error_set(error, -EINVAL, "a plan needs an event");
	ret = read_options(options, &own, error);
	if (ret)
		return ret;
	/* without memory for the quick plan the search is tried */
	quick = plan_fit_shows(drmperf, selections, count, NULL)
			? plan_one_pass(count)
			: NULL;
	if (quick) {
		*out = quick;
		return 0;
	}
	ret = plan_problem_create(selections, count, &problem, error);
	return ret ? ret : search_plan(drmperf, problem, &own, out, error);
}

void
drmperf_plan_destroy(struct drmperf_plan *plan)
{
	if (plan)
		pack_plan_destroy(plan->packed);
}

size_t
drmperf_plan_passes(const struct drmperf_plan *plan)
{
	return plan->packed->pass_count;
}

const size_t *
drmperf_plan_pass_events(const struct drmperf_plan *plan, size_t pass,
			 size_t *count)
{
	const struct pack_pass *from = pass < plan->packed->pass_count
					       ? &plan->packed->passes[pass]
					       : NULL;

	*count = from ? from->item_count : 0;
	return from ? from->items : NULL;
}

size_t
drmperf_plan_lower_bound(const struct drmperf_plan *plan)
{
	return plan->packed->bound;
}

bool
drmperf_plan_is_proved(const struct drmperf_plan *plan)
{
	return plan->packed->bound == plan->packed->pass_count;
}

bool
drmperf_plan_event_is_cut(const struct drmperf_plan *plan, size_t event)
{
	const struct plan_part *part = plan->parts;

	while (part && part->event != event)
		part = part->next;
	return part;
}

const struct drmperf_selection *
drmperf_plan_event_counters(const struct drmperf_plan *plan, size_t pass,
			    size_t event, size_t *count)
{
	const struct plan_part *part = find_part(plan, pass, event);

	*count = part ? part->count : 0;
	return part ? part->counters : NULL;
}

const struct drmperf_conflict *
drmperf_plan_conflict(const struct drmperf_plan *plan, size_t pass)
{
	return pass < plan->packed->pass_count && plan->conflicts[pass].cause
		       ? &plan->conflicts[pass]
		       : NULL;
}
