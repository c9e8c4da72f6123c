/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/peers/vulkan_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LAYERS 8

/* void main() {} with local_size_x = 64, in SPIR-V 1.0 */
static const uint32_t shader[] = {
	0x07230203, 0x00010000, 0,
	5,	    0, /* magic, version, -, bound, - */
	0x00020011, 1, /* OpCapability Shader */
	0x0003000e, 0,		1, /* OpMemoryModel Logical GLSL450 */
	0x0005000f, 5,		3,
	0x6e69616d, 0, /* OpEntryPoint GLCompute %3 "main" */
	0x00060010, 3,		17,
	64,	    1,		1, /* OpExecutionMode %3 LocalSize 64 */
	0x00020013, 1, /* %1 = OpTypeVoid */
	0x00030021, 2,		1, /* %2 = OpTypeFunction %1 */
	0x00050036, 1,		3,
	0,	    2, /* %3 = OpFunction %1 None %2 */
	0x000200f8, 4, /* %4 = OpLabel */
	0x000100fd, /* OpReturn */
	0x00010038, /* OpFunctionEnd */
};

void
vulkan_check(const char *what, VkResult result)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
	exit(1);
}

/* Enable the layers of VULKAN_LAYERS, the first of them uppermost. */
static void
enable_layers(VkInstanceCreateInfo *info)
{
	static const char *layers[MOST_LAYERS];
	static char list[1000];
	char *at = list, *layer;

	snprintf(list, sizeof(list), "%s",
		 getenv("VULKAN_LAYERS") ? getenv("VULKAN_LAYERS") : "");
	while (info->enabledLayerCount < MOST_LAYERS &&
	       (layer = strsep(&at, ":"))) {
		if (*layer)
			layers[info->enabledLayerCount++] = layer;
	}
	info->ppEnabledLayerNames = layers;
}

/* Choose a GPU that is no program, or an exit. */
static void
choose_gpu(struct vulkan_program *program)
{
	VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_1,
	};
	VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &application,
	};
	VkPhysicalDevice gpus[16];
	uint32_t count = sizeof(gpus) / sizeof(gpus[0]);
	VkPhysicalDeviceProperties properties;
	const char *text = getenv("VULKAN_GPU");
	int skip = text ? atoi(text) : 0;
	uint32_t i;

	enable_layers(&info);
	if (vkCreateInstance(&info, NULL, &program->instance) != VK_SUCCESS)
		exit(2);
	if (vkEnumeratePhysicalDevices(program->instance, &count, gpus) < 0)
		exit(2);
	for (i = 0; i < count; i++) {
		vkGetPhysicalDeviceProperties(gpus[i], &properties);
		if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ||
		    skip-- > 0)
			continue;
		program->gpu = gpus[i];
		printf("%s\n", properties.deviceName);
		return;
	}
	exit(2);
}

static void
choose_queue(struct vulkan_program *program)
{
	VkQueueFamilyProperties families[16];
	uint32_t count = sizeof(families) / sizeof(families[0]);
	uint32_t i;

	vkGetPhysicalDeviceQueueFamilyProperties(program->gpu, &count,
						 families);
	for (i = 0; i < count; i++) {
		if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
			program->family = i;
			return;
		}
	}
	exit(2);
}

static void
create_device(struct vulkan_program *program, const char *const *extensions,
	      uint32_t extension_count, const void *features)
{
	float priority = 1;
	VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueFamilyIndex = program->family,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.enabledExtensionCount = extension_count,
		.ppEnabledExtensionNames = extensions,
		.pNext = features,
	};
	VkResult result =
		vkCreateDevice(program->gpu, &info, NULL, &program->device);

	if (result == VK_ERROR_EXTENSION_NOT_PRESENT ||
	    result == VK_ERROR_FEATURE_NOT_PRESENT)
		exit(2);
	vulkan_check("vkCreateDevice", result);
	vkGetDeviceQueue(program->device, program->family, 0, &program->queue);
}

static void
create_pipeline(struct vulkan_program *program)
{
	VkShaderModuleCreateInfo module_info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof(shader),
		.pCode = shader,
	};
	VkPipelineLayoutCreateInfo layout_info = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
	};
	VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {
			.sType =
			VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.pName = "main",
		},
	};

	vulkan_check("vkCreateShaderModule",
		     vkCreateShaderModule(program->device, &module_info, NULL,
					  &info.stage.module));
	vulkan_check("vkCreatePipelineLayout",
		     vkCreatePipelineLayout(program->device, &layout_info, NULL,
					    &program->layout));
	info.layout = program->layout;
	vulkan_check("vkCreateComputePipelines",
		     vkCreateComputePipelines(program->device, VK_NULL_HANDLE,
					      1, &info, NULL,
					      &program->pipeline));
	vkDestroyShaderModule(program->device, info.stage.module, NULL);
}

static void
create_commands(struct vulkan_program *program)
{
	VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.queueFamilyIndex = program->family,
	};
	VkCommandBufferAllocateInfo allocate = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};

	vulkan_check("vkCreateCommandPool",
		     vkCreateCommandPool(program->device, &pool, NULL,
					 &program->pool));
	allocate.commandPool = program->pool;
	vulkan_check("vkAllocateCommandBuffers",
		     vkAllocateCommandBuffers(program->device, &allocate,
					      &program->commands));
}

void
vulkan_create(struct vulkan_program *program, const char *const *extensions,
	      uint32_t extension_count, const void *features)
{
	*program = (struct vulkan_program){ 0 };
	choose_gpu(program);
	choose_queue(program);
	create_device(program, extensions, extension_count, features);
	create_pipeline(program);
	create_commands(program);
}

void
vulkan_destroy(struct vulkan_program *program)
{
	vkDestroyCommandPool(program->device, program->pool, NULL);
	vkDestroyPipeline(program->device, program->pipeline, NULL);
	vkDestroyPipelineLayout(program->device, program->layout, NULL);
	vkDestroyDevice(program->device, NULL);
	vkDestroyInstance(program->instance, NULL);
}

void
vulkan_begin(struct vulkan_program *program)
{
	VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};

	vulkan_check("vkBeginCommandBuffer",
		     vkBeginCommandBuffer(program->commands, &begin));
}

void
vulkan_dispatch(struct vulkan_program *program, const char *groups,
		const char *dispatches)
{
	unsigned long left = strtoul(dispatches, NULL, 10);

	vkCmdBindPipeline(program->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
			  program->pipeline);
	while (left--)
		vkCmdDispatch(program->commands,
			      (uint32_t)strtoul(groups, NULL, 10), 1, 1);
}

void
vulkan_end(struct vulkan_program *program)
{
	vulkan_check("vkEndCommandBuffer",
		     vkEndCommandBuffer(program->commands));
}

void
vulkan_submit(const struct vulkan_program *program, const void *next)
{
	VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = next,
		.commandBufferCount = 1,
		.pCommandBuffers = &program->commands,
	};

	vulkan_check("vkQueueSubmit",
		     vkQueueSubmit(program->queue, 1, &info, VK_NULL_HANDLE));
	vulkan_check("vkQueueWaitIdle", vkQueueWaitIdle(program->queue));
}
