/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An open AMD GPU: what describe() has found out and runs need.
 */
#ifndef DRMPERF_LIB_AMDGPU_GPU_H
#define DRMPERF_LIB_AMDGPU_GPU_H

#include "chip.h"
#include "core.h"
#include "queue.h"

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

#endif /* DRMPERF_LIB_AMDGPU_GPU_H */
