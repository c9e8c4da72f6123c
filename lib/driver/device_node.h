/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reasons why a device node cannot be opened, with a remedy; and nodes of a GPU
 * that left and came back.
 */
#ifndef DRMPERF_LIB_DRIVER_DEVICE_NODE_H
#define DRMPERF_LIB_DRIVER_DEVICE_NODE_H

#include <stdbool.h>

#include "drmperf.h"

/*
 * Fill the error for a node whose opening failed with code: what the node is,
 * and which group to join, or what else to do. Returns code.
 */
int device_node_error(const char *path, int code, struct drmperf_error *error);

/*
 * Return whether the device behind an open node has gone. It stays gone for
 * that descriptor: a GPU that comes back is another device to the kernel.
 */
bool device_node_is_gone(int fd);

/*
 * If the device of fd has gone, put a descriptor of the one in its place that
 * is now in the PCI device's folder sysfs: the node's number may have changed
 * since path was found. Returns 1 then, 0 if the device is still there; -ENODEV
 * if none has come; -errno.
 */
int device_node_renew(int fd, const char *sysfs, const char *path);

#endif /* DRMPERF_LIB_DRIVER_DEVICE_NODE_H */
