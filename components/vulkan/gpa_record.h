/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands recorded in command buffers: sessions, samples, copies, and those of
 * Vulkan's own that decide where samples can be.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_RECORD_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_RECORD_H

#include "gpa_commands.h"

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CmdBeginGpaSession(VkCommandBuffer handle, VkGpaSessionAMD session);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_CmdEndGpaSession(VkCommandBuffer handle, VkGpaSessionAMD session);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_CmdBeginGpaSample(VkCommandBuffer handle, VkGpaSessionAMD session,
		      const VkGpaSampleBeginInfoAMD *info, uint32_t *id);
VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndGpaSample(VkCommandBuffer handle, VkGpaSessionAMD session,
		    uint32_t id);
VKAPI_ATTR void VKAPI_CALL
gpa_CmdCopyGpaSessionResults(VkCommandBuffer handle, VkGpaSessionAMD session);

VKAPI_ATTR void VKAPI_CALL
gpa_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
		       const VkCommandBuffer *list);
VKAPI_ATTR void VKAPI_CALL
gpa_CmdBeginRenderPass(VkCommandBuffer handle,
		       const VkRenderPassBeginInfo *info,
		       VkSubpassContents contents);
VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndRenderPass(VkCommandBuffer handle);
VKAPI_ATTR void VKAPI_CALL
gpa_CmdBeginRenderPass2(VkCommandBuffer handle,
			const VkRenderPassBeginInfo *info,
			const VkSubpassBeginInfo *subpass);
VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndRenderPass2(VkCommandBuffer handle, const VkSubpassEndInfo *info);
VKAPI_ATTR void VKAPI_CALL
gpa_CmdBeginRendering(VkCommandBuffer handle, const VkRenderingInfo *info);
VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndRendering(VkCommandBuffer handle);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_RECORD_H */
