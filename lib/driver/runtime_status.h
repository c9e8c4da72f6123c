/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a device sleeps: the file power/runtime_status of its folder.
 * Reading it wakes nothing.
 */
#ifndef DRMPERF_LIB_DRIVER_RUNTIME_STATUS_H
#define DRMPERF_LIB_DRIVER_RUNTIME_STATUS_H

#include <stdbool.h>

/* Open the file of a PCI device's folder. Returns it, or -1: there is none. */
int
runtime_status_open(const char *sysfs);

/* Return whether the device sleeps, or is about to; false without a file. */
bool
runtime_status_is_asleep(int file);

#endif /* DRMPERF_LIB_DRIVER_RUNTIME_STATUS_H */
