/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMPERF_LIB_DRIVER_XE_MEMORY_H
#define DRMPERF_LIB_DRIVER_XE_MEMORY_H

#include "driver/intel/memory.h"

/*
 * Read the use of memory of all tiles, and of the system; an integrated GPU has
 * the latter alone. Never allocates; wakes the GPU. Returns 0, -EPROTO, or the
 * errors of the kernel.
 */
int
xe_memory_read(int node, struct memory_regions *out);

#endif /* DRMPERF_LIB_DRIVER_XE_MEMORY_H */
