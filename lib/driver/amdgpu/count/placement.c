/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters that must sit side by side make a chain; one without neighbours is
 * a chain of one. Longer chains are few: they are tried in every position,
 * and for each arrangement of them the single counters are matched to the
 * slots left, by augmenting paths.
 *
 * To disturb little, every choice begins with what is in place, goes on with
 * what is free, and only then takes what others hold.
 */
#include "driver/amdgpu/count/placement.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define MAX_SLOTS 64

struct chain {
	uint32_t items[MAX_SLOTS];
	unsigned length;
	uint64_t starts; /* bit n: the chain may begin in slot n */
	uint32_t now; /* where it begins, or PLACEMENT_NOWHERE */
	uint32_t start; /* where it is to begin */
};

struct search {
	struct chain chains[MAX_SLOTS]; /* long ones first */
	unsigned chain_count;
	unsigned long_count;
	uint64_t held; /* slots of single counters that are in place */
	uint32_t owner[MAX_SLOTS]; /* chain in each slot, while matching */
};

static uint64_t
bits(unsigned count)
{
	return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* The chain that begins with this item; false if two follow the same one. */
static bool
make_chain(const struct placement *items, size_t count, uint32_t head,
	   unsigned slots, struct chain *chain)
{
	uint32_t last = head, next;

	memset(chain, 0, sizeof(*chain));
	chain->starts = bits(slots);
	chain->now = items[head].slot;
	while (last != PLACEMENT_ANYWHERE) {
		chain->starts &=
			(items[last].slots & bits(slots)) >> chain->length;
		chain->items[chain->length++] = last;
		next = PLACEMENT_ANYWHERE;
		for (uint32_t i = 0; i < count; i++) {
			if (items[i].after != last)
				continue;
			if (next != PLACEMENT_ANYWHERE)
				return false;
			next = i;
		}
		last = next;
	}
	return chain->starts != 0;
}

static bool
make_chains(struct search *search, const struct placement *items, size_t count,
	    unsigned slots)
{
	struct chain chain;

	for (uint32_t i = 0; i < count; i++) {
		if (items[i].after != PLACEMENT_ANYWHERE)
			continue;
		if (!make_chain(items, count, i, slots, &chain))
			return false;
		if (chain.length > 1) {
			search->chains[search->chain_count++] =
				search->chains[search->long_count];
			search->chains[search->long_count++] = chain;
		} else {
			search->chains[search->chain_count++] = chain;
			if (chain.now != PLACEMENT_NOWHERE)
				search->held |= UINT64_C(1) << chain.now;
		}
	}
	return true;
}

/* Give the chain a slot; whoever has it must find another. */
static bool
augment(struct search *search, unsigned index, uint64_t *visited)
{
	const struct chain *chain = &search->chains[index];
	uint64_t candidates = chain->starts & ~*visited;

	for (unsigned slot = 0; slot < MAX_SLOTS; slot++) {
		if (!(candidates >> slot & 1) ||
		    search->owner[slot] != PLACEMENT_NOWHERE)
			continue;
		search->owner[slot] = index;
		return true;
	}
	for (unsigned slot = 0; slot < MAX_SLOTS; slot++) {
		if (!((candidates & ~*visited) >> slot & 1))
			continue;
		*visited |= UINT64_C(1) << slot;
		if (augment(search, search->owner[slot], visited)) {
			search->owner[slot] = index;
			return true;
		}
	}
	return false;
}

/* Single counters that are in place stay, if no chain has taken the slot. */
static void
keep_singles(struct search *search, uint64_t used)
{
	for (unsigned i = search->long_count; i < search->chain_count; i++) {
		const struct chain *chain = &search->chains[i];

		if (chain->now != PLACEMENT_NOWHERE &&
		    chain->starts & ~used & UINT64_C(1) << chain->now)
			search->owner[chain->now] = i;
	}
}

static bool
is_placed(const struct search *search, unsigned index)
{
	for (unsigned slot = 0; slot < MAX_SLOTS; slot++) {
		if (search->owner[slot] == index)
			return true;
	}
	return false;
}

static bool
match_singles(struct search *search, uint64_t used)
{
	for (unsigned slot = 0; slot < MAX_SLOTS; slot++)
		search->owner[slot] = PLACEMENT_NOWHERE;
	keep_singles(search, used);
	for (unsigned i = search->long_count; i < search->chain_count; i++) {
		uint64_t visited = used;

		if (!is_placed(search, i) && !augment(search, i, &visited))
			return false;
	}
	for (unsigned slot = 0; slot < MAX_SLOTS; slot++) {
		if (search->owner[slot] != PLACEMENT_NOWHERE)
			search->chains[search->owner[slot]].start = slot;
	}
	return true;
}

/* Of two chains that are alike, one order is enough to try. */
static uint64_t
starts_in_order(const struct search *search, unsigned index)
{
	const struct chain *chain = &search->chains[index], *before;

	if (!index)
		return chain->starts;
	before = chain - 1;
	if (before->now != PLACEMENT_NOWHERE ||
	    chain->now != PLACEMENT_NOWHERE ||
	    before->length != chain->length || before->starts != chain->starts)
		return chain->starts;
	return chain->starts & ~bits(before->start + 1);
}

static bool place_chains(struct search *search, unsigned index, uint64_t used);

static bool
try_starts(struct search *search, unsigned index, uint64_t used, uint64_t avoid,
	   uint64_t starts)
{
	struct chain *chain = &search->chains[index];
	uint64_t taken;

	for (unsigned start = 0; start < MAX_SLOTS; start++) {
		taken = bits(chain->length) << start;
		if (!(starts >> start & 1) || taken & (used | avoid))
			continue;
		chain->start = start;
		if (place_chains(search, index + 1, used | taken))
			return true;
	}
	return false;
}

static bool
place_chains(struct search *search, unsigned index, uint64_t used)
{
	struct chain *chain = &search->chains[index];
	uint64_t starts;

	if (index == search->long_count)
		return match_singles(search, used);
	starts = starts_in_order(search, index);
	if (chain->now != PLACEMENT_NOWHERE &&
	    try_starts(search, index, used, 0,
		       starts & UINT64_C(1) << chain->now))
		return true;
	return try_starts(search, index, used, search->held, starts) ||
	       try_starts(search, index, used, 0, starts);
}

int
placement_find(struct placement *items, size_t count, unsigned slots)
{
	struct search search = { .chain_count = 0 };

	if (count > slots || !make_chains(&search, items, count, slots) ||
	    !place_chains(&search, 0, 0))
		return -ENOSPC;
	for (unsigned i = 0; i < search.chain_count; i++) {
		const struct chain *chain = &search.chains[i];

		for (unsigned k = 0; k < chain->length; k++)
			items[chain->items[k]].slot = chain->start + k;
	}
	return 0;
}
