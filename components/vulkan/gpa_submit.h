/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vkQueueSubmit: what has operations of the extension becomes a gpa_submission.
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
