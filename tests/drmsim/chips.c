/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/chips.h"

#include <amdgpu_drm.h>
#include <stdio.h>

#include "drmsim/control.h"
#include "tests/support/check.h"

const struct chip chips[GPUS] = {
	[NAVI21] = { "navi21", 0x73bf, 0xc0,  143,   0x29,   4,	      2,   10,
		     80,       16,     16,    32,    100000, true,    10,  0,
		     0x0a0300, 49,     0x444, 0x3ff, 0,	     0x37390, true },
	[MI200] = { "mi200",	0x740f, 0x02, 141,     0x3d,	 8,
		    1,		14,	104,  32,      0,	 64,
		    100000,	false,	9,    0,       0x090402, 49,
		    0x22014042, 0x1fff, 0,    0x372fc, false },
	[NAVI31] = { "navi31", 0x744c, 0xc8,  145,  0x01,   6,	  2,   8,
		     96,       24,     24,    32,   100000, true, 11,  0,
		     0x0b0000, 49,     0x545, 0xff, 0xff,   0,	  true },
	[POLARIS10] = { "polaris10", 0x67df, 0xe7, 130,	    0x51, 4, 1, 9, 36,
			8,	     8,	     64,   25000,   true, 8, 0, 0, 49,
			0x22011003,  0,	     0,	   0x372fc, false },
	[MI100] = { "mi100",	0x738c, 0x01, 141,     0x33,	 8,
		    1,		16,	120,  32,      0,	 64,
		    100000,	false,	9,    0,       0x090401, 49,
		    0x22014042, 0x7fff, 0,    0x372fc, false },
	[NAVI10] = { "navi10",	 0x731f, 0xc1, 143,	0x03,	  2,
		     2,		 10,	 40,   16,	16,	  32,
		     100000,	 true,	 10,   0,	0x0a010a, 49,
		     0x00100044, 0x3ff,	 0,    0x37390, false },
	[MI300] = { "mi300",	0x74a1, 0x00, 141,     0x47,	 4,
		    1,		10,	304,  16,      0,	 64,
		    100000,	false,	9,    4,       0x090403, 54,
		    0x2a114042, 0,	0,    0x372fc, false },
	[NAVI48] = { "navi48", 0x7550, 0xc0,  152,  0x51,   4,	  2,   8,
		     64,       32,     16,    32,   100000, true, 12,  0,
		     0x0c0001, 61,     0x545, 0xff, 0,	    0,	  true },
	[BONAIRE] = { "bonaire", 0x6658, 0x00,	     120, 0x15,	 2,    1,    7,
		      14,	 4,	 4,	     64,  27000, true, 7,    2,
		      0,	 49,	 0x12010001, 0,	  0,	 0,    false },
};

void
chip_hold(struct hand_gpu *gpu, uint32_t level)
{
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 gpu->context, AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				 level, NULL),
			 0);
}

bool
chip_has_sqg(enum gpu number)
{
	return number == NAVI31 || number == NAVI48;
}

static void
leave_chip(struct hand_gpu *gpu)
{
	chip_leave(gpu, (enum gpu)gpu->number);
}

void
chip_prepare(struct hand_gpu *gpu, enum gpu number)
{
	const struct chip *f = &chips[number];

	gpu->leave = leave_chip;
	if (f->needs_pstate)
		chip_hold(gpu, AMDGPU_CTX_STABLE_PSTATE_STANDARD);
	if (f->clock_register)
		hand_set_uconfig(gpu, f->clock_register, 1);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(gpu, SQ_CTRL, 0x7f);
	hand_set_uconfig(gpu, SQ_MASK, 0xffffffff);
	if (chip_has_sqg(number))
		hand_set_uconfig(gpu, SQG_CTRL, 0x807f);
}

void
chip_leave(struct hand_gpu *gpu, enum gpu number)
{
	const struct chip *f = &chips[number];

	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	if (f->clock_register)
		hand_set_uconfig(gpu, f->clock_register, 0);
	hand_run(gpu);
	if (f->needs_pstate)
		chip_hold(gpu, AMDGPU_CTX_STABLE_PSTATE_NONE);
	hand_close(gpu);
}

void
chip_wait(struct hand_gpu *gpu, uint32_t reg, uint32_t value)
{
	hand_packet(gpu, 0x3c, 6);
	hand_emit(gpu, 3);
	hand_emit(gpu, reg / 4);
	hand_emit(gpu, 0);
	hand_emit(gpu, value);
	hand_emit(gpu, 0xffffffff);
	hand_emit(gpu, 4);
}

/*
 * Wait for a sample of gfx12: nothing may be read before it has reached the
 * engines.
 */
static void
wait_for_sample(struct hand_gpu *gpu, enum gpu number)
{
	if (number != NAVI48)
		return;
	for (unsigned se = 0; se < chips[number].engines; se++) {
		hand_set_uconfig(gpu, GRBM_GFX_INDEX, 0x60000000 | se << 16);
		if (gpu->ip == GFX) {
			chip_wait(gpu, GRBMH_SYNC, 1);
			hand_copy_to_register(gpu, GRBMH_SYNC, 1);
		}
		hand_set_uconfig(gpu, SQG_CTRL, 0x7f);
		chip_wait(gpu, SQG_CTRL, 0x7f);
	}
}

void
chip_sample(struct hand_gpu *gpu, enum gpu number)
{
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0x401);
	wait_for_sample(gpu, number);
}

uint32_t
chip_count(struct hand_gpu *gpu, enum gpu number, uint32_t lo, uint32_t index)
{
	chip_sample(gpu, number);
	hand_read(gpu, index, lo, 0);
	hand_run(gpu);
	return gpu->results[0];
}

void
chip_reset(enum gpu number)
{
	char command[32];

	snprintf(command, sizeof(command), "reset-gpu %u", number);
	ck_assert_int_eq(drmsim_command(command, NULL, 0), 0);
}

void
chips_forget(void)
{
	drmsim_command("clear", NULL, 0);
	drmsim_set("default", "formula");
	/* each reading has a suite of its own, test_drmsim_amdgpu_doubts */
	drmsim_set("doubts", "best");
	drmsim_set("gating", "all");
}
