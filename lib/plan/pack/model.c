/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/slot_match.h"

/*
 * Unions of slot masks that are worth a rule each; where there are more, slots
 * are tried.
 */
#define UNIONS_MAX 64

/* ------------------------------------------------------------------ */
/* Settings                                                             */

static int
compare_wants(const void *left, const void *right)
{
	const struct pack_want *a = left, *b = right;

	if (a->setting != b->setting)
		return a->setting < b->setting ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/* What counters want, themselves and by their pools, as given. */
static void
read_wants(struct pack_model *model)
{
	const struct pack_problem *problem = model->problem;

	for (uint32_t c = 0; c < problem->counter_count; c++) {
		const struct pack_counter *own = &problem->counters[c];
		const struct pack_pool *pool = &problem->pools[own->pool];
		struct pack_want *wants = model->counter_wants[c];

		wants[0] = (struct pack_want){ own->setting, own->value };
		wants[1] = (struct pack_want){ pool->setting, pool->value };
	}
}

/*
 * Number the values of each setting by rank. all is to hold two wants per
 * counter; first, per setting, is where its values begin in all.
 */
static void
number_values(struct pack_model *model, struct pack_want *all, uint32_t *first)
{
	size_t wants = 2 * (size_t)model->problem->counter_count;
	struct pack_want *want = model->counter_wants[0];
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < wants; i++) {
		if (want[i].setting != PACK_NONE)
			all[count++] = want[i];
	}
	qsort(all, count, sizeof(*all), compare_wants);
	for (size_t i = 0; i < count; i++) {
		if (kept && !compare_wants(&all[kept - 1], &all[i]))
			continue;
		if (!model->value_count[all[i].setting]++)
			first[all[i].setting] = (uint32_t)kept;
		all[kept++] = all[i];
	}
	for (size_t i = 0; i < wants; i++) {
		const struct pack_want *at;

		if (want[i].setting == PACK_NONE)
			continue;
		at = bsearch(&want[i], all, kept, sizeof(*all), compare_wants);
		want[i].value = (uint32_t)(at - all) - first[want[i].setting];
	}
}

/* Keep wants sorted, and the first of each setting. */
static void
add_want(struct pack_model *model, uint32_t alternative,
	 const struct pack_want *want)
{
	uint32_t first = model->want_first[alternative];
	uint32_t end = model->want_first[alternative + 1], at = end;

	while (at > first && model->wants[at - 1].setting > want->setting)
		at--;
	if (at > first && model->wants[at - 1].setting == want->setting) {
		if (model->wants[at - 1].value != want->value)
			model->impossible[alternative] = true;
		return;
	}
	memmove(&model->wants[at + 1], &model->wants[at],
		(end - at) * sizeof(*want));
	model->wants[at] = *want;
	model->want_first[alternative + 1]++;
}

static void
add_wants(struct pack_model *model, uint32_t alternative)
{
	const struct pack_problem *problem = model->problem;

	model->want_first[alternative + 1] = model->want_first[alternative];
	for (uint32_t i = problem->demand_first[alternative];
	     i < problem->demand_first[alternative + 1]; i++) {
		const struct pack_want *wants =
			model->counter_wants[problem->demands[i]];

		for (int k = 0; k < 2; k++) {
			if (wants[k].setting != PACK_NONE)
				add_want(model, alternative, &wants[k]);
		}
	}
}

static int
read_settings(struct pack_model *model, struct pack_memory *memory)
{
	const struct pack_problem *problem = model->problem;
	struct pack_memory scratch = { 0 };
	size_t counters = problem->counter_count;
	struct pack_want *all =
		pack_memory_take(&scratch, 2 * counters, sizeof(*all));
	uint32_t *first = pack_memory_numbers(&scratch, problem->setting_count);
	int ret;

	model->value_count =
		pack_memory_numbers(memory, problem->setting_count);
	model->counter_wants = pack_memory_take(memory, counters,
						sizeof(*model->counter_wants));
	model->want_first = pack_memory_numbers(
		memory, (size_t)problem->alternative_count + 1);
	model->wants =
		pack_memory_take(memory, 2 * (size_t)problem->demand_count + 1,
				 sizeof(*model->wants));
	model->impossible = pack_memory_take(memory, problem->alternative_count,
					     sizeof(bool));
	ret = memory->is_short || scratch.is_short ? -ENOMEM : 0;
	if (!ret) {
		read_wants(model);
		number_values(model, all, first);
	}
	for (uint32_t a = 0; !ret && a < problem->alternative_count; a++)
		add_wants(model, a);
	pack_memory_release(&scratch);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Rules                                                                */

/* The unions of the slot masks of a pool's counters. */
struct unions {
	uint64_t masks[UNIONS_MAX];
	uint32_t count;
	bool overflow; /* more than there is room for */
};

static void
add_union(struct unions *unions, uint64_t mask)
{
	for (uint32_t i = 0; i < unions->count; i++) {
		if (unions->masks[i] == mask)
			return;
	}
	if (unions->count == UNIONS_MAX)
		unions->overflow = true;
	else
		unions->masks[unions->count++] = mask;
}

/* The slots of a pool; no more than their number matters: all. */
static uint64_t
all_slots(const struct pack_pool *pool)
{
	return pool->slots < SLOTS_MAX ? (UINT64_C(1) << pool->slots) - 1
				       : UINT64_MAX;
}

/* The slots that a counter can use. */
static uint64_t
usable_slots(const struct pack_problem *problem, uint32_t counter)
{
	const struct pack_counter *own = &problem->counters[counter];
	const struct pack_pool *pool = &problem->pools[own->pool];

	if (pool->slots > SLOTS_MAX)
		return UINT64_MAX;
	return own->slots & all_slots(pool);
}

/* Close the set of masks under union. */
static void
find_unions(const struct pack_model *model, uint32_t pool,
	    struct unions *unions)
{
	uint32_t masks;

	for (uint32_t i = model->counter_first[pool];
	     i < model->counter_first[pool + 1]; i++)
		add_union(unions,
			  usable_slots(model->problem, model->counters[i]));
	masks = unions->count;
	for (uint32_t i = 0; i < unions->count && !unions->overflow; i++) {
		for (uint32_t j = 0; j < masks; j++)
			add_union(unions, unions->masks[i] | unions->masks[j]);
	}
}

/* A rule for the counters that fit these slots only, if it can be broken. */
static void
add_rule(struct pack_model *model, uint32_t pool, uint64_t slots,
	 uint32_t limit)
{
	const struct pack_problem *problem = model->problem;
	uint32_t count = 0;

	for (uint32_t i = model->counter_first[pool];
	     i < model->counter_first[pool + 1]; i++)
		count += !(usable_slots(problem, model->counters[i]) & ~slots);
	if (count <= limit)
		return;
	model->rules[model->rule_count++] = (struct pack_rule){
		.pool = pool,
		.slots = slots,
		.is_whole_pool = slots == all_slots(&problem->pools[pool]),
		.limit = limit,
	};
	model->rule_first[pool + 1] = model->rule_count;
}

/*
 * Whether counting slots does not tell if counters can sit side by side: some
 * do not fit all slots, or two want to follow the same one.
 */
static bool
has_neighbours(const struct pack_model *model, uint32_t pool, bool has_masks)
{
	const struct pack_counter *counters = model->problem->counters;
	uint32_t first = model->counter_first[pool];

	for (uint32_t i = first; i < model->counter_first[pool + 1]; i++) {
		uint32_t after = counters[model->counters[i]].after;

		if (after != PACK_NONE && has_masks)
			return true;
		for (uint32_t k = first; after != PACK_NONE && k < i; k++) {
			if (counters[model->counters[k]].after == after)
				return true;
		}
	}
	return false;
}

static void
read_pool(struct pack_model *model, uint32_t pool)
{
	const struct pack_pool *record = &model->problem->pools[pool];
	struct unions unions = { .count = 0 };
	uint64_t all = all_slots(record);
	bool has_masks;

	if (record->slots == PACK_UNLIMITED)
		return;
	add_rule(model, pool, all, record->slots);
	find_unions(model, pool, &unions);
	for (uint32_t i = 0; i < unions.count; i++) {
		uint64_t mask = unions.masks[i];

		if (mask != all)
			add_rule(model, pool, mask,
				 (uint32_t)__builtin_popcountll(mask));
	}
	has_masks = unions.count > 1 || unions.masks[0] != all;
	model->tries_slots[pool] =
		record->slots <= SLOTS_MAX &&
		(unions.overflow || has_neighbours(model, pool, has_masks));
}

/* Counters that anybody needs, by pool. */
static void
sort_counters(struct pack_model *model, bool *needed)
{
	const struct pack_problem *problem = model->problem;
	uint32_t *first = model->counter_first;

	for (uint32_t i = 0; i < problem->demand_count; i++)
		needed[problem->demands[i]] = true;
	for (uint32_t c = 0; c < problem->counter_count; c++)
		first[problem->counters[c].pool + 2] += needed[c];
	for (uint32_t p = 0; p < problem->pool_count; p++)
		first[p + 2] += first[p + 1];
	for (uint32_t c = 0; c < problem->counter_count; c++) {
		if (needed[c])
			model->counters[first[problem->counters[c].pool +
					      1]++] = c;
	}
}

/* Which rules each counter obeys. */
static void
list_obeyed(struct pack_model *model, struct pack_memory *memory)
{
	const struct pack_problem *problem = model->problem;
	uint32_t at = 0;
	size_t most = 0;

	for (uint32_t c = 0; c < problem->counter_count; c++) {
		const uint32_t *first =
			&model->rule_first[problem->counters[c].pool];

		most += first[1] - first[0];
	}
	model->obeyed_first =
		pack_memory_numbers(memory, (size_t)problem->counter_count + 1);
	model->obeyed = pack_memory_numbers(memory, most);
	for (uint32_t c = 0; !memory->is_short && c < problem->counter_count;
	     c++) {
		const uint32_t *first =
			&model->rule_first[problem->counters[c].pool];

		for (uint32_t r = first[0]; r < first[1]; r++) {
			if (!(usable_slots(problem, c) &
			      ~model->rules[r].slots))
				model->obeyed[at++] = r;
		}
		model->obeyed_first[c + 1] = at;
	}
}

static int
read_pools(struct pack_model *model, struct pack_memory *memory)
{
	const struct pack_problem *problem = model->problem;
	size_t pools = problem->pool_count, counters = problem->counter_count;
	struct pack_memory scratch = { 0 };
	bool *needed = pack_memory_take(&scratch, counters, sizeof(*needed));
	int ret;

	model->counter_first = pack_memory_numbers(memory, pools + 2);
	model->counters = pack_memory_numbers(memory, counters);
	model->rule_first = pack_memory_numbers(memory, pools + 1);
	model->rules = pack_memory_take(memory, pools * (UNIONS_MAX + 1),
					sizeof(*model->rules));
	model->tries_slots = pack_memory_take(memory, pools, sizeof(bool));
	ret = memory->is_short || scratch.is_short ? -ENOMEM : 0;
	if (!ret)
		sort_counters(model, needed);
	for (uint32_t p = 0; !ret && p < problem->pool_count; p++) {
		model->rule_first[p + 1] = model->rule_count;
		read_pool(model, p);
	}
	pack_memory_release(&scratch);
	if (!ret)
		list_obeyed(model, memory);
	return memory->is_short ? -ENOMEM : ret;
}

int
pack_model_init(struct pack_model *model, const struct pack_problem *problem,
		struct pack_memory *memory)
{
	int ret = problem->error;

	*model = (struct pack_model){
		.problem = problem,
		.words = problem->counter_count / 64 + 1,
	};
	if (!ret)
		ret = read_settings(model, memory);
	if (!ret)
		ret = read_pools(model, memory);
	return ret;
}
