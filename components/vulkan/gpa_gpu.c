/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpa_instance.h"
#include "gpa_tell.h"

#define BUS_INFO VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT

/* Messages about support appear once for each physical device. */
static const char where[] = "physical device";

bool
gpa_gpu_is_extension(const char *name)
{
	return !strcmp(name, VK_AMD_GPA_INTERFACE_EXTENSION_NAME);
}

VkResult
gpa_gpu_driver_extensions(struct gpa_instance *instance,
			  VkPhysicalDevice physical,
			  VkExtensionProperties **out, uint32_t *count)
{
	const PFN_vkEnumerateDeviceExtensionProperties enumerate =
		instance->next.EnumerateDeviceExtensionProperties;
	VkResult result = enumerate(physical, NULL, count, NULL);

	if (result < 0)
		return result;
	*out = calloc(*count + 1, sizeof(**out));
	if (!*out)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	result = enumerate(physical, NULL, count, *out);
	if (result < 0)
		free(*out);
	return result;
}

/* ------------------------------------------------------------------ */
/* Drivers                                                              */

struct driver_facts {
	bool has_extension;
	bool has_bus_info;
	bool has_driver_properties;
};

static VkResult
query_driver(struct gpa_instance *instance, VkPhysicalDevice physical,
	     struct driver_facts *facts)
{
	VkExtensionProperties *list;
	uint32_t count;
	VkResult result =
		gpa_gpu_driver_extensions(instance, physical, &list, &count);

	if (result < 0)
		return result;
	for (uint32_t i = 0; i < count; i++) {
		const char *name = list[i].extensionName;

		facts->has_extension |= gpa_gpu_is_extension(name);
		facts->has_bus_info |=
			!strcmp(name, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME);
		facts->has_driver_properties |=
			!strcmp(name, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME);
	}
	free(list);
	return VK_SUCCESS;
}

bool
gpa_gpu_driver_has_extension(struct gpa_instance *instance,
			     VkPhysicalDevice physical)
{
	struct driver_facts facts = { false };

	return !query_driver(instance, physical, &facts) && facts.has_extension;
}

/* ------------------------------------------------------------------ */
/* Addresses                                                            */

static void
read_address(struct gpa_instance *instance, VkPhysicalDevice physical,
	     char address[GPA_ADDRESS_SIZE])
{
	VkPhysicalDevicePCIBusInfoPropertiesEXT info = {
		.sType = BUS_INFO,
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &info,
	};

	instance->next.GetPhysicalDeviceProperties2(physical, &properties);
	snprintf(address, GPA_ADDRESS_SIZE, "%04x:%02x:%02x.%x", info.pciDomain,
		 info.pciBus, info.pciDevice, info.pciFunction);
}

void
gpa_gpu_address(struct gpa_instance *instance, VkPhysicalDevice physical,
		char address[GPA_ADDRESS_SIZE])
{
	struct driver_facts facts = { false };

	address[0] = '\0';
	if (instance->has_properties2 &&
	    !query_driver(instance, physical, &facts) && facts.has_bus_info)
		read_address(instance, physical, address);
}

/*
 * Return whether the driver is radv, which opens the GPU by the same library as
 * libdrmperf, so that both have one file (libdrm's amdgpu_device.c, Mesa's
 * ac_linux_drm.c). AMD's own drivers may bring a library of their own.
 */
static bool
is_radv(struct gpa_instance *instance, VkPhysicalDevice physical)
{
	VkPhysicalDeviceDriverProperties driver = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &driver,
	};

	instance->next.GetPhysicalDeviceProperties2(physical, &properties);
	return driver.driverID == VK_DRIVER_ID_MESA_RADV;
}

static struct drmperf_device *
at_address(struct drmperf *drmperf, const char *address)
{
	struct drmperf_device *device = fe_gpu_at(drmperf, address);

	if (!device)
		gpa_refuse(where, VK_SUCCESS, "libdrmperf knows no GPU at %s",
			   address);
	return device;
}

static struct drmperf_device *
gpu_named(struct drmperf *drmperf, const char *text)
{
	struct drmperf_device *device = NULL;
	struct drmperf_error error;

	gpa_fail(where, fe_gpu_named(drmperf, text, &device, &error), &error);
	return device;
}

/* ------------------------------------------------------------------ */
/* GPUs                                                                 */

static struct drmperf_device *
gpu_choose(struct gpa_instance *instance, struct gpa_gpu *gpu)
{
	const char *text = secure_getenv("DRMPERF_GPU");
	struct driver_facts facts = { false };
	char address[GPA_ADDRESS_SIZE];

	if (!instance->has_properties2) {
		gpa_refuse(where, VK_SUCCESS,
			   "the instance has neither Vulkan 1.1 nor "
			   "VK_KHR_get_physical_device_properties2");
		return NULL;
	}
	if (query_driver(instance, gpu->physical, &facts) ||
	    facts.has_extension)
		return NULL;
	if (facts.has_bus_info) {
		gpu->tracing.shares_file = facts.has_driver_properties &&
					   is_radv(instance, gpu->physical);
		read_address(instance, gpu->physical, address);
		return at_address(gpu->drmperf, address);
	}
	if (text && *text)
		return gpu_named(gpu->drmperf, text);
	gpa_refuse(
		where, VK_SUCCESS,
		"its driver reports no address; DRMPERF_GPU can say which GPU "
		"is meant");
	return NULL;
}

static bool
can_count(struct gpa_gpu *gpu, struct drmperf_device *device)
{
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };
	struct drmperf_error error;
	int rc = drmperf_device_open(device, &error);

	if (rc) {
		gpa_fail(where, rc, &error);
		return false;
	}
	gpa_blocks_fill(&gpu->blocks, device);
	gpu->hardware.size = sizeof(gpu->hardware);
	if (!gpu->blocks.count ||
	    drmperf_device_hardware(device, &gpu->hardware)) {
		gpa_refuse(where, VK_SUCCESS,
			   "GPU %u has no blocks that the extension knows",
			   drmperf_device_index(device));
		return false;
	}
	gpu->has_clock_modes = !drmperf_device_clocks(device, &clocks, NULL);
	gpa_tracing_look(&gpu->tracing, device, &gpu->hardware);
	return true;
}

static struct gpa_gpu *
create_gpu(struct gpa_instance *instance, VkPhysicalDevice physical)
{
	struct gpa_gpu *gpu = calloc(1, sizeof(*gpu));
	struct drmperf_device *device;

	if (!gpu)
		return NULL;
	gpu->physical = physical;
	gpu->drmperf = instance->drmperf;
	device = gpu_choose(instance, gpu);
	if (device && can_count(gpu, device))
		gpu->device = device;
	return gpu;
}

/* ------------------------------------------------------------------ */
/* GPUs of an instance                                                  */

static bool
open_drmperf_locked(struct gpa_instance *instance)
{
	struct drmperf_error error;
	int rc;

	if (instance->drmperf)
		return true;
	rc = fe_drmperf_create(GPA_LAYER, &instance->drmperf, &error);
	gpa_fail("looking for GPUs", rc, &error);
	return instance->drmperf != NULL;
}

static struct gpa_gpu *
find_gpu_locked(struct gpa_instance *instance, VkPhysicalDevice physical)
{
	struct gpa_gpu *gpu = gpa_map_get(&instance->gpus, GPA_KEY(physical));

	if (gpu || !open_drmperf_locked(instance))
		return gpu;
	gpu = create_gpu(instance, physical);
	if (gpu && gpa_map_put(&instance->gpus, GPA_KEY(physical), gpu)) {
		free(gpu);
		return NULL;
	}
	return gpu;
}

struct gpa_gpu *
gpa_gpu_of(struct gpa_instance *instance, VkPhysicalDevice physical)
{
	struct gpa_gpu *gpu;

	pthread_mutex_lock(&instance->lock);
	gpu = find_gpu_locked(instance, physical);
	pthread_mutex_unlock(&instance->lock);
	return gpu && gpu->device ? gpu : NULL;
}

bool
gpa_gpu_streams(struct gpa_instance *instance, struct gpa_gpu *gpu)
{
	bool streams;

	pthread_mutex_lock(&instance->lock);
	/* streams are taken at fixed clocks */
	if (!gpu->streams_looked_for && gpu->has_clock_modes)
		gpu->streams =
			gpa_blocks_look_for_streams(&gpu->blocks, gpu->drmperf);
	gpu->streams_looked_for = true;
	streams = gpu->streams;
	pthread_mutex_unlock(&instance->lock);
	return streams;
}
