/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/pack/solve.h"

#include <string.h>

/* Items by passes: what is larger is not searched. */
#define CELLS_MAX ((size_t)1 << 24)

enum trail_kind {
	TRAIL_OPENED, /* pass */
	TRAIL_INSERTED, /* pass, counter */
	TRAIL_SET, /* pass, setting: given a value */
	TRAIL_PLACED, /* item */
	TRAIL_LOST, /* pass, item: the one takes the other no more */
};

/* A change of the search, so that it can be undone. */
struct trail_entry {
	enum trail_kind kind;
	uint32_t pass;
	uint32_t index;
};

/* An item that was chosen to be placed next, and the way to try next. */
struct search_node {
	uint32_t item;
	uint32_t pass, alternative;
	size_t trail; /* before any way was tried */
};

struct pack_search {
	const uint64_t *weight; /* per item */
	const uint32_t *twin; /* per item */
	const struct pack_model *model;
	const struct pack_problem *problem;
	const struct pack_component *component;
	struct pack_passes *passes;
	struct pack_assignment
		assignment; /* pass: PACK_NONE if still to come */

	uint32_t limit; /* passes that may be used */
	uint32_t open; /* passes that are used */
	uint32_t undecided; /* of those, without a value of the main setting */

	uint32_t *todo; /* items still to come */
	uint32_t *position; /* per item: in todo */
	uint32_t todo_count;

	bool *takes; /* a row per open pass: whether it takes an item */
	size_t takes_room;
	uint32_t *choices; /* per item: how many do */

	uint32_t *present; /* per counter: open passes that have it */
	uint32_t *wanted; /* per counter: items to come that need it */
	/*
	 * Free slots of open passes less counters to come: a row per
	 * constraint, with a column for those without a value of the main
	 * setting, one per value, and the sum of all.
	 */
	int32_t *slack;
	uint32_t columns;

	struct trail_entry *trail; /* in order */
	size_t trail_count;
	struct search_node *nodes;
	uint32_t depth;
	struct arena *arena;
};

struct pack_search *
pack_search_create(const uint64_t *weight, const uint32_t *twin,
		   struct pack_passes *passes,
		   const struct pack_assignment *assignment,
		   struct arena *arena)
{
	const struct pack_model *model = passes->model;
	const struct pack_problem *problem = model->problem;
	struct pack_search *search = arena_array(arena, 1, sizeof(*search));
	size_t items = problem->item_count, columns = 0;

	if (!search)
		return NULL;
	for (uint32_t s = 0; s < problem->setting_count; s++) {
		if (model->value_count[s] > columns)
			columns = model->value_count[s];
	}
	columns += 2;
	search->arena = arena;
	search->weight = weight;
	search->twin = twin;
	search->model = model;
	search->problem = problem;
	search->passes = passes;
	search->assignment = *assignment;
	search->todo = pack_numbers(arena, items);
	search->position = pack_numbers(arena, items);
	search->choices = pack_numbers(arena, items);
	search->present = pack_numbers(arena, problem->counter_count);
	search->wanted = pack_numbers(arena, problem->counter_count);
	search->slack = arena_array(arena, model->constraint_count * columns,
				    sizeof(*search->slack));
	search->nodes = arena_array(arena, items, sizeof(*search->nodes));
	return search;
}

/* ------------------------------------------------------------------ */
/* Counting                                                             */

/* Return the column of a pass; without a value that is PACK_NONE + 1, 0. */
static uint32_t
column_of_pass(const struct pack_search *search, uint32_t pass)
{
	uint32_t setting = search->component->setting;

	if (setting == PACK_NONE)
		return 0;
	return pack_passes_values(search->passes, pass)[setting] + 1;
}

static uint32_t
column_of_counter(const struct pack_search *search, uint32_t counter)
{
	const struct pack_requirement *requirements =
		search->model->counter_requirements[counter];

	for (int i = 0; i < 2; i++) {
		if (requirements[i].setting != PACK_NONE &&
		    requirements[i].setting == search->component->setting)
			return requirements[i].value + 1;
	}
	return 0;
}

static void
count_slack(struct pack_search *search, uint32_t constraint, uint32_t column,
	    int by)
{
	int32_t *row = &search->slack[(size_t)constraint * search->columns];

	row[column] += by;
	row[search->columns - 1] += by;
}

/* Add to the counts of all constraints that a counter obeys. */
static void
count_counter(struct pack_search *search, uint32_t counter, uint32_t column,
	      int by)
{
	const struct pack_model *model = search->model;

	PACK_EACH(i, model->obeyed_first, counter)
		count_slack(search, model->obeyed[i], column, by);
}

/* Count the free slots of an open pass in (1) or out (-1). */
static void
count_pass(struct pack_search *search, uint32_t pass, int by)
{
	const struct pack_component *component = search->component;
	const uint32_t *used = pack_passes_used(search->passes, pass);
	uint32_t column = column_of_pass(search, pass);

	for (uint32_t i = 0; i < component->constraint_count; i++) {
		uint32_t constraint = component->constraints[i];
		uint32_t left = search->model->constraints[constraint].limit -
				used[constraint];

		count_slack(search, constraint, column, by * (int)left);
	}
	if (!column)
		search->undecided += (uint32_t)by;
}

/*
 * Count what an item needs out of what is to come (-1) or back to it (1). Of an
 * item with alternatives that is not known.
 */
static void
count_item(struct pack_search *search, uint32_t item, int by)
{
	const struct pack_problem *problem = search->problem;
	uint32_t a = problem->alternative_first[item];

	if (pack_range_size(problem->alternative_first, item) > 1)
		return;
	PACK_EACH(i, problem->demand_first, a) {
		uint32_t counter = problem->demands[i];
		uint32_t before = search->wanted[counter];

		search->wanted[counter] += (uint32_t)by;
		if (!search->present[counter] &&
		    (!before || !search->wanted[counter]))
			count_counter(search, counter,
				      column_of_counter(search, counter), -by);
	}
}

/* Count that a counter gets (1) or loses (-1) its slot in a pass. */
static void
count_present(struct pack_search *search, uint32_t pass, uint32_t counter,
	      int by)
{
	uint32_t before = search->present[counter];

	count_counter(search, counter, column_of_pass(search, pass), -by);
	search->present[counter] += (uint32_t)by;
	if (search->wanted[counter] && (!before || !search->present[counter]))
		count_counter(search, counter,
			      column_of_counter(search, counter), by);
}

/*
 * Return how many passes must still be given a value of the main setting: for
 * some constraint, those that have it lack so much room.
 */
static uint32_t
passes_for_value(const struct pack_search *search, uint32_t value)
{
	const struct pack_component *component = search->component;
	uint32_t most = 0;

	for (uint32_t i = 0; i < component->constraint_count; i++) {
		uint32_t constraint = component->constraints[i];
		int32_t slack =
			search->slack[(size_t)constraint * search->columns +
				      value + 1];
		uint32_t limit = search->model->constraints[constraint].limit,
			 passes;

		if (slack >= 0)
			continue;
		passes = ((uint32_t)-slack + limit - 1) / limit;
		if (passes > most)
			most = passes;
	}
	return most;
}

/* Return false if what is to come cannot fit. */
static bool
can_fit(const struct pack_search *search)
{
	const struct pack_component *component = search->component;
	uint32_t unopened = search->limit - search->open;
	uint32_t passes = search->undecided + unopened;

	for (uint32_t i = 0; i < component->constraint_count; i++) {
		size_t constraint = component->constraints[i];
		int64_t slack =
			search->slack[(constraint + 1) * search->columns - 1];

		if (slack + (int64_t)unopened *
				    search->model->constraints[constraint]
					    .limit <
		    0)
			return false;
	}
	for (uint32_t v = 0; v < component->value_count; v++) {
		uint32_t more = passes_for_value(search, v);

		if (more > passes)
			return false;
		passes -= more;
	}
	return true;
}

/* ------------------------------------------------------------------ */
/* Doing and undoing                                                    */

static bool *
search_takes(const struct pack_search *search, uint32_t item, uint32_t pass)
{
	return &search->takes[(size_t)pass * search->problem->item_count +
			      item];
}

static void
search_note_change(struct pack_search *search, enum trail_kind kind,
		   uint32_t pass, uint32_t index)
{
	search->trail[search->trail_count++] =
		(struct trail_entry){ kind, pass, index };
}

/* Open a pass to all items to come (1), or close it to them (-1). */
static void
open_to_all(struct pack_search *search, uint32_t pass, int by)
{
	for (uint32_t i = 0; i < search->todo_count; i++) {
		*search_takes(search, search->todo[i], pass) = by > 0;
		search->choices[search->todo[i]] += (uint32_t)by;
	}
	count_pass(search, pass, by);
}

static void
open_pass(struct pack_search *search)
{
	uint32_t pass = search->open++;

	pack_passes_clear(search->passes, pass);
	open_to_all(search, pass, 1);
	search_note_change(search, TRAIL_OPENED, pass, 0);
}

static void
give_value(struct pack_search *search, uint32_t pass, uint32_t setting,
	   uint32_t value)
{
	bool is_main = setting == search->component->setting;

	if (is_main)
		count_pass(search, pass, -1);
	pack_passes_values(search->passes, pass)[setting] = value;
	if (is_main)
		count_pass(search, pass, 1);
}

static void
place_item(struct pack_search *search, uint32_t item, uint32_t pass,
	   uint32_t alternative)
{
	uint32_t at = search->position[item];
	uint32_t last = search->todo[--search->todo_count];

	search->todo[at] = last;
	search->position[last] = at;
	search->assignment.pass[item] = pass;
	search->assignment.alternative[item] = alternative;
	count_item(search, item, -1);
	search_note_change(search, TRAIL_PLACED, pass, item);
}

/* Do the reverse of place_item(); its old position is still known. */
static void
displace_item(struct pack_search *search, uint32_t item)
{
	uint32_t at = search->position[item];
	uint32_t moved = search->todo[at];

	count_item(search, item, 1);
	search->assignment.pass[item] = PACK_NONE;
	search->todo[search->todo_count] = moved;
	search->position[moved] = search->todo_count++;
	search->todo[at] = item;
	search->position[item] = at;
}

static void
search_undo_change(struct pack_search *search, const struct trail_entry *entry)
{
	switch (entry->kind) {
	case TRAIL_OPENED:
		open_to_all(search, entry->pass, -1);
		search->open--;
		break;
	case TRAIL_INSERTED:
		pack_passes_change(search->passes, entry->pass, entry->index,
				   -1);
		count_present(search, entry->pass, entry->index, -1);
		break;
	case TRAIL_SET:
		give_value(search, entry->pass, entry->index, PACK_NONE);
		break;
	case TRAIL_PLACED:
		displace_item(search, entry->index);
		break;
	case TRAIL_LOST:
		*search_takes(search, entry->index, entry->pass) = true;
		search->choices[entry->index]++;
		break;
	}
}

/* See which items to come the pass still takes; place those it serves. */
static void
scan_later_items(struct pack_search *search, uint32_t pass)
{
	for (uint32_t i = search->todo_count; i--;) {
		uint32_t item = search->todo[i], alternative = 0, added;

		if (!*search_takes(search, item, pass))
			continue;
		added = pack_passes_probe_item(search->passes, pass, item,
					       &alternative);
		if (added == PACK_NO_FIT) {
			*search_takes(search, item, pass) = false;
			search->choices[item]--;
			search_note_change(search, TRAIL_LOST, pass, item);
		} else if (!added) {
			place_item(search, item, pass, alternative);
		}
	}
}

/* Put an item into a pass, which may be the next to be opened. */
static void
search_place_item(struct pack_search *search, uint32_t item, uint32_t pass,
		  uint32_t a)
{
	const struct pack_model *model = search->model;
	const struct pack_problem *problem = search->problem;

	if (pass == search->open)
		open_pass(search);
	PACK_EACH(i, model->requirement_first, a) {
		uint32_t setting = model->requirements[i].setting;

		if (pack_passes_values(search->passes, pass)[setting] !=
		    PACK_NONE)
			continue;
		give_value(search, pass, setting, model->requirements[i].value);
		search_note_change(search, TRAIL_SET, pass, setting);
	}
	PACK_EACH(i, problem->demand_first, a) {
		uint32_t counter = problem->demands[i];

		if (pack_passes_has(search->passes, pass, counter))
			continue;
		pack_passes_change(search->passes, pass, counter, 1);
		count_present(search, pass, counter, 1);
		search_note_change(search, TRAIL_INSERTED, pass, counter);
	}
	place_item(search, item, pass, a);
	scan_later_items(search, pass);
}

/* ------------------------------------------------------------------ */
/* Branching                                                            */

/* Return whether a is to be placed before b: few choices, much weight. */
static bool
goes_before(const struct pack_search *search, uint32_t a, uint32_t b)
{
	const uint64_t *weight = search->weight;

	if (search->choices[a] != search->choices[b])
		return search->choices[a] < search->choices[b];
	if (weight[a] != weight[b])
		return weight[a] > weight[b];
	return a < b;
}

/* Choose the item to place next. */
static void
push_node(struct pack_search *search)
{
	uint32_t best = PACK_NONE, twin;

	for (uint32_t i = 0; i < search->todo_count; i++) {
		uint32_t item = search->todo[i];

		twin = search->twin[item];
		if (twin != PACK_NONE &&
		    search->assignment.pass[twin] == PACK_NONE)
			continue;
		if (best == PACK_NONE || goes_before(search, item, best))
			best = item;
	}
	twin = search->twin[best];
	search->nodes[search->depth++] = (struct search_node){
		.item = best,
		.pass = twin == PACK_NONE ? 0 : search->assignment.pass[twin],
		.alternative = search->problem->alternative_first[best],
		.trail = search->trail_count,
	};
}

/* Find the next way to place the item of a node; false if there is none. */
static bool
find_way(struct pack_search *search, struct search_node *node)
{
	const uint32_t *first = &search->problem->alternative_first[node->item];

	while (node->pass <= search->open && node->pass < search->limit) {
		bool is_new = node->pass == search->open;

		if (is_new || *search_takes(search, node->item, node->pass)) {
			for (; node->alternative < first[1];
			     node->alternative++) {
				if (is_new ||
				    pack_passes_probe(
					    search->passes, node->pass,
					    node->alternative) != PACK_NO_FIT)
					return true;
			}
		}
		node->pass++;
		node->alternative = first[0];
	}
	return false;
}

/* Begin with all items of a component to come and no pass open. */
static void
search_begin(struct pack_search *search, const struct pack_component *component,
	     uint32_t limit)
{
	size_t counters = search->problem->counter_count * sizeof(uint32_t);

	search->component = component;
	search->limit = limit;
	search->columns = component->value_count + 2;
	search->open = search->undecided = search->depth = 0;
	search->todo_count = 0;
	search->trail_count = 0;
	memset(search->present, 0, counters);
	memset(search->wanted, 0, counters);
	for (uint32_t i = 0; i < component->constraint_count; i++)
		memset(&search->slack[(size_t)component->constraints[i] *
				      search->columns],
		       0, search->columns * sizeof(*search->slack));
	for (uint32_t i = 0; i < component->item_count; i++) {
		uint32_t item = component->items[i];

		search->choices[item] = 0;
		search->assignment.pass[item] = PACK_NONE;
		search->position[item] = search->todo_count;
		search->todo[search->todo_count++] = item;
		count_item(search, item, 1);
	}
}

uint32_t
pack_search_bound(struct pack_search *search,
		  const struct pack_component *component, uint32_t least)
{
	search_begin(search, component, least);
	while (!can_fit(search))
		search->limit++;
	return search->limit;
}

/*
 * Reserve memory for limit passes. Return false if it is short, or they are too
 * many.
 */
static bool
reserve_passes(struct pack_search *search, uint32_t limit)
{
	size_t size = (size_t)search->problem->item_count * limit;

	/* each item, counter and setting changes once in each pass */
	size_t changes = search->problem->item_count +
			 (size_t)limit * (1 + search->problem->item_count +
					  search->problem->counter_count +
					  search->problem->setting_count);

	if (size > search->takes_room && size <= CELLS_MAX) {
		search->takes = arena_array(search->arena, size, sizeof(bool));
		search->trail = arena_array(search->arena, changes,
					    sizeof(*search->trail));
		search->takes_room = search->takes && search->trail ? size : 0;
	}
	return size <= search->takes_room;
}

static enum pack_verdict
search_descend(struct pack_search *search, uint64_t stop)
{
	push_node(search);
	while (search->depth) {
		struct search_node *node = &search->nodes[search->depth - 1];

		while (search->trail_count > node->trail)
			search_undo_change(
				search, &search->trail[--search->trail_count]);
		if (search->passes->steps >= stop)
			return PACK_VERDICT_OPEN;
		if (!find_way(search, node)) {
			search->depth--;
			continue;
		}
		search_place_item(search, node->item, node->pass,
				  node->alternative++);
		if (!search->todo_count)
			return PACK_VERDICT_FOUND;
		if (can_fit(search))
			push_node(search);
	}
	return PACK_VERDICT_IMPOSSIBLE;
}

enum pack_verdict
pack_search_run(struct pack_search *search,
		const struct pack_component *component, uint64_t stop,
		uint32_t *limit)
{
	enum pack_verdict verdict = PACK_VERDICT_IMPOSSIBLE;

	if (!reserve_passes(search, *limit))
		return PACK_VERDICT_OPEN;
	search_begin(search, component, *limit);
	if (can_fit(search))
		verdict = search_descend(search, stop);
	if (verdict == PACK_VERDICT_FOUND)
		*limit = search->open;
	return verdict;
}
