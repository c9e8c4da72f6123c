/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of any DRM file, for the files of this room. All functions return 0
 * or -errno.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_CHANNEL_PRIVATE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_CHANNEL_PRIVATE_H

#include "driver/amdgpu/submit/channel.h"

int context_create(int fd, uint32_t *out);
int context_destroy(int fd, uint32_t context);
int context_get_clock(int fd, uint32_t context, enum channel_clock *out);
int context_set_clock(int fd, uint32_t context, enum channel_clock clock);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SUBMIT_CHANNEL_PRIVATE_H */
