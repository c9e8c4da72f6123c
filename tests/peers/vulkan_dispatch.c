/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Vulkan program for the test of radv: on the first GPU it submits a number
 * of dispatches of an empty compute shader with 64 threads per work group.
 *
 * usage: vulkan_dispatch GROUPS DISPATCHES
 *
 * Ends with 0; 1 if Vulkan failed (told on standard error); 2 if there is no
 * Vulkan device.
 */
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

struct program {
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

static void
check(const char *what, VkResult result)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "%s: VkResult %d\n", what, (int)result);
	exit(1);
}

/* The first GPU that is no program, or an exit. */
static void
choose_gpu(struct program *program)
{
	VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
	};
	VkPhysicalDevice gpus[16];
	uint32_t count = sizeof(gpus) / sizeof(gpus[0]);
	VkPhysicalDeviceProperties properties;
	uint32_t i;

	if (vkCreateInstance(&info, NULL, &program->instance) != VK_SUCCESS)
		exit(2);
	if (vkEnumeratePhysicalDevices(program->instance, &count, gpus) < 0)
		exit(2);
	for (i = 0; i < count; i++) {
		vkGetPhysicalDeviceProperties(gpus[i], &properties);
		if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
			continue;
		program->gpu = gpus[i];
		printf("%s\n", properties.deviceName);
		return;
	}
	exit(2);
}

static void
choose_queue(struct program *program)
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
create_device(struct program *program)
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
	};

	check("vkCreateDevice",
	      vkCreateDevice(program->gpu, &info, NULL, &program->device));
	vkGetDeviceQueue(program->device, program->family, 0, &program->queue);
}

static void
create_pipeline(struct program *program)
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

	check("vkCreateShaderModule",
	      vkCreateShaderModule(program->device, &module_info, NULL,
				   &info.stage.module));
	check("vkCreatePipelineLayout",
	      vkCreatePipelineLayout(program->device, &layout_info, NULL,
				     &program->layout));
	info.layout = program->layout;
	check("vkCreateComputePipelines",
	      vkCreateComputePipelines(program->device, VK_NULL_HANDLE, 1,
				       &info, NULL, &program->pipeline));
	vkDestroyShaderModule(program->device, info.stage.module, NULL);
}

static void
record(struct program *program, uint32_t groups, uint32_t dispatches)
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
	VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};

	check("vkCreateCommandPool", vkCreateCommandPool(program->device, &pool,
							 NULL, &program->pool));
	allocate.commandPool = program->pool;
	check("vkAllocateCommandBuffers",
	      vkAllocateCommandBuffers(program->device, &allocate,
				       &program->commands));
	check("vkBeginCommandBuffer",
	      vkBeginCommandBuffer(program->commands, &begin));
	vkCmdBindPipeline(program->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
			  program->pipeline);
	while (dispatches--)
		vkCmdDispatch(program->commands, groups, 1, 1);
	check("vkEndCommandBuffer", vkEndCommandBuffer(program->commands));
}

static void
submit(struct program *program)
{
	VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &program->commands,
	};

	check("vkQueueSubmit",
	      vkQueueSubmit(program->queue, 1, &info, VK_NULL_HANDLE));
	check("vkQueueWaitIdle", vkQueueWaitIdle(program->queue));
}

static void
clean_up(struct program *program)
{
	vkDestroyCommandPool(program->device, program->pool, NULL);
	vkDestroyPipeline(program->device, program->pipeline, NULL);
	vkDestroyPipelineLayout(program->device, program->layout, NULL);
	vkDestroyDevice(program->device, NULL);
	vkDestroyInstance(program->instance, NULL);
}

int
main(int argc, char **argv)
{
	struct program program = { 0 };

	if (argc != 3) {
		fprintf(stderr, "usage: vulkan_dispatch GROUPS DISPATCHES\n");
		return 1;
	}
	choose_gpu(&program);
	choose_queue(&program);
	create_device(&program);
	create_pipeline(&program);
	record(&program, (uint32_t)strtoul(argv[1], NULL, 10),
	       (uint32_t)strtoul(argv[2], NULL, 10));
	submit(&program);
	clean_up(&program);
	return 0;
}
