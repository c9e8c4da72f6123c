/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of drmsim's i915 model that need no simulator: report layouts, the
 * timeline of contexts, rates, the table of configurations, loads.
 */
#include "drmsim/intel/load.h"
#include "drmsim/intel/oa_config.h"
#include "drmsim/intel/oa_format.h"
#include "drmsim/intel/rate.h"
#include "drmsim/intel/timeline.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ */
/* Report layouts                                                       */

/* Single fields, as the documentation of each format draws them. */
static const struct field {
	unsigned format;
	bool haswell;
	const char *slot;
	unsigned offset, bytes;
	int high; /* where bits 39:32 lie */
} fields[] = {
	{ 5, true, "A0", 12, 4, -1 },	   { 5, true, "A41", 176, 4, -1 },
	{ 5, true, "A44", 188, 4, -1 },	   { 5, true, "B0", 192, 4, -1 },
	{ 5, true, "B7", 220, 4, -1 },	   { 5, true, "C2", 232, 4, -1 },
	{ 1, true, "A12", 60, 4, -1 },	   { 2, true, "A28", 124, 4, -1 },
	{ 3, true, "C7", 124, 4, -1 },	   { 4, true, "B3", 28, 4, -1 },
	{ 7, true, "C3", 28, 4, -1 },	   { 7, false, "B7", 60, 4, -1 },
	{ 9, false, "C0", 96, 4, -1 },	   { 10, false, "clock", 12, 4, -1 },
	{ 10, false, "A0", 16, 4, 160 },   { 10, false, "A7", 44, 4, 167 },
	{ 10, false, "A20", 96, 4, 180 },  { 10, false, "A31", 140, 4, 191 },
	{ 10, false, "A32", 144, 4, -1 },  { 10, false, "A35", 156, 4, -1 },
	{ 10, false, "B0", 192, 4, -1 },   { 10, false, "C7", 252, 4, -1 },
	{ 11, false, "A31", 140, 4, 191 }, { 12, false, "A0", 16, 4, -1 },
	{ 12, false, "A3", 28, 4, -1 },	   { 12, false, "A4", 32, 4, 164 },
	{ 12, false, "A23", 108, 4, 183 }, { 12, false, "A24", 112, 4, -1 },
	{ 12, false, "A28", 128, 4, 188 }, { 12, false, "A31", 140, 4, 191 },
	{ 12, false, "A35", 156, 4, -1 },  { 12, false, "A36", 160, 4, -1 },
	{ 12, false, "A37", 184, 4, -1 },  { 13, false, "M7", 88, 8, -1 },
	{ 13, false, "clock", 24, 8, -1 }, { 13, false, "C7", 156, 4, -1 },
	{ 14, false, "M7", 60, 4, -1 },	   { 14, false, "B0", 64, 4, -1 },
};

static void
write_one(const struct sim_oa_format *format, int slot, uint8_t *out)
{
	const struct sim_oa_header header = { 0 };
	uint64_t values[SIM_OA_SLOTS] = { 0 };

	values[slot] = 0x8899aabbccddeeff;
	memset(out, 0x5a, format->size);
	sim_oa_format_write(format, &header, values, out);
}

TEST_CASE(formats, NULL, NULL, "drmsim_i915_model");

TEST_LOOP(formats, field_is_in_its_place, ARRAY_SIZE(fields))
{
	const struct field *c = &fields[_i];
	const struct sim_oa_format *format =
		sim_oa_format_find(c->format, c->haswell);
	uint8_t out[256], expected[256] = { 0 };
	static const uint8_t bytes[] = { 0xff, 0xee, 0xdd, 0xcc,
					 0xbb, 0xaa, 0x99, 0x88 };

	ck_assert_ptr_nonnull(format);
	write_one(format, sim_oa_slot_parse(c->slot), out);
	memcpy(expected + c->offset, bytes, c->bytes);
	if (c->high >= 0)
		expected[c->high] = 0xbb;
	ck_assert_mem_eq(out, expected, format->size);
}

/* Every byte belongs to one slot at most, and none to a header word. */
TEST_LOOP(formats, fields_do_not_overlap, 30)
{
	static const size_t sizes[] = { 0,  64,	 128, 128, 64,	256, 128, 64,
					64, 128, 256, 256, 256, 192, 128 };
	unsigned number = (unsigned)_i % 15;
	const struct sim_oa_format *format =
		sim_oa_format_find(number, _i >= 15);
	uint8_t owned[256] = { 0 }, out[256];

	if (!format)
		return;
	ck_assert_uint_eq(format->size, sizes[number]);
	memset(owned, 1, format->wide ? 20 : 12);
	for (int slot = 0; slot < SIM_OA_SLOTS; slot++) {
		write_one(format, slot, out);
		for (size_t i = 0; i < format->size; i++) {
			ck_assert(!out[i] || !owned[i]);
			owned[i] |= out[i];
		}
	}
}

TEST(formats, a_report_begins_with_its_header)
{
	const struct sim_oa_header header = { .id = 0x00090123,
					      .timestamp = 0x1122334455667788,
					      .context = 0xcafe };
	static const uint8_t narrow[12] = { 0x23, 0x01, 0x09, 0,    0x88, 0x77,
					    0x66, 0x55, 0xfe, 0xca, 0,	  0 };
	static const uint8_t wide[20] = { 0x23, 0x01, 0x09, 0,	  0,
					  0,	0,    0,    0x88, 0x77,
					  0x66, 0x55, 0x44, 0x33, 0x22,
					  0x11, 0xfe, 0xca, 0,	  0 };
	uint64_t values[SIM_OA_SLOTS] = { 0 };
	uint8_t out[256];

	sim_oa_format_write(sim_oa_format_find(10, false), &header, values,
			    out);
	ck_assert_mem_eq(out, narrow, sizeof(narrow));
	sim_oa_format_write(sim_oa_format_find(13, false), &header, values,
			    out);
	ck_assert_mem_eq(out, wide, sizeof(wide));
}

TEST(formats, names_of_counters_are_parsed)
{
	static const char *const wrong[] = { "",   "A",	 "A45", "B8", "C8",
					     "M8", "D0", "A-1", "A1x" };

	ck_assert_int_eq(sim_oa_slot_parse("A44"), SIM_OA_A + 44);
	ck_assert_int_eq(sim_oa_slot_parse("M0"), SIM_OA_M);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		ck_assert_int_eq(sim_oa_slot_parse(wrong[i]), -EINVAL);
	ck_assert_ptr_null(sim_oa_format_find(10, true));
	ck_assert_ptr_null(sim_oa_format_find(15, false));
}

/* ------------------------------------------------------------------ */
/* Timelines                                                            */

#define HZ 1000000u /* so that a tick is a microsecond */

static const struct moment {
	const char *text;
	uint32_t only;
	uint64_t tick; /* since the origin */
	uint64_t busy, weighted;
	uint32_t context; /* 0: idle */
	uint64_t end; /* of the phase, since the origin; 0: never */
} moments[] = {
	{ "0x21", 0, 12345, 12345, 12345, 0x21, 0 },
	{ "idle", 0, 12345, 0, 0, 0, 0 },
	{ "0x21:5ms,0x22:1ms", 0, 4999, 4999, 4999, 0x21, 5000 },
	{ "0x21:5ms,0x22:1ms", 0, 5000, 5000, 5000, 0x22, 6000 },
	{ "0x21:5ms,0x22:1ms", 0, 6000, 6000, 6000, 0x21, 11000 },
	{ "0x21:5ms*3,idle:1ms", 0, 5500, 5000, 15000, 0, 6000 },
	{ "0x21:5ms*3,idle:1ms", 0, 12001, 10001, 30003, 0x21, 17000 },
	{ "0x21:5ms,0x22:1ms*10", 0x22, 11500, 11500, 15000, 0x22, 12000 },
	{ "0x21:1ms,0x22", 0, 9000, 9000, 9000, 0x22, 0 },
	{ "33:1us", 0, 7, 7, 7, 33, 8 },
};

static void
check_moment(const struct sim_cursor *cursor, int i, uint64_t origin)
{
	const struct sim_phase *phase = sim_cursor_phase(cursor);
	uint64_t end = sim_cursor_end(cursor);

	ck_assert_uint_eq(cursor->busy, moments[i].busy);
	ck_assert_uint_eq(cursor->weighted, moments[i].weighted);
	ck_assert_int_eq(phase->idle, moments[i].context == 0);
	if (moments[i].context)
		ck_assert_uint_eq(phase->context, moments[i].context);
	ck_assert_uint_eq(end, moments[i].end ? origin + moments[i].end
					      : UINT64_MAX);
}

TEST_CASE(timelines, NULL, NULL, "drmsim_i915_model");

TEST_LOOP(timelines, moment_on_timeline, ARRAY_SIZE(moments))
{
	const struct moment *c = &moments[_i];
	const uint64_t origin = 777;
	struct sim_timeline timeline;
	struct sim_cursor cursor;

	ck_assert_int_eq(sim_timeline_parse(&timeline, c->text, HZ, origin), 0);
	sim_cursor_init(&cursor, &timeline, c->only, origin);
	sim_cursor_advance(&cursor, origin + c->tick);
	check_moment(&cursor, _i, origin);
	/* step by step is the same */
	sim_cursor_init(&cursor, &timeline, c->only, origin);
	for (uint64_t t = 0; t <= c->tick; t++)
		sim_cursor_advance(&cursor, origin + t);
	check_moment(&cursor, _i, origin);
}

TEST(timelines, cursor_begins_anywhere)
{
	struct sim_timeline timeline;
	struct sim_cursor cursor;

	ck_assert_int_eq(
		sim_timeline_parse(&timeline, "1:3us,2:4us*5,idle:1us", HZ, 0),
		0);
	sim_cursor_init(&cursor, &timeline, 0, 8 * 1000 + 5);
	ck_assert_uint_eq(cursor.weighted, 0);
	ck_assert_uint_eq(sim_cursor_phase(&cursor)->context, 2);
	ck_assert_uint_eq(sim_cursor_end(&cursor), 8 * 1000 + 7);
	sim_cursor_advance(&cursor, 8 * 1000 + 9);
	ck_assert_uint_eq(cursor.busy, 3);
	ck_assert_uint_eq(cursor.weighted, 11);
	/* another cycle goes on with the sums */
	ck_assert_int_eq(sim_timeline_parse(&timeline, "7:10us*2", HZ, 8009),
			 0);
	sim_cursor_restart(&cursor);
	sim_cursor_advance(&cursor, 8012);
	ck_assert_uint_eq(cursor.weighted, 17);
}

TEST(timelines, bad_timelines_change_nothing)
{
	static const char *const texts[] = {
		"",	  "x",	     "1:",	   "1:0ms",    "1:5ms*",
		"1:5ms,", "1,2:5ms", "idle,1:1ms", "1:5parsec"
	};
	struct sim_timeline timeline, before;

	sim_timeline_init(&timeline, 9);
	before = timeline;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		ck_assert_int_eq(sim_timeline_parse(&timeline, texts[i], HZ, 0),
				 -EINVAL);
		ck_assert_mem_eq(&timeline, &before, sizeof(before));
	}
}

/* ------------------------------------------------------------------ */
/* Rates                                                                */

#define UUID "07b25942-d9fd-4fce-bd58-e29abd66b7de"
#define TICK_HZ 12000000u
#define CLOCK_HZ 1140000000u /* 95 clocks per tick */

static uint64_t
default_at(const struct sim_rate_set *set, const char *slot, uint64_t ticks)
{
	const struct sim_span span = { ticks, ticks, ticks };
	struct sim_rates rates;
	struct sim_slope slope;

	sim_rates_default(&rates, set);
	slope = sim_rate_slope(&rates.slots[sim_oa_slot_parse(slot)], TICK_HZ,
			       CLOCK_HZ);
	return sim_slope_at(&slope, &span);
}

TEST_CASE(rates, NULL, NULL, "drmsim_i915_model");

TEST(rates, default_rates_follow_the_formulas)
{
	struct sim_rate_set set = { .clocks_per_tick = 95,
				    .routing = 0x12345678,
				    .clock_slot = -1 };

	/* selectors 0x123 | bit 12, and 0xabc, in the third register */
	set.flex[2] = 0xabc123 | 1u << 24;
	ck_assert_uint_eq(default_at(&set, "A0", 256), 256 * 95);
	ck_assert_uint_eq(default_at(&set, "A6", 256), 256 * 6);
	ck_assert_uint_eq(default_at(&set, "A35", 256), 256 * 35);
	ck_assert_uint_eq(default_at(&set, "A7", 256), 256 * 4);
	ck_assert_uint_eq(default_at(&set, "A11", 256), 16 * (64 + 0x1123));
	ck_assert_uint_eq(default_at(&set, "A12", 256), 16 * (64 + 0xabc));
	ck_assert_uint_eq(default_at(&set, "M2", 256), 256 * 3);
	ck_assert_uint_eq(default_at(&set, "clock", 256), 256 * 95);
	/* FNV-1a of 0x12345678 and 03 42 00 00, found with another program */
	ck_assert_uint_eq(default_at(&set, "B3", 256),
			  256 + 2606775425u % (256 * 94));
	ck_assert_uint_eq(default_at(&set, "C0", 256),
			  256 + 1986563353u % (256 * 94));

	set.haswell = true;
	set.clock_slot = SIM_OA_C + 2;
	ck_assert_uint_eq(default_at(&set, "A0", 256), 256);
	ck_assert_uint_eq(default_at(&set, "A7", 256), 256 * 8);
	ck_assert_uint_eq(default_at(&set, "A41", 256), 256 * 95);
	ck_assert_uint_eq(default_at(&set, "C2", 256), 256 * 95);
}

/* B1 is the clock, and the others are parts of it. */
TEST(rates, self_test_rates)
{
	const struct sim_rate_set set = { .clocks_per_tick = 95,
					  .routing = 0x12345678,
					  .test_oa = true,
					  .clock_slot = -1 };
	static const unsigned sixths[] = { 0, 6, 6, 3, 2, 2, 1, 4 };
	char slot[3] = "B0";

	for (unsigned i = 0; i < 8; i++) {
		slot[1] = (char)('0' + i);
		ck_assert_uint_eq(default_at(&set, slot, 12001),
				  12001ull * 95 * sixths[i] / 6);
	}
}

static const struct rate_text {
	const char *text;
	int result;
	uint64_t ticks, count;
} rate_texts[] = {
	{ "12000000", 0, 7, 7 },
	{ "3/tick", 0, 7, 21 },
	{ "0.5/tick", 0, 7, 3 },
	{ "0.25/clock", 0, 12, 12 * 95 / 4 },
	{ "0.25/eu-clock", 0, 12, 12 * 95 * 6 },
	{ "1.5", 0, 12000000, 1 },
	{ "1.5", 0, 24000000, 3 },
	{ "2M", 0, 12000000, 2000000 },
	{ "0", 0, 1000, 0 },
	/* 34 hours: the product needs more than 64 bits */
	{ "999999999.999999", 0, 1500000000000, 124999999999999 },
	{ "", -EINVAL, 0, 0 },
	{ "1/day", -EINVAL, 0, 0 },
	{ "x/tick", -EINVAL, 0, 0 },
	{ "5000/clock", -EINVAL, 0, 0 },
	{ "5000/eu-clock", -EINVAL, 0, 0 },
	{ "1/eu", -EINVAL, 0, 0 },
};

TEST_LOOP(rates, a_rate_is_parsed_or_refused, ARRAY_SIZE(rate_texts))
{
	const struct rate_text *c = &rate_texts[_i];
	const uint64_t ticks = c->ticks;
	const struct sim_span span = { ticks, ticks, ticks };
	struct sim_rate rate;
	struct sim_slope slope;

	ck_assert_int_eq(sim_rate_parse(c->text, 24, &rate), c->result);
	if (c->result)
		return;
	slope = sim_rate_slope(&rate, TICK_HZ, CLOCK_HZ);
	ck_assert_uint_eq(sim_slope_at(&slope, &span), c->count);
}

/* An open stream keeps the clock going; A0 counts while something runs. */
TEST(rates, clock_of_an_idle_gpu)
{
	const struct sim_rate_set set = { .clocks_per_tick = 95,
					  .test_oa = true,
					  .clock_slot = SIM_OA_C + 2 };
	const struct sim_span span = { .ticks = 1000,
				       .busy = 100,
				       .weighted = 300 };
	static const struct {
		int slot;
		uint64_t count;
	} counts[] = {
		{ SIM_OA_CLOCK, 95000 }, { SIM_OA_A, 9500 },
		{ SIM_OA_A + 2, 600 },	 { SIM_OA_B + 3, 47500 },
		{ SIM_OA_C + 2, 95000 },
	};
	struct sim_rates rates;

	sim_rates_default(&rates, &set);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		const struct sim_slope slope = sim_rate_slope(
			&rates.slots[counts[i].slot], TICK_HZ, CLOCK_HZ);

		ck_assert_uint_eq(sim_slope_at(&slope, &span), counts[i].count);
	}
}

/* ------------------------------------------------------------------ */
/* Configurations                                                       */

static const struct register_case {
	unsigned version;
	enum sim_oa_generation generation;
	bool cherryview;
	enum sim_oa_list list;
	uint32_t address;
	bool allowed;
} registers[] = {
	{ 705, SIM_OA_HASWELL, false, SIM_OA_MUX, 0x9888, true },
	{ 705, SIM_OA_HASWELL, false, SIM_OA_MUX, 0x25100, true },
	{ 705, SIM_OA_HASWELL, false, SIM_OA_MUX, 0x2ff94, false },
	{ 705, SIM_OA_HASWELL, false, SIM_OA_MUX, 0xd00, false },
	{ 705, SIM_OA_HASWELL, false, SIM_OA_FLEX, 0xe458, false },
	{ 900, SIM_OA_GEN9, false, SIM_OA_FLEX, 0xe65c, true },
	{ 900, SIM_OA_GEN9, false, SIM_OA_FLEX, 0xe75c, false },
	{ 900, SIM_OA_GEN9, false, SIM_OA_BOOLEAN, 0x2710, true },
	{ 900, SIM_OA_GEN9, false, SIM_OA_BOOLEAN, 0x2730, false },
	{ 900, SIM_OA_GEN9, false, SIM_OA_BOOLEAN, 0xd900, false },
	{ 900, SIM_OA_GEN9, false, SIM_OA_MUX, 0x20cc, true },
	{ 900, SIM_OA_GEN9, false, SIM_OA_MUX, 0x91d0, false },
	{ 1100, SIM_OA_GEN9, false, SIM_OA_MUX, 0x91d0, true },
	{ 800, SIM_OA_GEN8, true, SIM_OA_MUX, 0x182300, true },
	{ 800, SIM_OA_GEN8, true, SIM_OA_MUX, 0x20cc, false },
	{ 800, SIM_OA_GEN8, false, SIM_OA_MUX, 0x182300, false },
	{ 1200, SIM_OA_GEN12, false, SIM_OA_BOOLEAN, 0xd900, true },
	{ 1200, SIM_OA_GEN12, false, SIM_OA_BOOLEAN, 0xdc48, false },
	{ 1200, SIM_OA_GEN12, false, SIM_OA_MUX, 0xd08, false },
	{ 1255, SIM_OA_XEHP, false, SIM_OA_BOOLEAN, 0xdc48, true },
	{ 1255, SIM_OA_XEHP, false, SIM_OA_BOOLEAN, 0x393000, false },
	{ 1255, SIM_OA_XEHP, false, SIM_OA_MUX, 0x20cc, true },
	{ 1270, SIM_OA_XEHP, false, SIM_OA_BOOLEAN, 0x393000, true },
	{ 1270, SIM_OA_XEHP, false, SIM_OA_MUX, 0x38d114, true },
	{ 1270, SIM_OA_XEHP, false, SIM_OA_MUX, 0x20cc, false },
};

TEST_CASE(configs, NULL, NULL, "drmsim_i915_model");

TEST_LOOP(configs, register_is_checked, ARRAY_SIZE(registers))
{
	const struct register_case *c = &registers[_i];
	const struct sim_platform platform = {
		.version = c->version,
		.generation = c->generation,
		.cherryview = c->cherryview,
	};

	ck_assert_int_eq(
		sim_oa_register_allowed(&platform, c->list, c->address),
		c->allowed);
}

static struct sim_oa_config *
insert_config(struct sim_oa_configs *configs, const char *uuid)
{
	struct sim_oa_config *config = calloc(1, sizeof(*config));

	config->references = 1;
	strcpy(config->uuid, uuid);
	sim_oa_configs_insert(configs, config);
	return config;
}

TEST(configs, ids_of_configs)
{
	struct sim_oa_configs configs = { .lowest = 2 };
	struct sim_oa_config *first, *second, *third;

	first = insert_config(&configs, "00000000-0000-0000-0000-000000000001");
	second = sim_oa_config_get(insert_config(
		&configs, "00000000-0000-0000-0000-000000000002"));
	third = insert_config(&configs, "00000000-0000-0000-0000-000000000003");
	ck_assert_uint_eq(first->id, 2);
	ck_assert_uint_eq(third->id, 4);
	sim_oa_configs_remove(&configs, second);
	ck_assert_ptr_null(sim_oa_config_find(&configs, 3));
	ck_assert_ptr_null(sim_oa_config_find_uuid(&configs, second->uuid));
	/* a stream still has it; its number is free again */
	ck_assert_uint_eq(second->references, 1);
	ck_assert_uint_eq(
		insert_config(&configs, "00000000-0000-0000-0000-000000000004")
			->id,
		3);
	ck_assert_uint_eq(configs.count, 3);
	sim_oa_config_put(second);
	sim_oa_configs_clear(&configs);
	ck_assert_uint_eq(configs.count, 0);
}

TEST(configs, masks_and_uuids)
{
	static const char *const wrong[] = {
		"07b25942-d9fd-4fce-bd58-e29abd66b7d",
		"07b25942-d9fd-4fce-bd58-e29abd66b7dx",
		"07b25942d9fd-4fce-bd58-e29abd66b7de0",
		"{7b25942-d9fd-4fce-bd58-e29abd66b7d}",
	};

	ck_assert_uint_eq(sim_oa_register_masked(0xe180, 0xffffffff),
			  0xdfffdfff);
	ck_assert_uint_eq(sim_oa_register_masked(0x20cc, 0xffffffff),
			  0xfffefffe);
	ck_assert_uint_eq(sim_oa_register_masked(0x9888, 0xffffffff),
			  0xffffffff);
	ck_assert(sim_uuid_valid(UUID));
	ck_assert(sim_uuid_valid("07B25942-D9FD-4FCE-BD58-E29ABD66B7DE"));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		ck_assert(!sim_uuid_valid(wrong[i]));
}

/* ------------------------------------------------------------------ */
/* Loads                                                                */

#define SECOND 1000000000u

TEST_CASE(load, NULL, NULL, "drmsim_i915_model");

TEST(load, engines_have_loads_of_their_own)
{
	const struct sim_platform platform = { .engines = { 1, 1, 2, 1, 0 },
					       .max_mhz = 1150 };
	struct sim_load load;
	struct sim_meter *busy =
		&load.engines[SIM_ENGINE_RENDER][0][SIM_SAMPLE_BUSY];

	sim_load_init(&load, &platform);
	sim_load_set_frequency(&load, 0, 1140000000);
	ck_assert_uint_eq(sim_meter_at(busy, SECOND), SECOND / 10 * 4);
	ck_assert_int_eq(sim_load_set(&load, &platform, SECOND, "engine-busy",
				      "rcs0 12.5"),
			 0);
	ck_assert_uint_eq(sim_meter_at(busy, 3 * (uint64_t)SECOND),
			  SECOND / 10 * 4 + SECOND / 4);
	ck_assert_uint_eq(sim_meter_at(&load.actual_frequency, 2ull * SECOND),
			  2280);
	ck_assert_uint_eq(sim_meter_at(&load.rc6, 4ull * SECOND), SECOND);
	/* an open stream keeps the GT awake */
	sim_load_hold(&load, 4ull * SECOND, true);
	ck_assert_uint_eq(sim_meter_at(&load.rc6, 8ull * SECOND), SECOND);
	sim_load_hold(&load, 8ull * SECOND, false);
	ck_assert_int_eq(
		sim_load_set(&load, &platform, 8ull * SECOND, "parked", "50"),
		0);
	ck_assert_uint_eq(sim_meter_at(&load.actual_frequency, 10ull * SECOND),
			  8 * 1140 + 1140);
	ck_assert_uint_eq(sim_meter_at(&load.awake, 10ull * SECOND),
			  9ull * SECOND);
}

static const struct load_word {
	const char *key, *value;
	int result;
} load_words[] = {
	{ "engine-busy", "vcs1 100", 0 },
	{ "engine-busy", "vcs2 10", -EINVAL },
	{ "engine-busy", "vcs0 100.1", -EINVAL },
	{ "engine-busy", "vcs0", -EINVAL },
	{ "engine-wait", "vecs0 1", 0 },
	{ "engine-sema", "ccs0 1", -EINVAL },
	{ "client-busy", "rcs 5", 0 },
	{ "client-busy", "rcs0 5", -EINVAL },
	{ "client-memory", "1048576", 0 },
	{ "interrupts", "1k", 0 },
	{ "requested-frequency", "900", 0 },
	{ "rc6", "101", -EINVAL },
	{ "speed", "1", -ENOENT },
};

TEST_LOOP(load, a_load_is_accepted_or_refused, ARRAY_SIZE(load_words))
{
	const struct load_word *c = &load_words[_i];
	const struct sim_platform platform = { .engines = { 1, 1, 2, 1, 0 },
					       .max_mhz = 1150 };
	struct sim_load load;

	sim_load_init(&load, &platform);
	ck_assert_int_eq(sim_load_set(&load, &platform, 0, c->key, c->value),
			 c->result);
}
