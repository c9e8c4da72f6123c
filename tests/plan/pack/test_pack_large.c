/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of large problems: made up at random, and those of real GPUs. A checker
 * of the tests' own says whether a plan is one; a plain planner, how short it
 * has to be.
 */
#include "plan/pack/pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/plan/pack/checker.h"
#include "tests/plan/pack/reference.h"
#include "tests/plan/pack/facts.h"
#include "tests/plan/pack/random.h"
#include "tests/support/suite.h"

#define STEPS 6000000

static struct pack_problem problem;
static struct pack *pack;

static struct pack_plan *
make_plan(const struct pack_options *options)
{
	struct pack_plan *plan;

	ck_assert_int_eq(pack_create(&problem, &pack), 0);
	ck_assert_int_eq(pack_plan_create(pack, options, &plan), 0);
	return plan;
}

static void
must_accept(const struct pack_plan *plan, const char *name)
{
	char complaint[128];

	ck_assert_msg(
		checker_accepts(&problem, plan, complaint, sizeof(complaint)),
		"%s: %s", name, complaint);
}

static void
tear_down(void)
{
	pack_destroy(pack);
	pack_problem_finish(&problem);
}

/* ------------------------------------------------------------------ */
/* Large problems                                                       */

static const struct random_kind large[] = {
	{ "metrics", 120, 12, 8, 24, 5, 1, 1, 1, 0, 0, 0, 0, 0 },
	{ "stages", 150, 16, 8, 24, 4, 1, 1, 4, 30, 0, 0, 0, 0 },
	{ "one pool", 100, 1, 8, 60, 4, 1, 1, 1, 0, 0, 0, 0, 0 },
	{ "choice", 100, 8, 6, 24, 4, 3, 1, 1, 0, 0, 0, 0, 0 },
	{ "cover", 150, 30, 64, 20, 1, 4, 1, 30, 0, 0, 0, 100, 0 },
	{ "slots", 80, 4, 8, 24, 3, 1, 1, 1, 0, 20, 20, 0, 0 },
};

TEST_CASE(random, NULL, NULL, "pack_large");

TEST_LOOP(random, plans_are_no_longer_than_first_fit_decreasing,
	  ARRAY_SIZE(large))
{
	uint64_t state = UINT64_C(4711) + (uint64_t)_i;

	for (int round = 0; round < 6; round++) {
		/* even where there is no time to search */
		const struct pack_options options = {
			.steps = round % 2 ? 0 : 300000,
			.split = round > 2,
		};
		struct pack_problem rest;
		struct pack_plan *plan;
		char complaint[128];
		uint32_t plain;

		problem = (struct pack_problem){ 0 };
		random_problem(&large[_i], &state, &problem);
		plan = make_plan(&options);
		split_problem(&problem, plan, &rest);
		plain = plain_passes(&rest);
		pack_problem_finish(&rest);
		ck_assert_msg(plan->pass_count <= plain,
			      "%s, round %d: %u passes, plain %u",
			      large[_i].name, round, plan->pass_count, plain);
		ck_assert_msg(checker_accepts(&problem, plan, complaint,
					      sizeof(complaint)),
			      "%s, round %d: %s", large[_i].name, round,
			      complaint);
		pack_plan_destroy(plan);
		tear_down();
	}
}

static void
expect_same(const struct pack_plan *a, const struct pack_plan *b)
{
	ck_assert_uint_eq(a->pass_count, b->pass_count);
	ck_assert_uint_eq(a->bound, b->bound);
	for (uint32_t pass = 0; pass < a->pass_count; pass++) {
		const struct pack_pass *left = &a->passes[pass];
		const struct pack_pass *right = &b->passes[pass];

		ck_assert_uint_eq(left->item_count, right->item_count);
		for (uint32_t i = 0; i < left->item_count; i++) {
			ck_assert_uint_eq(left->items[i], right->items[i]);
			ck_assert_uint_eq(left->alternatives[i],
					  right->alternatives[i]);
		}
	}
}

/* A plan comes out again, from another pack, while memory looks different. */
TEST_LOOP(random, a_plan_comes_out_again, ARRAY_SIZE(large))
{
	const struct pack_options options = { .steps = 400000, .split = true };
	uint64_t state = UINT64_C(815) + (uint64_t)_i;
	struct pack_plan *first, *second;
	struct pack *again;
	void *between;

	problem = (struct pack_problem){ 0 };
	random_problem(&large[_i], &state, &problem);
	ck_assert_int_eq(pack_create(&problem, &pack), 0);
	ck_assert_int_eq(pack_plan_create(pack, &options, &first), 0);
	between = malloc(12345);
	ck_assert_int_eq(pack_create(&problem, &again), 0);
	ck_assert_int_eq(pack_plan_create(again, &options, &second), 0);
	expect_same(first, second);
	pack_plan_destroy(second);
	ck_assert_int_eq(pack_plan_create(pack, &options, &second), 0);
	expect_same(first, second);
	free(between);
	pack_plan_destroy(first);
	pack_plan_destroy(second);
	pack_destroy(again);
	tear_down();
}

static uint64_t
hash_value(uint64_t value, uint64_t seed)
{
	/* FNV-1a, by words */
	return (seed ^ value) * UINT64_C(0x100000001b3);
}

static uint64_t
hash_plan(const struct pack_plan *plan, uint64_t seed)
{
	for (uint32_t pass = 0; pass < plan->pass_count; pass++) {
		const struct pack_pass *at = &plan->passes[pass];

		for (uint32_t i = 0; i < at->item_count; i++)
			seed = hash_value(at->alternatives[i],
					  hash_value(at->items[i], seed));
		seed = hash_value(at->item_count, seed);
	}
	return hash_value(plan->bound, seed);
}

/*
 * Plans do not differ on every machine and from every compiler: those that have
 * this sum. It may change when the search does, and only then.
 */
TEST(random, plans_are_the_same_on_every_machine)
{
	const struct pack_options options = { .steps = 200000, .split = true };
	uint64_t state = 1234567, sum = 0;

	for (int round = 0; round < 24; round++) {
		const struct random_kind *kind =
			&large[round % (int)ARRAY_SIZE(large)];
		struct pack_plan *plan;

		problem = (struct pack_problem){ 0 };
		random_problem(kind, &state, &problem);
		plan = make_plan(&options);
		sum = hash_plan(plan, sum);
		pack_plan_destroy(plan);
		tear_down();
	}
	ck_assert_msg(sum == UINT64_C(0x7b9da53e0a8df132), "sum 0x%llx",
		      (unsigned long long)sum);
}

/* Every pass begins with what the pass before could not take. */
TEST_LOOP(random, a_pass_begins_with_what_the_one_before_lacks_room_for,
	  ARRAY_SIZE(large))
{
	const struct pack_options options = { .steps = 400000 };
	uint64_t state = UINT64_C(333) + (uint64_t)_i;

	for (int round = 0; round < 5; round++) {
		struct pack_plan *plan;

		problem = (struct pack_problem){ 0 };
		random_problem(&large[_i], &state, &problem);
		plan = make_plan(&options);
		for (uint32_t pass = 1; pass < plan->pass_count; pass++) {
			const struct pack_pass *at = &plan->passes[pass];
			const struct pack_pass *before = at - 1;
			uint32_t items[256], count = 0;

			while (count < before->item_count) {
				items[count] = (uint32_t)before->items[count];
				count++;
			}
			items[count++] = (uint32_t)at->items[0];
			ck_assert_msg(!pack_fits(pack, items, count, NULL),
				      "%s, round %d, pass %u", large[_i].name,
				      round, pass);
		}
		pack_plan_destroy(plan);
		tear_down();
	}
}

TEST(random, eight_devices_are_planned_side_by_side)
{
	static const struct random_kind device = {
		"device", 1250, 40, 8, 100, 3, 1, 1, 4, 20, 0, 0, 0, 0,
	};
	const struct pack_options options = { .steps = STEPS, .split = true };
	struct pack_plan *plan;
	uint64_t state = 8;
	uint32_t most = 0;

	problem = (struct pack_problem){ 0 };
	while (problem.item_count < 10000) {
		struct random_kind kind = device;

		/* several problems side by side make up a device */
		kind.items -= problem.item_count % device.items;
		random_problem(&kind, &state, &problem);
	}
	plan = make_plan(&options);
	for (uint32_t pass = 0; pass < plan->pass_count; pass++) {
		const struct pack_pass *at = &plan->passes[pass];

		ck_assert(checker_fits(&problem, at->counters,
				       at->counter_count));
		if (at->counter_count > most)
			most = at->counter_count;
	}
	/* devices count side by side */
	ck_assert_uint_gt(most, 40);
	ck_assert_uint_eq(plan->pass_count, 74);
	ck_assert_uint_eq(plan->bound, 74);
	pack_plan_destroy(plan);
	tear_down();
}

/* ------------------------------------------------------------------ */
/* Facts                                                                */

/* Return true if the facts are there; else says that the test is skipped. */
static bool
have_facts(const char *test, int ret)
{
	if (ret == -ENOENT) {
		printf("skip %s: no tables of facts beside the source tree\n",
		       test);
		return false;
	}
	ck_assert_int_eq(ret, 0);
	return true;
}

/*
 * What AMD's tools ask for, all of it, takes that many passes. What fits no
 * pass of its own is split, and that is as much as the tables' authors counted.
 */
static const struct gpa_case {
	const char *generation;
	uint32_t passes;
	uint32_t split_least, split_most;
} gpa_cases[] = {
	{ "gfx8", 17, 22, 22 },
	/* 19 by counting slots; 2 more need slots with wide event fields */
	{ "gfx9", 15, 19, 21 },
	{ "gfx10.1", 10, 8, 8 },
	{ "gfx10.3", 11, 11, 11 },
	{ "gfx11", 8, 8, 8 },
	{ "gfx12", 8, 10, 10 },
};

TEST_CASE(facts, NULL, NULL, "pack_large");

TEST_LOOP(facts, counters_of_amd_fit_as_few_passes_as_known,
	  ARRAY_SIZE(gpa_cases))
{
	const struct gpa_case *test = &gpa_cases[_i];
	const struct pack_options options = { .steps = STEPS, .split = true };
	uint32_t split = 0;
	struct pack_plan *plan;

	if (!have_facts("counters_of_amd_fit_as_few_passes_as_known",
			facts_gpa(test->generation, &problem)))
		return;
	plan = make_plan(&options);
	must_accept(plan, test->generation);
	ck_assert_msg(plan->pass_count == test->passes, "%s: %u passes",
		      test->generation, plan->pass_count);
	ck_assert_msg(plan->bound == plan->pass_count,
		      "%s: %u passes, bound %u", test->generation,
		      plan->pass_count, plan->bound);
	for (uint32_t i = 0; i < problem.item_count; i++) {
		enum pack_state state = plan->states[i];

		ck_assert_int_ne(state, PACK_STATE_LEFT_OUT);
		split += state == PACK_STATE_CUT;
	}
	ck_assert_msg(split >= test->split_least && split <= test->split_most,
		      "%s: %u split", test->generation, split);
	pack_plan_destroy(plan);
	tear_down();
}

/* Without leave to split, what fits no pass is left out, and nothing else. */
TEST_LOOP(facts, what_fits_no_pass_is_left_out_unless_split,
	  ARRAY_SIZE(gpa_cases))
{
	const struct gpa_case *test = &gpa_cases[_i];
	const struct pack_options options = { .steps = STEPS };
	struct pack_plan *plan;

	if (!have_facts("what_fits_no_pass_is_left_out_unless_split",
			facts_gpa(test->generation, &problem)))
		return;
	plan = make_plan(&options);
	must_accept(plan, test->generation);
	ck_assert_uint_eq(plan->bound, plan->pass_count);
	for (uint32_t i = 0; i < problem.item_count; i++)
		ck_assert_int_ne(plan->states[i], PACK_STATE_CUT);
	pack_plan_destroy(plan);
	tear_down();
}

TEST(facts, groups_that_amd_accepts_fit_one_pass)
{
	struct facts_groups groups;

	if (!have_facts("groups_that_amd_accepts_fit_one_pass",
			facts_groups(&groups)))
		return;
	ck_assert_uint_eq(groups.count, 132);
	ck_assert_int_eq(pack_create(&groups.problem, &pack), 0);
	for (uint32_t i = 0; i < groups.count; i++)
		ck_assert_msg(pack_fits(pack, &groups.items[groups.first[i]],
					groups.first[i + 1] - groups.first[i],
					NULL),
			      "group %u", i + 1);
	pack_destroy(pack);
	facts_groups_finish(&groups);
}

/* Every symbol by any set that has it: as few sets as greedy covers need. */
static const struct {
	const char *platform;
	uint32_t symbols, sets;
} oa_cases[] = {
	{ "hsw", 121, 6 },	  { "bdw", 253, 24 },
	{ "sklgt2", 197, 22 },	  { "icl", 206, 20 },
	{ "tglgt2", 181, 25 },	  { "mtlgt3", 1501, 253 },
	{ "acmgt3", 5023, 1040 },
};

TEST_LOOP(facts, counters_of_intel_need_a_pass_per_set, ARRAY_SIZE(oa_cases))
{
	const struct pack_options options = { .steps = STEPS };
	struct pack_plan *plan;

	if (!have_facts("counters_of_intel_need_a_pass_per_set",
			facts_oa(oa_cases[_i].platform, &problem)))
		return;
	ck_assert_uint_eq(problem.item_count, oa_cases[_i].symbols);
	plan = make_plan(&options);
	ck_assert_uint_eq(plan->pass_count, oa_cases[_i].sets);
	ck_assert_uint_eq(plan->bound, oa_cases[_i].sets);
	pack_plan_destroy(plan);
	tear_down();
}
