/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The requests to a stream of OA reports: raw counters of one metric set.
 */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_REQUESTS_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_REQUESTS_H

#include "driver/driver.h"
#include "driver/intel/oa/composition.h"
#include "driver/intel/oa/metric_set.h"

/* What a stream has counted from its start up to a report. */
struct oa_sample {
	uint64_t *raw; /* values of the requests, in order */
	uint64_t ticks; /* time by the reports */
	uint64_t report_ns; /* when it was taken, on CLOCK_MONOTONIC */
};

/* The counters asked for. Zeroed at first. */
struct oa_requests {
	const struct metric_set *set; /* that of the first request */
	struct composed_set composed; /* if it is composed */
	uint32_t *slots; /* slot of a report, or behind them */
	size_t count;
};

/*
 * Replace the requests. Returns 0, -EBUSY if one is of another set, or -ENOMEM.
 */
int
oa_requests_take(struct oa_requests *requests, const struct oa_gpu *gpu,
		 const struct counter_request *from, size_t count,
		 struct drmperf_error *error);
void
oa_requests_free(struct oa_requests *requests);

/* Fill the sample, whose raw has room, from sums up to a report. */
void
oa_requests_fill(const struct oa_requests *requests, const uint64_t *sums,
		 uint64_t report_ns, struct oa_sample *out);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_REQUESTS_H */
