/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compute queues that others own: whether counters see their work.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_PERFCOUNT_ENABLE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_PERFCOUNT_ENABLE_H

#include "driver/driver.h"

/* See struct driver. */
void
perfcount_enable_commands(const void *device, bool counts, uint32_t *words,
			  size_t *count);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_PERFCOUNT_ENABLE_H */
