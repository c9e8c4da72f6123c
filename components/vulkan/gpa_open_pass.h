/* SPDX-License-Identifier: BSD-3-Clause */
/* A render pass that has begun in a command buffer, and may be cut. */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_OPEN_PASS_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_OPEN_PASS_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

struct gpa_commands;

/*
 * Begin the first part of a pass, if it can be cut. False: it is to be begun as
 * it is.
 */
bool
gpa_open_pass_begin(struct gpa_commands *commands,
		    const VkRenderPassBeginInfo *info,
		    const VkSubpassBeginInfo *subpass);
bool
gpa_open_pass_begin_rendering(struct gpa_commands *commands,
			      const VkRenderingInfo *info);
/* Go on with a pass of the command buffer that will execute this one. */
void
gpa_open_pass_continue(struct gpa_commands *commands);
/* End a part where the command buffer is cut, and begin the next one. */
void
gpa_open_pass_leave(const struct gpa_commands *commands);
void
gpa_open_pass_go_on(const struct gpa_commands *commands);
/* End the pass. */
void
gpa_open_pass_end(struct gpa_commands *commands);
/* Forget a pass that has begun. */
void
gpa_open_pass_forget(struct gpa_commands *commands);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_OPEN_PASS_H */
