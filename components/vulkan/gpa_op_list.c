/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "gpa_submission.h"

/* Vulkan has secondary command buffers in primary ones, and no deeper. */
#define DEEPEST 2

/* Behind a render pass that goes on in the next command buffer is no cut. */
static enum gpa_place
step_settle_place(const struct gpa_commands *commands,
		  const struct gpa_step *step)
{
	if (step->place != GPA_PLACE_PENDING)
		return step->place;
	return commands->in_render_pass ? GPA_PLACE_NONE : GPA_PLACE_AFTER;
}

static VkResult
actions_append_step(struct gpa_actions *actions,
		    const struct gpa_commands *commands,
		    const struct gpa_step *step)
{
	struct gpa_step *list =
		reallocarray(actions->list, actions->count + 1, sizeof(*list));
	struct gpa_step *copy;

	if (!list)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	actions->list = list;
	copy = &list[actions->count++];
	*copy = *step;
	copy->place = step_settle_place(commands, step);
	copy->cut = 2 * actions->command_buffers;
	if (copy->place != GPA_PLACE_BEFORE)
		copy->cut += 1;
	gpa_session_hold(step->session);
	if (step->sample)
		gpa_sample_hold(step->sample);
	return VK_SUCCESS;
}

static VkResult
actions_add_commands(struct gpa_actions *actions, struct gpa_device *device,
		     VkCommandBuffer handle, unsigned depth)
{
	const struct gpa_commands *commands = gpa_commands_of(device, handle);
	VkResult result = VK_SUCCESS;

	if (!commands || depth > DEEPEST)
		return VK_SUCCESS;
	if (commands->is_incomplete)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (size_t i = 0; result == VK_SUCCESS && i < commands->count; i++) {
		const struct gpa_step *step = &commands->steps[i];

		if (step->kind == GPA_STEP_EXECUTE)
			result = actions_add_commands(
				actions, device, step->executed, depth + 1);
		else
			result = actions_append_step(actions, commands, step);
	}
	return result;
}

VkResult
gpa_actions_add(struct gpa_actions *actions, struct gpa_device *device,
		VkCommandBuffer handle)
{
	const struct gpa_commands *commands = gpa_commands_of(device, handle);
	const size_t before = actions->count;
	VkResult result = actions_add_commands(actions, device, handle, 1);

	for (size_t i = before; i < actions->count; i++) {
		struct gpa_step *step = &actions->list[i];

		/* the render pass goes on in the next command buffer */
		if (step->place == GPA_PLACE_INSIDE && commands->in_render_pass)
			step->cut = GPA_CUT_END;
	}
	actions->command_buffers++;
	return result;
}

void
gpa_actions_finish(struct gpa_actions *actions)
{
	for (size_t i = 0; i < actions->count; i++) {
		gpa_session_release(actions->list[i].session);
		gpa_sample_release(actions->list[i].sample);
	}
	free(actions->list);
}
