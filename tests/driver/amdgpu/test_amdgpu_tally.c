/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What becomes of the parts of results that the GPU has written: values, what
 * they have gained, and how often narrow ones have to be looked at.
 */
#include "driver/amdgpu/count/tally.h"

#include <check.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tests/driver/amdgpu/table.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static struct amdgpu_table vega10;

static void
setup(void)
{
	amdgpu_table_open(&vega10, "gfx9", &amdgpu_vega10_chip, &amdgpu_vega10);
}

static void
teardown(void)
{
	amdgpu_table_close(&vega10);
}

static const struct {
	int line;
	const char *block;
	struct commands_result result;
	uint64_t value;
} results[] = {
	{ __LINE__,
	  "SQ",
	  { 0xdead, 0x89abcdef, 0x01234567 },
	  UINT64_C(0x0123456789abcdef) },
	{ __LINE__,
	  "PA_SU",
	  { 0xdead, 0x89abcdef, 0xffff4567 },
	  UINT64_C(0x456789abcdef) },
	{ __LINE__, "SDMA", { 0xdead, 0x89abcdef, 0xdead }, 0x89abcdef },
	/* above 48 bits is the value to compare with */
	{ __LINE__,
	  "EA",
	  { 0x77774567, 0x89abcdef, 0x77774567 },
	  UINT64_C(0x456789abcdef) },
	/* the lower half wrapped before it was read, or after */
	{ __LINE__, "EA", { 4, 0x00000010, 5 }, UINT64_C(0x500000010) },
	{ __LINE__, "EA", { 4, 0xfffffff0, 5 }, UINT64_C(0x4fffffff0) },
};

START_TEST(value)
{
	struct counter counter = {
		.block = amdgpu_table_block(&vega10, results[_i].block),
	};
	const struct selection selection = { .core = &vega10.core,
					     .counters = &counter };
	struct cell cell = { .counter = 0 };

	tally_begin_cell(&selection, &cell, &results[_i].result);
	ck_assert_msg(cell.last == results[_i].value, "line %d: %" PRIx64,
		      results[_i].line, cell.last);
}
END_TEST

static const struct {
	int line;
	const char *block;
	uint64_t values[4]; /* as the hardware shows them, one after another */
	uint64_t total;
	int ret;
} gains[] = {
	{ __LINE__, "SQ", { 100, 150, 150, 180 }, 80, 0 },
	{ __LINE__, "SQ", { UINT64_MAX - 9, UINT64_MAX, 20, 30 }, 40, 0 },
	{ __LINE__, "PA_SU", { UINT64_C(0xfffffffffffe), 2, 3, 4 }, 6, 0 },
	{ __LINE__, "EA", { UINT64_C(0xffffffffffff), 0, 0, 1 }, 2, 0 },
	{ __LINE__,
	  "SDMA",
	  { 0xfffffff0, 0x10, 0xfffffff0, 0xf },
	  UINT64_C(0x10000001f),
	  0 },
	/* only narrow counters may gain more than half their range */
	{ __LINE__, "SDMA", { 10, 9, 8, 7 }, UINT64_C(0x2fffffffd), 0 },
	{ __LINE__, "SQ", { 100, 150, 149, 200 }, 0, -EIO },
	{ __LINE__, "EA", { 100, 150, 0, 200 }, 0, -EIO },
};

static void
show(struct commands_result *result, uint64_t value)
{
	result->low = (uint32_t)value;
	result->high = (uint32_t)(value >> 32);
	result->high_before = result->high;
}

START_TEST(gain)
{
	struct counter counter = {
		.block = amdgpu_table_block(&vega10, gains[_i].block),
		.after = SLOT_NONE,
	};
	struct cell cell = { .counter = 0 };
	struct selection selection = { .core = &vega10.core,
				       .counters = &counter,
				       .counter_count = 1,
				       .cells = &cell,
				       .cell_count = 1 };
	struct commands_sample *sample =
		calloc(1, sizeof(*sample) + sizeof(struct commands_result));
	int ret = 0;

	show(&sample->results[0], gains[_i].values[0]);
	tally_begin(&selection, sample);
	ck_assert_uint_eq(cell.total, 0);
	for (size_t i = 1; !ret && i < 4; i++) {
		show(&sample->results[0], gains[_i].values[i]);
		ret = tally_add(&selection, sample);
	}
	ck_assert_msg(ret == gains[_i].ret, "line %d: %d", gains[_i].line, ret);
	if (!ret)
		ck_assert_msg(cell.total == gains[_i].total,
			      "line %d: %" PRIu64, gains[_i].line, cell.total);
	free(sample);
}
END_TEST

/* As many as a counter of waves may add in a cycle. */
#define MOST_PER_CYCLE 64

/* Only narrow counters need looking after; how often. */
START_TEST(wrap_times)
{
	struct counter counter = { .after = SLOT_NONE };
	struct cell cell = { .counter = 0 };
	struct selection selection = { .core = &vega10.core,
				       .counters = &counter,
				       .counter_count = 1,
				       .cells = &cell,
				       .cell_count = 1 };

	counter.block = amdgpu_table_block(&vega10, "PA_SU");
	ck_assert_uint_eq(tally_wrap_us(&selection, 1630000), 0);
	ck_assert_uint_eq(tally_period_ms(&selection, 1630000), 0);
	counter.block = amdgpu_table_block(&vega10, "SDMA");
	ck_assert_uint_eq(tally_wrap_us(&selection, 1630000), 2634949);
	/* where the clock is not known, a fast one */
	ck_assert_uint_eq(tally_wrap_us(&selection, 0), 1073741);
	/* half a counter is left for threads that wake up late */
	for (uint64_t khz = 500000; khz <= 4000000; khz += 500000) {
		uint64_t period_ms = tally_period_ms(&selection, khz);

		ck_assert_uint_gt(period_ms, 0);
		ck_assert_uint_le(period_ms * khz * MOST_PER_CYCLE,
				  UINT64_C(1) << 31);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("amdgpu_tally");
	TCase *tcase = tcase_create("tally");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, value, 0, ARRAY_SIZE(results));
	tcase_add_loop_test(tcase, gain, 0, ARRAY_SIZE(gains));
	tcase_add_test(tcase, wrap_times);
	suite_add_tcase(suite, tcase);
	return suite_run(suite);
}
