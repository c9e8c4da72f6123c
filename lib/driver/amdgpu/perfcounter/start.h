/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start of a run, as the first or next to other processes, its change, and its
 * end without a loss to those.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_START_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_START_H

#include "driver/amdgpu/perfcounter/run.h"

/*
 * Start the run. Caller holds the table's lock. Returns 0, -EBUSY if the run
 * does not fit next to other processes' counters, or the errors of
 * clock_mode_hold() and ibs_run(). If it fails, the run has started if the
 * hardware may have been touched.
 */
int
run_start(struct gfx_run *run, struct drmperf_error *error);

/*
 * Stop the run. Caller holds the table's lock. The last process restores the
 * hardware.
 */
int
run_stop(struct gfx_run *run, struct drmperf_error *error);

/*
 * Implement change() of struct domain_ops for a struct gfx_run: new counters,
 * at no loss to those that stay.
 */
int
gfx_reconfigure(void *run, const struct counter_request *requests, size_t count,
		struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_START_H */
