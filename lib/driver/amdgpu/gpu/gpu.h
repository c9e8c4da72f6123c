/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open AMD GPU: what describe() has found out and runs need.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_GPU_GPU_H
#define DRMPERF_LIB_DRIVER_AMDGPU_GPU_GPU_H

#include "driver/amdgpu/gpu/chip.h"
#include "driver/amdgpu/gpu/core.h"
#include "driver/amdgpu/submit/queue.h"

struct gpu {
	struct queue *queue;
	struct table *chips;
	struct table *table; /* the generation's */
	struct chip chip;
	struct topology topology;
	struct core core;
	group_index first_group; /* of core.blocks, in their order */
	struct log_sink log;
};

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_GPU_GPU_H */
