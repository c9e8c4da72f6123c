/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sensors of a GPU that its driver shows as a device of the class hwmon: files
 * in a folder "hwmon/hwmonN" of the PCI device, N being any number.
 */
#ifndef DRMPERF_LIB_DRIVER_HWMON_H
#define DRMPERF_LIB_DRIVER_HWMON_H

#include "base/arena.h"
#include "driver/sensor.h"

/* A file of the folder, and what it is. */
struct hwmon_channel {
	const char *file;
	struct sensor sensor;
};

/*
 * Find the path of the folder of that name, in the arena; NULL if there is
 * none. -ENOMEM, and other errors that pass.
 */
int hwmon_find(const char *sysfs, const char *name, struct arena *arena,
	       const char **out);

/*
 * Append those channels that the folder has to a list of sensors, whose count
 * grows, and their paths to a list of files. The errors of hwmon_find().
 */
int hwmon_add(const char *folder, const struct hwmon_channel *channels,
	      size_t channel_count, struct arena *arena, struct sensor *list,
	      const char **files, size_t *count);

#endif /* DRMPERF_LIB_DRIVER_HWMON_H */
