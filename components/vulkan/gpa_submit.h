/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Submissions: those that have steps of the extension become jobs.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_SUBMIT_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_SUBMIT_H

#include <vulkan/vulkan.h>

VKAPI_ATTR VkResult VKAPI_CALL
gpa_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
		VkFence fence);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits,
		 VkFence fence);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_SUBMIT_H */
