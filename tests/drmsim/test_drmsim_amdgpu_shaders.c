/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shaders of straight-line code: what they do to memory, and what counters see
 * of it. Words are what LLVM's assembler makes of the instructions named.
 */
#include <amdgpu_drm.h>
#include <stdio.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/drmsim/chips.h"

#define PROGRAM_AT 8192u /* dwords of the command buffer */
#define RSRC2 0xb84cu
#define PGM_LO 0xb830u
#define USER_DATA 0xb900u
#define LANES 64u
#define STORED_AT 256u /* dwords of the results */

/* Registers of counters, on all generations. */
#define SQ_SELECT 0x36700u
#define SQ_LO 0x34700u
#define TCP_SELECT 0x36d00u
#define TCP_LO 0x34d00u
#define L2_SELECT 0x36e00u
#define L2_LO 0x34e00u

static const struct counted {
	enum gpu gpu;
	unsigned generation, line;
	/* events: VALU, SALU, vector loads, flat ones; lines of TCP; of L2 */
	unsigned valu, salu, loads, flats, lines, l2_reads, l2_writes;
} counted[] = {
	{ BONAIRE, 7, 64, 26, 30, 28, 32, 127, 5, 6 },
	{ POLARIS10, 8, 64, 26, 30, 28, 32, 127, 15, 16 },
	{ MI100, 9, 64, 26, 31, 29, 33, 30, 12, 13 },
	{ MI200, 9, 64, 26, 56, 54, 58, 30, 12, 13 },
	{ MI300, 9, 128, 26, 60, 58, 62, 28, 12, 13 },
	{ NAVI10, 10, 128, 64, 60, 69, 57, 10, 6, 7 },
	{ NAVI21, 10, 128, 64, 60, 69, 57, 10, 6, 7 },
	{ NAVI31, 11, 128, 62, 58, 66, 56, 10, 6, 7 },
	{ NAVI48, 12, 128, 50, 46, 54, 44, 10, 5, 6 },
};

/* The first one of gfx9. */
#define GFX9_ON 2

/* ---- programs, by generation from 7 on */

#define WORDS_MAX 24

struct code {
	unsigned count;
	uint32_t words[WORDS_MAX];
};

#define CODE(...)                                                              \
	{                                                                      \
		sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t),        \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}

/*
 * s_nop 0, s_mov_b32 s4, 5, v_mov_b32 v1, 0, v_mov_b32 v2, 0x12345678,
 * v_mov_b32 v3, v0, s_endpgm
 */
static const struct code moves[] = {
	CODE(0xbf800000, 0xbe840385, 0x7e020280, 0x7e0402ff, 0x12345678,
	     0x7e060300, 0xbf810000),
	CODE(0xbf800000, 0xbe840085, 0x7e020280, 0x7e0402ff, 0x12345678,
	     0x7e060300, 0xbf810000),
	CODE(0xbf800000, 0xbe840085, 0x7e020280, 0x7e0402ff, 0x12345678,
	     0x7e060300, 0xbf810000),
	CODE(0xbf800000, 0xbe840385, 0x7e020280, 0x7e0402ff, 0x12345678,
	     0x7e060300, 0xbf810000),
	CODE(0xbf800000, 0xbe840085, 0x7e020280, 0x7e0402ff, 0x12345678,
	     0x7e060300, 0xbfb00000),
	CODE(0xbf800000, 0xbe840085, 0x7e020280, 0x7e0402ff, 0x12345678,
	     0x7e060300, 0xbfb00000),
};

/*
 * v_lshlrev_b32 v1, 2, v0; a load to v2 at v1 beyond s[0:1], or of the buffer
 * s[0:3]; a wait; v_add_u32 v2, v2, v2; a store of v2 1024 bytes further on.
 */
static const struct code buffers[] = {
	CODE(0x34020082, 0xe0301000, 0x80000201, 0xbf8c0000, 0x4a040502,
	     0xe0701400, 0x80000201, 0xbf810000),
	CODE(0x24020082, 0xe0501000, 0x80000201, 0xbf8c0000, 0x32040502,
	     0xe0701400, 0x80000201, 0xbf810000),
	CODE(0x24020082, 0xe0501000, 0x80000201, 0xbf8c0000, 0x68040502,
	     0xe0701400, 0x80000201, 0xbf810000),
	CODE(0x34020082, 0xe0301000, 0x80000201, 0xbf8c0000, 0x4a040502,
	     0xe0701400, 0x80000201, 0xbbfd0000, 0xbf810000),
	CODE(0x30020082, 0xe0500000, 0x80400201, 0xbf890000, 0x4a040502,
	     0xe0680400, 0x80400201, 0xbfb00000),
	CODE(0x30020082, 0xc405007c, 0x40800002, 0x00000001, 0xbfc00000,
	     0x4a040502, 0xc406807c, 0x40800002, 0x00040001, 0xbfb00000),
};

/* From gfx9 on. */
static const struct code globals[] = {
	CODE(0x24020082, 0xdc508000, 0x02000001, 0xbf8c0000, 0x68040502,
	     0xdc708400, 0x00000201, 0xbf810000),
	CODE(0x34020082, 0xdc308000, 0x02000001, 0xbf8c0000, 0x4a040502,
	     0xdc708400, 0x00000201, 0xbbfd0000, 0xbf810000),
	CODE(0x30020082, 0xdc520000, 0x02000001, 0xbf890000, 0x4a040502,
	     0xdc6a0400, 0x00000201, 0xbfb00000),
	CODE(0x30020082, 0xee050000, 0x00000002, 0x00000001, 0xbfc00000,
	     0x4a040502, 0xee068000, 0x01000000, 0x00040001, 0xbfb00000),
};

/*
 * v_mov_b32 v2, s0; v_mov_b32 v3, s1; the same flat load from v[2:3] to v4
 * twice; s_endpgm
 */
static const struct code flats[] = {
	CODE(0x7e040200, 0x7e060201, 0xdc300000, 0x04000002, 0xdc300000,
	     0x04000002, 0xbf810000),
	CODE(0x7e040200, 0x7e060201, 0xdc500000, 0x04000002, 0xdc500000,
	     0x04000002, 0xbf810000),
	CODE(0x7e040200, 0x7e060201, 0xdc500000, 0x04000002, 0xdc500000,
	     0x04000002, 0xbf810000),
	CODE(0x7e040200, 0x7e060201, 0xdc300000, 0x047d0002, 0xdc300000,
	     0x047d0002, 0xbf810000),
	CODE(0x7e040200, 0x7e060201, 0xdc500000, 0x047c0002, 0xdc500000,
	     0x047c0002, 0xbfb00000),
	CODE(0x7e040200, 0x7e060201, 0xec05007c, 0x00000004, 0x00000002,
	     0xec05007c, 0x00000004, 0x00000002, 0xbfb00000),
};

/* ---- launching one */

static void
put_program(struct hand_gpu *gpu, const struct code *code)
{
	uint64_t at = gpu->ib_address + 4 * PROGRAM_AT;

	memcpy(&gpu->ib[PROGRAM_AT], code->words, 4 * code->count);
	hand_set_sh(gpu, PGM_LO, (uint32_t)(at >> 8));
	hand_set_sh(gpu, PGM_LO + 4, (uint32_t)(at >> 40));
}

/* Put four scalar registers: the results, as a buffer of a size. */
static void
put_arguments(struct hand_gpu *gpu, uint32_t size)
{
	const uint32_t user[] = { (uint32_t)gpu->result_address,
				  (uint32_t)(gpu->result_address >> 32), size,
				  0 };

	hand_set_sh(gpu, RSRC2, ARRAY_SIZE(user) << 1 | 1 << 7);
	for (unsigned i = 0; i < ARRAY_SIZE(user); i++)
		hand_set_sh(gpu, USER_DATA + 4 * i, user[i]);
}

static void
fill_results(struct hand_gpu *gpu)
{
	for (uint32_t i = 0; i < LANES; i++) {
		gpu->results[i] = 3 * i + 1;
		gpu->results[STORED_AT + i] = 0;
	}
}

/* ---- what is counted */

/* Return the shape of a die. */
static unsigned
units_of(enum gpu number)
{
	return chips[number].units / (number == MI300 ? 8 : 1);
}

/* Return how many waves give the same whole number to every instance. */
static uint32_t
waves_of(enum gpu number)
{
	return 16 * units_of(number);
}

static uint32_t
count_sq(struct hand_gpu *gpu, enum gpu number)
{
	bool has_wgp = chip_has_sqg(number);

	return chip_count(gpu, number, SQ_LO, has_wgp ? 0 : 0x60000000) *
	       (has_wgp ? units_of(number) / 2 : chips[number].engines);
}

static uint32_t
count_l2(struct hand_gpu *gpu, enum gpu number)
{
	return chip_count(gpu, number, L2_LO, 0xa0000000) *
	       chips[number].channels;
}

static uint32_t
count_tcp(struct hand_gpu *gpu, enum gpu number)
{
	return chip_count(gpu, number, TCP_LO, 0) * units_of(number);
}

/* Selects three events and runs a program once for each wave. */
static void
count_program(struct hand_gpu *gpu, enum gpu number, const struct code *code,
	      const unsigned events[3])
{
	chip_reset(number);
	scene_set("default", "zero");
	hand_open(gpu, number, COMPUTE);
	chip_prepare(gpu, number);
	hand_set_uconfig(gpu, SQ_SELECT,
			 events[0] | (chip_has_sqg(number) ? 0 : SQ_MASKS));
	hand_set_uconfig(gpu, TCP_SELECT, events[1]);
	hand_set_uconfig(gpu, L2_SELECT, events[2]);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 1);
	hand_set_sh(gpu, COMPUTE_PERFCOUNT_ENABLE, 1);
	put_program(gpu, code);
	put_arguments(gpu, HAND_RESULTS * 4);
	fill_results(gpu);
	hand_dispatch(gpu, waves_of(number), LANES, 1);
	hand_set_sh(gpu, COMPUTE_PERFCOUNT_ENABLE, 0);
	hand_run(gpu);
}

static void
forget_chips(void)
{
	chips_forget();
	scene_set("gpu6.die", "0");
}

TEST_CASE(shaders, forget_chips, hand_finish, "drmsim_amdgpu_shaders");

/* N waves of K moves: N times K. */
TEST_LOOP(shaders, waves_of_moves_count_each_move, ARRAY_SIZE(counted))
{
	const struct counted *c = &counted[_i];
	enum gpu number = c->gpu;
	const struct code *code = &moves[c->generation - 7];
	const unsigned valu[3] = { c->valu };
	const unsigned salu[3] = { c->salu };

	count_program(&hand, number, code, valu);
	ck_assert_uint_eq(count_sq(&hand, number), 3 * waves_of(number));
	chip_leave(&hand, number);
	count_program(&hand, number, code, salu);
	ck_assert_uint_eq(count_sq(&hand, number), waves_of(number));
	chip_leave(&hand, number);
}

static void
check_memory(unsigned which, const struct code *code)
{
	enum gpu number = counted[which].gpu;
	const unsigned reads[3] = { counted[which].loads, counted[which].lines,
				    counted[which].l2_reads };
	const unsigned writes[3] = { counted[which].valu, 0,
				     counted[which].l2_writes };
	uint32_t waves = waves_of(number);
	uint32_t lines = 4 * LANES / counted[which].line;
	struct hand_gpu gpu;

	count_program(&gpu, number, code, reads);
	ck_assert_uint_eq(count_sq(&gpu, number), waves);
	ck_assert_uint_eq(count_tcp(&gpu, number), lines * waves);
	ck_assert_uint_eq(count_l2(&gpu, number), lines * waves);
	for (uint32_t i = 1; i < LANES; i++)
		ck_assert_uint_eq(gpu.results[STORED_AT + i], 2 * (3 * i + 1));
	chip_leave(&gpu, number);
	count_program(&gpu, number, code, writes);
	ck_assert_uint_eq(count_sq(&gpu, number), 2 * waves);
	ck_assert_uint_eq(count_l2(&gpu, number), lines * waves);
	chip_leave(&gpu, number);
}

/* Loads and stores of 256 bytes a wave, of a buffer. */
TEST_LOOP(shaders, buffer_loads_and_stores_reach_the_memory,
	  ARRAY_SIZE(counted))
{
	check_memory((unsigned)_i, &buffers[counted[_i].generation - 7]);
}

/* By addresses: from gfx9 on. */
TEST_LOOP(shaders, global_loads_and_stores_reach_the_memory,
	  ARRAY_SIZE(counted) - GFX9_ON)
{
	const unsigned which = GFX9_ON + (unsigned)_i;

	check_memory(which, &globals[counted[which].generation - 9]);
}

/* All lanes want one line, and want it again: the L2 is asked once. */
TEST_LOOP(shaders, lanes_that_want_one_line_ask_the_l2_once,
	  ARRAY_SIZE(counted))
{
	const struct counted *c = &counted[_i];
	enum gpu number = c->gpu;
	const struct code *code = &flats[c->generation - 7];
	const unsigned events[3] = { c->flats, c->lines, c->l2_reads };

	count_program(&hand, number, code, events);
	ck_assert_uint_eq(count_sq(&hand, number), 2 * waves_of(number));
	ck_assert_uint_eq(count_tcp(&hand, number), 2 * waves_of(number));
	ck_assert_uint_eq(count_l2(&hand, number), waves_of(number));
}

/* ---- what is not followed, and what goes wrong */

/* v_mov_b32 v1, s4; a store of it at s[0:1] or in the buffer s[0:3] */
static const struct {
	enum gpu gpu;
	struct code code;
} group_cases[] = {
	{ BONAIRE, CODE(0x7e020204, 0xe0700000, 0x80000100, 0xbf810000) },
	{ MI200,
	  CODE(0x7e020204, 0x7e000280, 0xdc708000, 0x00000100, 0xbf810000) },
	{ NAVI48, CODE(0x7e020275, 0x7e000280, 0xee068000, 0x00800000,
		       0x00000000, 0xbfb00000) },
};

/* The number of the group is behind the user's data; gfx12: in ttmp9. */
TEST_LOOP(shaders, a_group_finds_its_number, ARRAY_SIZE(group_cases))
{
	enum gpu number = group_cases[_i].gpu;

	chip_reset(number);
	hand_open(&hand, number, COMPUTE);
	put_program(&hand, &group_cases[_i].code);
	put_arguments(&hand, HAND_RESULTS * 4);
	fill_results(&hand);
	hand_dispatch(&hand, 7, LANES, 1);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[0], 6);
}

/* Beyond the end of a buffer there are zeros, and stores get lost. */
TEST_LOOP(shaders, end_of_buffer, 2)
{
	chip_reset(NAVI21);
	hand_open(&hand, NAVI21, COMPUTE);
	put_program(&hand, &buffers[3]);
	put_arguments(&hand, _i ? 1024 + 32 * 4 : 128);
	fill_results(&hand);
	for (uint32_t i = 0; i < LANES; i++)
		hand.results[STORED_AT + i] = 4711;
	hand_dispatch(&hand, 1, LANES, 1);
	hand_run(&hand);
	ck_assert_uint_eq(hand.results[STORED_AT + 31], _i ? 188 : 4711);
	ck_assert_uint_eq(hand.results[STORED_AT + 32], 4711);
}

/* One instruction that is not known, here s_barrier, and nothing is done. */
TEST(shaders, an_unknown_instruction_runs_nothing)
{
	struct code code = buffers[3];
	const unsigned events[3] = { counted[6].valu };

	code.words[code.count - 1] = 0xbf8a0000;
	code.words[code.count++] = 0xbf810000;
	count_program(&hand, NAVI21, &code, events);
	ck_assert_uint_eq(count_sq(&hand, NAVI21), 0);
	ck_assert_uint_eq(hand.results[STORED_AT + 1], 0);
}

static const struct fault_case {
	const char *what;
	uint32_t program; /* bits 47 to 16 of its address; 0: as it should be */
	uint32_t high; /* of the address that it uses */
	bool hangs;
} fault_cases[] = {
	{ "all is there", 0, 0, false },
	{ "no program", 0x7fff, 0, true },
	{ "no memory", 0, 0x7fff, true },
};

TEST_LOOP(shaders, a_fault_of_a_program_ends_its_job, ARRAY_SIZE(fault_cases))
{
	const struct fault_case *c = &fault_cases[_i];

	chip_reset(MI100);
	hand_open(&hand, MI100, COMPUTE);
	put_program(&hand, &globals[0]);
	put_arguments(&hand, HAND_RESULTS * 4);
	if (c->program)
		hand_set_sh(&hand, PGM_LO, c->program << 8);
	if (c->high)
		hand_set_sh(&hand, USER_DATA + 4, c->high);
	hand_dispatch(&hand, 1, LANES, 1);
	hand_try(&hand, HAND_MS);
	ck_assert_msg(hand_notes("violation", "hang") == c->hangs, "%s",
		      c->what);
	chip_reset(MI100);
}

TEST_MACHINE("drmsim_amdgpu_shaders", CHIPS);
