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
 * unless its own has more.
 */
static void
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
		return;
	planner_enter_item(planner, part, best, alternative);
	planner_refill_pass(planner, from);
}

/* Gather the parts of each item in few of the passes that have some. */
static void
gather_parts(struct planner *planner)
{
	const struct pack_split *split = &planner->split;

	for (uint32_t i = 0, end; i < split->problem.item_count; i = end) {
		end = i + 1;
		while (end < split->problem.item_count &&
		       split->items[end] == split->items[i])
			end++;
		for (uint32_t part = i; end - i > 1 && part < end; part++)
			move_part(planner, i, end, part);
	}
}

/* ------------------------------------------------------------------ */
/* Order                                                                */

/* Drop a pass if it is empty: the next ones have its number and those behind. */
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
 * Settle where passes begin: none is empty, or begins with what the pass before
 * could take.
 */
static void
settle_boundaries(struct planner *planner)
{
	uint32_t pass = planner->pass_count;

	while (pass--)
		drop_if_empty(planner, pass);
	pass = 1;
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

/* Return whether an earlier part of the same item is in the same pass. */
static bool
is_listed(const struct planner *planner, uint32_t item)
{
	const uint32_t *of = planner->split.items;
	const uint32_t *pass = planner->assignment.pass;

	for (uint32_t i = item; i-- && of[i] == of[item];) {
		if (pass[i] == pass[item])
			return true;
	}
	return false;
}

static void
list_items(struct pack_plan *plan, const struct planner *planner)
{
	const struct pack_split *split = &planner->split;
	uint32_t items = split->problem.item_count, *first, *list;
	uint32_t *alternatives = pack_numbers(plan->arena, items);
	size_t *listed = arena_array(plan->arena, items, sizeof(*listed));

	for (uint32_t i = 0; i < items; i++)
		planner->list[i] = is_listed(planner, i)
					   ? PACK_NONE
					   : planner->assignment.pass[i];
	pack_group(planner->list, items, plan->pass_count, plan->arena, &first,
		   &list);
	if (arena_is_short(plan->arena))
		return;
	for (uint32_t i = 0; i < first[plan->pass_count]; i++) {
		uint32_t a = planner->assignment.alternative[list[i]];

		listed[i] = split->items[list[i]];
		alternatives[i] = split->alternatives[a];
	}
	for (uint32_t pass = 0; pass < plan->pass_count; pass++) {
		plan->passes[pass].items = &listed[first[pass]];
		plan->passes[pass].alternatives = &alternatives[first[pass]];
		plan->passes[pass].item_count = pack_range_size(first, pass);
	}
}

static void
list_counters(struct pack_plan *plan, const struct planner *planner)
{
	const size_t words = planner->passes.model->words;
	uint32_t *counters =
		pack_numbers(plan->arena, planner->problem->demand_count);

	for (uint32_t i = 0; counters && i < plan->pass_count; i++) {
		const uint32_t *row = pack_passes_row(&planner->passes, i);
		struct pack_pass *pass = &plan->passes[i];

		pass->counters = counters;
		for (uint32_t w = 0; w < words; w++) {
			for (uint32_t bits = row[w]; bits; bits &= bits - 1)
				*counters++ =
					32 * w + (uint32_t)__builtin_ctz(bits);
		}
		pass->counter_count = (uint32_t)(counters - pass->counters);
	}
}

/*
 * Keep a list of items that are in a conflict, by their numbers in the original
 * problem. An item is listed once for all its parts.
 */
static void
keep_items(struct pack_plan *plan, const struct planner *planner,
	   const uint32_t **list, uint32_t *count)
{
	uint32_t *kept = pack_numbers(plan->arena, *count), end = 0;

	for (uint32_t i = 0; kept && i < *count; i++) {
		const uint32_t item = planner->split.items[(*list)[i]];

		if (!end || kept[end - 1] != item)
			kept[end++] = item;
	}
	*list = kept;
	*count = end;
}

/* Say why a pass begins; pack is that of the original problem. */
static void
explain_pass(struct pack_plan *plan, struct planner *planner, struct pack *pack,
	     uint32_t pass)
{
	const struct pack_split *split = &planner->split;
	struct pack_conflict *conflict = &plan->passes[pass].conflict;
	const uint32_t first = first_item(planner, pass);
	uint32_t *list = planner->list;

	if (split->is_part[first])
		pack_explain(pack, NULL, 0, split->items[first], conflict);
	else
		pack_explain(split->pack, list,
			     list_pass(planner, pass - 1, list), first,
			     conflict);
	keep_items(plan, planner, &conflict->holders, &conflict->holder_count);
	keep_items(plan, planner, &conflict->removal, &conflict->removal_count);
	keep_items(plan, planner, &conflict->choices, &conflict->choice_count);
}

static int
fill_plan(struct pack_plan *plan, struct planner *planner, struct pack *pack)
{
	plan->passes = arena_array(plan->arena, planner->pass_count,
				   sizeof(*plan->passes));
	if (!plan->passes)
		return -ENOMEM;
	plan->pass_count = planner->pass_count;
	if (!plan->bound && plan->pass_count)
		plan->bound = 1;
	list_items(plan, planner);
	list_counters(plan, planner);
	for (uint32_t pass = 1; pass < plan->pass_count; pass++)
		explain_pass(plan, planner, pack, pass);
	return arena_is_short(plan->arena) ? -ENOMEM : 0;
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
		fill_rows(&planner);
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
