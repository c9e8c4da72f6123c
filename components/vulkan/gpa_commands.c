/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_commands.h"

#include <errno.h>
#include <stdlib.h>

struct gpa_commands *
gpa_commands_of(struct gpa_device *device, VkCommandBuffer handle)
{
	return gpa_map_get(&device->commands, GPA_KEY(handle));
}

VkCommandBuffer
gpa_commands_current(const struct gpa_commands *commands,
		     VkCommandBuffer handle)
{
	return commands ? commands->current : handle;
}

/* ------------------------------------------------------------------ */
/* Operations                                                                */

void
gpa_commands_forget(struct gpa_commands *commands)
{
	for (size_t i = 0; i < commands->count; i++) {
		gpa_session_release(commands->ops[i].session);
		gpa_sample_release(commands->ops[i].sample);
	}
	free(commands->ops);
	commands->ops = NULL;
	commands->count = 0;
	gpa_counters_finish(&commands->counted);
	commands->foreign = NULL;
	commands->open_scopes = 0;
	commands->in_render_pass = false;
	commands->suspends = false;
	commands->is_suspended = false;
	commands->resumes = false;
	commands->has_acted = false;
	commands->pending = 0;
	commands->is_incomplete = false;
}

int
gpa_commands_add(struct gpa_commands *commands, const struct gpa_op *op)
{
	struct gpa_op *ops =
		reallocarray(commands->ops, commands->count + 1, sizeof(*ops));

	if (!ops)
		return -ENOMEM;
	if (op->session)
		gpa_session_hold(op->session);
	if (op->sample)
		gpa_sample_hold(op->sample);
	commands->ops = ops;
	commands->ops[commands->count] = *op;
	commands->ops[commands->count++].part = commands->part_count;
	return 0;
}
