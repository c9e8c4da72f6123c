/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of OA reports as xe has them.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_SOURCE_H
#define DRMPERF_LIB_DRIVER_XE_SOURCE_H

#include "driver/intel/oa/stream/kernel_ops.h"

extern const struct oa_kernel_ops xe_source;

#endif /* DRMPERF_LIB_DRIVER_XE_SOURCE_H */
