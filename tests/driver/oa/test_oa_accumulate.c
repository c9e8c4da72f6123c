/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over OA reports: every width wraps, every way of scanning gives the
 * same bits, and neither the stride nor the cut into rows matters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/intel/oa/accumulate.h"
#include "tests/support/check.h"
#include "tests/driver/oa/bits.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define REPORTS 700
#define STRIDE 264

static const struct {
	unsigned number;
	enum oa_generation generation;
} formats[] = {
	{ 1, OA_GEN7 },	 { 2, OA_GEN7 },   { 3, OA_GEN7 },   { 4, OA_GEN7 },
	{ 5, OA_GEN7 },	 { 6, OA_GEN7 },   { 7, OA_GEN7 },   { 7, OA_GEN8 },
	{ 8, OA_GEN9 },	 { 9, OA_GEN12 },  { 10, OA_GEN8 },  { 11, OA_XEHP },
	{ 12, OA_XEHP }, { 13, OA_XELPG }, { 14, OA_XELPG },
};

static const struct oa_format *
format_at(int i)
{
	return oa_format_find(formats[i].number, formats[i].generation);
}

/* Write a value into its place, whatever the width. */
static void
put_value(const struct oa_run *run, unsigned index, uint64_t value,
	  uint8_t *report)
{
	size_t width = run->bits > 40 ? 8 : 4;

	if (run->bits == 56) /* what is above it has no meaning */
		value |= value << 56;
	memcpy(report + run->offset + index * width, &value, width);
	if (run->bits == 40)
		report[run->high + index] = (uint8_t)(value >> 32);
}

static uint64_t
width_mask(unsigned bits)
{
	return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/*
 * Make reports whose counters advance by steps of up to most; returns the exact
 * sums of all steps but the first report's start.
 */
static void
make_reports(const struct oa_format *format, uint64_t seed, uint64_t most,
	     uint8_t *reports, uint64_t sums[OA_SLOT_COUNT])
{
	uint64_t value, step;

	memset(sums, 0, OA_SLOT_COUNT * sizeof(sums[0]));
	for (size_t i = 0; i < REPORTS * STRIDE; i++)
		reports[i] = (uint8_t)random_next(&seed);
	for (size_t r = 0; r < OA_RUNS_MAX && format->runs[r].count; r++) {
		const struct oa_run *run = &format->runs[r];
		uint64_t mask = width_mask(run->bits);

		for (unsigned i = 0; i < run->count; i++) {
			value = random_next(&seed) & mask;
			for (size_t n = 0; n < REPORTS; n++) {
				put_value(run, i, value, reports + n * STRIDE);
				step = random_next(&seed) % most & mask;
				value = (value + step) & mask;
				if (n + 1 < REPORTS)
					sums[run->slot + i] += step;
			}
		}
	}
}

static const uint64_t steps[] = {
	1,
	2,
	1000,
	UINT64_C(1) << 31,
	UINT64_C(1) << 32,
	UINT64_C(1) << 39,
	UINT64_C(1) << 40,
};

static void
check_sums(const struct oa_format *format, enum oa_scan scan)
{
	uint8_t *reports = malloc(REPORTS * STRIDE);
	uint64_t sums[OA_SLOT_COUNT];
	struct oa_accumulator accumulator;

	for (size_t s = 0; s < ARRAY_SIZE(steps); s++) {
		make_reports(format, 77 + s, steps[s], reports, sums);
		oa_accumulator_init(&accumulator, format, scan);
		oa_accumulator_add(&accumulator, reports, STRIDE, REPORTS);
		ck_assert_mem_eq(accumulator.sums, sums, sizeof(sums));
	}
	free(reports);
}

TEST_CASE(all, NULL, NULL, "oa_accumulate");

TEST_LOOP(all, plain_sums_are_exact, ARRAY_SIZE(formats))
{
	check_sums(format_at(_i), OA_SCAN_PLAIN);
}

TEST_LOOP(all, best_sums_are_exact, ARRAY_SIZE(formats))
{
	check_sums(format_at(_i), OA_SCAN_BEST);
}

/* Rows of any length, from one report on, add up to the same. */
TEST_LOOP(all, rows_may_be_cut_anywhere, ARRAY_SIZE(formats))
{
	const struct oa_format *format = format_at(_i);
	uint8_t *reports = malloc(REPORTS * STRIDE);
	uint64_t sums[OA_SLOT_COUNT], seed = 5;
	struct oa_accumulator accumulator;
	size_t row;

	make_reports(format, 3, UINT64_C(1) << 33, reports, sums);
	oa_accumulator_init(&accumulator, format, OA_SCAN_BEST);
	for (size_t n = 0; n < REPORTS; n += row) {
		row = random_next(&seed) % 40;
		if (row > REPORTS - n)
			row = REPORTS - n;
		oa_accumulator_add(&accumulator, reports + n * STRIDE, STRIDE,
				   row);
	}
	ck_assert_mem_eq(accumulator.sums, sums, sizeof(sums));
	free(reports);
}

/* On bytes without any order both ways still give the same bits. */
TEST_LOOP(all, ways_agree_on_rubbish, ARRAY_SIZE(formats))
{
	const struct oa_format *format = format_at(_i);
	size_t count = 3000, size = format->size;
	uint8_t *reports = malloc(count * size);
	struct oa_accumulator plain, best;
	uint64_t seed = 99;

	for (size_t i = 0; i < count * size; i++)
		reports[i] = (uint8_t)random_next(&seed);
	oa_accumulator_init(&plain, format, OA_SCAN_PLAIN);
	oa_accumulator_init(&best, format, OA_SCAN_BEST);
	oa_accumulator_add(&plain, reports, size, count);
	oa_accumulator_add(&best, reports, size, count);
	ck_assert_mem_eq(plain.sums, best.sums, sizeof(plain.sums));
	free(reports);
}

/* The edges of the 40-bit carry: the borrow of the low word decides. */
static const struct edge {
	uint64_t before, after;
} edges[] = {
	{ 0, 0 },
	{ UINT64_C(0xffffffffff), 0 },
	{ UINT64_C(0xffffffffff), UINT64_C(0xfffffffffe) },
	{ UINT64_C(0x00ffffffff), UINT64_C(0x0100000000) },
	{ UINT64_C(0x0100000000), UINT64_C(0x00ffffffff) },
	{ UINT64_C(0x7fffffffff), UINT64_C(0x8000000000) },
	{ UINT64_C(0x8000000000), UINT64_C(0x7fffffffff) },
	{ UINT64_C(0x1200000005), UINT64_C(0x1200000004) },
	{ UINT64_C(0x1200000005), UINT64_C(0x1300000004) },
	{ UINT64_C(0xff00000005), UINT64_C(0x0000000005) },
	{ UINT64_C(0x0000000005), UINT64_C(0xff00000004) },
	{ UINT64_C(0x0080000000), UINT64_C(0x007fffffff) },
};

TEST_LOOP(all, wrap_is_recognised, ARRAY_SIZE(edges))
{
	const struct oa_format *format = oa_format_find(10, OA_GEN9);
	const struct edge *edge = &edges[_i];
	struct oa_accumulator accumulator;
	uint8_t reports[2][OA_REPORT_SIZE_MAX] = { 0 };

	for (enum oa_scan scan = OA_SCAN_BEST; scan <= OA_SCAN_PLAIN; scan++) {
		for (size_t r = 0; r < OA_RUNS_MAX; r++) {
			const struct oa_run *run = &format->runs[r];

			for (unsigned i = 0; i < run->count; i++) {
				put_value(run, i, edge->before, reports[0]);
				put_value(run, i, edge->after, reports[1]);
			}
		}
		oa_accumulator_init(&accumulator, format, scan);
		oa_accumulator_add(&accumulator, reports[0], sizeof(reports[0]),
				   2);
		for (unsigned slot = 0; slot < OA_SLOT_COUNT; slot++) {
			unsigned bits = format_bits(format, slot);

			ck_assert_uint_eq(accumulator.sums[slot],
					  bits ? (edge->after - edge->before) &
							  width_mask(bits)
					       : 0);
		}
	}
}

TEST(all, first_report_is_the_base_line)
{
	const struct oa_format *format = oa_format_find(10, OA_GEN9);
	struct oa_accumulator accumulator;
	uint8_t report[OA_REPORT_SIZE_MAX];
	uint64_t zero[OA_SLOT_COUNT] = { 0 };

	memset(report, 0x55, sizeof(report));
	oa_accumulator_init(&accumulator, format, OA_SCAN_BEST);
	oa_accumulator_add(&accumulator, report, sizeof(report), 0);
	ck_assert(!accumulator.started);
	oa_accumulator_add(&accumulator, report, sizeof(report), 1);
	ck_assert(accumulator.started);
	ck_assert_mem_eq(accumulator.sums, zero, sizeof(zero));
	ck_assert_mem_eq(accumulator.last, report, format->size);
}

int
main(void)
{
	if (!oa_scan_function(OA_SCAN_AVX2))
		puts("skip oa_accumulate avx2: this processor has no AVX2");
	return tests_run();
}
