/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Traces that the GPU writes of its waves: what the driver of a domain does for
 * drmperf_trace_create() and the functions behind it.
 */
#ifndef DRMPERF_LIB_DRIVER_TRACING_H
#define DRMPERF_LIB_DRIVER_TRACING_H

#include <stdbool.h>

#include "drmperf.h"

/* Functions return 0 or -errno, as those of drmperf.h that they serve. */
struct trace_ops {
	/* Check the options, and that the device traces. */
	int (*check)(void *device, const struct drmperf_trace_options *options,
		     struct drmperf_error *error);
	/* Begin. *out is the driver's until close(), *info lives as long. */
	int (*open)(void *device, const struct drmperf_trace_options *options,
		    void **out, const struct drmperf_trace_info **info,
		    struct drmperf_error *error);
	int (*end)(void *trace, drmperf_trace_fn receive, void *data,
		   struct drmperf_error *error);
	int (*restart)(void *trace, struct drmperf_error *error);
	/* Return what open() of struct stream_ops needs to stream beside it. */
	void *(*place)(void *trace);
	/* End the trace early; end() hands on what is there. */
	void (*stop)(void *trace);
	/* In a forked child it only frees memory. */
	void (*close)(void *trace, bool is_child);
};

#endif /* DRMPERF_LIB_DRIVER_TRACING_H */
