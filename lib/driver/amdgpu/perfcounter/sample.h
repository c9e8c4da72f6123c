/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of a run. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_SAMPLE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_SAMPLE_H

#include "driver/amdgpu/perfcounter/run.h"

/*
 * Copy run->failure to *error and return its code. An error after which the run
 * can go on is cleared.
 */
int run_fail(struct gfx_run *run, struct drmperf_error *error);

/* Implement the operations of the domain. */
int run_sample(void *run, enum drmperf_read_mode mode, uint64_t *raw,
	       uint64_t *time_ns, struct drmperf_error *error);
int
run_submit_sample(void *run, enum drmperf_read_mode mode,
		  struct drmperf_error *error);
int
run_wait_sample(void *run, bool briefly, uint64_t *raw, uint64_t *time_ns,
		struct drmperf_error *error);

/*
 * After IB_START or IB_CHANGE, log if GRBM_GFX_INDEX does not read back:
 * steering by other programs cannot be noticed then.
 */
void
run_note_steering(const struct gfx_run *run, const struct ibs *ibs);

/* Keep the last sample for reads of the latest values. */
void
run_publish(struct gfx_run *run);

/* Make sure there is a thread if the selection, or such reads, need one. */
int
run_ensure_thread(struct gfx_run *run, const struct selection *selection,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_PERFCOUNTER_SAMPLE_H */
