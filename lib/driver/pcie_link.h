/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The PCIe link of a GPU, as sysfs shows it for every PCI device: lanes in use
 * and the rate of each. Some cards have a switch between slot and GPU, whose
 * inner link says nothing about the slot's: the link is then the switch's.
 */
#ifndef DRMPERF_LIB_DRIVER_PCIE_LINK_H
#define DRMPERF_LIB_DRIVER_PCIE_LINK_H

#include "base/arena.h"
#include "driver/sensor.h"

#define PCIE_LINK_SENSORS 2

/*
 * Append the link's sensors to a list and their paths to a list of files, as
 * hwmon_add() does; of a GPU without a link, none. The errors of hwmon_find().
 */
int
pcie_link_add(const char *sysfs, struct arena *arena, struct sensor *list,
	      const char **files, size_t *count);

#endif /* DRMPERF_LIB_DRIVER_PCIE_LINK_H */
