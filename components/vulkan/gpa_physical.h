/* SPDX-License-Identifier: BSD-3-Clause */
/* The layer's additions to what a physical device reports. */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_PHYSICAL_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_PHYSICAL_H

#include <vulkan/vulkan.h>

#define GPA_LAYER_NAME "VK_LAYER_DRMPERF_gpa"

VKAPI_ATTR VkResult VKAPI_CALL
gpa_EnumerateInstanceLayerProperties(uint32_t *count, VkLayerProperties *out);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_EnumerateInstanceExtensionProperties(const char *layer, uint32_t *count,
					 VkExtensionProperties *out);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_EnumerateDeviceLayerProperties(VkPhysicalDevice physical, uint32_t *count,
				   VkLayerProperties *out);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
				       const char *layer, uint32_t *count,
				       VkExtensionProperties *out);
VKAPI_ATTR void VKAPI_CALL
gpa_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical,
			       VkPhysicalDeviceFeatures2 *out);
VKAPI_ATTR void VKAPI_CALL
gpa_GetPhysicalDeviceProperties2(VkPhysicalDevice physical,
				 VkPhysicalDeviceProperties2 *out);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_PHYSICAL_H */
