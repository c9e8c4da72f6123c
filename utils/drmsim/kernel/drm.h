/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part that all DRM drivers of the kernel share: decoding of ioctls,
 * permission checks, and the core's own ioctls.
 */
#ifndef DRMSIM_KERNEL_DRM_H
#define DRMSIM_KERNEL_DRM_H

#include <stdint.h>

struct sim_call;
struct sim_file;

int sim_drm_ioctl(struct sim_call *call, struct sim_file *file,
		  unsigned long request, uint64_t argument);
/* Handle PROTOCOL_IOCTL and PROTOCOL_MMAP. */
int sim_drm_call_ioctl(struct sim_call *call);
int sim_drm_call_mmap(struct sim_call *call);

#endif /* DRMSIM_KERNEL_DRM_H */
