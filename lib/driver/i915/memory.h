/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMPERF_LIB_DRIVER_I915_MEMORY_H
#define DRMPERF_LIB_DRIVER_I915_MEMORY_H

#include "driver/intel/memory.h"

/*
 * Read the use of a GPU's own memory; an integrated GPU has none. i915 does not
 * report how much of the system's memory the GPU uses. Never allocates. Returns
 * 0; -EINVAL of kernels without the query (before Linux 5.13); other errors of
 * the kernel.
 */
int
i915_memory_read(int node, struct memory_regions *out);

#endif /* DRMPERF_LIB_DRIVER_I915_MEMORY_H */
