/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/device/pm4.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#include <string.h>

#define GRBM_GFX_INDEX 0x30800
#define CP_PERFMON_CNTL 0x36020
#define TCC_PERFCOUNTER0_LO 0x34e00
#define COMPUTE_PERFCOUNT_ENABLE 0xb82c
#define EA_PERFCOUNTER0_CFG 0xabe4
#define GRBMH_SYNC 0x81cc

/* ------------------------------------------------------------------ */
/* One packet each, against dwords from drivers' documented streams      */

static struct pm4_register
register_at(uint32_t byte)
{
	return (struct pm4_register){ byte };
}

static void
set_index(struct pm4 *pm4)
{
	pm4_set_uconfig(pm4, pm4_uconfig(register_at(GRBM_GFX_INDEX)),
			0xe0000000);
}

static void
emit_count(struct pm4 *pm4)
{
	pm4_set_uconfig(pm4, pm4_uconfig(register_at(CP_PERFMON_CNTL)), 1);
}

static void
enable_compute(struct pm4 *pm4)
{
	pm4_set_sh(pm4, pm4_sh(register_at(COMPUTE_PERFCOUNT_ENABLE)), 1);
}

static void
select_ea(struct pm4 *pm4)
{
	pm4_copy_value(pm4, register_at(EA_PERFCOUNTER0_CFG), 0x10000037);
}

static void
read_tcc(struct pm4 *pm4)
{
	pm4_copy_register(pm4, register_at(TCC_PERFCOUNTER0_LO),
			  UINT64_C(0x123456789a0));
}

static void
read_time(struct pm4 *pm4)
{
	pm4_copy_timestamp(pm4, UINT64_C(0x123456789a0));
}

static void
emit_start(struct pm4 *pm4)
{
	pm4_event(pm4, PM4_PERFCOUNTER_START);
}

static void
emit_stop(struct pm4 *pm4)
{
	pm4_event(pm4, PM4_PERFCOUNTER_STOP);
}

static void
emit_latch(struct pm4 *pm4)
{
	pm4_event(pm4, PM4_PERFCOUNTER_SAMPLE);
}

static void
emit_store(struct pm4 *pm4)
{
	pm4_store(pm4, 7, UINT64_C(0x123456789a0));
}

static void
store_on_die(struct pm4 *pm4)
{
	pm4->xccs = 1 << 2;
	emit_store(pm4);
}

/* Copy in two packets. */
static void
copy_memory(struct pm4 *pm4)
{
	pm4_copy_memory(pm4, UINT64_C(0x123456789a0), UINT64_C(0x43210000000),
			0x4040);
}

static void
wait_end(struct pm4 *pm4)
{
	pm4_wait_end(pm4, UINT64_C(0x123456789a0), UINT64_C(0x123456788a0));
}

/* Copy early: memory confirms the last of the copies. */
static void
copy_early(struct pm4 *pm4)
{
	pm4_copy_early(pm4, register_at(GRBMH_SYNC), UINT64_C(0x123456789a0));
	pm4_copy_early(pm4, register_at(GRBMH_SYNC), UINT64_C(0x123456789a4));
	pm4_confirm_copy(pm4);
	pm4_confirm_copy(pm4);
}

static void
copy_pair(struct pm4 *pm4)
{
	pm4_copy_pair_early(pm4, register_at(TCC_PERFCOUNTER0_LO),
			    UINT64_C(0x123456789a0));
	pm4_confirm_copy(pm4);
}

static void
open_window(struct pm4 *pm4)
{
	pm4->window = 3;
	pm4_counter_window(pm4, true);
	pm4_counter_window(pm4, false);
	pm4->window = 0;
	pm4_counter_window(pm4, true);
}

static const struct {
	int line;
	void (*write)(struct pm4 *pm4);
	enum pm4_engine engine;
	unsigned level;
	uint32_t dwords[28];
	size_t count;
} packets[] = {
	/* gfx10 and later on the graphics ring reset the register filter */
	{ __LINE__,
	  set_index,
	  PM4_ENGINE_GFX,
	  10,
	  { 0xc0017904, 0x00000200, 0xe0000000 },
	  3 },
	{ __LINE__,
	  set_index,
	  PM4_ENGINE_GFX,
	  12,
	  { 0xc0017904, 0x00000200, 0xe0000000 },
	  3 },
	{ __LINE__,
	  set_index,
	  PM4_ENGINE_GFX,
	  9,
	  { 0xc0017900, 0x00000200, 0xe0000000 },
	  3 },
	{ __LINE__,
	  set_index,
	  PM4_ENGINE_COMPUTE,
	  10,
	  { 0xc0017900, 0x00000200, 0xe0000000 },
	  3 },
	{ __LINE__,
	  emit_count,
	  PM4_ENGINE_GFX,
	  10,
	  { 0xc0017904, 0x00001808, 0x00000001 },
	  3 },
	{ __LINE__,
	  emit_start,
	  PM4_ENGINE_GFX,
	  9,
	  { 0xc0004600, 0x00000017 },
	  2 },
	{ __LINE__,
	  emit_stop,
	  PM4_ENGINE_GFX,
	  9,
	  { 0xc0004600, 0x00000018 },
	  2 },
	{ __LINE__,
	  emit_latch,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0004600, 0x0000001b },
	  2 },
	{ __LINE__,
	  read_tcc,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0044000, 0x00100504, 0x0000d380, 0, 0x456789a0, 0x123 },
	  6 },
	{ __LINE__,
	  read_time,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0044000, 0x00110509, 0, 0, 0x456789a0, 0x123 },
	  6 },
	{ __LINE__,
	  select_ea,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0044000, 0x00100405, 0x10000037, 0, 0x00002af9, 0 },
	  6 },
	{ __LINE__,
	  enable_compute,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0017600, 0x0000020b, 1 },
	  3 },
	{ __LINE__,
	  pm4_wait_idle,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0004600, 0x00000407 },
	  2 },
	{ __LINE__,
	  pm4_wait_idle,
	  PM4_ENGINE_GFX,
	  9,
	  { 0xc0004600, 0x00000407, 0xc0004600, 0x0000040f, 0xc0004600,
	    0x00000410, 0xc0004200, 0 },
	  8 },
	{ __LINE__,
	  emit_store,
	  PM4_ENGINE_COMPUTE,
	  12,
	  { 0xc0044000, 0x00100505, 7, 0, 0x456789a0, 0x123 },
	  6 },
	/* six dwords for the third die */
	{ __LINE__,
	  store_on_die,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0002300, 0x04000006, 0xc0044000, 0x00100505, 7, 0, 0x456789a0,
	    0x123 },
	  8 },
	/* through L2; graphics has to wait for the last one */
	{ __LINE__,
	  copy_memory,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0055000, 0x60300000, 0x456789a0, 0x123, 0x10000000, 0x432,
	    0x4000, 0xc0055000, 0x60300000, 0x4567c9a0, 0x123, 0x10004000,
	    0x432, 0x40 },
	  14 },
	{ __LINE__,
	  copy_memory,
	  PM4_ENGINE_GFX,
	  11,
	  { 0xc0055000, 0x60300000, 0x456789a0, 0x123, 0x10000000, 0x432,
	    0x4000, 0xc0055000, 0xe0300000, 0x4567c9a0, 0x123, 0x10004000,
	    0x432, 0x40 },
	  14 },
	/* 1, which the end of the pipe turns into 0 */
	{ __LINE__,
	  wait_end,
	  PM4_ENGINE_COMPUTE,
	  12,
	  { 0xc0044000, 0x00100505, 1,		0,	    0x456789a0, 0x123,
	    0xc0064900, 0x00000528, 0x20000000, 0x456789a0, 0x123,	0,
	    0,		0,	    0xc0053c00, 0x00000013, 0x456789a0, 0x123,
	    0,		0xffffffff, 4 },
	  21 },
	{ __LINE__,
	  wait_end,
	  PM4_ENGINE_GFX,
	  12,
	  { 0xc0044000, 0x00100505, 1,		0,	    0x456789a0, 0x123,
	    0xc0064900, 0x00000528, 0x20000000, 0x456789a0, 0x123,	0,
	    0,		0,	    0xc0053c00, 0x00000013, 0x456789a0, 0x123,
	    0,		0xffffffff, 4,		0xc0004200, 0 },
	  23 },
	/* render backends of gfx9 store before the end of the pipe does */
	{ __LINE__,
	  wait_end,
	  PM4_ENGINE_GFX,
	  9,
	  { 0xc0044000, 0x00100505, 1,		0,     0x456789a0, 0x123,
	    0xc0024600, 0x00000115, 0x456788a0, 0x123, 0xc0064900, 0x00000528,
	    0x20000000, 0x456789a0, 0x123,	0,     0,	   0,
	    0xc0053c00, 0x00000013, 0x456789a0, 0x123, 0,	   0xffffffff,
	    4,		0xc0004200, 0 },
	  27 },
	{ __LINE__,
	  wait_end,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0044000, 0x00100505, 1,		0,	    0x456789a0, 0x123,
	    0xc0064900, 0x00000528, 0x20000000, 0x456789a0, 0x123,	0,
	    0,		0,	    0xc0053c00, 0x00000013, 0x456789a0, 0x123,
	    0,		0xffffffff, 4 },
	  21 },
	{ __LINE__,
	  copy_early,
	  PM4_ENGINE_GFX,
	  12,
	  { 0xc0044000, 0x00000504, 0x00002073, 0, 0x456789a0, 0x123,
	    0xc0044000, 0x00100504, 0x00002073, 0, 0x456789a4, 0x123 },
	  12 },
	{ __LINE__,
	  copy_pair,
	  PM4_ENGINE_COMPUTE,
	  9,
	  { 0xc0044000, 0x00110504, 0x0000d380, 0, 0x456789a0, 0x123 },
	  6 },
	{ __LINE__,
	  open_window,
	  PM4_ENGINE_COMPUTE,
	  11,
	  { 0xc0003d00, 3, 0xc0003d00, 0 },
	  4 },
};

TEST_CASE(pm4, NULL, NULL, "amdgpu_pm4");

TEST_LOOP(pm4, a_packet_has_its_dwords, ARRAY_SIZE(packets))
{
	uint32_t dwords[ARRAY_SIZE(packets[0].dwords) + 1];
	struct pm4 pm4 = { .dwords = dwords,
			   .engine = packets[_i].engine,
			   .level = packets[_i].level,
			   .source = PM4_SOURCE_COUNTER };

	memset(dwords, 0xa5, sizeof(dwords));
	packets[_i].write(&pm4);
	ck_assert_msg(pm4.count == packets[_i].count,
		      "line %d: %zu dwords, not %zu", packets[_i].line,
		      pm4.count, packets[_i].count);
	for (size_t i = 0; i < pm4.count; i++)
		ck_assert_msg(dwords[i] == packets[_i].dwords[i],
			      "line %d: dword %zu is %08x, not %08x",
			      packets[_i].line, i, dwords[i],
			      packets[_i].dwords[i]);
	ck_assert_uint_eq(dwords[pm4.count], 0xa5a5a5a5);
}

/* Without memory the same is counted, and nothing is stored. */
TEST_LOOP(pm4, packets_are_measured_without_memory, ARRAY_SIZE(packets))
{
	struct pm4 pm4 = { .engine = packets[_i].engine,
			   .level = packets[_i].level };

	packets[_i].write(&pm4);
	ck_assert_uint_eq(pm4.count, packets[_i].count);
}

TEST(pm4, a_plain_register_is_copied_as_such)
{
	uint32_t dwords[6];
	struct pm4 pm4 = { .dwords = dwords, .source = PM4_SOURCE_REGISTER };

	pm4_copy_register(&pm4, register_at(0x34d00), 0x1000);
	ck_assert_uint_eq(dwords[1], 0x100500);
	ck_assert_uint_eq(dwords[2], 0xd340);
}

TEST(pm4, padding_fills_up_to_a_multiple)
{
	static const struct {
		size_t before, multiple, after;
	} cases[] = { { 0, 8, 0 }, { 1, 8, 8 }, { 8, 8, 8 }, { 9, 256, 256 } };
	uint32_t dwords[256];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pm4 pm4 = { .dwords = dwords, .count = cases[i].before };

		pm4_pad(&pm4, cases[i].multiple);
		ck_assert_uint_eq(pm4.count, cases[i].after);
		for (size_t k = cases[i].before; k < pm4.count; k++)
			ck_assert_uint_eq(dwords[k], 0xffff1000);
	}
}

TEST(pm4, registers_lie_in_their_windows)
{
	ck_assert(pm4_in_uconfig(register_at(0x30000)));
	ck_assert(pm4_in_uconfig(register_at(0x3fffc)));
	ck_assert(!pm4_in_uconfig(register_at(0x2fffc)));
	ck_assert(!pm4_in_uconfig(register_at(0x40000)));
	ck_assert_uint_eq(pm4_uconfig(register_at(0x34e00)).dword, 0x1380);
	ck_assert_uint_eq(pm4_sh(register_at(0xb82c)).dword, 0x20b);
}
