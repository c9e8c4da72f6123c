/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/slot_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

/*
 * A request is a word: the slots it may sit in as a mask in hex, * for any; >2
 * behind request 2; @3 it sits in slot 3 now. Expected: the slots they get, or
 * NULL if they do not fit.
 */
static const struct slot_case {
	const char *name;
	uint32_t slots;
	const char *requests, *expected;
} slot_cases[] = {
	{ "nothing", 0, "", "" },
	{ "in order, from the lowest slot", 4, "* *", "0 1" },
	{ "a narrow one", 4, "1", "0" },
	{ "a narrow one comes last, and the other gives way", 2, "* 1", "1 0" },
	{ "moved aside", 2, "3 1", "1 0" },
	{ "a path of three", 3, "3 5 1", "1 2 0" },
	{ "another path of three", 3, "6 3 1", "2 1 0" },
	{ "too many", 1, "* *", NULL },
	{ "too many of three", 2, "* * *", NULL },
	{ "both narrow", 2, "1 1", NULL },
	{ "both narrow, though slots are free", 4, "1 1", NULL },
	{ "no slot", 4, "10", NULL },
	{ "no slot among two", 2, "4", NULL },
	{ "Hall's condition", 4, "3 3 3 f", NULL },
	{ "all of 64 slots", 64, "8000000000000000 1", "63 0" },
	{ "a pair", 4, "* *>0", "0 1" },
	{ "a pair in two slots", 2, "* *>0", "0 1" },
	{ "a pair, the first in the last slot", 2, "2 *>0", NULL },
	{ "a pair, the second in the first slot", 2, "* 1>0", NULL },
	{ "a single one beside a pair", 4, "* * *>1", "2 0 1" },
	{ "a pair around a single one", 3, "* *>0 2", NULL },
	{ "a pair beside a single one", 3, "* *>0 1", "1 2 0" },
	{ "two pairs that interlock", 5, "* *>0 * *>2 a", NULL },
	{ "pairs that interlock with more", 7, "* *>0 * *>2 4 *>4 2", NULL },
	{ "four pairs fill eight slots", 8, "* *>0 * *>2 * *>4 * *>6",
	  "0 1 2 3 4 5 6 7" },
	{ "two after one", 4, "* *>0 *>0", NULL },
	{ "three in a row", 3, "* *>0 *>1", "0 1 2" },
	{ "three in a row beside a narrow one", 4, "* *>0 *>1 1", "1 2 3 0" },
	/* what is in place */
	{ "what is in place stays", 4, "* *@2", "0 2" },
	{ "so does a single one beside a pair", 4, "*@3 * *>1", "3 0 1" },
	{ "unless it is in the way", 4, "*@0 1", "1 0" },
	{ "the one in the way of a pair goes", 4, "*@1 *@2 * *>2", "3 2 0 1" },
	{ "a pair stays", 4, "*@1 *>0@2 * *", "1 2 0 3" },
	{ "a pair stays where it is, not a single one", 4, "*@0 *>0 *@1 2",
	  "2 3 0 1" },
	{ "a newcomer takes no slot that is held if it can do without", 3,
	  "*@0 2 3 6", NULL },
	{ "a pair that could leave no other slot to a newcomer", 4,
	  "*@0 3 * *>2", "0 1 2 3" },
	{ "newcomers make room for each other", 3, "1@0 6 3", "0 2 1" },
	{ "all have to move, and there are many ways not to do it", 32,
	  "*@1 *>0@2 *@3 *>2@4 *@5 *>4@6 *@7 *>6@8 *@9 *>8@10 *@11 "
	  "*>10@12 *@13 *>12@14 *@15 *>14@16 *@17 *>16@18 *@19 "
	  "*>18@20 *@21 *>20@22 *@23 *>22@24 *@25 *>24@26 *@27 "
	  "*>26@28 *@29 *>28@30 * *>30",
	  "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 "
	  "23 24 25 26 27 28 29 30 31" },
};

static uint32_t
read_requests(const char *text, struct slot_request *requests)
{
	char buffer[256], *rest = buffer, *word;
	uint32_t count = 0;

	ck_assert_uint_lt(strlen(text), sizeof(buffer));
	strcpy(buffer, text);
	while ((word = strsep(&rest, " ")) != NULL) {
		const char *after = strchr(word, '>');
		const char *now = strchr(word, '@');
		struct slot_request request = { UINT64_MAX, SLOT_NONE,
						SLOT_NONE };

		if (!*word)
			continue;
		if (*word != '*')
			request.slots = strtoull(word, NULL, 16);
		if (after)
			request.after = (uint32_t)strtoul(after + 1, NULL, 10);
		if (now)
			request.slot = (uint32_t)strtoul(now + 1, NULL, 10);
		requests[count++] = request;
	}
	return count;
}

TEST_CASE(slots, NULL, NULL, "slots");

TEST_LOOP(slots, requests_fit_their_slots_or_do_not, ARRAY_SIZE(slot_cases))
{
	const struct slot_case *test = &slot_cases[_i];
	struct slot_request requests[SLOTS_MAX], before[SLOTS_MAX];
	uint32_t count = read_requests(test->requests, requests);
	char text[256] = "";
	size_t length = 0;

	memcpy(before, requests, sizeof(requests));
	ck_assert_msg(slot_match(requests, count, test->slots) ==
			      (test->expected != NULL),
		      "%s", test->name);
	if (!test->expected) {
		ck_assert_msg(
			!memcmp(before, requests, count * sizeof(*requests)),
			"%s: changed", test->name);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   i ? " %u" : "%u", requests[i].slot);
	ck_assert_msg(!strcmp(text, test->expected), "%s: %s", test->name,
		      text);
}

/* ------------------------------------------------------------------ */
/* Against trying everything                                            */

/* Return whether the requests from at on can be placed beside those before. */
static bool
brute_force(const struct slot_request *requests, uint32_t *slot, uint32_t at,
	    uint32_t count, uint32_t slots, bool all_stay)
{
	if (at == count)
		return true;
	for (uint32_t s = 0; s < slots; s++) {
		const struct slot_request *request = &requests[at];
		bool may = request->slots >> s & 1;

		for (uint32_t i = 0; i < at; i++)
			may = may && slot[i] != s;
		if (request->after != SLOT_NONE)
			may = may && slot[request->after] + 1 == s;
		if (all_stay && request->slot != SLOT_NONE)
			may = may && request->slot == s;
		slot[at] = s;
		if (may &&
		    brute_force(requests, slot, at + 1, count, slots, all_stay))
			return true;
	}
	return false;
}

static void
expect_right(const struct slot_request *requests, uint32_t count,
	     uint32_t slots, int round)
{
	uint64_t taken = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct slot_request *request = &requests[i];

		ck_assert_msg(request->slot < slots &&
				      request->slots >> request->slot & 1 &&
				      !(taken >> request->slot & 1),
			      "round %d: request %u in slot %u", round, i,
			      request->slot);
		ck_assert_msg(request->after == SLOT_NONE ||
				      requests[request->after].slot + 1 ==
					      request->slot,
			      "round %d: request %u is no neighbour", round, i);
		taken |= UINT64_C(1) << request->slot;
	}
}

/* Add a request: any slots or some, perhaps behind one that none follows. */
static struct slot_request
random_request(uint64_t *state, const struct slot_request *requests,
	       uint32_t count)
{
	struct slot_request request = { UINT64_MAX, SLOT_NONE, SLOT_NONE };
	uint32_t after;

	if (random_between(state, 0, 1))
		request.slots = random_next(state) >> 20;
	if (!count || random_between(state, 0, 2))
		return request;
	after = random_between(state, 0, count - 1);
	for (uint32_t i = 0; i < count; i++) {
		if (requests[i].after == after)
			return request;
	}
	request.after = after;
	return request;
}

/* Remove a request that no other follows. Return how many are left. */
static uint32_t
remove_any(uint64_t *state, struct slot_request *requests, uint32_t count)
{
	uint32_t at = random_between(state, 0, count - 1);

	for (uint32_t i = 0; i < count; i++) {
		if (requests[i].after == at)
			return count;
	}
	for (uint32_t i = at; i + 1 < count; i++) {
		requests[i] = requests[i + 1];
		if (requests[i].after != SLOT_NONE && requests[i].after > at)
			requests[i].after--;
	}
	return count - 1;
}

/*
 * Counters come and go, and one that comes finds a slot exactly if there is a
 * way, wherever the others sit. They sit still if they can.
 */
TEST(slots, against_brute_force)
{
	uint64_t state = 77;
	int refused = 0, moved = 0;

	for (int round = 0; round < 3000; round++) {
		struct slot_request requests[8];
		uint32_t slots = random_between(&state, 1, 7), count = 0;

		for (int turn = 0; turn < 16; turn++) {
			uint32_t slot[8], before[8];
			uint32_t more;
			bool fits, still;

			if (count == slots || (count && turn % 3 == 2)) {
				count = remove_any(&state, requests, count);
				continue;
			}
			more = random_between(&state, 1, 3);
			if (more > slots - count)
				more = slots - count;
			for (uint32_t i = count; i < count + more; i++)
				requests[i] =
					random_request(&state, requests, i);
			count += more;
			for (uint32_t i = 0; i < count; i++)
				before[i] = requests[i].slot;
			fits = brute_force(requests, slot, 0, count, slots,
					   false);
			still = brute_force(requests, slot, 0, count, slots,
					    true);
			ck_assert_msg(slot_match(requests, count, slots) ==
					      fits,
				      "round %d: %u requests", round, count);
			if (!fits) {
				refused++;
				count -= more;
				continue;
			}
			expect_right(requests, count, slots, round);
			moved += !still;
			for (uint32_t i = 0; still && i < count - more; i++)
				ck_assert_msg(requests[i].slot == before[i],
					      "round %d: request %u moved",
					      round, i);
		}
	}
	ck_assert_int_gt(refused, 500);
	ck_assert_int_gt(moved, 500);
}
