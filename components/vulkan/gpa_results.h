/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of the extension that create, reset and destroy sessions, and that
 * return their results.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_RESULTS_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_RESULTS_H

#include "gpa_session.h"

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateGpaSession(VkDevice handle, const VkGpaSessionCreateInfoAMD *info,
		     const VkAllocationCallbacks *allocator,
		     VkGpaSessionAMD *out);
VKAPI_ATTR void VKAPI_CALL
gpa_DestroyGpaSession(VkDevice handle, VkGpaSessionAMD session,
		      const VkAllocationCallbacks *allocator);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_GetGpaSessionStatus(VkDevice handle, VkGpaSessionAMD session);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_GetGpaSessionResults(VkDevice handle, VkGpaSessionAMD session,
			 uint32_t sample_id, size_t *size, void *data);
VKAPI_ATTR VkResult VKAPI_CALL
gpa_ResetGpaSession(VkDevice handle, VkGpaSessionAMD session);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_RESULTS_H */
