/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding GPUs in sysfs, without opening a device node or waking a GPU. Only
 * where the kernel was built without KFD nodes of partitions are opened, since
 * nothing else tells which of them exist.
 */
#ifndef DRMPERF_LIB_DEVICE_SCAN_H
#define DRMPERF_LIB_DEVICE_SCAN_H

#include "base/arena.h"
#include "driver/driver.h"

/*
 * Find the PCI display devices bound to one of the drivers that have a DRM
 * node, by PCI address, and behind each the partitions of it that have nodes of
 * their own. All members of the targets are set but tables, user_tables and
 * log; the array and its strings are in the arena. root goes before /sys and
 * /dev.
 *
 * 0, also if there is no PCI bus; -EIO if sysfs cannot be read; -ENOMEM.
 */
int scan_devices(const char *root, const struct driver *const *drivers,
		 struct arena *arena, struct driver_target **out,
		 unsigned *count, struct drmperf_error *error);

/* Read a number in a file of sysfs, "0x1002\n". 0, or -errno. */
int scan_read_number(const char *folder, const char *name, uint32_t *out);

#endif /* DRMPERF_LIB_DEVICE_SCAN_H */
