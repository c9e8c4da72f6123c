/* SPDX-License-Identifier: BSD-3-Clause */
#include "xe/operations.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/word.h"
#include "intel/load.h"
#include "intel/oa_format.h"
#include "intel/oa_stream.h"
#include "intel/oa_unit.h"
#include "intel/platform.h"
#include "intel/rate.h"
#include "intel/timeline.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"
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

static int
set_contexts(struct sim_xe *device, const char *value)
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

/* Set the XeCores of all slices: "0xf", "0xf:0x7". */
static int
set_subslices(struct sim_xe *device, const char *value)
{
	return sim_topology_parse(&device->platform.topology, value);
}

/* Set "zero" or "formula" as the default. */
static int
set_default(struct sim_xe *device, const char *value)
{
	bool zero;

	if (sim_rates_default_parse(value, &zero))
		return -EINVAL;
	sim_oa_streams_run(&device->oa);
	device->oa.zero_rates = zero;
	sim_oa_streams_recount(&device->oa);
	return 0;
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

/*
 * Parse "[UUID.]SLOT RATE", or "0x5a00 RATE" for the event of a selector.
 */
static int
set_rate(struct sim_xe *device, const char *value)
{
	const unsigned eus = sim_topology_eus(&device->platform.topology);
	char selector[16], text[32], rest;
	struct sim_rate rate;
	uint64_t number;
	int error;

	sim_oa_streams_run(&device->oa);
	if (sscanf(value, "%15s %31s %c", selector, text, &rest) != 2 ||
	    sim_word_u64(selector, &number))
		error = sim_set_rates_set(&device->oa.set_rates,
					  &device->oa.rates, value,
					  SIM_OA_SLOTS, eus);
	else if (number > UINT32_MAX || sim_rate_parse(text, eus, &rate))
		error = -EINVAL;
	else
		error = set_event_rate(device, (uint32_t)number, &rate);
	if (!error)
		sim_oa_streams_recount(&device->oa);
	return error;
}

/* Learn by which registers a set is known: "UUID HASH". */
static int
set_registers(struct sim_xe *device, const char *value)
{
	return sim_set_rates_know(&device->oa.set_rates, value);
}

/*
 * Set a start value: "SLOT VALUE"; "timestamp VALUE" for the units' timestamp
 * as it is now, "engine-timestamp VALUE" for that of the engines.
 */
static int
set_start(struct sim_xe *device, const char *value)
{
	char name[24], text[32], rest;
	const uint64_t ns = setting_now(device);
	uint64_t number;
	int slot;

	if (sscanf(value, "%23s %31s %c", name, text, &rest) != 2 ||
	    sim_word_u64(text, &number))
		return -EINVAL;
	if (strcmp(name, "timestamp") == 0) {
		device->oa.timestamp_offset =
			number - sim_oa_device_tick(&device->oa, ns);
		return 0;
	}
	if (strcmp(name, "engine-timestamp") == 0) {
		device->engine_offset = number - sim_xe_engine_tick(device, ns);
		return 0;
	}
	slot = sim_oa_slot_parse(name);
	if (slot < 0)
		return -EINVAL;
	device->oa.start[slot] = number;
	return 0;
}

/* Set, in ticks, how far ahead of the engines' the units' timestamp is. */
static int
set_clock_offset(struct sim_xe *device, const char *value)
{
	return sim_word_u64(value, &device->oa.clock.offset);
}

static int
set_clock_drift(struct sim_xe *device, const char *value)
{
	sim_oa_streams_run(&device->oa);
	return sim_oa_clock_set_drift(&device->oa.clock, device->platform.oa_hz,
				      setting_now(device), value);
}

static int
set_settling(struct sim_xe *device, const char *value)
{
	return sim_word_time(value, &device->oa.settle_ns);
}

/* Begin or end the long kernel of another process. */
static int
set_engine_held(struct sim_xe *device, const char *value)
{
	uint64_t flag;

	if (sim_word_u64(value, &flag) || flag > 1)
		return -EINVAL;
	device->oa.engine_held = flag;
	sim_wake(device->gpu->sim);
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
	sim_xe_put_paranoid(device, flag);
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
set_mishap(struct sim_xe *device, const char *key, const char *value)
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
		{ "subslices", set_subslices },
		{ "contexts", set_contexts },
		{ "gpu-clock", set_clock },
		{ "media-clock", set_media_clock },
		{ "oa-default", set_default },
		{ "oa-rate", set_rate },
		{ "oa-set", set_registers },
		{ "oa-start", set_start },
		{ "oa-clock-offset", set_clock_offset },
		{ "oa-clock-drift", set_clock_drift },
		{ "oa-settling", set_settling },
		{ "oa-status", set_status },
		{ "long-kernel", set_engine_held },
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
	result = set_mishap(device, key, value);
	return result == -ENOENT ? set_load(device, key, value) : result;
}
