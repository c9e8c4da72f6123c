/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_record.h"

#include "gpa_cut.h"
#include "gpa_open_pass.h"
#include "gpa_places.h"
#include "gpa_sample.h"
#include "gpa_state.h"
#include "gpa_tell.h"

static struct gpa_commands *
commands_find(VkCommandBuffer handle)
{
	return gpa_commands_of(gpa_device_of(handle), handle);
}

/*
 * Find those of one of the extension's functions. Returns NULL, and says so, if
 * the handle is of a layer above that gives its own to programs: since it does
 * not know the function, nobody has put ours in its place.
 */
static struct gpa_commands *
commands_get(const char *where, VkCommandBuffer handle)
{
	struct gpa_commands *commands = commands_find(handle);

	if (!commands)
		gpa_refuse(
			where, VK_ERROR_FEATURE_NOT_PRESENT,
			"the command buffer is one of another layer, which "
			"does not know the extension: put it below this one");
	return commands;
}

static VkResult
commands_append(struct gpa_commands *commands, const struct gpa_op *op)
{
	return gpa_commands_add(commands, op) ? VK_ERROR_OUT_OF_HOST_MEMORY
					      : VK_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

/* Record the beginning or the end of a session. Caller holds no lock. */
static VkResult
record_session(const char *where, VkCommandBuffer handle,
	       VkGpaSessionAMD session,
	       VkResult (*record)(struct gpa_commands *commands,
				  struct gpa_session *session))
{
	struct gpa_commands *commands = commands_get(where, handle);
	VkResult result;

	if (!commands)
		return VK_ERROR_FEATURE_NOT_PRESENT;
	pthread_mutex_lock(&commands->device->lock);
	result = record(commands, gpa_session_of(session));
	pthread_mutex_unlock(&commands->device->lock);
	return result;
}

static VkResult
begin_session(struct gpa_commands *commands, struct gpa_session *session)
{
	const struct gpa_op op = { .kind = GPA_STEP_BEGIN_SESSION,
				   .session = session };
	VkResult result;

	if (session->recorded != GPA_NOT_BEGUN)
		return gpa_refuse("vkCmdBeginGpaSessionAMD",
				  GPA_VALIDATION_FAILED,
				  "the session is not new and has not been "
				  "reset");
	result = commands_append(commands, &op);
	if (result == VK_SUCCESS)
		session->recorded = GPA_BEGUN;
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CmdBeginGpaSession(VkCommandBuffer handle, VkGpaSessionAMD session)
{
	return record_session("vkCmdBeginGpaSessionAMD", handle, session,
			      begin_session);
}

static VkResult
end_session(struct gpa_commands *commands, struct gpa_session *session)
{
	static const char where[] = "vkCmdEndGpaSessionAMD";
	const struct gpa_op op = { .kind = GPA_STEP_END_SESSION,
				   .session = session };
	VkResult result;

	if (session->recorded != GPA_BEGUN)
		return gpa_refuse(where, GPA_VALIDATION_FAILED,
				  "the session has not been begun");
	for (uint32_t i = 0; i < session->count; i++) {
		if (session->results[i].is_open)
			return gpa_refuse(where, GPA_VALIDATION_FAILED,
					  "sample %u has not been ended", i);
	}
	result = commands_append(commands, &op);
	if (result == VK_SUCCESS)
		session->recorded = GPA_ENDED;
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CmdEndGpaSession(VkCommandBuffer handle, VkGpaSessionAMD session)
{
	return record_session("vkCmdEndGpaSessionAMD", handle, session,
			      end_session);
}

/* ------------------------------------------------------------------ */
/* Samples                                                              */

static void
record_reset(const struct gpa_commands *commands,
	     const struct gpa_sample *sample)
{
	const bool is_in_front = commands->in_render_pass;

	commands->device->next.CmdResetQueryPool(
		is_in_front ? commands->front : commands->current,
		sample->queries, 0, 2 * GPA_VIEWS);
}

static void
record_begin(struct gpa_commands *commands, const struct gpa_sample *sample)
{
	if (!sample->queries)
		return;
	gpa_places_act(commands);
	if (commands->is_primary || !commands->in_render_pass)
		record_reset(commands, sample);
	commands->device->next.CmdWriteTimestamp(
		commands->current, sample->begin_stage, sample->queries, 0);
}

static int
commands_add_sample(struct gpa_commands *commands, struct gpa_op *op)
{
	return op->sample->type == VK_GPA_SAMPLE_TYPE_CUMULATIVE_AMD
		       ? gpa_places_add(commands, op)
		       : gpa_commands_add(commands, op);
}

static VkResult
begin_sample(struct gpa_commands *commands, struct gpa_session *session,
	     struct gpa_sample *sample, uint32_t *id)
{
	struct gpa_op op = { .kind = GPA_STEP_BEGIN_SAMPLE,
			     .session = session,
			     .sample = sample,
			     .is_in_pass = commands->in_render_pass };

	if (session->recorded != GPA_BEGUN)
		return gpa_refuse("vkCmdBeginGpaSampleAMD",
				  GPA_VALIDATION_FAILED,
				  "the session has not been begun");
	if (gpa_session_add_locked(session, sample, &op.id))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (commands_add_sample(commands, &op)) {
		session->results[op.id].is_open = false;
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	*id = op.id;
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CmdBeginGpaSample(VkCommandBuffer handle, VkGpaSessionAMD session,
		      const VkGpaSampleBeginInfoAMD *info, uint32_t *id)
{
	struct gpa_commands *commands =
		commands_get("vkCmdBeginGpaSampleAMD", handle);
	struct gpa_sample *sample = NULL;
	struct gpa_counters before;
	VkResult result;

	if (!commands)
		return VK_ERROR_FEATURE_NOT_PRESENT;
	before = commands->counted;
	result = gpa_sample_create(commands, info, &sample);
	if (result == VK_SUCCESS) {
		pthread_mutex_lock(&commands->device->lock);
		result = begin_sample(commands, gpa_session_of(session), sample,
				      id);
		pthread_mutex_unlock(&commands->device->lock);
	}
	if (result == VK_SUCCESS) {
		record_begin(commands, sample);
	} else {
		commands->counted.count = before.count;
		commands->counted.stages = before.stages;
	}
	gpa_sample_release(sample);
	return result;
}

static bool
was_begun_here(const struct gpa_commands *commands,
	       const struct gpa_session *session, uint32_t id)
{
	for (size_t i = 0; i < commands->count; i++) {
		const struct gpa_op *op = &commands->ops[i];

		if (op->kind == GPA_STEP_BEGIN_SAMPLE &&
		    op->session == session && op->id == id)
			return true;
	}
	return false;
}

/* Return the sample to end, with a reference, or NULL: nothing is recorded. */
static struct gpa_sample *
close_sample(struct gpa_commands *commands, struct gpa_session *session,
	     uint32_t id)
{
	static const char where[] = "vkCmdEndGpaSampleAMD";
	struct gpa_result *result;

	if (id >= session->count || !session->results[id].is_open) {
		gpa_refuse(where, GPA_VALIDATION_FAILED,
			   "sample %u has not been begun", id);
		return NULL;
	}
	result = &session->results[id];
	result->is_open = false;
	if (result->sample->type == VK_GPA_SAMPLE_TYPE_CUMULATIVE_AMD &&
	    !was_begun_here(commands, session, id)) {
		gpa_refuse(where, GPA_VALIDATION_FAILED,
			   "cumulative sample %u was begun in another command "
			   "buffer: it will have no results",
			   id);
		return NULL;
	}
	return gpa_sample_hold(result->sample);
}

static void
record_end(struct gpa_commands *commands, struct gpa_op *op)
{
	const struct gpa_sample *sample = op->sample;

	/* without the operation it has no results, which is reported then */
	if (commands_add_sample(commands, op) || !sample->queries)
		return;
	if (commands->is_suspended) {
		gpa_refuse("vkCmdEndGpaSampleAMD", VK_ERROR_FEATURE_NOT_PRESENT,
			   "a render pass is suspended: sample %u will have "
			   "no results",
			   op->id);
		return;
	}
	gpa_places_act(commands);
	commands->device->next.CmdWriteTimestamp(commands->current,
						 sample->end_stage,
						 sample->queries, GPA_VIEWS);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndGpaSample(VkCommandBuffer handle, VkGpaSessionAMD session,
		    uint32_t id)
{
	struct gpa_commands *commands =
		commands_get("vkCmdEndGpaSampleAMD", handle);
	struct gpa_op op = { .kind = GPA_STEP_END_SAMPLE,
			     .session = gpa_session_of(session),
			     .id = id };

	if (!commands)
		return;
	pthread_mutex_lock(&commands->device->lock);
	op.sample = close_sample(commands, op.session, id);
	pthread_mutex_unlock(&commands->device->lock);
	if (!op.sample)
		return;
	record_end(commands, &op);
	gpa_sample_release(op.sample);
}

/* ------------------------------------------------------------------ */
/* Secondary command buffers                                            */

VKAPI_ATTR void VKAPI_CALL
gpa_CmdCopyGpaSessionResults(VkCommandBuffer handle, VkGpaSessionAMD session)
{
	static const char where[] = "vkCmdCopyGpaSessionResultsAMD";
	struct gpa_commands *commands = commands_get(where, handle);
	struct gpa_op op = { .kind = GPA_STEP_COPY,
			     .session = gpa_session_of(session) };

	if (!commands)
		return;
	if (!op.session->source) {
		gpa_refuse(where, GPA_VALIDATION_FAILED,
			   "the session was made without "
			   "secondaryCopySource");
		return;
	}
	if (gpa_places_add(commands, &op))
		commands->is_incomplete = true;
}

/* Execute one part of a secondary command buffer, which leaves no state. */
static void
commands_execute_part(struct gpa_commands *commands, VkCommandBuffer part)
{
	gpa_places_act(commands);
	commands->device->next.CmdExecuteCommands(commands->current, 1, &part);
	gpa_state_forget(commands);
}

/* Have an operation of a secondary command buffer carried out here. */
static int
commands_take_op(struct gpa_commands *commands, const struct gpa_op *from)
{
	struct gpa_op op = *from;

	return op.place == GPA_PLACE_NONE ? gpa_commands_add(commands, &op)
					  : gpa_places_add(commands, &op);
}

/*
 * Reset the queries that a secondary command buffer writes in render passes,
 * where it cannot do that.
 */
static void
commands_reset_for(struct gpa_commands *commands,
		   const struct gpa_commands *secondary)
{
	static const char where[] = "vkCmdExecuteCommands";
	VkResult result;

	for (size_t i = 0; i < secondary->count; i++) {
		const struct gpa_op *op = &secondary->ops[i];

		if (!op->is_in_pass || !op->sample->queries)
			continue;
		result = gpa_places_can_reset(commands, where);
		commands->is_incomplete |=
			result == VK_ERROR_OUT_OF_HOST_MEMORY;
		if (result != VK_SUCCESS ||
		    (commands->in_render_pass && !commands->front))
			return;
		if (!commands->in_render_pass)
			gpa_places_act(commands);
		record_reset(commands, op->sample);
	}
}

/*
 * Execute a secondary command buffer part by part. Its operations become those
 * of the primary one, which is cut for them.
 */
static void
commands_execute(struct gpa_commands *commands,
		 const struct gpa_commands *secondary)
{
	size_t part = 0;

	commands->is_incomplete |= secondary->is_incomplete;
	commands_reset_for(commands, secondary);
	for (size_t i = 0; i < secondary->count; i++) {
		const struct gpa_op *op = &secondary->ops[i];
		const size_t before = op->place == GPA_PLACE_PENDING
					      ? secondary->part_count + 1
					      : op->part;

		while (part < before)
			commands_execute_part(commands,
					      gpa_cut_part(secondary, part++));
		if (commands_take_op(commands, op))
			commands->is_incomplete = true;
	}
	while (part <= secondary->part_count)
		commands_execute_part(commands,
				      gpa_cut_part(secondary, part++));
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
		       const VkCommandBuffer *list)
{
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_commands *commands = gpa_commands_of(device, handle);

	for (uint32_t i = 0; i < count; i++) {
		const struct gpa_commands *secondary =
			gpa_commands_of(device, list[i]);

		if (commands && secondary)
			commands_execute(commands, secondary);
		else
			device->next.CmdExecuteCommands(
				gpa_commands_current(commands, handle), 1,
				&list[i]);
	}
}

/* ------------------------------------------------------------------ */
/* Render passes                                                        */

/* Note that a pass begins. Returns where. */
static VkCommandBuffer
buffer_begin_pass(struct gpa_commands *commands, VkCommandBuffer handle,
		  bool resumes)
{
	if (commands)
		gpa_places_begin_pass(commands, resumes);
	return gpa_commands_current(commands, handle);
}

/*
 * End a pass that was begun in parts. Samples that have ended in it have what
 * was drawn, not what its last part does.
 */
static void
commands_end_parts(struct gpa_commands *commands)
{
	if (commands->pass.has_last)
		gpa_places_act(commands);
	gpa_open_pass_end(commands);
	gpa_places_end_pass(commands);
}

/* Return where to end a pass, or NULL: it has been ended. */
static VkCommandBuffer
buffer_end_pass(VkCommandBuffer handle)
{
	struct gpa_commands *commands = commands_find(handle);

	if (!commands)
		return handle;
	if (commands->pass.can_be_cut) {
		commands_end_parts(commands);
		return NULL;
	}
	gpa_places_end_pass(commands);
	return commands->current;
}

/* Begin a pass in parts, if it can be cut. Their begin acts. */
static bool
commands_begin_parts(struct gpa_commands *commands,
		     const VkRenderPassBeginInfo *info,
		     const VkSubpassBeginInfo *subpass)
{
	if (!commands || !gpa_open_pass_begin(commands, info, subpass))
		return false;
	gpa_places_act(commands);
	return true;
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdBeginRenderPass(VkCommandBuffer handle,
		       const VkRenderPassBeginInfo *info,
		       VkSubpassContents contents)
{
	const VkSubpassBeginInfo subpass = { .contents = contents };
	struct gpa_commands *commands = commands_find(handle);
	VkCommandBuffer buffer = buffer_begin_pass(commands, handle, false);

	if (!commands_begin_parts(commands, info, &subpass))
		gpa_device_of(handle)->next.CmdBeginRenderPass(buffer, info,
							       contents);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndRenderPass(VkCommandBuffer handle)
{
	VkCommandBuffer buffer = buffer_end_pass(handle);

	if (buffer)
		gpa_device_of(handle)->next.CmdEndRenderPass(buffer);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdBeginRenderPass2(VkCommandBuffer handle,
			const VkRenderPassBeginInfo *info,
			const VkSubpassBeginInfo *subpass)
{
	struct gpa_commands *commands = commands_find(handle);
	VkCommandBuffer buffer = buffer_begin_pass(commands, handle, false);

	if (!commands_begin_parts(commands, info, subpass))
		gpa_device_of(handle)->next.CmdBeginRenderPass2(buffer, info,
								subpass);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndRenderPass2(VkCommandBuffer handle, const VkSubpassEndInfo *info)
{
	VkCommandBuffer buffer = buffer_end_pass(handle);

	if (buffer)
		gpa_device_of(handle)->next.CmdEndRenderPass2(buffer, info);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdBeginRendering(VkCommandBuffer handle, const VkRenderingInfo *info)
{
	struct gpa_commands *commands = commands_find(handle);
	VkCommandBuffer buffer;

	if (commands)
		commands->suspends = info->flags & VK_RENDERING_SUSPENDING_BIT;
	buffer = buffer_begin_pass(commands, handle,
				   info->flags & VK_RENDERING_RESUMING_BIT);
	if (commands && gpa_open_pass_begin_rendering(commands, info))
		gpa_places_act(commands);
	else
		gpa_device_of(handle)->next.CmdBeginRendering(buffer, info);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndRendering(VkCommandBuffer handle)
{
	VkCommandBuffer buffer = buffer_end_pass(handle);

	if (buffer)
		gpa_device_of(handle)->next.CmdEndRendering(buffer);
}
