/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The planner against brute force: on small problems of every kind its passes
 * must be possible, and as few as can be.
 */
#include <stdlib.h>
#include <string.h>

#include "plan/pack/pack.h"
#include "tests/support/check.h"
#include "tests/plan/pack/reference.h"
#include "tests/plan/pack/checker.h"
#include "tests/plan/pack/random.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define ROUNDS 700
#define STEPS 2000000

static const struct random_kind kinds[] = {
	{ "counters", 10, 3, 4, 8, 1, 1, 1, 1, 0, 0, 0, 0, 0 },
	{ "metrics", 9, 3, 4, 6, 4, 1, 1, 1, 0, 0, 0, 0, 0 },
	{ "shared", 10, 2, 5, 7, 4, 1, 1, 1, 0, 0, 0, 0, 0 },
	{ "whole", 10, 4, 6, 12, 5, 1, 1, 1, 0, 0, 0, 0, 0 },
	{ "stages", 9, 3, 4, 6, 2, 1, 1, 3, 60, 0, 0, 0, 0 },
	{ "settings", 9, 3, 4, 6, 3, 1, 3, 2, 30, 0, 0, 20, 0 },
	{ "sets", 10, 6, 8, 6, 1, 4, 1, 6, 0, 0, 0, 100, 0 },
	{ "choice", 8, 4, 3, 5, 3, 3, 1, 1, 0, 0, 0, 0, 0 },
	{ "masks", 9, 2, 6, 9, 2, 1, 1, 1, 0, 60, 0, 0, 0 },
	{ "chains", 8, 2, 6, 6, 2, 1, 1, 1, 0, 0, 40, 0, 0 },
	{ "placed chains", 7, 2, 7, 6, 2, 1, 1, 1, 0, 40, 40, 0, 0 },
	{ "everything", 7, 4, 5, 6, 3, 3, 2, 3, 20, 20, 20, 30, 20 },
	{ "ties", 7, 3, 4, 6, 6, 1, 1, 1, 0, 0, 20, 0, 60 },
};

/* ------------------------------------------------------------------ */
/* Tests                                                                */

/* Return 1 if the problem was small enough to be compared. */
static int
compare_problem(const struct random_kind *kind,
		const struct pack_problem *problem, int round)
{
	struct pack_options options = { .steps = STEPS, .split = round % 2 };
	struct pack_problem whole;
	struct pack_plan *plan;
	struct pack *pack;
	char complaint[128];
	int compared = 0;

	ck_assert_int_eq(pack_create(problem, &pack), 0);
	ck_assert_int_eq(pack_plan_create(pack, &options, &plan), 0);
	ck_assert_msg(
		checker_accepts(problem, plan, complaint, sizeof(complaint)),
		"%s, round %d: %s", kind->name, round, complaint);
	split_problem(problem, plan, &whole);
	ck_assert_int_eq(whole.error, 0);
	if (whole.item_count && whole.item_count <= BRUTE_ITEMS_MAX) {
		uint32_t fewest = brute_fewest(&whole);

		ck_assert_msg(plan->pass_count == fewest,
			      "%s, round %d: %u passes, not %u", kind->name,
			      round, plan->pass_count, fewest);
		ck_assert_msg(plan->bound == fewest,
			      "%s, round %d: bound %u of %u", kind->name, round,
			      plan->bound, fewest);
		compared = 1;
	}
	pack_problem_finish(&whole);
	pack_plan_destroy(plan);
	pack_destroy(pack);
	return compared;
}

/* Return the problems of a kind: in valgrind others do not teach more. */
static int
count_rounds(void)
{
	return getenv("VALGRIND") ? ROUNDS / 8 : ROUNDS;
}

TEST_CASE(random, NULL, NULL, "pack_brute");

TEST_LOOP(random, passes_are_as_few_as_brute_force_finds,
	  sizeof(kinds) / sizeof(*kinds))
{
	const struct random_kind *kind = &kinds[_i];
	uint64_t state = UINT64_C(0x1234567) + (uint64_t)_i;
	const int rounds = count_rounds();
	int compared = 0;

	for (int round = 0; round < rounds; round++) {
		struct pack_problem problem = { 0 };

		random_problem(kind, &state, &problem);
		ck_assert_int_eq(problem.error, 0);
		compared += compare_problem(kind, &problem, round);
		pack_problem_finish(&problem);
	}
	/* the test would be worth little if most were too large */
	ck_assert_int_ge(compared, rounds * 3 / 4);
}

/* pack_fits() says what trying all combinations of alternatives says. */
TEST_LOOP(random, items_fit_as_all_combinations_say,
	  sizeof(kinds) / sizeof(*kinds))
{
	const struct random_kind *kind = &kinds[_i];
	uint64_t state = UINT64_C(0x89abcde) + (uint64_t)_i;
	const int rounds = count_rounds();

	for (int round = 0; round < rounds; round++) {
		struct pack_problem problem = { 0 };
		uint32_t items[16], count = 0;
		struct pack *pack;

		random_problem(kind, &state, &problem);
		ck_assert_int_eq(problem.error, 0);
		ck_assert_int_eq(pack_create(&problem, &pack), 0);
		for (uint32_t i = 0; i < problem.item_count; i++) {
			if (random_between(&state, 0, 2) || !count)
				items[count++] = i;
			ck_assert_msg(pack_fits(pack, items, count, NULL) ==
					      checker_items_fit(&problem, items,
								count),
				      "%s, round %d, %u items", kind->name,
				      round, count);
		}
		pack_destroy(pack);
		pack_problem_finish(&problem);
	}
}
