/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quantiles of values that are added one by one.
 */
#include <math.h>

#include "drmperf/report/quantile.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

/* The values are a permutation of 1 to count. */
static const struct {
	unsigned count, step; /* without a common divisor */
	unsigned percent;
	double expected, tolerance;
} cases[] = {
	{ 1, 1, 95, 1, 0 },
	{ 19, 7, 95, 19, 0 },
	{ 20, 7, 95, 19, 0 },
	{ 100, 37, 95, 95, 0 },
	{ 100, 37, 0, 1, 0 },
	{ 100, 37, 50, 50, 0 },
	{ 100, 37, 100, 100, 0 },
	{ 65535, 4099, 95, 62259, 0 },
	/* only some of the values are kept */
	{ 1000000, 7919, 95, 950000, 10000 },
};

TEST_CASE(quantile, NULL, NULL, "tool_quantile");

TEST_LOOP(quantile, quantiles_are_near_in_any_order, ARRAY_SIZE(cases))
{
	struct quantile quantile = { 0 };
	double found;

	for (unsigned i = 0; i < cases[_i].count; i++) {
		const uint64_t number = (uint64_t)i * cases[_i].step;

		ck_assert_int_eq(
			quantile_add(&quantile,
				     (double)(number % cases[_i].count) + 1),
			0);
	}
	ck_assert_uint_lt(quantile.count, QUANTILE_MOST);
	found = quantile_find(&quantile, cases[_i].percent);
	ck_assert_double_le(fabs(found - cases[_i].expected),
			    cases[_i].tolerance);
	quantile_finish(&quantile);
}

TEST(quantile, without_values_there_is_no_quantile)
{
	struct quantile quantile = { 0 };

	ck_assert_int_eq(quantile_add(&quantile, NAN), 0);
	ck_assert(isnan(quantile_find(&quantile, 95)));
	quantile_finish(&quantile);
}
