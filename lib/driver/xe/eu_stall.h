/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of EU stalls, by a stream of the xe kernel driver.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_EU_STALL_H
#define DRMPERF_LIB_DRIVER_XE_EU_STALL_H

#include "driver/sampling.h"

/* Their device is a struct oa_gpu of xe. */
extern const struct sampling_ops xe_eu_stall_ops;

#endif /* DRMPERF_LIB_DRIVER_XE_EU_STALL_H */
