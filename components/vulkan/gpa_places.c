/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_places.h"

#include <errno.h>
#include <stdlib.h>

#include "gpa_cut.h"
#include "gpa_state.h"
#include "gpa_tell.h"

/* Engines that wait for events; those that only copy do not. */
#define SYNC_QUEUES (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)

static const char place_where[] = "sample";

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

static VkResult
commands_can_wait(struct gpa_commands *commands, const char *where)
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

static struct gpa_sync
commands_next_sync(const struct gpa_commands *commands)
{
	return commands->syncs[place_of_next(commands)];
}

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

/* Record that the device waits for the host. */
static void
commands_wait(struct gpa_commands *commands)
{
	const struct gpa_sync sync = commands_next_sync(commands);
	const struct gpa_device_functions *next = &commands->device->next;
	const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

	commands->syncs_used++;
	next->CmdSetEvent(commands->handle, sync.reached, all);
	next->CmdWaitEvents(commands->handle, 1, &sync.released,
			    VK_PIPELINE_STAGE_HOST_BIT, all, 0, NULL, 0, NULL,
			    0, NULL);
}

/* ------------------------------------------------------------------ */
/* Places of operations                                                      */

/* Return whether counters are read before all that the part does. */
static bool
commands_are_at_begin(const struct gpa_commands *commands)
{
	return !commands->has_acted && !commands->device->has_unknown_command;
}

static VkResult
refuse_own_queue(const struct gpa_sample *sample, const char *where)
{
	return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
			  "block %s is read by way of the sample's own queue, "
			  "which waits in secondary command buffers: the "
			  "sample has to be in a primary one",
			  drmperf_group_name(sample->own_queue));
}

VkResult
gpa_places_can_begin(struct gpa_commands *commands,
		     const struct gpa_sample *sample, const char *where)
{
	if (commands->is_primary)
		return commands_are_at_begin(commands)
			       ? VK_SUCCESS
			       : gpa_cut_check(commands, where);
	if (sample->own_queue)
		return refuse_own_queue(sample, where);
	return commands_can_wait(commands, where);
}

/* Make the device wait for the host in front of the next command. */
static enum gpa_place
commands_place_inside(struct gpa_commands *commands, struct gpa_op *op)
{
	const struct gpa_sample *sample = op->sample;

	if (sample && sample->own_queue) {
		refuse_own_queue(sample, place_where);
		return GPA_PLACE_NONE;
	}
	if (commands_can_wait(commands, place_where) != VK_SUCCESS)
		return GPA_PLACE_NONE;
	op->sync = commands_next_sync(commands);
	if (sample && sample->flushes)
		commands_flush(commands);
	commands_wait(commands);
	return GPA_PLACE_INSIDE;
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
		(op->kind != GPA_STEP_END_SAMPLE || !commands->in_render_pass);

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
			op->place =
				commands->is_primary
					? commands_place_between(commands, op)
					: commands_place_inside(commands, op);
	}
	commands->pending = commands->count;
}

int
gpa_places_add(struct gpa_commands *commands, struct gpa_op *op)
{
	op->place = GPA_PLACE_PENDING;
	if (gpa_commands_add(commands, op))
		return -ENOMEM;
	if (!commands->is_primary)
		commands_place_pending(commands);
	return 0;
}

void
gpa_places_act(struct gpa_commands *commands)
{
	if (commands->pending < commands->count)
		commands_place_pending(commands);
	commands->has_acted = true;
}

/*
 * A pass does not act by its begin: samples that begin inside of it, before
 * anything is drawn, have its loads and clears.
 */
void
gpa_places_begin_pass(struct gpa_commands *commands, bool resumes)
{
	commands->resumes |= resumes && !commands->has_acted;
	if (commands->pending < commands->count)
		commands_place_pending(commands);
	commands->has_acted |= resumes;
	commands->in_render_pass = true;
}

/* Samples that have ended inside of it, behind all draws, have its stores. */
void
gpa_places_end_pass(struct gpa_commands *commands)
{
	commands->has_acted = true;
	commands->in_render_pass = commands->suspends;
}

/* ------------------------------------------------------------------ */
/* Ends                                                                 */

void
gpa_places_forget(struct gpa_commands *commands)
{
	gpa_cut_forget(commands);
	gpa_state_forget(commands);
	gpa_commands_forget(commands);
}

void
gpa_places_destroy(struct gpa_commands *commands)
{
	gpa_places_forget(commands);
	for (size_t i = 0; i < commands->sync_count; i++)
		destroy_sync(commands->device, &commands->syncs[i]);
	free(commands);
}
