/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_pool.h"

#include <stdlib.h>

#include "gpa_cut.h"
#include "gpa_open_pass.h"
#include "gpa_places.h"

#define INHERITED_RENDERING                                                    \
	VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO

#define CONTINUES VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT

struct gpa_pool {
	uint32_t family;
};

/* ------------------------------------------------------------------ */
/* Lives of command buffers                                             */

static VkResult
commands_add(struct gpa_device *device, VkCommandPool pool,
	     VkCommandBufferLevel level, VkCommandBuffer handle)
{
	const struct gpa_pool *its = gpa_map_get(&device->pools, GPA_KEY(pool));
	struct gpa_commands *commands = calloc(1, sizeof(*commands));

	if (!commands)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	commands->device = device;
	commands->handle = handle;
	commands->current = handle;
	commands->pool = pool;
	commands->is_primary = level == VK_COMMAND_BUFFER_LEVEL_PRIMARY;
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
		gpa_places_destroy(commands);
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
		result = commands_add(device, info->commandPool, info->level,
				      out[i]);
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

/* Copy what is inherited of a pass without an object. False: what else. */
static bool
commands_keep_rendering(struct gpa_commands *commands)
{
	const VkCommandBufferInheritanceRenderingInfo *its =
		commands->inheritance.pNext;

	if (!its)
		return true;
	if (its->sType != INHERITED_RENDERING || its->pNext ||
	    its->colorAttachmentCount > GPA_COLORS)
		return false;
	commands->rendering = *its;
	for (uint32_t i = 0; i < its->colorAttachmentCount; i++)
		commands->formats[i] = its->pColorAttachmentFormats[i];
	commands->rendering.pColorAttachmentFormats = commands->formats;
	commands->inheritance.pNext = &commands->rendering;
	return true;
}

/* Keep what further parts are begun with. */
static void
commands_keep_begin(struct gpa_commands *commands,
		    const VkCommandBufferBeginInfo *info)
{
	bool is_kept = !info->pNext;

	commands->usage = info->flags;
	if (!commands->is_primary && info->pInheritanceInfo) {
		commands->inheritance = *info->pInheritanceInfo;
		is_kept &= commands_keep_rendering(commands);
	}
	if (!is_kept)
		commands->foreign = "vkBeginCommandBuffer, by pNext";
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_BeginCommandBuffer(VkCommandBuffer handle,
		       const VkCommandBufferBeginInfo *info)
{
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_commands *commands = gpa_commands_of(device, handle);

	if (commands) {
		gpa_places_forget(commands);
		commands->in_render_pass =
			!commands->is_primary && info->flags & CONTINUES;
		commands_keep_begin(commands, info);
		if (commands->in_render_pass)
			gpa_open_pass_continue(commands);
	}
	return device->next.BeginCommandBuffer(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_EndCommandBuffer(VkCommandBuffer handle)
{
	struct gpa_device *device = gpa_device_of(handle);
	const struct gpa_commands *commands = gpa_commands_of(device, handle);

	return commands ? gpa_cut_end(commands)
			: device->next.EndCommandBuffer(handle);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_ResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags flags)
{
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_commands *commands = gpa_commands_of(device, handle);

	if (commands)
		gpa_places_forget(commands);
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
		gpa_places_destroy(commands);
	free(gpa_map_take(&device->pools, GPA_KEY(pool)));
	device->next.DestroyCommandPool(handle, pool, allocator);
}

static void
forget_if_of_pool(void *value, const void *data)
{
	if (is_of_pool(value, data))
		gpa_places_forget(value);
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_ResetCommandPool(VkDevice handle, VkCommandPool pool,
		     VkCommandPoolResetFlags flags)
{
	struct gpa_device *device = gpa_device_of(handle);

	gpa_map_each(&device->commands, forget_if_of_pool, &pool);
	return device->next.ResetCommandPool(handle, pool, flags);
}
