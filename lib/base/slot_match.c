/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters that must sit side by side make a chain; one without neighbours is
 * a chain of one. Longer chains are few: they are tried in every position, the
 * narrowest choice first, and for each arrangement of them the single counters
 * are matched to the slots left, by augmenting paths, which is exact.
 *
 * Counters that have a slot are moved only if there is no other way: the first
 * attempt keeps all of them, the second keeps each one if it can, and if both
 * fail they are placed as if none had a slot.
 */
#include "base/slot_match.h"

#define ARRANGEMENTS_MAX 20000

struct slot_chain {
	uint64_t starts; /* bit n: the chain may begin in slot n */
	uint32_t length;
	uint32_t request; /* the first of it */
	uint32_t now; /* where it begins, or SLOT_NONE */
	uint32_t start; /* where it is to begin */
};

struct slot_search {
	struct slot_chain chains[SLOTS_MAX]; /* long ones first */
	uint32_t chain_count, long_count;
	uint32_t
		next[SLOTS_MAX]; /* request behind each request, or SLOT_NONE */
	uint64_t held; /* slots of single counters that are in place */
	bool all_stay;
	uint32_t left; /* arrangements that may still be tried */
	/* while matching: the slots given away, and to which chain each */
	uint64_t taken;
	uint32_t owner[SLOTS_MAX];
};

static uint64_t
low_bits(uint32_t count)
{
	return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

static uint64_t
slot_bit(uint32_t slot)
{
	return slot == SLOT_NONE ? 0 : UINT64_C(1) << slot;
}

static uint32_t
lowest_slot(uint64_t mask)
{
	return (uint32_t)__builtin_ctzll(mask);
}

/* ------------------------------------------------------------------ */
/* Chains                                                               */

/* Return false if two want to follow the same counter. */
static bool
find_follower(struct slot_search *search, const struct slot_request *requests,
	      uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		search->next[i] = SLOT_NONE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t after = requests[i].after;

		if (after == SLOT_NONE)
			continue;
		if (search->next[after] != SLOT_NONE)
			return false;
		search->next[after] = i;
	}
	return true;
}

static struct slot_chain
search_follow_chain(const struct slot_search *search,
		    const struct slot_request *requests, uint32_t first,
		    uint32_t slots)
{
	struct slot_chain chain = {
		.starts = low_bits(slots),
		.request = first,
		.now = requests[first].slot,
	};

	for (uint32_t at = first; at != SLOT_NONE; at = search->next[at])
		chain.starts &= (requests[at].slots & low_bits(slots)) >>
				chain.length++;
	return chain;
}

/* Return whether two chains without a place could swap their places. */
static bool
are_alike(const struct slot_chain *a, const struct slot_chain *b)
{
	return a->starts == b->starts && a->length == b->length &&
	       a->now == SLOT_NONE && b->now == SLOT_NONE;
}

/*
 * Order chains: those in place first, then narrow choices; equal chains become
 * neighbours.
 */
static bool
chain_goes_before(const struct slot_chain *a, const struct slot_chain *b)
{
	int a_bits = __builtin_popcountll(a->starts);
	int b_bits = __builtin_popcountll(b->starts);

	if ((a->now == SLOT_NONE) != (b->now == SLOT_NONE))
		return b->now == SLOT_NONE;
	if (a_bits != b_bits)
		return a_bits < b_bits;
	if (a->length != b->length)
		return a->length > b->length;
	return a->starts < b->starts;
}

static void
add_long_chain(struct slot_search *search, const struct slot_chain *chain)
{
	uint32_t at = search->long_count++;

	for (; at && chain_goes_before(chain, &search->chains[at - 1]); at--)
		search->chains[at] = search->chains[at - 1];
	search->chains[at] = *chain;
}

static void
make_chains(struct slot_search *search, const struct slot_request *requests,
	    uint32_t count, uint32_t slots)
{
	struct slot_chain chain;

	search->long_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		chain = search_follow_chain(search, requests, i, slots);
		if (requests[i].after == SLOT_NONE && chain.length > 1)
			add_long_chain(search, &chain);
	}
	search->chain_count = search->long_count;
	search->held = 0;
	for (uint32_t i = 0; i < count; i++) {
		chain = search_follow_chain(search, requests, i, slots);
		if (requests[i].after != SLOT_NONE || chain.length > 1)
			continue;
		search->chains[search->chain_count++] = chain;
		search->held |= slot_bit(chain.now);
	}
}

/* ------------------------------------------------------------------ */
/* Single counters                                                      */

static void
search_give_slot(struct slot_search *search, uint32_t index, uint32_t slot)
{
	search->owner[slot] = index;
	search->taken |= slot_bit(slot);
	search->chains[index].start = slot;
}

/* Find a slot for a chain of one; a chain that has it must find another. */
static bool
search_augment(struct slot_search *search, uint32_t index, uint64_t *visited)
{
	uint64_t starts = search->chains[index].starts, slots;

	slots = starts & ~*visited & ~search->taken;
	if (slots) {
		search_give_slot(search, index, lowest_slot(slots));
		return true;
	}
	while ((slots = starts & ~*visited) != 0) {
		uint32_t slot = lowest_slot(slots);

		*visited |= slot_bit(slot);
		if (search_augment(search, search->owner[slot], visited)) {
			search_give_slot(search, index, slot);
			return true;
		}
	}
	return false;
}

/* Match the single counters to slots that are not used by chains. */
static bool
match_singles(struct slot_search *search, uint64_t used)
{
	search->taken = 0;
	for (uint32_t i = search->long_count; i < search->chain_count; i++) {
		struct slot_chain *chain = &search->chains[i];

		chain->start = SLOT_NONE;
		if (chain->starts & ~used & slot_bit(chain->now))
			search_give_slot(search, i, chain->now);
	}
	for (uint32_t i = search->long_count; i < search->chain_count; i++) {
		uint64_t visited = used;

		if (search->all_stay)
			visited |= search->held;
		if (search->chains[i].start == SLOT_NONE &&
		    !search_augment(search, i, &visited))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------ */
/* Arrangements of chains                                               */

/* Return those starts from which a chain touches none of the slots. */
static uint64_t
starts_clear_of(uint64_t starts, uint32_t length, uint64_t slots)
{
	for (uint32_t i = 0; i < length; i++)
		starts &= ~(slots >> i);
	return starts;
}

static bool
place_chains(struct slot_search *search, uint32_t index, uint64_t used);

static bool
try_starts(struct slot_search *search, uint32_t index, uint64_t used,
	   uint64_t starts)
{
	struct slot_chain *chain = &search->chains[index];

	for (; starts && search->left; starts &= starts - 1) {
		search->left--;
		chain->start = lowest_slot(starts);
		if (place_chains(search, index + 1,
				 used | low_bits(chain->length)
						 << chain->start))
			return true;
	}
	return false;
}

/* Place the chains from index on, and then the single counters. */
static bool
place_chains(struct slot_search *search, uint32_t index, uint64_t used)
{
	const struct slot_chain *chain = &search->chains[index];
	uint64_t starts, stay, busy = used;

	if (index == search->long_count)
		return match_singles(search, used);
	if (search->all_stay)
		busy |= search->held;
	starts = starts_clear_of(chain->starts, chain->length, busy);
	/* of two that are alike, one order is enough */
	if (index && are_alike(chain - 1, chain))
		starts &= ~low_bits(chain[-1].start);
	stay = starts & slot_bit(chain->now);
	if (try_starts(search, index, used, stay))
		return true;
	if (search->all_stay && chain->now != SLOT_NONE)
		return false;
	return try_starts(search, index, used, starts & ~stay);
}

static bool
place_all_chains(struct slot_search *search, bool all_stay)
{
	search->all_stay = all_stay;
	search->left = ARRANGEMENTS_MAX;
	return place_chains(search, 0, 0);
}

/* Free all slots. */
static void
search_forget_visits(struct slot_search *search)
{
	for (uint32_t i = 0; i < search->chain_count; i++)
		search->chains[i].now = SLOT_NONE;
	search->held = 0;
}

bool
slot_match(struct slot_request *requests, uint32_t count, uint32_t slots)
{
	struct slot_search search;
	bool sits = false;

	if (count > slots || !find_follower(&search, requests, count))
		return false;
	make_chains(&search, requests, count, slots);
	for (uint32_t i = 0; i < search.chain_count; i++)
		sits = sits || search.chains[i].now != SLOT_NONE;
	if (!(sits && place_all_chains(&search, true)) &&
	    !place_all_chains(&search, false)) {
		/* the answer is no, unless the way there was too long */
		if (!sits || search.left)
			return false;
		search_forget_visits(&search);
		if (!place_all_chains(&search, false))
			return false;
	}
	for (uint32_t i = 0; i < search.chain_count; i++) {
		const struct slot_chain *chain = &search.chains[i];
		uint32_t slot = chain->start;

		for (uint32_t at = chain->request; at != SLOT_NONE;
		     at = search.next[at])
			requests[at].slot = slot++;
	}
	return true;
}
