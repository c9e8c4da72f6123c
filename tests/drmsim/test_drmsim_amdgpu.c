/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of the simulated Vega 10 against command buffers written by hand,
 * through libdrm_amdgpu as other programs use it. Nothing of libdrmperf takes
 * part: what is expected follows from utils/drmsim/README.md.
 */
#include <amdgpu_drm.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/vega10.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* ---- counters that follow CP_PERFMON_CNTL */

struct counter_case {
	const char *name;
	unsigned block;
	uint32_t select, lo, hi;
	uint32_t select_or;
	uint32_t id;
	uint32_t index; /* GRBM_GFX_INDEX to read one instance */
	unsigned instance;
};

static const struct counter_case counter_cases[] = {
	{ "CPC 0", 23, 0x36024, 0x34018, 0x3401c, 0, 5, HAND_BROADCAST, 0 },
	{ "CPC 1", 23, 0x3600c, 0x34010, 0x34014, 0, 6, HAND_BROADCAST, 0 },
	{ "GRBM", 17, 0x36104, 0x3410c, 0x34110, 0, 20, HAND_BROADCAST, 0 },
	{ "GRBMSE of SE 2", 18, 0x36110, 0x34124, 0x34128, 0, 3, HAND_BROADCAST,
	  2 },
	{ "SQ of SE 0", 6, 0x36700, 0x34700, 0x34704, SQ_MASKS, 26, 0x60000000,
	  0 },
	{ "SQ of SE 3", 6, 0x3671c, 0x34738, 0x3473c, SQ_MASKS, 27, 0x60030000,
	  3 },
	{ "SPI, high half below", 5, 0x36604, 0x3460c, 0x34608, 0, 13,
	  0x60010000, 1 },
	{ "TA of CU 7 in SE 1", 8, 0x36b00, 0x34b00, 0x34b04, 0, 15, 0x00010007,
	  23 },
	{ "TCP of CU 15 in SE 3", 10, 0x36d14, 0x34d18, 0x34d1c, 0, 60,
	  0x0003000f, 63 },
	{ "CB 3 of SE 2", 14, 0x37014, 0x35030, 0x35034, 0, 300, 0x00020003,
	  11 },
	{ "TCC 9", 11, 0x36e10, 0x34e10, 0x34e14, 0, 200, 0xa0000009, 9 },
	{ "PA_SU of SE 1", 3, 0x36408, 0x34408, 0x3440c, 0, 100, 0x60010000,
	  1 },
};

static void
count_one_millisecond(struct hand_gpu *gpu, const struct counter_case *c)
{
	vega10_prepare(gpu);
	hand_set_uconfig(gpu, c->select, c->id | c->select_or);
	hand_count(gpu);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0x402);
	hand_read(gpu, c->index, c->lo, c->hi);
	hand_run(gpu);
}

TEST_CASE(counters, vega10_forget, hand_finish, "drmsim_amdgpu");

TEST_LOOP(counters, a_counter_counts_one_millisecond, ARRAY_SIZE(counter_cases))
{
	const struct counter_case *c = &counter_cases[_i];

	hand_open(&hand, 0, COMPUTE);
	count_one_millisecond(&hand, c);
	ck_assert_msg(
		hand_result64(&hand, 0) ==
			hand_in_a_millisecond(c->block, c->id, c->instance),
		"%s: %llu", c->name,
		(unsigned long long)hand_result64(&hand, 0));
	/* held: time goes on, the value does not */
	scene_pass(HAND_MS);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x402);
	hand_read(&hand, c->index, c->lo, 0);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0],
			  hand_in_a_millisecond(c->block, c->id, c->instance));
	vega10_leave(&hand);
	hand_close(&hand);
	ck_assert_uint_eq(hand_notes("violation", "broadcast-read"), 0);
}

/* Style cfg: a switch of its own, registers anywhere, and no latch. */
static const struct counter_case cfg_cases[] = {
	{ "ATC 2", 26, 0x3100, 0x310c, 0x3110, 0x3108, 3, HAND_BROADCAST, 0 },
	{ "ATCL2 1", 27, 0x37504, 0x35400, 0x35404, 0x37508, 3, HAND_BROADCAST,
	  0 },
	{ "EA 1 of interface 6", 29, 0xabe8, 0xabdc, 0xabe0, 0xabec, 55,
	  0xa0000006, 6 },
};

TEST_LOOP(counters, a_block_with_its_own_switches_counts, ARRAY_SIZE(cfg_cases))
{
	const struct counter_case *c = &cfg_cases[_i];
	uint32_t control = c->select_or;
	uint32_t number = strcmp(c->name, "ATC 2") == 0 ? 2 : 1;

	hand_open(&hand, 0, COMPUTE);
	vega10_prepare(&hand);
	hand_copy_to_register(&hand, c->select, c->id | 1u << 28 | 1u << 29);
	hand_copy_to_register(&hand, control, 1u << 24);
	hand_run(&hand);
	scene_pass(HAND_MS);
	hand_copy_to_register(&hand, control, number);
	hand_read(&hand, c->index, c->lo, c->hi);
	hand_run(&hand);
	ck_assert_msg(hand.results[0] == hand_in_a_millisecond(c->block, c->id,
							       c->instance),
		      "%s: %u", c->name, hand.results[0]);
	/* above the 48 bits stands something else */
	ck_assert_uint_eq(hand.results[1] & 0xffff, 0);
	ck_assert_uint_ne(hand.results[1], 0);
	hand_copy_to_register(&hand, control, 0);
}

/* Splitting an interval loses nothing, whatever the rate. */
TEST(counters, fractions_add_up)
{
	hand_open(&hand, 0, COMPUTE);
	scene_set("rate", "SQ.26 0.333333");
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, 0x36700, 26 | SQ_MASKS);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_run(&hand);
	for (unsigned i = 0; i < 300; i++) {
		scene_pass(100 * HAND_MS);
		/* each look counts up to now */
		hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x401);
		hand_run(&hand);
	}
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x401);
	hand_read(&hand, 0x60000000, 0x34700, 0);
	hand_run(&hand);
	/* 30 s of 0.333333 are 9.99999 */
	ck_assert_uint_eq(hand.results[0], 9);
}

/* ---- what makes counters stand still */

struct still_case {
	const char *name;
	uint32_t reg,
		value; /* written instead of what vega10_prepare() wrote */
	uint32_t select;
};

static const struct still_case still_cases[] = {
	{ "gated clock", RLC_PERFMON_CLK_CNTL, 0, 26 | SQ_MASKS },
	{ "no stage", SQ_PERFCOUNTER_CTRL, 0, 26 | SQ_MASKS },
	{ "no array", SQ_PERFCOUNTER_MASK, 0, 26 | SQ_MASKS },
	{ "no bank", SQ_PERFCOUNTER_CTRL, 0x7f, 26 | 0x0f0f0000 },
	{ "no SIMD", SQ_PERFCOUNTER_CTRL, 0x7f, 26 | 0x000ff000 },
	{ "no client", SQ_PERFCOUNTER_CTRL, 0x7f, 26 | 0x0f00f000 },
	{ "NONE", SQ_PERFCOUNTER_CTRL, 0x7f, SQ_MASKS },
	{ "fault", SQ_PERFCOUNTER_CTRL, 0x7f, 26 | SQ_MASKS },
};

TEST_LOOP(counters, a_counter_without_a_clock_stands_still,
	  ARRAY_SIZE(still_cases))
{
	const struct still_case *c = &still_cases[_i];

	if (strcmp(c->name, "fault") == 0)
		ck_assert_int_eq(drmsim_fault("gated-clock"), 0);
	hand_open(&hand, 0, COMPUTE);
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, c->reg, c->value);
	hand_set_uconfig(&hand, 0x36700, c->select);
	hand_count(&hand);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x402);
	hand_read(&hand, 0x60000000, 0x34700, 0);
	hand.results[0] = 77;
	hand_run(&hand);
	ck_assert_msg(hand.results[0] == 0, "%s: %u", c->name, hand.results[0]);
}

/* Without a sample the latch has what it had. */
TEST(counters, latch_is_stale)
{
	hand_open(&hand, 0, COMPUTE);
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, 0x36104, 20);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x401);
	hand_run(&hand);
	scene_pass(HAND_MS);
	hand_copy_to_result(&hand, 0x3410c, 0);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], 0);
	ck_assert_uint_ne(hand_notes("violation", "unlatched-read"), 0);
	hand_event(&hand, 27);
	hand_copy_to_result(&hand, 0x3410c, 0);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], hand_in_a_millisecond(17, 20, 0));
}

TEST(counters, a_broadcast_read_is_a_violation)
{
	hand_open(&hand, 0, COMPUTE);
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, 0x36e00, 3);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x401);
	hand_copy_to_result(&hand, 0x34e00, 0);
	hand_run(&hand);
	ck_assert_uint_eq(hand_notes("violation", "broadcast-read"), 1);
}

TEST(counters, an_index_left_behind_is_a_violation)
{
	hand_open(&hand, 0, COMPUTE);
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, GRBM_GFX_INDEX, 0xa0000003);
	hand_run(&hand);
	ck_assert_uint_eq(hand_notes("violation", "grbm-index"), 1);
}

/* A process that leaves without stopping is reported. */
TEST(counters, counters_left_running_are_a_violation)
{
	hand_open(&hand, 0, COMPUTE);
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, 0x36104, 20);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_run(&hand);
	hand_close(&hand);
	ck_assert_uint_eq(hand_notes("violation", "counters-running"), 1);
	ck_assert_uint_eq(hand_notes("violation", "clock-bit"), 1);
	hand_open(&hand, 0, COMPUTE);
	vega10_leave(&hand);
}

/* ---- wraps */

struct wrap_case {
	const char *name, *start;
	uint32_t select, lo, hi, index;
	uint64_t mask;
	unsigned block;
	uint64_t value;
};

static const struct wrap_case wrap_cases[] = {
	{ "64 bits", "TCC 0xffffffffffffffff", 0x36e00, 0x34e00, 0x34e04,
	  0xa0000000, UINT64_MAX, 11, UINT64_MAX },
	{ "48 bits", "PA_SU 0xfffffffffff0", 0x36400, 0x34400, 0x34404,
	  0x60000000, (1ull << 48) - 1, 3, 0xfffffffffff0 },
	{ "through 32 bits", "TCC 0xfffffff0", 0x36e00, 0x34e00, 0x34e04,
	  0xa0000000, UINT64_MAX, 11, 0xfffffff0 },
};

TEST_LOOP(counters, a_counter_wraps_at_its_width, ARRAY_SIZE(wrap_cases))
{
	const struct wrap_case *c = &wrap_cases[_i];

	hand_open(&hand, 0, COMPUTE);
	scene_set("start-value", c->start);
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, c->select, 7);
	hand_count(&hand);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x401);
	hand_read(&hand, c->index, c->lo, c->hi);
	hand_run(&hand);
	ck_assert_msg(
		hand_result64(&hand, 0) ==
			((c->value + hand_in_a_millisecond(c->block, 7, 0)) &
			 c->mask),
		"%s: %llx", c->name,
		(unsigned long long)hand_result64(&hand, 0));
}

/* ---- work */

/* Dispatch groups of 100 threads: two waves each, dealt out to four SEs. */
static void
dispatch_groups(struct hand_gpu *gpu, uint32_t groups)
{
	hand_dispatch(gpu, groups, 100, 1);
	hand_event(gpu, 7 | 4 << 8);
}

static void
read_waves(struct hand_gpu *gpu)
{
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0x402);
	for (unsigned se = 0; se < 4; se++) {
		hand_set_uconfig(gpu, GRBM_GFX_INDEX, 0x60000000 | se << 16);
		hand_copy_to_result(gpu, 0x34700, se);
	}
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
}

TEST_LOOP(counters, waves_count_in_queues_that_allow_it, 3)
{
	static const struct {
		uint32_t enable, force;
		uint32_t expected[4];
	} cases[] = {
		{ 1, 0, { 6, 6, 5, 5 } },
		{ 0, 1, { 6, 6, 5, 5 } },
		{ 0, 0, { 0, 0, 0, 0 } },
	};
	uint64_t before, after;

	hand_open(&hand, 0, COMPUTE);
	scene_set("default", "zero");
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, SQ_PERFCOUNTER_CTRL2, cases[_i].force);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, cases[_i].enable);
	hand_set_uconfig(&hand, 0x36700, 4 | SQ_MASKS);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	dispatch_groups(&hand, 11);
	read_waves(&hand);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, 0);
	ck_assert_int_eq(drmsim_now(&before), 0);
	hand_run(&hand);
	ck_assert_int_eq(drmsim_now(&after), 0);
	/* 22 waves: six for the first two engines, five for the others */
	for (unsigned se = 0; se < 4; se++)
		ck_assert_uint_eq(hand.results[se], cases[_i].expected[se]);
	/* and the work took the time of one round of waves */
	ck_assert_uint_eq(after - before, 10000);
}

/*
 * Waves are there for 10 us each, at 1138 MHz, and count in units of four
 * clocks: 2560 of them fill the GPU.
 */
TEST_LOOP(counters, waves_count_for_the_time_that_they_are_there, 6)
{
	static const struct {
		const char *key, *value;
		uint32_t enable, groups, event;
		uint64_t expected; /* of each engine */
	} cases[] = {
		{ "default", "waves", 1, 10, 46, 20 * 11380 / 16 },
		{ "default", "waves", 1, 2560, 46, 5120 * 11380ull / 16 },
		{ "default", "waves", 0, 2560, 46, 0 },
		/* ACTIVE_INST_VALU: 0.7 of 40 waves, of each compute unit */
		{ "default", "waves", 1, 2560, 71, 16 * 2 * 11380 * 7 / 10 },
		{ "default", "zero", 1, 2560, 71, 0 },
		{ "rate", "SQ.71 0", 1, 2560, 71, 0 },
	};

	hand_open(&hand, 0, COMPUTE);
	scene_set("default", "waves");
	scene_set(cases[_i].key, cases[_i].value);
	vega10_prepare(&hand);
	hand_set_uconfig(&hand, SQ_PERFCOUNTER_CTRL2, 0);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, cases[_i].enable);
	hand_set_uconfig(&hand, 0x36700, cases[_i].event | SQ_MASKS);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	dispatch_groups(&hand, cases[_i].groups);
	read_waves(&hand);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, 0);
	hand_run(&hand);
	for (unsigned se = 0; se < 4; se++) {
		ck_assert_uint_le(hand.results[se], cases[_i].expected);
		ck_assert_uint_ge(hand.results[se] + 1, cases[_i].expected);
	}
}

TEST_GPUS("drmsim_amdgpu", "vega10");
