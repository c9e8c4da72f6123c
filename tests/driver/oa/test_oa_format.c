/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Layouts of OA reports, and what the report id tells.
 */
#include <string.h>

#include "driver/intel/oa/format.h"
#include "tests/support/check.h"
#include "tests/driver/oa/bits.h"
#include "tests/support/suite.h"

#define A(n) (OA_SLOT_A + (n))
#define B(n) (OA_SLOT_B + (n))
#define C(n) (OA_SLOT_C + (n))

/*
 * Where single values stand, as the documents list them: counter by counter,
 * with the byte that holds bits 39:32 where there is one.
 */
static const struct place {
	unsigned number;
	enum oa_generation generation;
	unsigned slot;
	unsigned bits;
	unsigned offset;
	unsigned high;
} places[] = {
	{ 1, OA_GEN7, A(12), 32, 60, 0 },
	{ 2, OA_GEN7, A(28), 32, 124, 0 },
	{ 3, OA_GEN7, A(12), 32, 60, 0 },
	{ 3, OA_GEN7, B(7), 32, 92, 0 },
	{ 3, OA_GEN7, C(0), 32, 96, 0 },
	{ 4, OA_GEN7, B(3), 32, 28, 0 },
	{ 4, OA_GEN7, C(7), 32, 60, 0 },
	{ 5, OA_GEN7, OA_SLOT_TIME, 32, 4, 0 },
	{ 5, OA_GEN7, A(0), 32, 12, 0 },
	{ 5, OA_GEN7, A(21), 32, 96, 0 },
	{ 5, OA_GEN7, A(44), 32, 188, 0 },
	{ 5, OA_GEN7, B(0), 32, 192, 0 },
	{ 5, OA_GEN7, B(7), 32, 220, 0 },
	{ 5, OA_GEN7, C(0), 32, 224, 0 },
	{ 5, OA_GEN7, C(7), 32, 252, 0 },
	{ 6, OA_GEN7, C(7), 32, 60, 0 },
	{ 7, OA_GEN7, C(3), 32, 28, 0 },
	{ 7, OA_GEN9, OA_SLOT_CLOCK, 32, 12, 0 },
	{ 7, OA_GEN9, B(7), 32, 60, 0 },
	{ 9, OA_GEN12, B(0), 32, 64, 0 },
	{ 9, OA_GEN12, C(7), 32, 124, 0 },
	{ 10, OA_GEN8, OA_SLOT_TIME, 32, 4, 0 },
	{ 10, OA_GEN8, OA_SLOT_CLOCK, 32, 12, 0 },
	{ 10, OA_GEN9, A(0), 40, 16, 160 },
	{ 10, OA_GEN9, A(1), 40, 20, 161 },
	{ 10, OA_GEN9, A(20), 40, 96, 180 },
	{ 10, OA_GEN12, A(31), 40, 140, 191 },
	{ 10, OA_GEN12, A(32), 32, 144, 0 },
	{ 10, OA_GEN12, A(35), 32, 156, 0 },
	{ 10, OA_GEN12, B(0), 32, 192, 0 },
	{ 10, OA_GEN12, C(7), 32, 252, 0 },
	{ 11, OA_XEHP, A(31), 40, 140, 191 },
	{ 12, OA_XEHP, A(0), 32, 16, 0 },
	{ 12, OA_XEHP, A(3), 32, 28, 0 },
	{ 12, OA_XEHP, A(4), 40, 32, 164 },
	{ 12, OA_XEHP, A(23), 40, 108, 183 },
	{ 12, OA_XEHP, A(24), 32, 112, 0 },
	{ 12, OA_XEHP, A(27), 32, 124, 0 },
	{ 12, OA_XEHP, A(28), 40, 128, 188 },
	{ 12, OA_XELPG, A(31), 40, 140, 191 },
	{ 12, OA_XELPG, A(32), 32, 144, 0 },
	{ 12, OA_XELPG, A(35), 32, 156, 0 },
	{ 12, OA_XELPG, A(36), 32, 160, 0 },
	{ 12, OA_XELPG, A(37), 32, 184, 0 },
	{ 13, OA_XELPG, OA_SLOT_TIME, 56, 8, 0 },
	{ 13, OA_XELPG, OA_SLOT_CLOCK, 64, 24, 0 },
	{ 13, OA_XELPG, A(7), 64, 88, 0 },
	{ 13, OA_XELPG, B(0), 32, 96, 0 },
	{ 13, OA_XELPG, C(7), 32, 156, 0 },
	{ 14, OA_XELPG, OA_SLOT_TIME, 56, 8, 0 },
	{ 14, OA_XELPG, A(7), 32, 60, 0 },
	{ 14, OA_XELPG, B(0), 32, 64, 0 },
	{ 14, OA_XELPG, C(7), 32, 124, 0 },
};

/* Decode the raw values of a report; slots that the format lacks become 0. */
static void
decode_report(const struct oa_format *format, const uint8_t *report,
	      uint64_t values[OA_SLOT_COUNT])
{
	memset(values, 0, OA_SLOT_COUNT * sizeof(values[0]));
	for (size_t i = 0; i < OA_RUNS_MAX && format->runs[i].count; i++) {
		const struct oa_run *run = &format->runs[i];

		for (unsigned j = 0; j < run->count; j++)
			values[run->slot + j] = oa_run_value(run, j, report);
	}
}

TEST_CASE(all, NULL, NULL, "oa_format");

TEST_LOOP(all, value_is_at_its_place, ARRAY_SIZE(places))
{
	const struct place *place = &places[_i];
	const struct oa_format *format =
		oa_format_find(place->number, place->generation);
	uint8_t report[OA_REPORT_SIZE_MAX] = { 0 };
	uint64_t values[OA_SLOT_COUNT], expected = 0;

	ck_assert_ptr_nonnull(format);
	for (unsigned i = 0; i < (place->bits > 40 ? place->bits / 8 : 4);
	     i++) {
		report[place->offset + i] = (uint8_t)(0xa1 + 3 * i);
		expected |= (uint64_t)(0xa1 + 3 * i) << 8 * i;
	}
	if (place->bits == 40) {
		report[place->high] = 0xee;
		expected |= UINT64_C(0xee) << 32;
	}
	if (place->bits == 56) /* of no meaning */
		report[place->offset + 7] = 0xff;
	decode_report(format, report, values);
	for (unsigned i = 0; i < OA_SLOT_COUNT; i++)
		ck_assert_uint_eq(values[i], i == place->slot ? expected : 0);
	ck_assert_uint_eq(format_bits(format, place->slot), place->bits);
}

static size_t
count_formats(void)
{
	size_t count;

	oa_format_list(&count);
	return count;
}

TEST_LOOP(all, slots_are_those_of_the_runs, count_formats())
{
	size_t count;
	const struct oa_format *format = &oa_format_list(&count)[_i];
	uint64_t slots[(OA_SLOT_COUNT + 63) / 64] = { 0 };

	oa_format_slots(format, slots);
	for (unsigned slot = 0; slot < OA_SLOT_COUNT; slot++)
		ck_assert_int_eq(slots[slot / 64] >> slot % 64 & 1,
				 format_bits(format, slot) > 0);
}

/* Values neither overlap, nor leave the report, nor cover id and context. */
TEST_LOOP(all, values_have_their_own_bytes, count_formats())
{
	size_t count;
	const struct oa_format *format = &oa_format_list(&count)[_i];
	bool used[OA_REPORT_SIZE_MAX] = { false };

	ck_assert_uint_eq(format->size % 64, 0);
	memset(used, true, format->wide ? 8 : 4);
	memset(used + (format->wide ? 16 : 8), true, 4);
	for (size_t i = 0; i < OA_RUNS_MAX && format->runs[i].count; i++) {
		const struct oa_run *run = &format->runs[i];
		unsigned width = run->bits > 40 ? 8 : 4;

		for (unsigned j = 0; j < run->count * width; j++) {
			ck_assert_uint_lt(run->offset + j, format->size);
			ck_assert(!used[run->offset + j]);
			used[run->offset + j] = true;
		}
		for (unsigned j = 0; run->bits == 40 && j < run->count; j++) {
			ck_assert(!used[run->high + j]);
			used[run->high + j] = true;
		}
	}
}

TEST(all, format_depends_on_generation)
{
	ck_assert_ptr_null(oa_format_find(5, OA_GEN8));
	ck_assert_ptr_null(oa_format_find(10, OA_GEN7));
	ck_assert_ptr_null(oa_format_find(10, OA_XEHP));
	ck_assert_ptr_null(oa_format_find(12, OA_GEN12));
	ck_assert_ptr_null(oa_format_find(14, OA_XEHP));
	ck_assert_ptr_null(oa_format_find(0, OA_GEN9));
	ck_assert_ptr_ne(oa_format_find(7, OA_GEN7),
			 oa_format_find(7, OA_GEN8));
	ck_assert_str_eq(oa_format_find(10, OA_GEN9)->name,
			 "A32u40_A4u32_B8_C8");
	ck_assert_str_eq(oa_format_find(5, OA_GEN7)->name, "A45_B8_C8");
}

TEST(all, time_of_a_wide_report_has_56_bits)
{
	const struct oa_format *format = oa_format_find(14, OA_XELPG);
	uint8_t report[OA_REPORT_SIZE_MAX] = { 0 };

	ck_assert(oa_format_is_hole(format, report));
	report[12] = 1; /* bit 32 of the time */
	report[15] = 1; /* of no meaning */
	ck_assert(!oa_format_is_hole(format, report));
	ck_assert_uint_eq(oa_format_time(format, report), UINT64_C(1) << 32);
}

TEST(all, hole_has_neither_id_nor_time)
{
	const struct oa_format *format = oa_format_find(10, OA_GEN9);
	uint8_t report[OA_REPORT_SIZE_MAX] = { 0 };

	report[8] = 1;
	ck_assert(oa_format_is_hole(format, report));
	report[7] = 1;
	ck_assert(!oa_format_is_hole(format, report));
	report[7] = 0;
	report[3] = 1;
	ck_assert(!oa_format_is_hole(format, report));
}
