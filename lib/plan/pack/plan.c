/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a problem to passes:
 *
 *	cut        what fits no pass, into its counters, if allowed
 *	reduce     to what can be in the way of something
 *	divide     into parts that do not limit each other
 *	solve      the parts: bounds, first plans, then a search for the one
 *	           that needs most passes, until they are proved necessary
 *	assemble   pass n is pass n of every part; what was dropped rides along
 *	gather     what was cut into as few passes as possible
 *	order      move everything else into the earliest pass it fits
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan/pack/private.h"
#include "plan/pack/solve.h"
#include "plan/pack/units.h"

/* Rounds of moving units forward; each moves less than the one before. */
#define ORDER_ROUNDS 4

struct planner {
	struct pack *pack;
	struct pack_units units;
	struct pack_solver solver;
	/* where every unit is, and what the passes hold */
	struct pack_assignment where;
	struct pack_passes passes; /* a row per unit, and a spare one */
	/* lists of the units in a pass, by falling index */
	uint32_t *first, *next;
	/* scratch, per unit */
	uint32_t *order;
	uint32_t *number;
	struct pack_assignment trial;
	struct pack whole; /* the units as a pack, for pack_fits() */
};

static int
planner_init(struct planner *planner, struct pack *pack, bool cut,
	     struct arena *arena)
{
	const struct pack_space *space = &planner->units.space;
	struct pack_solver *solver = &planner->solver;
	int ret;

	planner->pack = pack;
	ret = pack_units_init(&planner->units, pack, cut, arena);
	if (ret)
		return ret;
	uint32_t **arrays[] = {
		&planner->where.pass, &planner->where.alternative,
		&planner->trial.pass, &planner->trial.alternative,
		&planner->first,      &planner->next,
		&planner->order,      &planner->number,
	};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		*arrays[i] = arena_alloc(arena, ((size_t)space->item_count +
						 1) * sizeof(uint32_t));
		if (!*arrays[i])
			return -ENOMEM;
	}
	planner->whole.arena = arena;
	planner->whole.space = *space;
	ret = pack_scratch_init(&planner->whole);
	if (ret)
		return ret;
	ret = pack_passes_init(&planner->passes, space,
			       (size_t)space->item_count + 1);
	if (ret)
		return ret;
	return pack_solver_init(solver, space, &planner->passes, arena);
}

static void
planner_finish(struct planner *planner)
{
	pack_passes_finish(&planner->passes);
	pack_passes_finish(&planner->whole.passes);
	pack_solver_finish(&planner->solver);
}

/* ------------------------------------------------------------------ */
/* Plain first fit, to compare with                                     */

/*
 * Put all units where they first fit. False if that takes more passes than
 * limit.
 */
static bool
first_fit(struct planner *planner, const uint32_t *order, uint32_t limit)
{
	const struct pack_space *space = &planner->units.space;
	struct pack_assignment *trial = &planner->trial;

	trial->pass_count = 0;
	for (uint32_t i = 0; i < space->item_count; i++) {
		uint32_t unit = order[i], pass = 0, alternative = 0;

		while (pass < trial->pass_count &&
		       pack_passes_probe_item(&planner->passes, pass, unit,
					      &alternative) == PACK_NO_FIT)
			pass++;
		if (pass == trial->pass_count) {
			if (pass == limit)
				return false;
			pack_passes_clear(&planner->passes, pass);
			pack_passes_probe_item(&planner->passes, pass, unit,
					       &alternative);
			trial->pass_count++;
		}
		pack_passes_add(&planner->passes, pass, alternative);
		trial->pass[unit] = pass;
		trial->alternative[unit] = alternative;
	}
	return true;
}

static void
take_trial(struct planner *planner)
{
	struct pack_assignment took = planner->trial;

	planner->trial = planner->where;
	planner->where = took;
}

/* How many counters a unit needs: what first-fit-decreasing sorts by. */
static uint32_t
size_of(const struct pack_space *space, uint32_t unit)
{
	uint32_t smallest = UINT32_MAX;

	for (uint32_t a = space->alternative_first[unit];
	     a < space->alternative_first[unit + 1]; a++) {
		uint32_t size =
			space->demand_first[a + 1] - space->demand_first[a];

		if (size < smallest)
			smallest = size;
	}
	return smallest;
}

static int
compare_sizes(const void *left, const void *right, void *data)
{
	const uint32_t *size = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (size[a] != size[b])
		return size[a] > size[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/*
 * Plain first-fit-decreasing of the units as they were given. The parts were
 * solved in other orders and without what rides along, so that in theory it
 * may be the better one.
 */
static bool
first_fit_decreasing(struct planner *planner, uint32_t limit)
{
	const struct pack_space *space = &planner->units.space;

	for (uint32_t i = 0; i < space->item_count; i++) {
		planner->order[i] = i;
		planner->number[i] = size_of(space, i);
	}
	qsort_r(planner->order, space->item_count, sizeof(*planner->order),
		compare_sizes, planner->number);
	return first_fit(planner, planner->order, limit);
}

static bool
first_fit_as_given(struct planner *planner, uint32_t limit)
{
	for (uint32_t i = 0; i < planner->units.space.item_count; i++)
		planner->order[i] = i;
	return first_fit(planner, planner->order, limit);
}

/* ------------------------------------------------------------------ */
/* Assembling                                                           */

/* Put a part's passes in the order of their first items. */
static void
take_job(struct planner *planner, const struct pack_job *job)
{
	const struct pack_part *part = job->part;
	uint32_t *number = planner->number, count = 0;

	for (uint32_t i = 0; i < job->best.pass_count; i++)
		number[i] = PACK_NONE;
	for (uint32_t i = 0; i < part->space.item_count; i++) {
		uint32_t pass = job->best.pass[i], unit = part->items[i];

		if (number[pass] == PACK_NONE)
			number[pass] = count++;
		planner->where.pass[unit] = number[pass];
		planner->where.alternative[unit] =
			part->alternatives[job->best.alternative[i]];
	}
}

/* Fill a row, and the list, anew from where the units are. */
static void
refill(struct planner *planner, uint32_t pass)
{
	pack_passes_clear(&planner->passes, pass);
	for (uint32_t unit = planner->first[pass]; unit != PACK_NONE;
	     unit = planner->next[unit])
		pack_passes_add(&planner->passes, pass,
				planner->where.alternative[unit]);
}

static void
refill_all(struct planner *planner)
{
	for (uint32_t pass = 0; pass < planner->where.pass_count; pass++)
		planner->first[pass] = PACK_NONE;
	for (uint32_t i = 0; i < planner->units.space.item_count; i++) {
		uint32_t pass = planner->where.pass[i];

		if (pass == PACK_NONE)
			continue;
		planner->next[i] = planner->first[pass];
		planner->first[pass] = i;
	}
	for (uint32_t pass = 0; pass < planner->where.pass_count; pass++)
		refill(planner, pass);
}

static void
settle(struct planner *planner, uint32_t unit, uint32_t pass,
       uint32_t alternative)
{
	planner->where.pass[unit] = pass;
	planner->where.alternative[unit] = alternative;
	planner->next[unit] = planner->first[pass];
	planner->first[pass] = unit;
	pack_passes_add(&planner->passes, pass, alternative);
}

static void
leave(struct planner *planner, uint32_t unit)
{
	uint32_t pass = planner->where.pass[unit];
	uint32_t *link = &planner->first[pass];

	while (*link != unit)
		link = &planner->next[*link];
	*link = planner->next[unit];
	refill(planner, pass);
}

/* Move a unit into the earliest pass before limit that takes it. */
static bool
move_before(struct planner *planner, uint32_t unit, uint32_t limit)
{
	for (uint32_t pass = 0; pass < limit; pass++) {
		uint32_t alternative = 0;

		if (pack_passes_probe_item(&planner->passes, pass, unit,
					   &alternative) == PACK_NO_FIT)
			continue;
		if (planner->where.pass[unit] != PACK_NONE)
			leave(planner, unit);
		settle(planner, unit, pass, alternative);
		return true;
	}
	return false;
}

/* Put a rider where its host is; that must have been placed. */
static void
take_rider(struct planner *planner, uint32_t rider)
{
	const struct pack_reduction *reduction = &planner->solver.reduction;
	struct pack_assignment *where = &planner->where;
	uint32_t host = reduction->hosts[rider], pass = 0, beside = 0;

	if (host != PACK_NONE) {
		pass = where->pass[host];
		beside = where->alternative[host];
	} else if (!where->pass_count) {
		pack_passes_clear(&planner->passes, 0);
		planner->first[0] = PACK_NONE;
		where->pass_count = 1;
	}
	settle(planner, rider, pass, pack_ride(reduction, rider, beside));
}

static void
take_riders(struct planner *planner)
{
	const uint32_t *hosts = planner->solver.reduction.hosts;
	uint32_t *stack = planner->order;

	for (uint32_t i = 0; i < planner->units.space.item_count; i++) {
		uint32_t depth = 0;

		for (uint32_t unit = i; unit != PACK_NONE &&
					planner->where.pass[unit] == PACK_NONE;
		     unit = hosts[unit])
			stack[depth++] = unit;
		while (depth)
			take_rider(planner, stack[--depth]);
	}
}

static void
assemble(struct planner *planner)
{
	struct pack_assignment *where = &planner->where;

	for (uint32_t i = 0; i < planner->units.space.item_count; i++)
		where->pass[i] = PACK_NONE;
	for (uint32_t i = 0; i < planner->solver.job_count; i++)
		take_job(planner, &planner->solver.jobs[i]);
	where->pass_count = planner->solver.pass_count;
	refill_all(planner);
	take_riders(planner);
}

/* ------------------------------------------------------------------ */
/* Parts of what was cut                                                */

/* Whether a pass happens to have all that a unit of one alternative needs. */
static bool
pass_serves(const struct planner *planner, uint32_t pass, uint32_t unit)
{
	const struct pack_space *space = &planner->units.space;
	uint32_t a = space->alternative_first[unit];

	for (uint32_t i = space->demand_first[a];
	     i < space->demand_first[a + 1]; i++) {
		if (!pack_passes_has(&planner->passes, pass, space->demands[i]))
			return false;
	}
	return true;
}

/* How many of the units, none of which has a number yet, a pass serves. */
static uint32_t
count_served(const struct planner *planner, uint32_t pass, uint32_t first,
	     uint32_t end)
{
	uint32_t count = 0;

	for (uint32_t unit = first; unit < end; unit++)
		count += planner->number[unit] == PACK_NONE &&
			 pass_serves(planner, pass, unit);
	return count;
}

/*
 * The parts of an item are first up to end. Let as few passes as possible
 * serve them, whichever they were put in: number becomes the pass.
 */
static void
choose_serving(struct planner *planner, uint32_t first, uint32_t end)
{
	uint32_t *number = planner->number, left = end - first;

	for (uint32_t unit = first; unit < end; unit++)
		number[unit] = PACK_NONE;
	while (left) {
		uint32_t best = 0, most = 0;

		for (uint32_t pass = 0; pass < planner->where.pass_count;
		     pass++) {
			uint32_t served =
				count_served(planner, pass, first, end);

			if (served > most) {
				most = served;
				best = pass;
			}
		}
		for (uint32_t unit = first; unit < end; unit++) {
			if (number[unit] == PACK_NONE &&
			    pass_serves(planner, best, unit))
				number[unit] = best;
		}
		left -= most;
	}
}

/* How many of the parts are in a pass. */
static uint32_t
count_there(const struct planner *planner, uint32_t pass, uint32_t first,
	    uint32_t end)
{
	uint32_t count = 0;

	for (uint32_t unit = first; unit < end; unit++)
		count += planner->where.pass[unit] == pass;
	return count;
}

/* Move a part to where at least as many of its siblings are. */
static bool
join_siblings(struct planner *planner, uint32_t unit, uint32_t first,
	      uint32_t end)
{
	uint32_t own = planner->where.pass[unit];
	uint32_t here = count_there(planner, own, first, end);

	for (uint32_t other = first; other < end; other++) {
		uint32_t pass = planner->where.pass[other], alternative = 0;

		if (pass == own ||
		    count_there(planner, pass, first, end) < here ||
		    pack_passes_probe_item(&planner->passes, pass, unit,
					   &alternative) == PACK_NO_FIT)
			continue;
		leave(planner, unit);
		settle(planner, unit, pass, alternative);
		return true;
	}
	return false;
}

/* The end of the run of units that belong to the same item. */
static uint32_t
item_end(const struct pack_units *units, uint32_t unit)
{
	uint32_t end = unit + 1;

	while (end < units->space.item_count &&
	       units->items[end] == units->items[unit])
		end++;
	return end;
}

static void
gather_parts(struct planner *planner)
{
	const struct pack_units *units = &planner->units;
	uint32_t end;

	for (uint32_t unit = 0; unit < units->space.item_count; unit = end) {
		end = item_end(units, unit);
		if (!units->is_part[unit])
			continue;
		choose_serving(planner, unit, end);
		for (uint32_t i = unit; i < end; i++)
			planner->where.pass[i] = planner->number[i];
	}
	refill_all(planner);
	for (uint32_t unit = 0; unit < units->space.item_count; unit = end) {
		bool moved = units->is_part[unit];

		/* ends: the sum of the squares of their counts grows */
		end = item_end(units, unit);
		while (moved) {
			moved = false;
			for (uint32_t i = unit; i < end; i++)
				moved = join_siblings(planner, i, unit, end) ||
					moved;
		}
	}
}

/* ------------------------------------------------------------------ */
/* Order                                                                */

static void
drop_empty_passes(struct planner *planner)
{
	struct pack_assignment *where = &planner->where;
	uint32_t *number = planner->number, count = 0;

	for (uint32_t pass = 0; pass < where->pass_count; pass++) {
		number[pass] = count;
		count += planner->first[pass] != PACK_NONE;
	}
	if (count == where->pass_count)
		return;
	for (uint32_t i = 0; i < planner->units.space.item_count; i++)
		where->pass[i] = number[where->pass[i]];
	where->pass_count = count;
	refill_all(planner);
}

static void
move_forward(struct planner *planner)
{
	bool moved = true;

	for (int round = 0; moved && round < ORDER_ROUNDS; round++) {
		moved = false;
		for (uint32_t i = 0; i < planner->units.space.item_count; i++) {
			if (planner->units.is_part[i])
				continue;
			moved = move_before(planner, i,
					    planner->where.pass[i]) ||
				moved;
		}
	}
	drop_empty_passes(planner);
}

static uint32_t
first_unit(const struct planner *planner, uint32_t pass)
{
	uint32_t least = PACK_NONE;

	for (uint32_t unit = planner->first[pass]; unit != PACK_NONE;
	     unit = planner->next[unit])
		least = unit < least ? unit : least;
	return least;
}

/*
 * Move the first unit of a pass into the pass before if that takes it, be it
 * with other alternatives for those it has. False if it does not.
 */
static bool
move_back_one(struct planner *planner, uint32_t pass)
{
	uint32_t unit = first_unit(planner, pass), count = 0;
	uint32_t *list = planner->order, *chosen = planner->trial.alternative;

	if (planner->units.is_part[unit])
		return false;
	for (uint32_t i = planner->first[pass - 1]; i != PACK_NONE;
	     i = planner->next[i])
		list[count++] = i;
	list[count++] = unit;
	if (!pack_fits(&planner->whole, list, count, chosen))
		return false;
	leave(planner, unit);
	settle(planner, unit, pass - 1, planner->where.alternative[unit]);
	for (uint32_t i = 0; i < count; i++)
		planner->where.alternative[list[i]] = chosen[i];
	refill(planner, pass - 1);
	return true;
}

/* No pass may begin with what the pass before could take. */
static void
settle_boundaries(struct planner *planner)
{
	uint32_t pass = 1;

	while (pass < planner->where.pass_count) {
		if (planner->first[pass] == PACK_NONE ||
		    !move_back_one(planner, pass)) {
			pass++;
			continue;
		}
		if (planner->first[pass] == PACK_NONE)
			drop_empty_passes(planner);
		pass = pass > 1 ? pass - 1 : 1;
	}
}

/* ------------------------------------------------------------------ */
/* The result                                                           */

/* Whether an earlier part of the same item is in the same pass. */
static bool
is_listed(const struct planner *planner, uint32_t unit)
{
	const struct pack_units *units = &planner->units;
	const uint32_t *pass = planner->where.pass;

	for (uint32_t i = unit; i-- && units->items[i] == units->items[unit];) {
		if (pass[i] == pass[unit])
			return true;
	}
	return false;
}

/* members has room for all members of all passes. */
static void
list_members(struct pack_plan *plan, const struct planner *planner,
	     struct pack_member *members)
{
	const struct pack_units *units = &planner->units;
	const struct pack_assignment *where = &planner->where;

	for (uint32_t i = 0; i < units->space.item_count; i++)
		plan->passes[where->pass[i]].member_count +=
			!is_listed(planner, i);
	for (uint32_t pass = 0; pass < plan->pass_count; pass++) {
		plan->passes[pass].members = members;
		members += plan->passes[pass].member_count;
		plan->passes[pass].member_count = 0;
	}
	for (uint32_t i = 0; i < units->space.item_count; i++) {
		struct pack_pass *pass = &plan->passes[where->pass[i]];
		uint32_t chosen = where->alternative[i] -
				  units->space.alternative_first[i];

		if (is_listed(planner, i))
			continue;
		pass->members[pass->member_count++] = (struct pack_member){
			.item = units->items[i],
			.alternative = units->alternatives[i] + chosen,
		};
	}
}

static void
list_counters(struct pack_plan *plan, const struct planner *planner,
	      uint32_t *counters)
{
	const struct pack_passes *passes = &planner->passes;

	for (uint32_t i = 0; i < plan->pass_count; i++) {
		struct pack_pass *pass = &plan->passes[i];

		pass->counters = counters;
		for (uint32_t c = 0; c < passes->space->counter_count; c++) {
			if (pack_passes_has(passes, i, c))
				pass->counters[pass->counter_count++] = c;
		}
		counters += pass->counter_count;
	}
}

static int
fill_plan(struct pack_plan *plan, const struct planner *planner)
{
	const struct pack_space *space = &planner->units.space;
	size_t demands = space->demand_first[space->alternative_count];
	size_t items = planner->pack->space.item_count;
	struct pack_memory *memory = &plan->memory;
	struct pack_member *members = pack_memory_take(
		memory, space->item_count, sizeof(*members));
	uint32_t *counters = pack_memory_numbers(memory, demands);

	plan->pass_count = planner->where.pass_count;
	plan->passes = pack_memory_take(memory, plan->pass_count,
					sizeof(*plan->passes));
	plan->states = pack_memory_take(memory, items, sizeof(*plan->states));
	if (memory->is_short)
		return -ENOMEM;
	memcpy(plan->states, planner->units.states,
	       items * sizeof(*plan->states));
	plan->bound = planner->solver.bound;
	if (!plan->bound && plan->pass_count)
		plan->bound = 1;
	list_members(plan, planner, members);
	list_counters(plan, planner, counters);
	return 0;
}

static int
make_plan(struct pack_plan *plan, struct planner *planner, uint64_t steps)
{
	uint32_t fewest;

	pack_solver_run(&planner->solver, steps);
	assemble(planner);
	fewest = planner->where.pass_count;
	if (fewest > planner->solver.bound &&
	    first_fit_decreasing(planner, fewest - 1)) {
		take_trial(planner);
		fewest = planner->where.pass_count;
	}
	/* as good, and in the order of the user's list */
	if (first_fit_as_given(planner, fewest))
		take_trial(planner);
	refill_all(planner);
	gather_parts(planner);
	move_forward(planner);
	settle_boundaries(planner);
	return fill_plan(plan, planner);
}

int
pack_plan_create(struct pack *pack, const struct pack_options *options,
		 struct pack_plan **out)
{
	struct arena *scratch = arena_create();
	struct pack_plan *plan = calloc(1, sizeof(*plan));
	struct planner planner = { 0 };
	int ret = -ENOMEM;

	if (plan && scratch)
		ret = planner_init(&planner, pack, options->cut, scratch);
	if (!ret)
		ret = make_plan(plan, &planner, options->steps);
	planner_finish(&planner);
	arena_destroy(scratch);
	if (ret)
		pack_plan_destroy(plan);
	else
		*out = plan;
	return ret;
}

void
pack_plan_destroy(struct pack_plan *plan)
{
	if (!plan)
		return;
	pack_memory_release(&plan->memory);
	free(plan);
}
