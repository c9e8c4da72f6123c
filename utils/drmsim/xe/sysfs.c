/* SPDX-License-Identifier: BSD-3-Clause */
/* [Linux xe_gt_freq.c, xe_gt_idle.c, xe_oa.c, xe_observation.c] */
#include "xe/sysfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "event/event.h"
#include "intel/hwmon.h"
#include "intel/load.h"
#include "intel/throttle.h"
#include "kernel/call.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"
#include "xe/device.h"

#define PERF_PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* [Linux 7.0 xe_hwmon.c: channels are 1 the card, 2 the package, 3 memory] */
static const char *const hwmon_others[] = {
	"energy2_input", "in1_input", "power1_cap", "power1_rated_max",
	"power1_crit", "power2_max", "power2_cap", "power2_rated_max",
	"curr2_crit", "fan2_input", "fan3_input", "temp2_max", "temp2_crit",
	"temp2_emergency", "temp3_crit", "temp3_emergency", "temp4_input",
	"temp5_input",
	/* channels of memory */
	"temp6_input", "temp7_input", "temp8_input", "temp9_input",
	"temp10_input", "temp11_input", "temp12_input", "temp13_input",
	"temp14_input", "temp15_input", "temp16_input", "temp17_input",
	"temp18_input", "temp19_input", "temp20_input", "temp21_input",
};

static const struct sim_hwmon hwmon = {
	.driver = "xe",
	.energy = "energy1_input",
	.temperature = "temp2_input",
	.vram_temperature = "temp3_input",
	.fan = "fan1_input",
	.power_limit = "power1_max",
	.others = hwmon_others,
	.other_count = ARRAY_SIZE(hwmon_others),
};

static void
put_value(struct sim_xe *device, unsigned gt, const char *name, uint64_t value)
{
	char path[96];

	if (device->gpu->gone)
		return;
	snprintf(path, sizeof(path), "tile%u/gt%u/%s",
		 sim_xe_gt_tile(device, gt), gt, name);
	sim_gpu_number_file(device->gpu, path, value);
}

struct gt_of {
	struct sim_xe *device;
	unsigned gt;
};

static void
put_reason(void *data, const char *name, bool is_so)
{
	const struct gt_of *of = data;
	char path[64];

	snprintf(path, sizeof(path), "freq0/throttle/%s%s",
		 strcmp(name, "status") ? "reason_" : "", name);
	put_value(of->device, of->gt, path, is_so);
}

static void
put_throttling(struct sim_xe *device, unsigned gt)
{
	struct gt_of of = { .device = device, .gt = gt };
	const uint32_t bits = device->loads[gt].throttle;
	const enum sim_throttle_set set = device->platform.version == 3511
						  ? SIM_THROTTLE_CRESCENT_ISLAND
						  : SIM_THROTTLE_USUAL;
	char path[64], text[256];

	if (device->gpu->gone)
		return;
	sim_throttle_files(bits, set, put_reason, &of);
	sim_throttle_text(bits, set, text, sizeof(text));
	snprintf(path, sizeof(path), "tile%u/gt%u/freq0/throttle/reasons",
		 sim_xe_gt_tile(device, gt), gt);
	sim_gpu_file(device->gpu, path, "%s\n", text);
}

void
sim_xe_put_frequencies(struct sim_xe *device)
{
	for (unsigned gt = 0; gt < device->platform.gts; gt++) {
		const struct sim_load *load = &device->loads[gt];

		put_value(device, gt, "freq0/act_freq",
			  load->actual_khz / 1000);
		put_value(device, gt, "freq0/cur_freq",
			  load->requested_khz / 1000);
		put_throttling(device, gt);
	}
}

void
sim_xe_put_residency(struct sim_xe *device)
{
	uint64_t now = sim_now(device->gpu->sim);

	for (unsigned gt = 0; gt < device->platform.gts; gt++)
		put_value(device, gt, "gtidle/idle_residency_ms",
			  sim_meter_at(&device->loads[gt].rc6, now) / 1000000);
	sim_hwmon_put(device->gpu, &hwmon, &device->loads[0]);
}

int
sim_xe_set_hwmon(struct sim_xe *device, const char *value)
{
	int error = sim_hwmon_set(&hwmon, &device->loads[0], value);

	if (!error)
		sim_xe_put_residency(device);
	return error;
}

static void
put_limits(struct sim_xe *device, unsigned gt)
{
	const struct sim_platform *platform = &device->platform;
	const unsigned main[3] = { platform->min_mhz, platform->max_mhz,
				   platform->rp0_mhz };
	const unsigned *mhz =
		sim_xe_gt_is_media(device, gt) ? device->chip.media_mhz : main;

	put_value(device, gt, "freq0/min_freq", mhz[0]);
	put_value(device, gt, "freq0/max_freq", mhz[1]);
	put_value(device, gt, "freq0/rp0_freq", mhz[2]);
	/* the most efficient one is the lowest, as on many */
	put_value(device, gt, "freq0/rpe_freq", mhz[0]);
	put_value(device, gt, "freq0/rpa_freq", mhz[2]);
	put_value(device, gt, "freq0/rpn_freq", mhz[0]);
}

static void
put_idle(struct sim_xe *device, unsigned gt)
{
	unsigned tile = sim_xe_gt_tile(device, gt);
	char path[64];

	snprintf(path, sizeof(path), "tile%u/gt%u/gtidle/name", tile, gt);
	sim_gpu_file(device->gpu, path, "gt%u-%s\n", gt,
		     sim_xe_gt_is_media(device, gt) ? "mc" : "rc");
	snprintf(path, sizeof(path), "tile%u/gt%u/gtidle/idle_status", tile,
		 gt);
	sim_gpu_file(device->gpu, path, "gt-c0\n");
}

static void
put_observation(struct sim_xe *device)
{
	sim_oa_put_metrics(&device->oa);
	/* the module's, so shared by all its devices */
	sim_gpu_default_number_file(device->gpu, SIM_XE_PARANOID, 1);
	sim_event_put_paranoid(device->gpu);
}

void
sim_xe_put_files(struct sim_xe *device)
{
	for (unsigned gt = 0; gt < device->platform.gts; gt++) {
		put_limits(device, gt);
		put_idle(device, gt);
	}
	sim_xe_put_frequencies(device);
	sim_xe_put_residency(device);
	put_observation(device);
}

int
sim_xe_check_paranoid(struct sim_xe *device, const struct sim_call *call)
{
	if (sim_gpu_read_number(device->gpu, SIM_XE_PARANOID, 0) == 0 ||
	    sim_call_is_privileged(call))
		return 0;
	if (device->older_privileges ||
	    sim_gpu_read_number(device->gpu, PERF_PARANOID, 0) > 0)
		return -EACCES;
	return 0;
}
