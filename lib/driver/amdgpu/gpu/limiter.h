/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The limiter of peak operations (PTL) of MI300 and MI350, whose state newer
 * kernels show. It is only read: the firmware was seen to fail until a reboot
 * where tools switched it often. [rocm-systems #1698, #2469, #8335]
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_GPU_LIMITER_H
#define DRMPERF_LIB_DRIVER_AMDGPU_GPU_LIMITER_H

#include <stdbool.h>

/*
 * Return whether the kernel shows for the PCI device of this folder that it is
 * on.
 */
bool limiter_is_on(const char *sysfs);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_GPU_LIMITER_H */
