/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GPUs of several XCCs with one render node, each of them a graphics core of
 * its own: the kernel runs a command buffer on the ring of one, and chooses
 * again each time (Linux aqua_vanjaram.c, drm_sched_entity_select_rq()).
 * Commands for a certain XCC are skipped by the others. All of them run what
 * is in a queue of the compute driver.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_XCC_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_XCC_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/amdgpu/tables/gpu.h"
#include "driver/amdgpu/device/context.h"

/*
 * Choose whether to count on all of several XCCs, for which the compute
 * driver's queue is opened, or on one, if DRMPERF_DIES allows it. Returns 0;
 * -ENOTSUP if neither is allowed; -EINVAL if the variable has an unknown value;
 * the errors of amd_device_open_xccs().
 */
int
xcc_choose(const struct gpu *gpu, bool *all, struct drmperf_error *error);

/*
 * Find the XCC that takes commands at the moment: a mask of it, or 0 if xccs is
 * 1. Returns 0, the errors of amd_context_run(), or -EIO if it is none of the
 * XCCs.
 */
int
xcc_find(struct amd_context *ctx, unsigned xccs, uint32_t *out,
	 struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_XCC_H */
