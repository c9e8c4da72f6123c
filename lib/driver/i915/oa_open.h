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

/* Reports are taken about so often, by default. */
#define OA_OPEN_PERIOD_NS 100000

/*
 * The largest exponent whose period is at most ns; 0 if all are longer. The
 * period is (2 << exponent) ticks of the timestamp.
 */
unsigned oa_exponent(uint64_t timestamp_hz, uint64_t ns);

/*
 * A stream of reports of a metric set that the kernel knows as config: the
 * descriptor, not enabled, and the exponent of its period.
 *
 * 0; -EBUSY if somebody has the OA unit; -EACCES; -ENOTSUP; -ENODEV; others.
 */
int oa_open(struct oa_gpu *gpu, const struct metric_set *set, uint64_t config,
	    int *stream, unsigned *exponent, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_I915_OA_OPEN_H */
