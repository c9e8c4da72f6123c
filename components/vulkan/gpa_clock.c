/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_clock.h"

#include "gpa_device.h"
#include "gpa_tell.h"

#define HZ_PER_MHZ UINT64_C(1000000)

/* ------------------------------------------------------------------ */
/* Frequencies                                                          */

static float
clock_ratio(uint64_t hz, uint64_t max_hz)
{
	return (float)((double)hz / (double)max_hz);
}

/* Fill in the clocks of a device; without them info is as it was. */
static VkResult
device_read_clocks(const struct gpa_device *device, const char *where,
		   VkGpaDeviceGetClockInfoAMD *info)
{
	struct drmperf_clocks clocks = { .size = sizeof(clocks) };
	struct drmperf_error error;
	int rc = drmperf_device_clocks(device->gpu->device, &clocks, &error);

	if (rc)
		return gpa_fail(where, rc, &error);
	if (!clocks.engine_max_hz || !clocks.memory_max_hz)
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "the kernel does not report the highest "
				  "clocks");
	info->memoryClockRatioToPeak =
		clock_ratio(clocks.memory_hz, clocks.memory_max_hz);
	info->engineClockRatioToPeak =
		clock_ratio(clocks.engine_hz, clocks.engine_max_hz);
	info->memoryClockFrequency = (uint32_t)(clocks.memory_hz / HZ_PER_MHZ);
	info->engineClockFrequency = (uint32_t)(clocks.engine_hz / HZ_PER_MHZ);
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_GetGpaDeviceClockInfo(VkDevice handle, VkGpaDeviceGetClockInfoAMD *info)
{
	return device_read_clocks(gpa_device_of(handle),
				  "vkGetGpaDeviceClockInfoAMD", info);
}

/* ------------------------------------------------------------------ */
/* Modes                                                                */

static VkResult
device_query_clocks(const struct gpa_device *device,
		    VkGpaDeviceClockModeInfoAMD *info)
{
	VkGpaDeviceGetClockInfoAMD clocks = { 0 };
	VkResult result = device_read_clocks(
		device, "vkSetGpaDeviceClockModeAMD", &clocks);

	if (result != VK_SUCCESS)
		return result;
	info->memoryClockRatioToPeak = clocks.memoryClockRatioToPeak;
	info->engineClockRatioToPeak = clocks.engineClockRatioToPeak;
	return VK_SUCCESS;
}

/* Hold the mode. The mode before is given back first: two cannot be held. */
static VkResult
device_hold_clocks(struct gpa_device *device, enum drmperf_clock_mode mode)
{
	struct drmperf_error error;
	int rc = 0;

	pthread_mutex_lock(&device->lock);
	drmperf_clock_hold_release(device->clocks);
	device->clocks = NULL;
	device->clock_mode = mode;
	if (mode != DRMPERF_CLOCK_DEFAULT)
		rc = drmperf_device_hold_clocks(device->gpu->device, mode,
						&device->clocks, &error);
	pthread_mutex_unlock(&device->lock);
	return gpa_fail("vkSetGpaDeviceClockModeAMD", rc, &error);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_SetGpaDeviceClockMode(VkDevice handle, VkGpaDeviceClockModeInfoAMD *info)
{
	struct gpa_device *device = gpa_device_of(handle);

	switch (info->clockMode) {
	case VK_GPA_DEVICE_CLOCK_MODE_QUERY_AMD:
		return device_query_clocks(device, info);
	case VK_GPA_DEVICE_CLOCK_MODE_DEFAULT_AMD:
		return device_hold_clocks(device, DRMPERF_CLOCK_DEFAULT);
	case VK_GPA_DEVICE_CLOCK_MODE_PROFILING_AMD:
		return device_hold_clocks(device, DRMPERF_CLOCK_PROFILING);
	case VK_GPA_DEVICE_CLOCK_MODE_MIN_MEMORY_AMD:
		return device_hold_clocks(device, DRMPERF_CLOCK_MIN_MEMORY);
	case VK_GPA_DEVICE_CLOCK_MODE_MIN_ENGINE_AMD:
		return device_hold_clocks(device, DRMPERF_CLOCK_MIN_ENGINE);
	case VK_GPA_DEVICE_CLOCK_MODE_PEAK_AMD:
		return device_hold_clocks(device, DRMPERF_CLOCK_PEAK);
	default:
		return gpa_refuse(
			"vkSetGpaDeviceClockModeAMD", GPA_VALIDATION_FAILED,
			"there is no clock mode %d", (int)info->clockMode);
	}
}
