/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of GPUs under i915. Newer kernels have a folder gt/gtN of the card
 * for each GT; in older ones there was one GT, and its files lay in the card's
 * folder, where those for all GTs together still lie.
 * [Linux 6.12 intel_gt_sysfs_pm.c]
 */
#include "driver/intel/gt_sensors.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "driver/pcie_link.h"
#include "driver/i915/kernel.h"

/*
 * Sensors that ask the hardware or its firmware wake the GPU, but for the
 * actual frequency, which is 0 while it sleeps. Graphics version 11 and later
 * have reasons of throttling. [Linux 7.0 intel_gt_sysfs_pm.c]
 */
static const struct card_sensor {
	struct gt_sensor sensor; /* its file is in gt/gtN */
	const char *card_file; /* of older kernels; NULL: they have none */
} known[] = {
	{ { "rps_act_freq_mhz", "act-freq",
	    "Frequency the GT has; 0 while it sleeps.", false, 0, false },
	  "gt_act_freq_mhz" },
	{ { "rps_cur_freq_mhz", "cur-freq", "Frequency the kernel asks for.",
	    true, 0, false },
	  "gt_cur_freq_mhz" },
	{ { "rps_min_freq_mhz", "min-freq",
	    "Lowest frequency allowed, as the administrator has set it.", true,
	    0, false },
	  "gt_min_freq_mhz" },
	{ { "rps_max_freq_mhz", "max-freq",
	    "Highest frequency allowed, as the administrator has set it.", true,
	    0, false },
	  "gt_max_freq_mhz" },
	{ { "rps_boost_freq_mhz", "boost-freq",
	    "Frequency the kernel asks for while a program waits.", false, 0,
	    false },
	  "gt_boost_freq_mhz" },
	{ { "rps_RP0_freq_mhz", "rp0-freq",
	    "Highest frequency of the hardware.", false, 0, false },
	  "gt_RP0_freq_mhz" },
	{ { "rps_RP1_freq_mhz", "rp1-freq",
	    "Frequency at which the hardware is most efficient.", false, 0,
	    false },
	  "gt_RP1_freq_mhz" },
	{ { "rps_RPn_freq_mhz", "rpn-freq", "Lowest frequency of the hardware.",
	    false, 0, false },
	  "gt_RPn_freq_mhz" },
	{ { "rc6_residency_ms", "rc6-residency",
	    "Time the GT was powered down (RC6), to the millisecond.", true,
	    32 /* an unsigned int */, false },
	  "power/rc6_residency_ms" },
	{ GT_THROTTLE("throttle_reason_", "status", "any", "any reason"),
	  NULL },
	{ GT_THROTTLE("throttle_reason_", "pl1", "pl1",
		      "the sustained power limit (PL1)"),
	  NULL },
	{ GT_THROTTLE("throttle_reason_", "pl2", "pl2",
		      "the burst power limit (PL2)"),
	  NULL },
	{ GT_THROTTLE("throttle_reason_", "pl4", "pl4",
		      "the peak power or current limit (PL4)"),
	  NULL },
	{ GT_THROTTLE("throttle_reason_", "thermal", "thermal", "temperature"),
	  NULL },
	{ GT_THROTTLE("throttle_reason_", "prochot", "prochot",
		      "the PROCHOT signal"),
	  NULL },
	{ GT_THROTTLE("throttle_reason_", "ratl", "ratl",
		      "the running average of temperature (RATL)"),
	  NULL },
	{ GT_THROTTLE("throttle_reason_", "vr_thermalert", "vr-thermalert",
		      "the voltage regulator's temperature"),
	  NULL },
	{ GT_THROTTLE("throttle_reason_", "vr_tdc", "vr-tdc",
		      "the voltage regulator's current (TDC)"),
	  NULL },
};

/*
 * Channels of the hwmon device of discrete GPUs. [Linux 6.2 i915_hwmon.c; the
 * fan from 6.12, the temperature from 6.13 on] All of them wake the GPU.
 */
static const struct hwmon_channel channels[] = {
	GT_ENERGY("energy1_input", "energy",
		  "Energy that the whole GPU has taken."),
	GT_CHANNEL("temp1_input", "temp", DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
		   "Temperature of the GPU's package."),
	GT_CHANNEL("in0_input", "voltage", DRMPERF_UNIT_MILLIVOLTS,
		   "Voltage of the GPU."),
	GT_POWER("power1_max", "power-limit",
		 "Power limit (PL1) of the card; 0: none."),
	GT_POWER("power1_rated_max", "power-rated",
		 "Power that the card is made for (TDP)."),
	GT_POWER("power1_crit", "power-crit",
		 "Power at which the card is held back at once (I1)."),
	GT_CHANNEL("curr1_crit", "current-crit", DRMPERF_UNIT_MILLIAMPERES,
		   "Current at which the card is held back at once (I1)."),
	GT_CHANNEL("fan1_input", "fan-speed",
		   DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE,
		   "Speed of the fan, its mean since the last read."),
};

_Static_assert(GT_SENSORS_GTS *ARRAY_SIZE(known) + ARRAY_SIZE(channels) +
			       MEMORY_SENSORS + PCIE_LINK_SENSORS <=
		       GT_SENSORS_MOST,
	       "there is room for all");

static int
add_of_gt(struct gt_sensors *own, const struct card_sensor *what, unsigned gt,
	  unsigned gts)
{
	struct arena *arena = own->arena;
	const char *name = what->sensor.name;
	int ret;

	if (gts > 1)
		name = arena_printf(arena, "%s-gt%u", name, gt);
	ret = gt_sensors_add(own, &what->sensor, name,
			     arena_printf(arena, "%s/gt/gt%u/%s", own->folder,
					  gt, what->sensor.file));
	if (ret == -ENOENT && gts <= 1 && what->card_file)
		ret = gt_sensors_add(own, &what->sensor, name,
				     arena_printf(arena, "%s/%s", own->folder,
						  what->card_file));
	return ret == -ENOENT ? 0 : ret;
}

/* Count the GTs. Returns transient errors only. */
static int
count_gts(const struct gt_sensors *own)
{
	char path[512];
	int gts;

	for (gts = 0; gts < GT_SENSORS_GTS; gts++) {
		snprintf(path, sizeof(path), "%s/gt/gt%d", own->folder, gts);
		if (access(path, F_OK))
			return error_is_transient(-errno) ? -errno : gts;
	}
	return gts;
}

static const char *
card_folder(const struct driver_target *target, struct arena *arena)
{
	const char *name = strrchr(target->primary, '/');

	return arena_printf(arena, "%s/drm/%s", target->sysfs,
			    name ? name + 1 : target->primary);
}

static int
find_sensors(struct gt_sensors *own)
{
	int gts, ret = 0;

	own->folder = card_folder(own->target, own->arena);
	if (!own->folder)
		return -ENOMEM;
	gts = count_gts(own);
	if (gts < 0)
		return gts;
	for (int gt = 0; gt < (gts ? gts : 1); gt++) {
		for (size_t i = 0; !ret && i < ARRAY_SIZE(known); i++)
			ret = add_of_gt(own, &known[i], (unsigned)gt,
					(unsigned)gts);
	}
	return ret;
}

static int
sensor_describe(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	static const struct gt_sensor_source source = {
		.find = find_sensors,
		.hwmon = "i915",
		.channels = channels,
		.channel_count = ARRAY_SIZE(channels),
		.read_memory = i915_memory_read,
		.memory_wakes = false,
	};

	return gt_sensors_describe(&source, target, description, out, error);
}

const struct driver i915_sensor_driver = {
	.name = "i915",
	.describe = sensor_describe,
	.release = gt_sensors_release,
	/* Nothing is shared with the parent but files that are only read. */
	.abandon = gt_sensors_release,
};
