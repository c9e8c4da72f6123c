/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creating a device of Vulkan with the layer in it, and destroying it.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_CREATE_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_CREATE_H

#include "gpa_device.h"

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
		 const VkAllocationCallbacks *allocator, VkDevice *out);
VKAPI_ATTR void VKAPI_CALL
gpa_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_CREATE_H */
