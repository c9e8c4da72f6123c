/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places in a command buffer where counters are read: before or behind it, or
 * where it is cut.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_PLACES_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_PLACES_H

#include "gpa_commands.h"

/*
 * Make sure that a sample can begin here. Returns VK_SUCCESS, or
 * VK_ERROR_FEATURE_NOT_PRESENT where it cannot, with the reason.
 */
VkResult
gpa_places_can_begin(const struct gpa_commands *commands, const char *where);
/*
 * Make sure that queries can be reset before what is recorded here, in front of
 * the command buffer within a render pass. Returns VK_SUCCESS, or the reason
 * why they cannot.
 */
VkResult
gpa_places_can_reset(struct gpa_commands *commands, const char *where);
/*
 * Add an operation for which the counters are read where the next command acts.
 * -ENOMEM.
 */
int
gpa_places_add(struct gpa_commands *commands, struct gpa_op *op);
/* Note that a command acts, before it is recorded. */
void
gpa_places_act(struct gpa_commands *commands);
/* Note that a render pass begins, before it is recorded, or has ended. */
void
gpa_places_begin_pass(struct gpa_commands *commands, bool resumes);
void
gpa_places_end_pass(struct gpa_commands *commands);

/* Forget all that was recorded, which no submission may need any more. */
void
gpa_places_forget(struct gpa_commands *commands);
/* Forget all places, and free the commands. */
void
gpa_places_destroy(struct gpa_commands *commands);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_PLACES_H */
