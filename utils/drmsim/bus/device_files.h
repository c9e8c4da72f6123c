/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that every PCI device with DRM nodes has, and the nodes. */
#ifndef DRMSIM_BUS_DEVICE_FILES_H
#define DRMSIM_BUS_DEVICE_FILES_H

struct sim_gpu;

/*
 * Create the device files; mode holds the permissions of the nodes. Returns 0
 * or -errno.
 */
int sim_device_files_create(struct sim_gpu *gpu, unsigned mode);

#endif /* DRMSIM_BUS_DEVICE_FILES_H */
