/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/driver.h"

#include <errno.h>
#include <i915_drm.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "i915/context.h"
#include "i915/device.h"
#include "i915/operations.h"
#include "i915/perf_ioctls.h"
#include "i915/perf_stream.h"
#include "i915/query.h"
#include "i915/sysfs.h"
#include "intel/load.h"
#include "intel/oa_device.h"
#include "intel/oa_format.h"
#include "intel/oa_stream.h"
#include "intel/platform.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "kernel/ioctl.h"
#include "machine/gpu.h"
#include "machine/machine.h"

#define REFRESH_NS 50000000

static void
make_groups(struct sim_i915 *device)
{
	struct sim_oa_group *group = &device->groups[0];

	group->classes = 1u << SIM_ENGINE_RENDER;
	device->group_count = 1;
	if (!device->platform.media_oa)
		return;
	group = &device->groups[1];
	group->id = 1;
	device->group_count = 2;
	group->classes =
		1u << SIM_ENGINE_VIDEO | 1u << SIM_ENGINE_VIDEO_ENHANCE;
	group->media = true;
}

static void
device_remove(struct sim_gpu *gpu)
{
	struct sim_i915 *device = sim_i915_of(gpu);

	sim_oa_device_finish(&device->oa);
	free(device);
	gpu->data = NULL;
}

static int
device_probe(struct sim_gpu *gpu, const struct sim_text *description)
{
	struct sim_i915 *device = calloc(1, sizeof(*device));
	int error;

	if (!device)
		return -ENOMEM;
	error = sim_platform_read(&device->platform, description);
	if (!error && !device->platform.formats)
		error = -EINVAL;
	if (error) {
		free(device);
		return error;
	}
	device->gpu = gpu;
	sim_oa_device_init(&device->oa, gpu, &device->platform, SIM_OA_P);
	device->has_perf = true;
	/* 1 is the kernel's own for its self-test */
	device->oa.configs.lowest = 2;
	device->config_ns = device->oa.settle_ns;
	make_groups(device);
	sim_load_init(&device->load, &device->platform);
	sim_load_set_frequency(&device->load, 0, device->oa.clock_hz);
	gpu->data = device;
	sim_i915_put_files(device);
	return sim_i915_pmu_register(device);
}

/* Answer as i915_gem_context_reset_stats_ioctl() does [i915_gem_context.c]. */
static int
get_reset_stats(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct sim_i915 *device = sim_i915_of(file->gpu);
	struct drm_i915_reset_stats *stats = arg;
	uint32_t context;
	int error;

	if (stats->flags || stats->pad)
		return -EINVAL;
	error = stats->ctx_id
			? sim_i915_context_find(file, stats->ctx_id, &context)
			: 0;
	if (error)
		return error;
	stats->reset_count = sim_call_is_privileged(call) ? device->resets : 0;
	stats->batch_active = 0;
	stats->batch_pending = 0;
	return 0;
}

/* Return at once: there are no outstanding requests to wait for. */
static int
gem_throttle(struct sim_call *call, struct sim_file *file, void *arg)
{
	(void)call;
	(void)file;
	(void)arg;
	return 0;
}

/*
 * Reads of a file are not seen: the residency is kept up to date. Virtual time
 * stands still during a read.
 */
static uint64_t
device_next(const struct sim_gpu *gpu)
{
	const struct sim_i915 *device = sim_i915_of(gpu);
	uint64_t next = sim_oa_streams_next(&device->oa);

	if (gpu->sim->is_virtual || next < device->next_refresh)
		return next;
	return device->next_refresh;
}

static void
device_advance(struct sim_gpu *gpu, uint64_t now)
{
	struct sim_i915 *device = sim_i915_of(gpu);

	sim_oa_streams_advance(&device->oa, now);
	if (device->next_refresh > now)
		return;
	sim_i915_put_residency(device);
	device->next_refresh = now + REFRESH_NS;
}

static void
update_residency(struct sim_gpu *gpu)
{
	sim_i915_put_residency(sim_i915_of(gpu));
}

static void
device_reset(struct sim_gpu *gpu)
{
	sim_perf_streams_reset(sim_i915_of(gpu));
	sim_i915_of(gpu)->resets++;
}

/*
 * Reset an engine. Linux counts these in i915->gpu_error.reset_engine_count, of
 * which no ioctl tells [i915_gpu_error.h].
 */
static void
device_reset_engine(struct sim_gpu *gpu)
{
	sim_perf_streams_reset(sim_i915_of(gpu));
}

static void
device_report(struct sim_gpu *gpu, FILE *out)
{
	const struct sim_i915 *device = sim_i915_of(gpu);

	sim_oa_report_streams(&device->oa, "perf", out);
	sim_oa_report_configs(&device->oa, out);
}

#define IOCTL(word, text, who, function)                                       \
	{                                                                      \
		.request = DRM_IOCTL_I915_##word, .name = text, .flags = who,  \
		.handle = function                                             \
	}

static const struct sim_ioctl ioctls[] = {
	IOCTL(GETPARAM, "getparam", SIM_RENDER, sim_i915_getparam),
	IOCTL(QUERY, "query", SIM_RENDER, sim_i915_query),
	IOCTL(REG_READ, "reg_read", SIM_RENDER, sim_i915_reg_read),
	IOCTL(PERF_OPEN, "perf_open", SIM_RENDER, sim_i915_perf_open),
	IOCTL(PERF_ADD_CONFIG, "perf_add_config", SIM_RENDER,
	      sim_i915_add_config),
	IOCTL(PERF_REMOVE_CONFIG, "perf_remove_config", SIM_RENDER,
	      sim_i915_remove_config_ioctl),
	IOCTL(GET_RESET_STATS, "get_reset_stats", SIM_RENDER, get_reset_stats),
	IOCTL(GEM_THROTTLE, "gem_throttle", SIM_RENDER, gem_throttle),
	IOCTL(GEM_CONTEXT_CREATE_EXT, "context_create", SIM_RENDER,
	      sim_i915_context_create),
	IOCTL(GEM_CONTEXT_DESTROY, "context_destroy", SIM_RENDER,
	      sim_i915_context_destroy),
};

const struct sim_driver sim_driver_i915 = {
	.name = "i915",
	.description = "Intel Graphics",
	.date = "20201103",
	.version = { 1, 6, 0 },
	.ioctls = ioctls,
	.ioctl_count = ARRAY_SIZE(ioctls),
	.probe = device_probe,
	.remove = device_remove,
	.set = sim_i915_set,
	.fdinfo = sim_i915_fdinfo,
	.open = sim_i915_context_open,
	.close = sim_i915_context_close,
	.next = device_next,
	.advance = device_advance,
	.settle = update_residency,
	.reset = device_reset,
	.reset_engine = device_reset_engine,
	.report = device_report,
};
