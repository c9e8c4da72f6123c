/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The VMID of a GPU that one address space at a time can have for itself.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_VMID_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_VMID_H

struct amd_device;

/*
 * Reserve it for all submissions of this process. The kernel tells the RLC with
 * the next of them. Returns 0, -ENOENT if another address space has it, or what
 * else the kernel returns.
 */
int
vmid_reserve(const struct amd_device *dev);
void
vmid_unreserve(const struct amd_device *dev);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_VMID_H */
