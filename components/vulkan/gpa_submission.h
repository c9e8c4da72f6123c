/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A submission whose command buffers have steps of the extension. Counters that
 * are read between command buffers are read while they are submitted, part by
 * part; nothing that was submitted ever waits for that. A thread of its own
 * carries out the steps behind the last of these: it waits for the device,
 * takes samples, and says when sessions are done.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_SUBMISSION_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_SUBMISSION_H

#include "gpa_commands.h"
#include "gpa_parts.h"

struct gpa_job;

/* The steps of command buffers, those that they execute among them. */
struct gpa_actions {
	struct gpa_step *list; /* with references */
	size_t count;
	size_t command_buffers; /* those that were added, without secondary */
};

/* VK_ERROR_OUT_OF_HOST_MEMORY, also where it was short in recording. */
VkResult
gpa_actions_add(struct gpa_actions *actions, struct gpa_device *device,
		VkCommandBuffer handle);
void
gpa_actions_finish(struct gpa_actions *actions);

/*
 * Begin to count for these, before they are submitted; takes over *actions
 * in any case. Where counters cannot be counted now, the samples get the error,
 * and the submission may go on.
 */
VkResult
gpa_job_create(struct gpa_device *device, VkQueue queue,
	       struct gpa_actions *actions, struct gpa_job **out);
/*
 * Submit them. Returns the errors of vkQueueSubmit(). The job is no longer the
 * caller's.
 */
VkResult
gpa_job_submit(struct gpa_job *job, struct gpa_parts *parts);

/* Wait until what the device has executed is seen, with the lock held. */
void
gpa_job_settle_locked(struct gpa_device *device);
/* Is a session part of what the device still executes? */
bool
gpa_job_uses_locked(const struct gpa_device *device,
		    const struct gpa_session *session);
/* Wait until the host no longer uses the events of these commands. */
void
gpa_job_wait_for(const struct gpa_commands *commands);
/* Wait until there are none. */
void
gpa_job_wait_all(struct gpa_device *device);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_SUBMISSION_H */
