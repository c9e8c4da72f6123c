/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of Intel GPUs: files of sysfs, which need no permission. Newer
 * kernels have a folder gt/gtN of the card for each GT; in older ones there was
 * one GT, and its files lay in the card's folder, where those for all GTs
 * together still lie. [Linux 6.12 intel_gt_sysfs_pm.c] The GPU's memory, where
 * it has its own, is asked of its node.
 *
 * A GPU with several GTs has each sensor once per GT, with the ending that the
 * kernel gives to events of its PMU: "act-freq-gt1".
 */
#include "driver/sensor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "driver/driver.h"
#include "driver/hwmon.h"
#include "driver/i915/memory.h"

#define MOST_GTS 8
#define NS_PER_MS 1000000

/*
 * What is asked of hardware or of its firmware wakes the GPU, but for the
 * actual frequency, which is 0 of one asleep.
 */
static const struct known {
	const char *file; /* in gt/gtN */
	const char *card_file;
	const char *name;
	const char *description;
	bool wakes;
	bool is_time; /* milliseconds; else a frequency */
} known[] = {
	{ "rps_act_freq_mhz", "gt_act_freq_mhz", "act-freq",
	  "Frequency the GT has; 0 while it sleeps.", false, false },
	{ "rps_cur_freq_mhz", "gt_cur_freq_mhz", "cur-freq",
	  "Frequency the kernel asks for.", true, false },
	{ "rps_min_freq_mhz", "gt_min_freq_mhz", "min-freq",
	  "Lowest frequency allowed, as the administrator has set it.", true,
	  false },
	{ "rps_max_freq_mhz", "gt_max_freq_mhz", "max-freq",
	  "Highest frequency allowed, as the administrator has set it.", true,
	  false },
	{ "rps_boost_freq_mhz", "gt_boost_freq_mhz", "boost-freq",
	  "Frequency the kernel asks for while a program waits.", false,
	  false },
	{ "rps_RP0_freq_mhz", "gt_RP0_freq_mhz", "rp0-freq",
	  "Highest frequency of the hardware.", false, false },
	{ "rps_RP1_freq_mhz", "gt_RP1_freq_mhz", "rp1-freq",
	  "Frequency at which the hardware is most efficient.", false, false },
	{ "rps_RPn_freq_mhz", "gt_RPn_freq_mhz", "rpn-freq",
	  "Lowest frequency of the hardware.", false, false },
	{ "rc6_residency_ms", "power/rc6_residency_ms", "rc6-residency",
	  "Time the GT was powered down (RC6), to the millisecond.", true,
	  true },
};

/*
 * As a device of the class hwmon, of discrete GPUs. [Linux 6.2 i915_hwmon.c;
 * the temperature from 6.13 on] All of it wakes the GPU.
 */
static const struct hwmon_channel channels[] = {
	{ "energy1_input",
	  { .name = "energy",
	    .description = "Energy that the whole GPU has taken.",
	    .unit = DRMPERF_UNIT_MICROJOULES,
	    .kind = DRMPERF_KIND_CUMULATIVE,
	    .bits = 64,
	    .scale = 1,
	    .wakes = true } },
	{ "temp1_input",
	  { .name = "temp",
	    .description = "Temperature of the GPU's package.",
	    .unit = DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	    .kind = DRMPERF_KIND_MOMENTARY,
	    .scale = 1,
	    .wakes = true } },
	{ "in0_input",
	  { .name = "voltage",
	    .description = "Voltage of the GPU.",
	    .unit = DRMPERF_UNIT_MILLIVOLTS,
	    .kind = DRMPERF_KIND_MOMENTARY,
	    .scale = 1,
	    .wakes = true } },
};

#define MOST                                                                   \
	(MOST_GTS * ARRAY_SIZE(known) + ARRAY_SIZE(channels) + MEMORY_SENSORS)

struct i915_sensors {
	const struct driver_target *target;
	const char *card; /* sysfs folder */
	struct arena *arena;
	const char *files[MOST]; /* opened anew for each value */
	struct memory_source memory;
	struct sensor list[MOST];
	struct sensors sensors;
};

static int
read_sensor(void *data, size_t index, uint64_t *value)
{
	const struct i915_sensors *own = data;
	int ret;

	if (index >= own->memory.first)
		return memory_source_read(&own->memory, index, value);
	ret = sensor_read_file(own->files[index], value);
	if (ret && access(own->card, F_OK))
		return -ENODEV;
	return ret;
}

/* ------------------------------------------------------------------ */
/* Finding them                                                         */

static struct sensor
make_sensor(const struct known *what, const char *name)
{
	struct sensor sensor = {
		.name = name,
		.description = what->description,
		.unit = DRMPERF_UNIT_MEGAHERTZ,
		.kind = DRMPERF_KIND_MOMENTARY,
		.scale = 1,
		.wakes = what->wakes,
	};

	if (what->is_time) {
		sensor.unit = DRMPERF_UNIT_NANOSECONDS;
		sensor.kind = DRMPERF_KIND_CUMULATIVE;
		sensor.bits = 32; /* an unsigned int of milliseconds */
		sensor.scale = NS_PER_MS;
	}
	return sensor;
}

/* Add a sensor if there is such a file. -ENOENT if not; transient errors. */
static int
add(struct i915_sensors *own, const struct known *what, const char *name,
    const char *file)
{
	size_t i = own->sensors.count;
	uint64_t value;
	int ret;

	if (!name || !file)
		return -ENOMEM;
	ret = sensor_read_file(file, &value);
	if (ret)
		return error_is_transient(ret) ? ret : -ENOENT;
	own->files[i] = file;
	own->list[i] = make_sensor(what, name);
	own->sensors.count++;
	return 0;
}

static int
add_of_gt(struct i915_sensors *own, const struct known *what, unsigned gt,
	  unsigned gts)
{
	struct arena *arena = own->arena;
	const char *name = what->name;
	int ret;

	if (gts > 1)
		name = arena_printf(arena, "%s-gt%u", name, gt);
	ret = add(own, what, name,
		  arena_printf(arena, "%s/gt/gt%u/%s", own->card, gt,
			       what->file));
	if (ret == -ENOENT && gts <= 1)
		ret = add(own, what, name,
			  arena_printf(arena, "%s/%s", own->card,
				       what->card_file));
	return ret == -ENOENT ? 0 : ret;
}

/* Transient errors. */
static int
count_gts(const struct i915_sensors *own)
{
	char path[512];
	int gts;

	for (gts = 0; gts < MOST_GTS; gts++) {
		snprintf(path, sizeof(path), "%s/gt/gt%d", own->card, gts);
		if (access(path, F_OK))
			return error_is_transient(-errno) ? -errno : gts;
	}
	return gts;
}

static int
find_sensors(struct i915_sensors *own)
{
	int gts = count_gts(own), ret = 0;
	const char *hwmon;

	if (gts < 0)
		return gts;
	own->sensors.list = own->list;
	for (int gt = 0; gt < (gts ? gts : 1); gt++) {
		for (size_t i = 0; !ret && i < ARRAY_SIZE(known); i++)
			ret = add_of_gt(own, &known[i], (unsigned)gt,
					(unsigned)gts);
	}
	if (!ret)
		ret = hwmon_find(own->target->sysfs, "i915", own->arena,
				 &hwmon);
	if (!ret)
		ret = hwmon_add(hwmon, channels, ARRAY_SIZE(channels),
				own->arena, own->list, own->files,
				&own->sensors.count);
	return ret ? ret
		   : memory_source_open(&own->memory, own->target,
					own->list, &own->sensors.count);
}

/* ------------------------------------------------------------------ */
/* The driver                                                           */

static void
sensor_release(void *device)
{
	struct i915_sensors *own = device;

	sensors_finish(&own->sensors);
	memory_source_close(&own->memory);
	free(own);
}

static const char *
card_folder(const struct driver_target *target, struct arena *arena)
{
	const char *name = strrchr(target->primary, '/');

	return arena_printf(arena, "%s/drm/%s", target->sysfs,
			    name ? name + 1 : target->primary);
}

static int
sensor_describe(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	struct i915_sensors *own = calloc(1, sizeof(*own));
	int ret = -ENOMEM;

	if (!own)
		return error_set(error, -ENOMEM, "no memory");
	sensors_init(&own->sensors, target);
	own->memory = (struct memory_source){ .read = i915_memory_read,
					      .wakes = false,
					      .node = -1 };
	own->sensors.read = read_sensor;
	own->sensors.data = own;
	own->arena = description->arena;
	own->target = target;
	own->card = card_folder(target, own->arena);
	if (own->card)
		ret = find_sensors(own);
	if (!ret)
		ret = sensors_describe(&own->sensors, description);
	if (ret) {
		sensor_release(own);
		return error_set(error, ret, "cannot look for sensors: %s",
				 strerror(-ret));
	}
	*out = own;
	return 0;
}

const struct driver i915_sensor_driver = {
	.name = "i915",
	.describe = sensor_describe,
	.release = sensor_release,
	/* Nothing is shared with the parent but files that are only read. */
	.abandon = sensor_release,
};
