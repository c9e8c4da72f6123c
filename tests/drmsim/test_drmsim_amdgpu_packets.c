/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What packets of other people's command buffers do to memory and registers and
 * how much work they launch: each case is a command buffer, what stands in
 * memory before and after, and the time that its work takes.
 */
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/hand.h"
#include "tests/support/suite.h"

#include <amdgpu_drm.h>
#include <string.h>

#define ON(gpu, ring) gpu, AMDGPU_HW_IP_##ring

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
#define STORE(dword, index)                                                    \
	PACKET(0x40, 5), 5 << 8 | 1 << 20, dword, 0, AT(index)
#define WRITE(header, index, value)                                            \
	PACKET(0x37, 4) | (header), 5 << 8, AT(index), value
/* The event's result goes there. */
#define EVENT(event, index, at) PACKET(0x46, 3), (event) | (index) << 8, AT(at)
#define PREDICATE(operation, at) PACKET(0x20, 3), operation, AT(at)
/* 0x105 at 4; at 20, a buffer of three dwords that sets the threads to 33. */
#define CONDITION_AND_BUFFER                                                   \
	{ 4, 0x105 }, { 5, 0 }, { 20, PACKET(0x76, 2) }, { 21, NUM_THREAD_X }, \
	{                                                                      \
		22, 33                                                         \
	}
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
	/* up to { 0, 0 } behind others; after: if empty, nothing has changed */
	struct dword before[8], after[8];
	uint64_t ns; /* that its work takes */
};

static const struct packet_case cases[] = {
	/* ---- LOAD_*_REG_INDEX */
	{ "two registers from an address",
	  ON(NAVI21, COMPUTE),
	  { PACKET(0x63, 4), AT(4), NUM_THREAD_X, 2,
	    STORE(NUM_THREAD_DWORD, 10), STORE(NUM_THREAD_DWORD + 1, 11), END },
	  .before = { { 4, 71 }, { 5, 72 } },
	  .after = { { 10, 71 }, { 11, 72 } } },
	{ "pairs from an address",
	  ON(NAVI31, GFX),
	  { PACKET(0x63, 4), AT(4), 1u << 31, 2, STORE(NUM_THREAD_DWORD, 10),
	    STORE(NUM_THREAD_DWORD + 2, 11), END },
	  .before = { { 4, NUM_THREAD_X },
		      { 5, 81 },
		      { 6, NUM_THREAD_X + 2 },
		      { 7, 83 } },
	  .after = { { 10, 81 }, { 11, 83 } } },
	{ "from an offset to the base",
	  ON(NAVI48, GFX),
	  { PACKET(0x11, 3), 4, AT(0), PACKET(0x63, 4), 1, 16, NUM_THREAD_X, 1,
	    STORE(NUM_THREAD_DWORD, 10), END },
	  .before = { { 4, 91 } },
	  .after = { { 10, 91 } } },
	{ "two ranges, one behind the other",
	  ON(NAVI21, GFX),
	  { PACKET(0x63, 6), AT(4), NUM_THREAD_X, 2, NUM_THREAD_X + 2, 1,
	    STORE(NUM_THREAD_DWORD, 10), STORE(NUM_THREAD_DWORD + 2, 11), END },
	  .before = { { 4, 71 }, { 5, 72 }, { 6, 73 } },
	  .after = { { 10, 71 }, { 11, 73 } } },
	{ "a context register",
	  ON(NAVI10, GFX),
	  { PACKET(0x9f, 4), AT(4), 0x10, 1, STORE(0x28040 / 4, 10), END },
	  .before = { { 4, 0x1234 } },
	  .after = { { 10, 0x1234 } } },
	{ "a user register",
	  ON(NAVI48, GFX),
	  { PACKET(0x64, 4), AT(4), 0x10, 1, STORE(0x30040 / 4, 10), END },
	  .before = { { 4, 0x4321 } },
	  .after = { { 10, 0x4321 } } },
	{ "CONTEXT_REG_RMW",
	  ON(NAVI21, GFX),
	  { PACKET(0x69, 2), 0x10, 0xff, PACKET(0x51, 3), 0x10, 0xf0, 0x35,
	    STORE(0x28040 / 4, 10), END },
	  .after = { { 10, 0x3f } } },

	/* ---- SET_PREDICATION */
	{ "boolean of 32 bits, zero",
	  ON(NAVI21, GFX),
	  { PREDICATE(4 << 16 | 1 << 8, 4), WRITE(PREDICATED, 10, 1),
	    WRITE(0, 11, 1), PACKET(0x20, 3), 0, 0, 0, WRITE(PREDICATED, 12, 1),
	    END },
	  .before = { { 4, 0 }, { 5, 1 } },
	  .after = { { 10, NOTHING }, { 11, 1 }, { 12, 1 } } },
	{ "boolean of 32 bits, not zero",
	  ON(NAVI31, GFX),
	  { PREDICATE(4 << 16 | 1 << 8, 4), WRITE(PREDICATED, 10, 1), END },
	  .before = { { 4, 7 }, { 5, 0 } },
	  .after = { { 10, 1 } } },
	{ "boolean of 32 bits, not zero, inverted",
	  ON(NAVI31, GFX),
	  { PREDICATE(4 << 16, 4), WRITE(PREDICATED, 10, 1), END },
	  .before = { { 4, 7 }, { 5, 0 } } },
	{ "boolean of 64 bits",
	  ON(NAVI48, GFX),
	  { PREDICATE(3 << 16 | 1 << 8, 4), WRITE(PREDICATED, 10, 1), END },
	  .before = { { 4, 0 }, { 5, 1 } },
	  .after = { { 10, 1 } } },
	{ "boolean, not of a compute ring",
	  ON(NAVI21, COMPUTE),
	  { WRITE(PREDICATED, 10, 1), END },
	  .after = { { 10, 1 } } },
	{ "no sample has passed",
	  ON(NAVI21, GFX),
	  { EVENT(21, 1, 0), EVENT(21, 1, 2), PREDICATE(1 << 16 | 1 << 8, 0),
	    WRITE(PREDICATED, 100, 1), END },
	  .after = { { 100, NOTHING } } },

	/* ---- results of events */
	{ "ZPASS_DONE: each backend",
	  ON(NAVI10, GFX),
	  { EVENT(21, 1, 0), END },
	  .before = { { 0, NOTHING } },
	  .after = { { 0, 0 },
		     { 1, THERE },
		     { 2, NOTHING },
		     { 60, 0 },
		     { 61, THERE },
		     { 65, NOTHING } } },
	{ "EVENT_WRITE_ZPASS",
	  ON(NAVI31, GFX),
	  { PACKET(0xb1, 2), AT(0), END },
	  .before = { { 0, NOTHING } },
	  .after = { { 0, 0 },
		     { 1, THERE },
		     { 4, 0 },
		     { 5, THERE },
		     { 3, NOTHING } } },
	{ "PIXEL_PIPE_STAT_DUMP: some backends, 32 bytes apart",
	  ON(NAVI31, GFX),
	  { PACKET(0x46, 3), 56 | 1 << 8, 3 << 9 | 5 << 11, 0, EVENT(57, 1, 0),
	    END },
	  .before = { { 0, NOTHING } },
	  .after = { { 1, THERE },
		     { 9, NOTHING },
		     { 17, THERE },
		     { 25, NOTHING } } },
	{ "SAMPLE_PIPELINESTAT of gfx10: 11",
	  ON(NAVI10, GFX),
	  { ONE_THREAD, PACKET(0x15, 4), 3, 1, 1, 1, EVENT(30, 2, 0), END },
	  .before = { { 0, NOTHING } },
	  .after = { { 0, 0 },
		     { 1, 0 },
		     { 19, 0 },
		     { 20, 3 },
		     { 21, 0 },
		     { 22, NOTHING } },
	  .ns = ROUND },
	{ "SAMPLE_PIPELINESTAT of gfx11: 14",
	  ON(NAVI48, GFX),
	  { EVENT(30, 2, 0), END },
	  .before = { { 0, NOTHING } },
	  .after = { { 0, 0 }, { 22, 0 }, { 27, 0 }, { 28, NOTHING } } },
	{ "SAMPLE_STREAMOUTSTATS2",
	  ON(NAVI21, GFX),
	  { EVENT(2, 3, 4), END },
	  .before = { { 4, NOTHING } },
	  .after = { { 4, 0 },
		     { 5, THERE },
		     { 6, 0 },
		     { 7, THERE },
		     { 8, NOTHING } } },
	{ "EVENT_WRITE_EOS of a value",
	  ON(BONAIRE, GFX),
	  { PACKET(0x48, 4), 47 | 6 << 8, AT_WITH(4, 2), 9, END },
	  .after = { { 4, 9 }, { 5, NOTHING } } },
	{ "MEM_SEMAPHORE of gfx7: signal twice, wait",
	  ON(BONAIRE, GFX),
	  { PACKET(0x39, 2), AT_WITH(4, 6), PACKET(0x39, 2), AT_WITH(4, 6),
	    PACKET(0x39, 2), AT_WITH(4, 7), END },
	  .before = { { 4, 0 }, { 5, 0 } },
	  .after = { { 4, 1 }, { 5, 0 } } },
	{ "RELEASE_MEM of dwords of GDS",
	  ON(NAVI21, COMPUTE),
	  { PACKET(0x49, 7), 40 | 5 << 8, 5u << 29, AT(4), 2 << 16, 0, 0, END },
	  .after = { { 4, 0 }, { 5, 0 }, { 6, NOTHING } } },

	/* ---- memory */
	{ "MEM_SEMAPHORE of gfx9: signal, wait",
	  ON(NAVI10, COMPUTE),
	  { PACKET(0x39, 3), AT(4), 6u << 29, PACKET(0x39, 3), AT(4), 6u << 29,
	    PACKET(0x39, 3), AT(4), 7u << 29, END },
	  .before = { { 4, 0 }, { 5, 0 } },
	  .after = { { 4, 1 }, { 5, 0 } } },
	{ "STRMOUT_BUFFER_UPDATE",
	  ON(NAVI21, GFX),
	  { PACKET(0x34, 5), 2 << 8 | 2 << 1, 0, 0, AT(4), PACKET(0x34, 5),
	    2 << 8 | 3 << 1 | 1, AT(10), 0, 0, END },
	  .before = { { 4, 4096 } },
	  .after = { { 10, 4096 } } },
	{ "DMA_DATA_FILL_MULTI",
	  ON(NAVI21, GFX),
	  { PACKET(0x9a, 6), 0, 16, 2, AT(4), 8, END },
	  .after = { { 4, 0 },
		     { 5, 0 },
		     { 6, NOTHING },
		     { 8, 0 },
		     { 10, NOTHING } } },
	{ "COPY_DW",
	  ON(BONAIRE, GFX),
	  { PACKET(0x3b, 5), 3, AT(4), AT(10), END },
	  .before = { { 4, 17 } },
	  .after = { { 10, 17 } } },
	{ "CP_DMA",
	  ON(BONAIRE, GFX),
	  { PACKET(0x41, 5), 0x55, 2u << 29, AT(10), 8, END },
	  .after = { { 10, 0x55 }, { 11, 0x55 }, { 12, NOTHING } } },

	/* ---- a buffer by condition, which SETs a register */
	{ "COND_INDIRECT_BUFFER, true",
	  ON(NAVI21, COMPUTE),
	  { ONE_THREAD, PACKET(0x3f, 13), 1 | 3 << 8, AT(4), 0xff, 0, 5, 0,
	    AT(20), 3, 0, 0, 0, STORE(NUM_THREAD_DWORD, 10), END },
	  .before = { CONDITION_AND_BUFFER },
	  .after = { { 10, 33 } } },
	{ "COND_INDIRECT_BUFFER, false: none",
	  ON(NAVI21, COMPUTE),
	  { ONE_THREAD, PACKET(0x3f, 13), 1 | 3 << 8, AT(4), 0xff, 0, 6, 0,
	    AT(20), 3, AT(20), 3, STORE(NUM_THREAD_DWORD, 10), END },
	  .before = { CONDITION_AND_BUFFER },
	  .after = { { 10, 1 } } },
	{ "COND_INDIRECT_BUFFER, false: the other",
	  ON(NAVI48, GFX),
	  { ONE_THREAD, PACKET(0x3f, 13), 2 | 3 << 8, AT(4), 0xff, 0, 6, 0, 0,
	    0, 0, AT(20), 3, STORE(NUM_THREAD_DWORD, 10), END },
	  .before = { CONDITION_AND_BUFFER },
	  .after = { { 10, 33 } } },

	/* ---- work: how many, from memory */
	{ "as many draws as memory has",
	  ON(NAVI21, GFX),
	  { ARGUMENTS, PACKET(0x2c, 9), 0, 0, 0, 1u << 30, 9, AT(30), 16, 2,
	    END },
	  .before = { { 0, 3 },
		      { 1, 1 },
		      { 4, 3 },
		      { 5, 0 },
		      { 8, 3 },
		      { 9, 2 },
		      { 30, 3 } },
	  .ns = 2 * ROUND },
	{ "as many draws as the packet has",
	  ON(NAVI21, GFX),
	  { ARGUMENTS, PACKET(0x38, 9), 0, 0, 0, 0, 2, AT(30), 20, 2, END },
	  .before = { { 0, 3 }, { 1, 1 }, { 5, 3 }, { 6, 1 }, { 30, 1 } },
	  .ns = 2 * ROUND },
	{ "no more draws than the packet allows",
	  ON(NAVI21, GFX),
	  { ARGUMENTS, PACKET(0x2c, 9), 0, 0, 0, 1u << 30, 1, AT(30), 16, 2,
	    END },
	  .before = { { 0, 3 }, { 1, 1 }, { 4, 3 }, { 5, 1 }, { 30, 3 } },
	  .ns = ROUND },
	{ "a draw of no vertex",
	  ON(NAVI21, GFX),
	  { ARGUMENTS, PACKET(0x24, 4), 0, 0, 0, 2, END },
	  .before = { { 0, 0 }, { 1, 1 } } },
	{ "groups by an offset",
	  ON(NAVI10, GFX),
	  { ONE_THREAD, ARGUMENTS, PACKET(0x16, 2), 16, 1, END },
	  .before = { { 4, 1 }, { 5, 1 }, { 6, 1 } },
	  .ns = ROUND },
	{ "tasks",
	  ON(NAVI31, COMPUTE),
	  { ONE_THREAD, PACKET(0xad, 10), AT(0), 0, 2, 0, 5, AT(30), 12, 1,
	    END },
	  .before = { { 0, 1 },
		      { 1, 1 },
		      { 2, 1 },
		      { 3, 1 },
		      { 4, 1 },
		      { 5, 1 },
		      { 30, 2 } },
	  .ns = 2 * ROUND },
	{ "a task of one",
	  ON(NAVI21, COMPUTE),
	  { ONE_THREAD, PACKET(0xaa, 5), 1, 1, 1, 1, 0, END },
	  .ns = ROUND },
	/* 3072 waves at once */
	{ "meshes of 128 threads",
	  ON(NAVI31, GFX),
	  { PACKET(0x76, 2), (0xb2b0 - 0xb000) / 4, 127u << 24, PACKET(0x4e, 4),
	    3072, 1, 1, 2, END },
	  .ns = 2 * ROUND },
	{ "meshes of 128 threads, waves of 32",
	  ON(NAVI31, GFX),
	  { PACKET(0x76, 2), (0xb2b0 - 0xb000) / 4, 127u << 24, PACKET(0x69, 2),
	    (0x28b54 - 0x28000) / 4, 1 << 22, PACKET(0x4e, 4), 3072, 1, 1, 2,
	    END },
	  .ns = 4 * ROUND },
	{ "meshes from memory",
	  ON(NAVI21, GFX),
	  { ARGUMENTS, PACKET(0x4c, 8), 0, 0, 1u << 30, 4, AT(30), 12, 2, END },
	  .before = { { 0, 1 },
		      { 1, 1 },
		      { 2, 1 },
		      { 3, 1 },
		      { 4, 0 },
		      { 5, 1 },
		      { 30, 2 } },
	  .ns = ROUND },
};

static void
emit_packets(struct hand_gpu *gpu, const uint64_t *commands)
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

static bool
has_name(const struct dword *dwords, unsigned index)
{
	for (unsigned i = 0; i < 8; i++)
		if (dwords[i].index == index && (index || !i))
			return true;
	return false;
}

/*
 * Check the results. Where a case names nothing, there is nothing but what was
 * there.
 */
static void
check_after(const struct packet_case *c, const volatile uint32_t *results)
{
	static const struct dword none[ARRAY_SIZE(c->after)];
	const bool is_untouched = !memcmp(c->after, none, sizeof(none));

	for (unsigned i = 0; is_untouched && i < HAND_RESULTS; i++)
		ck_assert_msg(has_name(c->before, i) || results[i] == NOTHING,
			      "%s: dword %u is 0x%x", c->name, i, results[i]);
	for (unsigned i = 0; !is_untouched && i < ARRAY_SIZE(c->after); i++) {
		const struct dword *dword = &c->after[i];

		ck_assert_msg((i && !dword->index) ||
				      results[dword->index] == dword->value,
			      "%s: dword %u is 0x%x", c->name, dword->index,
			      results[dword->index]);
	}
}

static void
forget_report(void)
{
	drmsim_command("clear", NULL, 0);
	drmsim_set("default", "formula");
}

TEST_CASE(packets, forget_report, hand_finish, "drmsim_amdgpu_packets");

TEST_LOOP(packets, packets_have_their_effects, ARRAY_SIZE(cases))
{
	const struct packet_case *c = &cases[_i];
	uint64_t start, end;

	hand_open(&hand, c->gpu, c->ip);
	for (unsigned i = 0; i < HAND_RESULTS; i++)
		hand.results[i] = NOTHING;
	for (unsigned i = 0; i < ARRAY_SIZE(c->before); i++)
		if (!i || c->before[i].index)
			hand.results[c->before[i].index] = c->before[i].value;
	emit_packets(&hand, c->commands);
	ck_assert_int_eq(drmsim_now(&start), 0);
	hand_run(&hand);
	ck_assert_int_eq(drmsim_now(&end), 0);
	check_after(c, hand.results);
	ck_assert_msg(end - start == c->ns, "%s: %llu ns", c->name,
		      (unsigned long long)(end - start));
}

TEST_MACHINE("drmsim_amdgpu_packets", "--time", "virtual", "--gpu=bonaire",
	     "--gpu=navi10", "--gpu=navi21", "--gpu=navi31", "--gpu=navi48");
