/* SPDX-License-Identifier: BSD-3-Clause */
/* [i915_drm_client.c, drm_file.c] */
#include "i915/operations.h"

#include <inttypes.h>

#include "i915/device.h"
#include "intel/load.h"
#include "intel/platform.h"
#include "kernel/fdinfo.h"
#include "kernel/file.h"
#include "machine/clock.h"
#include "machine/gpu.h"

static const char *const classes[SIM_ENGINE_CLASSES] = {
	[SIM_ENGINE_RENDER] = "render",
	[SIM_ENGINE_COPY] = "copy",
	[SIM_ENGINE_VIDEO] = "video",
	[SIM_ENGINE_VIDEO_ENHANCE] = "video-enhance",
	[SIM_ENGINE_COMPUTE] = "compute",
};

static void
put_memories(const struct sim_i915 *device, FILE *out)
{
	const char *region = device->platform.discrete ? "local0" : "system0";
	uint64_t bytes = device->load.client_memory;

	sim_fdinfo_put_memory(out, "total", region, bytes);
	sim_fdinfo_put_memory(out, "shared", region, 0);
	sim_fdinfo_put_memory(out, "active", region, 0);
	sim_fdinfo_put_memory(out, "resident", region, bytes);
	sim_fdinfo_put_memory(out, "purgeable", region, 0);
}

void
sim_i915_fdinfo(struct sim_file *file, FILE *out)
{
	const struct sim_i915 *device = sim_i915_of(file->gpu);
	uint64_t now = sim_now(file->gpu->sim);

	if (!device->linux_6_1)
		put_memories(device, out);
	if (device->platform.version < 800)
		return;
	for (unsigned c = 0; c < SIM_ENGINE_CLASSES; c++) {
		unsigned count = device->platform.engines[c];

		if (count == 0)
			continue;
		fprintf(out, "drm-engine-%s:\t%" PRIu64 " ns\n", classes[c],
			sim_load_client(&device->load, c, file->opened, now));
		if (count > 1)
			fprintf(out, "drm-engine-capacity-%s:\t%u\n",
				classes[c], count);
	}
}
