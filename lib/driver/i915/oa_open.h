/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening a perf stream: which properties, which period, and what to say when
 * the kernel refuses.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_OA_OPEN_H
#define DRMPERF_LIB_DRIVER_I915_OA_OPEN_H

#include <stdint.h>

#include "base/error.h"
#include "driver/i915/gpu.h"
#include "driver/intel/oa/stream/kernel_ops.h"

/*
 * Open a stream of reports: *stream becomes its descriptor, not enabled, and
 * *exponent that of its period.
 *
 * Returns 0; -EBUSY if another process has the OA unit; -EACCES; -ENOTSUP;
 * -ENODEV; others.
 */
int
oa_open(struct oa_gpu *gpu, const struct oa_wanted *wanted, int *stream,
	unsigned *exponent, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_I915_OA_OPEN_H */
