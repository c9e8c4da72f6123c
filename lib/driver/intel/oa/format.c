/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sources: Linux 6.12 include/uapi/drm/i915_drm.h (numbers) and
 * drivers/gpu/drm/i915/i915_perf.c (sizes), Linux 7.3
 * drivers/gpu/drm/xe/xe_oa.c (the same for xe, whose numbers are made of the
 * unit's type, its selector of a format, bits for wide counters and for banks B
 * and C), the i915 perf stream
 * format page of the gputop wiki (A45_B8_C8, A32u40_A4u32_B8_C8), IGT 2025-10
 * tests/intel/perf.c and lib/i915/perf.c (the other layouts).
 *
 * Three layouts are not certain; no metric set uses them: the A banks of
 * Haswell's B4_C8_A16 and of gen8's A12 formats, and the B bank of Haswell's
 * C4_B8 would overlap their neighbours where IGT puts them; they are given
 * here directly behind those neighbours.
 */
#include "driver/intel/oa/format.h"

#include <string.h>

#include "base/array.h"

/* Time is always the first run. */
#define TIME                                                                   \
	{                                                                      \
		OA_SLOT_TIME, 1, 32, 4, 0                                      \
	}
#define CLOCK                                                                  \
	{                                                                      \
		OA_SLOT_CLOCK, 1, 32, 12, 0                                    \
	}
#define WIDE_TIME                                                              \
	{                                                                      \
		OA_SLOT_TIME, 1, 56, 8, 0                                      \
	}
#define WIDE_CLOCK                                                             \
	{                                                                      \
		OA_SLOT_CLOCK, 1, 64, 24, 0                                    \
	}
#define A(first, count, offset)                                                \
	{                                                                      \
		OA_SLOT_A + (first), (count), 32, (offset), 0                  \
	}
#define A40(first, count, offset, high)                                        \
	{                                                                      \
		OA_SLOT_A + (first), (count), 40, (offset), (high)             \
	}
#define A64(first, count, offset)                                              \
	{                                                                      \
		OA_SLOT_A + (first), (count), 64, (offset), 0                  \
	}
#define PEC64(count, offset)                                                   \
	{                                                                      \
		OA_SLOT_PEC, (count), 64, (offset), 0                          \
	}
#define B(count, offset)                                                       \
	{                                                                      \
		OA_SLOT_B, (count), 32, (offset), 0                            \
	}
#define C(count, offset)                                                       \
	{                                                                      \
		OA_SLOT_C, (count), 32, (offset), 0                            \
	}

#define BDW_RUNS                                                               \
	{                                                                      \
		TIME, CLOCK, A40(0, 32, 16, 160), A(32, 4, 144), B(8, 192),    \
			C(8, 224)                                              \
	}

static const struct oa_format formats[] = {
	{ .name = "A13",
	  .number = 1,
	  .first = OA_GEN7,
	  .last = OA_GEN7,
	  .size = 64,
	  .runs = { TIME, A(0, 13, 12) } },
	{ .name = "A29",
	  .number = 2,
	  .first = OA_GEN7,
	  .last = OA_GEN7,
	  .size = 128,
	  .runs = { TIME, A(0, 29, 12) } },
	{ .name = "A13_B8_C8",
	  .number = 3,
	  .first = OA_GEN7,
	  .last = OA_GEN7,
	  .size = 128,
	  .runs = { TIME, A(0, 13, 12), B(8, 64), C(8, 96) } },
	{ .name = "B4_C8",
	  .number = 4,
	  .first = OA_GEN7,
	  .last = OA_GEN7,
	  .size = 64,
	  .runs = { TIME, B(4, 16), C(8, 32) } },
	{ .name = "A45_B8_C8",
	  .number = 5,
	  .first = OA_GEN7,
	  .last = OA_GEN7,
	  .size = 256,
	  .runs = { TIME, A(0, 45, 12), B(8, 192), C(8, 224) } },
	{ .name = "B4_C8_A16",
	  .number = 6,
	  .first = OA_GEN7,
	  .last = OA_GEN7,
	  .size = 128,
	  .runs = { TIME, B(4, 16), C(8, 32), A(29, 16, 64) } },
	{ .name = "C4_B8",
	  .number = 7,
	  .first = OA_GEN7,
	  .last = OA_GEN7,
	  .size = 64,
	  .runs = { TIME, C(4, 16), B(8, 32) } },
	{ .name = "C4_B8",
	  .number = 7,
	  .first = OA_GEN8,
	  .last = OA_GEN12,
	  .size = 64,
	  .runs = { TIME, CLOCK, C(4, 16), B(8, 32) } },
	{ .name = "A12",
	  .number = 8,
	  .first = OA_GEN8,
	  .last = OA_GEN12,
	  .size = 64,
	  .runs = { TIME, CLOCK, A(7, 12, 16) } },
	{ .name = "A12_B8_C8",
	  .number = 9,
	  .first = OA_GEN8,
	  .last = OA_GEN12,
	  .size = 128,
	  .runs = { TIME, CLOCK, A(7, 12, 16), B(8, 64), C(8, 96) } },
	{ .name = "A32u40_A4u32_B8_C8",
	  .number = 10,
	  .xe_number = 0x500, /* from gen12 on, as xe itself */
	  .first = OA_GEN8,
	  .last = OA_GEN12,
	  .size = 256,
	  .runs = BDW_RUNS },
	{ .name = "OAR_A32u40_A4u32_B8_C8",
	  .number = 11,
	  .first = OA_XEHP,
	  .last = OA_XELPG,
	  .size = 256,
	  .runs = BDW_RUNS },
	/* A36 and A37 sit where the high bytes of A0-3 and A24-27 would be. */
	{ .name = "A24u40_A14u32_B8_C8",
	  .number = 12,
	  .xe_number = 0x500,
	  .first = OA_XEHP,
	  .last = OA_XELPG,
	  .size = 256,
	  .runs = { TIME, CLOCK, A(0, 4, 16), A40(4, 20, 32, 164),
		    A(24, 4, 112), A40(28, 4, 128, 188), A(32, 5, 144),
		    A(37, 1, 184), B(8, 192), C(8, 224) } },
	/* The A bank of an OAM unit is its eight media (MPEC) counters. */
	{ .name = "OAM_MPEC8u64_B8_C8",
	  .number = 13,
	  .xe_number = 0x104,
	  .first = OA_XELPG,
	  .last = OA_XE2,
	  .size = 192,
	  .wide = true,
	  .runs = { WIDE_TIME, WIDE_CLOCK, A64(0, 8, 32), B(8, 96),
		    C(8, 128) } },
	{ .name = "OAM_MPEC8u32_B8_C8",
	  .number = 14,
	  .xe_number = 0x204,
	  .first = OA_XELPG,
	  .last = OA_XE2,
	  .size = 128,
	  .wide = true,
	  .runs = { WIDE_TIME, WIDE_CLOCK, A(0, 8, 32), B(8, 64), C(8, 96) } },
	{ .name = "PEC64u64",
	  .xe_number = 0x10105,
	  .first = OA_XE2,
	  .last = OA_XE2,
	  .size = 576,
	  .wide = true,
	  .runs = { WIDE_TIME, WIDE_CLOCK, PEC64(64, 32) } },
};

static uint32_t
load32(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static uint64_t
load64(const uint8_t *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

const struct oa_format *
oa_format_find(unsigned number, enum oa_generation generation)
{
	if (!number)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		const struct oa_format *format = &formats[i];

		if ((format->number == number || format->xe_number == number) &&
		    generation >= format->first && generation <= format->last)
			return format;
	}
	return NULL;
}

const struct oa_format *
oa_format_list(size_t *count)
{
	*count = ARRAY_SIZE(formats);
	return formats;
}

uint64_t
oa_run_mask(const struct oa_run *run)
{
	return UINT64_MAX >> (64 - run->bits);
}

/* Set bits from first on, up to but without end. */
static void
set_bits(uint64_t bits[], unsigned first, unsigned end)
{
	while (first < end) {
		unsigned rest = 64 - first % 64;
		unsigned count = end - first < rest ? end - first : rest;

		bits[first / 64] |= UINT64_MAX >> (64 - count) << first % 64;
		first += count;
	}
}

void
oa_format_slots(const struct oa_format *format, uint64_t slots[])
{
	for (size_t i = 0; i < OA_RUNS_MAX && format->runs[i].count; i++) {
		const struct oa_run *run = &format->runs[i];

		set_bits(slots, run->slot, (unsigned)run->slot + run->count);
	}
}

uint64_t
oa_run_value(const struct oa_run *run, unsigned index, const uint8_t *report)
{
	if (run->bits > 40)
		return load64(report + run->offset + index * 8) &
		       oa_run_mask(run);
	uint64_t value = load32(report + run->offset + index * 4);
	if (run->bits == 40)
		value |= (uint64_t)report[run->high + index] << 32;
	return value;
}

uint64_t
oa_format_time(const struct oa_format *format, const uint8_t *report)
{
	return oa_run_value(&format->runs[0], 0, report);
}

bool
oa_format_is_hole(const struct oa_format *format, const uint8_t *report)
{
	uint64_t id = format->wide ? load64(report) : load32(report);

	return !id && !oa_format_time(format, report);
}
