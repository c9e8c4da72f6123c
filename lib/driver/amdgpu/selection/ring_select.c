/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/selection/selection.h"

#include <errno.h>
#include <stdlib.h>

static int
ring_from_environment(const char *name, const struct amd_device_info *info,
		      enum pm4_engine *out, struct drmperf_error *error)
{
	enum pm4_engine engine;

	if (!pm4_engine_find(name, &engine)) {
		error_set(error, -EINVAL, "DRMPERF_RING is \"%s\"", name);
		error_remedy(error, "set it to gfx or compute, or unset it");
		return -EINVAL;
	}
	if (!info->has_ring[engine]) {
		error_set(error, -ENOTSUP,
			  "the GPU has no ring of the kind that DRMPERF_RING "
			  "asks for, %s",
			  name);
		error_remedy(error, "unset DRMPERF_RING");
		return -ENOTSUP;
	}
	*out = engine;
	return 0;
}

static bool
has_graphics(const struct selection *selection)
{
	const struct core *core = selection->core;

	for (size_t i = 0; i < selection->counter_count; i++) {
		if (core->blocks[selection->counters[i].block].graphics)
			return true;
	}
	return false;
}

int
ring_select(const struct selection *selection,
	    const struct amd_device_info *info, enum pm4_engine *out,
	    struct drmperf_error *error)
{
	const struct core_commands *commands = &selection->core->commands;
	const char *name = secure_getenv("DRMPERF_RING");
	enum pm4_engine engine;

	if (name && *name)
		return ring_from_environment(name, info, out, error);
	engine = has_graphics(selection) ? commands->graphics
					 : commands->samples;
	*out = info->has_ring[engine] ? engine : info->engine;
	return 0;
}
