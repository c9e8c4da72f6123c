/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What only real hardware can tell: each reading of each doubt has the effect
 * that the simulator's README tells, and no other.
 */
#include <errno.h>
#include <stdio.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/drmsim/chips.h"

#define START 23u
#define STOP 24u
#define SAMPLE 27u
/* Registers: select and low half of a counter. */
#define CB_SELECT 0x37004u
#define CB_LO 0x35018u
#define GRBM_SELECT 0x36104u
#define GRBM_LO 0x3410cu
#define SQ_SELECT 0x36700u
#define SQ_LO 0x34700u
#define TCC_SELECT 0x36e00u
/* Numbers of blocks, and an event of each. */
#define CB 14u
#define GRBM 17u
#define SQ 6u
#define ID 30u

TEST_CASE(doubts, chips_forget, hand_finish, "drmsim_amdgpu_doubts");

static void
set_of(enum gpu number, const char *key, const char *value)
{
	char name[32];

	snprintf(name, sizeof(name), "gpu%u.%s", number, key);
	scene_set(name, value);
}

/* Read the low halves of two counters, without a sample. */
static void
read_low_halves(struct hand_gpu *gpu, uint32_t first, uint32_t second)
{
	hand_read(gpu, 0, first, 0);
	hand_copy_to_result(gpu, second, 1);
	hand_run(gpu);
}

/* ---- the graphics pipe's events */

static const struct start_case {
	enum gpu gpu;
	unsigned ip; /* of the ring that programs and reads */
	const char *reading;
	bool counts_before_start;
} start_cases[] = {
	{ POLARIS10, GFX, "needed", false },
	{ POLARIS10, GFX, "ignored", true },
	{ NAVI21, GFX, "needed", false },
	{ NAVI21, COMPUTE, "needed", false },
	{ NAVI21, COMPUTE, "ignored", true },
	{ NAVI48, GFX, "needed", false },
};

/* CB and its like wait for PERFCOUNTER_START; GRBM does not. */
TEST_LOOP(doubts, some_blocks_wait_for_the_start_event, ARRAY_SIZE(start_cases))
{
	const struct start_case *c = &start_cases[_i];
	enum gpu number = c->gpu;
	uint64_t cb = hand_in_a_millisecond(CB, ID, 0);
	uint64_t grbm = hand_in_a_millisecond(GRBM, ID, 0);
	uint64_t before = c->counts_before_start;
	struct hand_gpu graphics;

	chip_reset(number);
	scene_set("start-event", c->reading);
	hand_open(&hand, number, c->ip);
	hand_open(&graphics, number, GFX);
	chip_prepare(&hand, number);
	hand_set_uconfig(&hand, CB_SELECT, ID);
	hand_set_uconfig(&hand, GRBM_SELECT, ID);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	/* on a compute ring it is nothing */
	if (c->ip == COMPUTE)
		hand_event(&hand, START);
	hand_run(&hand);
	scene_pass(HAND_MS);
	chip_sample(&hand, number);
	read_low_halves(&hand, CB_LO, GRBM_LO);
	ck_assert_uint_eq(hand.results[0], before * cb);
	ck_assert_uint_eq(hand.results[1], grbm);
	hand_event(&graphics, START);
	hand_run(&graphics);
	scene_pass(HAND_MS);
	hand_event(&graphics, STOP);
	hand_run(&graphics);
	scene_pass(HAND_MS);
	chip_sample(&hand, number);
	read_low_halves(&hand, CB_LO, GRBM_LO);
	ck_assert_uint_eq(hand.results[0], (1 + 2 * before) * cb);
	ck_assert_uint_eq(hand.results[1], 3 * grbm);
	hand_close(&graphics);
}

static const struct sample_case {
	const char *reading;
	unsigned ip;
	bool by_event, by_bit;
	bool cb, grbm; /* get the sample */
} sample_cases[] = {
	{ "any", COMPUTE, true, false, true, true },
	{ "any", COMPUTE, false, true, true, true },
	{ "by-ring", COMPUTE, true, true, false, true },
	{ "by-ring", COMPUTE, false, true, false, true },
	{ "by-ring", GFX, false, true, true, true },
	{ "by-ring", GFX, true, false, true, true },
	{ "by-kind", COMPUTE, true, false, false, false },
	{ "by-kind", COMPUTE, true, true, false, true },
	{ "by-kind", GFX, true, false, true, false },
	{ "by-kind", GFX, false, true, false, true },
	{ "by-kind", GFX, true, true, true, true },
};

TEST_LOOP(doubts, a_sample_is_taken_by_event_or_bit, ARRAY_SIZE(sample_cases))
{
	const struct sample_case *c = &sample_cases[_i];

	chip_reset(NAVI21);
	scene_set("sample", c->reading);
	hand_open(&hand, NAVI21, c->ip);
	chip_prepare(&hand, NAVI21);
	hand_set_uconfig(&hand, CB_SELECT, ID);
	hand_set_uconfig(&hand, GRBM_SELECT, ID);
	hand_count(&hand);
	if (c->by_event)
		hand_event(&hand, SAMPLE);
	if (c->by_bit)
		hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x401);
	read_low_halves(&hand, CB_LO, GRBM_LO);
	ck_assert_uint_eq(hand.results[0],
			  c->cb * hand_in_a_millisecond(CB, ID, 0));
	ck_assert_uint_eq(hand.results[1],
			  c->grbm * hand_in_a_millisecond(GRBM, ID, 0));
}

/* ---- what SQ sees */

/* Events that count waves: SQ.4; of SQ_WGP they are of its WGP. */
static const struct force_case {
	enum gpu gpu;
	const char *reading;
	bool enable, force, is_counted;
} force_cases[] = {
	{ BONAIRE, "works", false, true, true },
	{ BONAIRE, "ignored", false, true, false },
	{ BONAIRE, "ignored", true, false, true },
	{ POLARIS10, "ignored", false, true, false },
	{ MI100, "ignored", false, true, false },
	{ MI100, "ignored", true, true, true },
	{ MI300, "ignored", false, true, false },
	{ NAVI10, "ignored", false, true, false },
	{ NAVI21, "works", false, true, true },
	{ NAVI21, "ignored", false, true, false },
	{ NAVI31, "ignored", false, true, false },
	{ NAVI31, "ignored", false, false, false },
	{ NAVI48, "ignored", false, true, false },
};

TEST_LOOP(doubts, forcing_reaches_the_units_of_the_reading,
	  ARRAY_SIZE(force_cases))
{
	const struct force_case *c = &force_cases[_i];
	enum gpu number = c->gpu;
	unsigned engines = chips[number].engines;
	bool has_wgp = chip_has_sqg(number);
	/* one instance gets its share of as many waves as there are, x 2 */
	uint32_t waves = 2 * (has_wgp ? chips[number].units / 2 : engines);

	chip_reset(number);
	scene_set("force-en", c->reading);
	hand_open(&hand, number, COMPUTE);
	chip_prepare(&hand, number);
	hand_set_uconfig(&hand, SQ_CTRL2, 0x1fffe | c->force);
	hand_set_uconfig(&hand, SQ_SELECT, 4 | (has_wgp ? 0 : SQ_MASKS));
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, c->enable);
	hand_dispatch(&hand, waves, 64, 1);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, 0);
	hand_run(&hand);
	ck_assert_uint_eq(
		chip_count(&hand, number, SQ_LO, has_wgp ? 0 : 0x60000000),
		c->is_counted ? 2 : 0);
}

static const struct full_case {
	enum gpu gpu;
	const char *reading;
	uint32_t after_one, after_two; /* milliseconds */
} full_cases[] = {
	{ NAVI31, "wraps", 0x80, 0x200 },
	{ NAVI31, "sticks", 0xffffffff, 0xffffffff },
	{ NAVI48, "wraps", 0x80, 0x200 },
	{ NAVI48, "sticks", 0xffffffff, 0xffffffff },
};

/* Return what SQ_WGP has counted after one more millisecond. */
static uint32_t
count_on(struct hand_gpu *gpu, enum gpu number)
{
	/* what a sample toggles on gfx12 */
	hand_set_uconfig(gpu, SQG_CTRL, 0x807f);
	hand_run(gpu);
	scene_pass(HAND_MS);
	return chip_count(gpu, number, SQ_LO, 0);
}

/* 32 bits may stick when they are full, until something writes them. */
TEST_LOOP(doubts, a_full_counter_may_stick, ARRAY_SIZE(full_cases))
{
	const struct full_case *c = &full_cases[_i];
	enum gpu number = c->gpu;

	chip_reset(number);
	scene_set("full-counter", c->reading);
	set_of(number, "start-value", "SQ_WGP 0xffffff00");
	set_of(number, "rate", "SQ_WGP.5 384000");
	hand_open(&hand, number, COMPUTE);
	chip_prepare(&hand, number);
	hand_set_uconfig(&hand, SQ_SELECT, 5);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	ck_assert_uint_eq(count_on(&hand, number), c->after_one);
	ck_assert_uint_eq(count_on(&hand, number), c->after_two);
	hand_set_uconfig(&hand, SQ_LO, 0);
	ck_assert_uint_eq(count_on(&hand, number), 384);
	set_of(number, "start-value", "SQ_WGP 0");
	set_of(number, "rate", "SQ_WGP.5 0");
}

/* ---- clocks */

static const struct gating_case {
	const char *reading;
	bool gated; /* as the scenario says */
	bool sq, grbm; /* count */
} gating_cases[] = {
	{ "none", false, true, true },	{ "all", false, false, false },
	{ "most", false, false, true }, { "none", true, false, false },
	{ "most", true, false, true },
};

/* gfx11 without a pstate: there is a clock for some, for all or for none. */
TEST_LOOP(doubts, without_a_pstate_clocks_may_be_gated,
	  ARRAY_SIZE(gating_cases))
{
	const struct gating_case *c = &gating_cases[_i];

	chip_reset(NAVI31);
	scene_set("gating", c->reading);
	scene_set("gpu2.gated-clock", c->gated ? "on" : "off");
	hand_open(&hand, NAVI31, COMPUTE);
	hand_set_uconfig(&hand, SQG_CTRL, 0x7f);
	hand_set_uconfig(&hand, 0x36740, ID);
	hand_set_uconfig(&hand, GRBM_SELECT, ID);
	hand_count(&hand);
	chip_sample(&hand, NAVI31);
	read_low_halves(&hand, 0x34790, GRBM_LO);
	ck_assert_uint_eq(hand.results[0],
			  c->sq * hand_in_a_millisecond(SQ, ID, 0));
	ck_assert_uint_eq(hand.results[1],
			  c->grbm * hand_in_a_millisecond(GRBM, ID, 0));
	scene_set("gpu2.gated-clock", "off");
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0);
	hand_run(&hand);
}

static const struct idle_case {
	const char *reading;
	uint32_t cycle; /* the event */
	uint32_t pstate;
	bool counts;
} idle_cases[] = {
	{ "runs", 1, NO_PSTATE, true },
	{ "stops", 1, NO_PSTATE, false },
	{ "stops", 1, PEAK, true },
	{ "stops", 2, NO_PSTATE, true },
};

/* TCC.CYCLE of gfx8, and an event beside it; the clock bit is set. */
TEST_LOOP(doubts, an_idle_clock_may_stand_still, ARRAY_SIZE(idle_cases))
{
	const struct idle_case *c = &idle_cases[_i];

	chip_reset(POLARIS10);
	scene_set("idle-clock", c->reading);
	hand_open(&hand, POLARIS10, COMPUTE);
	chip_prepare(&hand, POLARIS10);
	chip_hold(&hand, c->pstate);
	hand_set_uconfig(&hand, TCC_SELECT, c->cycle);
	hand_count(&hand);
	ck_assert_int_eq(chip_count(&hand, POLARIS10, 0x34e00, 0xa0000000) > 0,
			 c->counts);
}

/* ---- rings */

static const struct owner_case {
	enum gpu gpu;
	const char *reading;
	bool is_lost; /* when another ring writes CP_PERFMON_CNTL */
} owner_cases[] = {
	{ NAVI21, "shared", false },
	{ NAVI21, "owned", true },
	{ POLARIS10, "owned", true },
	{ NAVI31, "owned", true },
};

/* The SQ control may go to whose ring writes CP_PERFMON_CNTL. */
TEST_LOOP(doubts, the_sq_control_may_belong_to_one_ring,
	  ARRAY_SIZE(owner_cases))
{
	const struct owner_case *c = &owner_cases[_i];
	enum gpu number = c->gpu;
	uint32_t select = number == NAVI31 ? 0x36740 : SQ_SELECT;
	uint32_t lo = number == NAVI31 ? 0x34790 : SQ_LO;
	uint32_t control = number == NAVI31 ? SQG_CTRL : SQ_CTRL;
	uint32_t bits = number == POLARIS10 ? SQ_MASKS : 0;
	uint64_t one = hand_in_a_millisecond(SQ, ID, 0);
	struct hand_gpu other;

	chip_reset(number);
	scene_set("sq-control", c->reading);
	hand_open(&hand, number, GFX);
	hand_open(&other, number, COMPUTE);
	chip_prepare(&hand, number);
	hand_set_uconfig(&hand, select, ID | bits);
	hand_count(&hand);
	/* its own ring takes nothing away */
	ck_assert_uint_eq(chip_count(&hand, number, lo, 0x60000000), one);
	scene_pass(HAND_MS);
	ck_assert_uint_eq(chip_count(&other, number, lo, 0x60000000), 2 * one);
	scene_pass(HAND_MS);
	ck_assert_uint_eq(chip_count(&other, number, lo, 0x60000000),
			  (c->is_lost ? 2 : 3) * one);
	/* which is made good by writing it again */
	hand_set_uconfig(&other, control, 0x7f);
	hand_run(&other);
	scene_pass(HAND_MS);
	ck_assert_uint_eq(chip_count(&other, number, lo, 0x60000000),
			  (c->is_lost ? 3 : 4) * one);
	hand_close(&other);
}

static const struct ring_case {
	enum gpu gpu;
	const char *reading;
	bool hops;
} ring_cases[] = {
	{ MI100, "stays", false },
	{ MI100, "hops", true },
	{ NAVI21, "hops", true },
	{ MI300, "hops", true },
};

/* What one job says of its queue, the next one may not find. */
TEST_LOOP(doubts, a_queues_state_may_not_outlive_its_job,
	  ARRAY_SIZE(ring_cases))
{
	const struct ring_case *c = &ring_cases[_i];
	enum gpu number = c->gpu;
	uint32_t waves = chips[number].engines;

	chip_reset(number);
	scene_set("compute-ring", c->reading);
	hand_open(&hand, number, COMPUTE);
	chip_prepare(&hand, number);
	hand_set_uconfig(&hand, SQ_SELECT, 4 | SQ_MASKS);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, 1);
	hand_dispatch(&hand, waves, 64, 1);
	hand_run(&hand);
	hand_dispatch(&hand, waves, 64, 1);
	hand_run(&hand);
	ck_assert_uint_eq(chip_count(&hand, number, SQ_LO, 0x60000000),
			  c->hops ? 1 : 2);
}

/*
 * A program that sets it in one queue and takes it back in another has left it
 * set.
 */
TEST_LOOP(doubts, an_enable_bit_left_set_is_a_violation, 2)
{
	chip_reset(MI100);
	scene_set("compute-ring", _i ? "hops" : "stays");
	hand_open(&hand, MI100, COMPUTE);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, 1);
	hand_run(&hand);
	hand_set_sh(&hand, COMPUTE_PERFCOUNT_ENABLE, 0);
	hand_run(&hand);
	hand_close(&hand);
	ck_assert_uint_eq(hand_notes("violation", "perfcount-enable"),
			  (unsigned)_i);
	chip_reset(MI100);
}

static const struct {
	const char *die;
	unsigned seen; /* dies that the eight jobs landed on */
} die_cases[] = {
	{ "any", 1 },
	{ "next", 8 },
	{ "5", 1 },
};

TEST_LOOP(doubts, a_job_reaches_the_die_of_the_reading, ARRAY_SIZE(die_cases))
{
	unsigned found = 0;

	chip_reset(MI300);
	scene_set("gpu6.die", die_cases[_i].die);
	hand_open(&hand, MI300, COMPUTE);
	/* each job marks a die that has not been marked yet */
	for (unsigned i = 0; i < 8; i++) {
		hand_copy_to_result(&hand, TCC_SELECT, 0);
		hand_set_uconfig(&hand, TCC_SELECT, ID);
		hand_run(&hand);
		found += hand.results[0] != ID;
	}
	ck_assert_uint_eq(found, die_cases[_i].seen);
	scene_set("gpu6.die", "any");
}

/* ---- copies */

static void
copy_register(struct hand_gpu *gpu, uint32_t reg, uint32_t source)
{
	hand_packet(gpu, 0x40, 5);
	hand_emit(gpu, source | 5 << 8 | 1 << 20);
	hand_emit(gpu, reg / 4);
	hand_emit(gpu, 0);
	hand_emit_address(gpu, 0);
}

static const struct source_case {
	enum gpu gpu;
	const char *reading;
	uint32_t reg, source;
	bool hangs;
} source_cases[] = {
	{ MI100, "works", TCC_SELECT, 4, false },
	{ MI100, "hangs", TCC_SELECT, 4, true },
	{ MI100, "hangs", TCC_SELECT, 0, false },
	{ MI200, "hangs", CP_PERFMON_CNTL, 4, true },
	{ MI300, "hangs", 0xabf0, 4, true },
	{ MI300, "hangs", 0xabf0, 0, false },
	{ MI300, "hangs", 0x310c, 4, false },
	{ MI300, "hangs-at-ea", 0xabf0, 4, true },
	{ MI300, "hangs-at-ea", 0xabf0, 0, false },
	{ MI300, "hangs-at-ea", TCC_SELECT, 4, false },
	{ NAVI21, "hangs", TCC_SELECT, 4, false },
};

TEST_LOOP(doubts, a_wrong_copy_source_may_hang, ARRAY_SIZE(source_cases))
{
	const struct source_case *c = &source_cases[_i];

	scene_set("copy-source", c->reading);
	hand_open(&hand, c->gpu, COMPUTE);
	copy_register(&hand, c->reg, c->source);
	hand_try(&hand, HAND_MS);
	ck_assert_uint_eq(hand_notes("violation", "hang"), c->hangs);
	chip_reset(c->gpu);
}

static const struct copied_case {
	enum gpu gpu;
	const char *reading;
	uint32_t reg;
	bool writes, faults;
} copied_cases[] = {
	{ POLARIS10, "work", 0x24000, true, false },
	{ POLARIS10, "fault", 0x24000, true, true },
	{ POLARIS10, "fault", 0x24004, false, true },
	{ POLARIS10, "fault", TCC_SELECT, true, false },
	{ NAVI10, "fault", 0x4b20, true, true },
	{ NAVI10, "fault", 0x9c18, true, true },
	{ NAVI10, "work", 0x9c18, true, false },
	{ NAVI10, "fault", 0x3078, true, false },
	{ NAVI21, "fault", 0x37890, true, false },
	{ MI100, "fault", 0xabf8, true, false },
};

/* A fault resets the ring at once: no time passes. */
TEST_LOOP(doubts, copied_registers_may_be_refused, ARRAY_SIZE(copied_cases))
{
	const struct copied_case *c = &copied_cases[_i];
	uint64_t before, after;
	int error;

	scene_set("copied-registers", c->reading);
	hand_open(&hand, c->gpu, COMPUTE);
	if (c->writes)
		hand_copy_to_register(&hand, c->reg, 0);
	else
		copy_register(&hand, c->reg, 0);
	ck_assert_int_eq(drmsim_now(&before), 0);
	error = hand_try(&hand, HAND_SECOND);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_int_eq(error, c->faults ? -ECANCELED : 0);
	ck_assert_uint_eq(after, before);
	ck_assert_uint_eq(hand_notes("violation", "hang"), c->faults);
}

static const struct grbm_case {
	enum gpu gpu;
	const char *reading;
	bool is_stale;
} grbm_cases[] = {
	{ NAVI21, "fresh", false },    { NAVI21, "stale", true },
	{ NAVI10, "stale", true },     { NAVI31, "stale", false },
	{ POLARIS10, "stale", false },
};

/* gfx10: what is read first after a sample may be what was there before. */
TEST_LOOP(doubts, the_first_read_may_be_an_old_value, ARRAY_SIZE(grbm_cases))
{
	const struct grbm_case *c = &grbm_cases[_i];
	enum gpu number = c->gpu;
	uint64_t one = hand_in_a_millisecond(GRBM, ID, 0);

	chip_reset(number);
	scene_set("grbm-read", c->reading);
	hand_open(&hand, number, COMPUTE);
	chip_prepare(&hand, number);
	hand_set_uconfig(&hand, GRBM_SELECT, ID);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_run(&hand);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t first = c->is_stale ? i : i + 1;

		scene_pass(HAND_MS);
		chip_sample(&hand, number);
		hand_copy_to_result(&hand, GRBM_LO, 0);
		hand_copy_to_result(&hand, GRBM_LO, 1);
		hand_run(&hand);
		ck_assert_uint_eq(hand.results[0], first * one);
		ck_assert_uint_eq(hand.results[1], (i + 1) * one);
	}
}

/* A block with switches of its own may have to be stopped before it is read. */
TEST_LOOP(doubts, a_running_block_may_read_as_junk, 2)
{
	const uint32_t junk = 0xbadf00d5;
	uint32_t one = (uint32_t)hand_in_a_millisecond(26, 3, 0);

	chip_reset(MI100);
	scene_set("cfg-read", _i ? "stopped" : "running");
	hand_open(&hand, MI100, COMPUTE);
	chip_prepare(&hand, MI100);
	hand_copy_to_register(&hand, 0x30f8, 3 | 1u << 28 | 1u << 29);
	hand_copy_to_register(&hand, 0x3108, 1u << 24);
	hand_run(&hand);
	scene_pass(HAND_MS);
	copy_register(&hand, 0x310c, 0);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], _i ? junk : one);
	hand_copy_to_register(&hand, 0x3108, 0);
	copy_register(&hand, 0x310c, 0);
	hand_copy_to_register(&hand, 0x3108, 1u << 24);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], one);
	hand_copy_to_register(&hand, 0x3108, 0);
}

/* ---- selects and masks */

/* What is selected while counters run may wait for their reset. */
TEST_LOOP(doubts, a_late_select_may_wait_for_a_reset, 2)
{
	uint64_t one = hand_in_a_millisecond(GRBM, ID, 0);
	uint64_t other = hand_in_a_millisecond(GRBM, ID + 1, 0);

	chip_reset(MI100);
	scene_set("running-select", _i ? "ignored" : "works");
	hand_open(&hand, MI100, COMPUTE);
	chip_prepare(&hand, MI100);
	hand_set_uconfig(&hand, GRBM_SELECT, ID);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_set_uconfig(&hand, GRBM_SELECT, ID + 1);
	hand_copy_to_result(&hand, GRBM_SELECT, 0);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], ID + 1);
	scene_pass(HAND_MS);
	ck_assert_uint_eq(chip_count(&hand, MI100, GRBM_LO, 0),
			  _i ? one : other);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0);
	hand_count(&hand);
	ck_assert_uint_eq(chip_count(&hand, MI100, GRBM_LO, 0), other);
}

static const struct mask_case {
	enum gpu gpu;
	const char *vmids, *selects; /* readings */
	uint32_t control, masks;
	bool counts;
} mask_cases[] = {
	{ MI100, "needed", "needed", 0xffff007f, SQ_MASKS, true },
	{ MI100, "needed", "ignored", 0x7f, 0, false },
	{ MI100, "ignored", "ignored", 0x7f, 0, true },
	{ MI100, "ignored", "needed", 0x7f, 0, false },
	{ MI100, "ignored", "needed", 0x7f, 0xff000, false },
	{ POLARIS10, "needed", "needed", 0x7f, SQ_MASKS, true },
	{ POLARIS10, "needed", "needed", 0x7f, 0, false },
	{ NAVI10, "needed", "needed", 0x7f, 0, false },
	{ NAVI21, "needed", "needed", 0x7f, 0, false },
	{ NAVI21, "needed", "needed", 0x7f, 0xf000, true },
	{ NAVI21, "needed", "ignored", 0x7f, 0, true },
};

TEST_LOOP(doubts, masks_may_be_needed_or_ignored, ARRAY_SIZE(mask_cases))
{
	const struct mask_case *c = &mask_cases[_i];
	enum gpu number = c->gpu;
	uint64_t one = hand_in_a_millisecond(SQ, ID, 0);

	chip_reset(number);
	scene_set("vmid-mask", c->vmids);
	scene_set("select-masks", c->selects);
	hand_open(&hand, number, COMPUTE);
	chip_prepare(&hand, number);
	hand_set_uconfig(&hand, SQ_CTRL, c->control);
	hand_set_uconfig(&hand, SQ_SELECT, ID | c->masks);
	hand_count(&hand);
	ck_assert_uint_eq(chip_count(&hand, number, SQ_LO, 0x60000000),
			  c->counts ? one : 0);
}

/* gfx12: the bit of a pipe that Linux does not use may not be there. */
TEST_LOOP(doubts, the_sync_bit_may_be_absent, 2)
{
	const uint32_t bits = 0x8055 | 1u << 19;

	chip_reset(NAVI48);
	scene_set("sync-bit", _i ? "absent" : "works");
	hand_open(&hand, NAVI48, COMPUTE);
	hand_set_uconfig(&hand, SQG_CTRL, bits);
	hand_read(&hand, 0x60010000, SQG_CTRL, 0);
	hand_set_uconfig(&hand, SQG_CTRL, 0);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], _i ? bits & ~0x8000u : bits);
}

/* ---- traffic */

static const struct copy_case {
	enum gpu gpu;
	const char *reading;
	uint32_t read; /* the event */
	uint32_t control, lines; /* of each channel */
} copy_cases[] = {
	{ MI100, "through-l2", 12, 3u << 29 | 3u << 20, 2 },
	{ MI100, "through-l2", 12, 3u << 20, 0 },
	{ MI100, "past-l2", 12, 3u << 29 | 3u << 20, 0 },
	{ NAVI21, "through-l2", 6, 3u << 29, 2 },
	{ NAVI48, "through-l2", 5, 3u << 29 | 3u << 20, 0 },
};

/* 4 KiB that DMA_DATA reads, with the bit for the L2 and without. */
TEST_LOOP(doubts, copies_may_go_past_the_l2, ARRAY_SIZE(copy_cases))
{
	const struct copy_case *c = &copy_cases[_i];
	enum gpu number = c->gpu;

	chip_reset(number);
	scene_set("copies", c->reading);
	scene_set("default", "zero");
	hand_open(&hand, number, COMPUTE);
	chip_prepare(&hand, number);
	hand_set_uconfig(&hand, TCC_SELECT, c->read);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_packet(&hand, 0x50, 6);
	hand_emit(&hand, c->control);
	hand_emit_address(&hand, 0);
	hand_emit_address(&hand, 0);
	hand_emit(&hand, HAND_RESULTS * 4);
	hand_run(&hand);
	ck_assert_uint_eq(chip_count(&hand, number, 0x34e00, 0xa0000000),
			  c->lines);
}

static const struct posted_case {
	const char *reading;
	bool confirms_next; /* the copy behind */
	uint32_t at_end;
} posted_cases[] = {
	{ "in-order", false, 7 },
	{ "late", false, 0 },
	{ "late", true, 7 },
};

static void
copy_immediate(struct hand_gpu *gpu, uint32_t value, unsigned index,
	       bool confirms)
{
	hand_packet(gpu, 0x40, 5);
	hand_emit(gpu, 5 | 5 << 8 | (uint32_t)confirms << 20);
	hand_emit(gpu, value);
	hand_emit(gpu, 0);
	hand_emit_address(gpu, index);
}

/* What is copied without confirmation may come after the end of its job. */
TEST_LOOP(doubts, posted_writes_may_come_late, ARRAY_SIZE(posted_cases))
{
	const struct posted_case *c = &posted_cases[_i];

	chip_reset(NAVI21);
	scene_set("posted-writes", c->reading);
	hand_open(&hand, NAVI21, COMPUTE);
	hand.results[0] = hand.results[1] = 0;
	copy_immediate(&hand, 7, 0, false);
	copy_immediate(&hand, 8, 1, c->confirms_next);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], c->at_end);
	scene_pass(HAND_MS);
	ck_assert_uint_eq(hand.results[0], 7);
	ck_assert_uint_eq(hand.results[1], 8);
	chip_leave(&hand, NAVI21);
}

/* ---- words */

static const struct word_case {
	const char *key, *value;
	int error;
} word_cases[] = {
	{ "doubts", "worst", 0 },	    { "doubts", "best", 0 },
	{ "doubts", "default", 0 },	    { "doubts", "good", -EINVAL },
	{ "doubts", "best best", -EINVAL }, { "sample", "by-ring", 0 },
	{ "sample", "needed", -EINVAL },    { "sample", "any any", -EINVAL },
	{ "gpu6.die", "8", -EINVAL },	    { "gpu6.die", "last", -EINVAL },
};

TEST_LOOP(doubts, readings_are_accepted_or_refused, ARRAY_SIZE(word_cases))
{
	const struct word_case *c = &word_cases[_i];

	ck_assert_int_eq(drmsim_set(c->key, c->value), c->error);
}

/* All of them at once. */
TEST(doubts, all_readings_can_be_set_at_once)
{
	chip_reset(NAVI21);
	hand_open(&hand, NAVI21, GFX);
	hand.select_bits = CAM_RESET;
	for (unsigned i = 0; i < 2; i++) {
		scene_set("doubts", i ? "best" : "worst");
		chip_prepare(&hand, NAVI21);
		hand_set_uconfig(&hand, CB_SELECT, ID);
		hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
		hand_run(&hand);
		scene_pass(HAND_MS);
		hand_event(&hand, SAMPLE);
		ck_assert_uint_eq(chip_count(&hand, NAVI21, CB_LO, 0),
				  i * hand_in_a_millisecond(CB, ID, 0));
	}
}

TEST_MACHINE("drmsim_amdgpu_doubts", CHIPS);
