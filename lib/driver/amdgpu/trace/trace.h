/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Traces of waves of AMD GPUs: thread traces (SQTT).
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_TRACE_TRACE_H
#define DRMPERF_LIB_DRIVER_AMDGPU_TRACE_TRACE_H

#include "driver/tracing.h"

extern const struct trace_ops gfx_trace_ops;

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_TRACE_TRACE_H */
