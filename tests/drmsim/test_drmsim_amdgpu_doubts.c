/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What only real hardware can tell: each reading of each doubt has the effect
 * that the simulator's README tells, and no other.
 */
#include <errno.h>
#include <stdio.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
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

static void
forget_chips(void)
{
	chips_forget();
	hand_set("doubts", "best");
}

TEST_CASE(doubts, forget_chips, NULL, "drmsim_amdgpu_doubts");

static void
set_of(enum gpu number, const char *key, const char *value)
{
	char name[32];

	snprintf(name, sizeof(name), "gpu%u.%s", number, key);
	hand_set(name, value);
}

/* Read the low halves of two counters, without a sample. */
static void
read_low_halves(struct hand_gpu *gpu, uint32_t first, uint32_t second)
{
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, 0);
	hand_copy_to_result(gpu, first, 0);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_copy_to_result(gpu, second, 1);
	hand_run(gpu);
}

/* ---- the graphics pipe's events */

static const struct {
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
	enum gpu number = start_cases[_i].gpu;
	uint64_t cb = hand_in_a_millisecond(CB, ID, 0);
	uint64_t grbm = hand_in_a_millisecond(GRBM, ID, 0);
	uint64_t before = start_cases[_i].counts_before_start;
	struct hand_gpu gpu, graphics;

	chip_reset(number);
	hand_set("start-event", start_cases[_i].reading);
	hand_open(&gpu, number, start_cases[_i].ip);
	hand_open(&graphics, number, GFX);
	chip_prepare(&gpu, number);
	hand_set_uconfig(&gpu, CB_SELECT, ID);
	hand_set_uconfig(&gpu, GRBM_SELECT, ID);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	/* on a compute ring it is nothing */
	if (start_cases[_i].ip == COMPUTE)
		hand_event(&gpu, START);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	chip_sample(&gpu, number);
	read_low_halves(&gpu, CB_LO, GRBM_LO);
	ck_assert_uint_eq(gpu.results[0], before * cb);
	ck_assert_uint_eq(gpu.results[1], grbm);
	hand_event(&graphics, START);
	hand_run(&graphics);
	hand_advance(HAND_MS);
	hand_event(&graphics, STOP);
	hand_run(&graphics);
	hand_advance(HAND_MS);
	chip_sample(&gpu, number);
	read_low_halves(&gpu, CB_LO, GRBM_LO);
	ck_assert_uint_eq(gpu.results[0], (1 + 2 * before) * cb);
	ck_assert_uint_eq(gpu.results[1], 3 * grbm);
	hand_close(&graphics);
	chip_leave(&gpu, number);
}

static const struct {
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
	struct hand_gpu gpu;

	chip_reset(NAVI21);
	hand_set("sample", sample_cases[_i].reading);
	hand_open(&gpu, NAVI21, sample_cases[_i].ip);
	chip_prepare(&gpu, NAVI21);
	hand_set_uconfig(&gpu, CB_SELECT, ID);
	hand_set_uconfig(&gpu, GRBM_SELECT, ID);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	if (sample_cases[_i].by_event)
		hand_event(&gpu, SAMPLE);
	if (sample_cases[_i].by_bit)
		hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0x401);
	read_low_halves(&gpu, CB_LO, GRBM_LO);
	ck_assert_uint_eq(gpu.results[0],
			  sample_cases[_i].cb *
				  hand_in_a_millisecond(CB, ID, 0));
	ck_assert_uint_eq(gpu.results[1],
			  sample_cases[_i].grbm *
				  hand_in_a_millisecond(GRBM, ID, 0));
	chip_leave(&gpu, NAVI21);
}

/* ---- what SQ sees */

static void
dispatch_waves(struct hand_gpu *gpu, uint32_t waves)
{
	for (unsigned i = 0; i < 3; i++)
		hand_set_sh(gpu, COMPUTE_NUM_THREAD_X + 4 * i, i ? 1 : 64);
	hand_packet(gpu, 0x15, 4);
	hand_emit(gpu, waves);
	for (unsigned i = 0; i < 3; i++)
		hand_emit(gpu, 1);
}

/* Events that count waves: SQ.4; of SQ_WGP they are of its WGP. */
static const struct {
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
	enum gpu number = force_cases[_i].gpu;
	unsigned engines = chips[number].engines;
	bool has_wgp = chip_has_sqg(number);
	/* one instance gets its share of as many waves as there are, x 2 */
	uint32_t waves = 2 * (has_wgp ? chips[number].units / 2 : engines);
	struct hand_gpu gpu;

	chip_reset(number);
	hand_set("force-en", force_cases[_i].reading);
	hand_open(&gpu, number, COMPUTE);
	chip_prepare(&gpu, number);
	hand_set_uconfig(&gpu, SQ_CTRL2, 0x1fffe | force_cases[_i].force);
	hand_set_uconfig(&gpu, SQ_SELECT, 4 | (has_wgp ? 0 : SQ_MASKS));
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_set_sh(&gpu, COMPUTE_PERFCOUNT_ENABLE, force_cases[_i].enable);
	dispatch_waves(&gpu, waves);
	hand_set_sh(&gpu, COMPUTE_PERFCOUNT_ENABLE, 0);
	hand_run(&gpu);
	ck_assert_uint_eq(
		chip_count(&gpu, number, SQ_LO, has_wgp ? 0 : 0x60000000),
		force_cases[_i].is_counted ? 2 : 0);
	chip_leave(&gpu, number);
}

static const struct {
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
	hand_advance(HAND_MS);
	return chip_count(gpu, number, SQ_LO, 0);
}

/* 32 bits may stick when they are full, until something writes them. */
TEST_LOOP(doubts, a_full_counter_may_stick, ARRAY_SIZE(full_cases))
{
	enum gpu number = full_cases[_i].gpu;
	struct hand_gpu gpu;

	chip_reset(number);
	hand_set("full-counter", full_cases[_i].reading);
	set_of(number, "start-value", "SQ_WGP 0xffffff00");
	set_of(number, "rate", "SQ_WGP.5 384000");
	hand_open(&gpu, number, COMPUTE);
	chip_prepare(&gpu, number);
	hand_set_uconfig(&gpu, SQ_SELECT, 5);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	ck_assert_uint_eq(count_on(&gpu, number), full_cases[_i].after_one);
	ck_assert_uint_eq(count_on(&gpu, number), full_cases[_i].after_two);
	hand_set_uconfig(&gpu, SQ_LO, 0);
	ck_assert_uint_eq(count_on(&gpu, number), 384);
	set_of(number, "start-value", "SQ_WGP 0");
	set_of(number, "rate", "SQ_WGP.5 0");
	chip_leave(&gpu, number);
}

/* ---- clocks */

static const struct {
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
	struct hand_gpu gpu;

	chip_reset(NAVI31);
	hand_set("gating", gating_cases[_i].reading);
	hand_set("gpu2.gated-clock", gating_cases[_i].gated ? "on" : "off");
	hand_open(&gpu, NAVI31, COMPUTE);
	hand_set_uconfig(&gpu, SQG_CTRL, 0x7f);
	hand_set_uconfig(&gpu, 0x36740, ID);
	hand_set_uconfig(&gpu, GRBM_SELECT, ID);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	chip_sample(&gpu, NAVI31);
	read_low_halves(&gpu, 0x34790, GRBM_LO);
	ck_assert_uint_eq(gpu.results[0],
			  gating_cases[_i].sq *
				  hand_in_a_millisecond(SQ, ID, 0));
	ck_assert_uint_eq(gpu.results[1],
			  gating_cases[_i].grbm *
				  hand_in_a_millisecond(GRBM, ID, 0));
	hand_set("gpu2.gated-clock", "off");
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0);
	hand_run(&gpu);
	hand_close(&gpu);
}

static const struct {
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
	struct hand_gpu gpu;

	chip_reset(POLARIS10);
	hand_set("idle-clock", idle_cases[_i].reading);
	hand_open(&gpu, POLARIS10, COMPUTE);
	chip_prepare(&gpu, POLARIS10);
	chip_hold(&gpu, idle_cases[_i].pstate);
	hand_set_uconfig(&gpu, TCC_SELECT, idle_cases[_i].cycle);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	ck_assert_int_eq(chip_count(&gpu, POLARIS10, 0x34e00, 0xa0000000) > 0,
			 idle_cases[_i].counts);
	chip_leave(&gpu, POLARIS10);
}

/* ---- rings */

static const struct {
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
	enum gpu number = owner_cases[_i].gpu;
	uint32_t select = number == NAVI31 ? 0x36740 : SQ_SELECT;
	uint32_t lo = number == NAVI31 ? 0x34790 : SQ_LO;
	uint32_t control = number == NAVI31 ? SQG_CTRL : SQ_CTRL;
	uint32_t bits = number == POLARIS10 ? SQ_MASKS : 0;
	uint64_t one = hand_in_a_millisecond(SQ, ID, 0);
	struct hand_gpu gpu, other;

	chip_reset(number);
	hand_set("sq-control", owner_cases[_i].reading);
	hand_open(&gpu, number, GFX);
	hand_open(&other, number, COMPUTE);
	chip_prepare(&gpu, number);
	hand_set_uconfig(&gpu, select, ID | bits);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	/* its own ring takes nothing away */
	ck_assert_uint_eq(chip_count(&gpu, number, lo, 0x60000000), one);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(chip_count(&other, number, lo, 0x60000000), 2 * one);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(chip_count(&other, number, lo, 0x60000000),
			  (owner_cases[_i].is_lost ? 2 : 3) * one);
	/* which is made good by writing it again */
	hand_set_uconfig(&other, control, 0x7f);
	hand_run(&other);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(chip_count(&other, number, lo, 0x60000000),
			  (owner_cases[_i].is_lost ? 3 : 4) * one);
	hand_close(&other);
	chip_leave(&gpu, number);
}

static const struct {
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
	enum gpu number = ring_cases[_i].gpu;
	uint32_t waves = chips[number].engines;
	struct hand_gpu gpu;

	chip_reset(number);
	hand_set("compute-ring", ring_cases[_i].reading);
	hand_open(&gpu, number, COMPUTE);
	chip_prepare(&gpu, number);
	hand_set_uconfig(&gpu, SQ_SELECT, 4 | SQ_MASKS);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_set_sh(&gpu, COMPUTE_PERFCOUNT_ENABLE, 1);
	dispatch_waves(&gpu, waves);
	hand_run(&gpu);
	dispatch_waves(&gpu, waves);
	hand_run(&gpu);
	ck_assert_uint_eq(chip_count(&gpu, number, SQ_LO, 0x60000000),
			  ring_cases[_i].hops ? 1 : 2);
	chip_leave(&gpu, number);
}

/*
 * A program that sets it in one queue and takes it back in another has left it
 * set.
 */
TEST_LOOP(doubts, an_enable_bit_left_set_is_a_violation, 2)
{
	struct hand_gpu gpu;

	chip_reset(MI100);
	hand_set("compute-ring", _i ? "hops" : "stays");
	hand_open(&gpu, MI100, COMPUTE);
	hand_set_sh(&gpu, COMPUTE_PERFCOUNT_ENABLE, 1);
	hand_run(&gpu);
	hand_set_sh(&gpu, COMPUTE_PERFCOUNT_ENABLE, 0);
	hand_run(&gpu);
	hand_close(&gpu);
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
	struct hand_gpu gpu;

	chip_reset(MI300);
	hand_set("gpu6.die", die_cases[_i].die);
	hand_open(&gpu, MI300, COMPUTE);
	/* each job marks a die that has not been marked yet */
	for (unsigned i = 0; i < 8; i++) {
		hand_copy_to_result(&gpu, TCC_SELECT, 0);
		hand_set_uconfig(&gpu, TCC_SELECT, ID);
		hand_run(&gpu);
		found += gpu.results[0] != ID;
	}
	ck_assert_uint_eq(found, die_cases[_i].seen);
	hand_set("gpu6.die", "any");
	hand_close(&gpu);
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

static const struct {
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
	uint64_t sequence;
	uint32_t expired = 0;
	struct hand_gpu gpu;

	hand_set("copy-source", source_cases[_i].reading);
	hand_open(&gpu, source_cases[_i].gpu, COMPUTE);
	copy_register(&gpu, source_cases[_i].reg, source_cases[_i].source);
	ck_assert_int_eq(hand_submit(&gpu, &sequence), 0);
	hand_wait(&gpu, sequence, HAND_MS, &expired);
	ck_assert_uint_eq(hand_notes("violation", "hang"),
			  source_cases[_i].hangs);
	chip_reset(source_cases[_i].gpu);
	hand_close(&gpu);
}

static const struct {
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
	uint64_t sequence, before, after;
	uint32_t expired = 0;
	struct hand_gpu gpu;
	int error;

	hand_set("copied-registers", copied_cases[_i].reading);
	hand_open(&gpu, copied_cases[_i].gpu, COMPUTE);
	if (copied_cases[_i].writes)
		hand_copy_to_register(&gpu, copied_cases[_i].reg, 0);
	else
		copy_register(&gpu, copied_cases[_i].reg, 0);
	ck_assert_int_eq(drmsim_now(&before), 0);
	ck_assert_int_eq(hand_submit(&gpu, &sequence), 0);
	error = hand_wait(&gpu, sequence, HAND_SECOND, &expired);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_int_eq(error, copied_cases[_i].faults ? -ECANCELED : 0);
	ck_assert_uint_eq(after, before);
	ck_assert_uint_eq(hand_notes("violation", "hang"),
			  copied_cases[_i].faults);
	hand_close(&gpu);
}

static const struct {
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
	enum gpu number = grbm_cases[_i].gpu;
	uint64_t one = hand_in_a_millisecond(GRBM, ID, 0);
	struct hand_gpu gpu;

	chip_reset(number);
	hand_set("grbm-read", grbm_cases[_i].reading);
	hand_open(&gpu, number, COMPUTE);
	chip_prepare(&gpu, number);
	hand_set_uconfig(&gpu, GRBM_SELECT, ID);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t first = grbm_cases[_i].is_stale ? i : i + 1;

		hand_advance(HAND_MS);
		chip_sample(&gpu, number);
		hand_copy_to_result(&gpu, GRBM_LO, 0);
		hand_copy_to_result(&gpu, GRBM_LO, 1);
		hand_run(&gpu);
		ck_assert_uint_eq(gpu.results[0], first * one);
		ck_assert_uint_eq(gpu.results[1], (i + 1) * one);
	}
	chip_leave(&gpu, number);
}

/* A block with switches of its own may have to be stopped before it is read. */
TEST_LOOP(doubts, a_running_block_may_read_as_junk, 2)
{
	const uint32_t junk = 0xbadf00d5;
	uint32_t one = (uint32_t)hand_in_a_millisecond(26, 3, 0);
	struct hand_gpu gpu;

	chip_reset(MI100);
	hand_set("cfg-read", _i ? "stopped" : "running");
	hand_open(&gpu, MI100, COMPUTE);
	chip_prepare(&gpu, MI100);
	hand_copy_to_register(&gpu, 0x30f8, 3 | 1u << 28 | 1u << 29);
	hand_copy_to_register(&gpu, 0x3108, 1u << 24);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	copy_register(&gpu, 0x310c, 0);
	hand_run(&gpu);
	ck_assert_uint_eq(gpu.results[0], _i ? junk : one);
	hand_copy_to_register(&gpu, 0x3108, 0);
	copy_register(&gpu, 0x310c, 0);
	hand_copy_to_register(&gpu, 0x3108, 1u << 24);
	hand_run(&gpu);
	ck_assert_uint_eq(gpu.results[0], one);
	hand_copy_to_register(&gpu, 0x3108, 0);
	chip_leave(&gpu, MI100);
}

/* ---- selects and masks */

/* What is selected while counters run may wait for their reset. */
TEST_LOOP(doubts, a_late_select_may_wait_for_a_reset, 2)
{
	uint64_t one = hand_in_a_millisecond(GRBM, ID, 0);
	uint64_t other = hand_in_a_millisecond(GRBM, ID + 1, 0);
	struct hand_gpu gpu;

	chip_reset(MI100);
	hand_set("running-select", _i ? "ignored" : "works");
	hand_open(&gpu, MI100, COMPUTE);
	chip_prepare(&gpu, MI100);
	hand_set_uconfig(&gpu, GRBM_SELECT, ID);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_set_uconfig(&gpu, GRBM_SELECT, ID + 1);
	hand_copy_to_result(&gpu, GRBM_SELECT, 0);
	hand_run(&gpu);
	ck_assert_uint_eq(gpu.results[0], ID + 1);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(chip_count(&gpu, MI100, GRBM_LO, 0),
			  _i ? one : other);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(chip_count(&gpu, MI100, GRBM_LO, 0), other);
	chip_leave(&gpu, MI100);
}

static const struct {
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
	enum gpu number = mask_cases[_i].gpu;
	uint64_t one = hand_in_a_millisecond(SQ, ID, 0);
	struct hand_gpu gpu;

	chip_reset(number);
	hand_set("vmid-mask", mask_cases[_i].vmids);
	hand_set("select-masks", mask_cases[_i].selects);
	hand_open(&gpu, number, COMPUTE);
	chip_prepare(&gpu, number);
	hand_set_uconfig(&gpu, SQ_CTRL, mask_cases[_i].control);
	hand_set_uconfig(&gpu, SQ_SELECT, ID | mask_cases[_i].masks);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_run(&gpu);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(chip_count(&gpu, number, SQ_LO, 0x60000000),
			  mask_cases[_i].counts ? one : 0);
	chip_leave(&gpu, number);
}

/* gfx12: the bit of a pipe that Linux does not use may not be there. */
TEST_LOOP(doubts, the_sync_bit_may_be_absent, 2)
{
	const uint32_t bits = 0x8055 | 1u << 19;
	struct hand_gpu gpu;

	chip_reset(NAVI48);
	hand_set("sync-bit", _i ? "absent" : "works");
	hand_open(&gpu, NAVI48, COMPUTE);
	hand_set_uconfig(&gpu, SQG_CTRL, bits);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, 0x60010000);
	hand_copy_to_result(&gpu, SQG_CTRL, 0);
	hand_set_uconfig(&gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(&gpu, SQG_CTRL, 0);
	hand_run(&gpu);
	ck_assert_uint_eq(gpu.results[0], _i ? bits & ~0x8000u : bits);
	hand_close(&gpu);
}

/* ---- traffic */

static const struct {
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
	enum gpu number = copy_cases[_i].gpu;
	struct hand_gpu gpu;

	chip_reset(number);
	hand_set("copies", copy_cases[_i].reading);
	hand_set("default", "zero");
	hand_open(&gpu, number, COMPUTE);
	chip_prepare(&gpu, number);
	hand_set_uconfig(&gpu, TCC_SELECT, copy_cases[_i].read);
	hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
	hand_packet(&gpu, 0x50, 6);
	hand_emit(&gpu, copy_cases[_i].control);
	hand_emit_address(&gpu, 0);
	hand_emit_address(&gpu, 0);
	hand_emit(&gpu, HAND_RESULTS * 4);
	hand_run(&gpu);
	ck_assert_uint_eq(chip_count(&gpu, number, 0x34e00, 0xa0000000),
			  copy_cases[_i].lines);
	chip_leave(&gpu, number);
}

static const struct {
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
	struct hand_gpu gpu;

	chip_reset(NAVI21);
	hand_set("posted-writes", posted_cases[_i].reading);
	hand_open(&gpu, NAVI21, COMPUTE);
	gpu.results[0] = gpu.results[1] = 0;
	copy_immediate(&gpu, 7, 0, false);
	copy_immediate(&gpu, 8, 1, posted_cases[_i].confirms_next);
	hand_run(&gpu);
	ck_assert_uint_eq(gpu.results[0], posted_cases[_i].at_end);
	hand_advance(HAND_MS);
	ck_assert_uint_eq(gpu.results[0], 7);
	ck_assert_uint_eq(gpu.results[1], 8);
	chip_leave(&gpu, NAVI21);
}

/* ---- words */

static const struct {
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
	ck_assert_int_eq(drmsim_set(word_cases[_i].key, word_cases[_i].value),
			 word_cases[_i].error);
}

/* All of them at once. */
TEST(doubts, all_readings_can_be_set_at_once)
{
	struct hand_gpu gpu;

	chip_reset(NAVI21);
	hand_open(&gpu, NAVI21, GFX);
	gpu.select_bits = CAM_RESET;
	for (unsigned i = 0; i < 2; i++) {
		hand_set("doubts", i ? "best" : "worst");
		chip_prepare(&gpu, NAVI21);
		hand_set_uconfig(&gpu, CB_SELECT, ID);
		hand_set_uconfig(&gpu, CP_PERFMON_CNTL, 1);
		hand_run(&gpu);
		hand_advance(HAND_MS);
		hand_event(&gpu, SAMPLE);
		ck_assert_uint_eq(chip_count(&gpu, NAVI21, CB_LO, 0),
				  i * hand_in_a_millisecond(CB, ID, 0));
	}
	chip_leave(&gpu, NAVI21);
}

TEST_MACHINE("drmsim_amdgpu_doubts", CHIPS);
