/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compute partitions of AMD's GPUs of several dies: each has a render node. The
 * first one has that of the PCI device, each of the others that of a platform
 * device, which the kernel makes whether or not the mode has such a partition.
 */
#ifndef DRMPERF_LIB_DEVICE_PARTITION_H
#define DRMPERF_LIB_DEVICE_PARTITION_H

#include <stdbool.h>

#include "device/kfd.h"
#include "driver/driver.h"

/* Return whether it is the name of such a platform device, "amdgpu_xcp_0". */
bool partition_is_device(const char *name);

/*
 * Set the partition members of a PCI device's target, if the GPU is
 * partitioned.
 */
void partition_describe_first(struct driver_target *target,
			      const struct kfd_topology *topology);

/*
 * Complete the target of a platform device, whose nodes are set, from the
 * targets of PCI devices. Return false if the GPU's mode has no such partition.
 */
bool partition_describe_other(struct driver_target *target,
			      const struct driver_target *gpus, unsigned count,
			      const struct kfd_topology *topology);

#endif /* DRMPERF_LIB_DEVICE_PARTITION_H */
