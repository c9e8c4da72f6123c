/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On gfx12 a sample is complete once a bit of SQG_PERFCOUNTER_CTRL has changed
 * in each engine. The bit of a pipe which Linux does not use hides no work, but
 * no driver is known to have tried it, and where the hardware does not keep it
 * all samples would seem to be missing. So it is flipped and read back once
 * before a sample relies on it; if it does not change, the kernel's fence
 * between the sample and its reads has to do. The bit that AMD's driver flips
 * hides the work of a pipe.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_GRBMH_SYNC_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_GRBMH_SYNC_H

#include <stdbool.h>

#include "driver/amdgpu/tables/core.h"
#include "driver/amdgpu/device/context.h"

/* Return whether there is a bit of which it is not known whether it is kept. */
bool
grbmh_sync_is_unknown(const struct core *core);

/*
 * Find it out; the register is left as it was. The caller holds the table's
 * lock. The errors of amd_context_run(), and -ENOMEM.
 */
int
grbmh_sync_find(struct amd_context *ctx, struct core *core,
		struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_GRBMH_SYNC_H */
