/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The domain of an OA unit: one metric set at a time, all counters of which
 * are always counted. Its device is a struct oa_gpu with a source.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_DOMAIN_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_DOMAIN_H

#include "driver/driver.h"

extern const struct domain_ops oa_domain_ops;

/* Counts the records of a recording, by replay(). */
extern const struct domain_ops replay_domain_ops;

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_DOMAIN_H */
