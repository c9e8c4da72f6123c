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
#include "intel/oa_config.h"
#include "intel/oa_format.h"
#include "intel/oa_stream.h"
#include "intel/oa_unit.h"
#include "intel/platform.h"
#include "intel/rate.h"
#include "intel/timeline.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "machine/machine.h"

#define MHZ 1000000

static uint64_t
setting_now(const struct sim_i915 *device)
{
	return sim_now(device->gpu->sim);
}

/* ------------------------------------------------------------------ */
/* Workload and rates                                                   */

static int
set_contexts(struct sim_i915 *device, const char *value)
{
	int error;

	sim_oa_streams_run(&device->oa);
	error = sim_timeline_parse(
		&device->oa.timeline, value, device->platform.oa_hz,
		sim_oa_device_tick(&device->oa, setting_now(device)));
	if (!error)
		sim_oa_streams_retime(&device->oa);
	return error;
}

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

/* Begin or end the long kernel of another process. */
static int
set_engine_held(struct sim_i915 *device, const char *value)
{
	uint64_t flag;

	if (sim_word_u64(value, &flag) || flag > 1)
		return -EINVAL;
	device->oa.engine_held = flag;
	sim_wake(device->gpu->sim);
	return 0;
}

/* Set the masks of all slices: "0x7f", "7:3". */
static int
set_subslices(struct sim_i915 *device, const char *value)
{
	return sim_topology_parse(&device->platform.topology, value);
}

/* Set "zero" or "formula" as the default. */
static int
set_default(struct sim_i915 *device, const char *value)
{
	bool zero;

	if (sim_rates_default_parse(value, &zero))
		return -EINVAL;
	sim_oa_streams_run(&device->oa);
	device->oa.zero_rates = zero;
	sim_oa_streams_recount(&device->oa);
	return 0;
}

static int
set_rate(struct sim_i915 *device, const char *value)
{
	int error;

	sim_oa_streams_run(&device->oa);
	error = sim_set_rates_set(&device->oa.set_rates, &device->oa.rates,
				  value, SIM_OA_P,
				  sim_topology_eus(&device->platform.topology));
	if (!error)
		sim_oa_streams_recount(&device->oa);
	return error;
}

/* Learn what registers a set has: they say nothing new, sets have UUIDs. */
static int
set_registers(struct sim_i915 *device, const char *value)
{
	return sim_set_rates_know(&device->oa.set_rates, value);
}

/* Parse "SLOT VALUE", or "timestamp VALUE" for the timestamp as it is now */
static int
set_start(struct sim_i915 *device, const char *value)
{
	char name[16], text[32], rest;
	uint64_t number;
	int slot;

	if (sscanf(value, "%15s %31s %c", name, text, &rest) != 2 ||
	    sim_word_u64(text, &number))
		return -EINVAL;
	if (strcmp(name, "timestamp") == 0) {
		device->oa.timestamp_offset =
			number -
			sim_oa_device_tick(&device->oa, setting_now(device));
		return 0;
	}
	slot = sim_oa_slot_parse(name);
	if (slot < 0 || slot >= SIM_OA_P)
		return -EINVAL;
	device->oa.start[slot] = number;
	return 0;
}

/* Set, in ticks, how far ahead of the engines' the unit's timestamp is. */
static int
set_clock_offset(struct sim_i915 *device, const char *value)
{
	return sim_word_u64(value, &device->oa.clock.offset);
}

static int
set_clock_drift(struct sim_i915 *device, const char *value)
{
	sim_oa_streams_run(&device->oa);
	return sim_oa_clock_set_drift(&device->oa.clock, device->platform.oa_hz,
				      setting_now(device), value);
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
set_noa_delay(struct sim_i915 *device, const char *value)
{
	return sim_word_time(value, &device->oa.settle_ns);
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
	sim_i915_put_sysctl(device, "perf_stream_paranoid", flag);
	return 0;
}

static int
set_max_rate(struct sim_i915 *device, const char *value)
{
	uint64_t rate;

	if (sim_word_u64(value, &rate) || rate > device->platform.oa_hz / 2)
		return -EINVAL;
	sim_i915_put_sysctl(device, "oa_max_sample_rate", rate);
	return 0;
}

/* ------------------------------------------------------------------ */
/* Mishaps of OA units that have a stream                               */

static void
setting_overflow(struct sim_oa_unit *unit, uint64_t number)
{
	(void)number;
	sim_oa_unit_overflow(unit);
}

static void
setting_stall(struct sim_oa_unit *unit, uint64_t number)
{
	sim_oa_unit_stall(unit, number != 0);
}

static void
setting_trigger(struct sim_oa_unit *unit, uint64_t number)
{
	sim_oa_unit_trigger(unit, (unsigned)number);
}

static const struct {
	const char *key;
	void (*act)(struct sim_oa_unit *unit, uint64_t number);
	uint64_t most;
} mishaps[] = {
	{ "oa-lose", sim_oa_unit_lose, UINT64_MAX },
	{ "oa-hole", sim_oa_unit_hole, UINT64_MAX },
	{ "oa-late", sim_oa_unit_late, UINT64_MAX },
	{ "oa-overflow", setting_overflow, 1 },
	{ "oa-stall", setting_stall, 1 },
	{ "oa-trigger", setting_trigger, 0x7f },
};

static int
set_mishap(struct sim_i915 *device, const char *key, const char *value)
{
	struct sim_oa_stream *stream;
	int result = -EINVAL;
	uint64_t number;
	size_t m = 0;

	while (m < ARRAY_SIZE(mishaps) && strcmp(key, mishaps[m].key) != 0)
		m++;
	if (m == ARRAY_SIZE(mishaps))
		return -ENOENT;
	if (sim_word_u64(value, &number) || number > mishaps[m].most)
		return -EINVAL;
	sim_oa_streams_run(&device->oa);
	for_each_oa_stream(&device->oa, stream)
	{
		mishaps[m].act(stream->unit, number);
		result = 0;
	}
	return result;
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
		{ "subslices", set_subslices },
		{ "contexts", set_contexts },
		{ "hwmon", sim_i915_set_hwmon },
		{ "gpu-clock", set_clock },
		{ "oa-default", set_default },
		{ "oa-rate", set_rate },
		{ "oa-set", set_registers },
		{ "oa-start", set_start },
		{ "oa-clock-offset", set_clock_offset },
		{ "oa-clock-drift", set_clock_drift },
		{ "oa-settling", set_noa_delay },
		{ "long-kernel", set_engine_held },
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
	result = set_mishap(device, key, value);
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
