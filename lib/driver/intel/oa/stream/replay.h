/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting what was recorded: the records of a stream that are fed to a run, in
 * place of a stream.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_REPLAY_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_REPLAY_H

#include "driver/driver.h"

/* Operations of recorded domains, whose device is a struct oa_gpu. */
extern const struct domain_ops replay_domain_ops;

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_REPLAY_H */
