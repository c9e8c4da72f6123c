/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lower bounds that need no search.
 *
 * counting   Counters that are needed in any case share a rule: it takes
 *            count / limit passes, rounded up. Shared counters count once.
 * settings   Items that insist on different values of a setting never meet, so
 *            the passes that each value needs add up.
 * covering   If every item insists on some value, each pass serves the items
 *            that accept its value. Prices for items, such that no value's
 *            items cost more than one pass in all, bound the passes from below
 *            by their sum: the dual of set covering.
 */
#include "plan/pack/work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The price of a pass: many small numbers divide it. */
#define PASS_PRICE UINT64_C(5040)

struct pack_tally {
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
	tally->need = calloc(sizes->needs + 1, sizeof(uint32_t));
	tally->counted = calloc(sizes->counters + 1, sizeof(bool));
	tally->passes = calloc(sizes->values + 1, sizeof(uint32_t));
	tally->accepted = calloc(sizes->values + 1, sizeof(uint32_t));
	tally->price = calloc(sizes->values + 1, sizeof(uint64_t));
	if (!tally->need || !tally->counted || !tally->passes ||
	    !tally->accepted || !tally->price) {
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
