/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why an item does not fit beside others, and the smallest change that makes
 * it fit.
 */
#include <errno.h>
#include <string.h>

#include "plan/pack/private.h"

/* Looking for a smaller removal than the obvious one ends after so much. */
#define REMOVAL_STEPS UINT64_C(500000)

/* The question: why an item is refused beside others. */
struct question {
	struct pack *pack;
	const uint32_t *items;
	uint32_t count;
	uint32_t refused; /* the item that does not fit beside them */
};

static bool
has_choice(const struct pack_space *space, uint32_t item)
{
	return space->alternative_first[item + 1] -
		       space->alternative_first[item] >
	       1;
}

/* Whether two alternatives use the same pool or a setting in two ways. */
static bool
touches(const struct pack *pack, uint32_t a, uint32_t b)
{
	const struct pack_space *space = &pack->space;

	for (uint32_t i = space->demand_first[a];
	     i < space->demand_first[a + 1]; i++) {
		for (uint32_t j = space->demand_first[b];
		     j < space->demand_first[b + 1]; j++) {
			if (pack->counter_pools[space->demands[i]] ==
			    pack->counter_pools[space->demands[j]])
				return true;
		}
	}
	for (uint32_t i = space->want_first[a]; i < space->want_first[a + 1];
	     i++) {
		for (uint32_t j = space->want_first[b];
		     j < space->want_first[b + 1]; j++) {
			if (space->wants[i].setting == space->wants[j].setting)
				return true;
		}
	}
	return false;
}

/*
 * The items that can be in the way of the refused one, into pack->involved
 * and, where they are, pack->positions. Where there are alternatives to choose
 * from, one choice leads to another, and all are involved.
 */
static uint32_t
find_involved(const struct question *question)
{
	struct pack *pack = question->pack;
	const struct pack_space *space = &pack->space;
	uint32_t a = space->alternative_first[question->refused], count = 0;
	bool choice = has_choice(space, question->refused);

	for (uint32_t i = 0; i < question->count; i++)
		choice = choice || has_choice(space, question->items[i]);
	for (uint32_t i = 0; i < question->count; i++) {
		uint32_t item = question->items[i];

		if (!choice &&
		    !touches(pack, a, space->alternative_first[item]))
			continue;
		pack->positions[count] = i;
		pack->involved[count++] = item;
	}
	return count;
}

/* ------------------------------------------------------------------ */
/* The smallest removal                                                 */

/* Whether the refused one fits when these positions, rising, are left out. */
static bool
fits_without(const struct question *question, const uint32_t *left_out,
	     uint32_t left_out_count)
{
	struct pack *pack = question->pack;
	uint32_t kept = 0, at = 0;

	for (uint32_t i = 0; i < question->count; i++) {
		if (at < left_out_count && left_out[at] == i)
			at++;
		else
			pack->list[kept++] = question->items[i];
	}
	pack->list[kept++] = question->refused;
	return pack_fits(pack, pack->list, kept, NULL);
}

/* Take the refused one and as many as then fit, in order; not the rest. */
static uint32_t
remove_greedily(const struct question *question)
{
	struct pack *pack = question->pack;
	uint32_t kept = 1, removed = 0;

	pack->list[0] = question->refused;
	for (uint32_t i = 0; i < question->count; i++) {
		pack->list[kept] = question->items[i];
		if (pack_fits(pack, pack->list, kept + 1, NULL))
			kept++;
		else
			pack->removal[removed++] = i;
	}
	return removed;
}

/* The next set of size positions, in lexical order; false after the last. */
static bool
next_set(uint32_t *set, uint32_t size, uint32_t count)
{
	uint32_t at = size;

	while (at && set[at - 1] == count - size + at - 1)
		at--;
	if (!at)
		return false;
	set[at - 1]++;
	for (; at < size; at++)
		set[at] = set[at - 1] + 1;
	return true;
}

/* Look for a removal of fewer; pack->choices is scratch for the sets. */
static uint32_t
shrink_removal(const struct question *question, uint32_t removed)
{
	struct pack *pack = question->pack;
	uint64_t stop = pack->passes.steps + REMOVAL_STEPS;

	for (uint32_t size = 1; size < removed; size++) {
		uint32_t *set = pack->choices;

		for (uint32_t i = 0; i < size; i++)
			set[i] = i;
		do {
			if (pack->passes.steps > stop)
				return removed;
			if (!fits_without(question, set, size))
				continue;
			memcpy(pack->removal, set, size * sizeof(*set));
			return size;
		} while (next_set(set, size, question->count));
	}
	return removed;
}

static void
find_removal(const struct question *question, struct pack_conflict *out)
{
	struct pack *pack = question->pack;
	struct question own = *question;
	uint32_t count;

	own.count = find_involved(question);
	own.items = pack->involved;
	count = shrink_removal(&own, remove_greedily(&own));
	out->removal = pack->removal;
	out->removal_count = count;
	out->choices = pack->choices;
	out->choice_count = 0;
	for (uint32_t i = 0; count == 1 && i < own.count; i++) {
		if (fits_without(&own, &i, 1))
			pack->choices[out->choice_count++] = pack->positions[i];
	}
	for (uint32_t i = 0; i < count; i++)
		pack->removal[i] = pack->positions[pack->removal[i]];
	if (out->choice_count)
		pack->removal[0] = pack->choices[0];
}

/* ------------------------------------------------------------------ */
/* The cause                                                            */

static bool
obeys_rule(const struct pack_space *space, uint32_t counter, uint32_t rule)
{
	for (uint32_t i = space->rule_first[counter];
	     i < space->rule_first[counter + 1]; i++) {
		if (space->rules[i] == rule)
			return true;
	}
	return false;
}

/* Whether it has a counter in the pool, and under the rule if there is one. */
static bool
holds_slots(const struct pack *pack, uint32_t alternative, uint32_t pool,
	    uint32_t rule)
{
	const struct pack_space *space = &pack->space;

	for (uint32_t i = space->demand_first[alternative];
	     i < space->demand_first[alternative + 1]; i++) {
		uint32_t counter = space->demands[i];

		if (pack->counter_pools[counter] == pool &&
		    (rule == PACK_NONE || obeys_rule(space, counter, rule)))
			return true;
	}
	return false;
}

/* A setting that the pass, or the alternative itself, wants otherwise. */
static bool
find_setting(const struct pack *pack, uint32_t alternative,
	     struct pack_conflict *out)
{
	const struct pack_space *space = &pack->space;

	for (uint32_t i = space->want_first[alternative];
	     i < space->want_first[alternative + 1]; i++) {
		const struct pack_want *want = &space->wants[i];
		uint32_t value = pack->passes.values[want->setting];

		if (value == PACK_NONE || value == want->value)
			continue;
		out->cause = PACK_CAUSE_SETTING;
		out->setting = want->setting;
		out->limit = 1;
		out->wanted = 2;
		return true;
	}
	return false;
}

/*
 * The setting of which an impossible alternative wants two values. Only the
 * first of them is kept in its wants; the counters know the others.
 */
static void
find_contradiction(const struct pack *pack, uint32_t alternative,
		   struct pack_conflict *out)
{
	const struct pack_space *space = &pack->space;

	out->cause = PACK_CAUSE_SETTING;
	out->limit = 1;
	out->wanted = 2;
	for (uint32_t i = space->demand_first[alternative];
	     i < space->demand_first[alternative + 1]; i++) {
		for (int k = 0; k < 2; k++) {
			const struct pack_want *want =
				&space->counter_wants[space->demands[i]][k];

			if (want->setting != PACK_NONE &&
			    pack_space_value(space, alternative,
					     want->setting) != want->value)
				out->setting = want->setting;
		}
	}
}

/* A rule that breaks when the alternative is added to row 0; or PACK_NONE. */
static uint32_t
find_rule(const struct pack *pack, uint32_t alternative)
{
	const struct pack_space *space = &pack->space;
	uint32_t found = PACK_NONE;

	for (uint32_t i = space->demand_first[alternative];
	     i < space->demand_first[alternative + 1]; i++) {
		uint32_t counter = space->demands[i];

		for (uint32_t r = space->rule_first[counter];
		     r < space->rule_first[counter + 1]; r++) {
			uint32_t rule = space->rules[r];

			if (pack->passes.used[rule] <= space->limits[rule])
				continue;
			/* that a pool is full is easier to understand */
			if (found == PACK_NONE || !pack->origins[rule].masks)
				found = rule;
		}
	}
	return found;
}

/* All counters of row 0 in a pool. */
static uint32_t
count_in_pool(const struct pack *pack, uint32_t pool)
{
	uint32_t count = 0;

	for (uint32_t c = 0; c < pack->space.counter_count; c++)
		count += pack->counter_pools[c] == pool &&
			 pack_passes_has(&pack->passes, 0, c);
	return count;
}

/* What is found out about one alternative of the refused item. */
struct cause {
	struct pack_conflict conflict;
	uint32_t alternative;
	uint32_t rule; /* the one that breaks, or PACK_NONE */
};

/* With the alternative in row 0 as if it fitted: the pool that is too small. */
static void
find_pool(const struct pack *pack, struct cause *cause)
{
	const struct pack_space *space = &pack->space;
	struct pack_conflict *conflict = &cause->conflict;
	uint32_t a = cause->alternative;

	cause->rule = find_rule(pack, a);
	if (cause->rule != PACK_NONE) {
		const struct pack_rule_origin *origin =
			&pack->origins[cause->rule];

		conflict->cause =
			origin->masks ? PACK_CAUSE_SLOTS : PACK_CAUSE_POOL;
		conflict->pool = origin->pool;
		conflict->limit = space->limits[cause->rule];
		conflict->wanted = pack->passes.used[cause->rule];
		return;
	}
	/* only a searched pool can be in the way now */
	conflict->cause = PACK_CAUSE_SLOTS;
	for (uint32_t i = space->demand_first[a];
	     i < space->demand_first[a + 1]; i++) {
		uint32_t counter = space->demands[i];

		if (space->searched[counter] != PACK_NONE)
			conflict->pool = pack->counter_pools[counter];
	}
	conflict->limit = pack->pool_slots[conflict->pool];
	conflict->wanted = count_in_pool(pack, conflict->pool);
}

/* Whether an item has no alternative that goes with the wanted value. */
static bool
insists(const struct pack *pack, const struct cause *cause, uint32_t item)
{
	const struct pack_space *space = &pack->space;
	uint32_t setting = cause->conflict.setting;
	uint32_t wanted = pack_space_value(space, cause->alternative, setting);

	for (uint32_t a = space->alternative_first[item];
	     a < space->alternative_first[item + 1]; a++) {
		uint32_t value = pack_space_value(space, a, setting);

		if (value == PACK_NONE || value == wanted)
			return false;
	}
	return true;
}

/* Whether what serves an item is in the way. */
static bool
is_holder(const struct pack *pack, const struct cause *cause,
	  uint32_t alternative)
{
	const struct pack_conflict *conflict = &cause->conflict;
	uint32_t value;

	if (conflict->cause != PACK_CAUSE_SETTING)
		return holds_slots(pack, alternative, conflict->pool,
				   cause->rule);
	value = pack_space_value(&pack->space, alternative, conflict->setting);
	return value != PACK_NONE &&
	       value != pack_space_value(&pack->space, cause->alternative,
					 conflict->setting);
}

/*
 * The positions of those who are in the way into pack->holders. Of a setting,
 * those who could take the wanted value are innocent, unless all of them are:
 * then it is that they cannot take it together.
 */
static uint32_t
list_holders(struct pack *pack, const struct question *question,
	     const struct cause *cause)
{
	bool choosy = cause->conflict.cause == PACK_CAUSE_SETTING;
	uint32_t count = 0;

	for (uint32_t i = 0; choosy && i < question->count; i++) {
		if (insists(pack, cause, question->items[i]))
			pack->holders[count++] = i;
	}
	if (count)
		return count;
	for (uint32_t i = 0; i < question->count; i++) {
		if (is_holder(pack, cause, pack->chosen[i]))
			pack->holders[count++] = i;
	}
	return count;
}

/* What is in the way of this alternative, beside what serves the items. */
static void
find_cause(struct pack *pack, const struct question *question,
	   struct cause *cause)
{
	pack_passes_clear(&pack->passes, 0);
	for (uint32_t i = 0; i < question->count; i++)
		pack_passes_add(&pack->passes, 0, pack->chosen[i]);
	cause->rule = PACK_NONE;
	if (pack->space.impossible[cause->alternative]) {
		find_contradiction(pack, cause->alternative, &cause->conflict);
		cause->conflict.holder_count = 0;
		return;
	}
	if (!find_setting(pack, cause->alternative, &cause->conflict)) {
		pack_passes_add(&pack->passes, 0, cause->alternative);
		find_pool(pack, cause);
	}
	cause->conflict.holder_count = list_holders(pack, question, cause);
}

/* The cause for the alternative that would disturb the fewest. */
static void
choose_cause(struct pack *pack, const struct question *question,
	     struct pack_conflict *out)
{
	const struct pack_space *space = &pack->space;
	uint32_t first = space->alternative_first[question->refused];
	uint32_t end = space->alternative_first[question->refused + 1];
	struct cause best = { 0 };

	for (uint32_t a = first; a < end; a++) {
		struct cause cause = { .conflict = *out, .alternative = a };

		find_cause(pack, question, &cause);
		if (a == first ||
		    cause.conflict.holder_count < best.conflict.holder_count)
			best = cause;
	}
	*out = best.conflict;
	out->holders = pack->holders;
	if (out->holder_count)
		out->holder_count = list_holders(pack, question, &best);
}

int
pack_explain(struct pack *pack, const uint32_t *items, uint32_t count,
	     uint32_t refused, struct pack_conflict *out)
{
	struct question question = { pack, items, count, refused };
	struct pack_conflict conflict = {
		.pool = PACK_NONE,
		.setting = PACK_NONE,
	};

	if (!pack_fits(pack, items, count, NULL) ||
	    fits_without(&question, NULL, 0))
		return -EINVAL;
	if (!pack_item_fits(pack, refused)) {
		question.count = 0;
	} else {
		find_removal(&question, &conflict);
		pack_fits(pack, items, count, NULL); /* chosen, once more */
	}
	choose_cause(pack, &question, &conflict);
	*out = conflict;
	return 0;
}
