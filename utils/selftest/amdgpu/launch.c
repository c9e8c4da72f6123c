/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registers of compute: Linux gc_9_0_offset.h; the same from gfx7 to gfx12.
 */
#include "selftest/amdgpu/launch.h"

/* Bits of COMPUTE_PGM_RSRC1: 8 vector and 16 scalar registers, or more */
#define REGISTERS (1u | 1u << 6)
#define FLOAT_MODE (0xc0u << 12)
#define DX10_CLAMP (1u << 21) /* means something else on gfx12 */

/*
 * Bits of COMPUTE_PGM_RSRC2: scalar registers that are given, then the group's
 * x
 */
#define USER_REGISTERS (4u << 1 | 1u << 7)

enum compute_register {
	COMPUTE_START_X = 0xb810,
	COMPUTE_NUM_THREAD_X = 0xb81c,
	COMPUTE_PGM_LO = 0xb830,
	COMPUTE_PGM_RSRC1 = 0xb848,
	COMPUTE_RESOURCE_LIMITS = 0xb854,
	COMPUTE_STATIC_THREAD_MGMT_SE0 = 0xb858,
	COMPUTE_TMPRING_SIZE = 0xb860,
	COMPUTE_STATIC_THREAD_MGMT_SE2 = 0xb864,
	COMPUTE_USER_DATA_0 = 0xb900,
};

static void
set_register(struct pm4 *pm4, uint32_t byte, uint32_t value)
{
	pm4_set_sh(pm4, pm4_sh((struct pm4_register){ byte }), value);
}

static void
set_pair(struct pm4 *pm4, uint32_t byte, uint32_t first, uint32_t second)
{
	set_register(pm4, byte, first);
	set_register(pm4, byte + 4, second);
}

static void
set_memory(struct pm4 *pm4, uint64_t program, uint32_t bytes)
{
	uint32_t description[4];

	shader_describe(pm4->level, program + SHADER_DWORDS * sizeof(uint32_t),
			bytes, description);
	for (uint32_t i = 0; i < 4; i++)
		set_register(pm4, COMPUTE_USER_DATA_0 + 4 * i, description[i]);
}

static void
set_shader(struct pm4 *pm4, uint64_t program, const struct launch *launch)
{
	uint32_t clamp = pm4->level < 12 ? DX10_CLAMP : 0;

	set_pair(pm4, COMPUTE_START_X, 0, 0);
	set_register(pm4, COMPUTE_START_X + 8, 0);
	set_pair(pm4, COMPUTE_NUM_THREAD_X, launch->threads, 1);
	set_register(pm4, COMPUTE_NUM_THREAD_X + 8, 1);
	set_pair(pm4, COMPUTE_PGM_LO, (uint32_t)(program >> 8),
		 (uint32_t)(program >> 40));
	set_pair(pm4, COMPUTE_PGM_RSRC1, REGISTERS | FLOAT_MODE | clamp,
		 launch->bytes ? USER_REGISTERS : 0);
	set_register(pm4, COMPUTE_RESOURCE_LIMITS, 0);
	set_pair(pm4, COMPUTE_STATIC_THREAD_MGMT_SE0, UINT32_MAX, UINT32_MAX);
	set_register(pm4, COMPUTE_TMPRING_SIZE, 0);
	set_pair(pm4, COMPUTE_STATIC_THREAD_MGMT_SE2, UINT32_MAX, UINT32_MAX);
	if (launch->bytes)
		set_memory(pm4, program, launch->bytes);
}

void
launch_write(struct pm4 *pm4, const struct core *core, uint64_t program,
	     const struct launch *launch)
{
	const struct core_control *enable =
		&core->controls[CORE_COMPUTE_PERFCOUNT_ENABLE];

	pm4_refresh(pm4);
	set_shader(pm4, program, launch);
	if (enable->reg.byte)
		pm4_set_sh(pm4, pm4_sh(enable->reg),
			   launch->enabled ? enable->value : enable->reset);
	pm4_dispatch(pm4, launch->groups);
	pm4_wait_idle(pm4);
	if (enable->reg.byte && !launch->stays_set)
		pm4_set_sh(pm4, pm4_sh(enable->reg), enable->reset);
}
