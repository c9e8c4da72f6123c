/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * First plans. Items are put into the first pass they fit, as given and then
 * the largest first; or pass after pass is filled with items that have much in
 * common.
 */
#include "plan/pack/work.h"

#include <stdlib.h>

/* Sorting by falling key, rising index. */
static int
compare_keys(const void *left, const void *right, void *data)
{
	const uint64_t *key = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (key[a] != key[b])
		return key[a] > key[b] ? -1 : 1;
	return (a > b) - (a < b);
}

static void
sort_by_key(struct pack_work *work)
{
	uint32_t count = work->space->item_count;

	for (uint32_t i = 0; i < count; i++)
		work->order[i] = i;
	qsort_r(work->order, count, sizeof(*work->order), compare_keys,
		work->key);
}

/* ------------------------------------------------------------------ */
/* Where to put an item                                                 */

/*
 * The alternative to open a pass with: the one beside which most of the items
 * still to come find what they need.
 */
static uint32_t
opening_alternative(struct pack_work *work, uint32_t pass, uint32_t at)
{
	const struct pack_space *space = work->space;
	uint32_t item = work->order[at];
	uint32_t first = space->alternative_first[item];
	uint32_t end = space->alternative_first[item + 1];
	uint32_t best = first, most = 0;

	for (uint32_t a = first; end - first > 1 && a < end; a++) {
		uint32_t served = 0, unused;

		pack_passes_clear(&work->passes, pass);
		pack_passes_add(&work->passes, pass, a);
		for (uint32_t i = at + 1; i < space->item_count; i++)
			served += pack_passes_probe_item(
					  &work->passes, pass, work->order[i],
					  &unused) != PACK_NO_FIT;
		if (served > most) {
			most = served;
			best = a;
		}
		if (pack_work_is_over(work))
			break;
	}
	pack_passes_clear(&work->passes, pass);
	return best;
}

/* The first open pass that takes an item; PACK_NONE if none does. */
static uint32_t
first_fitting(struct pack_work *work, uint32_t item, uint32_t *alternative)
{
	for (uint32_t pass = 0; pass < work->now.pass_count; pass++) {
		if (pack_passes_probe_item(&work->passes, pass, item,
					   alternative) != PACK_NO_FIT)
			return pass;
	}
	return PACK_NONE;
}

/*
 * Fill passes with all items in the order given. Gives up, with false, when
 * the result would be no better than the best.
 */
static bool
fill(struct pack_work *work)
{
	struct pack_assignment *now = &work->now;
	uint32_t limit = work->best->pass_count;

	now->pass_count = 0;
	for (uint32_t i = 0; i < work->space->item_count; i++) {
		uint32_t item = work->order[i], alternative = 0;
		uint32_t pass = first_fitting(work, item, &alternative);

		if (pass == PACK_NONE) {
			pass = now->pass_count++;
			if (limit && now->pass_count >= limit)
				return false;
			alternative = opening_alternative(work, pass, i);
		}
		pack_passes_add(&work->passes, pass, alternative);
		now->pass[item] = pass;
		now->alternative[item] = alternative;
	}
	pack_work_keep(work);
	return true;
}

/* ------------------------------------------------------------------ */
/* Pass by pass                                                         */

/* How well an item goes into the pass that is being filled. */
struct company {
	uint32_t item, alternative;
	uint32_t shared; /* counters and settings that are there already */
	uint32_t added;
};

/*
 * Of the items from a place in the order on, one that fits the pass and shares
 * most with it; item is PACK_NONE if none fits.
 */
static struct company
best_company(struct pack_work *work, uint32_t pass, uint32_t from)
{
	const struct pack_space *space = work->space;
	struct company best = { .item = PACK_NONE };

	for (uint32_t i = from; i < space->item_count; i++) {
		struct company one = { .item = work->order[i] };
		uint32_t a;

		if (work->now.pass[one.item] != PACK_NONE)
			continue;
		one.added = pack_passes_probe_item(&work->passes, pass,
						   one.item, &one.alternative);
		if (one.added == PACK_NO_FIT)
			continue;
		a = one.alternative;
		one.shared = space->demand_first[a + 1] -
			     space->demand_first[a] + space->want_first[a + 1] -
			     space->want_first[a] - one.added;
		if (best.item == PACK_NONE || one.shared > best.shared ||
		    (one.shared == best.shared && one.added < best.added &&
		     one.shared))
			best = one;
		if (!one.added)
			break;
	}
	return best;
}

/*
 * Fill one pass after the other with items that have much in common. False if
 * that takes too long, or leads to nothing better.
 */
static bool
fill_by_pass(struct pack_work *work)
{
	struct pack_assignment *now = &work->now;
	uint32_t count = work->space->item_count;

	now->pass_count = 0;
	for (uint32_t i = 0; i < count; i++)
		now->pass[i] = PACK_NONE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t pass = now->pass_count;
		struct company next = { .item = work->order[i] };

		if (now->pass[next.item] != PACK_NONE)
			continue;
		if (++now->pass_count >= work->best->pass_count)
			return false;
		next.alternative = opening_alternative(work, pass, i);
		while (next.item != PACK_NONE) {
			pack_passes_add(&work->passes, pass, next.alternative);
			now->pass[next.item] = pass;
			now->alternative[next.item] = next.alternative;
			next = best_company(work, pass, i + 1);
			if (pack_work_is_over(work))
				return false;
		}
	}
	pack_work_keep(work);
	return true;
}

/* ------------------------------------------------------------------ */
/* Orders                                                               */

/* Stop as soon as nothing better is possible, or the steps are used up. */
static bool
is_done(const struct pack_work *work)
{
	return work->best->pass_count <= work->bound || pack_work_is_over(work);
}

void
pack_greedy(struct pack_work *work)
{
	const struct pack_profile *profile = work->profile;
	uint32_t count = work->space->item_count;

	/* as asked for: then the passes are in the user's order */
	for (uint32_t i = 0; i < count; i++)
		work->order[i] = i;
	fill(work);
	if (is_done(work))
		return;
	/* the plain first-fit-decreasing */
	for (uint32_t i = 0; i < count; i++)
		work->key[i] = profile->item_size[i];
	sort_by_key(work);
	fill(work);
	if (!is_done(work))
		fill_by_pass(work);
}
