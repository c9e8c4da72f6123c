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
/* Free all but the first command buffer. */
void
gpa_cut_forget(struct gpa_commands *commands);

/* Return a command buffer of the driver's, from 0 to part_count. */
VkCommandBuffer
gpa_cut_part(const struct gpa_commands *commands, size_t number);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_CUT_H */
