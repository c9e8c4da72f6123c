/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New counters for a run that counts, at no loss to those that stay.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RECONFIGURE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RECONFIGURE_H

#include "driver/amdgpu/count/run.h"

/* Implement change() of struct domain_ops for a struct gfx_run. */
int
gfx_reconfigure(void *run, const struct counter_request *requests, size_t count,
		struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_COUNT_RECONFIGURE_H */
