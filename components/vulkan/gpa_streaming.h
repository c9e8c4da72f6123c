/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters that the GPU streams while a trace goes on: those that a sample asks
 * for, and the stream, which a thread reads.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_STREAMING_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_STREAMING_H

#include <drmperf.h>
#include <drmperf/vk_amd_gpa_interface.h>

#include "rgp/rgp_counters.h"
#include "rgp/rgp_machine.h"

/* GPA_STREAMING_BYTES is the maximum size of SPM_DB, the chunk of samples. */
#define GPA_STREAMING_BYTES (UINT32_C(256) << 20)

/* Not changed once it has been made. */
struct gpa_streaming {
	size_t count;
	struct drmperf_selection *selections;
	struct rgp_counter *counters; /* by the numbers of the file */
	struct drmperf_stream_options options;
};

/* Make it, with room for the selections. Returns 0, or -ENOMEM. */
int
gpa_streaming_make(struct gpa_streaming *streaming,
		   const VkGpaSampleBeginInfoAMD *info);
void
gpa_streaming_finish(struct gpa_streaming *streaming);

struct gpa_stream;

/*
 * Begin to stream, with these clocks, beside the trace that runs or alone. The
 * errors are those of drmperf_stream_create().
 */
int
gpa_stream_begin(struct drmperf *drmperf, const struct gpa_streaming *streaming,
		 const struct drmperf_stream_options *options,
		 struct gpa_stream **out, struct drmperf_error *error);
/*
 * End the stream, behind the interval that goes on, and report what was lost.
 * Returns 0; the errors of drmperf_stream_read(); -ENOMEM.
 */
int
gpa_stream_end(struct gpa_stream *stream, struct drmperf_error *error);
/* Put the chunk of a stream that has ended. */
void
gpa_stream_put(FILE *out, const struct gpa_stream *stream);
/* End the stream, if it has not ended. NULL is allowed. */
void
gpa_stream_destroy(struct gpa_stream *stream);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_STREAMING_H */
