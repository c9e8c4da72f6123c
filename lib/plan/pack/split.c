/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/solve.h"

#include <errno.h>

#include "plan/pack/private.h"

static bool
alternative_fits(struct pack *pack, uint32_t alternative)
{
	pack_passes_clear(&pack->passes, 0);
	return pack_passes_probe(&pack->passes, 0, alternative) != PACK_NO_FIT;
}

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

/* Add an item with those of its alternatives that fit a pass. */
static void
add_whole(struct pack_split *split, struct pack *pack, uint32_t item)
{
	const struct pack_problem *problem = pack->model.problem;

	PACK_EACH(a, problem->alternative_first, item) {
		if (!alternative_fits(pack, a))
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

static void
add_chain(struct pack_split *split, const struct pack_problem *problem,
	  uint32_t counter)
{
	for (; counter != PACK_NONE; counter = problem->counters[counter].after)
		pack_problem_add_demand(&split->problem, counter);
}

/*
 * Return whether a counter that is followed by none comes before this one, with
 * the same tie.
 */
static bool
is_tied_before(const struct pack_problem *problem, uint32_t alternative,
	       uint32_t counter)
{
	uint32_t tie = problem->counters[counter].tie;
	uint32_t i = problem->demand_first[alternative];

	for (; tie && problem->demands[i] != counter; i++) {
		uint32_t other = problem->demands[i];

		if (problem->counters[other].tie == tie &&
		    !is_followed(problem, alternative, other))
			return true;
	}
	return false;
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
	uint32_t end = problem->demand_first[a + 1];

	for (uint32_t i = problem->demand_first[a]; i < end; i++) {
		uint32_t counter = problem->demands[i];
		uint32_t tie = problem->counters[counter].tie;

		if (is_followed(problem, a, counter) ||
		    is_tied_before(problem, a, counter))
			continue;
		add_chain(split, problem, counter);
		for (uint32_t k = i + 1; tie && k < end; k++) {
			uint32_t other = problem->demands[k];

			if (problem->counters[other].tie == tie &&
			    !is_followed(problem, a, other))
				add_chain(split, problem, other);
		}
		end_alternative(split, a);
		end_item(split, item, true);
	}
}

static void
add_items(struct pack_split *split, struct pack *pack)
{
	for (uint32_t i = 0; i < pack->model.problem->item_count; i++) {
		switch (split->states[i]) {
		case PACK_STATE_WHOLE:
			add_whole(split, pack, i);
			break;
		case PACK_STATE_CUT:
			add_parts(split, pack->model.problem, i);
			break;
		case PACK_STATE_LEFT_OUT:
			break;
		}
	}
}

/* Make the problem again, as the states say. */
static int
make_problem(struct pack_split *split, struct pack *pack)
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
	add_items(split, pack);
	return pack_create(&split->problem, &split->pack);
}

/* Leave out what has a part that fits no pass either; true if there was any. */
static bool
leave_out(struct pack_split *split)
{
	bool found = false;

	for (uint32_t i = 0; i < split->problem.item_count; i++) {
		if (!split->is_part[i] || pack_item_fits(split->pack, i))
			continue;
		split->states[split->items[i]] = PACK_STATE_LEFT_OUT;
		found = true;
	}
	return found;
}

int
pack_split_init(struct pack_split *split, struct pack *pack, bool leave,
		struct arena *arena)
{
	const struct pack_problem *problem = pack->model.problem;
	/* an item becomes one, or as many as it has demands */
	size_t most = (size_t)problem->item_count + problem->demand_count;
	int ret;

	*split = (struct pack_split){ .original_count = problem->item_count };
	split->items = pack_numbers(arena, most);
	split->is_part = arena_array(arena, most, sizeof(bool));
	split->alternatives =
		pack_numbers(arena, most + problem->alternative_count);
	split->states =
		arena_array(arena, problem->item_count, sizeof(*split->states));
	if (arena_is_short(arena))
		return -ENOMEM;
	for (uint32_t i = 0; i < problem->item_count; i++) {
		if (pack_item_fits(pack, i))
			split->states[i] = PACK_STATE_WHOLE;
		else
			split->states[i] =
				leave ? PACK_STATE_CUT : PACK_STATE_LEFT_OUT;
	}
	ret = make_problem(split, pack);
	if (!ret && leave_out(split))
		ret = make_problem(split, pack);
	return ret;
}

void
pack_split_finish(struct pack_split *split)
{
	pack_destroy(split->pack);
	pack_problem_finish(&split->problem);
}
