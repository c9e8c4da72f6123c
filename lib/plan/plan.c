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

/* Counters of an event that was cut, in one pass. */
struct event_part {
	struct event_part *next; /* of the plan's, in any order */
	size_t pass, event;
	struct plan_part part;
};

struct pass {
	size_t *events;
	uint32_t *items; /* of the problem, that stand for them */
	size_t count;
	/* with the pass before; NULL: none is known */
	const struct drmperf_conflict *conflict;
};

struct drmperf_plan {
	struct arena *arena; /* owns all, the plan too */
	struct pass *passes;
	size_t pass_count;
	size_t bound;
	struct event_part *parts;
};

static int
no_memory(struct drmperf_error *error)
{
	return error_set(error, -ENOMEM, "no memory for a plan");
}

/* ------------------------------------------------------------------ */
/* One pass                                                             */

/*
 * Say why an item does not fit next to items, or with none of these fits no
 * pass, and what to do: leave out, or this.
 */
static int
explain_misfit(const struct plan_problem *problem, const uint32_t *items,
	       uint32_t count, uint32_t refused, const char *instead,
	       struct drmperf_error *error)
{
	struct arena *arena = arena_create();
	struct drmperf_conflict conflict;
	int ret;

	if (!arena || plan_problem_explain(problem, items, count, refused,
					   arena, &conflict)) {
		ret = no_memory(error);
	} else {
		ret = error_set(error, count ? -ENOSPC : -E2BIG, "%s",
				conflict.cause);
		error_remedy(error, "%s%s", conflict.remedy, instead);
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
	for (size_t i = 0; !ret && i < count; i++) {
		problem->items[i].alternative = items[count + i];
		chosen[i] = problem->alternatives[items[count + i]];
	}
	free(items);
	if (ret)
		plan_problem_destroy(problem);
	else
		plan_fit_remember(drmperf, problem);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Passes                                                               */

/* Create a plan whose passes are empty. NULL: no memory. */
static struct drmperf_plan *
create_plan(size_t passes)
{
	struct arena *arena = arena_create();
	struct drmperf_plan *plan = arena_array(arena, 1, sizeof(*plan));
	struct pass *list = arena_array(arena, passes, sizeof(*list));

	if (arena_is_short(arena)) {
		arena_destroy(arena);
		return NULL;
	}
	*plan = (struct drmperf_plan){
		.arena = arena,
		.passes = list,
		.pass_count = passes,
	};
	return plan;
}

/* Make room for the events of a pass. Returns false without memory. */
static bool
reserve_events(const struct drmperf_plan *plan, struct pass *pass, size_t count)
{
	pass->events = arena_array(plan->arena, count, sizeof(*pass->events));
	pass->items = arena_array(plan->arena, count, sizeof(*pass->items));
	pass->count = count;
	return !arena_is_short(plan->arena);
}

/*
 * Add what a pass counts of an event that was cut. Such an event fits no pass,
 * and what fits next to it depends on the parts that are in a pass: an item
 * stands for each.
 */
static int
add_part(struct drmperf_plan *plan, struct plan_problem *problem, size_t pass,
	 const struct pack_pass *from, const struct pack_member *member)
{
	struct event_part *part = arena_array(plan->arena, 1, sizeof(*part));

	if (!part)
		return -ENOMEM;
	part->pass = pass;
	part->event = member->item;
	part->next = plan->parts;
	plan->parts = part;
	return plan_problem_add_part(problem, from, member, plan->arena,
				     &part->part);
}

static int
fill_pass(struct drmperf_plan *plan, struct plan_problem *problem, size_t index,
	  const struct pack_plan *packed)
{
	const struct pack_pass *from = &packed->passes[index];
	struct pass *pass = &plan->passes[index];
	int ret = 0;

	if (!reserve_events(plan, pass, from->member_count))
		return -ENOMEM;
	for (uint32_t i = 0; i < pass->count && !ret; i++) {
		const struct pack_member *member = &from->members[i];

		pass->events[i] = pass->items[i] = member->item;
		problem->items[member->item].alternative = member->alternative;
		if (packed->states[member->item] != PACK_STATE_CUT)
			continue;
		pass->items[i] = problem->packing.item_count;
		ret = add_part(plan, problem, index, from, member);
	}
	return ret;
}

/*
 * Explain why the first event of a pass is not in the pass before; of one that
 * was cut, why it had to be.
 */
static int
explain_pass(const struct drmperf_plan *plan, struct pass *pass,
	     const struct plan_problem *problem)
{
	const struct pass *before = pass - 1;
	const uint32_t first = (uint32_t)pass->events[0];
	struct drmperf_conflict *conflict =
		arena_array(plan->arena, 1, sizeof(*conflict));
	int ret = -ENOMEM;

	if (conflict)
		ret = plan_problem_explain(
			problem, before->items,
			pass->items[0] == first ? (uint32_t)before->count : 0,
			first, plan->arena, conflict);
	if (!ret)
		pass->conflict = conflict;
	/*
	 * -EINVAL: where alternatives are many, pack_fits() may give up on
	 * what the plan has found.
	 */
	return ret == -EINVAL ? 0 : ret;
}

static int
fill_plan(struct drmperf_plan *plan, struct plan_problem *problem,
	  const struct pack_plan *packed)
{
	int ret = 0;

	plan->bound = packed->bound;
	for (size_t i = 0; i < plan->pass_count && !ret; i++)
		ret = fill_pass(plan, problem, i, packed);
	if (!ret && plan->parts)
		ret = plan_problem_pack(problem);
	for (size_t i = 1; i < plan->pass_count && !ret; i++)
		ret = explain_pass(plan, &plan->passes[i], problem);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Plans                                                                */

static int
check_passes(const struct drmperf_plan *plan, unsigned allowed,
	     struct drmperf_error *error)
{
	const struct drmperf_conflict *conflict;

	if (!allowed || plan->pass_count <= allowed)
		return 0;
	conflict = plan->passes[allowed].conflict;
	error_set(error, -ENOSPC, "the events take %zu passes, not %u%s%s",
		  plan->pass_count, allowed, conflict ? ": " : "",
		  conflict ? conflict->cause : "");
	error_remedy(error, "%s%sallow more passes",
		     conflict ? conflict->remedy : "", conflict ? ", or " : "");
	return -ENOSPC;
}

/* Make the plan of selections that fit one pass. NULL: no memory. */
static struct drmperf_plan *
plan_one_pass(size_t count)
{
	struct drmperf_plan *plan = create_plan(1);

	if (!plan || !reserve_events(plan, plan->passes, count)) {
		drmperf_plan_destroy(plan);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		plan->passes->events[i] = i;
	plan->bound = 1;
	return plan;
}

static int
make_plan(struct plan_problem *problem, const struct pack_plan *packed,
	  unsigned max_passes, struct drmperf_plan **out,
	  struct drmperf_error *error)
{
	int ret = check_items(problem, packed, error);
	struct drmperf_plan *plan =
		ret ? NULL : create_plan(packed->pass_count);

	if (ret)
		return ret;
	ret = plan && !fill_plan(plan, problem, packed)
		      ? check_passes(plan, max_passes, error)
		      : no_memory(error);
	if (ret)
		drmperf_plan_destroy(plan);
	else
		*out = plan;
	return ret;
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
	struct pack_plan *packed = NULL;
	int ret = packing.split ? 0 : check_items(problem, NULL, error);

	if (!ret && pack_plan_create(problem->pack, &packing, &packed))
		ret = no_memory(error);
	if (!ret)
		ret = make_plan(problem, packed, options->max_passes, out,
				error);
	if (!ret && (*out)->pass_count == 1 && !(*out)->parts)
		plan_fit_remember(drmperf, problem);
	else
		plan_problem_destroy(problem);
	pack_plan_destroy(packed);
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
		arena_destroy(plan->arena);
}

size_t
drmperf_plan_passes(const struct drmperf_plan *plan)
{
	return plan->pass_count;
}

static const struct pass *
pass_at(const struct drmperf_plan *plan, size_t pass)
{
	return pass < plan->pass_count ? &plan->passes[pass] : NULL;
}

const size_t *
drmperf_plan_pass_events(const struct drmperf_plan *plan, size_t pass,
			 size_t *count)
{
	const struct pass *from = pass_at(plan, pass);

	*count = from ? from->count : 0;
	return from ? from->events : NULL;
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
	const struct event_part *part = plan->parts;

	while (part && part->event != event)
		part = part->next;
	return part;
}

const struct drmperf_selection *
drmperf_plan_event_counters(const struct drmperf_plan *plan, size_t pass,
			    size_t event, size_t *count)
{
	const struct event_part *part = plan->parts;

	while (part && (part->event != event || part->pass != pass))
		part = part->next;
	*count = part ? part->part.count : 0;
	return part ? part->part.counters : NULL;
}

const struct drmperf_conflict *
drmperf_plan_conflict(const struct drmperf_plan *plan, size_t pass)
{
	const struct pass *from = pass_at(plan, pass);

	return from ? from->conflict : NULL;
}
