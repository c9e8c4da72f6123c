/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample made of what vkCmdBeginGpaSampleAMD is given, or the reason why
 * there can be none.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_SAMPLE_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_SAMPLE_H

#include "gpa_commands.h"

/*
 * Create a sample. Returns VK_ERROR_FEATURE_NOT_PRESENT for what is not
 * offered, or not there; VK_ERROR_TOO_MANY_OBJECTS if counters do not fit
 * together, also with those of the command buffer's other samples;
 * VK_ERROR_VALIDATION_FAILED for a counter that does not exist.
 */
VkResult
gpa_sample_create(struct gpa_commands *commands,
		  const VkGpaSampleBeginInfoAMD *info, struct gpa_sample **out);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_SAMPLE_H */
