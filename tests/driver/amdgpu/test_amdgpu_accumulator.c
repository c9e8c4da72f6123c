/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What becomes of the parts of results that the GPU has written: values, what
 * they have gained, and how often narrow ones have to be looked at.
 */
#include "driver/amdgpu/perfcounter/accumulator.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/driver/amdgpu/table.h"
#include "tests/support/suite.h"

TEST_CASE(accumulator, vega10_open, vega10_close, "amdgpu_accumulator");

static const struct {
	int line;
	const char *block;
	uint32_t parts[2]; /* the lower half, the upper */
	uint64_t value;
} results[] = {
	{ __LINE__,
	  "SQ",
	  { 0x89abcdef, 0x01234567 },
	  UINT64_C(0x0123456789abcdef) },
	{ __LINE__,
	  "PA_SU",
	  { 0x89abcdef, 0xffff4567 },
	  UINT64_C(0x456789abcdef) },
	{ __LINE__, "SDMA", { 0x89abcdef, 0xdead }, 0x89abcdef },
	/* above 48 bits is the value to compare with */
	{ __LINE__,
	  "EA",
	  { 0x89abcdef, 0x77774567 },
	  UINT64_C(0x456789abcdef) },
};

/* A selection of one counter of one instance. */
struct single {
	struct selection selection;
	struct counter counter;
	struct value_cell cell;
	_Alignas(16) uint64_t total[2], last[2], mask[2], excess[2];
};

static void
make_single(struct single *single, const char *block)
{
	memset(single, 0, sizeof(*single));
	single->counter.block = amdgpu_table_block(&vega10, block);
	single->counter.after = SLOT_NONE;
	single->selection = (struct selection){
		.core = &vega10.core,
		.counters = &single->counter,
		.counter_count = 1,
		.cells = &single->cell,
		.cell_count = 1,
		.numbers = { .totals = single->total,
			     .last = single->last,
			     .masks = single->mask,
			     .excess = single->excess },
	};
}

TEST_LOOP(accumulator, a_result_begins_with_its_value, ARRAY_SIZE(results))
{
	const uint32_t *parts = results[_i].parts;
	const struct commands_result result = {
		.value = (uint64_t)parts[1] << 32 | parts[0],
	};
	struct single single;

	make_single(&single, results[_i].block);
	accumulator_begin_cell(&single.selection, 0, &result);
	ck_assert_msg(single.last[0] == results[_i].value, "line %d: %" PRIx64,
		      results[_i].line, single.last[0]);
}

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
show_result(struct commands_result *result, uint64_t value)
{
	result->value = value;
}

TEST_LOOP(accumulator, gains_are_added_over_wraps, ARRAY_SIZE(gains))
{
	struct commands_sample *sample =
		calloc(1, sizeof(*sample) + sizeof(struct commands_result));
	struct single single;
	int ret = 0;

	make_single(&single, gains[_i].block);
	show_result(&sample->results[0], gains[_i].values[0]);
	accumulator_begin(&single.selection, sample);
	ck_assert_uint_eq(single.total[0], 0);
	for (size_t i = 1; !ret && i < 4; i++) {
		show_result(&sample->results[0], gains[_i].values[i]);
		ret = accumulator_add(&single.selection, sample);
	}
	ck_assert_msg(ret == gains[_i].ret, "line %d: %d", gains[_i].line, ret);
	if (!ret)
		ck_assert_msg(single.total[0] == gains[_i].total,
			      "line %d: %" PRIu64, gains[_i].line,
			      single.total[0]);
	free(sample);
}

/* The most that a counter of waves may add in a cycle. */
#define MOST_PER_CYCLE 64

static const struct {
	const char *block;
	uint64_t values[2]; /* of two instances */
	enum accumulator_level level;
	size_t fullest;
} levels[] = {
	{ "SQ_WGP", { 0, 0x7fffffff }, ACCUMULATOR_LOW, 0 },
	{ "SQ_WGP", { 0x80000000, 5 }, ACCUMULATOR_HALF, 0 },
	{ "SQ_WGP", { 0x80000000, 0xfffffffe }, ACCUMULATOR_HALF, 1 },
	{ "SQ_WGP", { 0xfffffffe, 0xffffffff }, ACCUMULATOR_FULL, 1 },
	{ "SQ", { 0xffffffff, UINT64_MAX }, ACCUMULATOR_LOW, 0 },
};

/* Counters of gfx11 and gfx12. */
TEST_LOOP(accumulator, the_fullest_counter_sets_the_level,
	  3 * (int)ARRAY_SIZE(levels))
{
	static const char *const generations[] = { "gfx11", "gfx11.5",
						   "gfx12" };
	const char *generation = generations[_i % 3];
	int at = _i / 3;
	struct amdgpu_table table;
	struct value_cell cells[2] = { { .instance = 0 }, { .instance = 1 } };
	uint64_t totals[2], last[2], masks[2], excess[2];
	struct counter counter = { .after = SLOT_NONE };
	struct selection selection = { .counters = &counter,
				       .counter_count = 1,
				       .cells = cells,
				       .cell_count = 2,
				       .numbers = { .totals = totals,
						    .last = last,
						    .masks = masks,
						    .excess = excess } };
	size_t fullest = SELECTION_NO_CELL;
	uint64_t room[sizeof(struct commands_sample) / sizeof(uint64_t) + 2];
	struct commands_sample *shown = (struct commands_sample *)room;

	amdgpu_table_open(&table, generation, &amdgpu_navi10_chip,
			  &amdgpu_navi10);
	selection.core = &table.core;
	counter.block = amdgpu_table_block(&table, levels[at].block);
	selection.saturates = table.core.blocks[counter.block].saturates;
	for (int i = 0; i < 2; i++)
		show_result(&shown->results[i], levels[at].values[i]);
	accumulator_begin(&selection, shown);
	ck_assert_int_eq(accumulator_level(&selection, &fullest),
			 levels[at].level);
	ck_assert_uint_eq(fullest, levels[at].level ? levels[at].fullest
						    : SELECTION_NO_CELL);
	show_result(&shown->results[0], 7);
	show_result(&shown->results[1], 8);
	accumulator_begin_saturating(&selection, shown->results);
	ck_assert_uint_eq(last[1],
			  selection.saturates ? 8 : levels[at].values[1]);
	amdgpu_table_close(&table);
}

static const struct {
	const char *block;
	unsigned bits;
	uint64_t wrap_us; /* at 1630 MHz */
	uint64_t fast_us; /* where the clock is not known: that of a fast one */
} narrow[] = {
	{ "SDMA", 32, 2634949, 1073741 },
	{ "PA_SU", 48, UINT64_C(172684034791), UINT64_C(70368744177) },
};

/* Only counters that wrap need looking after; how often. */
TEST_LOOP(accumulator, counters_that_wrap_need_reads_in_time,
	  ARRAY_SIZE(narrow))
{
	const unsigned half = narrow[_i].bits - 1;
	const struct selection *selection;
	struct single single;

	make_single(&single, narrow[_i].block);
	selection = &single.selection;
	ck_assert_uint_eq(accumulator_wrap_us(selection, 1630000),
			  narrow[_i].wrap_us);
	ck_assert_uint_eq(accumulator_wrap_us(selection, 0),
			  narrow[_i].fast_us);
	/* half a counter is left for threads that wake up late */
	for (uint64_t khz = 500000; khz <= 4000000; khz += 500000) {
		uint64_t period_ms = accumulator_period_ms(selection, khz);

		ck_assert_uint_gt(period_ms, 0);
		ck_assert_uint_le(period_ms, INT32_MAX);
		ck_assert_uint_le(period_ms * khz * MOST_PER_CYCLE,
				  UINT64_C(1) << half);
	}
}

TEST(accumulator, counters_that_never_wrap_need_no_reads)
{
	struct single single;

	make_single(&single, "SQ");
	ck_assert_uint_eq(accumulator_wrap_us(&single.selection, 1630000), 0);
	ck_assert_uint_eq(accumulator_period_ms(&single.selection, 1630000), 0);
}
