/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device of Vulkan, and what is behind the layer there.
 */
#ifndef DRMPERF_COMPONENTS_VULKAN_GPA_DEVICE_H
#define DRMPERF_COMPONENTS_VULKAN_GPA_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <vulkan/vk_layer.h>

#include "gpa_acting_list.h"
#include "gpa_gpu.h"
#include "gpa_instance.h"
#include "gpa_map.h"
#include "gpa_state_list.h"

/* Functions of the next layer, or of the driver; NULL: it has none. */
#define GPA_DEVICE_FUNCTIONS(X)                                                \
	X(DestroyDevice)                                                       \
	X(CreateCommandPool)                                                   \
	X(DestroyCommandPool)                                                  \
	X(ResetCommandPool)                                                    \
	X(AllocateCommandBuffers)                                              \
	X(FreeCommandBuffers)                                                  \
	X(BeginCommandBuffer)                                                  \
	X(EndCommandBuffer)                                                    \
	X(ResetCommandBuffer)                                                  \
	X(CreateRenderPass)                                                    \
	X(CreateRenderPass2)                                                   \
	X(DestroyRenderPass)                                                   \
	X(CmdExecuteCommands)                                                  \
	X(CmdBeginRenderPass)                                                  \
	X(CmdEndRenderPass)                                                    \
	X(CmdBeginRenderPass2)                                                 \
	X(CmdEndRenderPass2)                                                   \
	X(CmdBeginRendering)                                                   \
	X(CmdEndRendering)                                                     \
	X(CreateDescriptorUpdateTemplate)                                      \
	X(DestroyDescriptorUpdateTemplate)                                     \
	X(SetDebugUtilsObjectNameEXT)                                          \
	X(SetDebugUtilsObjectTagEXT)                                           \
	X(DebugMarkerSetObjectNameEXT)                                         \
	X(DebugMarkerSetObjectTagEXT)                                          \
	X(SetPrivateData)                                                      \
	X(GetPrivateData)                                                      \
	X(DestroyPrivateDataSlot)                                              \
	X(QueuePresentKHR)                                                     \
	X(QueueSubmit)                                                         \
	X(QueueSubmit2)                                                        \
	X(CreateFence)                                                         \
	X(DestroyFence)                                                        \
	X(GetFenceStatus)                                                      \
	X(WaitForFences)                                                       \
	X(ResetFences)                                                         \
	X(CreateQueryPool)                                                     \
	X(DestroyQueryPool)                                                    \
	X(GetQueryPoolResults)

/* What became part of Vulkan is the same under both names. */
#define GPA_DEVICE_ALIASES(X)                                                  \
	X(CreateRenderPass2KHR, CreateRenderPass2)                             \
	X(CmdBeginRenderPass2KHR, CmdBeginRenderPass2)                         \
	X(CmdEndRenderPass2KHR, CmdEndRenderPass2)                             \
	X(CmdBeginRenderingKHR, CmdBeginRendering)                             \
	X(CmdEndRenderingKHR, CmdEndRendering)                                 \
	X(CreateDescriptorUpdateTemplateKHR, CreateDescriptorUpdateTemplate)   \
	X(DestroyDescriptorUpdateTemplateKHR, DestroyDescriptorUpdateTemplate) \
	X(SetPrivateDataEXT, SetPrivateData)                                   \
	X(GetPrivateDataEXT, GetPrivateData)                                   \
	X(DestroyPrivateDataSlotEXT, DestroyPrivateDataSlot)                   \
	X(QueueSubmit2KHR, QueueSubmit2)

struct gpa_device_functions {
	PFN_vkGetDeviceProcAddr GetDeviceProcAddr;
#define X(name) PFN_vk##name name;
	GPA_DEVICE_FUNCTIONS(X)
#undef X
#define X(name, parameters, arguments) PFN_vk##name name;
	GPA_ACTING(X)
#undef X
#define X(name, ...) PFN_vk##name name;
	GPA_STATE(X) GPA_TEMPLATES(X) GPA_FOREIGN(X) GPA_LABELS(X)
#undef X
};

/* A function of the layer by its name. */
struct gpa_function {
	const char *name;
	PFN_vkVoidFunction function;
};

/* Return the function of this name in a list, an array, or NULL. */
#define GPA_FUNCTION_FIND(list, name)                                          \
	gpa_function_find(list, sizeof(list) / sizeof((list)[0]), name)

PFN_vkVoidFunction
gpa_function_find(const struct gpa_function *list, size_t count,
		  const char *name);

struct gpa_submission;
struct gpa_trace;
struct gpa_capture;

struct gpa_device {
	VkDevice handle;
	struct gpa_device_functions next;
	/* NULL: the extension is not enabled, all goes to the driver */
	struct gpa_gpu *gpu;
	char address[GPA_ADDRESS_SIZE]; /* for marks of frames; "": unknown */
	VkQueueFamilyProperties *families;
	uint32_t family_count;
	struct gpa_map pools; /* struct gpa_pool, by VkCommandPool */
	struct gpa_map commands; /* struct gpa_commands, by VkCommandBuffer */
	struct gpa_map passes; /* struct gpa_pass, by VkRenderPass */
	struct gpa_map templates; /* by VkDescriptorUpdateTemplate */
	bool cuts_passes; /* the user has asked for that */
	struct gpa_capture *capture; /* of a frame, if that is asked for */
	/*
	 * Guards all that follows, and sessions with what they hold; ended is
	 * signalled when a submission has ended.
	 */
	pthread_mutex_t lock;
	pthread_cond_t ended;
	struct gpa_submission *submissions;
	struct gpa_trace *trace; /* that runs, or NULL */
	struct drmperf_clock_hold *clocks; /* NULL: none is held */
	enum drmperf_clock_mode clock_mode; /* of clocks */
	struct gpa_session *sessions; /* all that the application has */
	/* a command that may act without being seen, in unknown_command */
	atomic_bool has_unknown_command;
	char unknown_command[64];
	/* the same of one that sets state that is not kept */
	atomic_bool has_unknown_state;
	char unknown_state[64];
	/* some command buffer was cut */
	atomic_bool has_cuts;
	/* for command buffers of the layer's own; NULL: there are to be none */
	PFN_vkSetDeviceLoaderData set_loader_data;
};

/*
 * Return the device of a handle of it, of its queues and its command buffers.
 */
struct gpa_device *
gpa_device_of(void *handle);

/* Register the device for gpa_device_of(). Returns 0, or -ENOMEM. */
int
gpa_device_add(struct gpa_device *device);
/* Return the device, which is no longer found. */
struct gpa_device *
gpa_device_take(VkDevice handle);

#endif /* DRMPERF_COMPONENTS_VULKAN_GPA_DEVICE_H */
