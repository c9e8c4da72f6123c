/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An instance of Vulkan, and what is behind the layer there.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_INSTANCE_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_INSTANCE_H

#include <drmperf.h>
#include <pthread.h>
#include <stdbool.h>
#include <vulkan/vulkan.h>

#include "gpa_map.h"


/* Functions of the next layer, or of the driver; NULL: it has none. */
#define GPA_INSTANCE_FUNCTIONS(X)                                              \
	X(DestroyInstance)                                                     \
	X(CreateDevice)                                                        \
	X(EnumerateDeviceExtensionProperties)                                  \
	X(EnumerateDeviceLayerProperties)                                      \
	X(GetPhysicalDeviceProperties)                                         \
	X(GetPhysicalDeviceQueueFamilyProperties)                              \
	X(GetPhysicalDeviceFeatures2)                                          \
	X(GetPhysicalDeviceFeatures2KHR)                                       \
	X(GetPhysicalDeviceProperties2)                                        \
	X(GetPhysicalDeviceProperties2KHR)

struct gpa_instance_functions {
	PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define X(name) PFN_vk##name name;
	GPA_INSTANCE_FUNCTIONS(X)
#undef X
};

struct gpa_instance {
	VkInstance handle;
	struct gpa_instance_functions next;
	/* what the extension needs: Vulkan 1.1, or what came before it */
	bool has_properties2;
	pthread_mutex_t lock; /* guards: */
	struct drmperf *drmperf; /* NULL until first needed */
	struct gpa_map gpus; /* looked at so far, by VkPhysicalDevice */
};

/* Return the instance of a handle of it, or of a physical device. */
struct gpa_instance *
gpa_instance_of(void *handle);

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateInstance(const VkInstanceCreateInfo *info,
		   const VkAllocationCallbacks *allocator, VkInstance *out);
VKAPI_ATTR void VKAPI_CALL
gpa_DestroyInstance(VkInstance handle, const VkAllocationCallbacks *allocator);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_INSTANCE_H */
