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
};

/* Bring its files up to date, where the GPU has any. */
void sim_hwmon_put(struct sim_gpu *gpu, const struct sim_hwmon *hwmon,
		   struct sim_load *load);

#endif /* DRMSIM_INTEL_HWMON_H */
