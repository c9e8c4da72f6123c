/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The topology that the kernel's compute driver (KFD) shows in sysfs, of GPUs
 * that can be partitioned. Nothing else of that driver is simulated.
 */
#ifndef DRMSIM_AMDGPU_KFD_H
#define DRMSIM_AMDGPU_KFD_H

struct sim;

/* Write it anew, as the partitions of all GPUs are now. */
void kfd_show(struct sim *sim);

#endif /* DRMSIM_AMDGPU_KFD_H */
