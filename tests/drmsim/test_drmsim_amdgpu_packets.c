/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What packets of other people's command buffers do to memory and registers and
 * how much work they launch: each case is a command buffer, what stands in
 * memory before and after, and the time that its work takes.
 */
#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/drmsim/hand.h"
#include "tests/suite.h"

#include <amdgpu_drm.h>
#include <check.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define GFX AMDGPU_HW_IP_GFX
#define COMPUTE AMDGPU_HW_IP_COMPUTE

/* In the order in which they stand in the machine. */
enum gpu {
	BONAIRE,
	NAVI10,
	NAVI21,
	NAVI31,
	NAVI48
};

/* Commands: dwords, or the address of a dword in memory, which is two. */
#define ADDRESS (UINT64_C(1) << 32)
#define AT(index) (ADDRESS | (index))
/* With bits 31:29 of its high dword set to a selector. */
#define AT_WITH(index, select) (AT(index) | (uint64_t)(select) << 61)
#define PACKET(opcode, count)                                                  \
	(0xc0000000u | ((count)-1) << 16 | (uint32_t)(opcode) << 8)
#define PREDICATED 1u
#define END (UINT64_C(1) << 33)

/* A dword of memory by its number; those not named are NOTHING. */
#define NOTHING 0xdeadbeefu
#define THERE 0x80000000u /* bit 63 of a result */

/* Threads of a group: 1, as offset of SET_SH_REG and bytes / 4. */
#define NUM_THREAD_X ((0xb81cu - 0xb000u) / 4)
#define NUM_THREAD_DWORD (0xb81cu / 4)
#define ONE_THREAD PACKET(0x76, 4), NUM_THREAD_X, 1, 1, 1
/* A register to memory. */
#define STORE(dword, index) PACKET(0x40, 5), 5 << 8, dword, 0, AT(index)
#define WRITE(header, index, value)                                            \
	PACKET(0x37, 4) | (header), 5 << 8, AT(index), value
#define ARGUMENTS PACKET(0x11, 3), 1, AT(0)
#define ROUND 10000u /* ns that a round of waves takes */

struct dword {
	unsigned index;
	uint32_t value;
};

struct packet_case {
	const char *name;
	enum gpu gpu;
	unsigned ip;
	uint64_t commands[48];
	struct dword before[8], after[8]; /* up to { 0, 0 } behind others */
	uint64_t ns;
};

static const struct packet_case cases[] = {
	/* ---- LOAD_*_REG_INDEX */
	{ "two registers from an address",
	  NAVI21,
	  COMPUTE,
	  { PACKET(0x63, 4), AT(4), NUM_THREAD_X, 2,
	    STORE(NUM_THREAD_DWORD, 10), STORE(NUM_THREAD_DWORD + 1, 11), END },
	  { { 4, 71 }, { 5, 72 } },
	  { { 10, 71 }, { 11, 72 } },
	  0 },
	{ "pairs from an address",
	  NAVI31,
	  GFX,
	  { PACKET(0x63, 4), AT(4), 1u << 31, 2, STORE(NUM_THREAD_DWORD, 10),
	    STORE(NUM_THREAD_DWORD + 2, 11), END },
	  { { 4, NUM_THREAD_X },
	    { 5, 81 },
	    { 6, NUM_THREAD_X + 2 },
	    { 7, 83 } },
	  { { 10, 81 }, { 11, 83 } },
	  0 },
	{ "from an offset to the base",
	  NAVI48,
	  GFX,
	  { PACKET(0x11, 3), 4, AT(0), PACKET(0x63, 4), 1, 16, NUM_THREAD_X, 1,
	    STORE(NUM_THREAD_DWORD, 10), END },
	  { { 4, 91 } },
	  { { 10, 91 } },
	  0 },
	{ "two ranges, one behind the other",
	  NAVI21,
	  GFX,
	  { PACKET(0x63, 6), AT(4), NUM_THREAD_X, 2, NUM_THREAD_X + 2, 1,
	    STORE(NUM_THREAD_DWORD, 10), STORE(NUM_THREAD_DWORD + 2, 11), END },
	  { { 4, 71 }, { 5, 72 }, { 6, 73 } },
	  { { 10, 71 }, { 11, 73 } },
	  0 },
	{ "a context register",
	  BONAIRE + 1,
	  GFX,
	  { PACKET(0x9f, 4), AT(4), 0x10, 1, STORE(0x28040 / 4, 10), END },
	  { { 4, 0x1234 } },
	  { { 10, 0x1234 } },
	  0 },
	{ "a user register",
	  NAVI48,
	  GFX,
	  { PACKET(0x64, 4), AT(4), 0x10, 1, STORE(0x30040 / 4, 10), END },
	  { { 4, 0x4321 } },
	  { { 10, 0x4321 } },
	  0 },
	{ "CONTEXT_REG_RMW",
	  NAVI21,
	  GFX,
	  { PACKET(0x69, 2), 0x10, 0xff, PACKET(0x51, 3), 0x10, 0xf0, 0x35,
	    STORE(0x28040 / 4, 10), END },
	  { { 0, 0 } },
	  { { 10, 0x3f } },
	  0 },

	/* ---- SET_PREDICATION */
	{ "boolean of 32 bits, zero",
	  NAVI21,
	  GFX,
	  { PACKET(0x20, 3), 4 << 16 | 1 << 8, AT(4), WRITE(PREDICATED, 10, 1),
	    WRITE(0, 11, 1), PACKET(0x20, 3), 0, 0, 0, WRITE(PREDICATED, 12, 1),
	    END },
	  { { 4, 0 }, { 5, 1 } },
	  { { 10, NOTHING }, { 11, 1 }, { 12, 1 } },
	  0 },
	{ "boolean of 32 bits, not zero",
	  NAVI31,
	  GFX,
	  { PACKET(0x20, 3), 4 << 16 | 1 << 8, AT(4), WRITE(PREDICATED, 10, 1),
	    END },
	  { { 4, 7 }, { 5, 0 } },
	  { { 10, 1 } },
	  0 },
	{ "boolean of 32 bits, not zero, inverted",
	  NAVI31,
	  GFX,
	  { PACKET(0x20, 3), 4 << 16, AT(4), WRITE(PREDICATED, 10, 1), END },
	  { { 4, 7 }, { 5, 0 } },
	  { { 10, NOTHING } },
	  0 },
	{ "boolean of 64 bits",
	  NAVI48,
	  GFX,
	  { PACKET(0x20, 3), 3 << 16 | 1 << 8, AT(4), WRITE(PREDICATED, 10, 1),
	    END },
	  { { 4, 0 }, { 5, 1 } },
	  { { 10, 1 } },
	  0 },
	{ "boolean, not of a compute ring",
	  NAVI21,
	  COMPUTE,
	  { WRITE(PREDICATED, 10, 1), END },
	  { { 0, 0 } },
	  { { 10, 1 } },
	  0 },
	{ "no sample has passed",
	  NAVI21,
	  GFX,
	  { PACKET(0x46, 3), 21 | 1 << 8, AT(0), PACKET(0x46, 3), 21 | 1 << 8,
	    AT(2), PACKET(0x20, 3), 1 << 16 | 1 << 8, AT(0),
	    WRITE(PREDICATED, 100, 1), END },
	  { { 0, 0 } },
	  { { 100, NOTHING } },
	  0 },

	/* ---- results of events */
	{ "ZPASS_DONE: each backend",
	  NAVI10,
	  GFX,
	  { PACKET(0x46, 3), 21 | 1 << 8, AT(0), END },
	  { { 0, NOTHING } },
	  { { 0, 0 },
	    { 1, THERE },
	    { 2, NOTHING },
	    { 60, 0 },
	    { 61, THERE },
	    { 65, NOTHING } },
	  0 },
	{ "EVENT_WRITE_ZPASS",
	  NAVI31,
	  GFX,
	  { PACKET(0xb1, 2), AT(0), END },
	  { { 0, NOTHING } },
	  { { 0, 0 }, { 1, THERE }, { 4, 0 }, { 5, THERE }, { 3, NOTHING } },
	  0 },
	{ "PIXEL_PIPE_STAT_DUMP: some backends, 32 bytes apart",
	  NAVI31,
	  GFX,
	  { PACKET(0x46, 3), 56 | 1 << 8, 3 << 9 | 5 << 11, 0, PACKET(0x46, 3),
	    57 | 1 << 8, AT(0), END },
	  { { 0, NOTHING } },
	  { { 1, THERE }, { 9, NOTHING }, { 17, THERE }, { 25, NOTHING } },
	  0 },
	{ "SAMPLE_PIPELINESTAT of gfx10: 11",
	  NAVI10,
	  GFX,
	  { ONE_THREAD, PACKET(0x15, 4), 3, 1, 1, 1, PACKET(0x46, 3),
	    30 | 2 << 8, AT(0), END },
	  { { 0, NOTHING } },
	  { { 0, 0 },
	    { 1, 0 },
	    { 19, 0 },
	    { 20, 3 },
	    { 21, 0 },
	    { 22, NOTHING } },
	  ROUND },
	{ "SAMPLE_PIPELINESTAT of gfx11: 14",
	  NAVI48,
	  GFX,
	  { PACKET(0x46, 3), 30 | 2 << 8, AT(0), END },
	  { { 0, NOTHING } },
	  { { 0, 0 }, { 22, 0 }, { 27, 0 }, { 28, NOTHING } },
	  0 },
	{ "SAMPLE_STREAMOUTSTATS2",
	  NAVI21,
	  GFX,
	  { PACKET(0x46, 3), 2 | 3 << 8, AT(4), END },
	  { { 4, NOTHING } },
	  { { 4, 0 }, { 5, THERE }, { 6, 0 }, { 7, THERE }, { 8, NOTHING } },
	  0 },
	{ "EVENT_WRITE_EOS of a value",
	  BONAIRE,
	  GFX,
	  { PACKET(0x48, 4), 47 | 6 << 8, AT_WITH(4, 2), 9, END },
	  { { 0, 0 } },
	  { { 4, 9 }, { 5, NOTHING } },
	  0 },
	{ "MEM_SEMAPHORE of gfx7: signal twice, wait",
	  BONAIRE,
	  GFX,
	  { PACKET(0x39, 2), AT_WITH(4, 6), PACKET(0x39, 2), AT_WITH(4, 6),
	    PACKET(0x39, 2), AT_WITH(4, 7), END },
	  { { 4, 0 }, { 5, 0 } },
	  { { 4, 1 }, { 5, 0 } },
	  0 },
	{ "RELEASE_MEM of dwords of GDS",
	  NAVI21,
	  COMPUTE,
	  { PACKET(0x49, 7), 40 | 5 << 8, 5u << 29, AT(4), 2 << 16, 0, 0, END },
	  { { 0, 0 } },
	  { { 4, 0 }, { 5, 0 }, { 6, NOTHING } },
	  0 },

	/* ---- memory */
	{ "MEM_SEMAPHORE of gfx9: signal, wait",
	  NAVI10,
	  COMPUTE,
	  { PACKET(0x39, 3), AT(4), 6u << 29, PACKET(0x39, 3), AT(4), 6u << 29,
	    PACKET(0x39, 3), AT(4), 7u << 29, END },
	  { { 4, 0 }, { 5, 0 } },
	  { { 4, 1 }, { 5, 0 } },
	  0 },
	{ "STRMOUT_BUFFER_UPDATE",
	  NAVI21,
	  GFX,
	  { PACKET(0x34, 5), 2 << 8 | 2 << 1, 0, 0, AT(4), PACKET(0x34, 5),
	    2 << 8 | 3 << 1 | 1, AT(10), 0, 0, END },
	  { { 4, 4096 } },
	  { { 10, 4096 } },
	  0 },
	{ "DMA_DATA_FILL_MULTI",
	  NAVI21,
	  GFX,
	  { PACKET(0x9a, 6), 0, 16, 2, AT(4), 8, END },
	  { { 0, 0 } },
	  { { 4, 0 }, { 5, 0 }, { 6, NOTHING }, { 8, 0 }, { 10, NOTHING } },
	  0 },
	{ "COPY_DW",
	  BONAIRE,
	  GFX,
	  { PACKET(0x3b, 5), 3, AT(4), AT(10), END },
	  { { 4, 17 } },
	  { { 10, 17 } },
	  0 },
	{ "CP_DMA",
	  BONAIRE,
	  GFX,
	  { PACKET(0x41, 5), 0x55, 2u << 29, AT(10), 8, END },
	  { { 0, 0 } },
	  { { 10, 0x55 }, { 11, 0x55 }, { 12, NOTHING } },
	  0 },

	/* ---- a buffer by condition, which SETs a register */
	{ "COND_INDIRECT_BUFFER, true",
	  NAVI21,
	  COMPUTE,
	  { ONE_THREAD, PACKET(0x3f, 13), 1 | 3 << 8, AT(4), 0xff, 0, 5, 0,
	    AT(20), 3, 0, 0, 0, STORE(NUM_THREAD_DWORD, 10), END },
	  { { 4, 0x105 },
	    { 5, 0 },
	    { 20, PACKET(0x76, 2) },
	    { 21, NUM_THREAD_X },
	    { 22, 33 } },
	  { { 10, 33 } },
	  0 },
	{ "COND_INDIRECT_BUFFER, false: none",
	  NAVI21,
	  COMPUTE,
	  { ONE_THREAD, PACKET(0x3f, 13), 1 | 3 << 8, AT(4), 0xff, 0, 6, 0,
	    AT(20), 3, AT(20), 3, STORE(NUM_THREAD_DWORD, 10), END },
	  { { 4, 0x105 },
	    { 5, 0 },
	    { 20, PACKET(0x76, 2) },
	    { 21, NUM_THREAD_X },
	    { 22, 33 } },
	  { { 10, 1 } },
	  0 },
	{ "COND_INDIRECT_BUFFER, false: the other",
	  NAVI48,
	  GFX,
	  { ONE_THREAD, PACKET(0x3f, 13), 2 | 3 << 8, AT(4), 0xff, 0, 6, 0, 0,
	    0, 0, AT(20), 3, STORE(NUM_THREAD_DWORD, 10), END },
	  { { 4, 0x105 },
	    { 5, 0 },
	    { 20, PACKET(0x76, 2) },
	    { 21, NUM_THREAD_X },
	    { 22, 33 } },
	  { { 10, 33 } },
	  0 },

	/* ---- work: how many, from memory */
	{ "as many draws as memory has",
	  NAVI21,
	  GFX,
	  { ARGUMENTS, PACKET(0x2c, 9), 0, 0, 0, 1u << 30, 9, AT(30), 16, 2,
	    END },
	  { { 0, 3 },
	    { 1, 1 },
	    { 4, 3 },
	    { 5, 0 },
	    { 8, 3 },
	    { 9, 2 },
	    { 30, 3 } },
	  { { 10, NOTHING } },
	  2 * ROUND },
	{ "as many draws as the packet has",
	  NAVI21,
	  GFX,
	  { ARGUMENTS, PACKET(0x38, 9), 0, 0, 0, 0, 2, AT(30), 20, 2, END },
	  { { 0, 3 }, { 1, 1 }, { 5, 3 }, { 6, 1 }, { 30, 1 } },
	  { { 10, NOTHING } },
	  2 * ROUND },
	{ "no more draws than the packet allows",
	  NAVI21,
	  GFX,
	  { ARGUMENTS, PACKET(0x2c, 9), 0, 0, 0, 1u << 30, 1, AT(30), 16, 2,
	    END },
	  { { 0, 3 }, { 1, 1 }, { 4, 3 }, { 5, 1 }, { 30, 3 } },
	  { { 10, NOTHING } },
	  ROUND },
	{ "a draw of no vertex",
	  NAVI21,
	  GFX,
	  { ARGUMENTS, PACKET(0x24, 4), 0, 0, 0, 2, END },
	  { { 0, 0 }, { 1, 1 } },
	  { { 10, NOTHING } },
	  0 },
	{ "groups by an offset",
	  NAVI10,
	  GFX,
	  { ONE_THREAD, ARGUMENTS, PACKET(0x16, 2), 16, 1, END },
	  { { 4, 1 }, { 5, 1 }, { 6, 1 } },
	  { { 10, NOTHING } },
	  ROUND },
	{ "tasks",
	  NAVI31,
	  COMPUTE,
	  { ONE_THREAD, PACKET(0xad, 10), AT(0), 0, 2, 0, 5, AT(30), 12, 1,
	    END },
	  { { 0, 1 },
	    { 1, 1 },
	    { 2, 1 },
	    { 3, 1 },
	    { 4, 1 },
	    { 5, 1 },
	    { 30, 2 } },
	  { { 10, NOTHING } },
	  2 * ROUND },
	{ "a task of one",
	  NAVI21,
	  COMPUTE,
	  { ONE_THREAD, PACKET(0xaa, 5), 1, 1, 1, 1, 0, END },
	  { { 0, 0 } },
	  { { 10, NOTHING } },
	  ROUND },
	/* 3072 waves at once */
	{ "meshes of 128 threads",
	  NAVI31,
	  GFX,
	  { PACKET(0x76, 2), (0xb2b0 - 0xb000) / 4, 127u << 24, PACKET(0x4e, 4),
	    3072, 1, 1, 2, END },
	  { { 0, 0 } },
	  { { 10, NOTHING } },
	  2 * ROUND },
	{ "meshes of 128 threads, waves of 32",
	  NAVI31,
	  GFX,
	  { PACKET(0x76, 2), (0xb2b0 - 0xb000) / 4, 127u << 24, PACKET(0x69, 2),
	    (0x28b54 - 0x28000) / 4, 1 << 22, PACKET(0x4e, 4), 3072, 1, 1, 2,
	    END },
	  { { 0, 0 } },
	  { { 10, NOTHING } },
	  4 * ROUND },
	{ "meshes from memory",
	  NAVI21,
	  GFX,
	  { ARGUMENTS, PACKET(0x4c, 8), 0, 0, 1u << 30, 4, AT(30), 12, 2, END },
	  { { 0, 1 },
	    { 1, 1 },
	    { 2, 1 },
	    { 3, 1 },
	    { 4, 0 },
	    { 5, 1 },
	    { 30, 2 } },
	  { { 10, NOTHING } },
	  ROUND },
};

static void
emit(struct hand_gpu *gpu, const uint64_t *commands)
{
	uint64_t address;

	for (; *commands != END; commands++) {
		if (!(*commands & ADDRESS)) {
			hand_emit(gpu, (uint32_t)*commands);
			continue;
		}
		address = gpu->result_address + 4 * (uint32_t)*commands;
		hand_emit(gpu, (uint32_t)address);
		hand_emit(gpu, (uint32_t)(address >> 32) |
				       (uint32_t)(*commands >> 32 & 7u << 29));
	}
}

START_TEST(packet_effects)
{
	const struct packet_case *c = &cases[_i];
	struct hand_gpu gpu;
	uint64_t start, end;

	hand_open(&gpu, c->gpu, c->ip);
	for (unsigned i = 0; i < HAND_RESULTS; i++)
		gpu.results[i] = NOTHING;
	for (unsigned i = 0; i < ARRAY_SIZE(c->before); i++)
		if (!i || c->before[i].index)
			gpu.results[c->before[i].index] = c->before[i].value;
	emit(&gpu, c->commands);
	ck_assert_int_eq(drmsim_now(&start), 0);
	hand_run(&gpu);
	ck_assert_int_eq(drmsim_now(&end), 0);
	for (unsigned i = 0; i < ARRAY_SIZE(c->after); i++)
		if (c->after[i].index || (!i && c->after[i].value != NOTHING))
			ck_assert_msg(gpu.results[c->after[i].index] ==
					      c->after[i].value,
				      "%s: dword %u is 0x%x", c->name,
				      c->after[i].index,
				      gpu.results[c->after[i].index]);
	ck_assert_msg(end - start == c->ns, "%s: %llu ns", c->name,
		      (unsigned long long)(end - start));
	hand_close(&gpu);
}
END_TEST

static void
forget(void)
{
	drmsim_command("clear", NULL, 0);
	drmsim_set("default", "formula");
}

static Suite *
packets_suite(void)
{
	Suite *suite = suite_create("drmsim_amdgpu_packets");
	TCase *tcase = tcase_create("packets");

	tcase_add_checked_fixture(tcase, forget, NULL);
	tcase_add_loop_test(tcase, packet_effects, 0, (int)ARRAY_SIZE(cases));
	suite_add_tcase(suite, tcase);
	return suite;
}

static const char *const options[] = { "--time",	"virtual",
				       "--gpu=bonaire", "--gpu=navi10",
				       "--gpu=navi21",	"--gpu=navi31",
				       "--gpu=navi48",	NULL };

static const struct machine machines[] = {
	{ options, "drmsim_amdgpu_packets" },
};

int
main(void)
{
	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines));
	return suite_run(packets_suite());
}
