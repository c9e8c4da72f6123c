/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of GPUs under xe, in a folder for each GT: "tile0/gt1/freq0/act_freq"
 * [Linux 6.12 xe_gt_freq.c, xe_gt_idle.c, which wake the GPU for all of them;
 * 7.0 xe_gt_throttle.c; reasons from soc_thermal on: of Crescent Island]
 */
#include "driver/intel/gt_sensors.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "driver/pcie_link.h"
#include "driver/xe/kernel.h"

#define MOST_TILES 4

static const struct gt_sensor known[] = {
	{ "freq0/act_freq", "act-freq",
	  "Frequency the GT has; 0 while it sleeps.", true, 0, false },
	{ "freq0/cur_freq", "cur-freq", "Frequency the kernel asks for.", true,
	  0, false },
	{ "freq0/min_freq", "min-freq",
	  "Lowest frequency allowed, as the administrator has set it.", true, 0,
	  false },
	{ "freq0/max_freq", "max-freq",
	  "Highest frequency allowed, as the administrator has set it.", true,
	  0, false },
	{ "freq0/rp0_freq", "rp0-freq", "Highest frequency of the hardware.",
	  true, 0, false },
	{ "freq0/rpe_freq", "rpe-freq",
	  "Frequency at which the hardware is most efficient now.", true, 0,
	  false },
	{ "freq0/rpn_freq", "rpn-freq", "Lowest frequency of the hardware.",
	  true, 0, false },
	{ "gtidle/idle_residency_ms", "idle-residency",
	  "Time the GT was powered down (C6), to the millisecond.", true, 64,
	  false },
	GT_THROTTLE("freq0/throttle/", "status", "any", "any reason"),
	GT_THROTTLE("freq0/throttle/", "reason_pl1", "pl1",
		    "the sustained power limit (PL1)"),
	GT_THROTTLE("freq0/throttle/", "reason_pl2", "pl2",
		    "the burst power limit (PL2)"),
	GT_THROTTLE("freq0/throttle/", "reason_pl4", "pl4",
		    "the peak power or current limit (PL4)"),
	GT_THROTTLE("freq0/throttle/", "reason_thermal", "thermal",
		    "temperature"),
	GT_THROTTLE("freq0/throttle/", "reason_prochot", "prochot",
		    "the PROCHOT signal"),
	GT_THROTTLE("freq0/throttle/", "reason_ratl", "ratl",
		    "the running average of temperature (RATL)"),
	GT_THROTTLE("freq0/throttle/", "reason_vr_thermalert", "vr-thermalert",
		    "the voltage regulator's temperature"),
	GT_THROTTLE("freq0/throttle/", "reason_vr_tdc", "vr-tdc",
		    "the voltage regulator's current (TDC)"),
	GT_THROTTLE("freq0/throttle/", "reason_soc_thermal", "soc-thermal",
		    "the temperature of the chip"),
	GT_THROTTLE("freq0/throttle/", "reason_mem_thermal", "mem-thermal",
		    "the temperature of the memory"),
	GT_THROTTLE("freq0/throttle/", "reason_vr_thermal", "vr-thermal",
		    "the voltage regulator's temperature"),
	GT_THROTTLE("freq0/throttle/", "reason_iccmax", "iccmax",
		    "the greatest current (ICCMAX)"),
	GT_THROTTLE("freq0/throttle/", "reason_soc_avg_thermal",
		    "soc-avg-thermal", "the average temperature of the chip"),
	GT_THROTTLE("freq0/throttle/", "reason_fastvmode", "fastvmode",
		    "the fast voltage mode"),
	GT_THROTTLE("freq0/throttle/", "reason_psys_pl1", "psys-pl1",
		    "the computer's sustained power limit (PL1)"),
	GT_THROTTLE("freq0/throttle/", "reason_psys_pl2", "psys-pl2",
		    "the computer's burst power limit (PL2)"),
	GT_THROTTLE("freq0/throttle/", "reason_p0_freq", "p0-freq",
		    "the limit of the P0 frequency"),
	GT_THROTTLE("freq0/throttle/", "reason_psys_crit", "psys-crit",
		    "the computer's critical power limit"),
};

#define TEMPERATURE(file_name, sensor_name, text)                              \
	GT_CHANNEL(file_name, sensor_name, DRMPERF_UNIT_MILLIDEGREES_CELSIUS,  \
		   text)

#define VRAM_CHANNEL(number_of_file, number)                                   \
	TEMPERATURE("temp" number_of_file "_input", "temp-vram-ch" number,     \
		    "Temperature of channel " number " of the GPU's memory.")

/*
 * Channels of the hwmon device of discrete GPUs: 1 is the card, 2 the package,
 * for temperatures 3 the memory. [Linux 6.8 xe_hwmon.c; the package's energy
 * from 6.12, temperatures and PL2 from 6.15, fans from 6.16, memory channels
 * and limits of temperatures from 7.0 on] All of them wake the GPU.
 */
static const struct hwmon_channel channels[] = {
	GT_ENERGY("energy1_input", "energy",
		  "Energy that the whole card has taken."),
	GT_ENERGY("energy2_input", "energy-pkg",
		  "Energy that the GPU's package has taken."),
	TEMPERATURE("temp2_input", "temp", "Temperature of the GPU's package."),
	TEMPERATURE("temp3_input", "temp-vram",
		    "Temperature of the GPU's memory."),
	GT_POWER("power1_max", "power-limit",
		 "Power limit (PL1) of the whole card; 0: none."),
	GT_POWER("power1_cap", "power-burst-limit",
		 "Power limit (PL2) of the whole card for a short time."),
	GT_POWER("power1_rated_max", "power-rated",
		 "Power that the whole card is made for (TDP)."),
	GT_POWER("power2_max", "power-limit-pkg",
		 "Power limit (PL1) of the GPU's package; 0: none."),
	GT_POWER("power2_cap", "power-burst-limit-pkg",
		 "Power limit (PL2) of the GPU's package for a short time."),
	GT_POWER("power2_rated_max", "power-rated-pkg",
		 "Power that the GPU's package is made for (TDP)."),
	GT_POWER("power1_crit", "power-crit",
		 "Power at which the card is held back at once (I1)."),
	GT_CHANNEL("curr2_crit", "current-crit", DRMPERF_UNIT_MILLIAMPERES,
		   "Current at which the card is held back at once (I1)."),
	GT_CHANNEL("in1_input", "voltage", DRMPERF_UNIT_MILLIVOLTS,
		   "Voltage of the GPU."),
	GT_CHANNEL("fan1_input", "fan-speed",
		   DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE,
		   "Speed of the first fan, its mean since the last read."),
	GT_CHANNEL("fan2_input", "fan-speed-2",
		   DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE,
		   "Speed of the second fan, its mean since the last read."),
	GT_CHANNEL("fan3_input", "fan-speed-3",
		   DRMPERF_UNIT_REVOLUTIONS_PER_MINUTE,
		   "Speed of the third fan, its mean since the last read."),
	TEMPERATURE("temp4_input", "temp-mctrl",
		    "Temperature of the memory controllers, their average."),
	TEMPERATURE("temp5_input", "temp-pcie",
		    "Temperature of the PCIe link."),
	TEMPERATURE("temp2_max", "temp-max",
		    "Highest temperature that the package is made to keep."),
	TEMPERATURE("temp2_crit", "temp-crit",
		    "Critical temperature of the GPU's package."),
	TEMPERATURE("temp2_emergency", "temp-emergency",
		    "Temperature of the package that is an emergency."),
	TEMPERATURE("temp3_crit", "temp-vram-crit",
		    "Critical temperature of the GPU's memory."),
	TEMPERATURE("temp3_emergency", "temp-vram-emergency",
		    "Temperature of the memory that is an emergency."),
	VRAM_CHANNEL("6", "0"),
	VRAM_CHANNEL("7", "1"),
	VRAM_CHANNEL("8", "2"),
	VRAM_CHANNEL("9", "3"),
	VRAM_CHANNEL("10", "4"),
	VRAM_CHANNEL("11", "5"),
	VRAM_CHANNEL("12", "6"),
	VRAM_CHANNEL("13", "7"),
	VRAM_CHANNEL("14", "8"),
	VRAM_CHANNEL("15", "9"),
	VRAM_CHANNEL("16", "10"),
	VRAM_CHANNEL("17", "11"),
	VRAM_CHANNEL("18", "12"),
	VRAM_CHANNEL("19", "13"),
	VRAM_CHANNEL("20", "14"),
	VRAM_CHANNEL("21", "15"),
};

_Static_assert(GT_SENSORS_GTS *ARRAY_SIZE(known) + ARRAY_SIZE(channels) +
			       MEMORY_SENSORS + PCIE_LINK_SENSORS <=
		       GT_SENSORS_MOST,
	       "there is room for all");

struct gts {
	const char *folders[GT_SENSORS_GTS];
	unsigned numbers[GT_SENSORS_GTS];
	unsigned count;
};

/* Find the GTs, whose numbers go on from tile to tile. */
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

/*
 * Find the files of the reasons of throttling. Linux 7.0 has a file of all
 * reasons as well, which is read at once.
 */
static int
find_reasons(struct gt_sensors *own, const struct gts *gts, unsigned index)
{
	const char *file = arena_printf(own->arena, "%s/freq0/throttle/reasons",
					gts->folders[index]);

	if (!file)
		return -ENOMEM;
	if (!access(file, R_OK))
		own->reasons[index] = file;
	return 0;
}

/* Find "pl1" in "freq0/throttle/reason_pl1"; NULL for the file of all. */
static const char *
find_word(const char *file)
{
	const char *word = strstr(file, "reason_");

	return word ? word + strlen("reason_") : NULL;
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
	if (!ret && what->is_flag && own->reasons[index])
		gt_sensors_use_reasons(own, index, find_word(what->file));
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
		if (!ret)
			ret = find_reasons(own, &gts, gt);
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
