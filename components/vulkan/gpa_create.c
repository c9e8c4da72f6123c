/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_create.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

#include "frontend/frame_marks.h"
#include "gpa_capture.h"
#include "gpa_chain.h"
#include "gpa_places.h"
#include "gpa_submission.h"
#include "gpa_tell.h"
#include "gpa_trace.h"

static const char where[] = "vkCreateDevice";

/* ------------------------------------------------------------------ */
/* Requests of the application                                          */

static VkLayerDeviceCreateInfo *
find_info(const VkDeviceCreateInfo *info, VkLayerFunction function)
{
	VkLayerDeviceCreateInfo *at = (VkLayerDeviceCreateInfo *)info->pNext;

	while (at &&
	       (at->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
		at->function != function))
		at = (VkLayerDeviceCreateInfo *)at->pNext;
	return at;
}

static bool
wants_extension(const VkDeviceCreateInfo *info, const char *name)
{
	for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
		if (!strcmp(info->ppEnabledExtensionNames[i], name))
			return true;
	}
	return false;
}

static VkResult
check_features(struct gpa_instance *instance, struct gpa_gpu *gpu,
	       const VkDeviceCreateInfo *info)
{
	const VkPhysicalDeviceGpaFeaturesAMD *features = gpa_chain_find(
		info, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD);

	if (!features)
		return VK_SUCCESS;
	if (features->streamingPerfCounters && !gpa_gpu_streams(instance, gpu))
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "streamingPerfCounters is not there");
	if (features->sqThreadTracing && !gpu->tracing.is_possible)
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "sqThreadTracing is not there: %s",
				  gpu->tracing.why_not.cause);
	if (features->clockModes && !gpu->has_clock_modes)
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "clockModes is not there");
	return VK_SUCCESS;
}

/* Create the device of the driver, which gets what it knows. */
static VkResult
create_driver_device(PFN_vkCreateDevice create, VkPhysicalDevice physical,
		     const VkDeviceCreateInfo *info,
		     const VkAllocationCallbacks *allocator, VkDevice *out)
{
	VkDeviceCreateInfo copy = *info;
	struct gpa_taken taken;
	const char **names;
	VkResult result;

	names = calloc(info->enabledExtensionCount + 1, sizeof(*names));
	if (!names)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	copy.enabledExtensionCount = 0;
	copy.ppEnabledExtensionNames = names;
	for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
		const char *name = info->ppEnabledExtensionNames[i];

		if (!gpa_gpu_is_extension(name))
			names[copy.enabledExtensionCount++] = name;
	}
	taken = gpa_chain_take_input(
		&copy, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD);
	result = create(physical, &copy, allocator, out);
	gpa_chain_put_back(&taken);
	free(names);
	return result;
}

/* ------------------------------------------------------------------ */
/* Creating                                                             */

static void
load_functions(struct gpa_device *device, const struct gpa_instance *instance,
     PFN_vkGetDeviceProcAddr get)
{
	struct gpa_device_functions *next = &device->next;

	next->GetDeviceProcAddr = get;
#define X(name, ...) next->name = (PFN_vk##name)get(device->handle, "vk" #name);
	GPA_DEVICE_FUNCTIONS(X)
	GPA_ACTING(X)
	GPA_STATE(X)
	GPA_TEMPLATES(X)
	GPA_FOREIGN(X)
	GPA_LABELS(X)
#undef X
#define X(alias, name)                                                         \
	if (!next->name)                                                       \
		next->name = (PFN_vk##name)get(device->handle, "vk" #alias);
	GPA_DEVICE_ALIASES(X)
	GPA_ACTING_ALIASES(X)
	GPA_STATE_ALIASES(X)
	GPA_TEMPLATES_ALIASES(X)
	GPA_FOREIGN_ALIASES(X)
#undef X
	/* The loader gets these of the instance, which wraps devices. */
#define OF_INSTANCE(name)                                                      \
	next->name = (PFN_vk##name)instance->next.GetInstanceProcAddr(         \
		instance->handle, "vk" #name);
	OF_INSTANCE(SetDebugUtilsObjectNameEXT)
	OF_INSTANCE(SetDebugUtilsObjectTagEXT)
	OF_INSTANCE(CmdBeginDebugUtilsLabelEXT)
	OF_INSTANCE(CmdEndDebugUtilsLabelEXT)
	OF_INSTANCE(CmdInsertDebugUtilsLabelEXT)
#undef OF_INSTANCE
}

static VkResult
read_families(struct gpa_instance *instance, struct gpa_device *device,
	      VkPhysicalDevice physical)
{
	const PFN_vkGetPhysicalDeviceQueueFamilyProperties get =
		instance->next.GetPhysicalDeviceQueueFamilyProperties;

	get(physical, &device->family_count, NULL);
	device->families =
		calloc(device->family_count + 1, sizeof(*device->families));
	if (!device->families)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	get(physical, &device->family_count, device->families);
	return VK_SUCCESS;
}

static void
release_commands(void *commands)
{
	gpa_places_destroy(commands);
}

static void
device_release(struct gpa_device *device)
{
	gpa_capture_destroy(device->capture);
	gpa_map_finish(&device->commands, release_commands);
	gpa_map_finish(&device->pools, free);
	gpa_map_finish(&device->passes, free);
	gpa_map_finish(&device->templates, free);
	drmperf_clock_hold_release(device->clocks);
	pthread_cond_destroy(&device->ended);
	pthread_mutex_destroy(&device->lock);
	free(device->families);
	free(device);
}

static struct gpa_device *
device_make(struct gpa_gpu *gpu)
{
	struct gpa_device *device = calloc(1, sizeof(*device));
	pthread_condattr_t monotonic;

	if (!device)
		return NULL;
	device->gpu = gpu;
	gpa_map_init(&device->pools);
	gpa_map_init(&device->commands);
	gpa_map_init(&device->passes);
	gpa_map_init(&device->templates);
	pthread_mutex_init(&device->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&device->ended, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return device;
}

/*
 * Load the loader's callback. Without it nothing is cut; what a device does in
 * a group is not kept.
 */
static void
load_callback(struct gpa_device *device, const VkDeviceCreateInfo *info)
{
	const VkLayerDeviceCreateInfo *loader =
		find_info(info, VK_LOADER_DATA_CALLBACK);
	const VkDeviceGroupDeviceCreateInfo *group = gpa_chain_find(
		info, VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO);

	if (loader && (!group || group->physicalDeviceCount < 2))
		device->set_loader_data = loader->u.pfnSetDeviceLoaderData;
}

/* Return whether the user wants render passes to be cut. */
static bool
wants_cuts(void)
{
	const char *text = secure_getenv("DRMPERF_VK_CUT_PASSES");

	return text && *text && strcmp(text, "0");
}

static VkResult
device_create(struct gpa_instance *instance, struct gpa_device *device,
	      VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
	      const VkAllocationCallbacks *allocator, VkDevice *out)
{
	VkLayerDeviceCreateInfo *link = find_info(info, VK_LAYER_LINK_INFO);
	PFN_vkGetDeviceProcAddr get;
	PFN_vkCreateDevice create_next;
	VkResult result;

	if (!link)
		return VK_ERROR_INITIALIZATION_FAILED;
	get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
	create_next = (PFN_vkCreateDevice)
			      link->u.pLayerInfo->pfnNextGetInstanceProcAddr(
				      instance->handle, "vkCreateDevice");
	if (!create_next)
		return VK_ERROR_INITIALIZATION_FAILED;
	link->u.pLayerInfo = link->u.pLayerInfo->pNext;
	result = device->gpu ? create_driver_device(create_next, physical, info,
						    allocator, out)
			     : create_next(physical, info, allocator, out);
	if (result != VK_SUCCESS)
		return result;
	device->handle = *out;
	load_functions(device, instance, get);
	/* Some layers below have the function whether there is one or not. */
	if (!wants_extension(info, VK_KHR_SWAPCHAIN_EXTENSION_NAME))
		device->next.QueuePresentKHR = NULL;
	load_callback(device, info);
	device->cuts_passes = device->set_loader_data && wants_cuts();
	if (frame_marks_are_wanted())
		gpa_gpu_address(instance, physical, device->address);
	result = read_families(instance, device, physical);
	if (result == VK_SUCCESS && gpa_capture_is_wanted())
		device->capture = gpa_capture_create(
			device, gpa_gpu_of(instance, physical));
	if (result == VK_SUCCESS && !gpa_device_add(device))
		return VK_SUCCESS;
	device->next.DestroyDevice(*out, allocator);
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
		 const VkAllocationCallbacks *allocator, VkDevice *out)
{
	struct gpa_instance *instance = gpa_instance_of(physical);
	struct gpa_gpu *gpu = NULL;
	struct gpa_device *device;
	VkResult result;

	if (wants_extension(info, VK_AMD_GPA_INTERFACE_EXTENSION_NAME)) {
		gpu = gpa_gpu_of(instance, physical);
		/* a driver that has the extension itself gets it */
		if (!gpu && !gpa_gpu_driver_has_extension(instance, physical))
			return gpa_refuse(where, VK_ERROR_EXTENSION_NOT_PRESENT,
					  "no GPU that libdrmperf counts on "
					  "serves this physical device");
	}
	result = gpu ? check_features(instance, gpu, info) : VK_SUCCESS;
	if (result != VK_SUCCESS)
		return result;
	device = device_make(gpu);
	if (!device)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	result =
		device_create(instance, device, physical, info, allocator, out);
	if (result != VK_SUCCESS)
		device_release(device);
	return result;
}

VKAPI_ATTR void VKAPI_CALL
gpa_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator)
{
	PFN_vkDestroyDevice destroy;
	struct gpa_device *device;

	if (!handle)
		return;
	device = gpa_device_take(handle);
	destroy = device->next.DestroyDevice;
	gpa_submission_wait_all(device);
	gpa_trace_drop_locked(device, NULL);
	/* what the layer has of the driver's goes before the device */
	device_release(device);
	destroy(handle, allocator);
}
