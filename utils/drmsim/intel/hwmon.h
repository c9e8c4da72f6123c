/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Power and temperature sensors of Intel's drivers, as a device of the class
 * hwmon.
 */
#ifndef DRMSIM_INTEL_HWMON_H
#define DRMSIM_INTEL_HWMON_H

#include "intel/load.h"

struct sim_gpu;

/* Names of one driver's files. */
struct sim_hwmon {
	const char *driver;
	const char *energy, *temperature;
	const char *vram_temperature; /* NULL: it has none */
	const char *fan, *power_limit;
	/* Further ones, which a GPU has if a scenario sets them. */
	const char *const *others;
	unsigned other_count; /* at most SIM_HWMON_OTHERS */
};

/*
 * Set one of the others: "power1_cap 300000000", the number as the file has it.
 * Returns 0, or -EINVAL for a file that the driver does not know, and for what
 * is no number.
 */
int sim_hwmon_set(const struct sim_hwmon *hwmon, struct sim_load *load,
		  const char *value);

/* Bring its files up to date, where the GPU has any. */
void sim_hwmon_put(struct sim_gpu *gpu, const struct sim_hwmon *hwmon,
		   struct sim_load *load);

#endif /* DRMSIM_INTEL_HWMON_H */
