/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the Vulkan programs for the test of radv share: the first GPU, or the
 * one that is VULKAN_GPU behind it, below the layers of VULKAN_LAYERS, and a
 * command buffer with dispatches of an empty compute shader with 64 threads per
 * work group. What fails is reported on standard error and ends the program
 * with 1; a missing device or extension ends it with 2.
 */
#ifndef DRMPERF_TESTS_PEERS_VULKAN_PROGRAM_H
#define DRMPERF_TESTS_PEERS_VULKAN_PROGRAM_H

#include <vulkan/vulkan.h>

struct vulkan_program {
	VkInstance instance;
	VkPhysicalDevice gpu;
	VkDevice device;
	VkQueue queue;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkCommandPool pool;
	VkCommandBuffer commands;
	uint32_t family;
};

/*
 * Create everything but the commands; features: what pNext of the device gets.
 */
void
vulkan_create(struct vulkan_program *program, const char *const *extensions,
	      uint32_t extension_count, const void *features);
void
vulkan_destroy(struct vulkan_program *program);
void
vulkan_check(const char *what, VkResult result);

void
vulkan_begin(struct vulkan_program *program);
/* Dispatch by numbers as the user wrote them. */
void
vulkan_dispatch(struct vulkan_program *program, const char *groups,
		const char *dispatches);
void
vulkan_end(struct vulkan_program *program);
/* Submit the commands, with next as pNext, and wait. */
void
vulkan_submit(const struct vulkan_program *program, const void *next);

#endif /* DRMPERF_TESTS_PEERS_VULKAN_PROGRAM_H */
