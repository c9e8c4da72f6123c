/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/count/perfcount_enable.h"

#include "driver/amdgpu/gpu/gpu.h"
#include "driver/amdgpu/submit/pm4.h"

/*
 * Write a register of the queue's shader state, which no other queue can write.
 */
void
perfcount_enable_commands(const void *device, bool counts, uint32_t *words,
			  size_t *count)
{
	const struct core *core = &((const struct gpu *)device)->core;
	const struct core_control *enable =
		&core->controls[CORE_COMPUTE_PERFCOUNT_ENABLE];
	struct pm4 pm4 = { .dwords = words,
			   .engine = PM4_ENGINE_COMPUTE,
			   .level = core->level };

	if (enable->reg.byte)
		pm4_set_sh(&pm4, pm4_sh(enable->reg),
			   counts ? enable->value : enable->reset);
	*count = pm4.count;
}
