/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On gfx12 a sample is complete once a bit of SQG_PERFCOUNTER_CTRL has changed
 * in each engine. AMD's driver flips a bit that hides a pipe's work. We flip
 * that of a pipe which Linux does not use. No driver is known to do so, and if
 * the hardware did not keep the bit, all samples would seem incomplete. So it
 * is flipped and read back once; if it does not change, samples rely on the
 * kernel's fence between them and their reads.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_GRBMH_SYNC_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_GRBMH_SYNC_H

#include <stdbool.h>

#include "driver/amdgpu/tables/core.h"
#include "driver/amdgpu/device/context.h"

/* Return whether the sync bit has yet to be tested on this GPU. */
bool
grbmh_sync_is_unknown(const struct core *core);

/*
 * Test whether the hardware keeps the bit, and restore the register. Caller
 * holds the slot table's lock. Returns 0, -ENOMEM, or the errors of
 * amd_context_run().
 */
int
grbmh_sync_find(struct amd_context *ctx, struct core *core,
		struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_GRBMH_SYNC_H */
