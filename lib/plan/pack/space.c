/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/space.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/slots.h"

/* Unions of slot masks that are worth a rule each; beyond it pools are
 * searched.
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

/* Sort and drop repetitions; returns the number left. */
static uint32_t
sort_wants(struct pack_want *wants, uint32_t count)
{
	uint32_t kept = 0;

	if (count > 1)
		qsort(wants, count, sizeof(*wants), compare_wants);
	for (uint32_t i = 0; i < count; i++) {
		if (!kept || compare_wants(&wants[kept - 1], &wants[i]))
			wants[kept++] = wants[i];
	}
	return kept;
}

/* What a counter wants, itself and by its pool; returns how many. */
static uint32_t
counter_wants(const struct pack_problem *problem, uint32_t index,
	      struct pack_want out[2])
{
	const struct pack_counter *counter = &problem->counters[index];
	const struct pack_pool *pool = &problem->pools[counter->pool];
	uint32_t count = 0;

	if (counter->setting != PACK_NONE)
		out[count++] =
			(struct pack_want){ counter->setting, counter->value };
	if (pool->setting != PACK_NONE)
		out[count++] = (struct pack_want){ pool->setting, pool->value };
	return count;
}

/* All values that occur, sorted: a value's rank takes its place. */
struct value_table {
	struct pack_want *all;
	uint32_t count;
	uint32_t *first; /* per setting */
};

static int
list_values(const struct pack_problem *problem, struct value_table *table)
{
	table->all = calloc(2 * (size_t)problem->counter_count + 2,
			    sizeof(*table->all));
	table->first =
		calloc(problem->setting_count + 1, sizeof(*table->first));
	if (!table->all || !table->first)
		return -ENOMEM;
	for (uint32_t i = 0; i < problem->counter_count; i++)
		table->count +=
			counter_wants(problem, i, &table->all[table->count]);
	table->count = sort_wants(table->all, table->count);
	for (uint32_t i = table->count; i--;)
		table->first[table->all[i].setting] = i;
	return 0;
}

static void
number_value(const struct value_table *table, struct pack_want *want)
{
	const struct pack_want *at =
		bsearch(want, table->all, table->count, sizeof(*table->all),
			compare_wants);

	want->value = (uint32_t)(at - table->all) - table->first[want->setting];
}

/* ------------------------------------------------------------------ */
/* Alternatives                                                         */

int
pack_space_compare(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static uint32_t
sort_demands(uint32_t *demands, uint32_t count)
{
	uint32_t kept = 0;

	if (count > 1)
		qsort(demands, count, sizeof(*demands), pack_space_compare);
	for (uint32_t i = 0; i < count; i++) {
		if (!kept || demands[kept - 1] != demands[i])
			demands[kept++] = demands[i];
	}
	return kept;
}

/* Keep the first of each setting; true if one is wanted in two ways. */
static bool
drop_contradictions(struct pack_want *wants, uint32_t *count)
{
	uint32_t kept = 0;
	bool found;

	for (uint32_t i = 0; i < *count; i++) {
		if (!kept || wants[kept - 1].setting != wants[i].setting)
			wants[kept++] = wants[i];
	}
	found = kept != *count;
	*count = kept;
	return found;
}

static void
add_alternative(struct pack_space *space, const struct pack_problem *problem,
		const struct value_table *table, uint32_t at)
{
	uint32_t source = problem->demand_first[at];
	uint32_t demand_count = problem->demand_first[at + 1] - source;
	uint32_t *demands = &space->demands[space->demand_first[at]];
	struct pack_want *wants = &space->wants[space->want_first[at]];
	uint32_t want_count = 0;

	if (demand_count)
		memcpy(demands, &problem->demands[source],
		       demand_count * sizeof(*demands));
	demand_count = sort_demands(demands, demand_count);
	for (uint32_t i = 0; i < demand_count; i++)
		want_count +=
			counter_wants(problem, demands[i], &wants[want_count]);
	want_count = sort_wants(wants, want_count);
	space->impossible[at] = drop_contradictions(wants, &want_count);
	for (uint32_t i = 0; i < want_count; i++)
		number_value(table, &wants[i]);
	space->demand_first[at + 1] = space->demand_first[at] + demand_count;
	space->want_first[at + 1] = space->want_first[at] + want_count;
}

static void
add_counter_wants(struct pack_space *space, const struct pack_problem *problem,
		  const struct value_table *table, uint32_t counter)
{
	struct pack_want *wants = space->counter_wants[counter];
	uint32_t count;

	wants[0].setting = wants[1].setting = PACK_NONE;
	count = counter_wants(problem, counter, wants);
	for (uint32_t i = 0; i < count; i++)
		number_value(table, &wants[i]);
}

static int
add_alternatives(struct pack_space *space, const struct pack_problem *problem)
{
	struct value_table table = { 0 };
	int ret = list_values(problem, &table);

	for (uint32_t i = 0; !ret && i < table.count; i++)
		space->value_count[table.all[i].setting]++;
	for (uint32_t i = 0; !ret && i < problem->counter_count; i++)
		add_counter_wants(space, problem, &table, i);
	for (uint32_t i = 0; !ret && i < problem->alternative_count; i++)
		add_alternative(space, problem, &table, i);
	free(table.all);
	free(table.first);
	return ret;
}

/* ------------------------------------------------------------------ */
/* Rules                                                                */

/* The counters of one pool, and the unions of their slot masks. */
struct pool_view {
	const struct pack_problem *problem;
	uint32_t pool;
	const uint32_t *members; /* counters */
	uint32_t count;
	uint64_t full; /* all slots; 0 if only their number matters */
	uint64_t unions[UNIONS_MAX];
	uint32_t union_count;
	bool chained; /* some counters are neighbours */
	bool contested; /* two want to follow the same */
	bool overflow; /* more unions than there is room for */
};

/* Where rules are collected. */
struct rule_list {
	struct pack_rule_origin *origins;
	uint32_t *limits;
	uint32_t rule_count, rule_capacity;
	/* pairs of rule and counter, by rising rule */
	uint32_t *pair_rules, *pair_counters;
	uint32_t pair_count, pair_capacity;
};

static uint64_t
member_mask(const struct pool_view *view, uint32_t member)
{
	return view->problem->counters[view->members[member]].slots &
	       view->full;
}

static void
add_union(struct pool_view *view, uint64_t mask)
{
	for (uint32_t i = 0; i < view->union_count; i++) {
		if (view->unions[i] == mask)
			return;
	}
	if (view->union_count == UNIONS_MAX)
		view->overflow = true;
	else
		view->unions[view->union_count++] = mask;
}

/* Close the set of masks under union. */
static void
find_unions(struct pool_view *view)
{
	uint32_t masks;

	for (uint32_t i = 0; i < view->count; i++)
		add_union(view, member_mask(view, i));
	masks = view->union_count;
	for (uint32_t i = 0; i < view->union_count && !view->overflow; i++) {
		for (uint32_t j = 0; j < masks; j++)
			add_union(view, view->unions[i] | view->unions[j]);
	}
}

static void
find_chains(struct pool_view *view, uint32_t *followers)
{
	const struct pack_counter *counters = view->problem->counters;

	for (uint32_t i = 0; i < view->count; i++) {
		uint32_t after = counters[view->members[i]].after;

		if (after == PACK_NONE)
			continue;
		view->chained = true;
		if (followers[after]++)
			view->contested = true;
	}
}

static int
reserve_rules(struct rule_list *list, uint32_t rules, uint32_t pairs)
{
	uint32_t capacity;

	if (list->rule_count + rules > list->rule_capacity) {
		struct pack_rule_origin *origins;
		uint32_t *limits;

		capacity = 2 * (list->rule_count + rules);
		origins =
			reallocarray(list->origins, capacity, sizeof(*origins));
		if (!origins)
			return -ENOMEM;
		list->origins = origins;
		limits = reallocarray(list->limits, capacity, sizeof(*limits));
		if (!limits)
			return -ENOMEM;
		list->limits = limits;
		list->rule_capacity = capacity;
	}
	if (list->pair_count + pairs > list->pair_capacity) {
		uint32_t *array;

		capacity = 2 * (list->pair_count + pairs);
		array = reallocarray(list->pair_rules, capacity,
				     sizeof(*array));
		if (!array)
			return -ENOMEM;
		list->pair_rules = array;
		array = reallocarray(list->pair_counters, capacity,
				     sizeof(*array));
		if (!array)
			return -ENOMEM;
		list->pair_counters = array;
		list->pair_capacity = capacity;
	}
	return 0;
}

/* A rule for the counters whose slots are all in mask, if it can bind. */
static int
add_rule(struct rule_list *list, const struct pool_view *view, uint64_t mask,
	 uint32_t limit)
{
	uint32_t first = list->pair_count;
	uint32_t rule = list->rule_count;
	int ret = reserve_rules(list, 1, view->count);

	if (ret)
		return ret;
	for (uint32_t i = 0; i < view->count; i++) {
		if (member_mask(view, i) & ~mask)
			continue;
		list->pair_rules[list->pair_count] = rule;
		list->pair_counters[list->pair_count++] = view->members[i];
	}
	if (list->pair_count - first <= limit) {
		list->pair_count = first;
		return 0;
	}
	list->limits[rule] = limit;
	list->origins[rule] = (struct pack_rule_origin){
		.pool = view->pool,
		.masks = mask != view->full,
	};
	list->rule_count++;
	return 0;
}

static int
add_pool_rules(struct rule_list *list, struct pool_view *view, uint32_t slots)
{
	int ret = 0;

	if (slots <= SLOTS_MAX)
		view->full =
			slots == 64 ? UINT64_MAX : (UINT64_C(1) << slots) - 1;
	find_unions(view);
	for (uint32_t i = 0; i < view->union_count && !ret; i++) {
		uint64_t mask = view->unions[i];

		if (mask != view->full)
			ret = add_rule(list, view, mask,
				       (uint32_t)__builtin_popcountll(mask));
	}
	if (!ret)
		ret = add_rule(list, view, view->full, slots);
	return ret;
}

/* Whether rules are not enough to say what fits the pool. */
static bool
needs_search(const struct pool_view *view)
{
	bool masks = view->union_count > 1 || view->unions[0] != view->full;

	if (!view->full)
		return false;
	return view->overflow || (view->chained && (masks || view->contested));
}

/* ------------------------------------------------------------------ */
/* Putting it together                                                  */

/* Counters by pool: those of pool p are from first[p] up to first[p + 1]. */
struct pool_members {
	uint32_t *first;
	uint32_t *counters;
	uint32_t *followers; /* per counter, for find_chains() */
};

static int
sort_by_pool(const struct pack_problem *problem, struct pool_members *members)
{
	members->first = calloc((size_t)problem->pool_count + 2,
				sizeof(*members->first));
	members->counters = calloc((size_t)problem->counter_count + 1,
				   sizeof(*members->counters));
	members->followers = calloc((size_t)problem->counter_count + 1,
				    sizeof(*members->followers));
	if (!members->first || !members->counters || !members->followers)
		return -ENOMEM;
	for (uint32_t i = 0; i < problem->counter_count; i++)
		members->first[problem->counters[i].pool + 2]++;
	for (uint32_t i = 0; i < problem->pool_count; i++)
		members->first[i + 2] += members->first[i + 1];
	for (uint32_t i = 0; i < problem->counter_count; i++) {
		uint32_t *at = &members->first[problem->counters[i].pool + 1];

		members->counters[(*at)++] = i;
	}
	return 0;
}

/* The counters of a pool that rules do not settle are to be searched. */
static void
add_searched(struct pack_space *space, const struct pool_view *view,
	     uint32_t slots)
{
	uint32_t pool = space->pool_count++;
	uint32_t at = space->pool_first[pool];

	space->pool_slots[pool] = slots;
	for (uint32_t i = 0; i < view->count; i++) {
		space->searched[view->members[i]] = pool;
		space->pool_counters[at++] = view->members[i];
	}
	space->pool_first[pool + 1] = at;
}

static int
read_pools(struct pack_space *space, const struct pack_problem *problem,
	   const struct pool_members *members, struct rule_list *list)
{
	for (uint32_t i = 0; i < problem->counter_count; i++) {
		space->searched[i] = PACK_NONE;
		space->slots[i] = problem->counters[i].slots;
		space->after[i] = problem->counters[i].after;
	}
	for (uint32_t i = 0; i < problem->pool_count; i++) {
		struct pool_view view = {
			.problem = problem,
			.pool = i,
			.members = &members->counters[members->first[i]],
			.count = members->first[i + 1] - members->first[i],
		};
		uint32_t slots = problem->pools[i].slots;
		int ret;

		if (!view.count || slots == PACK_UNLIMITED)
			continue;
		ret = add_pool_rules(list, &view, slots);
		if (ret)
			return ret;
		find_chains(&view, members->followers);
		if (needs_search(&view))
			add_searched(space, &view, slots);
	}
	return 0;
}

/* Turn pairs by rule into rules by counter. */
static int
store_rules(struct pack_space *space, const struct rule_list *list,
	    struct pack_rule_origin **origins, struct arena *arena)
{
	uint32_t *first = space->rule_first;

	space->rule_count = list->rule_count;
	space->rules = arena_alloc(arena, (list->pair_count + 1) *
						  sizeof(*space->rules));
	space->limits = arena_alloc(arena, (list->rule_count + 1) *
						   sizeof(*space->limits));
	*origins =
		arena_alloc(arena, (list->rule_count + 1) * sizeof(**origins));
	if (!space->rules || !space->limits || !*origins)
		return -ENOMEM;
	for (uint32_t i = 0; i < list->rule_count; i++) {
		space->limits[i] = list->limits[i];
		(*origins)[i] = list->origins[i];
	}
	for (uint32_t i = 0; i < list->pair_count; i++)
		first[list->pair_counters[i] + 1]++;
	for (uint32_t i = 0; i < space->counter_count; i++)
		first[i + 1] += first[i];
	for (uint32_t i = list->pair_count; i--;)
		space->rules[--first[list->pair_counters[i] + 1]] =
			list->pair_rules[i];
	/* each entry now has its counter's beginning, one place too late */
	memmove(first, first + 1, space->counter_count * sizeof(*first));
	first[space->counter_count] = list->pair_count;
	return 0;
}

static int
add_rules(struct pack_space *space, const struct pack_problem *problem,
	  struct pack_rule_origin **origins, struct arena *arena)
{
	struct pool_members members = { 0 };
	struct rule_list list = { 0 };
	int ret = sort_by_pool(problem, &members);

	if (!ret)
		ret = read_pools(space, problem, &members, &list);
	if (!ret)
		ret = store_rules(space, &list, origins, arena);
	free(members.first);
	free(members.counters);
	free(members.followers);
	free(list.origins);
	free(list.limits);
	free(list.pair_rules);
	free(list.pair_counters);
	return ret;
}

int
pack_space_alloc(struct pack_space *space, size_t demands, size_t wants,
		 struct arena *arena)
{
	struct {
		uint32_t **array;
		size_t count;
	} arrays[] = {
		{ &space->alternative_first, space->item_count },
		{ &space->demand_first, space->alternative_count },
		{ &space->want_first, space->alternative_count },
		{ &space->demands, demands },
		{ &space->rule_first, space->counter_count },
		{ &space->searched, space->counter_count },
		{ &space->after, space->counter_count },
		{ &space->pool_first, space->pool_count },
		{ &space->pool_slots, space->pool_count },
		{ &space->pool_counters, space->counter_count },
		{ &space->value_count, space->setting_count },
	};

	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		*arrays[i].array = arena_alloc(arena, (arrays[i].count + 1) *
							      sizeof(uint32_t));
		if (!*arrays[i].array)
			return -ENOMEM;
	}
	space->words = space->counter_count / 64 + 1;
	space->wants = arena_alloc(arena, (wants + 1) * sizeof(*space->wants));
	space->slots = arena_alloc(arena, (space->counter_count + 1) *
						  sizeof(*space->slots));
	space->impossible =
		arena_alloc(arena, (space->alternative_count + 1) *
					   sizeof(*space->impossible));
	return space->wants && space->slots && space->impossible ? 0 : -ENOMEM;
}

int
pack_space_init(struct pack_space *space, const struct pack_problem *problem,
		struct pack_rule_origin **origins, struct arena *arena)
{
	size_t demands = problem->demand_count;
	int ret;

	if (problem->error)
		return problem->error;
	*space = (struct pack_space){
		.item_count = problem->item_count,
		.alternative_count = problem->alternative_count,
		.counter_count = problem->counter_count,
		.pool_count = problem->pool_count, /* at most */
		.setting_count = problem->setting_count,
	};
	ret = pack_space_alloc(space, demands, 2 * demands, arena);
	if (ret)
		return ret;
	space->pool_count = 0;
	space->counter_wants =
		arena_alloc(arena, (problem->counter_count + 1) *
					   sizeof(*space->counter_wants));
	if (!space->counter_wants)
		return -ENOMEM;
	if (problem->item_count)
		memcpy(space->alternative_first, problem->alternative_first,
		       (problem->item_count + 1) * sizeof(uint32_t));
	ret = add_alternatives(space, problem);
	if (!ret)
		ret = add_rules(space, problem, origins, arena);
	return ret;
}

uint32_t
pack_space_value(const struct pack_space *space, uint32_t alternative,
		 uint32_t setting)
{
	for (uint32_t i = space->want_first[alternative];
	     i < space->want_first[alternative + 1]; i++) {
		if (space->wants[i].setting == setting)
			return space->wants[i].value;
	}
	return PACK_NONE;
}

/* ------------------------------------------------------------------ */
/* Passes                                                               */

int
pack_passes_init(struct pack_passes *passes, const struct pack_space *space,
		 size_t count)
{
	*passes = (struct pack_passes){ .space = space };
	/* calloc: rows that are never used cost address space only */
	passes->counters =
		calloc(count * space->words + 1, sizeof(*passes->counters));
	passes->used =
		calloc(count * space->rule_count + 1, sizeof(*passes->used));
	passes->values = calloc(count * space->setting_count + 1,
				sizeof(*passes->values));
	if (passes->counters && passes->used && passes->values)
		return 0;
	pack_passes_finish(passes);
	return -ENOMEM;
}

void
pack_passes_finish(struct pack_passes *passes)
{
	free(passes->counters);
	free(passes->used);
	free(passes->values);
	*passes = (struct pack_passes){ 0 };
}

void
pack_passes_clear(struct pack_passes *passes, uint32_t pass)
{
	const struct pack_space *space = passes->space;
	size_t row = pass;
	uint32_t *values = &passes->values[row * space->setting_count];

	memset(&passes->counters[row * space->words], 0,
	       space->words * sizeof(*passes->counters));
	memset(&passes->used[row * space->rule_count], 0,
	       space->rule_count * sizeof(*passes->used));
	for (uint32_t i = 0; i < space->setting_count; i++)
		values[i] = PACK_NONE;
}

void
pack_passes_insert(struct pack_passes *passes, uint32_t pass, uint32_t counter)
{
	const struct pack_space *space = passes->space;
	uint32_t *used = &passes->used[(size_t)pass * space->rule_count];

	passes->counters[(size_t)pass * space->words + counter / 64] |=
		UINT64_C(1) << counter % 64;
	for (uint32_t i = space->rule_first[counter];
	     i < space->rule_first[counter + 1]; i++)
		used[space->rules[i]]++;
}

void
pack_passes_remove(struct pack_passes *passes, uint32_t pass, uint32_t counter)
{
	const struct pack_space *space = passes->space;
	uint32_t *used = &passes->used[(size_t)pass * space->rule_count];

	passes->counters[(size_t)pass * space->words + counter / 64] &=
		~(UINT64_C(1) << counter % 64);
	for (uint32_t i = space->rule_first[counter];
	     i < space->rule_first[counter + 1]; i++)
		used[space->rules[i]]--;
}

/* Whether a searched pool can hold what it has and demands of it. */
static bool
pool_fits(const struct pack_passes *passes, uint32_t pass, uint32_t pool,
	  const uint32_t *demands, uint32_t demand_count)
{
	const struct pack_space *space = passes->space;
	struct slot_claim claims[SLOTS_MAX];
	uint32_t members[SLOTS_MAX];
	uint32_t count = 0, at = 0;

	for (uint32_t i = space->pool_first[pool];
	     i < space->pool_first[pool + 1]; i++) {
		uint32_t counter = space->pool_counters[i];

		while (at < demand_count && demands[at] < counter)
			at++;
		if (!(at < demand_count && demands[at] == counter) &&
		    !pack_passes_has(passes, pass, counter))
			continue;
		if (count == SLOTS_MAX)
			return false;
		members[count++] = counter;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t after = space->after[members[i]];

		claims[i] = (struct slot_claim){
			.slots = space->slots[members[i]],
			.after = SLOT_NONE,
			.slot = SLOT_NONE,
		};
		/* the one before has a lower index */
		for (uint32_t j = 0; after != PACK_NONE && j < i; j++) {
			if (members[j] == after)
				claims[i].after = j;
		}
	}
	return slots_place(claims, count, space->pool_slots[pool]);
}

static bool
searched_pools_fit(struct pack_passes *passes, uint32_t pass,
		   const uint32_t *demands, uint32_t count)
{
	const struct pack_space *space = passes->space;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t pool = space->searched[demands[i]];
		uint32_t before = 0;

		if (pool == PACK_NONE ||
		    pack_passes_has(passes, pass, demands[i]))
			continue;
		/* each pool once */
		while (space->searched[demands[before]] != pool ||
		       pack_passes_has(passes, pass, demands[before]))
			before++;
		if (before < i)
			continue;
		passes->steps += 16;
		if (!pool_fits(passes, pass, pool, demands, count))
			return false;
	}
	return true;
}

uint32_t
pack_passes_probe(struct pack_passes *passes, uint32_t pass,
		  uint32_t alternative)
{
	const struct pack_space *space = passes->space;
	const uint32_t *values =
		&passes->values[(size_t)pass * space->setting_count];
	uint32_t *used = &passes->used[(size_t)pass * space->rule_count];
	const uint32_t *demands =
		&space->demands[space->demand_first[alternative]];
	uint32_t count = space->demand_first[alternative + 1] -
			 space->demand_first[alternative];
	uint32_t added = 0, end;
	bool fits = !space->impossible[alternative];

	passes->steps++;
	for (uint32_t i = space->want_first[alternative];
	     i < space->want_first[alternative + 1]; i++) {
		uint32_t value = values[space->wants[i].setting];

		added += value == PACK_NONE;
		if (value != PACK_NONE && value != space->wants[i].value)
			return PACK_NO_FIT;
	}
	/* Count them in to see if any rule breaks, then out again. */
	for (end = 0; end < count && fits; end++) {
		if (pack_passes_has(passes, pass, demands[end]))
			continue;
		added++;
		for (uint32_t i = space->rule_first[demands[end]];
		     i < space->rule_first[demands[end] + 1]; i++) {
			uint32_t rule = space->rules[i];

			if (++used[rule] > space->limits[rule])
				fits = false;
		}
	}
	passes->steps += end;
	while (end--) {
		if (pack_passes_has(passes, pass, demands[end]))
			continue;
		for (uint32_t i = space->rule_first[demands[end]];
		     i < space->rule_first[demands[end] + 1]; i++)
			used[space->rules[i]]--;
	}
	if (!fits || (space->pool_count && added &&
		      !searched_pools_fit(passes, pass, demands, count)))
		return PACK_NO_FIT;
	return added;
}

uint32_t
pack_passes_probe_item(struct pack_passes *passes, uint32_t pass, uint32_t item,
		       uint32_t *alternative)
{
	const struct pack_space *space = passes->space;
	uint32_t least = PACK_NO_FIT;

	for (uint32_t a = space->alternative_first[item];
	     a < space->alternative_first[item + 1]; a++) {
		uint32_t added = pack_passes_probe(passes, pass, a);

		if (added < least) {
			least = added;
			*alternative = a;
		}
	}
	return least;
}

void
pack_passes_add(struct pack_passes *passes, uint32_t pass, uint32_t alternative)
{
	const struct pack_space *space = passes->space;
	uint32_t *values = &passes->values[(size_t)pass * space->setting_count];

	for (uint32_t i = space->want_first[alternative];
	     i < space->want_first[alternative + 1]; i++)
		values[space->wants[i].setting] = space->wants[i].value;
	for (uint32_t i = space->demand_first[alternative];
	     i < space->demand_first[alternative + 1]; i++) {
		if (!pack_passes_has(passes, pass, space->demands[i]))
			pack_passes_insert(passes, pass, space->demands[i]);
	}
}
