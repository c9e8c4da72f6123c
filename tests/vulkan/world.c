/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/vulkan/world.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/check.h"

#define MOST 64
#define HOST_WAITS "VUID-vkSetEvent-event-09543"
#define RENDERING_FEATURES                                                     \
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES
#define SYNCHRONIZATION_FEATURES                                               \
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES
#define TIMELINE_FEATURES                                                      \
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES
#define IMAGELESS_FEATURES                                                     \
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES
#define PRIVATE_DATA_FEATURES                                                  \
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES

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

/* ------------------------------------------------------------------ */
/* Before                                                               */

void
world_set_environment(void)
{
	const char *build = getenv("BUILD_DIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/share/vulkan/explicit_layer.d",
		 build ? build : "build");
	setenv("VK_ADD_LAYER_PATH", path, 1);
	setenv("VK_LOADER_DRIVERS_SELECT", "*lvp*,*radeon*", 1);
	setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
	setenv("DRMPERF_VK_DEADLINE", WORLD_DEADLINE_MS, 1);
	unsetenv("DRMPERF_VK_CUT_PASSES");
}

void
world_keep_drivers(void)
{
	static const char *const drivers[] = { "libvulkan_lvp.so",
					       "libvulkan_radeon.so" };

	for (unsigned i = 0; i < ARRAY_SIZE(drivers); i++)
		dlopen(drivers[i], RTLD_NOW | RTLD_NODELETE);
}

static void
must_succeed(VkResult result)
{
	ck_assert_int_eq(result, VK_SUCCESS);
}

/* ------------------------------------------------------------------ */
/* Instance                                                             */

static VKAPI_ATTR VkBool32 VKAPI_CALL
complain_of(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	    VkDebugUtilsMessageTypeFlagsEXT types,
	    const VkDebugUtilsMessengerCallbackDataEXT *data, void *user_data)
{
	struct world *world = user_data;

	(void)types;
	if (!(severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT))
		return VK_FALSE;
	if (data->pMessageIdName && !strcmp(data->pMessageIdName, HOST_WAITS)) {
		world->waits++;
		return VK_FALSE;
	}
	world->complaints++;
	/* some list all that there is */
	fprintf(stderr, "%.400s\n", data->pMessage);
	return VK_FALSE;
}

static bool
has_validation(void)
{
	VkLayerProperties layers[MOST];
	uint32_t count = MOST;

	vkEnumerateInstanceLayerProperties(&count, layers);
	for (uint32_t i = 0; i < count; i++) {
		if (!strcmp(layers[i].layerName, "VK_LAYER_KHRONOS_validation"))
			return true;
	}
	return false;
}

static void
create_instance(struct world *world, bool is_validated)
{
	static const char *const layers[] = { "VK_LAYER_DRMPERF_gpa",
					      "VK_LAYER_KHRONOS_validation" };
	static const char *const extensions[] = {
		VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME,
		VK_EXT_DEBUG_UTILS_EXTENSION_NAME
	};
	/* no memory but ours is what valgrind is to look at */
	const bool validates =
		is_validated && !getenv("VALGRIND") && has_validation();
	const VkDebugUtilsMessengerCreateInfoEXT messenger = {
		.sType =
			VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity =
			VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
		.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
		.pfnUserCallback = complain_of,
		.pUserData = world,
	};
	const VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_1,
	};
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pNext = validates ? &messenger : NULL,
		.pApplicationInfo = &application,
		.enabledLayerCount = validates ? 2 : 1,
		.ppEnabledLayerNames = layers,
		.enabledExtensionCount = 2,
		.ppEnabledExtensionNames = extensions,
	};
	PFN_vkCreateDebugUtilsMessengerEXT create;
	VkDebugUtilsMessengerEXT handle;

	must_succeed(vkCreateInstance(&info, NULL, &world->instance));
	if (!validates)
		return;
	create = (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(
		world->instance, "vkCreateDebugUtilsMessengerEXT");
	must_succeed(create(world->instance, &messenger, NULL, &handle));
	world->messenger = handle;
}

bool
world_choose(struct world *world, VkPhysicalDeviceType type, unsigned number)
{
	VkPhysicalDevice list[MOST];
	uint32_t count = MOST;

	ck_assert_int_ge(
		vkEnumeratePhysicalDevices(world->instance, &count, list), 0);
	for (uint32_t i = 0; i < count; i++) {
		VkPhysicalDeviceProperties properties;

		vkGetPhysicalDeviceProperties(list[i], &properties);
		if (properties.deviceType != type || number--)
			continue;
		world->physical = list[i];
		return true;
	}
	return false;
}

bool
world_begin(struct world *world, VkPhysicalDeviceType type, bool is_validated)
{
	memset(world, 0, sizeof(*world));
	create_instance(world, is_validated);
	if (world_choose(world, type, 0))
		return true;
	world_end(world);
	return false;
}

bool
world_has_extension(const struct world *world)
{
	VkExtensionProperties list[4 * MOST];
	uint32_t count = 4 * MOST;

	must_succeed(vkEnumerateDeviceExtensionProperties(world->physical, NULL,
							  &count, list));
	for (uint32_t i = 0; i < count; i++) {
		if (!strcmp(list[i].extensionName,
			    VK_AMD_GPA_INTERFACE_EXTENSION_NAME))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------ */
/* Device                                                               */

static void
choose_family(struct world *world, VkQueueFlags flags, VkQueueFlags unwanted)
{
	VkQueueFamilyProperties list[MOST];
	uint32_t count = MOST, i = 0;

	vkGetPhysicalDeviceQueueFamilyProperties(world->physical, &count, list);
	while (i < count && ((list[i].queueFlags & flags) != flags ||
			     list[i].queueFlags & unwanted))
		i++;
	ck_assert_uint_lt(i, count);
	world->family = i;
	world->flags = list[i].queueFlags;
}

static void
create_device(struct world *world)
{
	static const char *const extensions[] = {
		VK_AMD_GPA_INTERFACE_EXTENSION_NAME,
		/* this one needs the next two */
		VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME,
		VK_KHR_DEPTH_STENCIL_RESOLVE_EXTENSION_NAME,
		VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME,
		VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME,
		VK_EXT_PRIVATE_DATA_EXTENSION_NAME,
		/* this one needs the next one */
		VK_KHR_IMAGELESS_FRAMEBUFFER_EXTENSION_NAME,
		VK_KHR_IMAGE_FORMAT_LIST_EXTENSION_NAME,
		VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
	};
	VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
		.sType = TIMELINE_FEATURES,
		.timelineSemaphore = VK_TRUE,
	};
	VkPhysicalDevicePrivateDataFeatures private_data = {
		.sType = PRIVATE_DATA_FEATURES,
		.pNext = &timeline,
		.privateData = VK_TRUE,
	};
	VkPhysicalDeviceSynchronization2Features synchronization = {
		.sType = SYNCHRONIZATION_FEATURES,
		.pNext = &private_data,
		.synchronization2 = VK_TRUE,
	};
	VkPhysicalDeviceDynamicRenderingFeatures rendering = {
		.sType = RENDERING_FEATURES,
		.pNext = &synchronization,
		.dynamicRendering = VK_TRUE,
	};
	VkPhysicalDeviceMultiviewFeatures multiview = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
		.pNext = &rendering,
		.multiview = VK_TRUE,
	};
	VkPhysicalDeviceImagelessFramebufferFeatures imageless = {
		.sType = IMAGELESS_FEATURES,
		.pNext = &multiview,
		.imagelessFramebuffer = VK_TRUE,
	};
	VkPhysicalDeviceGpaFeaturesAMD features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD,
		.pNext = &imageless,
		.perfCounters = VK_TRUE,
		.clockModes = VK_TRUE,
	};
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueFamilyIndex = world->family,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &features,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.enabledExtensionCount = ARRAY_SIZE(extensions),
		.ppEnabledExtensionNames = extensions,
	};

	must_succeed(
		vkCreateDevice(world->physical, &info, NULL, &world->device));
	vkGetDeviceQueue(world->device, world->family, 0, &world->queue);
#define X(name)                                                                \
	world->name = (PFN_vk##name##AMD)vkGetDeviceProcAddr(                  \
		world->device, "vk" #name "AMD");                              \
	ck_assert_msg(world->name, "vk" #name "AMD");
	GPA_COMMANDS(X)
#undef X
}

static void
create_pipeline(struct world *world)
{
	const VkShaderModuleCreateInfo module = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof(shader),
		.pCode = shader,
	};
	const VkPipelineLayoutCreateInfo layout = {
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

	must_succeed(vkCreateShaderModule(world->device, &module, NULL,
					  &info.stage.module));
	must_succeed(vkCreatePipelineLayout(world->device, &layout, NULL,
					    &world->layout));
	info.layout = world->layout;
	must_succeed(vkCreateComputePipelines(world->device, VK_NULL_HANDLE, 1,
					      &info, NULL, &world->pipeline));
	vkDestroyShaderModule(world->device, info.stage.module, NULL);
}

void
world_open(struct world *world, VkQueueFlags flags, VkQueueFlags unwanted)
{
	VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
	};

	choose_family(world, flags, unwanted);
	create_device(world);
	create_pipeline(world);
	pool.queueFamilyIndex = world->family;
	must_succeed(
		vkCreateCommandPool(world->device, &pool, NULL, &world->pool));
}

/* Destroy what tests have left to the world. */
static void
destroy_kept(struct world *world)
{
	while (world->session_count > 0)
		world->DestroyGpaSession(
			world->device, world->sessions[--world->session_count],
			NULL);
	while (world->event_count > 0)
		vkDestroyEvent(world->device,
			       world->events[--world->event_count], NULL);
}

void
world_end(struct world *world)
{
	PFN_vkDestroyDebugUtilsMessengerEXT destroy;

	if (world->device) {
		vkDeviceWaitIdle(world->device);
		destroy_kept(world);
		vkDestroyCommandPool(world->device, world->pool, NULL);
		vkDestroyPipeline(world->device, world->pipeline, NULL);
		vkDestroyPipelineLayout(world->device, world->layout, NULL);
		vkDestroyDevice(world->device, NULL);
	}
	if (world->messenger) {
		destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)
			vkGetInstanceProcAddr(
				world->instance,
				"vkDestroyDebugUtilsMessengerEXT");
		destroy(world->instance, world->messenger, NULL);
	}
	vkDestroyInstance(world->instance, NULL);
	ck_assert_uint_eq(world->complaints, 0);
	ck_assert_msg(!world->waits || world->has_waits,
		      "the host set an event, and no command waits for it");
}

/* ------------------------------------------------------------------ */
/* Commands                                                             */

VkCommandBuffer
world_commands(const struct world *world, VkCommandBufferLevel level)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = world->pool,
		.level = level,
		.commandBufferCount = 1,
	};
	VkCommandBuffer commands;

	must_succeed(vkAllocateCommandBuffers(world->device, &info, &commands));
	return commands;
}

VkCommandBuffer
world_record(const struct world *world)
{
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};
	VkCommandBuffer commands =
		world_commands(world, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	must_succeed(vkBeginCommandBuffer(commands, &begin));
	world_act(commands);
	return commands;
}

void
world_act(VkCommandBuffer commands)
{
	const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

	vkCmdPipelineBarrier(commands, all, all, 0, 0, NULL, 0, NULL, 0, NULL);
}

static VkResult
submit_commands(const struct world *world, VkCommandBuffer commands)
{
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &commands,
	};
	const VkCommandBufferSubmitInfo list = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
		.commandBuffer = commands,
	};
	const VkSubmitInfo2 info2 = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.commandBufferInfoCount = 1,
		.pCommandBufferInfos = &list,
	};

	world_act(commands);
	must_succeed(vkEndCommandBuffer(commands));
	return world->submit2
		       ? world->submit2(world->queue, 1, &info2, VK_NULL_HANDLE)
		       : vkQueueSubmit(world->queue, 1, &info, VK_NULL_HANDLE);
}

void
world_submit(const struct world *world, VkCommandBuffer commands)
{
	must_succeed(submit_commands(world, commands));
}

static void *
submit_in_thread(void *data)
{
	struct world *world = data;

	world->submit_result = submit_commands(world, world->submitted);
	return NULL;
}

void
world_submit_beside(struct world *world, VkCommandBuffer commands)
{
	world->submitted = commands;
	ck_assert_int_eq(pthread_create(&world->submitter, NULL,
					submit_in_thread, world),
			 0);
}

VkResult
world_join(struct world *world)
{
	ck_assert_int_eq(pthread_join(world->submitter, NULL), 0);
	return world->submit_result;
}

void
world_wait(struct world *world)
{
	must_succeed(world_join(world));
	must_succeed(vkQueueWaitIdle(world->queue));
}

void
world_run(const struct world *world, VkCommandBuffer commands)
{
	world_submit(world, commands);
	must_succeed(vkQueueWaitIdle(world->queue));
}

void
world_dispatch(const struct world *world, VkCommandBuffer commands,
	       uint32_t groups)
{
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
			  world->pipeline);
	vkCmdDispatch(commands, groups, 1, 1);
}

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

VkGpaSessionAMD
world_copy_session(struct world *world, VkGpaSessionAMD source)
{
	const VkGpaSessionCreateInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SESSION_CREATE_INFO_AMD,
		.secondaryCopySource = source,
	};
	VkGpaSessionAMD session = VK_NULL_HANDLE;

	must_succeed(
		world->CreateGpaSession(world->device, &info, NULL, &session));
	ck_assert(session != VK_NULL_HANDLE);
	ck_assert_uint_lt(world->session_count, WORLD_SESSIONS);
	world->sessions[world->session_count++] = session;
	return session;
}

VkGpaSessionAMD
world_session(struct world *world)
{
	return world_copy_session(world, VK_NULL_HANDLE);
}

void
world_destroy_session(struct world *world, VkGpaSessionAMD session)
{
	for (unsigned i = 0; i < world->session_count; i++)
		if (world->sessions[i] == session)
			world->sessions[i] = VK_NULL_HANDLE;
	world->DestroyGpaSession(world->device, session, NULL);
}

uint32_t
world_sample(struct world *world, VkCommandBuffer commands,
	     VkGpaSessionAMD session, const VkGpaPerfCounterAMD *counters,
	     uint32_t count)
{
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_CUMULATIVE_AMD,
		.perfCounterCount = count,
		.pPerfCounters = counters,
	};
	uint32_t id = UINT32_MAX;

	must_succeed(world->CmdBeginGpaSample(commands, session, &info, &id));
	return id;
}

void
world_results(const struct world *world, VkGpaSessionAMD session, uint32_t id,
	      uint64_t *values, size_t count)
{
	size_t size = 0;

	must_succeed(world->GetGpaSessionStatus(world->device, session));
	must_succeed(world->GetGpaSessionResults(world->device, session, id,
						 &size, NULL));
	ck_assert_uint_eq(size, count * sizeof(*values));
	must_succeed(world->GetGpaSessionResults(world->device, session, id,
						 &size, values));
	ck_assert_uint_eq(size, count * sizeof(*values));
}

/* ------------------------------------------------------------------ */
/* Gates                                                                */

void
gate_create(struct world *world, struct gate *gate)
{
	const VkEventCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
	};

	world->has_waits = true;
	must_succeed(vkCreateEvent(world->device, &info, NULL, &gate->reached));
	must_succeed(vkCreateEvent(world->device, &info, NULL, &gate->left));
	ck_assert_uint_le(world->event_count + 2, WORLD_EVENTS);
	world->events[world->event_count++] = gate->reached;
	world->events[world->event_count++] = gate->left;
}

void
gate_record(const struct gate *gate, VkCommandBuffer commands)
{
	const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

	vkCmdSetEvent(commands, gate->reached, all);
	vkCmdWaitEvents(commands, 1, &gate->left, VK_PIPELINE_STAGE_HOST_BIT,
			all, 0, NULL, 0, NULL, 0, NULL);
}

void
gate_wait(const struct world *world, const struct gate *gate)
{
	const struct timespec nap = { .tv_nsec = 100000 };

	while (vkGetEventStatus(world->device, gate->reached) == VK_EVENT_RESET)
		/* until the device has got there */
		nanosleep(&nap, NULL);
}

void
gate_open(const struct world *world, const struct gate *gate)
{
	must_succeed(vkSetEvent(world->device, gate->left));
}
