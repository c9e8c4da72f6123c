/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of a DRM file, by the numbers that the kernel gives them. All
 * functions return 0 or -errno.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_CONTEXT_IOCTL_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_CONTEXT_IOCTL_H

#include <stdbool.h>
#include <stdint.h>

/* The stable power states. */
enum channel_clock {
	CHANNEL_CLOCK_NORMAL,
	CHANNEL_CLOCK_STANDARD,
	CHANNEL_CLOCK_MIN_ENGINE,
	CHANNEL_CLOCK_MIN_MEMORY,
	CHANNEL_CLOCK_PEAK,
};

int context_create(int fd, uint32_t *out);
int context_destroy(int fd, uint32_t context);

/* The state that is set, by whatever context, or in sysfs. */
int context_get_clock(int fd, uint32_t context, enum channel_clock *out);
int context_set_clock(int fd, uint32_t context, enum channel_clock clock);

/* *out: the GPU has been reset since the context was made. */
int context_was_reset(int fd, uint32_t context, bool *out);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_CONTEXT_IOCTL_H */
