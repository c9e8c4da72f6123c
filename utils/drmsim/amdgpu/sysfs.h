/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that amdgpu adds to those of every PCI and DRM device, for programs
 * that ask there instead of by AMDGPU_INFO: the same values. What the scenario
 * has no value for (fans, limits, memory's load) is not there.
 */
#ifndef DRMSIM_AMDGPU_SYSFS_H
#define DRMSIM_AMDGPU_SYSFS_H

#include <stdint.h>

struct amdgpu;

/* Bring the files up to date: all of them, or those of memory. */
void sysfs_show(const struct amdgpu *amdgpu);
void sysfs_show_memory(const struct amdgpu *amdgpu);
/* Return what the file unique_id has, which KFD has too; 0: there is none. */
uint64_t
sysfs_unique_id(const struct amdgpu *amdgpu);

/*
 * Write the file gpu_metrics, or remove it where the chip has none:
 * metrics_file.c.
 */
void metrics_file_show(const struct amdgpu *amdgpu);

#endif /* DRMSIM_AMDGPU_SYSFS_H */
