/* SPDX-License-Identifier: BSD-3-Clause */
/* The layer's functions by their names, as the loader knows them. */
#include <stdio.h>
#include <string.h>
#include <vulkan/vk_layer.h>

#include "gpa_acting.h"
#include "gpa_clock.h"
#include "gpa_create.h"
#include "gpa_device.h"
#include "gpa_frames.h"
#include "gpa_instance.h"
#include "gpa_object.h"
#include "gpa_pass.h"
#include "gpa_physical.h"
#include "gpa_pool.h"
#include "gpa_record.h"
#include "gpa_results.h"
#include "gpa_state.h"
#include "gpa_submit.h"
#include "gpa_tell.h"
#include "gpa_template.h"

/* Newer headers of Vulkan define no such thing. */
#define GPA_EXPORT __attribute__((visibility("default")))

/* The version that has this function, and no other by its name. */
#define INTERFACE_VERSION 2

#define NAMED(name, function)                                                  \
	{                                                                      \
		"vk" #name, (PFN_vkVoidFunction)(function)                     \
	}
#define OURS(name) NAMED(name, gpa_##name)

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
get_instance_function(VkInstance instance, const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
get_device_function(VkDevice device, const char *name);

/* There without an instance. */
static const struct gpa_function global_functions[] = {
	NAMED(GetInstanceProcAddr, get_instance_function),
	OURS(CreateInstance),
	OURS(EnumerateInstanceLayerProperties),
	OURS(EnumerateInstanceExtensionProperties),
};

static const struct gpa_function instance_functions[] = {
	NAMED(GetDeviceProcAddr, get_device_function),
	OURS(DestroyInstance),
	OURS(CreateDevice),
	OURS(EnumerateDeviceLayerProperties),
	OURS(EnumerateDeviceExtensionProperties),
	OURS(GetPhysicalDeviceFeatures2),
	OURS(GetPhysicalDeviceProperties2),
	NAMED(GetPhysicalDeviceFeatures2KHR, gpa_GetPhysicalDeviceFeatures2),
	NAMED(GetPhysicalDeviceProperties2KHR,
	      gpa_GetPhysicalDeviceProperties2),
};

/* Functions of devices that an extension of instances brings. */
static const struct gpa_function instance_device_functions[] = {
	OURS(SetDebugUtilsObjectNameEXT),
	OURS(SetDebugUtilsObjectTagEXT),
};

/* Functions of every device. */
static const struct gpa_function device_functions[] = {
	NAMED(GetDeviceProcAddr, get_device_function),
	OURS(DestroyDevice),
};

/* Where the extension is enabled: its commands, which the driver has not. */
static const struct gpa_function commands[] = {
	NAMED(CreateGpaSessionAMD, gpa_CreateGpaSession),
	NAMED(DestroyGpaSessionAMD, gpa_DestroyGpaSession),
	NAMED(SetGpaDeviceClockModeAMD, gpa_SetGpaDeviceClockMode),
	NAMED(GetGpaDeviceClockInfoAMD, gpa_GetGpaDeviceClockInfo),
	NAMED(CmdBeginGpaSessionAMD, gpa_CmdBeginGpaSession),
	NAMED(CmdEndGpaSessionAMD, gpa_CmdEndGpaSession),
	NAMED(CmdBeginGpaSampleAMD, gpa_CmdBeginGpaSample),
	NAMED(CmdEndGpaSampleAMD, gpa_CmdEndGpaSample),
	NAMED(GetGpaSessionStatusAMD, gpa_GetGpaSessionStatus),
	NAMED(GetGpaSessionResultsAMD, gpa_GetGpaSessionResults),
	NAMED(ResetGpaSessionAMD, gpa_ResetGpaSession),
	NAMED(CmdCopyGpaSessionResultsAMD, gpa_CmdCopyGpaSessionResults),
};

/* There, too: what has to be seen of Vulkan's, if the driver has it. */
static const struct gpa_function seen_functions[] = {
	OURS(CreateCommandPool),
	OURS(DestroyCommandPool),
	OURS(ResetCommandPool),
	OURS(AllocateCommandBuffers),
	OURS(FreeCommandBuffers),
	OURS(BeginCommandBuffer),
	OURS(EndCommandBuffer),
	OURS(ResetCommandBuffer),
	OURS(CreateDescriptorUpdateTemplate),
	OURS(DestroyDescriptorUpdateTemplate),
	OURS(CreateRenderPass),
	OURS(CreateRenderPass2),
	OURS(DestroyRenderPass),
	OURS(CmdExecuteCommands),
	OURS(CmdBeginRenderPass),
	OURS(CmdEndRenderPass),
	OURS(CmdBeginRenderPass2),
	OURS(CmdEndRenderPass2),
	OURS(CmdBeginRendering),
	OURS(CmdEndRendering),
	OURS(SetDebugUtilsObjectNameEXT),
	OURS(SetDebugUtilsObjectTagEXT),
	OURS(DebugMarkerSetObjectNameEXT),
	OURS(DebugMarkerSetObjectTagEXT),
	OURS(SetPrivateData),
	OURS(GetPrivateData),
	OURS(DestroyPrivateDataSlot),
	OURS(QueueSubmit),
	OURS(QueueSubmit2),
#define X(alias, name) NAMED(alias, gpa_##name),
	GPA_DEVICE_ALIASES(X)
#undef X
};

/* ------------------------------------------------------------------ */
/* Looking up                                                           */

/* Note a command of the driver's that the layer does not see. */
static void
device_note_command(struct gpa_device *device, const char *name)
{
	const bool is_state = gpa_acting_is_state(name);
	atomic_bool *has = is_state ? &device->has_unknown_state
				    : &device->has_unknown_command;
	char *unknown =
		is_state ? device->unknown_state : device->unknown_command;

	pthread_mutex_lock(&device->lock);
	if (!*has)
		snprintf(unknown, sizeof(device->unknown_command), "%s", name);
	*has = true;
	pthread_mutex_unlock(&device->lock);
}

/*
 * Return the driver's function, which the layer does not have. A command would
 * be recorded in the first part of a command buffer that was cut, so that none
 * is given away when there is such a one.
 */
static PFN_vkVoidFunction
device_pass_on(struct gpa_device *device, const char *name,
	       PFN_vkVoidFunction function)
{
	if (!device->gpu || strncmp(name, "vkCmd", strlen("vkCmd")))
		return function;
	if (device->has_cuts) {
		gpa_refuse("vkGetDeviceProcAddr", VK_ERROR_FEATURE_NOT_PRESENT,
			   "%s, which the layer does not know, has to be "
			   "asked for before there are samples",
			   name);
		return NULL;
	}
	device_note_command(device, name);
	return function;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
get_device_function(VkDevice handle, const char *name)
{
	struct gpa_device *device = gpa_device_of(handle);
	PFN_vkVoidFunction ours = GPA_FUNCTION_FIND(device_functions, name);
	PFN_vkVoidFunction next;

	if (!ours && device->gpu)
		ours = GPA_FUNCTION_FIND(commands, name);
	if (ours)
		return ours;
	next = device->next.GetDeviceProcAddr(handle, name);
	if (next)
		ours = gpa_frames_function(device, name);
	if (next && !ours && device->gpu)
		ours = GPA_FUNCTION_FIND(seen_functions, name);
	if (next && !ours && device->gpu)
		ours = gpa_acting_function(name);
	if (next && !ours && device->gpu)
		ours = gpa_state_function(name);
	return ours || !next ? ours : device_pass_on(device, name, next);
}

/*
 * Find a function of an instance. Functions of devices are asked for of a
 * device; the loader asks here whether it is to know the extension's commands,
 * and for what extensions of instances bring to devices.
 */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
get_instance_function(VkInstance handle, const char *name)
{
	PFN_vkVoidFunction ours = GPA_FUNCTION_FIND(global_functions, name);
	PFN_vkGetInstanceProcAddr next;

	if (ours)
		return ours;
	/* Layers above ask so for vkCreateDevice, as the loader's own do. */
	if (!handle)
		return GPA_FUNCTION_FIND(instance_functions, name);
	ours = GPA_FUNCTION_FIND(commands, name);
	if (ours)
		return ours;
	next = gpa_instance_of(handle)->next.GetInstanceProcAddr;
	ours = GPA_FUNCTION_FIND(instance_functions, name);
	if (!ours)
		ours = GPA_FUNCTION_FIND(instance_device_functions, name);
	/* labels are of that extension, too */
	if (!ours && strstr(name, "DebugUtilsLabelEXT"))
		ours = gpa_state_function(name);
	return ours && next(handle, name) ? ours : next(handle, name);
}

GPA_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version)
{
	if (version->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
	    version->loaderLayerInterfaceVersion < INTERFACE_VERSION)
		return VK_ERROR_INITIALIZATION_FAILED;
	version->loaderLayerInterfaceVersion = INTERFACE_VERSION;
	version->pfnGetInstanceProcAddr = get_instance_function;
	version->pfnGetDeviceProcAddr = get_device_function;
	version->pfnGetPhysicalDeviceProcAddr = NULL;
	return VK_SUCCESS;
}
