/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_physical.h"

#include <stdlib.h>
#include <string.h>

#include "gpa_chain.h"
#include "gpa_gpu.h"
#include "gpa_instance.h"

static const VkExtensionProperties extension = {
	.extensionName = VK_AMD_GPA_INTERFACE_EXTENSION_NAME,
	.specVersion = VK_AMD_GPA_INTERFACE_SPEC_VERSION,
};

static const VkLayerProperties layer_properties = {
	.layerName = GPA_LAYER_NAME,
	.specVersion = VK_HEADER_VERSION_COMPLETE,
	.implementationVersion = 1,
	.description = "Performance counters of AMD GPUs on any driver",
};

/* ------------------------------------------------------------------ */
/* Layers and extensions                                                */

/*
 * Return a list in Vulkan's way: the count alone if there is no array. Elements
 * have size bytes.
 */
static VkResult
list_give(const void *list, uint32_t there, size_t size, uint32_t *count,
	  void *out)
{
	const uint32_t given = *count < there ? *count : there;

	if (!out) {
		*count = there;
		return VK_SUCCESS;
	}
	if (given)
		memcpy(out, list, given * size);
	*count = given;
	return given < there ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_EnumerateInstanceLayerProperties(uint32_t *count, VkLayerProperties *out)
{
	return list_give(&layer_properties, 1, sizeof(layer_properties), count,
			 out);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_EnumerateInstanceExtensionProperties(const char *layer, uint32_t *count,
					 VkExtensionProperties *out)
{
	if (!layer || strcmp(layer, GPA_LAYER_NAME))
		return VK_ERROR_LAYER_NOT_PRESENT;
	return list_give(NULL, 0, sizeof(*out), count, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_EnumerateDeviceLayerProperties(VkPhysicalDevice physical, uint32_t *count,
				   VkLayerProperties *out)
{
	(void)physical;
	return gpa_EnumerateInstanceLayerProperties(count, out);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
				       const char *layer, uint32_t *count,
				       VkExtensionProperties *out)
{
	struct gpa_instance *instance = gpa_instance_of(physical);
	VkExtensionProperties *list;
	uint32_t there;
	VkResult result;

	if (layer && !strcmp(layer, GPA_LAYER_NAME))
		return list_give(&extension, 1, sizeof(extension), count, out);
	if (layer || !gpa_gpu_of(instance, physical))
		return instance->next.EnumerateDeviceExtensionProperties(
			physical, layer, count, out);
	result = gpa_gpu_driver_extensions(instance, physical, &list, &there);
	if (result < 0)
		return result;
	list[there] = extension;
	result = list_give(list, there + 1, sizeof(*list), count, out);
	free(list);
	return result;
}

/* ------------------------------------------------------------------ */
/* Features                                                             */

VKAPI_ATTR void VKAPI_CALL
gpa_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical,
			       VkPhysicalDeviceFeatures2 *out)
{
	struct gpa_instance *instance = gpa_instance_of(physical);
	struct gpa_gpu *gpu = gpa_gpu_of(instance, physical);
	VkPhysicalDeviceGpaFeaturesAMD *features;
	struct gpa_taken taken = { NULL, NULL };

	if (gpu)
		taken = gpa_chain_take(
			out,
			VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD);
	instance->next.GetPhysicalDeviceFeatures2(physical, out);
	if (!taken.it)
		return;
	features = (VkPhysicalDeviceGpaFeaturesAMD *)taken.it;
	features->perfCounters = VK_TRUE;
	features->streamingPerfCounters = gpa_gpu_streams(instance, gpu);
	features->sqThreadTracing = gpu->tracing.is_possible;
	features->clockModes = gpu->has_clock_modes;
	gpa_chain_put_back(&taken);
}

/* ------------------------------------------------------------------ */
/* Properties                                                           */

static void
fill_blocks(const struct gpa_gpu *gpu, VkPhysicalDeviceGpaPropertiesAMD *out)
{
	const uint32_t there = (uint32_t)gpu->blocks.count;

	out->flags = 0;
	out->maxSqttSeBufferSize = gpu->tracing.buffer_most;
	out->shaderEngineCount = gpu->hardware.shader_engines;
	if (!out->pPerfBlocks || out->perfBlockCount > there)
		out->perfBlockCount = there;
	for (uint32_t i = 0; out->pPerfBlocks && i < out->perfBlockCount; i++)
		out->pPerfBlocks[i] = gpu->blocks.list[i].properties;
}

VKAPI_ATTR void VKAPI_CALL
gpa_GetPhysicalDeviceProperties2(VkPhysicalDevice physical,
				 VkPhysicalDeviceProperties2 *out)
{
	struct gpa_instance *instance = gpa_instance_of(physical);
	struct gpa_gpu *gpu = gpa_gpu_of(instance, physical);
	struct gpa_taken blocks = { NULL, NULL }, revision = { NULL, NULL };

	if (gpu) {
		blocks = gpa_chain_take(
			out,
			VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_AMD);
		revision = gpa_chain_take(
			out,
			VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_2_AMD);
	}
	instance->next.GetPhysicalDeviceProperties2(physical, out);
	if (revision.it)
		((VkPhysicalDeviceGpaProperties2AMD *)revision.it)->revisionId =
			gpu->hardware.revision;
	if (blocks.it) {
		gpa_gpu_streams(instance, gpu);
		fill_blocks(gpu, (VkPhysicalDeviceGpaPropertiesAMD *)blocks.it);
	}
	gpa_chain_put_back(&revision);
	gpa_chain_put_back(&blocks);
}
