/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The planner against brute force: on small problems of every kind its passes
 * must be possible, and as few as can be.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "pack.h"
#include "pack_checker.h"
#include "pack_random.h"

#define UNITS_MAX 11
#define ROUNDS 700
#define STEPS 2000000

static const struct random_kind kinds[] = {
	{ "counters", 10, 3, 4, 8, 1, 1, 1, 1, 0, 0, 0, 0 },
	{ "metrics", 9, 3, 4, 6, 4, 1, 1, 1, 0, 0, 0, 0 },
	{ "shared", 10, 2, 5, 7, 4, 1, 1, 1, 0, 0, 0, 0 },
	{ "whole", 10, 4, 6, 12, 5, 1, 1, 1, 0, 0, 0, 0 },
	{ "stages", 9, 3, 4, 6, 2, 1, 1, 3, 60, 0, 0, 0 },
	{ "settings", 9, 3, 4, 6, 3, 1, 3, 2, 30, 0, 0, 20 },
	{ "sets", 10, 6, 8, 6, 1, 4, 1, 6, 0, 0, 0, 100 },
	{ "choice", 8, 4, 3, 5, 3, 3, 1, 1, 0, 0, 0, 0 },
	{ "masks", 9, 2, 6, 9, 2, 1, 1, 1, 0, 60, 0, 0 },
	{ "chains", 8, 2, 6, 6, 2, 1, 1, 1, 0, 0, 40, 0 },
	{ "placed chains", 7, 2, 7, 6, 2, 1, 1, 1, 0, 40, 40, 0 },
	{ "everything", 7, 4, 5, 6, 3, 3, 2, 3, 20, 20, 20, 30 },
};

/* ------------------------------------------------------------------ */
/* Brute force                                                          */

/* What is packed: items, or parts of them, each with its own counters. */
struct units {
	struct pack_builder builder; /* its items are the units */
	uint32_t count;
};

static bool
is_followed(const struct pack_problem *problem, uint32_t alternative,
	    uint32_t counter)
{
	for (uint32_t i = problem->demand_first[alternative];
	     i < problem->demand_first[alternative + 1]; i++) {
		if (problem->counters[problem->demands[i]].after == counter)
			return true;
	}
	return false;
}

/* One unit per counter that nothing sits after, with those before it. */
static void
cut(const struct pack_problem *problem, uint32_t item, struct units *units)
{
	uint32_t a = problem->alternative_first[item];

	for (uint32_t i = problem->demand_first[a];
	     i < problem->demand_first[a + 1]; i++) {
		uint32_t counter = problem->demands[i];

		if (is_followed(problem, a, counter))
			continue;
		for (; counter != PACK_NONE;
		     counter = problem->counters[counter].after)
			pack_builder_demand(&units->builder, counter);
		pack_builder_end_alternative(&units->builder);
		pack_builder_end_item(&units->builder);
	}
}

static void
keep(const struct pack_problem *problem, uint32_t item, struct units *units)
{
	for (uint32_t a = problem->alternative_first[item];
	     a < problem->alternative_first[item + 1]; a++) {
		for (uint32_t i = problem->demand_first[a];
		     i < problem->demand_first[a + 1]; i++)
			pack_builder_demand(&units->builder,
					    problem->demands[i]);
		pack_builder_end_alternative(&units->builder);
	}
	pack_builder_end_item(&units->builder);
}

/* The units of a problem: what the plan says was cut or left out is so. */
static void
find_units(const struct pack_problem *problem, const struct pack_plan *plan,
	   struct units *units)
{
	struct pack_builder *builder = &units->builder;

	while (builder->setting_count < problem->setting_count)
		pack_builder_setting(builder);
	for (uint32_t i = 0; i < problem->pool_count; i++)
		pack_builder_pool(builder, &problem->pools[i]);
	for (uint32_t i = 0; i < problem->counter_count; i++)
		pack_builder_counter(builder, &problem->counters[i]);
	for (uint32_t i = 0; i < problem->item_count; i++) {
		switch (pack_plan_item(plan, i)) {
		case PACK_STATE_WHOLE:
			keep(problem, i, units);
			break;
		case PACK_STATE_CUT:
			cut(problem, i, units);
			break;
		case PACK_STATE_LEFT_OUT:
			break;
		}
	}
	units->count = builder->item_count;
}

/* The fewest passes: over all ways to split the units into possible sets. */
static uint32_t
brute_force(const struct pack_problem *problem)
{
	uint32_t count = problem->item_count, full = (1u << count) - 1;
	bool *fits = calloc((size_t)full + 1, sizeof(*fits));
	uint32_t *fewest = calloc((size_t)full + 1, sizeof(*fewest));
	uint32_t result;

	ck_assert_ptr_nonnull(fits);
	ck_assert_ptr_nonnull(fewest);
	for (uint32_t set = 1; set <= full; set++) {
		uint32_t items[UNITS_MAX], size = 0;

		for (uint32_t i = 0; i < count; i++) {
			if (set >> i & 1)
				items[size++] = i;
		}
		fits[set] = checker_items_fit(problem, items, size);
	}
	for (uint32_t set = 1; set <= full; set++) {
		uint32_t lowest = set & (0 - set);

		fewest[set] = UINT32_MAX;
		for (uint32_t sub = set; sub; sub = (sub - 1) & set) {
			if ((sub & lowest) && fits[sub] &&
			    fewest[set & ~sub] + 1 < fewest[set])
				fewest[set] = fewest[set & ~sub] + 1;
		}
	}
	result = fewest[full];
	free(fits);
	free(fewest);
	return result;
}

/* ------------------------------------------------------------------ */
/* Tests                                                                */

/* 1 if the problem was small enough to be compared. */
static int
compare(const struct random_kind *kind, const struct pack_problem *problem,
	int round)
{
	struct pack_options options = { .steps = STEPS, .cut = round % 2 };
	struct units units = { 0 };
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
	find_units(problem, plan, &units);
	ck_assert_int_eq(pack_builder_problem(&units.builder, &whole), 0);
	if (units.count && units.count <= UNITS_MAX) {
		uint32_t fewest = brute_force(&whole);

		ck_assert_msg(pack_plan_passes(plan) == fewest,
			      "%s, round %d: %u passes, not %u", kind->name,
			      round, pack_plan_passes(plan), fewest);
		ck_assert_msg(pack_plan_bound(plan) == fewest,
			      "%s, round %d: bound %u of %u", kind->name, round,
			      pack_plan_bound(plan), fewest);
		compared = 1;
	}
	pack_builder_finish(&units.builder);
	pack_plan_destroy(plan);
	pack_destroy(pack);
	return compared;
}

START_TEST(test_fewest)
{
	const struct random_kind *kind = &kinds[_i];
	uint64_t state = UINT64_C(0x1234567) + (uint64_t)_i;
	int compared = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct pack_builder builder = { 0 };
		struct pack_problem problem;

		random_problem(kind, &state, &builder);
		ck_assert_int_eq(pack_builder_problem(&builder, &problem), 0);
		compared += compare(kind, &problem, round);
		pack_builder_finish(&builder);
	}
	/* the test would be worth little if most were too large */
	ck_assert_int_ge(compared, ROUNDS * 3 / 4);
}
END_TEST

/* pack_fits() says what trying all combinations of alternatives says. */
START_TEST(test_fits)
{
	const struct random_kind *kind = &kinds[_i];
	uint64_t state = UINT64_C(0x89abcde) + (uint64_t)_i;

	for (int round = 0; round < ROUNDS; round++) {
		struct pack_builder builder = { 0 };
		struct pack_problem problem;
		uint32_t items[16], count = 0;
		struct pack *pack;

		random_problem(kind, &state, &builder);
		ck_assert_int_eq(pack_builder_problem(&builder, &problem), 0);
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
		pack_builder_finish(&builder);
	}
}
END_TEST

static Suite *
pack_brute_suite(void)
{
	Suite *suite = suite_create("pack_brute");
	TCase *tcase = tcase_create("random");

	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, test_fewest, 0,
			    sizeof(kinds) / sizeof(*kinds));
	tcase_add_loop_test(tcase, test_fits, 0,
			    sizeof(kinds) / sizeof(*kinds));
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	SRunner *runner = srunner_create(pack_brute_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
