/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lower bounds that need no search.
 *
 * counting   Counters that are needed in any case share a rule: it takes
 *            count / limit passes, rounded up. Shared counters count once.
 * settings   Items that insist on different values of a setting never meet, so
 *            the passes that each value needs add up.
 *            What one value needs can be found out by a search among its
 *            items alone, which is a smaller problem.
 * cliques    Items of which no two fit together need a pass each; within a
 *            value of a setting that may be more than counting says.
 * covering   If every item insists on some value, each pass serves the items
 *            that accept its value. Prices for items, such that no value's
 *            items cost more than one pass in all, bound the passes from below
 *            by their sum: the dual of set covering.
 */
#include "plan/pack/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* From how many items a clique is grown. */
#define CLIQUE_STARTS 64

/* The price of a pass: many small numbers divide it. */
#define PASS_PRICE UINT64_C(5040)

struct pack_tally {
	uint64_t *candidates; /* set of items */
	/* counting, by rule and value; the last value stands for any */
	uint32_t *need;
	bool *counted; /* per counter */
	uint32_t *passes; /* per value: that many at least */
	/* covering, per value */
	uint32_t *accepted; /* by how many items */
	uint64_t *price; /* what is left of a pass */
};

int
pack_tally_create(const struct pack_sizes *sizes, struct pack_tally **out)
{
	struct pack_tally *tally = calloc(1, sizeof(*tally));

	if (!tally)
		return -ENOMEM;
	tally->candidates = calloc(sizes->items / 64 + 1, sizeof(uint64_t));
	tally->need = calloc(sizes->needs + 1, sizeof(uint32_t));
	tally->counted = calloc(sizes->counters + 1, sizeof(bool));
	tally->passes = calloc(sizes->values + 1, sizeof(uint32_t));
	tally->accepted = calloc(sizes->values + 1, sizeof(uint32_t));
	tally->price = calloc(sizes->values + 1, sizeof(uint64_t));
	if (!tally->candidates || !tally->need || !tally->counted ||
	    !tally->passes || !tally->accepted || !tally->price) {
		pack_tally_destroy(tally);
		return -ENOMEM;
	}
	*out = tally;
	return 0;
}

void
pack_tally_destroy(struct pack_tally *tally)
{
	if (!tally)
		return;
	free(tally->candidates);
	free(tally->need);
	free(tally->counted);
	free(tally->passes);
	free(tally->accepted);
	free(tally->price);
	free(tally);
}

static void
raise_bound(struct pack_work *work, uint32_t bound)
{
	if (bound > work->bound)
		work->bound = bound;
}

static uint32_t
passes_for(uint32_t counters, uint32_t limit)
{
	return (counters + limit - 1) / limit;
}

/* ------------------------------------------------------------------ */
/* Counting and settings                                                */

/* How many counters each rule must hold, by the value they need. */
static void
count_needs(struct pack_work *work)
{
	const struct pack_profile *profile = work->profile;
	const struct pack_space *space = work->space;
	struct pack_tally *tally = work->tally;
	uint32_t stride = profile->value_count + 1;

	memset(tally->need, 0,
	       (size_t)space->rule_count * stride * sizeof(*tally->need));
	memset(tally->counted, 0,
	       space->counter_count * sizeof(*tally->counted));
	for (uint32_t i = 0; i < profile->sure_first[space->item_count]; i++) {
		uint32_t counter = profile->sure[i];
		uint32_t value = profile->counter_value[counter];

		if (tally->counted[counter])
			continue;
		tally->counted[counter] = true;
		if (value == PACK_NONE)
			value = profile->value_count;
		for (uint32_t r = space->rule_first[counter];
		     r < space->rule_first[counter + 1]; r++)
			tally->need[(size_t)space->rules[r] * stride + value]++;
	}
}

/* Passes by value into tally->passes; raises the bound by counting. */
static void
bound_by_counting(struct pack_work *work)
{
	const struct pack_profile *profile = work->profile;
	const struct pack_space *space = work->space;
	struct pack_tally *tally = work->tally;
	uint32_t stride = profile->value_count + 1;

	count_needs(work);
	memset(tally->passes, 0, stride * sizeof(*tally->passes));
	for (uint32_t i = 0; i < space->item_count; i++) {
		if (profile->item_value[i] != PACK_NONE)
			tally->passes[profile->item_value[i]] = 1;
	}
	for (uint32_t r = 0; r < space->rule_count; r++) {
		const uint32_t *need = &tally->need[(size_t)r * stride];
		uint32_t all = 0;

		for (uint32_t v = 0; v < stride; v++) {
			uint32_t alone = passes_for(need[v], space->limits[r]);

			all += need[v];
			if (v < profile->value_count &&
			    alone > tally->passes[v])
				tally->passes[v] = alone;
		}
		raise_bound(work, passes_for(all, space->limits[r]));
	}
}

static void
bound_by_settings(struct pack_work *work)
{
	uint32_t sum = 0;

	for (uint32_t v = 0; v < work->profile->value_count; v++)
		sum += work->tally->passes[v];
	raise_bound(work, sum);
}

/* ------------------------------------------------------------------ */
/* Cliques                                                              */

static void
set_conflict(struct pack_work *work, uint32_t a, uint32_t b)
{
	work->conflicts[(size_t)a * work->conflict_words + b / 64] |=
		UINT64_C(1) << b % 64;
	work->conflicts[(size_t)b * work->conflict_words + a / 64] |=
		UINT64_C(1) << a % 64;
}

/* False if that would take too long. */
static bool
find_conflicts(struct pack_work *work)
{
	const struct pack_space *space = work->space;
	uint32_t count = space->item_count, words = count / 64 + 1, unused;

	if (count >= PACK_CONFLICT_ITEMS)
		return false;
	memset(work->conflicts, 0,
	       (size_t)count * words * sizeof(*work->conflicts));
	work->conflict_words = words;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t first = space->alternative_first[i];
		uint32_t end = space->alternative_first[i + 1];

		for (uint32_t j = i + 1; j < count; j++) {
			bool meet = false;

			for (uint32_t a = first; a < end && !meet; a++) {
				pack_passes_clear(&work->passes, work->spare);
				pack_passes_add(&work->passes, work->spare, a);
				meet = pack_passes_probe_item(
					       &work->passes, work->spare, j,
					       &unused) != PACK_NO_FIT;
			}
			if (!meet)
				set_conflict(work, i, j);
			if (pack_work_is_over(work)) {
				work->conflict_words = 0;
				return false;
			}
		}
	}
	return true;
}

static uint32_t
count_bits(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < words; i++)
		count += (uint32_t)__builtin_popcountll(a[i] & b[i]);
	return count;
}

/*
 * Grow a clique of the candidates, always by the one that leaves most of them;
 * returns its size. The candidates are used up.
 */
static uint32_t
grow_clique(struct pack_work *work)
{
	uint64_t *candidates = work->tally->candidates;
	uint32_t words = work->conflict_words, size = 0;

	for (;;) {
		uint32_t best = PACK_NONE, most = 0;

		for (uint32_t i = 0; i < work->space->item_count; i++) {
			const uint64_t *row =
				&work->conflicts[(size_t)i * words];
			uint32_t left;

			if (!(candidates[i / 64] >> i % 64 & 1))
				continue;
			left = count_bits(row, candidates, words);
			work->passes.steps += words;
			if (best == PACK_NONE || left > most) {
				best = i;
				most = left;
			}
		}
		if (best == PACK_NONE)
			return size;
		for (uint32_t i = 0; i < words; i++)
			candidates[i] &=
				work->conflicts[(size_t)best * words + i];
		size++;
	}
}

/* The largest clique found from many starts, among items with this value. */
static uint32_t
find_clique(struct pack_work *work, uint32_t value, bool any)
{
	const uint32_t *values = work->profile->item_value;
	struct pack_tally *tally = work->tally;
	uint32_t count = work->space->item_count, words = work->conflict_words;
	uint32_t largest = 0, starts = 0;

	for (uint32_t i = 0; i < count && starts < CLIQUE_STARTS; i++) {
		uint32_t size;

		if ((!any && values[i] != value) || pack_work_is_over(work))
			continue;
		starts++;
		memcpy(tally->candidates, &work->conflicts[(size_t)i * words],
		       words * sizeof(uint64_t));
		for (uint32_t j = 0; j < count; j++) {
			if (!any && values[j] != value)
				tally->candidates[j / 64] &=
					~(UINT64_C(1) << j % 64);
		}
		size = 1 + grow_clique(work);
		if (size > largest)
			largest = size;
	}
	return largest;
}

/* ------------------------------------------------------------------ */
/* Covering                                                             */

/* What can still be charged for an item; 0 if it accepts any pass. */
static uint64_t
room_for_price(const struct pack_work *work, uint32_t item, uint32_t setting)
{
	const struct pack_space *space = work->space;
	uint64_t room = PASS_PRICE;

	for (uint32_t a = space->alternative_first[item];
	     a < space->alternative_first[item + 1]; a++) {
		uint32_t value = pack_space_value(space, a, setting);

		if (value == PACK_NONE)
			return 0;
		if (work->tally->price[value] < room)
			room = work->tally->price[value];
	}
	return room;
}

/*
 * Charge an item. Alternatives of one item that want the same value are
 * charged once: its passes serve the item only once.
 */
static void
charge(struct pack_work *work, uint32_t item, uint32_t setting, uint64_t price)
{
	const struct pack_space *space = work->space;
	uint32_t first = space->alternative_first[item];

	for (uint32_t a = first; a < space->alternative_first[item + 1]; a++) {
		uint32_t value = pack_space_value(space, a, setting);
		uint32_t before = first;

		while (pack_space_value(space, before, setting) != value)
			before++;
		if (before == a)
			work->tally->price[value] -= price;
	}
}

/* An equal share of the dearest value that an item accepts. */
static uint64_t
fair_price(const struct pack_work *work, uint32_t item, uint32_t setting)
{
	const struct pack_space *space = work->space;
	uint64_t price = PASS_PRICE;

	for (uint32_t a = space->alternative_first[item];
	     a < space->alternative_first[item + 1]; a++) {
		uint32_t value = pack_space_value(space, a, setting);
		uint64_t share;

		if (value == PACK_NONE)
			return 0;
		share = PASS_PRICE / work->tally->accepted[value];
		if (share < price)
			price = share;
	}
	return price;
}

/* How many items accept each value, into tally->accepted. */
static void
count_acceptance(struct pack_work *work, uint32_t setting)
{
	const struct pack_space *space = work->space;

	memset(work->tally->accepted, 0,
	       space->value_count[setting] * sizeof(uint32_t));
	for (uint32_t a = 0; a < space->alternative_count; a++) {
		uint32_t value = pack_space_value(space, a, setting);

		if (value != PACK_NONE)
			work->tally->accepted[value]++;
	}
}

/* Charge all items what is still possible, those of few values first. */
static uint64_t
charge_the_rest(struct pack_work *work, uint32_t setting)
{
	const struct pack_space *space = work->space;
	uint64_t sum = 0;

	for (uint32_t choices = 1, more; choices; choices = more) {
		more = 0;
		for (uint32_t i = 0; i < space->item_count; i++) {
			uint32_t has = space->alternative_first[i + 1] -
				       space->alternative_first[i];
			uint64_t price;

			if (has > choices && (!more || has < more))
				more = has;
			if (has != choices)
				continue;
			price = room_for_price(work, i, setting);
			if (price)
				charge(work, i, setting, price);
			sum += price;
			work->passes.steps += has;
		}
	}
	return sum;
}

static void
bound_by_covering(struct pack_work *work, uint32_t setting)
{
	const struct pack_space *space = work->space;

	for (int fair = 0; fair < 2; fair++) {
		uint64_t sum = 0;

		for (uint32_t v = 0; v < space->value_count[setting]; v++)
			work->tally->price[v] = PASS_PRICE;
		count_acceptance(work, setting);
		for (uint32_t i = 0; fair && i < space->item_count; i++) {
			uint64_t price = fair_price(work, i, setting);

			if (price)
				charge(work, i, setting, price);
			sum += price;
		}
		sum += charge_the_rest(work, setting);
		raise_bound(work,
			    (uint32_t)((sum + PASS_PRICE - 1) / PASS_PRICE));
	}
}

void
pack_bound(struct pack_work *work)
{
	for (uint32_t s = 0; s < work->space->setting_count; s++)
		bound_by_covering(work, s);
	bound_by_counting(work);
	bound_by_settings(work);
}

void
pack_bound_conflicts(struct pack_work *work)
{
	uint32_t *passes = work->tally->passes;

	bound_by_counting(work);
	if (!find_conflicts(work))
		return;
	raise_bound(work, find_clique(work, 0, true));
	for (uint32_t v = 0; v < work->profile->value_count; v++) {
		uint32_t size = passes[v] ? find_clique(work, v, false) : 0;

		if (size > passes[v])
			passes[v] = size;
	}
	bound_by_settings(work);
}

void
pack_bound_values(struct pack_work *work)
{
	uint32_t *passes = work->tally->passes;
	uint64_t end = work->stop, left;

	if (work->profile->value_count < 2)
		return;
	for (uint32_t v = 0; v < work->profile->value_count; v++) {
		if (work->passes.steps >= end)
			break;
		/* the others may need steps, too */
		left = end - work->passes.steps;
		work->stop = work->passes.steps +
			     left / (work->profile->value_count - v);
		while (passes[v] && pack_search_value(work, v, passes[v]) ==
					    PACK_VERDICT_IMPOSSIBLE)
			passes[v]++;
	}
	work->stop = end;
	bound_by_settings(work);
}
