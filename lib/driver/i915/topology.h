/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slices, subslices and EUs of a GPU that the kernel reports.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_TOPOLOGY_H
#define DRMPERF_LIB_DRIVER_I915_TOPOLOGY_H

#include <stddef.h>

#include "driver/intel/oa/topology.h"

/*
 * Decode the answer to DRM_I915_QUERY_TOPOLOGY_INFO, aligned as malloc()
 * aligns. -EPROTO if it is not plausible.
 */
int i915_topology_decode(const void *data, size_t length,
			 const struct gt_shape *shape,
			 struct gt_topology *out);

#endif /* DRMPERF_LIB_DRIVER_I915_TOPOLOGY_H */
