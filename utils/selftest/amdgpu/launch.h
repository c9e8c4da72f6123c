/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that launch a compute shader, and wait for it. */
#ifndef DRMPERF_SELFTEST_AMDGPU_LAUNCH_H
#define DRMPERF_SELFTEST_AMDGPU_LAUNCH_H

#include "driver/amdgpu/tables/core.h"
#include "selftest/amdgpu/shader.h"
#include "driver/amdgpu/device/pm4.h"

struct launch {
	unsigned threads; /* of a group */
	unsigned groups;
	bool enabled;	/* COMPUTE_PERFCOUNT_ENABLE is set for it */
	bool stays_set; /* and left so, where a window is open */
	uint32_t bytes; /* of memory behind the program; 0: none */
};

/*
 * Write the program, which lies at the address, and its memory SHADER_DWORDS
 * behind.
 */
void launch_write(struct pm4 *pm4, const struct core *core, uint64_t program,
		  const struct launch *launch);

#endif /* DRMPERF_SELFTEST_AMDGPU_LAUNCH_H */
