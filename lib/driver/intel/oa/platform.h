/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kind of GPU this is: events/i915/platforms.xml.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_PLATFORM_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/intel/oa/format.h"
#include "driver/intel/oa/topology.h"
#include "table/table.h"

struct platform {
	const char *name; /* "sklgt2", which names its tables */
	const char *chip; /* "Skylake GT2" */
	enum oa_generation generation;
	const struct oa_format *format; /* of reports of the render OA unit */
	uint64_t timestamp_hz; /* if the kernel reports none */
	unsigned eu_threads;
	struct gt_shape shape;
	bool full_sseu; /* a stream has to ask for all subslices */
	unsigned fabric_interfaces; /* to memory; 0: one per L3 node */
	unsigned geometry_pipes; /* of a slice */
};

/*
 * Find the platform of a GPU. Two similar ones may differ in their EUs: call
 * this first with topology NULL, to learn the platform's shape, then with the
 * topology. Strings live as long as the table.
 *
 * -ENOTSUP if there is no such platform or no metric set for it; -EBADMSG.
 */
int platform_find(const struct table *platforms, uint32_t device_id,
		  const struct gt_topology *topology, struct platform *out,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_PLATFORM_H */
