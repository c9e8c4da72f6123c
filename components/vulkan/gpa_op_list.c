/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "gpa_submission.h"

/* Behind a render pass that goes on in the next command buffer is no cut. */
static enum gpa_place
op_settle_place(const struct gpa_commands *commands, const struct gpa_op *op)
{
	if (op->place != GPA_PLACE_PENDING)
		return op->place;
	return commands->in_render_pass ? GPA_PLACE_NONE : GPA_PLACE_AFTER;
}

static VkResult
actions_append_op(struct gpa_op_list *op_list,
		  const struct gpa_commands *commands, const struct gpa_op *op,
		  size_t part)
{
	struct gpa_op *list =
		reallocarray(op_list->list, op_list->count + 1, sizeof(*list));
	struct gpa_op *copy;

	if (!list)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	op_list->list = list;
	copy = &list[op_list->count++];
	*copy = *op;
	copy->place = op_settle_place(commands, op);
	copy->cut = 2 * (op_list->command_buffers + part);
	if (copy->place != GPA_PLACE_BEFORE)
		copy->cut += 1;
	gpa_session_hold(op->session);
	if (op->sample)
		gpa_sample_hold(op->sample);
	return VK_SUCCESS;
}

/* Return in which part of its command buffer an operation is. */
static size_t
op_settle_part(const struct gpa_commands *commands, const struct gpa_op *op)
{
	return op->place == GPA_PLACE_PENDING ? commands->part_count : op->part;
}

/* Add what a secondary command buffer has, in a part of the primary. */
static VkResult
actions_add_secondary(struct gpa_op_list *op_list, struct gpa_device *device,
		      VkCommandBuffer handle, size_t part)
{
	const struct gpa_commands *commands = gpa_commands_of(device, handle);
	VkResult result = VK_SUCCESS;

	if (!commands)
		return VK_SUCCESS;
	if (commands->is_incomplete)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (size_t i = 0; result == VK_SUCCESS && i < commands->count; i++) {
		const struct gpa_op *op = &commands->ops[i];

		/* Vulkan has secondary ones in primary ones, and no deeper */
		if (op->kind != GPA_STEP_EXECUTE)
			result = actions_append_op(op_list, commands, op, part);
	}
	return result;
}

static VkResult
actions_add_commands(struct gpa_op_list *op_list, struct gpa_device *device,
		     const struct gpa_commands *commands)
{
	VkResult result = VK_SUCCESS;

	if (commands->is_incomplete)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (size_t i = 0; result == VK_SUCCESS && i < commands->count; i++) {
		const struct gpa_op *op = &commands->ops[i];
		const size_t part = op_settle_part(commands, op);

		if (op->kind == GPA_STEP_EXECUTE)
			result = actions_add_secondary(op_list, device,
						       op->executed, part);
		else
			result = actions_append_op(op_list, commands, op, part);
	}
	return result;
}

VkResult
gpa_op_list_add(struct gpa_op_list *op_list, struct gpa_device *device,
		VkCommandBuffer handle)
{
	const struct gpa_commands *commands = gpa_commands_of(device, handle);
	const size_t before = op_list->count;
	VkResult result = VK_SUCCESS;

	if (commands)
		result = actions_add_commands(op_list, device, commands);
	for (size_t i = before; i < op_list->count; i++) {
		struct gpa_op *op = &op_list->list[i];

		/* the render pass goes on in the next command buffer */
		if (op->place == GPA_PLACE_INSIDE && commands->in_render_pass)
			op->cut = GPA_CUT_END;
	}
	op_list->command_buffers += 1 + (commands ? commands->part_count : 0);
	return result;
}

void
gpa_op_list_finish(struct gpa_op_list *op_list)
{
	for (size_t i = 0; i < op_list->count; i++) {
		gpa_session_release(op_list->list[i].session);
		gpa_sample_release(op_list->list[i].sample);
	}
	free(op_list->list);
}
