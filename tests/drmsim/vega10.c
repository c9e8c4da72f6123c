/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/drmsim/vega10.h"

#include "drmsim/control.h"

void
vega10_prepare(struct hand_gpu *gpu)
{
	gpu->leave = vega10_leave;
	hand_set_uconfig(gpu, RLC_PERFMON_CLK_CNTL, 1);
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(gpu, SQ_PERFCOUNTER_CTRL, 0x7f);
	hand_set_uconfig(gpu, SQ_PERFCOUNTER_MASK, 0xffffffff);
	hand_set_uconfig(gpu, SQ_PERFCOUNTER_CTRL2, 1);
}

void
vega10_leave(struct hand_gpu *gpu)
{
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_set_uconfig(gpu, CP_PERFMON_CNTL, 0);
	hand_set_uconfig(gpu, RLC_PERFMON_CNTL, 0);
	hand_set_uconfig(gpu, SQ_PERFCOUNTER_CTRL2, 0);
	hand_set_uconfig(gpu, RLC_PERFMON_CLK_CNTL, 0);
	hand_run(gpu);
}

void
vega10_forget(void)
{
	drmsim_command("clear", NULL, 0);
	drmsim_set("default", "formula");
	/* each reading has a suite of its own, test_drmsim_amdgpu_doubts */
	drmsim_set("doubts", "best");
	drmsim_set("gating", "all");
	drmsim_set("gated-clock", "off");
}
