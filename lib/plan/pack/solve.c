/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fewest passes.
 *
 * Items that share a pool which can overflow, or a setting of several values,
 * are in each other's way. Those that are so directly, or through others, are
 * a component; some items are in no other's way:
 *
 *	            component 1           component 2           no component
 *	          pool of 2 slots    setting of 2 values
 *	pass 0      | W0 W1 |          A: | X Y |           | C0 C1 C2 |
 *	pass 1      | W2 W3 |          B: | Z   |           |          |
 *	pass 2      | W4    |             |     |           |          |
 *
 * Pass n is pass n of every component. So the worst component decides, and only
 * that is worked at, until another is the worst or it is proved to need what
 * it takes. Its plan and its bound come closer from both sides:
 *
 *	bound                                             plan
 *	  1 -> covering -> counting -> search   search <- first fit
 *	                           from below   from above
 *
 * covering   each item must find its value among those of the setting
 * counting   each counter must find a slot under every constraint it obeys
 * first fit  each item into the first pass that takes it: as given; then those
 *            first that need most of what is scarce
 * search     whether all items fit into n passes, depth first:
 *
 *	choose the item that the fewest passes take, of these the heaviest
 *	for each of these passes, and one that is still empty:
 *		put it there, and with it what then needs nothing more there
 *		see which items the pass can no longer take
 *		go on, unless counting says that what is to come cannot fit
 *
 * Counting is where most branches end: by constraint, counters to come are held
 * against free slots in the passes that are open and in those that are not;
 * and once more for each value of the main setting, which only some passes
 * can still be given.
 *
 * Branches that are alike are tried once. Of empty passes the first will do.
 * Of twins, items as good as each other, each goes into no earlier pass than
 * the one before it: in any plan they could be exchanged until they do.
 *
 * All work is counted in steps, and at the end of them the best plan so far
 * is taken, with the bound so far. Neither depends on time.
 */
#include "plan/pack/solve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Weights are multiples of this part of a pass. */
#define WEIGHT_UNIT UINT64_C(65536)

struct solver {
	struct arena *arena;
	struct pack_components *components;
	uint64_t *weight; /* per item: its need of scarce hardware */
	struct pack_search *search;
	struct pack_passes *passes;
	struct pack_assignment *assignment; /* of the best plans */
	struct pack_assignment trial;
	uint32_t *order; /* items of a component */
	uint32_t bound; /* the highest of any component */
	uint64_t end; /* of passes->steps */
};

/* ------------------------------------------------------------------ */
/* Weights                                                              */

/*
 * Weigh the counters. A counter takes 1/limit of its constraint in a pass, and
 * that is the dearer the more passes the constraint alone asks for. pressure is
 * zeroed, one per constraint.
 */
static void
weigh_counters(const struct pack_model *model, uint64_t *weight,
	       uint64_t *pressure)
{
	uint32_t counters = model->problem->counter_count;

	for (uint32_t i = 0; i < model->obeyed_first[counters]; i++)
		pressure[model->obeyed[i]]++;
	for (uint32_t c = 0; c < counters; c++) {
		PACK_EACH(i, model->obeyed_first, c) {
			uint32_t constraint = model->obeyed[i];
			uint64_t limit = model->constraints[constraint].limit;

			weight[c] += WEIGHT_UNIT * pressure[constraint] /
				     (limit * limit);
		}
	}
}

/* Weigh an item: it is as heavy as the lightest of its alternatives. */
static uint64_t
weigh_item(const struct pack_problem *problem, uint32_t item,
	   const uint64_t *weight)
{
	uint64_t lightest = UINT64_MAX;

	PACK_EACH(a, problem->alternative_first, item) {
		uint64_t sum = 0;

		PACK_EACH(i, problem->demand_first, a)
			sum += weight[problem->demands[i]];
		if (sum < lightest)
			lightest = sum;
	}
	return lightest;
}

static void
weigh_items(struct solver *solver)
{
	const struct pack_model *model = solver->passes->model;
	const struct pack_problem *problem = model->problem;
	struct arena *arena = solver->arena;
	uint64_t *weight =
		arena_array(arena, problem->counter_count, sizeof(*weight));
	uint64_t *pressure =
		arena_array(arena, model->constraint_count, sizeof(*pressure));

	solver->weight =
		arena_array(arena, problem->item_count, sizeof(uint64_t));
	if (arena_is_short(arena))
		return;
	weigh_counters(model, weight, pressure);
	for (uint32_t i = 0; i < problem->item_count; i++)
		solver->weight[i] = weigh_item(problem, i, weight);
}

/* ------------------------------------------------------------------ */

static void
solver_init(struct solver *solver, struct pack *pack,
	    struct pack_passes *passes, struct pack_assignment *assignment,
	    struct arena *arena)
{
	const struct pack_model *model = passes->model;
	size_t items = model->problem->item_count;

	*solver = (struct solver){
		.arena = arena,
		.components = &pack->components,
		.passes = passes,
		.assignment = assignment,
	};
	solver->trial.pass = pack_numbers(arena, items);
	solver->trial.alternative = pack_numbers(arena, items);
	solver->order = pack_numbers(arena, items);
	weigh_items(solver);
	solver->search = pack_search_create(solver->weight,
					    pack_twins_create(model, arena),
					    passes, &solver->trial, arena);
}

/* Keep the trial for a component. */
static void
solver_keep_plan(struct solver *solver, struct pack_component *component,
		 uint32_t pass_count)
{
	const struct pack_assignment *trial = &solver->trial;

	for (uint32_t i = 0; i < component->item_count; i++) {
		uint32_t item = component->items[i];

		solver->assignment->pass[item] = trial->pass[item];
		solver->assignment->alternative[item] =
			trial->alternative[item];
	}
	component->pass_count = pass_count;
}

/* ------------------------------------------------------------------ */
/* Covering                                                             */

/*
 * Return whether an item accepts some values only, and none of those that are
 * taken.
 */
static bool
is_apart(const struct pack_model *model, uint32_t item, uint32_t setting,
	 const bool *taken)
{
	PACK_EACH(a, model->problem->alternative_first, item) {
		uint32_t value = pack_model_value(model, a, setting);

		if (value == PACK_NONE || taken[value])
			return false;
	}
	return true;
}

/*
 * Return a bound of the passes that a component needs, from the values of its
 * main setting that items accept: of items that insist on some value, and of
 * which no two accept the same, each needs a pass of its own. Those of few
 * choices are taken first. It is 1 at least. The arena shows if memory is
 * short.
 */
static uint32_t
cover_bound(const struct solver *solver, const struct pack_component *component)
{
	const struct pack_model *model = solver->passes->model;
	const uint32_t *first = model->problem->alternative_first;
	uint32_t setting = component->setting, count = 0;
	bool *taken = arena_array(solver->arena, component->value_count,
				  sizeof(*taken));

	for (uint32_t choices = 1, more; taken && choices; choices = more) {
		more = 0;
		for (uint32_t i = 0; i < component->item_count; i++) {
			uint32_t item = component->items[i];
			uint32_t has = pack_range_size(first, item);

			if (has > choices && (!more || has < more))
				more = has;
			if (has != choices ||
			    !is_apart(model, item, setting, taken))
				continue;
			count++;
			PACK_EACH(a, first, item)
				taken[pack_model_value(model, a, setting)] =
					true;
		}
	}
	return count ? count : 1;
}

/* ------------------------------------------------------------------ */
/* First fit                                                            */

/* Put an item into the first pass that takes it, be it a new one. */
static void
put_first(struct solver *solver, uint32_t item, uint32_t *pass_count)
{
	struct pack_passes *passes = solver->passes;
	uint32_t pass = 0, *alternative = &solver->trial.alternative[item];

	while (pass < *pass_count &&
	       pack_passes_probe_item(passes, pass, item, alternative) ==
		       PACK_NO_FIT)
		pass++;
	if (pass == *pass_count) {
		++*pass_count;
		pack_passes_clear(passes, pass);
		pack_passes_probe_item(passes, pass, item, alternative);
	}
	pack_passes_add(passes, pass, *alternative);
	solver->trial.pass[item] = pass;
}

/* Plan a component by first fit in some order; kept if it is the best. */
static void
fit_first(struct solver *solver, struct pack_component *component,
	  const uint32_t *order)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < component->item_count; i++)
		put_first(solver, order[i], &count);
	if (!component->pass_count || count < component->pass_count)
		solver_keep_plan(solver, component, count);
}

/* Compare weights, so that the heaviest comes first. */
static int
compare_weights(const void *left, const void *right, void *data)
{
	const uint64_t *weight = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (weight[a] != weight[b])
		return weight[a] > weight[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void
fit_first_decreasing(struct solver *solver, struct pack_component *component)
{
	memcpy(solver->order, component->items,
	       component->item_count * sizeof(*solver->order));
	qsort_r(solver->order, component->item_count, sizeof(*solver->order),
		compare_weights, solver->weight);
	fit_first(solver, component, solver->order);
}

/* ------------------------------------------------------------------ */
/* Searching                                                            */

/* Search for a plan of limit passes, until the steps come to stop. */
static enum pack_verdict
solver_search(struct solver *solver, struct pack_component *component,
	      uint32_t limit, uint64_t stop)
{
	enum pack_verdict verdict =
		pack_search_run(solver->search, component, stop, &limit);

	if (verdict == PACK_VERDICT_FOUND)
		solver_keep_plan(solver, component, limit);
	else if (verdict == PACK_VERDICT_IMPOSSIBLE)
		component->bound = limit + 1;
	return verdict;
}

/*
 * Search from above, where each search that succeeds saves a pass; then from
 * below, where each that fails raises the bound.
 */
static void
search_from_both_sides(struct solver *solver, struct pack_component *component)
{
	uint64_t quarter = (solver->end - solver->passes->steps) / 4;
	enum pack_verdict verdict = PACK_VERDICT_FOUND;

	while (component->pass_count > component->bound &&
	       verdict == PACK_VERDICT_FOUND)
		verdict = solver_search(solver, component,
					component->pass_count - 1,
					solver->end - quarter);
	verdict = PACK_VERDICT_IMPOSSIBLE;
	while (component->pass_count > component->bound &&
	       verdict == PACK_VERDICT_IMPOSSIBLE)
		verdict = solver_search(solver, component, component->bound,
					solver->end);
}

/* ------------------------------------------------------------------ */
/* Components                                                           */

static void
raise_bound(struct solver *solver, struct pack_component *component,
	    uint32_t bound)
{
	if (bound > component->bound)
		component->bound = bound;
	if (bound > solver->bound)
		solver->bound = bound;
}

/*
 * Plan the components: bounds, and first plans as given, so that passes are in
 * the user's order.
 */
static void
plan_components(struct solver *solver)
{
	for (uint32_t i = 0; i < solver->components->count; i++) {
		struct pack_component *component = &solver->components->all[i];
		uint32_t bound = cover_bound(solver, component);

		bound = pack_search_bound(solver->search, component, bound);
		raise_bound(solver, component, bound);
		fit_first(solver, component, component->items);
	}
}

/* Return the component that needs most passes; NULL if there is none. */
static struct pack_component *
worst_component(const struct solver *solver)
{
	struct pack_component *worst = NULL;

	for (uint32_t i = 0; i < solver->components->count; i++) {
		struct pack_component *component = &solver->components->all[i];

		if (!worst || component->pass_count > worst->pass_count)
			worst = component;
	}
	return worst;
}

/*
 * Improve the worst component until another one is, or it cannot be improved.
 */
static void
solver_improve(struct solver *solver)
{
	struct pack_component *improved = NULL, *worst;

	while ((worst = worst_component(solver)) != improved &&
	       worst->pass_count > solver->bound) {
		fit_first_decreasing(solver, worst);
		if (worst->pass_count > solver->bound &&
		    solver->passes->steps < solver->end)
			search_from_both_sides(solver, worst);
		raise_bound(solver, worst, worst->bound);
		improved = worst;
	}
}

/* Number the passes of a component by their first items. */
static void
sort_passes(const struct solver *solver, const struct pack_component *component)
{
	uint32_t *pass = solver->assignment->pass;
	uint32_t *number = solver->order, count = 0;

	for (uint32_t i = 0; i < component->item_count; i++)
		number[i] = PACK_NONE;
	for (uint32_t i = 0; i < component->item_count; i++) {
		uint32_t item = component->items[i];

		if (number[pass[item]] == PACK_NONE)
			number[pass[item]] = count++;
		pass[item] = number[pass[item]];
	}
}

int
pack_solve(struct pack *pack, struct pack_passes *passes, uint64_t steps,
	   struct arena *arena, struct pack_assignment *assignment,
	   uint32_t *pass_count, uint32_t *bound)
{
	uint32_t items = passes->model->problem->item_count;
	struct solver solver;

	solver_init(&solver, pack, passes, assignment, arena);
	if (!arena_is_short(arena))
		plan_components(&solver);
	if (arena_is_short(arena))
		return -ENOMEM;
	if (solver.components->count) {
		solver.end = passes->steps + steps;
		solver_improve(&solver);
		*pass_count = worst_component(&solver)->pass_count;
		*bound = solver.bound;
	}
	for (uint32_t i = 0; i < solver.components->count; i++)
		sort_passes(&solver, &solver.components->all[i]);
	for (uint32_t i = 0; i < items; i++) {
		if (solver.components->of[i] == PACK_NONE)
			assignment->pass[i] = PACK_NONE;
	}
	return 0;
}
