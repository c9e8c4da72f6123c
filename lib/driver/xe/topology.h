/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The XeCores, vector engines and L3 banks of a GPU that the kernel reports.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_TOPOLOGY_H
#define DRMPERF_LIB_DRIVER_XE_TOPOLOGY_H

#include <stddef.h>

#include "driver/intel/oa/topology.h"

struct xe_l3 {
	unsigned banks;
	unsigned nodes; /* groups of four with any bank */
};

/*
 * Take the answer to XE_UAPI_QUERY_TOPOLOGY apart: what it says of one GT.
 * -EPROTO if it is not plausible.
 */
int xe_topology_decode(const void *data, size_t length, unsigned gt,
		       const struct gt_shape *shape, struct gt_topology *out,
		       struct xe_l3 *l3);

#endif /* DRMPERF_LIB_DRIVER_XE_TOPOLOGY_H */
