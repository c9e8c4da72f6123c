/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/pack.h"

#include <errno.h>
#include <string.h>

#include "plan/pack/passes.h"

/* Choosing alternatives for one pass gives up, with "no", after so much. */
#define FIT_STEPS UINT64_C(2000000)

static void
take_scratch(struct pack *pack)
{
	const struct pack_problem *problem = pack->model.problem;
	size_t items = (size_t)problem->item_count + 1, choices = 0;
	struct arena *arena = pack->arena;

	for (uint32_t i = 0; i < problem->item_count; i++)
		choices += pack_range_size(problem->alternative_first, i) > 1;
	pack_passes_init(&pack->passes, &pack->model, choices + 2, arena);
	pack->open = pack_numbers(arena, items);
	pack->cursor = pack_numbers(arena, items);
	pack->chosen = pack_numbers(arena, items);
	pack->list = pack_numbers(arena, items);
	pack->involved = pack_numbers(arena, items);
	pack->holders = pack_numbers(arena, items);
	pack->removal = pack_numbers(arena, items);
	pack->choices = pack_numbers(arena, items);
}

int
pack_create(const struct pack_problem *problem, struct pack **out)
{
	struct arena *arena = problem->error ? NULL : arena_create();
	struct pack *pack = arena_array(arena, 1, sizeof(*pack));

	if (pack) {
		pack->arena = arena;
		pack_model_init(&pack->model, problem, arena);
		pack_components_init(&pack->components, &pack->model, arena);
		take_scratch(pack);
	}
	if (arena_is_short(arena)) {
		arena_destroy(arena);
		return -ENOMEM;
	}
	*out = pack;
	return 0;
}

void
pack_destroy(struct pack *pack)
{
	if (pack)
		arena_destroy(pack->arena);
}

bool
pack_item_fits(struct pack *pack, uint32_t item)
{
	return pack_fits(pack, &item, 1, NULL);
}

/* ------------------------------------------------------------------ */
/* Choosing alternatives                                                */

/*
 * Return the next alternative of an item, from a on, that fits; PACK_NONE if
 * none.
 */
static uint32_t
next_fitting(struct pack *pack, uint32_t pass, uint32_t item, uint32_t a)
{
	for (; a < pack->model.problem->alternative_first[item + 1]; a++) {
		if (pack_passes_probe(&pack->passes, pass, a) != PACK_NO_FIT)
			return a;
	}
	return PACK_NONE;
}

static uint32_t
count_fitting(struct pack *pack, uint32_t pass, uint32_t item)
{
	uint32_t count = 0;

	PACK_EACH(a, pack->model.problem->alternative_first, item)
		count += pack_passes_probe(&pack->passes, pass, a) !=
			 PACK_NO_FIT;
	return count;
}

/* Bring the open item with the fewest choices to this depth. */
static void
choose_open(struct pack *pack, const uint32_t *items, uint32_t depth,
	    uint32_t count)
{
	uint32_t best = depth, fewest = UINT32_MAX, swap;

	for (uint32_t i = depth; i < count && fewest > 1; i++) {
		uint32_t fitting =
			count_fitting(pack, depth, items[pack->open[i]]);

		if (fitting < fewest) {
			fewest = fitting;
			best = i;
		}
	}
	swap = pack->open[best];
	pack->open[best] = pack->open[depth];
	pack->open[depth] = swap;
	pack->cursor[depth] =
		pack->model.problem->alternative_first[items[swap]];
}

/* Choose for the open items, one row per depth; row 0 has all others. */
static bool
choose_alternatives(struct pack *pack, const uint32_t *items, uint32_t count)
{
	uint64_t stop = pack->passes.steps + FIT_STEPS;
	uint32_t depth = 0;

	if (count)
		choose_open(pack, items, depth, count);
	while (depth < count) {
		uint32_t at = pack->open[depth];
		uint32_t a = next_fitting(pack, depth, items[at],
					  pack->cursor[depth]);

		if (pack->passes.steps > stop || (a == PACK_NONE && !depth))
			return false;
		if (a == PACK_NONE) {
			depth--;
			continue;
		}
		pack->cursor[depth] = a + 1;
		pack->chosen[at] = a;
		pack_passes_copy(&pack->passes, depth, depth + 1);
		pack_passes_add(&pack->passes, ++depth, a);
		if (depth < count)
			choose_open(pack, items, depth, count);
	}
	return true;
}

bool
pack_fits(struct pack *pack, const uint32_t *items, uint32_t count,
	  uint32_t *alternatives)
{
	const struct pack_problem *problem = pack->model.problem;
	uint32_t open = 0;

	pack_passes_clear(&pack->passes, 0);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t a = problem->alternative_first[items[i]];

		if (pack_range_size(problem->alternative_first, items[i]) > 1) {
			pack->open[open++] = i;
			continue;
		}
		if (pack_passes_probe(&pack->passes, 0, a) == PACK_NO_FIT)
			return false;
		pack_passes_add(&pack->passes, 0, a);
		pack->chosen[i] = a;
	}
	if (!choose_alternatives(pack, items, open))
		return false;
	if (alternatives)
		memcpy(alternatives, pack->chosen,
		       count * sizeof(*alternatives));
	return true;
}
