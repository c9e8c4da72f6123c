/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of GPUs under xe, in a folder for each GT: "tile0/gt1/freq0/act_freq"
 * [Linux 6.12 xe_gt_freq.c, xe_gt_idle.c, which wake the GPU for all of them]
 */
#include "driver/gt_sensors.h"

#include <errno.h>
#include <unistd.h>

#include "base/array.h"
#include "driver/xe/memory.h"

#define MOST_TILES 4

static const struct gt_sensor known[] = {
	{ "freq0/act_freq", "act-freq",
	  "Frequency the GT has; 0 while it sleeps.", true, 0 },
	{ "freq0/cur_freq", "cur-freq", "Frequency the kernel asks for.", true,
	  0 },
	{ "freq0/min_freq", "min-freq",
	  "Lowest frequency allowed, as the administrator has set it.", true,
	  0 },
	{ "freq0/max_freq", "max-freq",
	  "Highest frequency allowed, as the administrator has set it.", true,
	  0 },
	{ "freq0/rp0_freq", "rp0-freq", "Highest frequency of the hardware.",
	  true, 0 },
	{ "freq0/rpe_freq", "rpe-freq",
	  "Frequency at which the hardware is most efficient now.", true, 0 },
	{ "freq0/rpn_freq", "rpn-freq", "Lowest frequency of the hardware.",
	  true, 0 },
	{ "gtidle/idle_residency_ms", "idle-residency",
	  "Time the GT was powered down (C6), to the millisecond.", true, 64 },
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

_Static_assert(GT_SENSORS_GTS * ARRAY_SIZE(known) + ARRAY_SIZE(channels) +
			       MEMORY_SENSORS <=
		       GT_SENSORS_MOST,
	       "there is room for all");

struct gts {
	const char *folders[GT_SENSORS_GTS];
	unsigned numbers[GT_SENSORS_GTS];
	unsigned count;
};

/* Their numbers go on from tile to tile. */
static int
find_gts(const struct gt_sensors *own, struct gts *gts)
{
	for (unsigned tile = 0; tile < MOST_TILES; tile++) {
		for (unsigned gt = 0; gt < GT_SENSORS_GTS; gt++) {
			const char *folder =
				arena_printf(own->arena, "%s/tile%u/gt%u",
					     own->target->sysfs, tile, gt);

			if (!folder)
				return -ENOMEM;
			if (gts->count == GT_SENSORS_GTS ||
			    access(folder, F_OK))
				continue;
			gts->numbers[gts->count] = gt;
			gts->folders[gts->count++] = folder;
		}
	}
	return 0;
}

static int
add_of_gt(struct gt_sensors *own, const struct gt_sensor *what,
	  const struct gts *gts, unsigned index)
{
	const char *name = what->name;
	int ret;

	if (gts->count > 1)
		name = arena_printf(own->arena, "%s-gt%u", name,
				    gts->numbers[index]);
	ret = gt_sensors_add(own, what, name,
			     arena_printf(own->arena, "%s/%s",
					  gts->folders[index], what->file));
	return ret == -ENOENT ? 0 : ret;
}

static int
find_sensors(struct gt_sensors *own)
{
	struct gts gts = { .count = 0 };
	int ret = find_gts(own, &gts);

	if (gts.count)
		own->folder = gts.folders[0];
	for (unsigned gt = 0; gt < gts.count; gt++) {
		for (size_t i = 0; !ret && i < ARRAY_SIZE(known); i++)
			ret = add_of_gt(own, &known[i], &gts, gt);
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
		.hwmon = "xe",
		.channels = channels,
		.channel_count = ARRAY_SIZE(channels),
		.read_memory = xe_memory_read,
		.memory_wakes = true,
	};

	return gt_sensors_describe(&source, target, description, out, error);
}

const struct driver xe_sensor_driver = {
	.name = "xe",
	.describe = sensor_describe,
	.release = gt_sensors_release,
	/* Nothing is shared with the parent but files that are only read. */
	.abandon = gt_sensors_release,
};
