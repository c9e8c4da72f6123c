/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/pcie_link.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/file.h"
#include "driver/hwmon.h"

/* Newer kernels wake the device to read its configuration space. */
static const struct hwmon_channel channels[PCIE_LINK_SENSORS] = {
	{ "current_link_width",
	  { .name = "pcie-link-width",
	    .description = "Lanes of the PCIe link in use.",
	    .unit = DRMPERF_UNIT_LANES,
	    .kind = DRMPERF_KIND_MOMENTARY,
	    .scale = 1,
	    .wakes = true } },
	{ "current_link_speed",
	  { .name = "pcie-link-speed",
	    .description = "Rate of a lane of the PCIe link.",
	    .unit = DRMPERF_UNIT_MEGATRANSFERS_PER_SECOND,
	    .kind = DRMPERF_KIND_MOMENTARY,
	    .scale = 1,
	    .wakes = true } },
};

/* Read the vendor of the PCI device of a folder; false if it is of none. */
static bool
read_vendor(const char *folder, uint64_t *vendor)
{
	return !number_file_read(folder, "vendor", vendor);
}

/* Make a path that of the folder's parent. */
static void
cut_folder(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		*slash = '\0';
}

/*
 * Lead a path up through the bridges of the GPU's own vendor, whose switch they
 * are, to the one below the port that has no PCI device above it: a root port.
 */
static void
climb_switch(char *path)
{
	char parent[PATH_MAX], above[PATH_MAX];
	uint64_t own, vendor;

	if (!read_vendor(path, &own))
		return;
	for (;;) {
		strcpy(parent, path);
		cut_folder(parent);
		strcpy(above, parent);
		cut_folder(above);
		if (!read_vendor(parent, &vendor) || vendor != own ||
		    !read_vendor(above, &vendor))
			return;
		strcpy(path, parent);
	}
}

int
pcie_link_add(const char *sysfs, struct arena *arena, struct sensor *list,
	      const char **files, size_t *count)
{
	char folder[PATH_MAX], path[PATH_MAX + 32];
	uint64_t lanes;
	int ret;

	if (!realpath(sysfs, folder))
		return error_is_transient(-errno) ? -errno : 0;
	climb_switch(folder);
	/* of a GPU within the processor: 0 lanes, or no such file */
	snprintf(path, sizeof(path), "%s/%s", folder, channels[0].file);
	ret = sensor_read_file(path, &lanes);
	if (ret || !lanes)
		return error_is_transient(ret) ? ret : 0;
	return hwmon_add(folder, channels, ARRAY_SIZE(channels), arena, list,
			 files, count);
}
