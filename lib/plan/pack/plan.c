/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a problem to passes:
 *
 *	split      what fits no pass, into parts, if allowed
 *	solve    places for all items, in the fewest passes
 *	gather   the parts of an item, in few of their passes
 *	settle   boundaries: no pass begins with what the one before could take,
 *	         so that its first item tells why it is needed
 *	explain  why that item is not in the pass before
 */
#include <errno.h>
#include <string.h>

#include "plan/pack/solve.h"

struct planner {
	struct arena *arena;
	struct pack_split split;
	const struct pack_problem *problem; /* what is left after cutting */
	struct pack_passes passes; /* a row per item, and one */
	struct pack_assignment assignment;
	uint32_t pass_count;
	uint32_t *list, *chosen; /* scratch, per item */
	uint32_t *item_first, *items; /* in the end: those of each pass */
};

static int
planner_init(struct planner *planner, struct pack *pack, bool split,
	     enum pack_state *states)
{
	struct arena *arena = arena_create();
	size_t items;
	int ret;

	planner->arena = arena;
	ret = pack_split_init(&planner->split, pack, split, states, arena);
	if (ret)
		return ret;
	planner->problem = &planner->split.problem;
	items = (size_t)planner->problem->item_count + 1;
	pack_passes_init(&planner->passes, &planner->split.pack->model, items,
			 arena);
	planner->assignment.pass = pack_numbers(arena, items);
	planner->assignment.alternative = pack_numbers(arena, items);
	planner->list = pack_numbers(arena, items);
	planner->chosen = pack_numbers(arena, items);
	return arena_is_short(arena) ? -ENOMEM : 0;
}

static void
planner_finish(struct planner *planner)
{
	pack_split_finish(&planner->split);
	arena_destroy(planner->arena);
}

/* ------------------------------------------------------------------ */
/* Moving items                                                         */

/* Fill a row again with the items that are in the pass. */
static void
planner_refill_pass(struct planner *planner, uint32_t pass)
{
	const struct pack_assignment *assignment = &planner->assignment;

	pack_passes_clear(&planner->passes, pass);
	for (uint32_t i = 0; i < planner->problem->item_count; i++) {
		if (assignment->pass[i] == pass)
			pack_passes_add(&planner->passes, pass,
					assignment->alternative[i]);
	}
}

static void
planner_enter_item(struct planner *planner, uint32_t item, uint32_t pass,
		   uint32_t alternative)
{
	planner->assignment.pass[item] = pass;
	planner->assignment.alternative[item] = alternative;
	pack_passes_add(&planner->passes, pass, alternative);
}

/* Fill all rows. Items without a place get one in the first pass. */
static void
fill_rows(struct planner *planner)
{
	uint32_t items = planner->problem->item_count, alternative = 0;
	const struct pack_assignment *assignment = &planner->assignment;

	if (!planner->pass_count && items)
		planner->pass_count = 1;
	for (uint32_t pass = 0; pass < planner->pass_count; pass++)
		pack_passes_clear(&planner->passes, pass);
	for (uint32_t i = 0; i < items; i++) {
		if (assignment->pass[i] != PACK_NONE)
			pack_passes_add(&planner->passes, assignment->pass[i],
					assignment->alternative[i]);
	}
	for (uint32_t i = 0; i < items; i++) {
		if (assignment->pass[i] != PACK_NONE)
			continue;
		pack_passes_probe_item(&planner->passes, 0, i, &alternative);
		planner_enter_item(planner, i, 0, alternative);
	}
}

/* ------------------------------------------------------------------ */
/* Parts of what was split                                              */

/* Return how many parts of an item a pass has. */
static uint32_t
count_parts(const struct planner *planner, uint32_t first, uint32_t end,
	    uint32_t pass)
{
	uint32_t count = 0;

	for (uint32_t i = first; i < end; i++)
		count += planner->assignment.pass[i] == pass;
	return count;
}

/*
 * Move a part of an item to the pass that has most of the others and takes it,
 * unless its own has more. Returns whether it was moved.
 */
static bool
move_part(struct planner *planner, uint32_t first, uint32_t end, uint32_t part)
{
	const struct pack_assignment *assignment = &planner->assignment;
	const uint32_t alternative = assignment->alternative[part];
	const uint32_t from = assignment->pass[part];
	uint32_t most = count_parts(planner, first, end, from) - 1, best = from;

	for (uint32_t i = first; i < end; i++) {
		uint32_t to = assignment->pass[i];
		uint32_t count = count_parts(planner, first, end, to);

		if (to == from || count <= most ||
		    pack_passes_probe(&planner->passes, to, alternative) ==
			    PACK_NO_FIT)
			continue;
		most = count;
		best = to;
	}
	if (best == from)
		return false;
	planner_enter_item(planner, part, best, alternative);
	planner_refill_pass(planner, from);
	return true;
}

/* Drop a pass if it is empty; the passes after it are numbered again. */
static void
drop_if_empty(struct planner *planner, uint32_t pass)
{
	uint32_t items = planner->problem->item_count;
	uint32_t *of = planner->assignment.pass;

	for (uint32_t i = 0; i < items; i++) {
		if (of[i] == pass)
			return;
	}
	for (uint32_t i = 0; i < items; i++)
		of[i] -= of[i] > pass;
	planner->pass_count--;
}

/* Gather the parts of each item in few of the passes that have some. */
static void
gather_parts(struct planner *planner)
{
	const struct pack_split *split = &planner->split;
	bool moved = false;

	for (uint32_t i = 0, end; i < split->problem.item_count; i = end) {
		end = i + 1;
		while (end < split->problem.item_count &&
		       split->items[end] == split->items[i])
			end++;
		for (uint32_t part = i; end - i > 1 && part < end; part++)
			moved |= move_part(planner, i, end, part);
	}
	for (uint32_t pass = planner->pass_count; moved && pass--;)
		drop_if_empty(planner, pass);
}

/* ------------------------------------------------------------------ */
/* Order                                                                */

static uint32_t
first_item(const struct planner *planner, uint32_t pass)
{
	uint32_t item = 0;

	while (planner->assignment.pass[item] != pass)
		item++;
	return item;
}

/* List the items of a pass; returns how many. */
static uint32_t
list_pass(const struct planner *planner, uint32_t pass, uint32_t *list)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < planner->problem->item_count; i++) {
		if (planner->assignment.pass[i] == pass)
			list[count++] = i;
	}
	return count;
}

/*
 * Move the first item of a pass into the pass before if that takes it, be it
 * with other alternatives for those it has. False if it does not.
 */
static bool
move_first(struct planner *planner, uint32_t pass)
{
	struct pack_assignment *assignment = &planner->assignment;
	uint32_t *list = planner->list, *chosen = planner->chosen;
	const uint32_t first = first_item(planner, pass);
	uint32_t count = list_pass(planner, pass - 1, list);

	list[count++] = first;
	if (planner->split.is_part[first] ||
	    !pack_fits(planner->split.pack, list, count, chosen))
		return false;
	assignment->pass[first] = pass - 1;
	for (uint32_t i = 0; i < count; i++)
		assignment->alternative[list[i]] = chosen[i];
	return true;
}

/*
 * Settle where passes begin: none may begin with what the pass before could
 * take.
 */
static void
settle_boundaries(struct planner *planner)
{
	uint32_t pass = 1;

	while (pass < planner->pass_count) {
		if (!move_first(planner, pass)) {
			pass++;
			continue;
		}
		drop_if_empty(planner, pass);
		pass = pass > 1 ? pass - 1 : 1;
	}
}

/* ------------------------------------------------------------------ */
/* The result                                                           */

/* List the counters of row 0. */
static void
list_counters(struct pack_pass *pass, const struct pack_passes *passes)
{
	const uint32_t *row = pack_passes_row(passes, 0);

	for (uint32_t w = 0; w < passes->model->words; w++) {
		for (uint32_t bits = row[w]; bits; bits &= bits - 1)
			pass->counters[pass->counter_count++] =
				32 * w + (uint32_t)__builtin_ctz(bits);
	}
}

/*
 * Fill a pass with its items, each of which is listed once for all its parts.
 * Row 0 is scratch: the counters of all.
 */
static void
fill_pass(struct pack_pass *pass, struct planner *planner, uint32_t number,
	  struct arena *arena)
{
	const struct pack_split *split = &planner->split;
	uint32_t count = pack_range_size(planner->item_first, number);
	struct pack_passes *passes = &planner->passes;
	size_t demands = 0;

	pass->items = arena_array(arena, count, sizeof(*pass->items));
	pass->alternatives = pack_numbers(arena, count);
	if (arena_is_short(arena))
		return;
	pack_passes_clear(passes, 0);
	PACK_EACH(i, planner->item_first, number) {
		uint32_t a = planner->assignment.alternative[planner->items[i]];
		uint32_t item = split->items[planner->items[i]];
		uint32_t at = pass->item_count;

		pack_passes_add(passes, 0, a);
		demands += pack_range_size(split->problem.demand_first, a);
		if (at && pass->items[at - 1] == item)
			continue;
		pass->items[at] = item;
		pass->alternatives[at] = split->alternatives[a];
		pass->item_count++;
	}
	pass->counters = pack_numbers(arena, demands);
	if (pass->counters)
		list_counters(pass, passes);
}

/*
 * Keep a list of items that are in a conflict, by their numbers in the original
 * problem, and each once for all its parts.
 */
static void
keep_items(const struct pack_split *split, const uint32_t **list,
	   uint32_t *count, struct arena *arena)
{
	uint32_t *kept = pack_numbers(arena, *count), end = 0;

	for (uint32_t i = 0; kept && i < *count; i++) {
		const uint32_t item = split->items[(*list)[i]];

		if (!end || kept[end - 1] != item)
			kept[end++] = item;
	}
	*list = kept;
	*count = end;
}

/*
 * Explain why a pass begins with its first item; pack is that of the original
 * problem.
 */
static void
explain_pass(struct pack_conflict *conflict, const struct planner *planner,
	     uint32_t number, struct pack *pack, struct arena *arena)
{
	const struct pack_split *split = &planner->split;
	const uint32_t *before = &planner->item_first[number - 1];
	const uint32_t first = planner->items[before[1]];

	if (split->is_part[first])
		pack_explain(pack, NULL, 0, split->items[first], conflict);
	else
		pack_explain(split->pack, &planner->items[before[0]],
			     before[1] - before[0], first, conflict);
	keep_items(split, &conflict->holders, &conflict->holder_count, arena);
	keep_items(split, &conflict->removal, &conflict->removal_count, arena);
	keep_items(split, &conflict->choices, &conflict->choice_count, arena);
}

static int
fill_plan(struct pack_plan *plan, struct planner *planner, struct pack *pack)
{
	struct arena *arena = plan->arena;
	uint32_t passes = planner->pass_count;

	plan->passes = arena_array(arena, passes, sizeof(*plan->passes));
	pack_group(planner->assignment.pass, planner->problem->item_count,
		   passes, arena, &planner->item_first, &planner->items);
	if (arena_is_short(arena))
		return -ENOMEM;
	plan->pass_count = passes;
	if (!plan->bound && passes)
		plan->bound = 1;
	for (uint32_t i = 0; i < passes; i++) {
		struct pack_pass *pass = &plan->passes[i];

		fill_pass(pass, planner, i, arena);
		if (i)
			explain_pass(&pass->conflict, planner, i, pack, arena);
	}
	return arena_is_short(arena) ? -ENOMEM : 0;
}

int
pack_plan_create(struct pack *pack, const struct pack_options *options,
		 struct pack_plan **out)
{
	struct arena *arena = arena_create();
	struct pack_plan *plan = arena_array(arena, 1, sizeof(*plan));
	enum pack_state *states = arena_array(
		arena, pack->model.problem->item_count, sizeof(*states));
	struct planner planner = { .pass_count = 0 };
	int ret = -ENOMEM;

	if (!arena_is_short(arena)) {
		*plan = (struct pack_plan){ .states = states, .arena = arena };
		ret = planner_init(&planner, pack, options->split, states);
	}
	if (!ret)
		ret = pack_solve(planner.split.pack, &planner.passes,
				 options->steps, planner.arena,
				 &planner.assignment, &planner.pass_count,
				 &plan->bound);
	if (!ret) {
		fill_rows(&planner);
		gather_parts(&planner);
		settle_boundaries(&planner);
		ret = fill_plan(plan, &planner, pack);
	}
	planner_finish(&planner);
	if (ret)
		arena_destroy(arena);
	else
		*out = plan;
	return ret;
}

void
pack_plan_destroy(struct pack_plan *plan)
{
	if (plan)
		arena_destroy(plan->arena);
}
