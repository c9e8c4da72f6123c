/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_cut.h"

#include <stdlib.h>

#include "gpa_open_pass.h"
#include "gpa_state.h"
#include "gpa_tell.h"

static VkResult
refuse_cut(const char *where, const char *reason, const char *name)
{
	return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
			  "counters cannot be read between two commands "
			  "here: %s%s",
			  reason, name);
}

/* Return why the layer can have no command buffers of its own, or success. */
static VkResult
device_check_parts(const struct gpa_device *device, const char *where)
{
	if (device->set_loader_data)
		return VK_SUCCESS;
	return refuse_cut(where, "the device is one of several in a group", "");
}

static const char *
reason_of_pass(const struct gpa_commands *commands)
{
	if (commands->pass.uncut)
		return commands->pass.uncut;
	return commands->device->cuts_passes
		       ? "a render pass was begun elsewhere, or is suspended"
		       : "a render pass has begun, and "
			 "DRMPERF_VK_CUT_PASSES is not set";
}

VkResult
gpa_cut_check(const struct gpa_commands *commands, const char *where)
{
	const struct gpa_device *device = commands->device;

	if (commands->in_render_pass && !commands->pass.can_be_cut)
		return refuse_cut(where, reason_of_pass(commands), "");
	if (commands->open_scopes)
		return refuse_cut(where,
				  "a query or conditional rendering has begun",
				  "");
	if (commands->foreign)
		return refuse_cut(where,
				  "behind that the state would be lost of ",
				  commands->foreign);
	if (device->has_unknown_command)
		return refuse_cut(where, "the layer does not know ",
				  device->unknown_command);
	if (device->has_unknown_state)
		return refuse_cut(where,
				  "the layer does not know the state of ",
				  device->unknown_state);
	return device_check_parts(device, where);
}

static void
part_free(const struct gpa_commands *commands, VkCommandBuffer part)
{
	commands->device->next.FreeCommandBuffers(commands->device->handle,
						  commands->pool, 1, &part);
}

static VkResult
part_allocate(const struct gpa_commands *commands, VkCommandBuffer *out)
{
	const struct gpa_device *device = commands->device;
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = commands->pool,
		.level = commands->is_primary
				 ? VK_COMMAND_BUFFER_LEVEL_PRIMARY
				 : VK_COMMAND_BUFFER_LEVEL_SECONDARY,
		.commandBufferCount = 1,
	};
	VkResult result =
		device->next.AllocateCommandBuffers(device->handle, &info, out);

	if (result != VK_SUCCESS)
		return result;
	result = device->set_loader_data(device->handle, *out);
	if (result != VK_SUCCESS)
		part_free(commands, *out);
	return result;
}

/* Begin a command buffer as the first one was begun. */
static VkResult
part_begin(const struct gpa_commands *commands, VkCommandBuffer *out)
{
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = commands->usage,
		.pInheritanceInfo =
			commands->is_primary ? NULL : &commands->inheritance,
	};
	VkResult result = part_allocate(commands, out);

	if (result != VK_SUCCESS)
		return result;
	result = commands->device->next.BeginCommandBuffer(*out, &info);
	if (result != VK_SUCCESS)
		part_free(commands, *out);
	return result;
}

/*
 * Append a part. The new one is begun first: if it cannot be, the old one goes
 * on.
 */
static VkResult
commands_append_part(struct gpa_commands *commands)
{
	VkCommandBuffer *parts = reallocarray(
		commands->parts, commands->part_count + 1, sizeof(*parts));
	VkCommandBuffer part;
	VkResult result;

	if (!parts)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	commands->parts = parts;
	result = part_begin(commands, &part);
	if (result != VK_SUCCESS)
		return result;
	if (commands->in_render_pass)
		gpa_open_pass_leave(commands);
	result = commands->device->next.EndCommandBuffer(commands->current);
	/* vkEndCommandBuffer() returns it */
	if (commands->failure == VK_SUCCESS)
		commands->failure = result;
	commands->parts[commands->part_count++] = part;
	commands->current = part;
	return VK_SUCCESS;
}

bool
gpa_cut_make(struct gpa_commands *commands, const char *where)
{
	if (gpa_cut_check(commands, where) != VK_SUCCESS)
		return false;
	if (commands_append_part(commands) != VK_SUCCESS) {
		gpa_refuse(where, VK_ERROR_OUT_OF_HOST_MEMORY,
			   "no command buffer to go on in");
		return false;
	}
	commands->device->has_cuts = true;
	commands->has_acted = false;
	gpa_state_set_again(commands, false);
	if (commands->in_render_pass) {
		gpa_open_pass_go_on(commands);
		gpa_state_set_again(commands, true);
	}
	return true;
}

VkResult
gpa_cut_make_front(struct gpa_commands *commands, const char *where)
{
	VkResult result = device_check_parts(commands->device, where);

	if (result != VK_SUCCESS || commands->front)
		return result;
	return part_begin(commands, &commands->front);
}

VkResult
gpa_cut_end(const struct gpa_commands *commands)
{
	const struct gpa_device_functions *next = &commands->device->next;
	VkResult front = VK_SUCCESS, last;

	if (commands->front)
		front = next->EndCommandBuffer(commands->front);
	last = next->EndCommandBuffer(commands->current);
	if (commands->failure != VK_SUCCESS)
		return commands->failure;
	return front != VK_SUCCESS ? front : last;
}

void
gpa_cut_forget(struct gpa_commands *commands)
{
	if (commands->front)
		part_free(commands, commands->front);
	commands->front = VK_NULL_HANDLE;
	for (size_t i = 0; i < commands->part_count; i++)
		part_free(commands, commands->parts[i]);
	free(commands->parts);
	commands->parts = NULL;
	commands->part_count = 0;
	commands->current = commands->handle;
	commands->failure = VK_SUCCESS;
}

size_t
gpa_cut_count(const struct gpa_commands *commands)
{
	return (commands->front ? 2 : 1) + commands->part_count;
}

VkCommandBuffer
gpa_cut_part(const struct gpa_commands *commands, size_t number)
{
	if (commands->front && !number--)
		return commands->front;
	return number ? commands->parts[number - 1] : commands->handle;
}
