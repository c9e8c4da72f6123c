/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMPERF_LIB_DRIVER_I915_MEMORY_H
#define DRMPERF_LIB_DRIVER_I915_MEMORY_H

#include "driver/memory.h"

/*
 * Of a GPU's own memory; an integrated GPU has none. Of the system's memory
 * i915 does not tell how much the GPU uses. Never allocates. -EINVAL of kernels
 * without the query (before Linux 5.13); what else the kernel gives.
 */
int
i915_memory_read(int node, struct memory_regions *out);

#endif /* DRMPERF_LIB_DRIVER_I915_MEMORY_H */
