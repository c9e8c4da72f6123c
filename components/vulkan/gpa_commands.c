/* SPDX-License-Identifier: BSD-3-Clause */
#include "gpa_commands.h"

#include <errno.h>
#include <stdlib.h>

#include "gpa_tell.h"

/* Engines that wait for events; those that only copy do not. */
#define SYNC_QUEUES (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)

struct gpa_commands *
gpa_commands_of(struct gpa_device *device, VkCommandBuffer handle)
{
	return gpa_map_get(&device->commands, GPA_KEY(handle));
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
	commands->syncs_used = 0;
	commands->in_render_pass = false;
	commands->suspends = false;
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
	commands->ops[commands->count++] = *op;
	return 0;
}

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

/* Return whether the counters can be read between this and other buffers. */
static bool
commands_can_be_cut(const struct gpa_commands *commands)
{
	return commands->is_primary && !commands->device->has_unknown_command;
}

static bool
commands_are_at_begin(const struct gpa_commands *commands)
{
	return commands_can_be_cut(commands) && !commands->has_acted;
}

static VkResult
refuse_own_queue(const struct gpa_commands *commands,
		 const struct gpa_sample *sample, const char *where)
{
	const struct gpa_device *device = commands->device;
	const char *unknown =
		device->has_unknown_command ? device->unknown_command : NULL;

	return gpa_refuse(where, VK_ERROR_FEATURE_NOT_PRESENT,
			  "block %s is read by way of the sample's own queue, "
			  "that is between command buffers: the sample has to "
			  "be around all commands of a primary command "
			  "buffer%s%s",
			  drmperf_group_name(sample->own_queue),
			  unknown ? ", and the device must not have the "
				    "unknown command "
				  : "",
			  unknown ? unknown : "");
}

VkResult
gpa_commands_can_begin(struct gpa_commands *commands,
		       const struct gpa_sample *sample, const char *where)
{
	if (commands_are_at_begin(commands))
		return VK_SUCCESS;
	if (sample->own_queue)
		return refuse_own_queue(commands, sample, where);
	return commands_can_wait(commands, where);
}

/* Make the device wait for the host in front of the next command. */
static enum gpa_place
commands_place_inside(struct gpa_commands *commands, struct gpa_op *op)
{
	static const char where[] = "sample";
	const struct gpa_sample *sample = op->sample;

	if (sample && sample->own_queue) {
		refuse_own_queue(commands, sample, where);
		return GPA_PLACE_NONE;
	}
	if (commands_can_wait(commands, where) != VK_SUCCESS)
		return GPA_PLACE_NONE;
	op->sync = commands_next_sync(commands);
	if (sample && sample->flushes)
		commands_flush(commands);
	commands_wait(commands);
	return GPA_PLACE_INSIDE;
}

static void
commands_place_pending(struct gpa_commands *commands)
{
	for (size_t i = commands->pending; i < commands->count; i++) {
		struct gpa_op *op = &commands->ops[i];

		if (op->place != GPA_PLACE_PENDING)
			continue;
		if (!commands_are_at_begin(commands))
			op->place = commands_place_inside(commands, op);
		else if (commands->resumes)
			op->place = GPA_PLACE_NONE;
		else
			op->place = GPA_PLACE_BEFORE;
	}
	commands->pending = commands->count;
}

int
gpa_commands_add_sync(struct gpa_commands *commands, struct gpa_op *op)
{
	op->place = GPA_PLACE_PENDING;
	if (gpa_commands_add(commands, op))
		return -ENOMEM;
	if (!commands_can_be_cut(commands))
		commands_place_pending(commands);
	return 0;
}

void
gpa_commands_act(struct gpa_commands *commands)
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
gpa_commands_begin_pass(struct gpa_commands *commands, bool resumes)
{
	commands->resumes |= resumes && !commands->has_acted;
	if (commands->pending < commands->count)
		commands_place_pending(commands);
	commands->has_acted |= resumes;
	commands->in_render_pass = true;
}

/* Samples that have ended inside of it, behind all draws, have its stores. */
void
gpa_commands_end_pass(struct gpa_commands *commands)
{
	commands->has_acted = true;
	commands->in_render_pass = commands->suspends;
}

void
gpa_commands_destroy(struct gpa_commands *commands)
{
	gpa_commands_forget(commands);
	for (size_t i = 0; i < commands->sync_count; i++)
		destroy_sync(commands->device, &commands->syncs[i]);
	free(commands);
}
