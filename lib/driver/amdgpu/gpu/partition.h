/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compute partitions: whether the dies of a GPU share a render node.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_GPU_PARTITION_H
#define DRMPERF_LIB_DRIVER_AMDGPU_GPU_PARTITION_H

/*
 * Of so many dies that a chip has, how many may be behind a render node of the
 * PCI device in this folder of sysfs; 0 or 1: one.
 */
unsigned partition_dies(const char *sysfs, unsigned dies);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_GPU_PARTITION_H */
