/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel answers to queries: XeCores, vector engines and L3 banks of a
 * GPU, its OA units, and which metric sets are for them.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_ANSWERS_H
#define DRMPERF_LIB_DRIVER_XE_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/intel/oa/format.h"
#include "driver/intel/oa/metric_set.h"
#include "driver/intel/oa/topology.h"
#include "driver/intel/xe_uapi.h"

struct xe_l3 {
	unsigned banks;
	unsigned nodes; /* groups of four with any bank */
};

/*
 * Take the answer to XE_UAPI_QUERY_TOPOLOGY apart: what it says of one GT.
 * -EPROTO if it is not plausible.
 */
int
xe_topology_decode(const void *data, size_t length, unsigned gt,
		   const struct gt_shape *shape, struct gt_topology *out,
		   struct xe_l3 *l3);

struct xe_oa_unit {
	bool present;
	uint64_t id; /* for opening a stream */
	uint64_t timestamp_hz;
	uint64_t engine_hz; /* at which its engines count time; 0: unknown */
	struct xe_uapi_engine_id engine; /* one of it */
	bool has_engine;
	bool has_buffer_size; /* the kernel takes that of a stream's buffer */
	int fd; /* of the DRM node */
};

/*
 * Take the answer to XE_UAPI_QUERY_OA_UNITS apart; aligned as malloc() aligns.
 * -EPROTO if it is not plausible.
 *
 * On Xe2 and later a unit of media engines counts only if the kernel says that
 * it knows them as such: older ones know one of them, and not by which
 * registers it selects. Before Xe2 there is no more than one.
 */
int
xe_units_decode(const void *data, size_t length, enum oa_generation generation,
		struct xe_oa_unit out[OA_UNIT_COUNT]);

#endif /* DRMPERF_LIB_DRIVER_XE_ANSWERS_H */
