/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a generation of AMD GPUs does differently: traps of its counters, dies,
 * and packets that it knows or does not.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/drmsim/chips.h"

/* ---- traps of single generations */

TEST_CASE(traps, chips_forget, hand_finish, "drmsim_amdgpu_generations");

/* gfx10: SQ counters that are stopped may be dead until a reboot. */
TEST_LOOP(traps, a_stopped_sq_may_be_dead_on_gfx10, 2)
{
	enum gpu number = _i ? NAVI10 : NAVI21;

	hand_open(&hand, number, COMPUTE);
	/* selects of a count that has ended do not matter */
	chip_prepare(&hand, number);
	hand_set_uconfig(&hand, 0x36700, 64 | 0xf000);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_run(&hand);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0);
	hand_run(&hand);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x402);
	hand_run(&hand);
	ck_assert_uint_eq(hand_notes("violation", "risk"), 0);
	/* but those of this one do */
	hand_set_uconfig(&hand, 0x36700, 64 | 0xf000);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0);
	hand_count(&hand);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x402);
	hand_run(&hand);
	ck_assert_uint_eq(hand_notes("violation", "risk"), 1);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0);
	hand_count(&hand);
	/* as for radv, which does so */
	ck_assert_uint_eq(chip_count(&hand, number, 0x34700, 0x60000000),
			  hand_in_a_millisecond(6, 64, 0));
	chip_leave(&hand, number);
	chip_reset(number);
}

/* gfx11: the event STOP leaves CB's counters at zero. */
TEST(traps, the_stop_event_clears_cb_on_gfx11)
{
	hand_open(&hand, NAVI31, GFX);
	hand.select_bits = CAM_RESET;
	chip_prepare(&hand, NAVI31);
	hand_set_uconfig(&hand, 0x37004, 20);
	hand_set_uconfig(&hand, 0x36104, 20);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_event(&hand, 23);
	hand_run(&hand);
	scene_pass(HAND_MS);
	ck_assert_uint_eq(chip_count(&hand, NAVI31, 0x35018, 0),
			  hand_in_a_millisecond(14, 20, 0));
	hand_event(&hand, 24);
	hand_run(&hand);
	ck_assert_uint_eq(hand_notes("violation", "stuck"), 1);
	scene_pass(HAND_MS);
	ck_assert_uint_eq(chip_count(&hand, NAVI31, 0x35018, 0), 0);
	ck_assert_uint_eq(chip_count(&hand, NAVI31, 0x3410c, HAND_BROADCAST),
			  2 * hand_in_a_millisecond(17, 20, 0));
	chip_leave(&hand, NAVI31);
	chip_reset(NAVI31);
}

/* gfx10 and later: the same select for another instance may be dropped. */
TEST_LOOP(traps, a_repeated_select_may_be_dropped, 5)
{
	static const struct {
		enum gpu gpu;
		unsigned ip;
		uint32_t bits;
		bool is_lost;
	} cases[] = {
		{ NAVI21, GFX, 0, true },
		{ NAVI21, GFX, CAM_RESET, false },
		{ NAVI21, COMPUTE, 0, false },
		{ NAVI48, GFX, 0, true },
		{ POLARIS10, GFX, 0, false },
	};
	enum gpu number = cases[_i].gpu;
	unsigned block = number == POLARIS10 ? 11 : 38; /* TCC or GL2C */

	chip_reset(number);
	hand_open(&hand, number, cases[_i].ip);
	chip_prepare(&hand, number);
	hand.select_bits = cases[_i].bits;
	hand_set_uconfig(&hand, GRBM_GFX_INDEX, 0xa0000000);
	hand_set_uconfig(&hand, 0x36e00, 5);
	hand_set_uconfig(&hand, GRBM_GFX_INDEX, 0xa0000001);
	hand_set_uconfig(&hand, 0x36e00, 5);
	hand_set_uconfig(&hand, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_count(&hand);
	ck_assert_uint_eq(chip_count(&hand, number, 0x34e00, 0xa0000000),
			  hand_in_a_millisecond(block, 5, 0));
	ck_assert_uint_eq(
		chip_count(&hand, number, 0x34e00, 0xa0000001),
		cases[_i].is_lost ? 0 : hand_in_a_millisecond(block, 5, 1));
	ck_assert_uint_eq(hand_notes("violation", "filter-cam"),
			  cases[_i].is_lost);
}

/* gfx10.3: an idle GPU forgets, unless a pstate is held. */
TEST_LOOP(traps, an_idle_gpu_forgets_without_a_pstate, 2)
{
	hand_open(&hand, NAVI21, COMPUTE);
	hand_set_uconfig(&hand, 0x37390, 1);
	hand_set_uconfig(&hand, 0x36104, 20);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_run(&hand);
	scene_pass(_i ? 99 * HAND_MS : 100 * HAND_MS);
	ck_assert_uint_eq(chip_count(&hand, NAVI21, 0x3410c, HAND_BROADCAST),
			  _i ? 99 * hand_in_a_millisecond(17, 20, 0) : 0);
	chip_hold(&hand, PEAK);
	hand_set_uconfig(&hand, 0x37390, 1);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(&hand, 0x36104, 20);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_run(&hand);
	scene_pass(HAND_SECOND);
	ck_assert_uint_eq(chip_count(&hand, NAVI21, 0x3410c, HAND_BROADCAST),
			  1000 * hand_in_a_millisecond(17, 20, 0) & 0xffffffff);
	chip_hold(&hand, NO_PSTATE);
	chip_leave(&hand, NAVI21);
}

/* A WGP counts what its SIMDs see that were told to. */
TEST_LOOP(traps, a_wgp_counts_the_simds_that_were_set, 3)
{
	static const uint32_t written[] = { 1, 2, 4 };
	uint64_t whole = hand_in_a_millisecond(49, 4 * 16, 1);

	hand_open(&hand, NAVI31, COMPUTE);
	chip_prepare(&hand, NAVI31);
	/* another event does not make those count that are not told of this */
	hand_set_uconfig(&hand, 0x36700, 5);
	for (uint32_t simd = 0; simd < written[_i]; simd++) {
		hand_set_uconfig(&hand, GRBM_GFX_INDEX, 4 + simd);
		hand_set_uconfig(&hand, 0x36700, 4 * 16);
	}
	hand_set_uconfig(&hand, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_count(&hand);
	ck_assert_uint_eq(chip_count(&hand, NAVI31, 0x34700, 4),
			  whole * written[_i] / 4);
}

/* ---- gfx12: reads may overtake a sample */

struct late_case {
	const char *name;
	unsigned ip;
	uint32_t select, id, lo;
	bool sync;
	uint32_t toggle;
	bool poll, is_old;
	unsigned block;
};

#define PIPE_OF_GFX 0x8000 /* DISABLE_ME0PIPE1, where no ring is */
#define PIPE_OF_COMPUTE 0x80000 /* DISABLE_ME1PIPE3 */

static const struct late_case late_cases[] = {
	{ "SQ, nothing done", COMPUTE, 0x36740, 30, 0x34790, false, 0, false,
	  true, 6 },
	{ "SQ, toggled and waited for", COMPUTE, 0x36740, 30, 0x34790, false,
	  PIPE_OF_GFX, true, false, 6 },
	{ "SQ, a pipe in use", COMPUTE, 0x36740, 30, 0x34790, false,
	  PIPE_OF_COMPUTE, true, false, 6 },
	{ "SQ, toggled only", COMPUTE, 0x36740, 30, 0x34790, false, PIPE_OF_GFX,
	  false, true, 6 },
	{ "SQ, what was there waited for", COMPUTE, 0x36740, 30, 0x34790, false,
	  0, true, true, 6 },
	{ "SPI on compute", COMPUTE, 0x36600, 19, 0x34604, false, 0, false,
	  false, 5 },
	{ "SPI on graphics", GFX, 0x36600, 19, 0x34604, false, 0, false, true,
	  5 },
	{ "SPI on graphics, waited for", GFX, 0x36600, 19, 0x34604, true, 0,
	  false, false, 5 },
	{ "a global block", GFX, 0x36104, 19, 0x3410c, false, 0, false, false,
	  17 },
};

TEST_LOOP(traps, a_late_sample_shows_in_the_sync_bit, ARRAY_SIZE(late_cases))
{
	const struct late_case *c = &late_cases[_i];
	uint64_t one = hand_in_a_millisecond(c->block, c->id, 0);
	uint32_t flag;

	chip_reset(NAVI48);
	scene_set("sync-bit", "works");
	hand_open(&hand, NAVI48, c->ip);
	hand.select_bits = c->ip == GFX ? CAM_RESET : 0;
	chip_prepare(&hand, NAVI48);
	hand_set_uconfig(&hand, c->select, c->id);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	hand_run(&hand);
	flag = 0x807f ^ c->toggle;
	scene_pass(HAND_MS);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 0x401);
	hand_set_uconfig(&hand, GRBM_GFX_INDEX, 0x60000000);
	if (c->sync)
		chip_wait(&hand, GRBMH_SYNC, 1);
	if (c->toggle)
		hand_set_uconfig(&hand, SQG_CTRL, flag);
	if (c->poll)
		chip_wait(&hand, SQG_CTRL, flag);
	hand_copy_to_result(&hand, c->lo, 0);
	hand_set_uconfig(&hand, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_run(&hand);
	ck_assert_msg(hand.results[0] == (c->is_old ? 0 : one), "%s: %u",
		      c->name, hand.results[0]);
	ck_assert_uint_eq(hand_notes("violation", "unlatched-read"), c->is_old);
	ck_assert_uint_eq(hand_notes("violation", "hidden-pipe"),
			  c->toggle == PIPE_OF_COMPUTE);
}

/* ---- MI300: several dies, of which a submission sees one */

/* Write a dword to a result by WRITE_DATA. */
static void
write_result(struct hand_gpu *gpu, unsigned index, uint32_t value)
{
	uint64_t to = gpu->result_address + 4 * index;

	hand_packet(gpu, 0x37, 4);
	hand_emit(gpu, 5 << 8 | 1 << 20);
	hand_emit(gpu, (uint32_t)to);
	hand_emit(gpu, (uint32_t)(to >> 32));
	hand_emit(gpu, value);
}

TEST_LOOP(traps, each_die_obeys_its_own_predicate, 8)
{
	const unsigned die = (unsigned)_i;
	char number[16];

	snprintf(number, sizeof(number), "%u", die);
	scene_set("gpu6.die", number);
	hand_open(&hand, MI300, COMPUTE);
	chip_prepare(&hand, MI300);
	hand_set_uconfig(&hand, 0x36700, 26 | SQ_MASKS);
	hand_set_uconfig(&hand, 0x36e00, 20);
	hand_set_uconfig(&hand, CP_PERFMON_CNTL, 1);
	/* what follows PRED_EXEC is for the dies with a bit there */
	for (unsigned d = 0; d < 8; d++) {
		hand.results[16 + d] = 0;
		hand_packet(&hand, 0x23, 1);
		hand_emit(&hand, 1u << (24 + d) | 5);
		write_result(&hand, 16 + d, 1);
	}
	write_result(&hand, 24, 4711);
	hand_run(&hand);
	scene_pass(HAND_MS);
	for (unsigned d = 0; d < 8; d++)
		ck_assert_uint_eq(hand.results[16 + d], d == die);
	ck_assert_uint_eq(hand.results[24], 4711);
	ck_assert_uint_eq(chip_count(&hand, MI300, 0x34700, 0x60020000),
			  hand_in_a_millisecond(6, 26, 4 * die + 2));
	ck_assert_uint_eq(chip_count(&hand, MI300, 0x34e00, 0xa0000007),
			  hand_in_a_millisecond(11, 20, 16 * die + 7));
	/* a neighbour knows nothing of it */
	scene_set("gpu6.die", die ? "0" : "7");
	ck_assert_uint_eq(chip_count(&hand, MI300, 0x34700, 0x60020000), 0);
	scene_set("gpu6.die", number);
	chip_leave(&hand, MI300);
	scene_set("gpu6.die", "any");
}

/* What an AID has is reached by the first of its two dies. */
TEST_LOOP(traps, the_first_die_of_an_aid_reaches_it, 2)
{
	scene_set("gpu6.die", _i ? "3" : "2");
	hand_open(&hand, MI300, COMPUTE);
	chip_prepare(&hand, MI300);
	hand_copy_to_register(&hand, 0x30f8, 3 | 1u << 28 | 1u << 29);
	hand_copy_to_register(&hand, 0x3108, 1u << 24);
	hand_run(&hand);
	scene_pass(HAND_MS);
	hand_copy_to_register(&hand, 0x3108, 0);
	hand_copy_to_result(&hand, 0x310c, 0);
	hand_run(&hand);
	if (_i == 0)
		ck_assert_uint_eq(hand.results[0],
				  hand_in_a_millisecond(26, 3, 1));
	else
		ck_assert_uint_eq(hand.results[0], 0xbadf00d5);
	chip_leave(&hand, MI300);
	scene_set("gpu6.die", "any");
}

/* ---- gfx7 and gfx8: one end-of-pipe event does not wait */

static void
end_of_pipe(struct hand_gpu *gpu, unsigned index, uint32_t value)
{
	uint64_t to = gpu->result_address + 4 * index;

	hand_packet(gpu, 0x47, 5);
	hand_emit(gpu, 40 | 5 << 8);
	hand_emit(gpu, (uint32_t)to);
	hand_emit(gpu, (uint32_t)(to >> 32) | 1u << 29);
	hand_emit(gpu, value);
	hand_emit(gpu, 0);
}

TEST_LOOP(traps, lone_end_of_pipe, 4)
{
	enum gpu number = _i % 2 ? BONAIRE : POLARIS10;
	unsigned events = _i / 2 ? 2 : 1;
	uint64_t before, after;

	hand_open(&hand, number, GFX);
	hand_dispatch(&hand, 1, 64, 1);
	hand.results[0] = hand.results[1] = hand.results[2] = 0;
	for (unsigned i = 0; i < events; i++)
		end_of_pipe(&hand, i, 1);
	/* wait for the last of them, then look at the GPU's clock */
	hand_wait_result(&hand, events - 1, 1, 0xffffffff);
	hand_packet(&hand, 0x40, 5);
	hand_emit(&hand, 9 | 5 << 8 | 1 << 16 | 1 << 20);
	hand_emit(&hand, 0);
	hand_emit(&hand, 0);
	hand_emit_address(&hand, 2);
	ck_assert_int_eq(drmsim_now(&before), 0);
	hand_run(&hand);
	after = hand_result64(&hand, 2) * 1000000 / chips[number].khz;
	/* the work takes 10 us; a tick of the clock is 40 ns */
	if (events == 1)
		ck_assert_uint_le(after, before);
	else
		ck_assert_uint_ge(after + 100, before + 10000);
}

/* ---- packets that a generation knows or does not */

struct packet_case {
	enum gpu gpu;
	const char *name;
	unsigned ip;
	uint32_t header;
	unsigned count; /* dwords of body: zeros */
	bool hangs;
};

#define TYPE3(opcode, count) (0xc0000000u | ((count)-1) << 16 | (opcode) << 8)

static const struct packet_case packet_cases[] = {
	{ NAVI21, "ACQUIRE_MEM of gfx10", GFX, TYPE3(0x58, 7), 7, false },
	{ NAVI21, "ACQUIRE_MEM of gfx9", GFX, TYPE3(0x58, 6), 6, true },
	{ NAVI48, "ACQUIRE_MEM of gfx9", COMPUTE, TYPE3(0x58, 6), 6, true },
	{ MI200, "ACQUIRE_MEM of gfx9", COMPUTE, TYPE3(0x58, 6), 6, false },
	{ MI200, "ACQUIRE_MEM of gfx10", COMPUTE, TYPE3(0x58, 7), 7, true },
	{ BONAIRE, "SURFACE_SYNC", GFX, TYPE3(0x43, 4), 4, false },
	{ NAVI10, "SURFACE_SYNC", GFX, TYPE3(0x43, 4), 4, true },
	{ BONAIRE, "RELEASE_MEM on compute", COMPUTE, TYPE3(0x49, 6), 6,
	  false },
	{ BONAIRE, "RELEASE_MEM on graphics", GFX, TYPE3(0x49, 6), 6, true },
	{ POLARIS10, "RELEASE_MEM of gfx9", COMPUTE, TYPE3(0x49, 7), 7, true },
	{ MI100, "RELEASE_MEM of gfx8", COMPUTE, TYPE3(0x49, 6), 6, true },
	{ MI300, "RELEASE_MEM", COMPUTE, TYPE3(0x49, 7), 7, false },
	{ POLARIS10, "EVENT_WRITE_EOP", GFX, TYPE3(0x47, 5), 5, false },
	{ NAVI31, "EVENT_WRITE_EOP", GFX, TYPE3(0x47, 5), 5, true },
	{ NAVI21, "counter window", COMPUTE, TYPE3(0x3d, 1), 1, true },
	{ NAVI31, "counter window, old firmware", COMPUTE, TYPE3(0x3d, 1), 1,
	  true },
	{ NAVI48, "counter window", COMPUTE, TYPE3(0x3d, 1), 1, false },
	{ NAVI48, "counter window", GFX, TYPE3(0x3d, 1), 1, false },
	{ NAVI21, "PERFMON_CONTROL", COMPUTE, TYPE3(0x54, 2), 2, false },
	{ NAVI21, "PERFMON_CONTROL, cut short", COMPUTE, TYPE3(0x54, 1), 1,
	  true },
	{ NAVI10, "PERFMON_CONTROL of gfx10.3", GFX, TYPE3(0x54, 2), 2, true },
	{ MI200, "PERFMON_CONTROL", COMPUTE, TYPE3(0x54, 2), 2, true },
	{ NAVI31, "CAM reset on compute", COMPUTE, TYPE3(0x79, 2) | CAM_RESET,
	  2, true },
	{ POLARIS10, "SET_UCONFIG_REG_INDEX", GFX, TYPE3(0x7a, 2), 2, true },
	{ NAVI10, "SET_UCONFIG_REG_INDEX", GFX, TYPE3(0x7a, 2), 2, false },
	{ NAVI48, "unknown packet", COMPUTE, TYPE3(0xee, 1), 1, true },
	{ BONAIRE, "PFP_SYNC_ME on compute", COMPUTE, TYPE3(0x42, 1), 1, true },
	{ NAVI21, "SET_SH_REG_PAIRS", COMPUTE, TYPE3(0xba, 2), 2, true },
	{ NAVI48, "SET_SH_REG_PAIRS_PACKED", GFX, TYPE3(0xbb, 4), 4, true },
	{ NAVI31, "PAIRS_PACKED of another length", GFX, TYPE3(0xbb, 4), 4,
	  true },
	{ BONAIRE, "SET_PREDICATION of gfx7", GFX, TYPE3(0x20, 2), 2, false },
	{ BONAIRE, "SET_PREDICATION of gfx9", GFX, TYPE3(0x20, 3), 3, true },
	{ NAVI10, "SET_PREDICATION of gfx7", GFX, TYPE3(0x20, 2), 2, true },
	{ NAVI10, "SET_PREDICATION", COMPUTE, TYPE3(0x20, 3), 3, true },
	{ POLARIS10, "LOAD_SH_REG_INDEX on compute", COMPUTE, TYPE3(0x63, 4), 4,
	  true },
	{ NAVI21, "LOAD_SH_REG_INDEX on compute", COMPUTE, TYPE3(0x63, 4), 4,
	  false },
	{ BONAIRE, "LOAD_CONTEXT_REG_INDEX", GFX, TYPE3(0x9f, 4), 4, true },
	{ POLARIS10, "LOAD_CONTEXT_REG_INDEX", GFX, TYPE3(0x9f, 4), 4, false },
	{ NAVI10, "mesh of gfx10.3", GFX, TYPE3(0x4c, 8), 8, true },
	{ NAVI21, "mesh of gfx10.3", GFX, TYPE3(0x4c, 8), 8, false },
	{ NAVI21, "mesh of gfx11", GFX, TYPE3(0x4e, 4), 4, true },
	{ NAVI48, "mesh of gfx11", GFX, TYPE3(0x4e, 4), 4, false },
	{ NAVI21, "task state", COMPUTE, TYPE3(0xa9, 2), 2, false },
	{ NAVI31, "tasks on graphics", GFX, TYPE3(0xad, 10), 10, true },
	{ NAVI31, "tasks: none", COMPUTE, TYPE3(0xad, 10), 10, false },
	{ NAVI31, "HDP_FLUSH", COMPUTE, TYPE3(0x95, 1), 1, false },
	{ NAVI31, "HDP_FLUSH on graphics", GFX, TYPE3(0x95, 1), 1, true },
	{ MI300, "INVALIDATE_TLBS", COMPUTE, TYPE3(0x98, 1), 1, false },
	{ MI300, "UNMAP_QUEUES", COMPUTE, TYPE3(0xa3, 5), 5, true },
	{ NAVI48, "MAP_QUEUES", COMPUTE, TYPE3(0xa2, 6), 6, true },
	{ NAVI10, "SWITCH_BUFFER", GFX, TYPE3(0x8b, 1), 1, false },
	{ NAVI31, "SWITCH_BUFFER", GFX, TYPE3(0x8b, 1), 1, true },
	{ POLARIS10, "MEM_SEMAPHORE of gfx9", GFX, TYPE3(0x39, 3), 3, true },
	{ NAVI31, "MEM_SEMAPHORE", GFX, TYPE3(0x39, 3), 3, true },
	{ NAVI48, "CONTEXT_PUSH", GFX, TYPE3(0xab, 1), 1, false },
	{ NAVI48, "STREAMOUT_STATS_QUERY", GFX, TYPE3(0xc3, 5), 5, false },
	{ NAVI48, "interleaved, nowhere", GFX, TYPE3(0xa8, 2), 2, true },
	{ NAVI21, "DRAW_INDEX_2, cut short", GFX, TYPE3(0x27, 4), 4, true },
};

TEST_LOOP(traps, packets_of_another_generation_hang, ARRAY_SIZE(packet_cases))
{
	const struct packet_case *c = &packet_cases[_i];
	int error;

	hand_open(&hand, c->gpu, c->ip);
	hand_emit(&hand, c->header);
	for (unsigned i = 0; i < c->count; i++)
		hand_emit(&hand, 0);
	error = hand_try(&hand, AMDGPU_TIMEOUT_INFINITE);
	ck_assert_msg(error == (c->hangs ? -ECANCELED : 0), "%s: %s: %d",
		      chips[c->gpu].name, c->name, error);
}

/* ---- gfx11: registers in pairs with their values */

#define CS_REGISTER(byte) (((byte)-0xb000u) / 4)

static const struct pairs_case {
	enum gpu gpu;
	unsigned ip;
	uint32_t opcode;
	uint32_t dwords[7];
	unsigned count;
} pairs_cases[] = {
	{ NAVI31,
	  GFX,
	  0xba,
	  { CS_REGISTER(0xb81c), 7, CS_REGISTER(0xb824), 9 },
	  4 },
	{ NAVI48,
	  COMPUTE,
	  0xba,
	  { CS_REGISTER(0xb81c), 7, CS_REGISTER(0xb824), 9 },
	  4 },
	{ NAVI31,
	  COMPUTE,
	  0xbb,
	  { 2, CS_REGISTER(0xb81c) | CS_REGISTER(0xb824) << 16, 7, 9 },
	  4 },
	/* an odd number is made up with one of them */
	{ NAVI31,
	  GFX,
	  0xbd,
	  { 4, CS_REGISTER(0xb81c) | CS_REGISTER(0xb820) << 16, 7, 8,
	    CS_REGISTER(0xb824) | CS_REGISTER(0xb81c) << 16, 9, 7 },
	  7 },
};

TEST_LOOP(traps, register_pairs_are_set_by_their_packets,
	  ARRAY_SIZE(pairs_cases))
{
	const struct pairs_case *c = &pairs_cases[_i];

	hand_open(&hand, c->gpu, c->ip);
	hand_packet(&hand, c->opcode, c->count);
	for (unsigned i = 0; i < c->count; i++)
		hand_emit(&hand, c->dwords[i]);
	hand_copy_to_result(&hand, COMPUTE_NUM_THREAD_X, 0);
	hand_copy_to_result(&hand, COMPUTE_NUM_THREAD_X + 8, 1);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], 7);
	ck_assert_uint_eq(hand.results[1], 9);
}

/* Newer firmware knows the window; it has to be closed again. */
TEST_LOOP(traps, a_counter_window_has_to_be_closed, 2)
{
	scene_set("gpu2.firmware", "8 2290");
	hand_open(&hand, NAVI31, COMPUTE);
	hand_packet(&hand, 0x3d, 1);
	hand_emit(&hand, 7);
	if (_i == 0) {
		hand_packet(&hand, 0x3d, 1);
		hand_emit(&hand, 0);
	}
	hand_run(&hand);
	ck_assert_uint_eq(hand_notes("violation", "counter-window"),
			  (unsigned)_i);
	scene_set("gpu2.firmware", "8 494");
}

TEST_MACHINE("drmsim_amdgpu_generations", CHIPS);
