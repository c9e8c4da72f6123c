/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_op_list.h"

#include <stdlib.h>

#include "gpa_cut.h"
#include "gpa_session.h"

/*
 * Settle the place of an operation: behind a render pass that goes on in the
 * next command buffer is no cut.
 */
static enum gpa_place
op_resolve_place(const struct gpa_commands *commands, const struct gpa_op *op)
{
	if (op->place != GPA_PLACE_PENDING)
		return op->place;
	return commands->in_render_pass ? GPA_PLACE_NONE : GPA_PLACE_AFTER;
}

/* Return in which part of its command buffer an operation is. */
static size_t
op_resolve_part(const struct gpa_commands *commands, const struct gpa_op *op)
{
	const size_t part = op->place == GPA_PLACE_PENDING
				    ? commands->part_count
				    : op->part;

	return commands->front ? part + 1 : part;
}

static VkResult
op_list_append(struct gpa_op_list *op_list, const struct gpa_commands *commands,
	       const struct gpa_op *op)
{
	struct gpa_op *list =
		reallocarray(op_list->list, op_list->count + 1, sizeof(*list));
	struct gpa_op *copy;

	if (!list)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	op_list->list = list;
	copy = &list[op_list->count++];
	*copy = *op;
	copy->place = op_resolve_place(commands, op);
	copy->cut =
		2 * (op_list->command_buffers + op_resolve_part(commands, op));
	if (copy->place != GPA_PLACE_BEFORE)
		copy->cut += 1;
	gpa_session_hold(op->session);
	if (op->sample)
		gpa_sample_hold(op->sample);
	return VK_SUCCESS;
}

VkResult
gpa_op_list_add(struct gpa_op_list *op_list, struct gpa_device *device,
		VkCommandBuffer handle)
{
	const struct gpa_commands *commands = gpa_commands_of(device, handle);
	VkResult result = VK_SUCCESS;

	if (commands && commands->is_incomplete)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (size_t i = 0;
	     commands && result == VK_SUCCESS && i < commands->count; i++)
		result = op_list_append(op_list, commands, &commands->ops[i]);
	op_list->command_buffers += commands ? gpa_cut_count(commands) : 1;
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
