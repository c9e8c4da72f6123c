/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of GPUs under xe: files of sysfs, which need no permission, in a
 * folder for each GT: "tile0/gt1/freq0/act_freq". [Linux 6.12 xe_gt_freq.c,
 * xe_gt_idle.c, which wake the GPU for all of them] Memory is asked of the
 * node.
 *
 * A GPU with several GTs has each sensor once per GT: "act-freq-gt1".
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
#include "driver/xe/memory.h"

#define MOST_TILES 4
#define MOST_GTS 8
#define NS_PER_MS 1000000

static const struct known {
	const char *file; /* in the GT's folder */
	const char *name;
	const char *description;
	bool is_time; /* milliseconds; else a frequency */
} known[] = {
	{ "freq0/act_freq", "act-freq",
	  "Frequency the GT has; 0 while it sleeps.", false },
	{ "freq0/cur_freq", "cur-freq", "Frequency the kernel asks for.",
	  false },
	{ "freq0/min_freq", "min-freq",
	  "Lowest frequency allowed, as the administrator has set it.", false },
	{ "freq0/max_freq", "max-freq",
	  "Highest frequency allowed, as the administrator has set it.",
	  false },
	{ "freq0/rp0_freq", "rp0-freq", "Highest frequency of the hardware.",
	  false },
	{ "freq0/rpe_freq", "rpe-freq",
	  "Frequency at which the hardware is most efficient now.", false },
	{ "freq0/rpn_freq", "rpn-freq", "Lowest frequency of the hardware.",
	  false },
	{ "gtidle/idle_residency_ms", "idle-residency",
	  "Time the GT was powered down (C6), to the millisecond.", true },
};

/*
 * As a device of the class hwmon, of discrete GPUs: 1 is the card, 2 the
 * package, of temperatures 3 the memory. [Linux 6.8 xe_hwmon.c; the package's
 * energy from 6.12, temperatures from 6.15 on] All of it wakes the GPU.
 */
static const struct hwmon_channel channels[] = {
	{ "energy1_input",
	  { .name = "energy",
	    .description = "Energy that the whole card has taken.",
	    .unit = DRMPERF_UNIT_MICROJOULES,
	    .kind = DRMPERF_KIND_CUMULATIVE,
	    .bits = 64,
	    .scale = 1,
	    .wakes = true } },
	{ "energy2_input",
	  { .name = "energy-pkg",
	    .description = "Energy that the GPU's package has taken.",
	    .unit = DRMPERF_UNIT_MICROJOULES,
	    .kind = DRMPERF_KIND_CUMULATIVE,
	    .bits = 64,
	    .scale = 1,
	    .wakes = true } },
	{ "temp2_input",
	  { .name = "temp",
	    .description = "Temperature of the GPU's package.",
	    .unit = DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	    .kind = DRMPERF_KIND_MOMENTARY,
	    .scale = 1,
	    .wakes = true } },
	{ "temp3_input",
	  { .name = "temp-vram",
	    .description = "Temperature of the GPU's memory.",
	    .unit = DRMPERF_UNIT_MILLIDEGREES_CELSIUS,
	    .kind = DRMPERF_KIND_MOMENTARY,
	    .scale = 1,
	    .wakes = true } },
};

#define MOST                                                                   \
	(MOST_GTS * ARRAY_SIZE(known) + ARRAY_SIZE(channels) + MEMORY_SENSORS)

struct xe_sensors {
	const struct driver_target *target;
	struct arena *arena;
	const char *folders[MOST_GTS];
	unsigned gts[MOST_GTS];
	unsigned gt_count;
	const char *files[MOST]; /* opened anew for each value */
	struct memory_source memory;
	struct sensor list[MOST];
	struct sensors sensors;
};

static int
read_sensor(void *data, size_t index, uint64_t *value)
{
	const struct xe_sensors *own = data;
	int ret;

	if (index >= own->memory.first)
		return memory_source_read(&own->memory, index, value);
	ret = sensor_read_file(own->files[index], value);
	if (ret && access(own->folders[0], F_OK))
		return -ENODEV;
	return ret;
}

/* The folders of GTs, whose numbers go on from tile to tile. */
static int
find_gts(struct xe_sensors *own)
{
	for (unsigned tile = 0; tile < MOST_TILES; tile++) {
		for (unsigned gt = 0; gt < MOST_GTS; gt++) {
			const char *folder =
				arena_printf(own->arena, "%s/tile%u/gt%u",
					     own->target->sysfs, tile, gt);

			if (!folder)
				return -ENOMEM;
			if (own->gt_count == MOST_GTS || access(folder, F_OK))
				continue;
			own->gts[own->gt_count] = gt;
			own->folders[own->gt_count++] = folder;
		}
	}
	return 0;
}

static struct sensor
make_sensor(const struct known *what, const char *name)
{
	struct sensor sensor = {
		.name = name,
		.description = what->description,
		.unit = DRMPERF_UNIT_MEGAHERTZ,
		.kind = DRMPERF_KIND_MOMENTARY,
		.scale = 1,
		.wakes = true,
	};

	if (what->is_time) {
		sensor.unit = DRMPERF_UNIT_NANOSECONDS;
		sensor.kind = DRMPERF_KIND_CUMULATIVE;
		sensor.bits = 64;
		sensor.scale = NS_PER_MS;
	}
	return sensor;
}

/* Add a sensor if there is such a file. Transient errors. */
static int
add(struct xe_sensors *own, const struct known *what, unsigned index)
{
	const char *name = what->name, *file;
	size_t i = own->sensors.count;
	uint64_t value;
	int ret;

	file = arena_printf(own->arena, "%s/%s", own->folders[index],
			    what->file);
	if (own->gt_count > 1)
		name = arena_printf(own->arena, "%s-gt%u", name,
				    own->gts[index]);
	if (!file || !name)
		return -ENOMEM;
	ret = sensor_read_file(file, &value);
	if (ret)
		return error_is_transient(ret) ? ret : 0;
	own->files[i] = file;
	own->list[i] = make_sensor(what, name);
	own->sensors.count++;
	return 0;
}

static int
find_sensors(struct xe_sensors *own)
{
	int ret = find_gts(own);
	const char *hwmon;

	own->sensors.list = own->list;
	for (unsigned gt = 0; gt < own->gt_count; gt++) {
		for (size_t i = 0; !ret && i < ARRAY_SIZE(known); i++)
			ret = add(own, &known[i], gt);
	}
	if (!ret)
		ret = hwmon_find(own->target->sysfs, "xe", own->arena, &hwmon);
	if (!ret)
		ret = hwmon_add(hwmon, channels, ARRAY_SIZE(channels),
				own->arena, own->list, own->files,
				&own->sensors.count);
	return ret ? ret
		   : memory_source_open(&own->memory, own->target,
					own->list, &own->sensors.count);
}

static void
sensor_release(void *device)
{
	struct xe_sensors *own = device;

	sensors_finish(&own->sensors);
	memory_source_close(&own->memory);
	free(own);
}

static int
sensor_describe(const struct driver_target *target,
		struct description *description, void **out,
		struct drmperf_error *error)
{
	struct xe_sensors *own = calloc(1, sizeof(*own));
	int ret;

	if (!own)
		return error_set(error, -ENOMEM, "no memory");
	sensors_init(&own->sensors, target);
	own->memory = (struct memory_source){ .read = xe_memory_read,
					      .wakes = true,
					      .node = -1 };
	own->sensors.read = read_sensor;
	own->sensors.data = own;
	own->target = target;
	own->arena = description->arena;
	ret = find_sensors(own);
	if (!ret)
		ret = sensors_describe(&own->sensors, description);
	if (ret) {
		sensor_release(own);
		return error_set(error, ret, "cannot look for sensors: %s",
				 strerrordesc_np(-ret));
	}
	*out = own;
	return 0;
}

const struct driver xe_sensor_driver = {
	.name = "xe",
	.describe = sensor_describe,
	.release = sensor_release,
	/* Nothing is shared with the parent but files that are only read. */
	.abandon = sensor_release,
};
