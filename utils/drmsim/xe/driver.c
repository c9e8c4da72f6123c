/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/driver.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "intel/load.h"
#include "intel/oa_device.h"
#include "intel/oa_format.h"
#include "intel/oa_stream.h"
#include "intel/platform.h"
#include "kernel/ioctl.h"
#include "machine/gpu.h"
#include "machine/machine.h"
#include "xe/device.h"
#include "xe/eu_stall_stream.h"
#include "xe/oa_change.h"
#include "xe/oa_stream.h"
#include "xe/operations.h"
#include "xe/sysfs.h"

#define REFRESH_NS 50000000
/* At the usual interval a buffer is full after 0.8 s. */
#define EU_STALL_RATE 40000

static void
make_loads(struct sim_xe *device)
{
	for (unsigned gt = 0; gt < SIM_XE_GTS; gt++) {
		sim_load_init(&device->loads[gt], &device->platform);
		sim_load_set_frequency(&device->loads[gt], 0,
				       device->oa.clock_hz);
	}
	if (!device->chip.media_major)
		return;
	device->loads[1].requested_khz = device->chip.media_mhz[1] * 1000ull;
	sim_load_set_frequency(&device->loads[1], 0,
			       sim_oa_whole_clock(&device->platform,
						  device->chip.media_mhz[1]));
	/* the media GT sleeps more than the main one */
	sim_load_set(&device->loads[1], &device->platform, 0, "rc6", "60");
}

static void
device_remove(struct sim_gpu *gpu)
{
	struct sim_xe *device = sim_xe_of(gpu);

	sim_xe_changes_drop(device);
	sim_oa_device_finish(&device->oa);
	free(device);
	gpu->data = NULL;
}

static int
read_description(struct sim_xe *device, const struct sim_text *description)
{
	int error = sim_platform_read(&device->platform, description);

	if (!error)
		error = sim_xe_chip_read(&device->chip, &device->platform,
					 description);
	if (error)
		return error;
	if (device->chip.media_major && device->platform.gts != SIM_XE_GTS)
		return -EINVAL;
	/* GPUs before Tiger Lake have no driver xe */
	return device->platform.version >= 1200 ? 0 : -EINVAL;
}

static int
device_probe(struct sim_gpu *gpu, const struct sim_text *description)
{
	struct sim_xe *device = calloc(1, sizeof(*device));
	int error;

	if (!device)
		return -ENOMEM;
	error = read_description(device, description);
	if (error) {
		free(device);
		return error;
	}
	device->gpu = gpu;
	sim_oa_device_init(&device->oa, gpu, &device->platform, SIM_OA_SLOTS);
	device->oa.configs.lowest = 1;
	device->eu_stall_rate = EU_STALL_RATE;
	device->media_timeline = device->oa.timeline;
	/* of one origin: 2^24 and its part by the other rate */
	device->engine_offset = device->oa.timestamp_offset *
				device->platform.cs_hz / device->platform.oa_hz;
	sim_xe_make_units(device);
	make_loads(device);
	gpu->data = device;
	sim_xe_put_files(device);
	return sim_xe_pmu_register(device);
}

/*
 * Reads of a file are not seen: the residency is kept up to date. Virtual time
 * stands still during a read.
 */
static uint64_t
device_next(const struct sim_gpu *gpu)
{
	const struct sim_xe *device = sim_xe_of(gpu);
	uint64_t next = sim_oa_streams_next(&device->oa);
	uint64_t next_eu_stall = sim_eu_stall_streams_next(device);
	uint64_t next_change = sim_xe_changes_next(device);

	if (next_eu_stall < next)
		next = next_eu_stall;
	if (next_change < next)
		next = next_change;
	if (gpu->sim->is_virtual || next < device->next_refresh)
		return next;
	return device->next_refresh;
}

static void
device_advance(struct sim_gpu *gpu, uint64_t now)
{
	struct sim_xe *device = sim_xe_of(gpu);

	sim_oa_streams_advance(&device->oa, now);
	sim_eu_stall_streams_advance(device, now);
	sim_xe_changes_advance(device);
	if (device->next_refresh > now)
		return;
	sim_xe_put_residency(device);
	device->next_refresh = now + REFRESH_NS;
}

static void
update_residency(struct sim_gpu *gpu)
{
	sim_xe_put_residency(sim_xe_of(gpu));
}

/*
 * Reset the engines: what metric sets have written is lost, and is not written
 * again. The OA units themselves go on; EU stalls are sampled no longer.
 */
static void
device_reset(struct sim_gpu *gpu)
{
	struct sim_xe *device = sim_xe_of(gpu);

	sim_oa_streams_run(&device->oa);
	memset(device->registers, 0, sizeof(device->registers));
	sim_oa_streams_recount(&device->oa);
	sim_eu_stall_streams_reset(device);
}

static void
device_report(struct sim_gpu *gpu, FILE *out)
{
	const struct sim_xe *device = sim_xe_of(gpu);
	struct sim_eu_stall_statistics stalls;

	sim_oa_report_streams(&device->oa, "OA", out);
	sim_eu_stall_streams_statistics(device, &stalls);
	fprintf(out,
		"gpu%u: EU stall streams opened %u, rows written %" PRIu64
		", read %" PRIu64 ", dropped %" PRIu64 "\n",
		gpu->index, device->eu_stalls_opened, stalls.written,
		stalls.read, stalls.dropped);
	sim_oa_report_configs(&device->oa, out);
}

static const struct sim_ioctl ioctls[] = {
	{ .request = SIM_XE_IOCTL_QUERY,
	  .name = "device_query",
	  .flags = SIM_RENDER,
	  .handle = sim_xe_query },
	{ .request = SIM_XE_IOCTL_WAIT_USER_FENCE,
	  .name = "wait_user_fence",
	  .flags = SIM_RENDER,
	  .handle = sim_xe_wait_user_fence },
	{ .request = SIM_XE_IOCTL_OBSERVATION,
	  .name = "observation",
	  .flags = SIM_RENDER,
	  .handle = sim_xe_observation },
};

const struct sim_driver sim_driver_xe = {
	.name = "xe",
	.description = "Intel Xe Graphics",
	.date = "20201103",
	.version = { 1, 1, 0 },
	.ioctls = ioctls,
	.ioctl_count = ARRAY_SIZE(ioctls),
	.probe = device_probe,
	.remove = device_remove,
	.set = sim_xe_set,
	.fdinfo = sim_xe_fdinfo,
	.next = device_next,
	.advance = device_advance,
	.settle = update_residency,
	.reset = device_reset,
	.report = device_report,
};
