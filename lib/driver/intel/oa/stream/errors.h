/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors: there is no stream, or no report comes. */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_ERRORS_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_ERRORS_H

#include <stdint.h>

#include "base/error.h"
#include "driver/intel/oa/reports.h"

/* Explain the kernel's -EBUSY: another process has a stream. */
int
oa_error_in_use(struct drmperf_error *error);

/* Fill in the error that the stream gave, and return it. */
int
oa_error_failure(int failure, struct drmperf_error *error);

/* Fill in what was lost. Returns -EIO, or 0 if nothing was. */
int
oa_error_loss(enum oa_loss loss, unsigned lost, uint64_t late,
	      struct drmperf_error *error);

/* Fill in that no report came. Returns -ETIME. */
int
oa_error_silence(struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_STREAM_ERRORS_H */
