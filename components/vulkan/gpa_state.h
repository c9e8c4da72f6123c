/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * State of a command buffer: calls that set it, in their order, so that it can
 * be set again in another one. A call is forgotten when a later one replaces
 * all that it has set; no more is known of what calls mean.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_STATE_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_STATE_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

struct gpa_commands;
struct gpa_state_call;

/* Return the layer's function for a command that sets state or labels. */
PFN_vkVoidFunction
gpa_state_function(const char *name);

/*
 * Make all calls again, in the command buffer that is recorded now: those that
 * last as long as a render pass, or the others.
 */
void
gpa_state_set_again(const struct gpa_commands *commands, bool in_pass);
/* Forget what lasted as long as a render pass. */
void
gpa_state_forget_pass(struct gpa_commands *commands);
void
gpa_state_forget(struct gpa_commands *commands);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_STATE_H */
