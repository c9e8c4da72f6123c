/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/solve.h"

#include <errno.h>

static void
end_alternative(struct pack_split *split, uint32_t alternative)
{
	split->alternatives[split->problem.alternative_count] = alternative;
	pack_problem_end_alternative(&split->problem);
}

static void
end_item(struct pack_split *split, uint32_t item, bool is_part)
{
	split->items[split->problem.item_count] = item;
	split->is_part[split->problem.item_count] = is_part;
	pack_problem_end_item(&split->problem);
}

/* Add an item with those of its alternatives that fit row 0, which is empty. */
static void
add_whole(struct pack_split *split, struct pack *pack, uint32_t item)
{
	const struct pack_problem *problem = pack->model.problem;

	PACK_EACH(a, problem->alternative_first, item) {
		if (pack_passes_probe(&pack->passes, 0, a) == PACK_NO_FIT)
			continue;
		PACK_EACH(i, problem->demand_first, a)
			pack_problem_add_demand(&split->problem,
						problem->demands[i]);
		end_alternative(split, a);
	}
	end_item(split, item, false);
}

/* Return whether an alternative has a counter that must sit after this one. */
static bool
is_followed(const struct pack_problem *problem, uint32_t alternative,
	    uint32_t counter)
{
	PACK_EACH(i, problem->demand_first, alternative) {
		if (problem->counters[problem->demands[i]].after == counter)
			return true;
	}
	return false;
}

/*
 * Return whether two counters, of which the first is followed by none, are the
 * last ones of chains that stay together.
 */
static bool
is_same_part(const struct pack_problem *problem, uint32_t alternative,
	     uint32_t counter, uint32_t other)
{
	uint32_t tie = problem->counters[counter].tie;

	return counter == other ||
	       (tie && problem->counters[other].tie == tie &&
		!is_followed(problem, alternative, other));
}

/*
 * Add the parts of an item. A part is a counter with those tied to it, each
 * with those that must sit before it.
 */
static void
add_parts(struct pack_split *split, const struct pack_problem *problem,
	  uint32_t item)
{
	uint32_t a = problem->alternative_first[item];

	PACK_EACH(i, problem->demand_first, a) {
		uint32_t counter = problem->demands[i];
		uint32_t k = problem->demand_first[a];

		if (is_followed(problem, a, counter))
			continue;
		while (!is_same_part(problem, a, counter, problem->demands[k]))
			k++;
		/* the first counter of a part adds all of it */
		if (k < i)
			continue;
		for (; k < i_end; k++) {
			uint32_t at = problem->demands[k];

			if (!is_same_part(problem, a, counter, at))
				continue;
			for (; at != PACK_NONE;
			     at = problem->counters[at].after)
				pack_problem_add_demand(&split->problem, at);
		}
		end_alternative(split, a);
		end_item(split, item, true);
	}
}

/* Make the problem again, as the states say. */
static int
make_problem(struct pack_split *split, struct pack *pack,
	     const enum pack_state *states)
{
	const struct pack_problem *from = pack->model.problem;

	pack_destroy(split->pack);
	split->pack = NULL;
	pack_problem_finish(&split->problem);
	split->problem.setting_count = from->setting_count;
	for (uint32_t i = 0; i < from->pool_count; i++)
		pack_problem_add_pool(&split->problem, &from->pools[i]);
	for (uint32_t i = 0; i < from->counter_count; i++)
		pack_problem_add_counter(&split->problem, &from->counters[i]);
	for (uint32_t i = 0; i < from->item_count; i++) {
		if (states[i] == PACK_STATE_WHOLE)
			add_whole(split, pack, i);
		else if (states[i] == PACK_STATE_CUT)
			add_parts(split, from, i);
	}
	return pack_create(&split->problem, &split->pack);
}

/* Leave out what has a part that fits no pass either; true if there was any. */
static bool
drop_unfit_items(const struct pack_split *split, enum pack_state *states)
{
	bool found = false;

	for (uint32_t i = 0; i < split->problem.item_count; i++) {
		if (!split->is_part[i] || pack_item_fits(split->pack, i))
			continue;
		states[split->items[i]] = PACK_STATE_LEFT_OUT;
		found = true;
	}
	return found;
}

int
pack_split_init(struct pack_split *split, struct pack *pack, bool leave,
		enum pack_state *states, struct arena *arena)
{
	const struct pack_problem *problem = pack->model.problem;
	/* an item becomes one, or as many as it has demands */
	size_t most = (size_t)problem->item_count + problem->demand_count;
	uint32_t alternative;
	int ret;

	*split = (struct pack_split){
		.items = pack_numbers(arena, most),
		.is_part = arena_array(arena, most, sizeof(bool)),
		.alternatives =
			pack_numbers(arena, most + problem->alternative_count),
	};
	if (arena_is_short(arena))
		return -ENOMEM;
	pack_passes_clear(&pack->passes, 0);
	for (uint32_t i = 0; i < problem->item_count; i++) {
		if (pack_passes_probe_item(&pack->passes, 0, i, &alternative) !=
		    PACK_NO_FIT)
			states[i] = PACK_STATE_WHOLE;
		else
			states[i] =
				leave ? PACK_STATE_CUT : PACK_STATE_LEFT_OUT;
	}
	ret = make_problem(split, pack, states);
	if (!ret && drop_unfit_items(split, states))
		ret = make_problem(split, pack, states);
	return ret;
}

void
pack_split_finish(struct pack_split *split)
{
	pack_destroy(split->pack);
	pack_problem_finish(&split->problem);
}
