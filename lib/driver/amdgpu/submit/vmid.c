/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/submit/vmid.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <xf86drm.h>

#include "driver/amdgpu/submit/queue_private.h"

static int
ask_vm(const struct queue *queue, uint32_t op)
{
	union drm_amdgpu_vm request = { .in = { .op = op } };

	return drmIoctl(queue->used_fd, DRM_IOCTL_AMDGPU_VM, &request) ? -errno
								       : 0;
}

int
vmid_reserve(const struct queue *queue)
{
	return ask_vm(queue, AMDGPU_VM_OP_RESERVE_VMID);
}

void
vmid_unreserve(const struct queue *queue)
{
	ask_vm(queue, AMDGPU_VM_OP_UNRESERVE_VMID);
}
