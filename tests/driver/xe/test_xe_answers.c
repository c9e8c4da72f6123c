/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is given to the xe kernel driver and taken from it, byte by byte.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "driver/xe/config.h"
#include "driver/xe/kernel.h"
#include "driver/xe/reports.h"
#include "driver/xe/answers.h"
#include "driver/intel/xe_uapi.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static void
put32(uint8_t *bytes, size_t offset, uint32_t value)
{
	memcpy(bytes + offset, &value, sizeof(value));
}

static void
put64(uint8_t *bytes, size_t offset, uint64_t value)
{
	memcpy(bytes + offset, &value, sizeof(value));
}

static uint64_t
get64(const void *data, size_t offset)
{
	uint64_t value;

	memcpy(&value, (const uint8_t *)data + offset, sizeof(value));
	return value;
}

static uint32_t
get32(const void *data, size_t offset)
{
	uint32_t value;

	memcpy(&value, (const uint8_t *)data + offset, sizeof(value));
	return value;
}

/* ------------------------------------------------------------------ */
/* Given                                                                */

TEST_CASE(given, NULL, NULL, "xe_answers");

TEST(given, properties_become_a_chain)
{
	static const struct xe_property properties[] = {
		{ 1, 7 }, { 3, UINT64_C(0x123456789a) }, { 6, 1 }
	};
	struct xe_uapi_property chain[3];

	memset(chain, 0xff, sizeof(chain));
	ck_assert_uint_eq(xe_property_chain(chain, properties, 3),
			  (uintptr_t)chain);
	ck_assert_uint_eq(sizeof(chain[0]), 48);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(get64(&chain[i], 0),
				  i < 2 ? (uintptr_t)&chain[i + 1] : 0);
		ck_assert_uint_eq(get64(&chain[i], 8), 0);
		ck_assert_uint_eq(get32(&chain[i], 16), properties[i].id);
		ck_assert_uint_eq(get32(&chain[i], 20), 0);
		ck_assert_uint_eq(get64(&chain[i], 24), properties[i].value);
		ck_assert_uint_eq(get64(&chain[i], 32), 0);
		ck_assert_uint_eq(get64(&chain[i], 40), 0);
	}
	ck_assert_uint_eq(xe_property_chain(chain, properties, 0), 0);
}

TEST(given, numbers_are_those_of_the_kernel)
{
	ck_assert_uint_eq(XE_UAPI_IOCTL_OBSERVATION, 0x4020644b);
	ck_assert_uint_eq(XE_UAPI_IOCTL_ENABLE, 0x6900);
	ck_assert_uint_eq(XE_UAPI_IOCTL_STATUS, 0x6903);
	ck_assert_uint_eq(sizeof(struct xe_uapi_config), 56);
	ck_assert_uint_eq(offsetof(struct xe_uapi_config, pairs), 48);
	ck_assert_uint_eq(sizeof(struct xe_uapi_status), 40);
	ck_assert_uint_eq(sizeof(struct xe_uapi_cycles), 40);
}

static const uint32_t few[] = { 0x13000, 0x600, 0xe558, 0x50 };
static const uint32_t whole[] = { 0xe458, 1, 0xe558, 2, 0xe658, 3, 0xe758,
				  4, 0xe45c, 5, 0xe55c, 6, 0xe65c, 7 };

static const struct {
	const uint32_t *pairs;
	size_t count;
	bool has_eus;
	size_t merged;
} merges[] = {
	{ few, 2, true, 8 },
	{ few, 2, false, 2 },
	{ whole, 7, true, 7 },
	{ NULL, 0, true, 7 },
};

/* Every register of shader stages is written, once. */
TEST_LOOP(given, each_register_is_written_once, ARRAY_SIZE(merges))
{
	static const uint32_t stages[] = { 0xe458, 0xe558, 0xe658, 0xe758,
					   0xe45c, 0xe55c, 0xe65c };
	uint32_t pairs[16];
	struct oa_config config = { .boolean = { pairs, merges[_i].count } };
	struct oa_registers merged;

	if (merges[_i].count)
		memcpy(pairs, merges[_i].pairs, merges[_i].count * 8);
	ck_assert(!xe_config_merge(&config, merges[_i].has_eus, &merged));
	ck_assert_uint_eq(merged.count, merges[_i].merged);
	if (merges[_i].count)
		ck_assert_mem_eq(merged.pairs, pairs, merges[_i].count * 8);
	for (size_t i = merges[_i].count; i < merged.count; i++)
		ck_assert_uint_eq(merged.pairs[2 * i + 1], 0);
	for (size_t s = 0; merges[_i].has_eus && s < ARRAY_SIZE(stages); s++) {
		unsigned found = 0;

		for (size_t i = 0; i < merged.count; i++)
			found += merged.pairs[2 * i] == stages[s];
		ck_assert_uint_eq(found, 1);
	}
	free(merged.pairs);
}

/* ------------------------------------------------------------------ */
/* Taken                                                                */

/*
 * Put the units of a discrete GPU; some have no engine, others have two or
 * three. The type of the last one is not known.
 */
static size_t
put_units(uint8_t bytes[1024], uint64_t capabilities)
{
	static const struct {
		uint32_t id, type, engines;
	} units[] = { { 0, 0, 3 }, { 1, 2, 0 }, { 2, 1, 2 },
		      { 3, 1, 2 }, { 4, 3, 0 }, { 5, 4, 0 } };
	size_t at = 16;

	memset(bytes, 0, 1024);
	put32(bytes, 8, ARRAY_SIZE(units));
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		put32(bytes, at + 8, units[i].id);
		put32(bytes, at + 12, units[i].type);
		put64(bytes, at + 16, capabilities);
		put64(bytes, at + 24, 19200000 + i);
		put64(bytes, at + 64, units[i].engines);
		at += 72;
		for (uint32_t e = 0; e < units[i].engines; e++, at += 8)
			put32(bytes, at, (uint32_t)i << 16 | (e + 1));
	}
	return at;
}

TEST_CASE(taken, NULL, NULL, "xe_answers");

TEST(taken, oa_units_are_decoded)
{
	static const uint64_t ids[OA_UNIT_COUNT] = { 0, 2, 3, 1, 4 };
	struct xe_oa_unit units[OA_UNIT_COUNT];
	uint8_t bytes[1024];
	size_t length = put_units(bytes, 0x1f);

	ck_assert(!xe_units_decode(bytes, length, OA_XE2, units));
	for (unsigned i = 0; i < OA_UNIT_COUNT; i++) {
		ck_assert(units[i].present);
		ck_assert_uint_eq(units[i].id, ids[i]);
		ck_assert_uint_eq(units[i].timestamp_hz, 19200000 + ids[i]);
	}
	ck_assert(!units[OA_UNIT_MEDIA_GT].has_engine);
	ck_assert(units[OA_UNIT_MEDIA_SECOND].has_engine);
	ck_assert_uint_eq(units[OA_UNIT_MEDIA_SECOND].engine.engine_class, 1);
	ck_assert_uint_eq(units[OA_UNIT_MEDIA_SECOND].engine.instance, 3);
	/* Linux 6.12 does not say of a media unit what it selects */
	length = put_units(bytes, 0x1);
	ck_assert(!xe_units_decode(bytes, length, OA_XE2, units));
	ck_assert(units[OA_UNIT_RENDER].present);
	for (unsigned i = OA_UNIT_MEDIA; i <= OA_UNIT_MEDIA_GT; i++)
		ck_assert(!units[i].present);
	/* a kernel that reports one of the memory fabric knows it */
	ck_assert(units[OA_UNIT_MERT].present);
	/* before Xe2 there is one, in which nothing can be mistaken */
	ck_assert(!xe_units_decode(bytes, length, OA_XELPG, units));
	ck_assert(units[OA_UNIT_MEDIA].present);
	ck_assert_uint_eq(units[OA_UNIT_MEDIA].id, 2);
	ck_assert_uint_eq(units[OA_UNIT_MEDIA].timestamp_hz, 19200002);
	/* cut short anywhere */
	for (size_t cut = 0; cut < length; cut++)
		ck_assert_int_eq(xe_units_decode(bytes, cut, OA_XE2, units),
				 -EPROTO);
	put64(bytes, 16 + 64, UINT64_MAX);
	ck_assert_int_eq(xe_units_decode(bytes, length, OA_XE2, units),
			 -EPROTO);
}

static size_t
put_mask(uint8_t *bytes, uint32_t gt, uint32_t type, uint64_t mask)
{
	put32(bytes, 0, type << 16 | gt);
	put32(bytes, 4, 8);
	put64(bytes, 8, mask);
	return 16;
}

TEST(taken, a_topology_is_decoded)
{
	static const struct gt_shape shape = { .subslice_bits = 8,
					       .xecores_per_slice = 4 };
	static const struct gt_shape small_shape = { .subslice_bits = 8,
						     .xecores_per_slice = 2 };
	static const struct gt_shape old_shape = { .subslice_bits = 8 };
	struct gt_topology topology;
	uint8_t bytes[256];
	struct xe_l3 l3;
	size_t at = 0;

	at += put_mask(bytes + at, 0, 1, 0xb7);
	at += put_mask(bytes + at, 0, 2, 0x97);
	at += put_mask(bytes + at, 0, 3, 0xf01f);
	at += put_mask(bytes + at, 0, 5, 0xff);
	at += put_mask(bytes + at, 1, 4, 0xffff);
	at += put_mask(bytes + at, 1, 3, 0xff0000);
	at += put_mask(bytes + at, 0, 99, 0xff);
	ck_assert(!xe_topology_decode(bytes, at, 0, &shape, &topology, &l3));
	ck_assert_uint_eq(topology.slices, 2);
	ck_assert_uint_eq(topology.subslices, 6);
	ck_assert_uint_eq(topology.eus, 48);
	ck_assert_uint_eq(topology.xecore_mask.words[0], 0xb7);
	ck_assert_uint_eq(topology.subslice_mask.words[0], 0xb07);
	ck_assert_uint_eq(l3.banks, 9);
	ck_assert_uint_eq(l3.nodes, 3);
	ck_assert_int_eq(xe_topology_decode(bytes, at - 1, 0, &shape, &topology,
					    &l3),
			 -EPROTO);
	ck_assert_int_eq(xe_topology_decode(bytes, 0, 0, &shape, &topology,
					    &l3),
			 -EPROTO);
	/* before DG2: subslices of one slice, which are no XeCores */
	ck_assert(
		!xe_topology_decode(bytes, at, 0, &old_shape, &topology, &l3));
	ck_assert_uint_eq(topology.slices, 1);
	ck_assert_uint_eq(topology.subslices, 6);
	ck_assert_uint_eq(topology.subslice_mask.words[0], 0xb7);
	ck_assert_uint_eq(topology.xecore_mask.words[0], 0);
	/* four nodes of four banks with 32 bits each, of which one is off */
	memset(bytes + at, 0, 24);
	put32(bytes + at, 0, 3 << 16);
	put32(bytes + at, 4, 16);
	bytes[at + 8] = 0xf;
	bytes[at + 12] = 0x3;
	bytes[at + 20] = 0xf;
	ck_assert(
		!xe_topology_decode(bytes, at + 24, 0, &shape, &topology, &l3));
	ck_assert_uint_eq(l3.banks, 9 + 10);
	ck_assert_uint_eq(l3.nodes, 3 + 3);
	/* in the seventeenth slice of two, for which masks have no room */
	put_mask(bytes, 0, 1, UINT64_C(1) << 32);
	ck_assert_int_eq(xe_topology_decode(bytes, at, 0, &small_shape,
					    &topology, &l3),
			 -EPROTO);
}

/* Crescent Island's mask has 128 bits, Nova Lake P's 96. */
static const struct {
	unsigned per_slice, bytes;
	uint64_t mask[3];
	unsigned subslices, slices; /* 0: not plausible */
	uint64_t slice_mask, subslice_mask[2];
} wide[] = {
	{ 8, 16, { 0xffffffff }, 32, 4, 0xf, { 0xffffffff } },
	{ 8, 16, { 0x81, 0x8000000000000018 }, 5, 3, 0x8101,
	  { 0x81, 0x8000000000000018 } },
	{ 8, 16, { 0, 1 }, 1, 1, 0x100, { 0, 1 } },
	/* six of a slice have eight bits: XeCore 95 is the last of slice 15 */
	{ 6, 16, { 0, 0x80000001 }, 2, 2, 0x8400, { 0, 0x2000000000100000 } },
	{ 6, 16, { 0, 0x100000000 }, 0, 0, 0, { 0 } },
	/* what is above 128 bits has to be 0 */
	{ 8, 24, { 1 }, 1, 1, 1, { 1 } },
	{ 8, 24, { 1, 0, 1 }, 0, 0, 0, { 0 } },
};

TEST_LOOP(taken, wide_masks_are_decoded_or_refused, ARRAY_SIZE(wide))
{
	const struct gt_shape shape = { 8, wide[_i].per_slice };
	struct gt_topology topology;
	uint8_t bytes[64];
	struct xe_l3 l3;
	size_t at;
	int ret;

	put32(bytes, 0, 2 << 16);
	put32(bytes, 4, wide[_i].bytes);
	for (unsigned i = 0; i < 3; i++)
		put64(bytes, 8 + 8 * i, wide[_i].mask[i]);
	at = 8 + wide[_i].bytes;
	at += put_mask(bytes + at, 0, 5, 0xff);
	ret = xe_topology_decode(bytes, at, 0, &shape, &topology, &l3);
	ck_assert_int_eq(ret, wide[_i].subslices ? 0 : -EPROTO);
	if (ret)
		return;
	ck_assert_uint_eq(topology.subslices, wide[_i].subslices);
	ck_assert_uint_eq(topology.eus, 8 * wide[_i].subslices);
	ck_assert_uint_eq(topology.slices, wide[_i].slices);
	ck_assert_uint_eq(topology.slice_mask, wide[_i].slice_mask);
	ck_assert_mem_eq(topology.xecore_mask.words, wide[_i].mask,
			 sizeof(topology.xecore_mask));
	ck_assert_mem_eq(topology.subslice_mask.words, wide[_i].subslice_mask,
			 sizeof(topology.subslice_mask));
}

/* ------------------------------------------------------------------ */
/* Reports                                                              */

#define SIZE 576

static void
put_report(uint8_t *report, uint64_t time, uint64_t clock, uint64_t pec0,
	   uint64_t pec63)
{
	memset(report, 0, SIZE);
	put64(report, 0, 1 << 19);
	put64(report, 8, time);
	put64(report, 24, clock);
	put64(report, 32, pec0);
	put64(report, 32 + 8 * 63, pec63);
}

static struct oa_reports reports;

static void
begin_reports(void)
{
	const struct oa_format *format = oa_format_find(0x10105, OA_XE2);

	ck_assert_ptr_nonnull(format);
	ck_assert_uint_eq(format->size, SIZE);
	oa_reports_init(&reports, format, UINT64_MAX);
}

static uint64_t
sum_of(enum oa_slot slot)
{
	return reports.accumulator.sums[slot];
}

/* 56 bits of time wrap; words of 64 bits need no report in between. */
TEST(taken, sums_follow_wide_timestamps)
{
	uint8_t data[3 * SIZE];

	begin_reports();
	/* what stands above the 56 bits is no time */
	put_report(data, (UINT64_C(0xab) << 56) + (UINT64_C(1) << 56) - 10,
		   100, UINT64_MAX - 4, 7);
	put_report(data + SIZE, 20, 300, 5, 7);
	put_report(data + 2 * SIZE, 1020, 1300, 5 + (UINT64_C(1) << 40), 9);
	xe_reports_take(&reports, data, sizeof(data));
	ck_assert_int_eq(reports.loss, OA_LOSS_NONE);
	ck_assert_uint_eq(reports.count, 3);
	ck_assert_uint_eq(reports.time, 1020);
	ck_assert_uint_eq(sum_of(OA_SLOT_TIME), 1030);
	ck_assert_uint_eq(sum_of(OA_SLOT_CLOCK), 1200);
	ck_assert_uint_eq(sum_of(OA_SLOT_PEC), 10 + (UINT64_C(1) << 40));
	ck_assert_uint_eq(sum_of(OA_SLOT_PEC + 63), 2);
	ck_assert_uint_eq(sum_of(OA_SLOT_A), 0);
}

TEST(taken, hole_and_part)
{
	uint8_t data[3 * SIZE] = { 0 };

	begin_reports();
	put_report(data, 10, 1, 1, 1);
	put_report(data + 2 * SIZE, 30, 4, 5, 6);
	xe_reports_take(&reports, data, sizeof(data));
	ck_assert_int_eq(reports.loss, OA_LOSS_NONE);
	ck_assert_uint_eq(reports.count, 2);
	ck_assert_uint_eq(sum_of(OA_SLOT_PEC), 4);
	put_report(data, 40, 5, 9, 9);
	xe_reports_take(&reports, data, SIZE + 8);
	ck_assert_int_eq(reports.loss, OA_LOSS_MALFORMED);
	ck_assert_uint_eq(sum_of(OA_SLOT_PEC), 8);
}

static const struct {
	uint64_t status;
	enum oa_loss loss;
	unsigned lost;
} statuses[] = {
	{ 0, OA_LOSS_NONE, 0 },
	{ 1, OA_LOSS_NONE, 1 },
	{ 2, OA_LOSS_OVERFLOW, 0 },
	{ 3, OA_LOSS_OVERFLOW, 1 },
	{ 4, OA_LOSS_COUNTER, 0 },
	{ 6, OA_LOSS_OVERFLOW, 0 },
	{ 8, OA_LOSS_NONE, 0 },
};

TEST_LOOP(taken, a_status_becomes_a_loss, ARRAY_SIZE(statuses))
{
	begin_reports();
	xe_reports_take_status(&reports, statuses[_i].status);
	ck_assert_int_eq(reports.loss, statuses[_i].loss);
	ck_assert_uint_eq(reports.lost, statuses[_i].lost);
}
