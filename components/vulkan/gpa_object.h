/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of Vulkan that take any object, of which sessions are one that the
 * driver does not know. Names and tags of sessions are accepted, and kept
 * nowhere: nothing asks for them.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_OBJECT_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_OBJECT_H

#include <vulkan/vulkan.h>

VKAPI_ATTR VkResult VKAPI_CALL
gpa_SetDebugUtilsObjectNameEXT(VkDevice handle,
			       const VkDebugUtilsObjectNameInfoEXT *info);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_SetDebugUtilsObjectTagEXT(VkDevice handle,
			      const VkDebugUtilsObjectTagInfoEXT *info);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_DebugMarkerSetObjectNameEXT(VkDevice handle,
				const VkDebugMarkerObjectNameInfoEXT *info);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_DebugMarkerSetObjectTagEXT(VkDevice handle,
			       const VkDebugMarkerObjectTagInfoEXT *info);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_SetPrivateData(VkDevice handle, VkObjectType type, uint64_t object,
		   VkPrivateDataSlot slot, uint64_t value);
VKAPI_ATTR void VKAPI_CALL
gpa_GetPrivateData(VkDevice handle, VkObjectType type, uint64_t object,
		   VkPrivateDataSlot slot, uint64_t *value);
VKAPI_ATTR void VKAPI_CALL
gpa_DestroyPrivateDataSlot(VkDevice handle, VkPrivateDataSlot slot,
			   const VkAllocationCallbacks *allocator);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_OBJECT_H */
