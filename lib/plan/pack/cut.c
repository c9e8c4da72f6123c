/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/cut.h"

#include <errno.h>

#include "plan/pack/pack.h"
#include "plan/pack/private.h"

static bool
alternative_fits(struct pack *pack, uint32_t alternative)
{
	pack_passes_clear(&pack->passes, 0);
	return pack_passes_probe(&pack->passes, 0, alternative) != PACK_NO_FIT;
}

static void
end_alternative(struct pack_cut *cut, uint32_t alternative)
{
	cut->alternatives[cut->problem.alternative_count] = alternative;
	pack_problem_end_alternative(&cut->problem);
}

static void
end_item(struct pack_cut *cut, uint32_t item, bool is_part)
{
	cut->items[cut->problem.item_count] = item;
	cut->is_part[cut->problem.item_count] = is_part;
	pack_problem_end_item(&cut->problem);
}

/* An item with those of its alternatives that fit a pass. */
static void
add_whole(struct pack_cut *cut, struct pack *pack, uint32_t item)
{
	const struct pack_problem *problem = pack->model.problem;

	for (uint32_t a = problem->alternative_first[item];
	     a < problem->alternative_first[item + 1]; a++) {
		if (!alternative_fits(pack, a))
			continue;
		for (uint32_t i = problem->demand_first[a];
		     i < problem->demand_first[a + 1]; i++)
			pack_problem_add_demand(&cut->problem,
						problem->demands[i]);
		end_alternative(cut, a);
	}
	end_item(cut, item, false);
}

/* Whether an alternative has a counter that must sit after this one. */
static bool
is_followed(const struct pack_problem *problem, uint32_t alternative,
	    uint32_t counter)
{
	for (uint32_t i = problem->demand_first[alternative];
	     i < problem->demand_first[alternative + 1]; i++) {
		if (problem->counters[problem->demands[i]].after == counter)
			return true;
	}
	return false;
}

static void
add_chain(struct pack_cut *cut, const struct pack_problem *problem,
	  uint32_t counter)
{
	for (; counter != PACK_NONE; counter = problem->counters[counter].after)
		pack_problem_add_demand(&cut->problem, counter);
}

/* Whether one that is followed by none comes before, with the same tie. */
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
 * A part is a counter with those tied to it, each with those that must sit
 * before it.
 */
static void
add_parts(struct pack_cut *cut, const struct pack_problem *problem,
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
		add_chain(cut, problem, counter);
		for (uint32_t k = i + 1; tie && k < end; k++) {
			uint32_t other = problem->demands[k];

			if (problem->counters[other].tie == tie &&
			    !is_followed(problem, a, other))
				add_chain(cut, problem, other);
		}
		end_alternative(cut, a);
		end_item(cut, item, true);
	}
}

static void
add_items(struct pack_cut *cut, struct pack *pack)
{
	for (uint32_t i = 0; i < pack->model.problem->item_count; i++) {
		switch (cut->states[i]) {
		case PACK_STATE_WHOLE:
			add_whole(cut, pack, i);
			break;
		case PACK_STATE_CUT:
			add_parts(cut, pack->model.problem, i);
			break;
		case PACK_STATE_LEFT_OUT:
			break;
		}
	}
}

/* Make the problem anew, as the states say. */
static int
make_problem(struct pack_cut *cut, struct pack *pack)
{
	const struct pack_problem *from = pack->model.problem;

	pack_destroy(cut->pack);
	cut->pack = NULL;
	pack_problem_finish(&cut->problem);
	for (uint32_t i = 0; i < from->setting_count; i++)
		pack_problem_add_setting(&cut->problem);
	for (uint32_t i = 0; i < from->pool_count; i++)
		pack_problem_add_pool(&cut->problem, &from->pools[i]);
	for (uint32_t i = 0; i < from->counter_count; i++)
		pack_problem_add_counter(&cut->problem, &from->counters[i]);
	add_items(cut, pack);
	return pack_create(&cut->problem, &cut->pack);
}

/* Leave out what has a part that fits no pass either; true if there was any. */
static bool
leave_out(struct pack_cut *cut)
{
	bool found = false;

	for (uint32_t i = 0; i < cut->problem.item_count; i++) {
		if (!cut->is_part[i] || pack_item_fits(cut->pack, i))
			continue;
		cut->states[cut->items[i]] = PACK_STATE_LEFT_OUT;
		found = true;
	}
	return found;
}

int
pack_cut_init(struct pack_cut *cut, struct pack *pack, bool leave)
{
	const struct pack_problem *problem = pack->model.problem;
	/* an item becomes one, or as many as it has demands */
	size_t most = (size_t)problem->item_count + problem->demand_count;
	int ret;

	*cut = (struct pack_cut){ .original_count = problem->item_count };
	cut->items = pack_memory_numbers(&cut->memory, most);
	cut->is_part = pack_memory_take(&cut->memory, most, sizeof(bool));
	cut->alternatives = pack_memory_numbers(
		&cut->memory, most + problem->alternative_count);
	cut->states = pack_memory_take(&cut->memory, problem->item_count,
				       sizeof(*cut->states));
	if (cut->memory.is_short)
		return -ENOMEM;
	for (uint32_t i = 0; i < problem->item_count; i++) {
		if (pack_item_fits(pack, i))
			cut->states[i] = PACK_STATE_WHOLE;
		else
			cut->states[i] =
				leave ? PACK_STATE_CUT : PACK_STATE_LEFT_OUT;
	}
	ret = make_problem(cut, pack);
	if (!ret && leave_out(cut))
		ret = make_problem(cut, pack);
	return ret;
}

void
pack_cut_finish(struct pack_cut *cut)
{
	pack_destroy(cut->pack);
	pack_problem_finish(&cut->problem);
	pack_memory_release(&cut->memory);
}
