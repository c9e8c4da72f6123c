/* SPDX-License-Identifier: BSD-3-Clause */
#include "i915/operations.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"
#include "i915/device.h"
#include "i915/perf_stream.h"
#include "i915/sysfs.h"
#include "intel/load.h"
#include "intel/oa_stream.h"
#include "intel/platform.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"

#define MHZ 1000000

static uint64_t
setting_now(const struct sim_i915 *device)
{
	return sim_now(device->gpu->sim);
}

/* ------------------------------------------------------------------ */
/* The unit                                                             */

/* Set the clock, in MHz to six decimals. */
static int
set_clock(struct sim_i915 *device, const char *value)
{
	uint64_t hz;

	if (sim_word_micro(value, &hz) || hz == 0 || hz > 10000ull * MHZ)
		return -EINVAL;
	sim_oa_streams_run(&device->oa);
	device->oa.clock_hz = hz;
	sim_oa_streams_recount(&device->oa);
	sim_load_set_frequency(&device->load, setting_now(device), hz);
	sim_i915_put_frequencies(device);
	return 0;
}

/* Set media C6. Firmware keeps it on: media engines have no OA unit then. */
static int
set_media_c6(struct sim_i915 *device, const char *value)
{
	uint64_t flag;

	if (sim_word_u64(value, &flag) || flag > 1 ||
	    !device->platform.media_oa)
		return -EINVAL;
	device->media_c6 = flag;
	return 0;
}

static int
set_config_delay(struct sim_i915 *device, const char *value)
{
	return sim_word_time(value, &device->config_ns);
}

/* ------------------------------------------------------------------ */
/* The kernel                                                           */

static int
set_kernel(struct sim_i915 *device, const char *value)
{
	if (strcmp(value, "6.1") != 0 && strcmp(value, "6.12") != 0)
		return -EINVAL;
	device->linux_6_1 = strcmp(value, "6.1") == 0;
	return 0;
}

static int
set_perf(struct sim_i915 *device, const char *value)
{
	uint64_t flag;
	char path[64];

	if (sim_word_u64(value, &flag) || flag > 1)
		return -EINVAL;
	device->has_perf = flag;
	snprintf(path, sizeof(path), "drm/card%u/metrics", device->gpu->card);
	if (flag)
		sim_i915_put_files(device);
	else
		sim_gpu_remove_file(device->gpu, path);
	return 0;
}

static int
set_paranoid(struct sim_i915 *device, const char *value)
{
	uint64_t flag;

	if (sim_word_u64(value, &flag) || flag > 1)
		return -EINVAL;
	sim_gpu_number_file(device->gpu, SIM_I915_PARANOID, flag);
	return 0;
}

static int
set_max_rate(struct sim_i915 *device, const char *value)
{
	uint64_t rate;

	if (sim_word_u64(value, &rate) || rate > device->platform.oa_hz / 2)
		return -EINVAL;
	sim_gpu_number_file(device->gpu, SIM_I915_MAX_RATE, rate);
	return 0;
}

static int
set_end(struct sim_i915 *device, const char *value)
{
	(void)value;
	sim_perf_streams_end(device);
	return 0;
}

/* ------------------------------------------------------------------ */

int
sim_i915_set(struct sim_gpu *gpu, const char *key, const char *value)
{
	static const struct {
		const char *key;
		int (*set)(struct sim_i915 *device, const char *value);
	} keys[] = {
		{ "hwmon", sim_i915_set_hwmon },
		{ "gpu-clock", set_clock },
		{ "oa-config-delay", set_config_delay },
		{ "kernel", set_kernel },
		{ "oa-support", set_perf },
		{ "media-c6", set_media_c6 },
		{ "perf-stream-paranoid", set_paranoid },
		{ "oa-max-sample-rate", set_max_rate },
		{ "oa-end", set_end },
	};
	struct sim_i915 *device = sim_i915_of(gpu);
	int result;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(key, keys[i].key) == 0)
			return keys[i].set(device, value);
	}
	result = sim_oa_set(&device->oa, key, value);
	if (result != -ENOENT)
		return result;
	result = sim_load_set(&device->load, &device->platform,
			      setting_now(device), key, value);
	if (result == 0) {
		sim_i915_put_frequencies(device);
		sim_i915_put_residency(device);
	}
	return result;
}
