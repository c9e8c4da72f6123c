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

uint64_t
sim_i915_tick(const struct sim_i915 *device, uint64_t ns)
{
	const uint64_t since =
		ns > device->drift_ns ? ns - device->drift_ns : 0;
	const uint64_t rate = (uint64_t)(1000000 + device->drift_ppm);

	if (!device->drift_ppm && !device->drift_ns)
		return sim_i915_engine_tick(device, ns);
	return device->drift_tick +
	       (uint64_t)((unsigned __int128)since * device->platform.oa_hz *
			  rate / 1000000 / 1000000000);
}

void
sim_i915_set_drift(struct sim_i915 *device, uint64_t now_ns, int64_t ppm)
{
	device->drift_tick = sim_i915_tick(device, now_ns);
	device->drift_ns = now_ns;
	device->drift_ppm = ppm;
}

unsigned
sim_i915_perf_revision(const struct sim_i915 *device)
{
	if (device->linux_6_1)
		return 5;
	return device->media_c6 ? 6 : 7;
}
