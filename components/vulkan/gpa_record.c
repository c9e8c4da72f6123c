/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_record.h"

#include <errno.h>

#include "gpa_sample.h"
#include "gpa_tell.h"

static struct gpa_commands *
commands_find(VkCommandBuffer handle)
{
	return gpa_commands_of(gpa_device_of(handle), handle);
}

static VkResult
commands_append(struct gpa_commands *commands, const struct gpa_step *step)
{
	return gpa_commands_add(commands, step) ? VK_ERROR_OUT_OF_HOST_MEMORY
						: VK_SUCCESS;
}

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

static VkResult
begin_session(struct gpa_commands *commands, struct gpa_session *session)
{
	const struct gpa_step step = { .kind = GPA_STEP_BEGIN_SESSION,
				       .session = session };
	VkResult result;

	if (session->recorded != GPA_NOT_BEGUN)
		return gpa_refuse("vkCmdBeginGpaSessionAMD",
				  GPA_VALIDATION_FAILED,
				  "the session is not new and has not been "
				  "reset");
	result = commands_append(commands, &step);
	if (result == VK_SUCCESS)
		session->recorded = GPA_BEGUN;
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CmdBeginGpaSession(VkCommandBuffer handle, VkGpaSessionAMD session)
{
	struct gpa_commands *commands = commands_find(handle);
	VkResult result;

	pthread_mutex_lock(&commands->device->lock);
	result = begin_session(commands, gpa_session_of(session));
	pthread_mutex_unlock(&commands->device->lock);
	return result;
}

static VkResult
end_session(struct gpa_commands *commands, struct gpa_session *session)
{
	static const char where[] = "vkCmdEndGpaSessionAMD";
	const struct gpa_step step = { .kind = GPA_STEP_END_SESSION,
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
	result = commands_append(commands, &step);
	if (result == VK_SUCCESS)
		session->recorded = GPA_ENDED;
	return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CmdEndGpaSession(VkCommandBuffer handle, VkGpaSessionAMD session)
{
	struct gpa_commands *commands = commands_find(handle);
	VkResult result;

	pthread_mutex_lock(&commands->device->lock);
	result = end_session(commands, gpa_session_of(session));
	pthread_mutex_unlock(&commands->device->lock);
	return result;
}

/* ------------------------------------------------------------------ */
/* Samples                                                              */

/* Caches are written back and empty, as far as Vulkan has words for that. */
static void
commands_flush(const struct gpa_commands *commands)
{
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask =
			VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
	};
	const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

	commands->device->next.CmdPipelineBarrier(
		commands->handle, all, all, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void
record_begin(struct gpa_commands *commands, const struct gpa_sample *sample)
{
	const struct gpa_device_functions *next = &commands->device->next;

	if (sample->queries) {
		next->CmdResetQueryPool(commands->handle, sample->queries, 0,
					2);
		next->CmdWriteTimestamp(commands->handle, sample->begin_stage,
					sample->queries, 0);
		return;
	}
	if (sample->flushes)
		commands_flush(commands);
	gpa_commands_sync(commands);
}

static VkResult
begin_sample(struct gpa_commands *commands, struct gpa_session *session,
	     struct gpa_sample *sample, uint32_t *id)
{
	struct gpa_step step = { .kind = GPA_STEP_BEGIN_SAMPLE,
				 .has_sync = !sample->queries,
				 .session = session,
				 .sample = sample };

	if (session->recorded != GPA_BEGUN)
		return gpa_refuse("vkCmdBeginGpaSampleAMD",
				  GPA_VALIDATION_FAILED,
				  "the session has not been begun");
	/* which is there: the sample could be made */
	if (step.has_sync)
		step.sync = gpa_commands_next_sync(commands);
	if (gpa_session_add_locked(session, sample, &step.id))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	if (gpa_commands_add(commands, &step)) {
		session->results[step.id].is_open = false;
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	*id = step.id;
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
gpa_CmdBeginGpaSample(VkCommandBuffer handle, VkGpaSessionAMD session,
		      const VkGpaSampleBeginInfoAMD *info, uint32_t *id)
{
	struct gpa_commands *commands = commands_find(handle);
	const struct gpa_counters before = commands->counted;
	struct gpa_sample *sample = NULL;
	VkResult result = gpa_sample_create(commands, info, &sample);

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
		const struct gpa_step *step = &commands->steps[i];

		if (step->kind == GPA_STEP_BEGIN_SAMPLE &&
		    step->session == session && step->id == id)
			return true;
	}
	return false;
}

/* The sample to end, with a reference, or NULL: nothing is recorded. */
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
	if (!result->sample->queries &&
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
record_end(struct gpa_commands *commands, struct gpa_step *step)
{
	const struct gpa_sample *sample = step->sample;

	step->has_sync =
		!sample->queries &&
		gpa_commands_can_sync(commands, "vkCmdEndGpaSampleAMD") ==
			VK_SUCCESS;
	if (step->has_sync)
		step->sync = gpa_commands_next_sync(commands);
	/* without the step it has no results, which is reported then */
	if (gpa_commands_add(commands, step))
		return;
	if (sample->queries) {
		commands->device->next.CmdWriteTimestamp(commands->handle,
							 sample->end_stage,
							 sample->queries, 1);
	} else if (step->has_sync) {
		if (sample->flushes)
			commands_flush(commands);
		gpa_commands_sync(commands);
	}
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndGpaSample(VkCommandBuffer handle, VkGpaSessionAMD session,
		    uint32_t id)
{
	struct gpa_commands *commands = commands_find(handle);
	struct gpa_step step = { .kind = GPA_STEP_END_SAMPLE,
				 .session = gpa_session_of(session),
				 .id = id };

	pthread_mutex_lock(&commands->device->lock);
	step.sample = close_sample(commands, step.session, id);
	pthread_mutex_unlock(&commands->device->lock);
	if (!step.sample)
		return;
	record_end(commands, &step);
	gpa_sample_release(step.sample);
}

/* ------------------------------------------------------------------ */
/* Secondary command buffers                                            */

VKAPI_ATTR void VKAPI_CALL
gpa_CmdCopyGpaSessionResults(VkCommandBuffer handle, VkGpaSessionAMD session)
{
	static const char where[] = "vkCmdCopyGpaSessionResultsAMD";
	struct gpa_commands *commands = commands_find(handle);
	struct gpa_step step = { .kind = GPA_STEP_COPY,
				 .session = gpa_session_of(session) };

	if (!step.session->source) {
		gpa_refuse(where, GPA_VALIDATION_FAILED,
			   "the session was made without "
			   "secondaryCopySource");
		return;
	}
	step.has_sync = gpa_commands_can_sync(commands, where) == VK_SUCCESS;
	if (step.has_sync)
		step.sync = gpa_commands_next_sync(commands);
	if (!gpa_commands_add(commands, &step) && step.has_sync)
		gpa_commands_sync(commands);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdExecuteCommands(VkCommandBuffer handle, uint32_t count,
		       const VkCommandBuffer *list)
{
	struct gpa_commands *commands = commands_find(handle);

	for (uint32_t i = 0; commands && i < count; i++) {
		const struct gpa_step step = { .kind = GPA_STEP_EXECUTE,
					       .executed = list[i] };

		if (gpa_commands_add(commands, &step))
			commands->is_incomplete = true;
	}
	gpa_device_of(handle)->next.CmdExecuteCommands(handle, count, list);
}

/* ------------------------------------------------------------------ */
/* Render passes                                                        */

static const struct gpa_device_functions *
note_render_pass(VkCommandBuffer handle, bool is_inside)
{
	struct gpa_device *device = gpa_device_of(handle);
	struct gpa_commands *commands = gpa_commands_of(device, handle);

	if (commands)
		commands->in_render_pass = is_inside;
	return &device->next;
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdBeginRenderPass(VkCommandBuffer handle,
		       const VkRenderPassBeginInfo *info,
		       VkSubpassContents contents)
{
	note_render_pass(handle, true)
		->CmdBeginRenderPass(handle, info, contents);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndRenderPass(VkCommandBuffer handle)
{
	note_render_pass(handle, false)->CmdEndRenderPass(handle);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdBeginRenderPass2(VkCommandBuffer handle,
			const VkRenderPassBeginInfo *info,
			const VkSubpassBeginInfo *subpass)
{
	note_render_pass(handle, true)
		->CmdBeginRenderPass2(handle, info, subpass);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndRenderPass2(VkCommandBuffer handle, const VkSubpassEndInfo *info)
{
	note_render_pass(handle, false)->CmdEndRenderPass2(handle, info);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdBeginRendering(VkCommandBuffer handle, const VkRenderingInfo *info)
{
	struct gpa_commands *commands = commands_find(handle);

	if (commands)
		commands->suspends = info->flags & VK_RENDERING_SUSPENDING_BIT;
	note_render_pass(handle, true)->CmdBeginRendering(handle, info);
}

VKAPI_ATTR void VKAPI_CALL
gpa_CmdEndRendering(VkCommandBuffer handle)
{
	const struct gpa_commands *commands = commands_find(handle);
	const bool is_inside = commands && commands->suspends;

	note_render_pass(handle, is_inside)->CmdEndRendering(handle);
}
