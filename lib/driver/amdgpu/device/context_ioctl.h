/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of a DRM file, by the numbers that the kernel gives them. All
 * functions return 0 or -errno.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_CONTEXT_IOCTL_H
#define DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_CONTEXT_IOCTL_H

#include <stdbool.h>
#include <stdint.h>

/* The stable power states. */
enum stable_pstate {
	STABLE_PSTATE_NONE,
	STABLE_PSTATE_STANDARD,
	STABLE_PSTATE_MIN_SCLK,
	STABLE_PSTATE_MIN_MCLK,
	STABLE_PSTATE_PEAK,
};

int
context_ioctl_create(int fd, uint32_t *out);
int
context_ioctl_destroy(int fd, uint32_t context);

/* Return the state that is set, by whatever context, or in sysfs. */
int
context_ioctl_get_pstate(int fd, uint32_t context, enum stable_pstate *out);
int
context_ioctl_set_pstate(int fd, uint32_t context, enum stable_pstate clock);

/*
 * Find out, in *out, whether the GPU has been reset since the context was made.
 */
int
context_ioctl_was_reset(int fd, uint32_t context, bool *out);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_DEVICE_CONTEXT_IOCTL_H */
