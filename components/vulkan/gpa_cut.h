/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cuts within a command buffer: what is recorded behind one goes to
 * another command buffer of the driver's, which begins with the state that the
 * application has set. The application knows the first alone. Counters are read
 * between them.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_CUT_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_CUT_H

#include "gpa_commands.h"

/*
 * Make sure that the command buffer can be cut here. Returns VK_SUCCESS, or
 * VK_ERROR_FEATURE_NOT_PRESENT, with the reason.
 */
VkResult
gpa_cut_check(const struct gpa_commands *commands, const char *where);
/* Cut, unless that cannot be: then the reason is printed. */
bool
gpa_cut_make(struct gpa_commands *commands, const char *where);
/*
 * Make sure that there is a part in front of the first one, for what cannot be
 * recorded within a render pass. Returns VK_SUCCESS, or the reason why there
 * can be none.
 */
VkResult
gpa_cut_make_front(struct gpa_commands *commands, const char *where);
/* End recording. Returns the first error of vkEndCommandBuffer(). */
VkResult
gpa_cut_end(const struct gpa_commands *commands);
/* Free all but the first command buffer. */
void
gpa_cut_forget(struct gpa_commands *commands);

/* Return how many command buffers of the driver's it is. */
size_t
gpa_cut_count(const struct gpa_commands *commands);
/* Return one of them, by its number from 0. */
VkCommandBuffer
gpa_cut_part(const struct gpa_commands *commands, size_t number);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_CUT_H */
