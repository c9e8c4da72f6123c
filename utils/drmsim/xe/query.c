/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * [Linux xe_query.c] Every query is made up in whole and copied if the caller
 * has given exactly its size; a size of 0 asks for it.
 */
#include "xe/operations.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "kernel/call.h"
#include "kernel/file.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "xe/device.h"
#include "xe/eu_stall_record.h"
#include "xe/eu_stall_stream.h"
#include "xe/eu_stall_unit.h"

#define KIB 1024ull
#define GIB (KIB * KIB * KIB)

/* Use of the system's memory by a GPU that has its own memory. */
#define SPILLED (64 * KIB * KIB)

/* An answer in the making: the largest has some hundred bytes. */
struct answer {
	size_t size;
	uint8_t bytes[4096];
};

static void
answer_append(struct answer *answer, const void *bytes, size_t size)
{
	memcpy(answer->bytes + answer->size, bytes, size);
	answer->size += size;
}

static struct sim_xe_engine
engine_of(const struct sim_xe_place *place)
{
	return (struct sim_xe_engine){ .class = (uint16_t)place->class,
				       .instance = (uint16_t)place->instance,
				       .gt = (uint16_t)place->gt };
}

/* ------------------------------------------------------------------ */
/* The answers                                                          */

static void
fill_engines(const struct sim_xe *device, struct answer *answer)
{
	struct sim_xe_place places[SIM_XE_ENGINES_MAX];
	struct sim_xe_list list = { 0 };

	answer->size = sizeof(list);
	for (unsigned gt = 0; gt < device->platform.gts; gt++) {
		unsigned count = sim_xe_engines(device, gt, places);

		for (unsigned i = 0; i < count; i++) {
			struct sim_xe_engine_info info = {
				.engine = engine_of(&places[i]),
			};

			answer_append(answer, &info, sizeof(info));
		}
		list.count += count;
	}
	memcpy(answer->bytes, &list, sizeof(list));
}

/* Fill in the regions; memory in use is reported only to privileged callers. */
static void
fill_regions(const struct sim_xe *device, bool privileged,
	     struct answer *answer)
{
	struct sim_xe_list list = { .count = device->platform.vram ? 2 : 1 };
	struct sim_xe_region system = { .min_page_size = 4096,
					.total_size = 16 * GIB };
	struct sim_xe_region vram = { .class = 1,
				      .instance = 1,
				      .min_page_size = 64 * KIB,
				      .total_size = device->platform.vram,
				      .visible_size = device->platform.vram };

	if (privileged && vram.total_size)
		vram.used = vram.visible_used =
			sim_load_memory(&device->loads[0], vram.total_size);
	if (privileged)
		system.used = vram.total_size
				      ? SPILLED
				      : sim_load_memory(&device->loads[0],
							system.total_size);
	answer_append(answer, &list, sizeof(list));
	answer_append(answer, &system, sizeof(system));
	if (device->platform.vram)
		answer_append(answer, &vram, sizeof(vram));
}

static void
fill_config(const struct sim_xe *device, struct answer *answer)
{
	enum {
		HAS_VRAM = 1,
		LOW_LATENCY = 2
	};
	const struct sim_gpu *gpu = device->gpu;
	struct sim_xe_list list = { .count = 5 };
	uint64_t values[5] = {
		[0] = gpu->pci.device_id | (uint64_t)gpu->pci.revision << 16,
		[1] = LOW_LATENCY | (device->platform.vram ? HAS_VRAM : 0),
		[2] = device->platform.vram ? 64 * KIB : 4 * KIB,
		[3] = 48, /* bits of addresses */
		[4] = 2, /* priorities: high */
	};

	answer_append(answer, &list, sizeof(list));
	answer_append(answer, values, sizeof(values));
}

static void
fill_gts(const struct sim_xe *device, struct answer *answer)
{
	const struct sim_platform *platform = &device->platform;
	struct sim_xe_list list = { .count = device->platform.gts };

	answer_append(answer, &list, sizeof(list));
	for (unsigned gt = 0; gt < device->platform.gts; gt++) {
		bool media = sim_xe_gt_is_media(device, gt);
		struct sim_xe_gt info = {
			.type = media,
			.tile = (uint16_t)sim_xe_gt_tile(device, gt),
			.gt = (uint16_t)gt,
			.reference_clock = (uint32_t)platform->cs_hz,
			.near_regions = device->platform.vram ? 2 : 1,
			.far_regions = device->platform.vram ? 1 : 0,
			.major = (uint16_t)(media ? device->chip.media_major
						  : platform->version / 100),
			.minor = (uint16_t)(media ? device->chip.media_minor
						  : platform->version % 100),
			.revision = device->gpu->pci.revision,
		};

		answer_append(answer, &info, sizeof(info));
	}
}

/*
 * Fill a table of keys, lengths and values [i915's and Mesa's names of them].
 */
static void
fill_hwconfig(const struct sim_xe *device, struct answer *answer)
{
	const struct sim_topology *t = &device->platform.topology;
	const uint32_t pairs[][2] = {
		{ 1, t->max_slices },
		{ 2, t->max_slices * t->max_subslices },
		{ 3, t->max_eus },
		{ 7, (uint32_t)__builtin_popcountll(device->chip.l3_banks) },
		{ 15, device->chip.threads },
	};

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		uint32_t words[3] = { pairs[i][0], 1, pairs[i][1] };

		answer_append(answer, words, sizeof(words));
	}
}

static void
append_mask(struct answer *answer, unsigned gt, enum sim_xe_mask type,
	    const void *mask, uint32_t bytes)
{
	struct sim_xe_mask_header header = { .gt = (uint16_t)gt,
					     .type = (uint16_t)type,
					     .bytes = bytes };

	answer_append(answer, &header, sizeof(header));
	answer_append(answer, mask, bytes);
}

static void
fill_topology(const struct sim_xe *device, struct answer *answer)
{
	const struct sim_platform *platform = &device->platform;
	const uint64_t eus = (1ull << platform->topology.eus) - 1;
	uint64_t cores[SIM_XE_CORES_MAX / 64], none[SIM_XE_CORES_MAX / 64];
	const bool renders = platform->engines[SIM_ENGINE_RENDER];
	/* halves of pairs that work together count once: Ponte Vecchio, Xe2 */
	const bool simd16 =
		platform->version == 1260 || platform->version >= 2000;

	sim_xe_chip_cores(platform, cores);
	memset(none, 0, sizeof(none));
	for (unsigned gt = 0; gt < device->platform.gts; gt++) {
		bool media = sim_xe_gt_is_media(device, gt);
		uint64_t banks = media ? device->chip.media_l3_banks
				       : device->chip.l3_banks;

		append_mask(answer, gt, SIM_XE_MASK_GEOMETRY,
			    media || !renders ? none : cores, sizeof(cores));
		append_mask(answer, gt, SIM_XE_MASK_COMPUTE,
			    media ? none : cores, sizeof(cores));
		if (banks)
			append_mask(answer, gt, SIM_XE_MASK_L3_BANKS, &banks,
				    sizeof(banks));
		append_mask(answer, gt,
			    simd16 ? SIM_XE_MASK_SIMD16_EUS : SIM_XE_MASK_EUS,
			    media ? none : &eus, sizeof(eus));
	}
}

#define UNIT_CAPABILITIES 0x3f
#define CAPABILITY_BUFFER_SIZE UINT64_C(4)

static void
fill_units(const struct sim_xe *device, struct answer *answer)
{
	struct sim_xe_list list = { .count = device->unit_count };
	uint64_t none = 0;

	answer_append(answer, &none, sizeof(none));
	answer_append(answer, &list, sizeof(list));
	for (unsigned i = 0; i < device->unit_count; i++) {
		const struct sim_xe_unit *unit = &device->units[i];
		struct sim_xe_unit_info info = {
			.id = unit->id,
			.type = unit->type,
			.capabilities = UNIT_CAPABILITIES,
			.timestamp_frequency = unit->hz,
			.gt = (uint16_t)unit->gt,
			.engine_count = unit->engine_count,
		};

		if (device->fixed_buffer)
			info.capabilities &= ~CAPABILITY_BUFFER_SIZE;
		answer_append(answer, &info, sizeof(info));
		for (unsigned e = 0; e < unit->engine_count; e++) {
			struct sim_xe_engine engine =
				engine_of(&unit->engines[e]);

			answer_append(answer, &engine, sizeof(engine));
		}
	}
}

static int
fill_eu_stall(const struct sim_xe *device, struct answer *answer)
{
	enum {
		CAPABILITY_BASE = 1
	};
	const struct sim_xe_eu_stall_info info = {
		.capabilities = CAPABILITY_BASE,
		.record_size = SIM_EU_STALL_BYTES,
		.buffer_size = SIM_EU_STALL_BUFFER * SIM_EU_STALL_BYTES,
		.rate_count = SIM_EU_STALL_MULTIPLIER_MAX,
	};

	/* the kernel does not know the query */
	if (device->no_eu_stall)
		return -EINVAL;
	if (!sim_xe_samples_eu_stalls(device))
		return -ENODEV;
	answer_append(answer, &info, sizeof(info));
	for (uint64_t m = 1; m <= SIM_EU_STALL_MULTIPLIER_MAX; m++) {
		uint64_t clocks = m * SIM_EU_STALL_CLOCKS;

		answer_append(answer, &clocks, sizeof(clocks));
	}
	return 0;
}

/* ------------------------------------------------------------------ */
/* Queries with a question                                              */

/* Return an engine's timestamp and the CPU's time at that moment. */
static int
query_cycles(struct sim_call *call, const struct sim_xe *device,
	     struct sim_xe_query *query)
{
	struct sim_xe_cycles cycles;
	uint64_t now;
	int error;

	if (query->size == 0) {
		query->size = sizeof(cycles);
		return 0;
	}
	if (query->size != sizeof(cycles))
		return -EINVAL;
	error = sim_call_get(call, &cycles, query->data, sizeof(cycles));
	if (error)
		return error;
	now = sim_now(call->sim);
	if (sim_clock_time(call->sim, cycles.clock, now,
			   &cycles.cpu_timestamp) ||
	    !sim_xe_has_engine(device, cycles.engine.gt, cycles.engine.class,
			       cycles.engine.instance))
		return -EINVAL;
	cycles.cycles = sim_xe_cycles(device, now);
	cycles.cpu_delta = 1000;
	cycles.width = 64;
	return sim_call_put(call, query->data, &cycles, sizeof(cycles));
}

static int
query_firmware(struct sim_call *call, struct sim_xe_query *query)
{
	enum {
		GUC_SUBMISSION,
		HUC
	};
	struct sim_xe_firmware firmware;
	int error;

	if (query->size == 0) {
		query->size = sizeof(firmware);
		return 0;
	}
	if (query->size != sizeof(firmware))
		return -EINVAL;
	error = sim_call_get(call, &firmware, query->data, sizeof(firmware));
	if (error)
		return error;
	if (firmware.pad || firmware.pad2 || firmware.reserved ||
	    firmware.type > HUC)
		return -EINVAL;
	firmware.branch = 0;
	firmware.major = firmware.type == HUC ? 9 : 1;
	firmware.minor = firmware.type == HUC ? 4 : 27;
	firmware.patch = firmware.type == HUC ? 13 : 0;
	return sim_call_put(call, query->data, &firmware, sizeof(firmware));
}

/* ------------------------------------------------------------------ */

static int
answer_fill(struct sim_call *call, const struct sim_xe *device, uint32_t query,
	    struct answer *answer)
{
	switch (query) {
	case SIM_XE_QUERY_ENGINES:
		fill_engines(device, answer);
		return 0;
	case SIM_XE_QUERY_MEM_REGIONS:
		fill_regions(device, sim_call_is_privileged(call), answer);
		return 0;
	case SIM_XE_QUERY_CONFIG:
		fill_config(device, answer);
		return 0;
	case SIM_XE_QUERY_GT_LIST:
		fill_gts(device, answer);
		return 0;
	case SIM_XE_QUERY_HWCONFIG:
		fill_hwconfig(device, answer);
		return 0;
	case SIM_XE_QUERY_TOPOLOGY:
		fill_topology(device, answer);
		return 0;
	case SIM_XE_QUERY_OA_UNITS:
		fill_units(device, answer);
		return 0;
	case SIM_XE_QUERY_EU_STALL:
		return fill_eu_stall(device, answer);
	}
	return -EINVAL;
}

int
sim_xe_query(struct sim_call *call, struct sim_file *file, void *arg)
{
	const struct sim_xe *device = sim_xe_of(file->gpu);
	struct sim_xe_query *query = arg;
	struct answer answer = { 0 };
	int error;

	if (query->extensions || query->reserved[0] || query->reserved[1])
		return -EINVAL;
	if (query->query == SIM_XE_QUERY_CYCLES)
		return query_cycles(call, device, query);
	if (query->query == SIM_XE_QUERY_FIRMWARE)
		return query_firmware(call, query);
	error = answer_fill(call, device, query->query, &answer);
	if (error)
		return error;
	if (query->size == 0) {
		query->size = (uint32_t)answer.size;
		return 0;
	}
	if (query->size != answer.size)
		return -EINVAL;
	error = sim_call_put(call, query->data, answer.bytes, answer.size);
	/* this one alone says it otherwise */
	return error && query->query == SIM_XE_QUERY_MEM_REGIONS ? -ENOSPC
								 : error;
}
