/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening a stream of OA reports: which properties, which period, and what to
 * say when the kernel refuses.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_OPEN_H
#define DRMPERF_LIB_DRIVER_XE_OPEN_H

#include <stdint.h>

#include "base/error.h"
#include "driver/intel/oa/stream/kernel_ops.h"
#include "driver/xe/gpu.h"

/*
 * Open a stream of reports: *stream becomes its descriptor, not enabled, and
 * *exponent that of its period.
 *
 * Returns 0; -EBUSY if another process has the OA unit; -EACCES; -ENOTSUP;
 * -ENODEV; others.
 */
int
xe_open_stream(struct oa_gpu *gpu, const struct oa_wanted *wanted, int *stream,
	       unsigned *exponent, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_XE_OPEN_H */
