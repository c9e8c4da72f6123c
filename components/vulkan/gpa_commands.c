/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_commands.h"

#include <errno.h>
#include <stdlib.h>

#include "gpa_job.h"
#include "gpa_tell.h"

/* Engines that wait for events; those that only copy do not. */
#define SYNC_QUEUES (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)

struct gpa_pool {
	uint32_t family;
};

struct gpa_commands *
gpa_commands_of(struct gpa_device *device, VkCommandBuffer handle)
{
	return gpa_map_get(&device->commands, GPA_KEY(handle));
}

/* ------------------------------------------------------------------ */
/* Steps                                                                */

/* The device no longer executes them, say Vulkan's rules. */
static void
forget_steps(struct gpa_commands *commands)
{
	gpa_job_wait_for(commands);
	for (size_t i = 0; i < commands->count; i++) {
		gpa_session_release(commands->steps[i].session);
		gpa_sample_release(commands->steps[i].sample);
	}
	free(commands->steps);
	commands->steps = NULL;
	commands->count = 0;
	gpa_counters_finish(&commands->counted);
	commands->syncs_used = 0;
	commands->in_render_pass = false;
	commands->suspends = false;
	commands->is_incomplete = false;
}

int
gpa_commands_add(struct gpa_commands *commands, const struct gpa_step *step)
{
	struct gpa_step *steps = reallocarray(
		commands->steps, commands->count + 1, sizeof(*steps));

	if (!steps)
		return -ENOMEM;
	if (step->session)
		gpa_session_hold(step->session);
	if (step->sample)
		gpa_sample_hold(step->sample);
	commands->steps = steps;
	commands->steps[commands->count++] = *step;
	return 0;
}

/* ------------------------------------------------------------------ */
/* Synchronization with the host                                        */

static void
destroy_sync(const struct gpa_device *device, const struct gpa_sync *sync)
{
	device->next.DestroyEvent(device->handle, sync->reached, NULL);
	device->next.DestroyEvent(device->handle, sync->released, NULL);
}

static VkResult
create_sync(const struct gpa_device *device, struct gpa_sync *out)
{
	const VkEventCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
	};
	const PFN_vkCreateEvent create = device->next.CreateEvent;
	struct gpa_sync sync = { VK_NULL_HANDLE, VK_NULL_HANDLE };
	VkResult result = create(device->handle, &info, NULL, &sync.reached);

	if (result == VK_SUCCESS)
		result = create(device->handle, &info, NULL, &sync.released);
	if (result == VK_SUCCESS)
		*out = sync;
	else
		destroy_sync(device, &sync);
	return result;
}

/* Which events the next one has. */
static size_t
place_of_next(const struct gpa_commands *commands)
{
	const size_t used = commands->syncs_used;

	return used ? 1 + (used - 1) % (GPA_SYNCS - 1) : 0;
}

VkResult
gpa_commands_can_sync(struct gpa_commands *commands, const char *where)
{
	VkResult result = VK_SUCCESS;

	if (commands->in_render_pass)
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "inside of a render pass the host cannot "
				  "read counters in time; begin and end "
				  "samples outside of it");
	if (!(commands->flags & SYNC_QUEUES))
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "queues of this family cannot wait while "
				  "the host reads counters");
	if (place_of_next(commands) < commands->sync_count)
		return VK_SUCCESS;
	result = create_sync(commands->device,
			     &commands->syncs[commands->sync_count]);
	commands->sync_count += result == VK_SUCCESS;
	return result;
}

struct gpa_sync
gpa_commands_next_sync(const struct gpa_commands *commands)
{
	return commands->syncs[place_of_next(commands)];
}

void
gpa_commands_sync(struct gpa_commands *commands)
{
	const struct gpa_sync sync = gpa_commands_next_sync(commands);
	const struct gpa_device_functions *next = &commands->device->next;
	const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

	commands->syncs_used++;
	next->CmdSetEvent(commands->handle, sync.reached, all);
	next->CmdWaitEvents(commands->handle, 1, &sync.released,
			    VK_PIPELINE_STAGE_HOST_BIT, all, 0, NULL, 0, NULL,
			    0, NULL);
}

/* ------------------------------------------------------------------ */
/* Lives of command buffers                                             */

void
gpa_commands_destroy(struct gpa_commands *commands)
{
	forget_steps(commands);
	for (size_t i = 0; i < commands->sync_count; i++)
		destroy_sync(commands->device, &commands->syncs[i]);
	free(commands);
}

static VkResult
commands_add(struct gpa_device *device, VkCommandPool pool,
	     VkCommandBuffer handle)
{
	const struct gpa_pool *its = gpa_map_get(&device->pools, GPA_KEY(pool));
	struct gpa_commands *commands = calloc(1, sizeof(*commands));

	if (!commands)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	commands->device = device;
	commands->handle = handle;
	commands->pool = pool;
	if (its && its->family < device->family_count) {
		const VkQueueFamilyProperties *family =
			&device->families[its->family];

		commands->flags = family->queueFlags;
		commands->valid_bits = family->timestampValidBits;
	}
	if (!gpa_map_put(&device->commands, GPA_KEY(handle), commands))
		return VK_SUCCESS;
	free(commands);
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void
commands_drop(struct gpa_device *device, VkCommandBuffer handle)
{
	struct gpa_commands *commands =
		gpa_map_take(&device->commands, GPA_KEY(handle));

	if (commands)
		gpa_commands_destroy(commands);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_AllocateCommandBuffers(VkDevice handle,
			   const VkCommandBufferAllocateInfo *info,
			   VkCommandBuffer *out)
{
	struct gpa_device *device = gpa_device_of(handle);
	VkResult result =
		device->next.AllocateCommandBuffers(handle, info, out);

	if (result != VK_SUCCESS)
		return result;
	for (uint32_t i = 0;
	     result == VK_SUCCESS && i < info->commandBufferCount; i++)
		result = commands_add(device, info->commandPool, out[i]);
	if (result == VK_SUCCESS)
		return result;
	gpa_FreeCommandBuffers(handle, info->commandPool,
			       info->commandBufferCount, out);
	for (uint32_t i = 0; i < info->commandBufferCount; i++)
		out[i] = VK_NULL_HANDLE;
	return result;
}

VKAPI_ATTR void VKAPI_CALL
gpa_FreeCommandBuffers(VkDevice handle, VkCommandPool pool, uint32_t count,
		       const VkCommandBuffer *list)
{
	struct gpa_device *device = gpa_device_of(handle);

	for (uint32_t i = 0; i < count; i++) {
		if (list[i])
			commands_drop(device, list[i]);
	}
	device->next.FreeCommandBuffers(handle, pool, count, list);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_BeginCommandBuffer(VkCommandBuffer handle,
		       const VkCommandBufferBeginInfo *info)
{
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_commands *commands = gpa_commands_of(device, handle);

	if (commands) {
		forget_steps(commands);
		commands->in_render_pass =
			info->flags &
			VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
	}
	return device->next.BeginCommandBuffer(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_ResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags flags)
{
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_commands *commands = gpa_commands_of(device, handle);

	if (commands)
		forget_steps(commands);
	return device->next.ResetCommandBuffer(handle, flags);
}

/* ------------------------------------------------------------------ */
/* Pools                                                                */

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
		      const VkAllocationCallbacks *allocator,
		      VkCommandPool *out)
{
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_pool *pool = malloc(sizeof(*pool));
	VkResult result;

	if (!pool)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	pool->family = info->queueFamilyIndex;
	result = device->next.CreateCommandPool(handle, info, allocator, out);
	if (result == VK_SUCCESS &&
	    gpa_map_put(&device->pools, GPA_KEY(*out), pool)) {
		device->next.DestroyCommandPool(handle, *out, allocator);
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	if (result != VK_SUCCESS)
		free(pool);
	return result;
}

static int
is_of_pool(const void *value, const void *data)
{
	const struct gpa_commands *commands = value;
	const VkCommandPool *pool = data;

	return commands->pool == *pool;
}

VKAPI_ATTR void VKAPI_CALL
gpa_DestroyCommandPool(VkDevice handle, VkCommandPool pool,
		       const VkAllocationCallbacks *allocator)
{
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_commands *commands;

	while ((commands =
			gpa_map_take_if(&device->commands, is_of_pool, &pool)))
		gpa_commands_destroy(commands);
	free(gpa_map_take(&device->pools, GPA_KEY(pool)));
	device->next.DestroyCommandPool(handle, pool, allocator);
}

static void
forget_if_of_pool(void *value, const void *data)
{
	if (is_of_pool(value, data))
		forget_steps(value);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_ResetCommandPool(VkDevice handle, VkCommandPool pool,
		     VkCommandPoolResetFlags flags)
{
	struct gpa_device *device = gpa_device_of(handle);

	gpa_map_each(&device->commands, forget_if_of_pool, &pool);
	return device->next.ResetCommandPool(handle, pool, flags);
}
