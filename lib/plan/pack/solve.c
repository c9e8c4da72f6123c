/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fewest passes.
 *
 * Items that share a pool which can overflow, or a setting of several values,
 * are in each other's way. Those that are so directly, or through others, are
 * an island; some items are in nobody's way:
 *
 *	            island 1           island 2           no island
 *	          pool of 2 slots    setting of 2 values
 *	pass 0      | W0 W1 |          A: | X Y |           | C0 C1 C2 |
 *	pass 1      | W2 W3 |          B: | Z   |           |          |
 *	pass 2      | W4    |             |     |           |          |
 *
 * Pass n is pass n of every island. So the worst island decides, and only
 * that is worked at, until another is the worst or it is proved to need what
 * it takes. Its plan and its bound come closer from both sides:
 *
 *	bound                                                       plan
 *	  1 -> covering -> counting -> clique -> search   search <- first fit
 *	                                     from below   from above
 *
 * covering   each item must find its value among those of the setting
 * counting   each counter must find a slot under every rule it obeys
 * clique     items of which no two go together need a pass each
 * first fit  each item into the first pass that takes it: as given; then the
 *            largest first, and those that need what is scarce
 * search     whether all items fit into so many passes, depth first:
 *
 *	choose the item that the fewest passes take, of these the heaviest
 *	for each of these passes, and one that is still empty:
 *		put it there, and with it what then needs nothing more there
 *		see which items the pass can no longer take
 *		go on, unless counting says that what is to come cannot fit
 *
 * Counting is where most branches end: by rule, counters to come are held
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

#include <stdlib.h>
#include <string.h>

#include "plan/pack/cover.h"
#include "plan/pack/island.h"
#include "plan/pack/profile.h"
#include "plan/pack/search.h"

struct solver {
	struct pack_memory memory;
	struct pack_islands islands;
	struct pack_profile profile;
	struct pack_search *search;
	struct pack_passes *passes;
	struct pack_places *places; /* of the best plans */
	struct pack_places trial;
	uint32_t *order; /* items of an island */
	uint32_t bound; /* the highest of any island */
	uint64_t end; /* of passes->steps */
};

static int
solver_init(struct solver *solver, struct pack_passes *passes,
	    struct pack_places *places)
{
	const struct pack_model *model = passes->model;
	size_t items = model->problem->item_count;
	struct pack_memory *memory = &solver->memory;
	int ret;

	*solver = (struct solver){ .passes = passes, .places = places };
	solver->trial.pass = pack_memory_numbers(memory, items);
	solver->trial.alternative = pack_memory_numbers(memory, items);
	solver->order = pack_memory_numbers(memory, items);
	ret = pack_islands_init(&solver->islands, model, memory);
	if (!ret)
		ret = pack_profile_init(&solver->profile, model, memory);
	if (!ret)
		ret = pack_search_create(&solver->profile, passes,
					 &solver->trial, &solver->search);
	return ret;
}

static void
solver_finish(struct solver *solver)
{
	pack_search_destroy(solver->search);
	pack_memory_release(&solver->memory);
}

/* Keep the trial for an island. */
static void
keep(struct solver *solver, struct pack_island *island, uint32_t pass_count)
{
	const struct pack_places *trial = &solver->trial;

	for (uint32_t i = 0; i < island->item_count; i++) {
		uint32_t item = island->items[i];

		solver->places->pass[item] = trial->pass[item];
		solver->places->alternative[item] = trial->alternative[item];
	}
	island->pass_count = pass_count;
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

/* Plan an island by first fit in some order; kept if it is the best. */
static void
fit_first(struct solver *solver, struct pack_island *island,
	  const uint32_t *order)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < island->item_count; i++)
		put_first(solver, order[i], &count);
	if (!island->pass_count || count < island->pass_count)
		keep(solver, island, count);
}

/* The largest first. */
static int
compare_sizes(const void *left, const void *right, void *data)
{
	const uint64_t *size = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (size[a] != size[b])
		return size[a] > size[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void
fit_first_decreasing(struct solver *solver, struct pack_island *island,
		     uint64_t *size)
{
	memcpy(solver->order, island->items,
	       island->item_count * sizeof(*solver->order));
	qsort_r(solver->order, island->item_count, sizeof(*solver->order),
		compare_sizes, size);
	fit_first(solver, island, solver->order);
}

/* ------------------------------------------------------------------ */
/* Searching                                                            */

/* Search for a plan of limit passes, until the steps come to stop. */
static enum pack_verdict
search(struct solver *solver, struct pack_island *island, uint32_t limit,
       uint64_t stop)
{
	enum pack_verdict verdict =
		pack_search_run(solver->search, island, stop, &limit);

	if (verdict == PACK_VERDICT_FOUND)
		keep(solver, island, limit);
	else if (verdict == PACK_VERDICT_IMPOSSIBLE)
		island->bound = limit + 1;
	return verdict;
}

/*
 * From above, each search that succeeds saves a pass; then from below, each
 * that fails raises the bound.
 */
static void
search_from_both_sides(struct solver *solver, struct pack_island *island)
{
	uint64_t quarter = (solver->end - solver->passes->steps) / 4;
	enum pack_verdict verdict = PACK_VERDICT_FOUND;

	while (island->pass_count > island->bound &&
	       verdict == PACK_VERDICT_FOUND)
		verdict = search(solver, island, island->pass_count - 1,
				 solver->end - quarter);
	verdict = PACK_VERDICT_IMPOSSIBLE;
	while (island->pass_count > island->bound &&
	       verdict == PACK_VERDICT_IMPOSSIBLE)
		verdict = search(solver, island, island->bound, solver->end);
}

/* ------------------------------------------------------------------ */
/* Islands                                                              */

static void
raise_bound(struct solver *solver, struct pack_island *island, uint32_t bound)
{
	if (bound > island->bound)
		island->bound = bound;
	if (bound > solver->bound)
		solver->bound = bound;
}

/* Bounds, and first plans as given: so passes are in the user's order. */
static int
plan_islands(struct solver *solver)
{
	uint32_t bound;
	int ret = 0;

	for (uint32_t i = 0; i < solver->islands.count && !ret; i++) {
		struct pack_island *island = &solver->islands.all[i];

		ret = pack_cover_bound(solver->passes->model, island, &bound);
		bound = pack_search_bound(solver->search, island, bound);
		raise_bound(solver, island, bound);
		fit_first(solver, island, island->items);
	}
	return ret;
}

/* The island that needs most passes; NULL if there is none. */
static struct pack_island *
worst_island(const struct solver *solver)
{
	struct pack_island *worst = NULL;

	for (uint32_t i = 0; i < solver->islands.count; i++) {
		struct pack_island *island = &solver->islands.all[i];

		if (!worst || island->pass_count > worst->pass_count)
			worst = island;
	}
	return worst;
}

/* What takes no search, once for each island. */
static void
fit_better(struct solver *solver, struct pack_island *island)
{
	if (island->is_fitted)
		return;
	island->is_fitted = true;
	fit_first_decreasing(solver, island, solver->profile.item_size);
	fit_first_decreasing(solver, island, solver->profile.item_weight);
	if (island->pass_count > solver->bound &&
	    solver->passes->steps < solver->end)
		raise_bound(solver, island,
			    pack_search_clique(solver->search, island,
					       island->pass_count));
}

static void
fit_and_search(struct solver *solver, struct pack_island *island)
{
	fit_better(solver, island);
	if (island->pass_count > solver->bound &&
	    solver->passes->steps < solver->end)
		search_from_both_sides(solver, island);
	raise_bound(solver, island, island->bound);
}

/* Improve the worst island until another one is, or it cannot be improved. */
static void
improve(struct solver *solver,
	void (*way)(struct solver *solver, struct pack_island *island))
{
	struct pack_island *improved = NULL, *worst;

	while ((worst = worst_island(solver)) != improved &&
	       worst->pass_count > solver->bound) {
		way(solver, worst);
		improved = worst;
	}
}

/* Number the passes of an island by their first items. */
static void
sort_passes(const struct solver *solver, const struct pack_island *island)
{
	uint32_t *pass = solver->places->pass;
	uint32_t *number = solver->order, count = 0;

	for (uint32_t i = 0; i < island->item_count; i++)
		number[i] = PACK_NONE;
	for (uint32_t i = 0; i < island->item_count; i++) {
		uint32_t item = island->items[i];

		if (number[pass[item]] == PACK_NONE)
			number[pass[item]] = count++;
		pass[item] = number[pass[item]];
	}
}

int
pack_solve(struct pack_passes *passes, uint64_t steps,
	   struct pack_places *places, uint32_t *pass_count, uint32_t *bound)
{
	uint32_t items = passes->model->problem->item_count;
	struct solver solver;
	int ret = solver_init(&solver, passes, places);

	if (!ret)
		ret = plan_islands(&solver);
	if (!ret && solver.islands.count) {
		solver.end = passes->steps + steps;
		improve(&solver, fit_better);
		improve(&solver, fit_and_search);
		*pass_count = worst_island(&solver)->pass_count;
		*bound = solver.bound;
	}
	for (uint32_t i = 0; !ret && i < solver.islands.count; i++)
		sort_passes(&solver, &solver.islands.all[i]);
	for (uint32_t i = 0; !ret && i < items; i++) {
		if (solver.islands.of[i] == PACK_NONE)
			places->pass[i] = PACK_NONE;
	}
	solver_finish(&solver);
	return ret;
}
