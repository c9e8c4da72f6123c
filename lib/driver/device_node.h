/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why a device node cannot be opened, and who can change that.
 */
#ifndef DRMPERF_LIB_DRIVER_DEVICE_NODE_H
#define DRMPERF_LIB_DRIVER_DEVICE_NODE_H

#include "drmperf.h"

/*
 * Fill the error for a node whose opening failed with code: what the node is,
 * and which group to join, or what else to do. Returns code.
 */
int device_node_error(const char *path, int code, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_DEVICE_NODE_H */
