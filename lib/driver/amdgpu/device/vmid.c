/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/device/vmid.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <xf86drm.h>

#include "driver/amdgpu/device/device_private.h"

static int
request_vmid(const struct amd_device *dev, uint32_t op)
{
	union drm_amdgpu_vm request = { .in = { .op = op } };

	return drmIoctl(dev->used_fd, DRM_IOCTL_AMDGPU_VM, &request) ? -errno
								     : 0;
}

int
vmid_reserve(const struct amd_device *dev)
{
	return request_vmid(dev, AMDGPU_VM_OP_RESERVE_VMID);
}

void
vmid_unreserve(const struct amd_device *dev)
{
	request_vmid(dev, AMDGPU_VM_OP_UNRESERVE_VMID);
}
