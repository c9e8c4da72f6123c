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
#include "catalog/resolve.h"
#include "device/device.h"
#include "plan/fit.h"
#include "plan/pack/pack.h"
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
	size_t event;
	struct drmperf_selection *counters;
	size_t count;
};

struct pass {
	const size_t *events;
	size_t count;
	struct event_part *parts; /* by rising event */
	size_t part_count;
	/* with the pass before; NULL: none is known */
	const struct drmperf_conflict *conflict;
};

struct drmperf_plan {
	struct arena *arena; /* owns all, the plan too */
	struct pass *passes;
	size_t pass_count;
	size_t bound;
	const bool *is_cut; /* per selection */
	size_t event_count;
};

static int
no_memory(struct drmperf_error *error)
{
	return error_set(error, -ENOMEM, "no memory for a plan");
}

/* Return 0, 1, 2 ...; NULL without memory. */
static uint32_t *
count_up(size_t count)
{
	uint32_t *items = calloc(count + 1, sizeof(*items));

	for (uint32_t i = 0; items && i < count; i++)
		items[i] = i;
	return items;
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

/* Check each item alone: the first one that fits no pass is an error. */
static int
check_alone(const struct plan_problem *problem, uint32_t count,
	    struct drmperf_error *error)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!pack_item_fits(problem->pack, i))
			return explain_misfit(problem, NULL, 0, i, CUT_INSTEAD,
					      error);
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
	int ret = check_alone(problem, count, error);

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

/* Put the events of alternatives into chosen, and keep a fit of them. */
static void
keep_alternatives(struct drmperf *drmperf, struct plan_problem *problem,
		  size_t count, const uint32_t *alternatives,
		  const struct drmperf_event **chosen)
{
	for (size_t i = 0; i < count; i++)
		chosen[i] = problem->alternatives[alternatives[i]];
	plan_fit_remember(drmperf, problem, count, alternatives);
}

int
plan_check_one_pass(struct drmperf *drmperf,
		    const struct drmperf_selection *selections, size_t count,
		    const struct drmperf_event **chosen,
		    struct drmperf_error *error)
{
	struct plan_problem problem;
	uint32_t *items, *alternatives;
	int ret;

	if (plan_fit_shows(drmperf, selections, count, chosen))
		return 0;
	ret = plan_problem_init(&problem, selections, count, error);
	if (ret)
		return ret;
	items = count_up(count);
	alternatives = calloc(count + 1, sizeof(*alternatives));
	if (!items || !alternatives)
		ret = no_memory(error);
	else if (!pack_fits(problem.pack, items, (uint32_t)count, alternatives))
		ret = explain_first_misfit(&problem, items, (uint32_t)count,
					   error);
	else
		keep_alternatives(drmperf, &problem, count, alternatives,
				  chosen);
	free(items);
	free(alternatives);
	plan_problem_finish(&problem);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Passes                                                               */

/* State of the translation of a packed plan into the plan that is kept. */
struct translation {
	struct plan_problem *problem;
	const struct pack_plan *packed;
	struct drmperf_plan *plan;
	uint32_t *before; /* items that stand for the pass before */
};

static int
keep_pass(struct translation *translation, uint32_t index)
{
	struct drmperf_plan *plan = translation->plan;
	const struct pack_pass *from = &translation->packed->passes[index];
	size_t *events =
		arena_alloc(plan->arena, from->member_count * sizeof(*events));

	if (!events)
		return -ENOMEM;
	for (uint32_t i = 0; i < from->member_count; i++)
		events[i] = from->members[i].item;
	plan->passes[index] = (struct pass){
		.events = events,
		.count = from->member_count,
	};
	return 0;
}

static int
keep_passes(struct translation *translation, uint32_t count)
{
	struct drmperf_plan *plan = translation->plan;
	uint32_t passes = translation->packed->pass_count;
	bool *is_cut = arena_alloc(plan->arena, (size_t)count + 1);
	int ret = 0;

	plan->passes = arena_alloc(plan->arena, ((size_t)passes + 1) *
							sizeof(*plan->passes));
	if (!plan->passes || !is_cut)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		is_cut[i] = translation->packed->states[i] == PACK_STATE_CUT;
	plan->is_cut = is_cut;
	plan->event_count = count;
	plan->pass_count = passes;
	plan->bound = translation->packed->bound;
	for (uint32_t i = 0; i < passes && !ret; i++)
		ret = keep_pass(translation, i);
	return ret;
}

/* Return the selection of a counter of a selected event. */
static struct drmperf_selection
select_counter(const struct drmperf_selection *of,
	       const struct drmperf_event *alternative,
	       const struct catalog_counter *counter)
{
	const struct catalog *catalog = alternative->group->catalog;
	const struct description *description = &catalog->description;
	bool has_instances = description->groups[counter->group].instances > 1;

	return (struct drmperf_selection){
		.event = counter->event,
		.instance =
			has_instances ? of->instance : DRMPERF_ALL_INSTANCES,
	};
}

/* Add the counters of a cut member that the pass counts. */
static int
keep_part(struct translation *translation, struct pass *pass,
	  const struct pack_pass *from, const struct pack_member *member)
{
	struct plan_problem *problem = translation->problem;
	const struct drmperf_event *event =
		problem->alternatives[member->alternative];
	const struct drmperf_selection *of = &problem->selections[member->item];
	struct event_part *part = &pass->parts[pass->part_count];
	const struct catalog_value *value;
	int ret = catalog_resolve(event, &value, NULL);

	if (ret)
		return ret;
	part->event = member->item;
	part->counters =
		arena_alloc(translation->plan->arena,
			    value->counter_count * sizeof(*part->counters));
	if (!part->counters)
		return -ENOMEM;
	for (uint32_t i = 0; i < value->counter_count; i++) {
		if (plan_problem_counts(problem, event, value, i, of->instance,
					from->counters, from->counter_count))
			part->counters[part->count++] =
				select_counter(of, event, &value->counters[i]);
	}
	pass->part_count++;
	return 0;
}

/*
 * Add an item for each part in the pass. An event that has been cut fits no
 * pass, and what fits next to it depends on the parts that are in a pass.
 */
static int
add_parts_of_pass(struct translation *translation, uint32_t index)
{
	const struct drmperf_plan *plan = translation->plan;
	const struct pack_pass *from = &translation->packed->passes[index];
	struct pass *pass = &plan->passes[index];
	int ret = 0;

	pass->parts = arena_alloc(plan->arena,
				  from->member_count * sizeof(*pass->parts));
	if (!pass->parts)
		return -ENOMEM;
	for (uint32_t i = 0; i < from->member_count && !ret; i++) {
		const struct pack_member *member = &from->members[i];

		if (!plan->is_cut[member->item])
			continue;
		plan_problem_add_part(translation->problem, member->item,
				      member->alternative, from->counters,
				      from->counter_count);
		ret = keep_part(translation, pass, from, member);
	}
	return ret;
}

static int
add_parts(struct translation *translation)
{
	struct plan_problem *problem = translation->problem;
	uint32_t before = problem->packing.item_count;
	int ret = 0;

	for (uint32_t i = 0; i < translation->plan->pass_count && !ret; i++)
		ret = add_parts_of_pass(translation, i);
	if (!ret && problem->packing.item_count != before)
		ret = plan_problem_pack(problem);
	return ret;
}

/* List the items that stand for a pass; *part is the next part's item. */
static void
list_items(const struct translation *translation, uint32_t index,
	   uint32_t *items, uint32_t *part)
{
	const struct pass *pass = &translation->plan->passes[index];

	for (size_t i = 0; i < pass->count; i++) {
		if (translation->plan->is_cut[pass->events[i]])
			items[i] = (*part)++;
		else
			items[i] = (uint32_t)pass->events[i];
	}
}

/* Explain why the first event of a pass is not in the pass before. */
static int
explain_pass(struct translation *translation, uint32_t index)
{
	struct drmperf_plan *plan = translation->plan;
	struct pass *pass = &plan->passes[index];
	uint32_t count = (uint32_t)plan->passes[index - 1].count;
	uint32_t first = (uint32_t)pass->events[0];
	struct drmperf_conflict *conflict =
		arena_alloc(plan->arena, sizeof(*conflict));
	int ret;

	if (!conflict)
		return -ENOMEM;
	/* of what was cut: why it had to be cut */
	ret = plan_problem_explain(translation->problem, translation->before,
				   plan->is_cut[first] ? 0 : count, first,
				   plan->arena, conflict);
	if (!ret)
		pass->conflict = conflict;
	/*
	 * -EINVAL: where alternatives are many, pack_fits() may give up on
	 * what the plan has found.
	 */
	return ret == -EINVAL ? 0 : ret;
}

static int
explain_passes(struct translation *translation, uint32_t count)
{
	uint32_t part = count;
	int ret = add_parts(translation);

	for (uint32_t i = 0; i < translation->plan->pass_count && !ret; i++) {
		if (i)
			ret = explain_pass(translation, i);
		list_items(translation, i, translation->before, &part);
	}
	return ret;
}

static int
fill_plan(struct drmperf_plan *plan, struct plan_problem *problem,
	  const struct pack_plan *packed, uint32_t count)
{
	struct translation translation = {
		.problem = problem,
		.packed = packed,
		.plan = plan,
		.before = calloc((size_t)count + 1, sizeof(uint32_t)),
	};
	int ret = translation.before ? 0 : -ENOMEM;

	if (!ret)
		ret = keep_passes(&translation, count);
	if (!ret)
		ret = explain_passes(&translation, count);
	free(translation.before);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Plans                                                                */

/*
 * Report an item that is left out although cutting is allowed: it has a counter
 * for no slot.
 */
static int
check_left_out(const struct plan_problem *problem,
	       const struct pack_plan *packed, uint32_t count,
	       struct drmperf_error *error)
{
	for (uint32_t i = 0; i < count; i++) {
		if (packed->states[i] == PACK_STATE_LEFT_OUT)
			return explain_misfit(problem, NULL, 0, i, "", error);
	}
	return 0;
}

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

/*
 * Keep a fit with the state if all selections are in one pass: to find a plan
 * of these and one more takes no search then.
 */
static void
keep_packed(struct drmperf *drmperf, struct plan_problem *problem,
	    const struct pack_plan *packed, uint32_t count)
{
	const struct pack_pass *pass = packed->passes;
	uint32_t *alternatives;

	if (packed->pass_count != 1 || pass->member_count != count ||
	    problem->packing.item_count != count)
		return;
	alternatives = calloc(count, sizeof(*alternatives));
	for (uint32_t i = 0; alternatives && i < count; i++)
		alternatives[i] = pass->members[i].alternative;
	if (alternatives)
		plan_fit_remember(drmperf, problem, count, alternatives);
	free(alternatives);
}

/* Make the plan of selections that fit one pass. NULL: no memory. */
static struct drmperf_plan *
plan_one_pass(size_t count)
{
	struct arena *arena = arena_create();
	struct drmperf_plan *plan = NULL;
	size_t *events = NULL;

	if (arena) {
		plan = arena_alloc(arena, sizeof(*plan) + count +
						  sizeof(*plan->passes));
		events = arena_alloc(arena, count * sizeof(*events));
	}
	if (!plan || !events) {
		arena_destroy(arena);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		events[i] = i;
	plan->arena = arena;
	plan->passes = (struct pass *)(plan + 1);
	plan->passes[0] = (struct pass){ .events = events, .count = count };
	plan->is_cut = (bool *)(plan->passes + 1);
	plan->pass_count = plan->bound = 1;
	plan->event_count = count;
	return plan;
}

static int
make_plan(struct drmperf *drmperf, struct plan_problem *problem, uint32_t count,
	  const struct drmperf_plan_options *options, struct drmperf_plan **out,
	  struct drmperf_error *error)
{
	uint64_t budget =
		options->budget_ns ? options->budget_ns : DEFAULT_BUDGET_NS;
	const struct pack_options packing = { .steps = budget / PACK_STEP_NS,
					      .split = options->cut_metrics };
	struct arena *arena;
	struct drmperf_plan *plan = NULL;
	struct pack_plan *packed;
	int ret;

	ret = packing.split ? 0 : check_alone(problem, count, error);
	if (ret)
		return ret;
	if (pack_plan_create(problem->pack, &packing, &packed))
		return no_memory(error);
	ret = check_left_out(problem, packed, count, error);
	arena = ret ? NULL : arena_create();
	if (arena)
		plan = arena_alloc(arena, sizeof(*plan));
	if (plan) {
		plan->arena = arena;
		if (fill_plan(plan, problem, packed, count))
			ret = no_memory(error);
		else
			ret = check_passes(plan, options->max_passes, error);
		if (!ret)
			keep_packed(drmperf, problem, packed, count);
	} else if (!ret) {
		ret = no_memory(error);
	}
	pack_plan_destroy(packed);
	if (ret)
		arena_destroy(arena);
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
	struct plan_problem problem;
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
	ret = plan_problem_init(&problem, selections, count, error);
	if (ret)
		return ret;
	ret = make_plan(drmperf, &problem, (uint32_t)count, &own, out, error);
	plan_problem_finish(&problem);
	return ret;
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
	return event < plan->event_count && plan->is_cut[event];
}

const struct drmperf_selection *
drmperf_plan_event_counters(const struct drmperf_plan *plan, size_t pass,
			    size_t event, size_t *count)
{
	const struct pass *from = pass_at(plan, pass);

	for (size_t i = 0; from && i < from->part_count; i++) {
		if (from->parts[i].event == event) {
			*count = from->parts[i].count;
			return from->parts[i].counters;
		}
	}
	*count = 0;
	return NULL;
}

const struct drmperf_conflict *
drmperf_plan_conflict(const struct drmperf_plan *plan, size_t pass)
{
	const struct pass *from = pass_at(plan, pass);

	return from ? from->conflict : NULL;
}
