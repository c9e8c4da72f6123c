/* SPDX-License-Identifier: BSD-3-Clause */
#include "xe/operations.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"
#include "intel/load.h"
#include "intel/oa_stream.h"
#include "intel/platform.h"
#include "intel/rate.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "xe/device.h"
#include "xe/eu_stall_rows.h"
#include "xe/eu_stall_stream.h"
#include "xe/oa_stream.h"
#include "xe/sysfs.h"

#define MHZ 1000000
#define EU_STALL_RATE_MAX 100000000

static uint64_t
setting_now(const struct sim_xe *device)
{
	return sim_now(device->gpu->sim);
}

/* ------------------------------------------------------------------ */
/* Workload and rates                                                   */

/* Set the clock of a GT, in MHz to six decimals. */
static int
set_gt_clock(struct sim_xe *device, unsigned gt, const char *value)
{
	uint64_t hz;

	if (sim_word_micro(value, &hz) || hz == 0 || hz > 10000ull * MHZ)
		return -EINVAL;
	sim_oa_streams_run(&device->oa);
	if (gt == 0)
		device->oa.clock_hz = hz;
	sim_load_set_frequency(&device->loads[gt], setting_now(device), hz);
	sim_oa_streams_recount(&device->oa);
	sim_xe_put_frequencies(device);
	return 0;
}

static int
set_clock(struct sim_xe *device, const char *value)
{
	return set_gt_clock(device, 0, value);
}

static int
set_media_clock(struct sim_xe *device, const char *value)
{
	if (!device->chip.media_major)
		return -EINVAL;
	return set_gt_clock(device, 1, value);
}

/* Keep the rate of the event that this selector chooses. */
static int
set_event_rate(struct sim_xe *device, uint32_t selector,
	       const struct sim_rate *rate)
{
	unsigned i = 0;

	while (i < device->event_rate_count &&
	       device->event_rates[i].selector != selector)
		i++;
	if (!selector || i == SIM_XE_EVENT_RATES)
		return -EINVAL;
	device->event_rates[i] = (struct sim_xe_event_rate){ selector, *rate };
	if (i == device->event_rate_count)
		device->event_rate_count++;
	return 0;
}

/* Parse "0x5a00 RATE" for the event of a selector, else "[UUID.]SLOT RATE". */
static int
set_rate(struct sim_xe *device, const char *value)
{
	const unsigned eus = sim_topology_eus(&device->platform.topology);
	char selector[16], text[32], rest;
	struct sim_rate rate;
	uint64_t number;
	int error;

	if (sscanf(value, "%15s %31s %c", selector, text, &rest) != 2 ||
	    sim_word_u64(selector, &number))
		return sim_oa_set(&device->oa, "oa-rate", value);
	if (number > UINT32_MAX || sim_rate_parse(text, eus, &rate))
		return -EINVAL;
	sim_oa_streams_run(&device->oa);
	error = set_event_rate(device, (uint32_t)number, &rate);
	if (!error)
		sim_oa_streams_recount(&device->oa);
	return error;
}

/*
 * Set a start value, as i915 does, or "engine-timestamp VALUE" for the engines'
 * timestamp as it is now.
 */
static int
set_start(struct sim_xe *device, const char *value)
{
	char name[24], text[32], rest;
	uint64_t number;

	if (sscanf(value, "%23s %31s %c", name, text, &rest) != 2 ||
	    strcmp(name, "engine-timestamp") != 0)
		return sim_oa_set(&device->oa, "oa-start", value);
	if (sim_word_u64(text, &number))
		return -EINVAL;
	device->engine_offset =
		number - sim_xe_engine_tick(device, setting_now(device));
	return 0;
}

/* Flag what units report to a read as EIO. */
static int
set_status(struct sim_xe *device, const char *value)
{
	uint64_t bits;

	if (sim_word_u64(value, &bits) || bits > 0xf)
		return -EINVAL;
	return sim_xe_streams_flag(device, (unsigned)bits);
}

/*
 * Set sizes of buffers; off: as kernels before 6.15, whose buffer has one size.
 */
static int
set_buffer_sizes(struct sim_xe *device, const char *value)
{
	int flag = sim_word_bool(value);

	if (flag < 0)
		return -EINVAL;
	device->fixed_buffer = !flag;
	return 0;
}

static int
set_paranoid(struct sim_xe *device, const char *value)
{
	uint64_t flag;

	if (sim_word_u64(value, &flag) || flag > 1)
		return -EINVAL;
	sim_gpu_number_file(device->gpu, SIM_XE_PARANOID, flag);
	return 0;
}

/*
 * Set older privileges; on: as kernels before spring 2026, where
 * perf_event_paranoid refuses all.
 */
static int
set_older_privileges(struct sim_xe *device, const char *value)
{
	int flag = sim_word_bool(value);

	if (flag < 0)
		return -EINVAL;
	device->older_privileges = flag;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Sampling of EU stalls                                                */

/* Set EU stalls; off: as kernels before 6.15, which know nothing of them. */
static int
set_eu_stall(struct sim_xe *device, const char *value)
{
	int flag = sim_word_bool(value);

	if (flag < 0)
		return -EINVAL;
	device->no_eu_stall = !flag;
	return 0;
}

static int
set_eu_stall_row(struct sim_xe *device, const char *value)
{
	int error;

	sim_eu_stall_streams_run(device);
	error = sim_eu_stall_rows_parse(&device->eu_stall_rows,
					device->platform.version, value);
	if (!error)
		sim_eu_stall_streams_restart(device);
	return error;
}

/* Set the rows a second of each XeCore, at the shortest interval. */
static int
set_eu_stall_rate(struct sim_xe *device, const char *value)
{
	uint64_t rate;

	if (sim_word_u64(value, &rate) || rate > EU_STALL_RATE_MAX)
		return -EINVAL;
	sim_eu_stall_streams_run(device);
	device->eu_stall_rate = rate;
	sim_eu_stall_streams_restart(device);
	return 0;
}

/* Write this many rows of each XeCore at once. */
static int
set_eu_stall_emit(struct sim_xe *device, const char *value)
{
	uint64_t count;

	if (sim_word_u64(value, &count) || count > UINT32_MAX)
		return -EINVAL;
	return sim_eu_stall_streams_emit(device, count);
}

/* ------------------------------------------------------------------ */

/* Set the load of one GT: "media-rc6 60", or that of the main one. */
static int
set_load(struct sim_xe *device, const char *key, const char *value)
{
	static const char prefix[] = "media-";
	unsigned gt = strncmp(key, prefix, strlen(prefix)) == 0;
	int result;

	if (gt && !device->chip.media_major)
		return -EINVAL;
	if (gt)
		key += strlen(prefix);
	result = sim_load_set(&device->loads[gt], &device->platform,
			      setting_now(device), key, value);
	/* engines have their names, wherever they are */
	if (!gt && strncmp(key, "engine-", 7) == 0 && result == 0)
		result = sim_load_set(&device->loads[1], &device->platform,
				      setting_now(device), key, value);
	if (result == 0) {
		sim_xe_put_frequencies(device);
		sim_xe_put_residency(device);
	}
	return result;
}

int
sim_xe_set(struct sim_gpu *gpu, const char *key, const char *value)
{
	static const struct {
		const char *key;
		int (*set)(struct sim_xe *device, const char *value);
	} keys[] = {
		{ "gpu-clock", set_clock },
		{ "media-clock", set_media_clock },
		{ "oa-rate", set_rate },
		{ "oa-start", set_start },
		{ "oa-status", set_status },
		{ "oa-buffer-sizes", set_buffer_sizes },
		{ "hwmon", sim_xe_set_hwmon },
		{ "observation-paranoid", set_paranoid },
		{ "older-privileges", set_older_privileges },
		{ "eu-stall", set_eu_stall },
		{ "eu-stall-row", set_eu_stall_row },
		{ "eu-stall-rate", set_eu_stall_rate },
		{ "eu-stall-emit", set_eu_stall_emit },
	};
	struct sim_xe *device = sim_xe_of(gpu);
	int result;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(key, keys[i].key) == 0)
			return keys[i].set(device, value);
	}
	result = sim_oa_set(&device->oa, key, value);
	return result == -ENOENT ? set_load(device, key, value) : result;
}
