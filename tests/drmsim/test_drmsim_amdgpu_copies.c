/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A packet can write any register, also one that holds the chip together: the
 * simulated one hangs unless its own header has a counter there, or what
 * governs counters. Addresses: Linux gc_9_0_offset.h, gc_9_2_1_offset.h.
 */
#include <amdgpu_drm.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/drmsim/hand.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

enum gpu { VEGA10, VEGA12, NAVI48 };

static const struct copy {
	const char *what;
	enum gpu gpu;
	uint32_t reg;
	bool hangs;
} copies[] = {
	{ "EA 0 of Vega 10", VEGA10, 0xabe4, false },
	{ "RSLT_CNTL of EA of Vega 10", VEGA10, 0xabec, false },
	{ "nothing on Vega 10", VEGA10, 0x9c00, true },
	{ "SDP_REQ_CNTL of Vega 12", VEGA12, 0xabe4, true },
	{ "MISC of Vega 12", VEGA12, 0xabe8, true },
	{ "LATENCY_SAMPLING of Vega 12", VEGA12, 0xabec, true },
	{ "EA 0 of Vega 12", VEGA12, 0xabf8, false },
	{ "RSLT_CNTL of EA of Vega 12", VEGA12, 0x9c00, false },
	{ "SQ 0, which others can set", VEGA12, 0x36700, false },
	{ "an address without anything", VEGA12, 0x100, true },
	{ "GRBMH_SYNC, which governs", NAVI48, 0x81cc, false },
	{ "EA of Vega 10 on Navi 48", NAVI48, 0xabe4, true },
};

TEST_CASE(copies, NULL, hand_finish, "drmsim_amdgpu_copies");

TEST_LOOP(copies, copying_to_an_absent_register_hangs, ARRAY_SIZE(copies))
{
	const struct copy *c = &copies[_i];

	drmsim_command("clear", NULL, 0);
	hand_open(&hand, c->gpu, COMPUTE);
	hand_copy_to_register(&hand, c->reg, 0);
	hand_try(&hand, HAND_MS);
	ck_assert_msg(hand_notes("violation", "hang") == c->hangs, "%s",
		      c->what);
	/* it takes a reset to get out of it */
	scene_pass(60ull * HAND_SECOND);
}

static const struct set {
	const char *what;
	unsigned gpu;
	uint32_t reg;
	bool is_told;
} sets[] = {
	{ "SQ 0", VEGA10, 0x36700, false },
	{ "SQ 15, which is not simulated", VEGA10, 0x3673c, false },
	{ "a control of streaming, which is not either", VEGA10, 0x37200,
	  false },
	{ "nothing behind SQ 15", VEGA10, 0x36740, true },
	{ "that of SQG on Navi 48", NAVI48, 0x36740, false },
	{ "SQ_PERFCOUNTER_MASK of gfx9 on gfx12", NAVI48, 0x36784, true },
	{ "that of Vega 12", VEGA12, 0x36784, false },
	{ "the clock of gfx10 on gfx9", VEGA12, 0x37390, true },
	{ "the first dword", NAVI48, 0x34000, false },
	{ "the last dword", NAVI48, 0x37ffc, true },
	{ "what is not of counters", NAVI48, 0x38000, false },
	{ "nor this", VEGA10, 0x33ffc, false },
};

/* A register of counters that a chip does not have is reported. */
TEST_LOOP(copies, setting_an_absent_register_is_a_violation, ARRAY_SIZE(sets))
{
	const struct set *c = &sets[_i];

	drmsim_command("clear", NULL, 0);
	hand_open(&hand, c->gpu, COMPUTE);
	hand_set_uconfig(&hand, c->reg, 0);
	hand_run(&hand);
	ck_assert_msg(hand_notes("violation", "register") == c->is_told, "%s",
		      c->what);
}

TEST_MACHINE("drmsim_amdgpu_copies", "--time", "virtual",
	     "--gpu=vega10,doubts=best", "--gpu=vega12,doubts=best",
	     "--gpu=navi48,doubts=best");
