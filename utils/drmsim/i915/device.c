/* SPDX-License-Identifier: BSD-3-Clause */
#include "i915/device.h"

#include "machine/gpu.h"

struct sim_i915 *
sim_i915_of(const struct sim_gpu *gpu)
{
	return gpu->data;
}

uint64_t
sim_i915_engine_tick(const struct sim_i915 *device, uint64_t ns)
{
	return (uint64_t)((unsigned __int128)ns * device->platform.oa_hz /
			  1000000000);
}

unsigned
sim_i915_perf_revision(const struct sim_i915 *device)
{
	if (device->linux_6_1)
		return 5;
	return device->media_c6 ? 6 : 7;
}
