/* SPDX-License-Identifier: BSD-3-Clause */
#include "i915/sysfs.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "i915/device.h"
#include "intel/hwmon.h"
#include "intel/load.h"
#include "intel/throttle.h"
#include "kernel/call.h"
#include "machine/clock.h"
#include "machine/gpu.h"
#include "machine/gpu_files.h"

/* [Linux 7.0 i915_hwmon.c] */
static const char *const hwmon_others[] = {
	"in0_input",
	"power1_rated_max",
	"power1_crit",
	"curr1_crit",
};

static const struct sim_hwmon hwmon = {
	.driver = "i915",
	.energy = "energy1_input",
	.temperature = "temp1_input",
	.fan = "fan1_input",
	.power_limit = "power1_max",
	.others = hwmon_others,
	.other_count = ARRAY_SIZE(hwmon_others),
};

static void
put_card_file(struct sim_i915 *device, const char *name, uint64_t value)
{
	char path[128];

	if (device->gpu->gone)
		return;
	snprintf(path, sizeof(path), "drm/card%u/%s", device->gpu->card, name);
	sim_gpu_number_file(device->gpu, path, value);
}

/* Put one of the card, and gt/gtN/... of each GT, as newer kernels have it. */
static void
put_value(struct sim_i915 *device, const char *old, const char *new,
	  uint64_t mhz)
{
	char name[64];

	put_card_file(device, old, mhz);
	for (unsigned gt = 0; gt < device->platform.gts; gt++) {
		snprintf(name, sizeof(name), "gt/gt%u/%s", gt, new);
		put_card_file(device, name, mhz);
	}
}

static void
put_reason(void *data, const char *name, bool is_so)
{
	struct sim_i915 *device = data;
	char path[64];

	for (unsigned gt = 0; gt < device->platform.gts; gt++) {
		snprintf(path, sizeof(path), "gt/gt%u/throttle_reason_%s", gt,
			 name);
		put_card_file(device, path, is_so);
	}
}

static void
put_throttling(struct sim_i915 *device)
{
	if (device->platform.version >= SIM_THROTTLE_VERSION)
		sim_throttle_files(device->load.throttle, SIM_THROTTLE_USUAL,
				   put_reason, device);
}

void
sim_i915_put_frequencies(struct sim_i915 *device)
{
	const struct sim_load *load = &device->load;

	put_value(device, "gt_act_freq_mhz", "rps_act_freq_mhz",
		  load->actual_khz / 1000);
	put_value(device, "gt_cur_freq_mhz", "rps_cur_freq_mhz",
		  load->requested_khz / 1000);
	put_throttling(device);
}

void
sim_i915_put_residency(struct sim_i915 *device)
{
	uint64_t ms = sim_meter_at(&device->load.rc6,
				   sim_now(device->gpu->sim)) /
		      1000000;

	put_value(device, "power/rc6_residency_ms", "rc6_residency_ms", ms);
	sim_hwmon_put(device->gpu, &hwmon, &device->load);
}

int
sim_i915_set_hwmon(struct sim_i915 *device, const char *value)
{
	int error = sim_hwmon_set(&hwmon, &device->load, value);

	if (!error)
		sim_i915_put_residency(device);
	return error;
}

static void
put_limits(struct sim_i915 *device)
{
	const struct sim_platform *p = &device->platform;

	put_value(device, "gt_min_freq_mhz", "rps_min_freq_mhz", p->min_mhz);
	put_value(device, "gt_max_freq_mhz", "rps_max_freq_mhz", p->max_mhz);
	put_value(device, "gt_boost_freq_mhz", "rps_boost_freq_mhz",
		  p->rp0_mhz);
	put_value(device, "gt_RP0_freq_mhz", "rps_RP0_freq_mhz", p->rp0_mhz);
	/* the most efficient one is the lowest, as on many */
	put_value(device, "gt_RP1_freq_mhz", "rps_RP1_freq_mhz", p->min_mhz);
	put_value(device, "gt_RPn_freq_mhz", "rps_RPn_freq_mhz", p->min_mhz);
}

static void
put_perf(struct sim_i915 *device)
{
	sim_oa_put_metrics(&device->oa);
	/* the module's, so shared by all its devices */
	sim_gpu_default_number_file(device->gpu, SIM_I915_PARANOID, 1);
	sim_gpu_default_number_file(device->gpu, SIM_I915_MAX_RATE, 100000);
}

void
sim_i915_put_files(struct sim_i915 *device)
{
	put_limits(device);
	sim_i915_put_frequencies(device);
	put_value(device, "power/rc6_enable", "rc6_enable", 1);
	sim_i915_put_residency(device);
	if (device->has_perf)
		put_perf(device);
}

bool
sim_i915_perf_refused(struct sim_i915 *device, struct sim_call *call)
{
	return sim_gpu_read_number(device->gpu, SIM_I915_PARANOID, 0) &&
	       !sim_call_is_privileged(call);
}
