/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/reduce.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/*
 * Whatever binds is a node: rules, then searched pools, then settings. An item
 * joins all nodes it touches; what stays apart are the parts.
 */
struct divider {
	const struct pack_reduction *reduction;
	const struct pack_binding *binding;
	const struct pack_space *space;
	uint32_t node_count;
	uint32_t *parent; /* per node: towards the root of its part */
	uint32_t *part; /* per node that is a root: number, or PACK_NONE */
	uint32_t *item_part; /* per item, PACK_NONE for those in no part */
	/*
	 * Numbers within the part, or PACK_NONE. What binds is in one part
	 * only, so the numbers of one part are not in the way of another's.
	 */
	uint32_t *counter, *rule, *pool, *setting, *value;
	uint32_t *value_offset; /* per setting, in value */
	uint32_t *members; /* counters of the part being made */
};

static int
divider_init(struct divider *divider, const struct pack_reduction *reduction)
{
	const struct pack_space *space = reduction->space;
	size_t values = 0;

	*divider = (struct divider){
		.reduction = reduction,
		.binding = &reduction->rounds[reduction->round],
		.space = space,
	};
	divider->node_count =
		space->rule_count + space->pool_count + space->setting_count;
	divider->value_offset = calloc(space->setting_count + 1,
				       sizeof(*divider->value_offset));
	if (!divider->value_offset)
		return -ENOMEM;
	for (uint32_t i = 0; i < space->setting_count; i++) {
		divider->value_offset[i] = (uint32_t)values;
		values += space->value_count[i];
	}
	struct {
		uint32_t **array;
		size_t count;
	} arrays[] = {
		{ &divider->parent, divider->node_count },
		{ &divider->part, divider->node_count },
		{ &divider->item_part, space->item_count },
		{ &divider->counter, space->counter_count },
		{ &divider->rule, space->rule_count },
		{ &divider->pool, space->pool_count },
		{ &divider->setting, space->setting_count },
		{ &divider->value, values },
		{ &divider->members, space->counter_count },
	};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		*arrays[i].array =
			calloc(arrays[i].count + 1, sizeof(uint32_t));
		if (!*arrays[i].array)
			return -ENOMEM;
		memset(*arrays[i].array, 0xff,
		       (arrays[i].count + 1) * sizeof(uint32_t));
	}
	for (uint32_t i = 0; i < divider->node_count; i++)
		divider->parent[i] = i;
	return 0;
}

static void
divider_finish(struct divider *divider)
{
	free(divider->parent);
	free(divider->part);
	free(divider->item_part);
	free(divider->counter);
	free(divider->rule);
	free(divider->pool);
	free(divider->setting);
	free(divider->value);
	free(divider->value_offset);
	free(divider->members);
}

/* ------------------------------------------------------------------ */
/* Finding the parts                                                    */

static uint32_t
find_root(struct divider *divider, uint32_t node)
{
	uint32_t *parent = divider->parent;

	while (parent[node] != node) {
		parent[node] = parent[parent[node]];
		node = parent[node];
	}
	return node;
}

/* Join node to *root, which becomes the root of both. */
static void
join(struct divider *divider, uint32_t node, uint32_t *root)
{
	node = find_root(divider, node);
	if (*root != PACK_NONE)
		divider->parent[node] = find_root(divider, *root);
	*root = find_root(divider, node);
}

static void
join_counter(struct divider *divider, uint32_t counter, uint32_t *root)
{
	const struct pack_space *space = divider->space;
	uint32_t pool = space->searched[counter];

	for (uint32_t i = space->rule_first[counter];
	     i < space->rule_first[counter + 1]; i++) {
		if (divider->binding->rules[space->rules[i]])
			join(divider, space->rules[i], root);
	}
	if (pool != PACK_NONE && divider->binding->pools[pool])
		join(divider, space->rule_count + pool, root);
}

/* Join all that an item touches; returns one node of it. */
static uint32_t
join_item(struct divider *divider, uint32_t item)
{
	const struct pack_reduction *reduction = divider->reduction;
	const struct pack_space *space = divider->space;
	uint32_t root = PACK_NONE;

	for (uint32_t a = space->alternative_first[item];
	     a < space->alternative_first[item + 1]; a++) {
		if (!reduction->alive[a])
			continue;
		for (uint32_t i = space->demand_first[a];
		     i < space->demand_first[a + 1]; i++)
			join_counter(divider, space->demands[i], &root);
		for (uint32_t i = space->want_first[a];
		     i < space->want_first[a + 1]; i++) {
			uint32_t setting = space->wants[i].setting;

			if (divider->binding->settings[setting])
				join(divider,
				     space->rule_count + space->pool_count +
					     setting,
				     &root);
		}
	}
	return root;
}

/* Number the parts by their first items; returns how many there are. */
static uint32_t
number_parts(struct divider *divider)
{
	const struct pack_space *space = divider->space;
	uint32_t count = 0;

	for (uint32_t i = 0; i < space->item_count; i++) {
		if (divider->reduction->roles[i] == PACK_ROLE_ACTIVE)
			divider->item_part[i] = join_item(divider, i);
	}
	for (uint32_t i = 0; i < space->item_count; i++) {
		uint32_t root;

		if (divider->item_part[i] == PACK_NONE)
			continue;
		root = find_root(divider, divider->item_part[i]);
		if (divider->part[root] == PACK_NONE)
			divider->part[root] = count++;
		divider->item_part[i] = divider->part[root];
	}
	return count;
}

/* ------------------------------------------------------------------ */
/* Filling a part                                                       */

/* How many of each thing a part has. */
struct part_size {
	uint32_t items, alternatives, counters, rules, pools, settings;
	size_t demands, wants, counter_rules;
};

/* The number of a thing within the part, given at its first occurrence. */
static uint32_t
number(uint32_t *numbers, uint32_t index, uint32_t *next)
{
	if (numbers[index] == PACK_NONE)
		numbers[index] = (*next)++;
	return numbers[index];
}

static void
measure_counter(struct divider *divider, uint32_t counter,
		struct part_size *size)
{
	const struct pack_space *space = divider->space;
	uint32_t pool = space->searched[counter];

	size->demands++;
	if (divider->counter[counter] != PACK_NONE)
		return;
	divider->counter[counter] = 0; /* seen; numbered below */
	divider->members[size->counters++] = counter;
	for (uint32_t i = space->rule_first[counter];
	     i < space->rule_first[counter + 1]; i++) {
		if (!divider->binding->rules[space->rules[i]])
			continue;
		number(divider->rule, space->rules[i], &size->rules);
		size->counter_rules++;
	}
	if (pool != PACK_NONE && divider->binding->pools[pool])
		number(divider->pool, pool, &size->pools);
}

/* Count and number everything that the items of a part touch. */
static void
measure(struct divider *divider, const uint32_t *items, uint32_t count,
	struct part_size *size)
{
	const struct pack_reduction *reduction = divider->reduction;
	const struct pack_space *space = divider->space;

	*size = (struct part_size){ .items = count };
	for (uint32_t at = 0; at < count; at++) {
		for (uint32_t a = space->alternative_first[items[at]];
		     a < space->alternative_first[items[at] + 1]; a++) {
			if (!reduction->alive[a])
				continue;
			size->alternatives++;
			for (uint32_t i = space->demand_first[a];
			     i < space->demand_first[a + 1]; i++) {
				uint32_t counter = space->demands[i];

				if (divider->binding->counters[counter])
					measure_counter(divider, counter, size);
			}
			for (uint32_t i = space->want_first[a];
			     i < space->want_first[a + 1]; i++) {
				uint32_t setting = space->wants[i].setting;

				if (!divider->binding->settings[setting])
					continue;
				size->wants++;
				number(divider->setting, setting,
				       &size->settings);
			}
		}
	}
}

/* Counters keep their order, which pack_space.h promises. */
static void
number_counters(struct divider *divider, uint32_t count)
{
	if (count > 1)
		qsort(divider->members, count, sizeof(*divider->members),
		      pack_space_compare);
	for (uint32_t i = 0; i < count; i++)
		divider->counter[divider->members[i]] = i;
}

static int
part_alloc(struct pack_part *part, const struct part_size *size,
	   struct arena *arena)
{
	struct pack_space *space = &part->space;
	int ret;

	*space = (struct pack_space){
		.item_count = size->items,
		.alternative_count = size->alternatives,
		.counter_count = size->counters,
		.rule_count = size->rules,
		.pool_count = size->pools,
		.setting_count = size->settings,
	};
	ret = pack_space_alloc(space, size->demands, size->wants, arena);
	if (ret)
		return ret;
	space->rules = arena_alloc(arena, (size->counter_rules + 1) *
						  sizeof(*space->rules));
	space->limits =
		arena_alloc(arena, (size->rules + 1) * sizeof(*space->limits));
	part->items =
		arena_alloc(arena, (size->items + 1) * sizeof(*part->items));
	part->alternatives = arena_alloc(
		arena, (size->alternatives + 1) * sizeof(*part->alternatives));
	return space->rules && space->limits && part->items &&
			       part->alternatives
		       ? 0
		       : -ENOMEM;
}

/* Demands and wants of one alternative, in the part's numbers. */
static void
fill_alternative(struct divider *divider, struct pack_part *part, uint32_t a)
{
	const struct pack_space *from = divider->space;
	struct pack_space *to = &part->space;
	uint32_t at = to->alternative_count++;
	uint32_t demand = to->demand_first[at], want = to->want_first[at];

	part->alternatives[at] = a;
	for (uint32_t i = from->demand_first[a]; i < from->demand_first[a + 1];
	     i++) {
		uint32_t counter = from->demands[i];

		if (divider->binding->counters[counter])
			to->demands[demand++] = divider->counter[counter];
	}
	for (uint32_t i = from->want_first[a]; i < from->want_first[a + 1];
	     i++) {
		uint32_t setting = from->wants[i].setting, own;

		if (!divider->binding->settings[setting])
			continue;
		own = divider->setting[setting];
		to->wants[want++] = (struct pack_want){
			.setting = own,
			.value = number(divider->value,
					divider->value_offset[setting] +
						from->wants[i].value,
					&to->value_count[own]),
		};
	}
	to->demand_first[at + 1] = demand;
	to->want_first[at + 1] = want;
}

static void
fill_items(struct divider *divider, struct pack_part *part,
	   const uint32_t *items, uint32_t count)
{
	const struct pack_space *from = divider->space;
	struct pack_space *to = &part->space;

	to->alternative_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		part->items[i] = items[i];
		for (uint32_t a = from->alternative_first[items[i]];
		     a < from->alternative_first[items[i] + 1]; a++) {
			if (divider->reduction->alive[a])
				fill_alternative(divider, part, a);
		}
		to->alternative_first[i + 1] = to->alternative_count;
	}
}

/* The rules and the pool of one counter, in the part's numbers. */
static void
fill_counter(struct divider *divider, struct pack_space *to, uint32_t counter)
{
	const struct pack_space *from = divider->space;
	uint32_t old = divider->members[counter], pool = from->searched[old];
	uint32_t at = to->rule_first[counter];

	for (uint32_t i = from->rule_first[old]; i < from->rule_first[old + 1];
	     i++) {
		uint32_t rule = from->rules[i];

		if (!divider->binding->rules[rule])
			continue;
		to->rules[at++] = divider->rule[rule];
		to->limits[divider->rule[rule]] = from->limits[rule];
	}
	to->rule_first[counter + 1] = at;
	to->searched[counter] = PACK_NONE;
	to->after[counter] = PACK_NONE;
	if (pool == PACK_NONE || !divider->binding->pools[pool])
		return;
	to->searched[counter] = divider->pool[pool];
	to->pool_slots[divider->pool[pool]] = from->pool_slots[pool];
	to->slots[counter] = from->slots[old];
	if (from->after[old] != PACK_NONE)
		to->after[counter] = divider->counter[from->after[old]];
}

static void
fill_pools(struct pack_space *space)
{
	uint32_t at = 0;

	for (uint32_t pool = 0; pool < space->pool_count; pool++) {
		for (uint32_t c = 0; c < space->counter_count; c++) {
			if (space->searched[c] == pool)
				space->pool_counters[at++] = c;
		}
		space->pool_first[pool + 1] = at;
	}
}

static int
make_part(struct divider *divider, const uint32_t *items, uint32_t count,
	  struct pack_part *part, struct arena *arena)
{
	struct part_size size;
	int ret;

	measure(divider, items, count, &size);
	number_counters(divider, size.counters);
	ret = part_alloc(part, &size, arena);
	if (ret)
		return ret;
	fill_items(divider, part, items, count);
	for (uint32_t i = 0; i < size.counters; i++)
		fill_counter(divider, &part->space, i);
	fill_pools(&part->space);
	return 0;
}

/* Items of each part, one part after the other, by counting. */
static void
sort_items(const struct divider *divider, uint32_t *first, uint32_t *items)
{
	uint32_t count = divider->space->item_count;

	for (uint32_t i = 0; i < count; i++) {
		if (divider->item_part[i] != PACK_NONE)
			first[divider->item_part[i] + 2]++;
	}
	for (uint32_t i = 2; first[i]; i++)
		first[i] += first[i - 1];
	for (uint32_t i = 0; i < count; i++) {
		if (divider->item_part[i] != PACK_NONE)
			items[first[divider->item_part[i] + 1]++] = i;
	}
}

int
pack_divide(const struct pack_reduction *reduction, struct arena *arena,
	    struct pack_part **parts, uint32_t *count)
{
	uint32_t item_count = reduction->space->item_count;
	uint32_t *first = calloc(item_count + 3, sizeof(*first));
	uint32_t *items = calloc(item_count + 1, sizeof(*items));
	struct divider divider = { 0 };
	int ret = divider_init(&divider, reduction);

	if (!first || !items)
		ret = -ENOMEM;
	if (!ret) {
		*count = number_parts(&divider);
		*parts = arena_alloc(arena, (*count + 1) * sizeof(**parts));
		if (!*parts)
			ret = -ENOMEM;
	}
	if (!ret)
		sort_items(&divider, first, items);
	for (uint32_t i = 0; !ret && i < *count; i++)
		ret = make_part(&divider, &items[first[i]],
				first[i + 1] - first[i], &(*parts)[i], arena);
	divider_finish(&divider);
	free(first);
	free(items);
	return ret;
}
