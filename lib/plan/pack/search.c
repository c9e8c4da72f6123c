/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether all items fit a given number of passes: a depth-first search.
 *
 *	choose the item with the fewest passes left to it
 *	for each of these passes (and one that is still empty):
 *		put it there
 *		put there too whatever needs nothing more in that pass
 *		see which items the pass can no longer take
 *		go on, unless what remains to be placed cannot fit
 *
 * What remains cannot fit if a rule has more counters to come than room; if
 * the values that settings must still take ask for more passes than have a
 * choice left.
 *
 * Symmetry: empty passes are alike, so only the first is tried. Items that are
 * as good as each other (twins) go into passes of rising number: in whatever
 * solution, they could be exchanged until they do.
 */
#include "plan/pack/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PASSES_MAX 1024
#define TRAIL_MAX ((size_t)1 << 20)
#define OPTIONS_MAX ((size_t)1 << 18)

enum step {
	STEP_OPEN, /* pass */
	STEP_COUNTER, /* pass, counter: inserted */
	STEP_VALUE, /* pass, setting: given a value */
	STEP_ITEM, /* item: placed */
	STEP_LOST, /* pass, item: the one no longer takes the other */
};

struct trail_entry {
	enum step step;
	uint32_t pass;
	uint32_t index;
};

/* A way to place an item. */
struct option {
	uint64_t cost;
	uint32_t pass;
	uint32_t alternative;
};

struct level {
	uint32_t item;
	uint32_t next, end; /* options not yet tried */
	uint32_t first; /* of its options */
	uint32_t trail; /* length before any of them */
};

struct pack_search {
	struct pack_work *work;
	uint32_t limit; /* passes that may be used */
	uint32_t open; /* passes that are used */
	uint32_t undecided; /* of those, without a value of the main setting */

	uint32_t *todo; /* items not placed yet */
	uint32_t *where; /* per item: position in todo */
	uint32_t todo_count;

	uint64_t *takes; /* per item: set of open passes that take it */
	uint32_t take_words;
	uint32_t *choices; /* per item: the size of that set */

	uint32_t *present; /* per counter: open passes that have it */
	uint32_t *wanted; /* per counter: items to come that surely need it */
	/*
	 * By rule and value of the main setting (the last: none): counters to
	 * come, and room in open passes.
	 */
	uint32_t *need, *room;
	uint32_t stride; /* values, and one */
	uint32_t *need_sum, *room_sum; /* per rule */

	struct level *levels;
	uint32_t depth;
	struct option *options;
	uint32_t option_count;
	size_t option_capacity;
	struct trail_entry *trail;
	uint32_t trail_length;
	size_t trail_capacity;
	size_t items; /* most of a part */
};

static size_t
smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

int
pack_search_create(const struct pack_sizes *sizes, struct pack_search **out)
{
	struct pack_search *search = calloc(1, sizeof(*search));
	size_t passes = smaller(sizes->items, PASSES_MAX);

	if (!search)
		return -ENOMEM;
	search->items = sizes->items;
	/* what a branch can add: rows are entered and lost once each */
	search->trail_capacity =
		smaller(TRAIL_MAX, sizes->items * (passes + 3) +
					   sizes->demands + sizes->wants);
	search->option_capacity =
		smaller(OPTIONS_MAX, (passes + 1) * (sizes->alternatives + 1));
	struct {
		void **array;
		size_t count, size;
	} arrays[] = {
		{ (void **)&search->todo, sizes->items, 4 },
		{ (void **)&search->where, sizes->items, 4 },
		{ (void **)&search->choices, sizes->items, 4 },
		{ (void **)&search->takes, sizes->items * (passes / 64 + 1),
		  8 },
		{ (void **)&search->present, sizes->counters, 4 },
		{ (void **)&search->wanted, sizes->counters, 4 },
		{ (void **)&search->need, sizes->needs, 4 },
		{ (void **)&search->room, sizes->needs, 4 },
		{ (void **)&search->need_sum, sizes->rules, 4 },
		{ (void **)&search->room_sum, sizes->rules, 4 },
		{ (void **)&search->levels, sizes->items,
		  sizeof(struct level) },
		{ (void **)&search->options, search->option_capacity,
		  sizeof(struct option) },
		{ (void **)&search->trail, search->trail_capacity,
		  sizeof(struct trail_entry) },
	};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		*arrays[i].array = calloc(arrays[i].count + 1, arrays[i].size);
		if (!*arrays[i].array) {
			pack_search_destroy(search);
			return -ENOMEM;
		}
	}
	*out = search;
	return 0;
}

void
pack_search_destroy(struct pack_search *search)
{
	if (!search)
		return;
	free(search->todo);
	free(search->where);
	free(search->choices);
	free(search->takes);
	free(search->present);
	free(search->wanted);
	free(search->need);
	free(search->room);
	free(search->need_sum);
	free(search->room_sum);
	free(search->levels);
	free(search->options);
	free(search->trail);
	free(search);
}

/* ------------------------------------------------------------------ */
/* Keeping the sums                                                     */

/* The column of need and room that a value of the main setting has. */
static uint32_t
column(const struct pack_search *search, uint32_t value)
{
	return value == PACK_NONE ? search->stride - 1 : value;
}

static uint32_t
pass_value(const struct pack_search *search, uint32_t pass)
{
	const struct pack_work *work = search->work;
	uint32_t setting = work->profile->setting;

	if (setting == PACK_NONE)
		return PACK_NONE;
	return work->passes
		.values[(size_t)pass * work->space->setting_count + setting];
}

/* A counter begins (1) or ends (-1) to be one that must still get a slot. */
static void
change_need(struct pack_search *search, uint32_t counter, int change)
{
	const struct pack_space *space = search->work->space;
	uint32_t value = search->work->profile->counter_value[counter];

	for (uint32_t i = space->rule_first[counter];
	     i < space->rule_first[counter + 1]; i++) {
		uint32_t rule = space->rules[i];
		size_t at =
			(size_t)rule * search->stride + column(search, value);

		search->need[at] += (uint32_t)change;
		search->need_sum[rule] += (uint32_t)change;
	}
}

/* The free slots of an open pass come in (1) or go out (-1). */
static void
change_room(struct pack_search *search, uint32_t pass, int change)
{
	const struct pack_work *work = search->work;
	const struct pack_space *space = work->space;
	const uint32_t *used =
		&work->passes.used[(size_t)pass * space->rule_count];
	uint32_t at = column(search, pass_value(search, pass));

	for (uint32_t r = 0; r < space->rule_count; r++) {
		uint32_t room = (space->limits[r] - used[r]) * (uint32_t)change;

		search->room[(size_t)r * search->stride + at] += room;
		search->room_sum[r] += room;
	}
	if (at == search->stride - 1)
		search->undecided += (uint32_t)change;
}

/* One more (-1) or one less (1) counter takes room in a pass. */
static void
change_slot(struct pack_search *search, uint32_t pass, uint32_t counter,
	    int change)
{
	const struct pack_space *space = search->work->space;
	uint32_t at = column(search, pass_value(search, pass));

	for (uint32_t i = space->rule_first[counter];
	     i < space->rule_first[counter + 1]; i++) {
		uint32_t rule = space->rules[i];

		search->room[(size_t)rule * search->stride + at] +=
			(uint32_t)change;
		search->room_sum[rule] += (uint32_t)change;
	}
}

static void
insert(struct pack_search *search, uint32_t pass, uint32_t counter)
{
	pack_passes_insert(&search->work->passes, pass, counter);
	change_slot(search, pass, counter, -1);
	if (!search->present[counter]++ && search->wanted[counter])
		change_need(search, counter, -1);
}

static void
take_out(struct pack_search *search, uint32_t pass, uint32_t counter)
{
	pack_passes_remove(&search->work->passes, pass, counter);
	change_slot(search, pass, counter, 1);
	if (!--search->present[counter] && search->wanted[counter])
		change_need(search, counter, 1);
}

/* An item leaves the ones to come (-1) or returns to them (1). */
static void
change_wanted(struct pack_search *search, uint32_t item, int change)
{
	const struct pack_profile *profile = search->work->profile;

	for (uint32_t i = profile->sure_first[item];
	     i < profile->sure_first[item + 1]; i++) {
		uint32_t counter = profile->sure[i];
		uint32_t before = search->wanted[counter];

		search->wanted[counter] += (uint32_t)change;
		if (!search->present[counter] &&
		    (!before || !search->wanted[counter]))
			change_need(search, counter, change);
	}
}

/* ------------------------------------------------------------------ */
/* Doing and undoing                                                    */

static void
record(struct pack_search *search, enum step step, uint32_t pass,
       uint32_t index)
{
	search->trail[search->trail_length++] = (struct trail_entry){
		.step = step,
		.pass = pass,
		.index = index,
	};
}

static uint64_t *
takes_word(struct pack_search *search, uint32_t item, uint32_t pass)
{
	return &search->takes[(size_t)item * search->take_words + pass / 64];
}

static bool
pass_takes(struct pack_search *search, uint32_t item, uint32_t pass)
{
	return *takes_word(search, item, pass) >> pass % 64 & 1;
}

/* An open pass begins, or ceases, to take an item. */
static void
flip_takes(struct pack_search *search, uint32_t item, uint32_t pass)
{
	uint64_t bit = UINT64_C(1) << pass % 64;

	*takes_word(search, item, pass) ^= bit;
	if (*takes_word(search, item, pass) & bit)
		search->choices[item]++;
	else
		search->choices[item]--;
}

static void
open_pass(struct pack_search *search)
{
	uint32_t pass = search->open++;

	pack_passes_clear(&search->work->passes, pass);
	change_room(search, pass, 1);
	for (uint32_t i = 0; i < search->todo_count; i++)
		flip_takes(search, search->todo[i], pass);
	record(search, STEP_OPEN, pass, 0);
}

static void
place_item(struct pack_search *search, uint32_t item, uint32_t pass,
	   uint32_t alternative)
{
	struct pack_assignment *now = &search->work->now;
	uint32_t at = search->where[item];
	uint32_t last = search->todo[--search->todo_count];

	search->todo[at] = last;
	search->where[last] = at;
	now->pass[item] = pass;
	now->alternative[item] = alternative;
	change_wanted(search, item, -1);
	record(search, STEP_ITEM, pass, item);
}

/* The reverse of place_item(); where[item] is still its old position. */
static void
displace_item(struct pack_search *search, uint32_t item)
{
	uint32_t at = search->where[item];
	uint32_t moved = search->todo[at];

	change_wanted(search, item, 1);
	search->work->now.pass[item] = PACK_NONE;
	search->todo[search->todo_count] = moved;
	search->where[moved] = search->todo_count++;
	search->todo[at] = item;
	search->where[item] = at;
}

static void
give_value(struct pack_search *search, uint32_t pass, uint32_t setting,
	   uint32_t value)
{
	struct pack_work *work = search->work;
	bool main_one = setting == work->profile->setting;

	if (main_one)
		change_room(search, pass, -1);
	work->passes
		.values[(size_t)pass * work->space->setting_count + setting] =
		value;
	if (main_one)
		change_room(search, pass, 1);
}

static void
undo_to(struct pack_search *search, uint32_t length)
{
	while (search->trail_length > length) {
		struct trail_entry *entry =
			&search->trail[--search->trail_length];

		switch (entry->step) {
		case STEP_OPEN:
			for (uint32_t i = 0; i < search->todo_count; i++)
				flip_takes(search, search->todo[i],
					   entry->pass);
			change_room(search, entry->pass, -1);
			search->open--;
			break;
		case STEP_COUNTER:
			take_out(search, entry->pass, entry->index);
			break;
		case STEP_VALUE:
			give_value(search, entry->pass, entry->index,
				   PACK_NONE);
			break;
		case STEP_ITEM:
			displace_item(search, entry->index);
			break;
		case STEP_LOST:
			flip_takes(search, entry->index, entry->pass);
			break;
		}
	}
}

/* Put an item into a pass, which may be the next to be opened. */
static void
place(struct pack_search *search, uint32_t item, const struct option *option)
{
	struct pack_work *work = search->work;
	const struct pack_space *space = work->space;
	uint32_t pass = option->pass, a = option->alternative;
	const uint32_t *values;

	if (pass == search->open)
		open_pass(search);
	values = &work->passes.values[(size_t)pass * space->setting_count];
	for (uint32_t i = space->want_first[a]; i < space->want_first[a + 1];
	     i++) {
		const struct pack_want *want = &space->wants[i];

		if (values[want->setting] != PACK_NONE)
			continue;
		give_value(search, pass, want->setting, want->value);
		record(search, STEP_VALUE, pass, want->setting);
	}
	for (uint32_t i = space->demand_first[a];
	     i < space->demand_first[a + 1]; i++) {
		uint32_t counter = space->demands[i];

		if (pack_passes_has(&work->passes, pass, counter))
			continue;
		insert(search, pass, counter);
		record(search, STEP_COUNTER, pass, counter);
	}
	place_item(search, item, pass, a);
}

/* See which items to come the pass still takes; place those it serves. */
static void
look_around(struct pack_search *search, uint32_t pass)
{
	for (uint32_t i = search->todo_count; i--;) {
		uint32_t item = search->todo[i], alternative = 0, added;

		if (!pass_takes(search, item, pass))
			continue;
		added = pack_passes_probe_item(&search->work->passes, pass,
					       item, &alternative);
		if (added == PACK_NO_FIT) {
			flip_takes(search, item, pass);
			record(search, STEP_LOST, pass, item);
		} else if (!added) {
			place_item(search, item, pass, alternative);
		}
	}
}

/* ------------------------------------------------------------------ */
/* What remains cannot fit                                              */

static bool
room_is_enough(const struct pack_search *search)
{
	const struct pack_space *space = search->work->space;
	uint32_t unopened = search->limit - search->open;

	for (uint32_t r = 0; r < space->rule_count; r++) {
		if (search->need_sum[r] >
		    search->room_sum[r] + unopened * space->limits[r])
			return false;
	}
	return true;
}

/* Passes that must still take this value, by counting. */
static uint32_t
passes_for_value(const struct pack_search *search, uint32_t value)
{
	const struct pack_space *space = search->work->space;
	uint32_t most = 0;

	for (uint32_t r = 0; r < space->rule_count; r++) {
		size_t at = (size_t)r * search->stride + value;
		uint32_t limit = space->limits[r], passes;

		if (search->need[at] <= search->room[at])
			continue;
		passes = (search->need[at] - search->room[at] + limit - 1) /
			 limit;
		if (passes > most)
			most = passes;
	}
	return most;
}

static bool
values_have_passes(const struct pack_search *search)
{
	uint32_t passes = search->undecided + search->limit - search->open;

	if (search->work->profile->setting == PACK_NONE)
		return true;
	for (uint32_t v = 0; v + 1 < search->stride; v++) {
		uint32_t more = passes_for_value(search, v);

		if (more > passes)
			return false;
		passes -= more;
	}
	return true;
}

static bool
can_still_fit(const struct pack_search *search)
{
	return room_is_enough(search) && values_have_passes(search);
}

/* ------------------------------------------------------------------ */
/* Branching                                                            */

/* The item to place next: few choices, much weight. */
static uint32_t
choose_item(const struct pack_search *search)
{
	const struct pack_work *work = search->work;
	const struct pack_profile *profile = work->profile;
	uint32_t best = PACK_NONE;

	for (uint32_t i = 0; i < search->todo_count; i++) {
		uint32_t item = search->todo[i], twin = profile->twin[item];

		if (twin != PACK_NONE && work->now.pass[twin] == PACK_NONE)
			continue;
		if (best != PACK_NONE) {
			uint32_t more = search->choices[item];
			uint32_t fewer = search->choices[best];
			uint64_t weight = profile->item_weight[item];
			uint64_t other = profile->item_weight[best];

			if (more > fewer ||
			    (more == fewer &&
			     (weight < other ||
			      (weight == other && item > best))))
				continue;
		}
		best = item;
	}
	return best;
}

/* What an alternative takes of a pass; PACK_NO_FIT as cost if it does not fit.
 */
static uint64_t
cost_in_pass(struct pack_search *search, uint32_t pass, uint32_t alternative)
{
	struct pack_work *work = search->work;
	const struct pack_space *space = work->space;
	uint64_t cost = 0;

	if (pack_passes_probe(&work->passes, pass, alternative) == PACK_NO_FIT)
		return UINT64_MAX;
	for (uint32_t i = space->demand_first[alternative];
	     i < space->demand_first[alternative + 1]; i++) {
		uint32_t counter = space->demands[i];

		if (!pack_passes_has(&work->passes, pass, counter))
			cost += work->profile->counter_weight[counter];
	}
	return cost;
}

static int
compare_options(const void *left, const void *right)
{
	const struct option *a = left, *b = right;

	if (a->cost != b->cost)
		return a->cost < b->cost ? -1 : 1;
	if (a->pass != b->pass)
		return a->pass < b->pass ? -1 : 1;
	return (a->alternative > b->alternative) -
	       (a->alternative < b->alternative);
}

/* False if there is no memory for that many options. */
static bool
add_option(struct pack_search *search, uint32_t pass, uint32_t alternative,
	   uint64_t cost)
{
	if (search->option_count == search->option_capacity)
		return false;
	search->options[search->option_count++] = (struct option){
		.cost = cost,
		.pass = pass,
		.alternative = alternative,
	};
	return true;
}

/* All ways to place an item, the cheapest first, a new pass last. */
static bool
list_options(struct pack_search *search, uint32_t item)
{
	struct pack_work *work = search->work;
	const struct pack_space *space = work->space;
	uint32_t twin = work->profile->twin[item];
	uint32_t pass = twin == PACK_NONE ? 0 : work->now.pass[twin];
	uint32_t first = space->alternative_first[item];
	uint32_t end = space->alternative_first[item + 1];
	uint32_t begin = search->option_count;

	for (; pass < search->open; pass++) {
		if (!pass_takes(search, item, pass))
			continue;
		for (uint32_t a = first; a < end; a++) {
			uint64_t cost = cost_in_pass(search, pass, a);

			if (cost != UINT64_MAX &&
			    !add_option(search, pass, a, cost))
				return false;
		}
	}
	if (search->open < search->limit) {
		for (uint32_t a = first; a < end; a++) {
			if (!add_option(search, pass, a, UINT64_MAX))
				return false;
		}
	}
	qsort(&search->options[begin], search->option_count - begin,
	      sizeof(*search->options), compare_options);
	return true;
}

static bool
push_level(struct pack_search *search)
{
	struct level *level = &search->levels[search->depth];

	level->item = choose_item(search);
	level->first = search->option_count;
	level->next = level->first;
	level->trail = search->trail_length;
	if (!list_options(search, level->item))
		return false;
	level->end = search->option_count;
	search->depth++;
	return true;
}

/* Memory for the deepest branch has to be there before it is entered. */
static bool
is_small_enough(const struct pack_search *search)
{
	const struct pack_space *space = search->work->space;
	size_t branch = (size_t)space->item_count * (search->limit + 3) +
			space->demand_first[space->alternative_count] +
			space->want_first[space->alternative_count];

	return search->limit <= smaller(search->items, PASSES_MAX) &&
	       branch <= search->trail_capacity;
}

/* With all items to come. */
static void
begin(struct pack_search *search, struct pack_work *work, uint32_t limit)
{
	const struct pack_space *space = work->space;
	const struct pack_profile *profile = work->profile;
	size_t sums;

	search->work = work;
	search->limit = limit;
	search->stride = profile->value_count + 1;
	search->take_words = limit / 64 + 1;
	search->open = search->undecided = 0;
	search->depth = search->option_count = search->trail_length = 0;
	search->todo_count = 0;
	sums = (size_t)space->rule_count * search->stride;
	memset(search->takes, 0,
	       (size_t)space->item_count * search->take_words *
		       sizeof(*search->takes));
	memset(search->choices, 0, space->item_count * sizeof(uint32_t));
	memset(search->present, 0, space->counter_count * sizeof(uint32_t));
	memset(search->wanted, 0, space->counter_count * sizeof(uint32_t));
	memset(search->need, 0, sums * sizeof(uint32_t));
	memset(search->room, 0, sums * sizeof(uint32_t));
	memset(search->need_sum, 0, space->rule_count * sizeof(uint32_t));
	memset(search->room_sum, 0, space->rule_count * sizeof(uint32_t));
	for (uint32_t i = 0; i < space->item_count; i++) {
		work->now.pass[i] = PACK_NONE;
		search->where[i] = search->todo_count;
		search->todo[search->todo_count++] = i;
		change_wanted(search, i, 1);
	}
}

static enum pack_verdict
descend(struct pack_search *search)
{
	struct pack_work *work = search->work;

	if (!can_still_fit(search))
		return PACK_VERDICT_IMPOSSIBLE;
	if (!push_level(search))
		return PACK_VERDICT_OPEN;
	while (search->depth) {
		struct level *level = &search->levels[search->depth - 1];
		const struct option *option;

		undo_to(search, level->trail);
		if (level->next == level->end) {
			search->option_count = level->first;
			search->depth--;
			continue;
		}
		if (pack_work_is_over(work))
			return PACK_VERDICT_OPEN;
		option = &search->options[level->next++];
		place(search, level->item, option);
		look_around(search, option->pass);
		if (!search->todo_count)
			return PACK_VERDICT_FOUND;
		if (can_still_fit(search) && !push_level(search))
			return PACK_VERDICT_OPEN;
	}
	return PACK_VERDICT_IMPOSSIBLE;
}

enum pack_verdict
pack_search(struct pack_work *work, uint32_t count)
{
	struct pack_search *search = work->search;
	enum pack_verdict verdict;

	search->work = work;
	search->limit = count;
	if (!is_small_enough(search))
		return PACK_VERDICT_OPEN;
	begin(search, work, count);
	verdict = descend(search);
	if (verdict == PACK_VERDICT_FOUND) {
		work->now.pass_count = search->open;
		pack_work_keep(work);
	} else if (verdict == PACK_VERDICT_IMPOSSIBLE && count >= work->bound) {
		work->bound = count + 1;
	}
	return verdict;
}
