/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The GPU that serves a physical device: the one at its address, or, where the
 * driver gives none, the one that DRMPERF_GPU names.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_GPU_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_GPU_H

#include <drmperf.h>
#include <stdbool.h>

#include "gpa_blocks.h"
#include "gpa_trace_options.h"

struct gpa_instance;

struct gpa_gpu {
	VkPhysicalDevice physical;
	struct drmperf *drmperf;
	/* NULL: nothing can be counted, or the driver does it by itself */
	struct drmperf_device *device;
	bool has_clock_modes;
	bool streams, streams_looked_for; /* under the instance's lock */
	struct gpa_tracing tracing;
	struct drmperf_hardware hardware;
	struct gpa_blocks blocks;
};

/*
 * Return the GPU that serves a physical device, looked up once; NULL: none
 * does. It lives as long as the instance.
 */
struct gpa_gpu *
gpa_gpu_of(struct gpa_instance *instance, VkPhysicalDevice physical);

/*
 * Return whether it streams counters. Sets maxStreamingCounters of its blocks,
 * the first time: that takes milliseconds, which programs that never ask save.
 */
bool
gpa_gpu_streams(struct gpa_instance *instance, struct gpa_gpu *gpu);

#define GPA_ADDRESS_SIZE 32

/*
 * Write the PCI address that the driver reports to address, or "" if it reports
 * none.
 */
void
gpa_gpu_address(struct gpa_instance *instance, VkPhysicalDevice physical,
		char address[GPA_ADDRESS_SIZE]);

/*
 * List the driver's extensions. Returns VK_INCOMPLETE as Vulkan has it; the
 * caller frees *out.
 */
VkResult
gpa_gpu_driver_extensions(struct gpa_instance *instance,
			  VkPhysicalDevice physical,
			  VkExtensionProperties **out, uint32_t *count);
/* Return whether the driver has the extension itself. */
bool
gpa_gpu_driver_has_extension(struct gpa_instance *instance,
			     VkPhysicalDevice physical);
bool
gpa_gpu_is_extension(const char *name);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_GPU_H */
