/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_places.h"

#include <stdlib.h>

#include "gpa_cut.h"
#include "gpa_open_pass.h"
#include "gpa_state.h"
#include "gpa_tell.h"

static const char place_where[] = "sample";

/* ------------------------------------------------------------------ */
/* Places of operations                                                      */

/* Return whether counters are read before all that the part does. */
static bool
commands_are_at_begin(const struct gpa_commands *commands)
{
	return !commands->has_acted && !commands->device->has_unknown_command;
}

VkResult
gpa_places_can_begin(const struct gpa_commands *commands, const char *where)
{
	/* a secondary command buffer does not know of the pass it is in */
	const bool is_inside =
		!commands->is_primary && commands->in_render_pass;

	return commands_are_at_begin(commands) && !is_inside
		       ? VK_SUCCESS
		       : gpa_cut_check(commands, where);
}

VkResult
gpa_places_can_reset(struct gpa_commands *commands, const char *where)
{
	if (commands->is_suspended)
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "a render pass is suspended");
	if (!commands->in_render_pass)
		return VK_SUCCESS;
	if (commands->resumes)
		return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
				  "queries cannot be reset before a render "
				  "pass that was begun in another command "
				  "buffer");
	/* they are reset where a secondary one is executed */
	return commands->is_primary ? gpa_cut_make_front(commands, where)
				    : VK_SUCCESS;
}

/*
 * Have the counters read between two parts. The end of a sample in a render
 * pass would come before that, which the sample has the beginning of.
 */
static enum gpa_place
commands_place_between(struct gpa_commands *commands, struct gpa_op *op)
{
	const bool is_there =
		commands_are_at_begin(commands) &&
		(op->kind != GPA_STEP_END_SAMPLE || !commands->in_render_pass ||
		 commands->pass.can_be_cut);

	if (!is_there && !gpa_cut_make(commands, place_where))
		return GPA_PLACE_NONE;
	if (commands->resumes && !commands->part_count)
		return GPA_PLACE_NONE;
	op->part = commands->part_count;
	return GPA_PLACE_BEFORE;
}

static void
commands_place_pending(struct gpa_commands *commands)
{
	for (size_t i = commands->pending; i < commands->count; i++) {
		struct gpa_op *op = &commands->ops[i];

		if (op->place == GPA_PLACE_PENDING)
			op->place = commands_place_between(commands, op);
	}
	commands->pending = commands->count;
}

int
gpa_places_add(struct gpa_commands *commands, struct gpa_op *op)
{
	op->place = GPA_PLACE_PENDING;
	return gpa_commands_add(commands, op);
}

void
gpa_places_act(struct gpa_commands *commands)
{
	if (commands->pending < commands->count)
		commands_place_pending(commands);
	commands->has_acted = true;
}

/*
 * Begin a pass. It does not act by its begin: samples that begin inside of it,
 * before anything is drawn, have its loads and clears.
 */
void
gpa_places_begin_pass(struct gpa_commands *commands, bool resumes)
{
	commands->resumes |= resumes && !commands->has_acted;
	if (commands->pending < commands->count)
		commands_place_pending(commands);
	commands->has_acted |= resumes;
	commands->in_render_pass = true;
	commands->is_suspended = false;
}

/*
 * End a pass: samples that have ended inside of it, behind all draws, have its
 * stores.
 */
void
gpa_places_end_pass(struct gpa_commands *commands)
{
	commands->has_acted = true;
	gpa_state_forget_pass(commands);
	commands->in_render_pass = commands->suspends;
	commands->is_suspended = commands->suspends;
}

/* ------------------------------------------------------------------ */
/* Ends                                                                 */

void
gpa_places_forget(struct gpa_commands *commands)
{
	gpa_cut_forget(commands);
	gpa_state_forget(commands);
	gpa_open_pass_forget(commands);
	gpa_commands_forget(commands);
}

void
gpa_places_destroy(struct gpa_commands *commands)
{
	gpa_places_forget(commands);
	free(commands);
}
