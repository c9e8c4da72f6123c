/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The domain "gfx": counters of the graphics core.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_DOMAIN_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_DOMAIN_H

#include "driver/driver.h"

/* Its device is a struct gpu. */
extern const struct domain_ops gfx_domain_ops;

/*
 * End deferred runs. A run is deferred if a stopped process kept the slot
 * table's lock while the run was to end: its counters go on, and its slots stay
 * in use. The next run that is armed calls this, and finally the release of the
 * GPU.
 *
 * Returns 0, or -EBUSY if the lock is still taken.
 */
struct gpu;
int
gfx_end_deferred(struct gpu *gpu, struct drmperf_error *error);
void
gfx_release_deferred(struct gpu *gpu);
/* Free in a forked child what the parent has deferred. */
void
gfx_abandon_deferred(struct gpu *gpu);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_DOMAIN_H */
