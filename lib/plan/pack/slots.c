/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters that must be neighbours form chains. Chains are placed by trying
 * their positions one after the other, the narrowest choice first; the single
 * counters then get the remaining slots by bipartite matching, which is exact.
 */
#include "plan/pack/slots.h"

#include <string.h>

#include "plan/pack/pack.h"

#define PLACEMENTS_MAX 20000

/* Counters in adjacent slots; one alone is a chain of length 1. */
struct chain {
	uint64_t starts; /* slots where the first of them may sit */
	uint32_t length;
};

struct search {
	struct chain chains[PACK_SLOTS_MAX]; /* longer than 1 */
	uint32_t chain_count;
	uint64_t singles[PACK_SLOTS_MAX];
	uint32_t single_count;
};

static uint64_t
low_bits(uint32_t count)
{
	return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static uint32_t
bits_in(uint64_t mask)
{
	return (uint32_t)__builtin_popcountll(mask);
}

/* Narrow choices first; equal chains stay side by side. */
static bool
goes_before(const struct chain *a, const struct chain *b)
{
	uint32_t a_bits = bits_in(a->starts), b_bits = bits_in(b->starts);

	if (a_bits != b_bits)
		return a_bits < b_bits;
	if (a->length != b->length)
		return a->length > b->length;
	return a->starts < b->starts;
}

static void
add_chain(struct search *search, const struct chain *chain)
{
	uint32_t at = search->chain_count++;

	while (at && goes_before(chain, &search->chains[at - 1])) {
		search->chains[at] = search->chains[at - 1];
		at--;
	}
	search->chains[at] = *chain;
}

/* False if a counter has two that want to follow it. */
static bool
find_chains(const struct pack_slot_need *needs, uint32_t count, uint32_t slots,
	    struct search *search)
{
	uint32_t next[PACK_SLOTS_MAX];

	for (uint32_t i = 0; i < count; i++)
		next[i] = PACK_NONE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t after = needs[i].after;

		if (after == PACK_NONE)
			continue;
		if (next[after] != PACK_NONE)
			return false;
		next[after] = i;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct chain chain = { .starts = low_bits(slots) };

		if (needs[i].after != PACK_NONE)
			continue;
		for (uint32_t at = i; at != PACK_NONE; at = next[at]) {
			uint64_t can = needs[at].slots & low_bits(slots);

			chain.starts &= can >> chain.length;
			chain.length++;
		}
		if (chain.length > 1)
			add_chain(search, &chain);
		else
			search->singles[search->single_count++] = chain.starts;
	}
	return true;
}

/*
 * Find a slot for one more single counter, moving others along an augmenting
 * path: a breadth-first search over slots.
 */
static bool
augment(const uint64_t *can, uint32_t start, uint64_t taken, uint32_t *owner,
	uint32_t *slot_of)
{
	uint32_t queue[PACK_SLOTS_MAX + 1], came_from[PACK_SLOTS_MAX];
	uint32_t head = 0, tail = 0;

	queue[tail++] = start;
	while (head < tail) {
		uint32_t single = queue[head++];

		for (uint64_t open = can[single] & ~taken; open;
		     open &= open - 1) {
			uint32_t slot = (uint32_t)__builtin_ctzll(open);

			taken |= UINT64_C(1) << slot;
			came_from[slot] = single;
			if (owner[slot] != PACK_NONE) {
				queue[tail++] = owner[slot];
				continue;
			}
			while (slot != PACK_NONE) {
				uint32_t mover = came_from[slot];
				uint32_t left = slot_of[mover];

				owner[slot] = mover;
				slot_of[mover] = slot;
				slot = left;
			}
			return true;
		}
	}
	return false;
}

static bool
match_singles(const struct search *search, uint64_t taken)
{
	uint32_t owner[PACK_SLOTS_MAX], slot_of[PACK_SLOTS_MAX];

	for (uint32_t i = 0; i < PACK_SLOTS_MAX; i++)
		owner[i] = slot_of[i] = PACK_NONE;
	for (uint32_t i = 0; i < search->single_count; i++) {
		if (!augment(search->singles, i, taken, owner, slot_of))
			return false;
	}
	return true;
}

/* Where a chain may start, given the slots taken by those before it. */
static uint64_t
free_starts(const struct search *search, uint32_t at, uint64_t taken,
	    const uint32_t *start)
{
	const struct chain *chain = &search->chains[at];
	uint64_t starts = chain->starts;

	for (uint32_t i = 0; i < chain->length; i++)
		starts &= ~(taken >> i);
	/* Equal chains in rising order only: swapping them changes nothing. */
	if (at && chain[-1].starts == chain->starts &&
	    chain[-1].length == chain->length)
		starts &= ~low_bits(start[at - 1]);
	return starts;
}

bool
pack_slots_fit(const struct pack_slot_need *needs, uint32_t count,
	       uint32_t slots)
{
	struct search search;
	uint64_t open[PACK_SLOTS_MAX], taken[PACK_SLOTS_MAX + 1];
	uint32_t start[PACK_SLOTS_MAX];
	uint32_t depth = 0, left = PLACEMENTS_MAX;

	memset(&search, 0, sizeof(search));
	if (count > slots || !find_chains(needs, count, slots, &search))
		return false;
	taken[0] = 0;
	if (!search.chain_count)
		return match_singles(&search, 0);
	open[0] = free_starts(&search, 0, 0, start);
	for (;;) {
		const struct chain *chain = &search.chains[depth];

		if (!open[depth]) {
			if (!depth--)
				return false;
			continue;
		}
		if (!left--)
			return false;
		start[depth] = (uint32_t)__builtin_ctzll(open[depth]);
		open[depth] &= open[depth] - 1;
		taken[depth + 1] = taken[depth] |
				   (low_bits(chain->length) << start[depth]);
		if (depth + 1 < search.chain_count) {
			depth++;
			open[depth] = free_starts(&search, depth, taken[depth],
						  start);
		} else if (match_singles(&search, taken[depth + 1])) {
			return true;
		}
	}
}
