/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of EU stalls, put together by hand from the layouts that the kernel's
 * comments have [Linux drivers/gpu/drm/xe/xe_eu_stall.c].
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "driver/xe/eu_stall_record.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define RECORD_SIZE 64
#define COUNT_BITS 8

static const struct layout_case {
	unsigned major, minor;
	unsigned ip_bits, reasons;
	struct {
		const char *name;
		unsigned first_bit;
	} fields[EU_STALL_REASONS_MAX];
} cases[] = {
	{ 12,
	  60,
	  29,
	  9,
	  { { "active", 29 },
	    { "other", 37 },
	    { "control", 45 },
	    { "pipe", 53 },
	    { "send", 61 },
	    { "distance", 69 },
	    { "scoreboard", 77 },
	    { "sync", 85 },
	    { "fetch", 93 } } },
	{ 20,
	  4,
	  29,
	  10,
	  { { "tdr", 29 },
	    { "other", 37 },
	    { "control", 45 },
	    { "pipe", 53 },
	    { "send", 61 },
	    { "distance", 69 },
	    { "scoreboard", 77 },
	    { "sync", 85 },
	    { "fetch", 93 },
	    { "active", 101 } } },
	{ 30,
	  0,
	  29,
	  10,
	  { { "tdr", 29 },
	    { "other", 37 },
	    { "control", 45 },
	    { "pipe", 53 },
	    { "send", 61 },
	    { "distance", 69 },
	    { "scoreboard", 77 },
	    { "sync", 85 },
	    { "fetch", 93 },
	    { "active", 101 } } },
	{ 35,
	  10,
	  61,
	  10,
	  { { "tdr", 61 },
	    { "other", 69 },
	    { "control", 77 },
	    { "pipe", 85 },
	    { "send", 93 },
	    { "distance", 101 },
	    { "scoreboard", 109 },
	    { "sync", 117 },
	    { "fetch", 125 },
	    { "active", 133 } } },
};

static void
set_bits(uint8_t *record, unsigned first, unsigned count, uint64_t value)
{
	for (unsigned i = 0; i < count; i++) {
		const unsigned bit = first + i;

		record[bit / 8] &= (uint8_t) ~(1u << bit % 8);
		record[bit / 8] |= (uint8_t)((value >> i & 1) << bit % 8);
	}
}

static unsigned
find_reason(const struct eu_stall_layout *layout, const char *name)
{
	for (unsigned i = 0; i < layout->reason_count; i++) {
		if (!strcmp(layout->reasons[i].name, name))
			return i;
	}
	ck_abort_msg("the layout has no reason %s", name);
	return 0;
}

static const struct eu_stall_layout *
find_layout(const struct layout_case *expected)
{
	const struct eu_stall_layout *layout =
		eu_stall_layout_find(expected->major, expected->minor);

	ck_assert_ptr_nonnull(layout);
	return layout;
}

TEST_CASE(layouts, NULL, NULL, "xe_eu_stall_record");

/* Each count is its own, whatever the bits around it are. */
TEST_LOOP(layouts, each_count_has_its_own_bits, ARRAY_SIZE(cases))
{
	const struct layout_case *expected = &cases[_i];
	const struct eu_stall_layout *layout = find_layout(expected);
	uint32_t samples[EU_STALL_REASONS_MAX];
	uint8_t record[RECORD_SIZE];

	ck_assert_uint_eq(layout->reason_count, expected->reasons);
	for (unsigned i = 0; i < expected->reasons; i++) {
		const unsigned reason =
			find_reason(layout, expected->fields[i].name);

		for (unsigned value = 0; value < 256; value++) {
			memset(record, value & 1 ? 0 : 0xff, sizeof(record));
			set_bits(record, expected->fields[i].first_bit,
				 COUNT_BITS, value);
			eu_stall_record_decode(layout, record, samples);
			ck_assert_uint_eq(samples[reason], value);
		}
	}
}

/* Addresses are those of bytes, of all bits that the record has. */
TEST_LOOP(layouts, addresses_are_those_of_bytes, ARRAY_SIZE(cases))
{
	static const uint64_t ips[] = {
		0,
		1,
		0x1fffffff,
		0x12345678,
		UINT64_C(0x1fffffffffffffff),
		UINT64_C(0x123456789abcdef0),
	};
	const struct layout_case *expected = &cases[_i];
	const struct eu_stall_layout *layout = find_layout(expected);
	const uint64_t mask = (UINT64_C(1) << expected->ip_bits) - 1;
	uint32_t samples[EU_STALL_REASONS_MAX];
	uint8_t record[RECORD_SIZE];

	ck_assert_uint_eq(layout->address_bits, expected->ip_bits + 3);
	for (unsigned i = 0; i < ARRAY_SIZE(ips); i++) {
		memset(record, 0xff, sizeof(record));
		set_bits(record, 0, expected->ip_bits, ips[i]);
		ck_assert_uint_eq(
			eu_stall_record_decode(layout, record, samples),
			(ips[i] & mask) << 3);
	}
}

/* What is behind the counts, as the flag of the end, is not looked at. */
TEST_LOOP(layouts, bytes_behind_the_counts_are_ignored, ARRAY_SIZE(cases))
{
	const struct eu_stall_layout *layout = find_layout(&cases[_i]);
	const size_t size = eu_stall_layout_size(layout);
	uint32_t samples[EU_STALL_REASONS_MAX];
	uint8_t *record = calloc(1, size);

	ck_assert_uint_le(size, RECORD_SIZE);
	ck_assert_ptr_nonnull(record);
	/* with sanitizers: no byte beyond */
	ck_assert_uint_eq(eu_stall_record_decode(layout, record, samples), 0);
	free(record);
}

/* One reason, and no other, is none to wait. */
TEST_LOOP(layouts, one_reason_is_no_wait, ARRAY_SIZE(cases))
{
	const struct eu_stall_layout *layout = find_layout(&cases[_i]);

	for (unsigned i = 0; i < layout->reason_count; i++) {
		const struct drmperf_sample_reason *reason =
			&layout->reasons[i];

		ck_assert_int_eq(reason->issued,
				 !strcmp(reason->name, "active"));
		ck_assert_uint_gt(strlen(reason->description), 0);
	}
}

TEST(layouts, older_gpus_have_no_layout)
{
	ck_assert_ptr_null(eu_stall_layout_find(12, 55));
	ck_assert_ptr_null(eu_stall_layout_find(0, 0));
}
