/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_instance.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>


#define PROPERTIES2 VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME

/*
 * Instances by the pointer that the loader puts first into each handle of one.
 */
static struct gpa_map instances = GPA_MAP_INITIALIZER;

static uint64_t
key_of(void *handle)
{
	return GPA_KEY(*(void **)handle);
}

struct gpa_instance *
gpa_instance_of(void *handle)
{
	return gpa_map_get(&instances, key_of(handle));
}

/* ------------------------------------------------------------------ */
/* Creating                                                             */

static VkLayerInstanceCreateInfo *
find_link(const VkInstanceCreateInfo *info)
{
	VkLayerInstanceCreateInfo *at =
		(VkLayerInstanceCreateInfo *)info->pNext;

	while (at &&
	       (at->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
		at->function != VK_LAYER_LINK_INFO))
		at = (VkLayerInstanceCreateInfo *)at->pNext;
	return at;
}

static bool
wants_properties2(const VkInstanceCreateInfo *info)
{
	const VkApplicationInfo *application = info->pApplicationInfo;

	for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
		if (!strcmp(info->ppEnabledExtensionNames[i],
			    PROPERTIES2))
			return true;
	}
	return application && application->apiVersion >= VK_API_VERSION_1_1;
}

static void
instance_load(struct gpa_instance *instance, PFN_vkGetInstanceProcAddr get)
{
	struct gpa_instance_functions *next = &instance->next;

	next->GetInstanceProcAddr = get;
#define X(name) next->name = (PFN_vk##name)get(instance->handle, "vk" #name);
	GPA_INSTANCE_FUNCTIONS(X)
#undef X
	if (!next->GetPhysicalDeviceFeatures2)
		next->GetPhysicalDeviceFeatures2 =
			next->GetPhysicalDeviceFeatures2KHR;
	if (!next->GetPhysicalDeviceProperties2)
		next->GetPhysicalDeviceProperties2 =
			next->GetPhysicalDeviceProperties2KHR;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateInstance(const VkInstanceCreateInfo *info,
		   const VkAllocationCallbacks *allocator, VkInstance *out)
{
	VkLayerInstanceCreateInfo *link = find_link(info);
	struct gpa_instance *instance;
	PFN_vkGetInstanceProcAddr get;
	PFN_vkCreateInstance create;
	VkResult result;

	if (!link)
		return VK_ERROR_INITIALIZATION_FAILED;
	get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
	create = (PFN_vkCreateInstance)get(VK_NULL_HANDLE, "vkCreateInstance");
	instance = calloc(1, sizeof(*instance));
	if (!create || !instance) {
		free(instance);
		return create ? VK_ERROR_OUT_OF_HOST_MEMORY
			      : VK_ERROR_INITIALIZATION_FAILED;
	}
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = create(info, allocator, out);
	if (result != VK_SUCCESS) {
		free(instance);
		return result;
	}
	instance->handle = *out;
	instance_load(instance, get);
	instance->has_properties2 = wants_properties2(info) &&
				    instance->next.GetPhysicalDeviceProperties2;
	pthread_mutex_init(&instance->lock, NULL);
	gpa_map_init(&instance->gpus);
	if (!gpa_map_put(&instances, key_of(*out), instance))
		return VK_SUCCESS;
	instance->next.DestroyInstance(*out, allocator);
	gpa_map_finish(&instance->gpus, free);
	pthread_mutex_destroy(&instance->lock);
	free(instance);
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL
gpa_DestroyInstance(VkInstance handle, const VkAllocationCallbacks *allocator)
{
	struct gpa_instance *instance;

	if (!handle)
		return;
	instance = gpa_map_take(&instances, key_of(handle));
	gpa_map_finish(&instance->gpus, free);
	drmperf_destroy(instance->drmperf);
	instance->next.DestroyInstance(handle, allocator);
	pthread_mutex_destroy(&instance->lock);
	free(instance);
}
