/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Command pools, and the lives of the command buffers in them.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_POOL_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_POOL_H

#include "gpa_commands.h"

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
		      const VkAllocationCallbacks *allocator,
		      VkCommandPool *out);
VKAPI_ATTR void VKAPI_CALL
gpa_DestroyCommandPool(VkDevice handle, VkCommandPool pool,
		       const VkAllocationCallbacks *allocator);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_ResetCommandPool(VkDevice handle, VkCommandPool pool,
		     VkCommandPoolResetFlags flags);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_AllocateCommandBuffers(VkDevice handle,
			   const VkCommandBufferAllocateInfo *info,
			   VkCommandBuffer *out);
VKAPI_ATTR void VKAPI_CALL
gpa_FreeCommandBuffers(VkDevice handle, VkCommandPool pool, uint32_t count,
		       const VkCommandBuffer *list);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_BeginCommandBuffer(VkCommandBuffer handle,
		       const VkCommandBufferBeginInfo *info);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_EndCommandBuffer(VkCommandBuffer handle);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_ResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags flags);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_POOL_H */
