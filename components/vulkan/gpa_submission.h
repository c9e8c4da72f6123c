/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A submission whose command buffers have operations of the extension. Counters
 * are read while they are submitted, part by part; nothing that was submitted
 * ever waits for that. A thread of its own waits for the device behind the last
 * part, and says when sessions are done.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_SUBMISSION_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_SUBMISSION_H

#include "gpa_op_list.h"
#include "gpa_parts.h"

struct gpa_submission;

/*
 * Begin to count for these, before they are submitted; takes over *actions
 * in any case. Where counters cannot be counted now, the samples get the error,
 * and the submission may go on.
 */
VkResult
gpa_submission_create(struct gpa_device *device, VkQueue queue,
		      struct gpa_op_list *op_list, struct gpa_submission **out);
/*
 * Submit them. Returns the errors of vkQueueSubmit(). The submission is no
 * longer the caller's.
 */
VkResult
gpa_submission_submit(struct gpa_submission *submission,
		      struct gpa_parts *parts);

/* Wait until what the device has executed is seen, with the lock held. */
void
gpa_submission_wait_ends_locked(struct gpa_device *device);
/* Return whether a session is part of what the device still executes. */
bool
gpa_submission_uses_locked(const struct gpa_device *device,
			   const struct gpa_session *session);
/* Wait until there are none. */
void
gpa_submission_wait_all(struct gpa_device *device);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_SUBMISSION_H */
