/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plan/pack/private.h"

/* Choosing alternatives for one pass gives up, with "no", after so much. */
#define FIT_STEPS UINT64_C(2000000)

int
pack_scratch_init(struct pack *pack)
{
	const struct pack_space *space = &pack->space;
	uint32_t choices = 0;
	size_t count = (size_t)space->item_count + 2;

	for (uint32_t i = 0; i < space->item_count; i++)
		choices += space->alternative_first[i + 1] -
				   space->alternative_first[i] >
			   1;
	uint32_t **arrays[] = {
		&pack->open,	&pack->cursor,	 &pack->chosen,
		&pack->list,	&pack->involved, &pack->positions,
		&pack->holders, &pack->removal,	 &pack->choices,
	};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		*arrays[i] = arena_alloc(pack->arena, count * sizeof(uint32_t));
		if (!*arrays[i])
			return -ENOMEM;
	}
	return pack_passes_init(&pack->passes, space, (size_t)choices + 2);
}

static int
copy_pools(struct pack *pack, const struct pack_problem *problem)
{
	pack->counter_pools =
		arena_alloc(pack->arena, ((size_t)problem->counter_count + 1) *
						 sizeof(uint32_t));
	pack->pool_slots =
		arena_alloc(pack->arena, ((size_t)problem->pool_count + 1) *
						 sizeof(uint32_t));
	if (!pack->counter_pools || !pack->pool_slots)
		return -ENOMEM;
	for (uint32_t i = 0; i < problem->counter_count; i++)
		pack->counter_pools[i] = problem->counters[i].pool;
	for (uint32_t i = 0; i < problem->pool_count; i++)
		pack->pool_slots[i] = problem->pools[i].slots;
	return 0;
}

int
pack_create(const struct pack_problem *problem, struct pack **out)
{
	struct pack *pack = calloc(1, sizeof(*pack));
	int ret = -ENOMEM;

	if (!pack)
		return ret;
	pack->arena = arena_create();
	if (pack->arena)
		ret = pack_space_init(&pack->space, problem, &pack->origins,
				      pack->arena);
	if (!ret)
		ret = copy_pools(pack, problem);
	if (!ret)
		ret = pack_scratch_init(pack);
	if (ret)
		pack_destroy(pack);
	else
		*out = pack;
	return ret;
}

void
pack_destroy(struct pack *pack)
{
	if (!pack)
		return;
	pack_passes_finish(&pack->passes);
	arena_destroy(pack->arena);
	free(pack);
}

bool
pack_item_fits(struct pack *pack, uint32_t item)
{
	return pack_fits(pack, &item, 1, NULL);
}

/* ------------------------------------------------------------------ */
/* Choosing alternatives                                                */

static void
copy_pass(struct pack_passes *passes, uint32_t from, uint32_t to)
{
	const struct pack_space *space = passes->space;
	size_t words = space->words, rules = space->rule_count;
	size_t settings = space->setting_count;

	memcpy(&passes->counters[to * words], &passes->counters[from * words],
	       words * sizeof(*passes->counters));
	memcpy(&passes->used[to * rules], &passes->used[from * rules],
	       rules * sizeof(*passes->used));
	memcpy(&passes->values[to * settings], &passes->values[from * settings],
	       settings * sizeof(*passes->values));
}

/* The next alternative of an item, from a on, that fits; PACK_NONE if none. */
static uint32_t
next_fitting(struct pack *pack, uint32_t pass, uint32_t item, uint32_t a)
{
	for (; a < pack->space.alternative_first[item + 1]; a++) {
		if (pack_passes_probe(&pack->passes, pass, a) != PACK_NO_FIT)
			return a;
	}
	return PACK_NONE;
}

static uint32_t
count_fitting(struct pack *pack, uint32_t pass, uint32_t item)
{
	uint32_t a = pack->space.alternative_first[item], count = 0;

	while ((a = next_fitting(pack, pass, item, a)) != PACK_NONE) {
		count++;
		a++;
	}
	return count;
}

/*
 * Bring the open item with the fewest choices to this depth. False if one has
 * none left.
 */
static bool
choose_open(struct pack *pack, const uint32_t *items, uint32_t depth,
	    uint32_t count)
{
	uint32_t best = depth, fewest = UINT32_MAX, swap;

	for (uint32_t i = depth; i < count && fewest > 1; i++) {
		uint32_t fitting =
			count_fitting(pack, depth, items[pack->open[i]]);

		if (!fitting)
			return false;
		if (fitting < fewest) {
			fewest = fitting;
			best = i;
		}
	}
	swap = pack->open[depth];
	pack->open[depth] = pack->open[best];
	pack->open[best] = swap;
	return true;
}

/* Choose for the open items, one row per depth; row 0 has all others. */
static bool
choose_alternatives(struct pack *pack, const uint32_t *items, uint32_t count)
{
	uint64_t stop = pack->passes.steps + FIT_STEPS;
	uint32_t depth = 0;
	bool back = false;

	while (depth < count) {
		uint32_t a = PACK_NONE;

		if (pack->passes.steps > stop)
			return false;
		if (!back) {
			back = !choose_open(pack, items, depth, count);
			pack->cursor[depth] =
				pack->space.alternative_first
					[items[pack->open[depth]]];
		} else {
			back = false;
		}
		if (!back)
			a = next_fitting(pack, depth, items[pack->open[depth]],
					 pack->cursor[depth]);
		if (a == PACK_NONE) {
			if (!depth--)
				return false;
			back = true;
			continue;
		}
		pack->cursor[depth] = a + 1;
		pack->chosen[pack->open[depth]] = a;
		copy_pass(&pack->passes, depth, depth + 1);
		pack_passes_add(&pack->passes, depth + 1, a);
		depth++;
	}
	return true;
}

bool
pack_fits(struct pack *pack, const uint32_t *items, uint32_t count,
	  uint32_t *alternatives)
{
	const struct pack_space *space = &pack->space;
	uint32_t open = 0;

	pack_passes_clear(&pack->passes, 0);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t a = space->alternative_first[items[i]];

		if (space->alternative_first[items[i] + 1] - a > 1) {
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
