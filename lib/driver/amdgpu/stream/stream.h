/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of counters of AMD GPUs: streaming performance monitors (SPM).
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_STREAM_STREAM_H
#define DRMPERF_LIB_DRIVER_AMDGPU_STREAM_STREAM_H

#include "driver/streaming.h"

extern const struct stream_ops gfx_stream_ops;

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_STREAM_STREAM_H */
