/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open a stream without blocking signals. The kernel driver writes the metric
 * set's registers by a batch of commands and waits, uninterruptibly, until an
 * engine has executed it. Behind a shader that cannot be preempted that takes
 * as long as the shader runs.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_OPEN_ASYNC_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_OPEN_ASYNC_H

#include "base/error.h"
#include "driver/intel/oa/gpu.h"
#include "driver/intel/oa/stream/kernel_ops.h"

/*
 * Call the source's open() on a thread of its own, so that the caller's signals
 * are handled during the call. After a second a log message says what is waited
 * for. Returns what open() does.
 */
int
oa_open_interruptible(struct oa_gpu *gpu, const struct oa_wanted *wanted,
		      int *stream, unsigned *exponent,
		      struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_OPEN_ASYNC_H */
