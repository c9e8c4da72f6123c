/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clock modes of a device, which it holds until it is destroyed.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_CLOCK_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_CLOCK_H

#include <drmperf/vk_amd_gpa_interface.h>

VKAPI_ATTR VkResult VKAPI_CALL
gpa_SetGpaDeviceClockMode(VkDevice handle, VkGpaDeviceClockModeInfoAMD *info);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_GetGpaDeviceClockInfo(VkDevice handle, VkGpaDeviceGetClockInfoAMD *info);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_CLOCK_H */
