/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples that are traces of waves, or streams of counters, or both. One begins
 * before the submission that has its begin, and ends behind the submission that
 * has its end; there is one at a time.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_TRACE_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_TRACE_H

#include "gpa_op_list.h"

/* Return whether a trace begins or ends for some operation. */
bool
gpa_trace_has_ops(const struct gpa_op_list *op_list);
bool
gpa_trace_has_end(const struct gpa_op_list *op_list);

/*
 * Begin the trace of a submission, if it has a begin; a sample that cannot be
 * traced gets the error, which is *broken* unless that is VK_SUCCESS. Only one
 * submission at a time may be between this and gpa_trace_end().
 */
void
gpa_trace_begin(struct gpa_device *device, const struct gpa_op_list *op_list,
		VkResult broken);
/*
 * End the trace whose end the submission has, which has been executed; else
 * drop the one that it began.
 */
void
gpa_trace_end(struct gpa_device *device, const struct gpa_op_list *op_list,
	      bool is_executed);
/*
 * Begin a trace as this sample says, and end it: the bytes of the file are the
 * caller's.
 */
VkResult
gpa_trace_start(const struct gpa_gpu *gpu, struct gpa_sample *sample,
		enum drmperf_clock_mode clock, struct gpa_trace **out);
VkResult
gpa_trace_finish(struct gpa_trace *trace, char **bytes, size_t *size);
/* Drop a trace of a session; NULL: of any. */
void
gpa_trace_drop_locked(struct gpa_device *device,
		      const struct gpa_session *session);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_TRACE_H */
