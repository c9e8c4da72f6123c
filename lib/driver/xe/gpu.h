/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open GPU: what it is, and what its metric sets are.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_GPU_H
#define DRMPERF_LIB_DRIVER_XE_GPU_H

#include <stdint.h>

#include "driver/intel/oa/config.h"
#include "driver/intel/oa/gpu.h"
#include "driver/intel/xe_query.h"
#include "driver/xe/answers.h"

/* Facts of a GPU that events need in addition to those of struct oa_gpu. */
struct xe_facts {
	uint32_t peak_hz;
	uint32_t tiles; /* only the first is counted */
	uint32_t main_gt; /* of the render unit's engines */
	uint32_t compute_engines, copy_engines;
	uint32_t masks_size;
	uint8_t masks[]; /* the kernel's answer about XeCores and the like */
};

struct xe_gpu {
	struct oa_gpu oa;
	struct xe_parts parts;
	struct xe_facts *facts;
	struct xe_l3 l3;
	struct xe_oa_unit units[OA_UNIT_COUNT];
	/*
	 * The metric set that was loaded last, and its GUID, a hash of all its
	 * registers; under oa.registers_lock.
	 */
	const struct metric_set *loaded;
	char loaded_guid[OA_GUID_SIZE];
};

static inline struct xe_gpu *
xe_gpu_of(struct oa_gpu *oa)
{
	return (struct xe_gpu *)oa;
}

extern const struct oa_driver xe_oa_driver;

/* Make the constants that expressions may refer to. Returns 0, or -ENOMEM. */
int
xe_gpu_make_constants(struct xe_gpu *gpu, struct drmperf_error *error);

/* Streams of OA reports as xe has them. */
extern const struct oa_kernel_ops xe_source;

#endif /* DRMPERF_LIB_DRIVER_XE_GPU_H */
