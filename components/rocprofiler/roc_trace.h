/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A feature that is a trace of waves (SQTT), or the stream of a counter (SPM).
 * Queues of HSA have another VMID than files of DRM, so a trace is one of all
 * programs, by the library: the bytes are those of whatever ran on the GPU.
 */
#ifndef ROC_TRACE_H
#define ROC_TRACE_H

#include <rocprofiler/rocprofiler.h>

#include "frontend/frontend.h"

struct roc_trace;

/*
 * Check a feature and its parameters; nothing is traced yet. Returns 0;
 * -EINVAL; -ENOTSUP; -ENOMEM.
 */
int
roc_trace_create(struct drmperf *drmperf, struct drmperf_device *device,
		 rocprofiler_feature_t *feature, struct roc_trace **out,
		 struct drmperf_error *error);

/* Destroy a trace and the feature's data. NULL is allowed. */
void
roc_trace_destroy(struct roc_trace *trace);

/*
 * Start the trace, again if it was stopped. Returns 0, or the errors of
 * drmperf_trace_create() or drmperf_stream_create().
 */
int
roc_trace_start(struct roc_trace *trace, struct drmperf_error *error);

/*
 * Stop the trace and keep its bytes. Returns 0, -ENOMEM, or the errors of
 * drmperf_trace_end() or drmperf_stream_read().
 */
int
roc_trace_stop(struct roc_trace *trace, struct drmperf_error *error);

/*
 * Put the bytes that were kept into the feature. What is there is put in any
 * case: -ENOBUFS if a buffer was full; -EIO if an engine could not write all of
 * it; -ETIME if the end may be missing.
 */
int
roc_trace_get_data(const struct roc_trace *trace, struct drmperf_error *error);

/*
 * Call it for each shader engine, of a counter once, as long as it returns
 * success.
 */
hsa_status_t
roc_trace_iterate(const struct roc_trace *trace,
		  rocprofiler_trace_data_callback_t callback, void *data);

#endif /* ROC_TRACE_H */
