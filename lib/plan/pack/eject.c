/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One pass fewer, by ejection: a pass is dissolved and its items look for new
 * places. An item that finds none takes one by force, where those it drives
 * out have had the least trouble so far; they look for new places in turn.
 * (The idea is that of guided ejection search: Nagata and Braysy 2009.)
 */
#include "plan/pack/work.h"

#include <stdlib.h>
#include <string.h>

struct ejection {
	struct pack_work *work;
	uint32_t limit; /* passes */
	uint32_t homeless_count;
};

static void
add_to_list(struct pack_work *work, uint32_t pass, uint32_t item)
{
	work->now.pass[item] = pass;
	work->next[item] = work->first[pass];
	work->first[pass] = item;
}

static void
settle(struct pack_work *work, uint32_t pass, uint32_t item,
       uint32_t alternative)
{
	work->now.alternative[item] = alternative;
	pack_passes_add(&work->passes, pass, alternative);
	add_to_list(work, pass, item);
}

static void
drive_out(struct ejection *ejection, uint32_t item)
{
	struct pack_work *work = ejection->work;

	work->now.pass[item] = PACK_NONE;
	work->homeless[ejection->homeless_count++] = item;
}

/* The pass whose items weigh least. */
static uint32_t
lightest_pass(struct pack_work *work)
{
	const struct pack_assignment *best = work->best;
	uint32_t lightest = 0;

	memset(work->key, 0, best->pass_count * sizeof(*work->key));
	for (uint32_t i = 0; i < work->space->item_count; i++)
		work->key[best->pass[i]] += work->profile->item_weight[i] + 1;
	for (uint32_t pass = 1; pass < best->pass_count; pass++) {
		if (work->key[pass] < work->key[lightest])
			lightest = pass;
	}
	return lightest;
}

/* Start from the best assignment without its lightest pass. */
static void
dissolve(struct ejection *ejection)
{
	struct pack_work *work = ejection->work;
	const struct pack_assignment *best = work->best;
	uint32_t gone = lightest_pass(work);

	for (uint32_t pass = 0; pass < ejection->limit; pass++) {
		pack_passes_clear(&work->passes, pass);
		work->first[pass] = PACK_NONE;
	}
	for (uint32_t i = work->space->item_count; i--;) {
		uint32_t pass = best->pass[i];

		work->patience[i] = 1;
		if (pass == gone)
			drive_out(ejection, i);
		else
			settle(work, pass == ejection->limit ? gone : pass, i,
			       best->alternative[i]);
	}
}

/* Find a place that costs nothing. */
static bool
move_in(struct ejection *ejection, uint32_t item)
{
	struct pack_work *work = ejection->work;
	uint32_t best = PACK_NONE, least = PACK_NO_FIT, alternative = 0;

	for (uint32_t pass = 0; pass < ejection->limit && least; pass++) {
		uint32_t a = 0;
		uint32_t added =
			pack_passes_probe_item(&work->passes, pass, item, &a);

		if (added < least) {
			least = added;
			best = pass;
			alternative = a;
		}
	}
	if (best == PACK_NONE)
		return false;
	settle(work, best, item, alternative);
	return true;
}

static int
compare_patience(const void *left, const void *right, void *data)
{
	const uint64_t *patience = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (patience[a] != patience[b])
		return patience[a] > patience[b] ? -1 : 1;
	return (a > b) - (a < b);
}

/* The items of a pass into work->order, those of much trouble first. */
static uint32_t
list_pass(struct pack_work *work, uint32_t pass)
{
	uint32_t count = 0;

	for (uint32_t item = work->first[pass]; item != PACK_NONE;
	     item = work->next[item])
		work->order[count++] = item;
	qsort_r(work->order, count, sizeof(*work->order), compare_patience,
		work->patience);
	return count;
}

/* What it costs to force an alternative into a pass; gives up at limit. */
static uint64_t
force_cost(struct pack_work *work, uint32_t count, uint32_t alternative,
	   uint64_t limit)
{
	uint64_t cost = 0;

	pack_passes_clear(&work->passes, work->spare);
	pack_passes_add(&work->passes, work->spare, alternative);
	for (uint32_t i = 0; i < count && cost < limit; i++) {
		uint32_t item = work->order[i];
		uint32_t own = work->now.alternative[item];

		if (pack_passes_probe(&work->passes, work->spare, own) ==
		    PACK_NO_FIT)
			cost += work->patience[item];
		else
			pack_passes_add(&work->passes, work->spare, own);
	}
	return cost;
}

/* Refill a pass with an item, and with those of its items that still fit. */
static void
force(struct ejection *ejection, uint32_t pass, uint32_t item,
      uint32_t alternative)
{
	struct pack_work *work = ejection->work;
	uint32_t count = list_pass(work, pass);

	pack_passes_clear(&work->passes, pass);
	work->first[pass] = PACK_NONE;
	settle(work, pass, item, alternative);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t other = work->order[i];
		uint32_t own = work->now.alternative[other];

		if (pack_passes_probe(&work->passes, pass, own) == PACK_NO_FIT)
			drive_out(ejection, other);
		else
			settle(work, pass, other, own);
	}
}

static void
move_in_by_force(struct ejection *ejection, uint32_t item)
{
	struct pack_work *work = ejection->work;
	const struct pack_space *space = work->space;
	uint32_t best = 0, alternative = space->alternative_first[item];
	uint32_t equals = 0;
	uint64_t least = UINT64_MAX;

	work->patience[item]++;
	for (uint32_t pass = 0; pass < ejection->limit; pass++) {
		uint32_t count = list_pass(work, pass);

		for (uint32_t a = space->alternative_first[item];
		     a < space->alternative_first[item + 1]; a++) {
			uint64_t cost = force_cost(work, count, a, least + 1);

			if (cost > least)
				continue;
			equals = cost < least ? 1 : equals + 1;
			least = cost;
			if (pack_work_random(work, equals))
				continue;
			best = pass;
			alternative = a;
		}
	}
	force(ejection, best, item, alternative);
}

/* Refill a pass without one of its items. */
static void
leave(struct pack_work *work, uint32_t item)
{
	uint32_t pass = work->now.pass[item];
	uint32_t *link = &work->first[pass];

	while (*link != item)
		link = &work->next[*link];
	*link = work->next[item];
	pack_passes_clear(&work->passes, pass);
	for (uint32_t i = work->first[pass]; i != PACK_NONE; i = work->next[i])
		pack_passes_add(&work->passes, pass, work->now.alternative[i]);
}

/* Move some item to some other pass that takes it. */
static void
shuffle(struct ejection *ejection)
{
	struct pack_work *work = ejection->work;
	uint32_t item = pack_work_random(work, work->space->item_count);
	uint32_t pass = pack_work_random(work, ejection->limit);
	uint32_t alternative = 0;

	if (work->now.pass[item] == PACK_NONE || work->now.pass[item] == pass ||
	    pack_passes_probe_item(&work->passes, pass, item, &alternative) ==
		    PACK_NO_FIT)
		return;
	leave(work, item);
	settle(work, pass, item, alternative);
}

bool
pack_eject(struct pack_work *work)
{
	struct ejection ejection = {
		.work = work,
		.limit = work->best->pass_count - 1,
	};

	if (!ejection.limit)
		return false;
	dissolve(&ejection);
	while (ejection.homeless_count) {
		uint32_t item = work->homeless[--ejection.homeless_count];

		if (pack_work_is_over(work))
			return false;
		if (move_in(&ejection, item))
			continue;
		move_in_by_force(&ejection, item);
		for (int i = 0; i < 4; i++)
			shuffle(&ejection);
	}
	work->now.pass_count = ejection.limit;
	pack_work_keep(work);
	return true;
}
