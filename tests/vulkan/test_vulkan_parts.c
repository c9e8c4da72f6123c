/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters are read between command buffers, which the layer submits in parts,
 * and cuts where samples begin and end within them, so that a queue can count
 * what is read by way of itself. On radv with simulated GPUs of four
 * generations, and on lavapipe, which is lent one.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "gpa_acting.h"
#include "gpa_commands.h"
#include "gpa_frames.h"
#include "gpa_places.h"
#include "gpa_state.h"
#include "tests/support/suite.h"
#include "tests/vulkan/calls.h"

#define LISTS 4

/* ------------------------------------------------------------------ */
/* Command buffers                                                      */

/* A command buffer that has nothing outside of its sample. */
struct list {
	VkCommandBuffer commands;
	VkGpaSessionAMD session;
	uint32_t id;
};

static struct list
begin_list(void)
{
	struct list list = { begin_primary(), world_session(&world),
			     UINT32_MAX };

	begin_session(list.commands, list.session);
	return list;
}

static VkResult
begin_sample(struct list *list, const VkGpaPerfCounterAMD *counters,
	     uint32_t count)
{
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_CUMULATIVE_AMD,
		.cacheFlushOnCounterCollection = VK_TRUE,
		.perfCounterCount = count,
		.pPerfCounters = counters,
	};

	return world.CmdBeginGpaSample(list->commands, list->session, &info,
				       &list->id);
}

static void
end_list(const struct list *list)
{
	end_session(list->commands, list->session);
	must_succeed(vkEndCommandBuffer(list->commands));
}

static void
submit_list(const struct list *list)
{
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &list->commands,
	};

	must_succeed(vkQueueSubmit(world.queue, 1, &submit, VK_NULL_HANDLE));
}

static void
destroy_list(const struct list *list)
{
	destroy_session(list->session);
	vkFreeCommandBuffers(world.device, world.pool, 1, &list->commands);
}

/* Return what a sample has instead of values. */
static VkResult
result_of(const struct list *list)
{
	return read_sample(list->session, list->id);
}

/* ------------------------------------------------------------------ */
/* Counting on radv                                                     */

/* Choose the waves of all shader engines, and a counter of CB. */
static uint32_t
choose_waves(VkGpaPerfCounterAMD *counters)
{
	const uint32_t used = choose_engines(counters);

	counters[used] =
		(VkGpaPerfCounterAMD){ VK_GPA_PERF_BLOCK_CB_AMD, 0, 1 };
	return used + 1;
}

static uint64_t
waves_counted(const struct list *list, uint32_t count)
{
	uint64_t values[MOST_ENGINES + 1], all = 0;

	world_results(&world, list->session, list->id, values, count);
	for (uint32_t i = 0; i + 1 < count; i++)
		all += values[i];
	return all;
}

/*
 * Submit by one of the two functions that submit, in one batch or in several.
 */
static void
submit_lists(const struct list *lists, bool is_later, bool in_batches)
{
	PFN_vkQueueSubmit2 submit2 = (PFN_vkQueueSubmit2)vkGetDeviceProcAddr(
		world.device, "vkQueueSubmit2KHR");
	VkCommandBufferSubmitInfo infos[LISTS];
	VkCommandBuffer buffers[LISTS];
	const uint32_t batches = in_batches ? LISTS : 1;
	VkSubmitInfo batch[LISTS];
	VkSubmitInfo2 batch2[LISTS];

	for (uint32_t i = 0; i < LISTS; i++) {
		buffers[i] = lists[i].commands;
		infos[i] = (VkCommandBufferSubmitInfo){
			.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
			.commandBuffer = buffers[i],
		};
		batch[i] = (VkSubmitInfo){
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.commandBufferCount = LISTS / batches,
			.pCommandBuffers = &buffers[i],
		};
		batch2[i] = (VkSubmitInfo2){
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
			.commandBufferInfoCount = LISTS / batches,
			.pCommandBufferInfos = &infos[i],
		};
	}
	if (is_later)
		must_succeed(
			submit2(world.queue, batches, batch2, VK_NULL_HANDLE));
	else
		must_succeed(vkQueueSubmit(world.queue, batches, batch,
					   VK_NULL_HANDLE));
}

TEST_CASE(graphics, open_radv, close_world, "parts_radv");

/* Each sample has the waves of its own command buffer. */
TEST_LOOP(graphics, samples_have_their_command_buffer, 4)
{
	VkGpaPerfCounterAMD counters[MOST_ENGINES + 1];
	const uint32_t count = choose_waves(counters);
	struct list lists[LISTS];
	uint64_t wave_size = 1;

	for (uint32_t i = 0; i < LISTS; i++) {
		lists[i] = begin_list();
		must_succeed(begin_sample(&lists[i], counters, count));
		world_dispatch(&world, lists[i].commands, 100 * (i + 1));
		world.CmdEndGpaSample(lists[i].commands, lists[i].session,
				      lists[i].id);
		end_list(&lists[i]);
	}
	submit_lists(lists, _i & 1, _i & 2);
	must_succeed(vkQueueWaitIdle(world.queue));
	/* a group of 64 threads is one wave, or two */
	if (waves_counted(&lists[0], count) == 200)
		wave_size = 2;
	for (uint32_t i = 0; i < LISTS; i++) {
		ck_assert_uint_eq(waves_counted(&lists[i], count),
				  100 * (i + 1) * wave_size);
		destroy_list(&lists[i]);
	}
}

/* Return whether a block cannot count what this queue does. */
static bool
sees_no_work(VkGpaPerfBlockAMD block)
{
	static const VkGpaPerfBlockAMD behind_sq[] = {
		VK_GPA_PERF_BLOCK_SQ_AMD,   VK_GPA_PERF_BLOCK_SQ_WGP_AMD,
		VK_GPA_PERF_BLOCK_TA_AMD,   VK_GPA_PERF_BLOCK_TD_AMD,
		VK_GPA_PERF_BLOCK_TCP_AMD,  VK_GPA_PERF_BLOCK_GL1A_AMD,
		VK_GPA_PERF_BLOCK_GL1C_AMD, VK_GPA_PERF_BLOCK_UTCL1_AMD,
	};

	if (world.flags & VK_QUEUE_GRAPHICS_BIT)
		return false;
	for (size_t i = 0; i < sizeof(behind_sq) / sizeof(*behind_sq); i++) {
		if (behind_sq[i] == block)
			return true;
	}
	return false;
}

/* Make the calls of GPUPerfAPI for one pass of counters, in its order. */
static void
count_pass(const VkGpaPerfCounterAMD *counters, uint32_t count)
{
	struct list list = begin_list();
	uint64_t values[MOST_BLOCKS];
	const VkResult wanted = sees_no_work(counters->blockType)
					? VK_ERROR_FEATURE_NOT_PRESENT
					: VK_SUCCESS;
	VkResult status = begin_sample(&list, counters, count);

	ck_assert_msg(status == wanted, "block %d, instance %u, event %u",
		      counters->blockType, counters->blockInstance,
		      counters->eventID);
	if (wanted != VK_SUCCESS) {
		destroy_list(&list);
		return;
	}
	world_dispatch(&world, list.commands, 10);
	world.CmdEndGpaSample(list.commands, list.session, list.id);
	end_list(&list);
	submit_list(&list);
	do
		status = world.GetGpaSessionStatus(world.device, list.session);
	while (status == VK_NOT_READY);
	must_succeed(status);
	world_results(&world, list.session, list.id, values, count);
	destroy_list(&list);
}

/* Take as many as there are at once, from the first event to the last. */
static void
count_block(const VkGpaPerfBlockPropertiesAMD *block)
{
	const uint32_t count = block->maxGlobalOnlyCounters;
	VkGpaPerfCounterAMD counters[MOST_BLOCKS];

	ck_assert_uint_gt(count, 0);
	ck_assert_uint_lt(count, MOST_BLOCKS);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t event = i + 1 < count ? i : block->maxEventID;

		counters[i] = (VkGpaPerfCounterAMD){ block->blockType,
						     block->instanceCount - 1,
						     event };
	}
	count_pass(counters, count);
}

TEST_CASE(compute, open_radv_compute, close_world, "parts_radv");

/*
 * What the listing offers can be had, on queues for graphics and compute; what
 * would not see the work of the queue is refused.
 */
TEST(graphics, each_block_that_is_listed_is_counted)
{
	VkGpaPerfBlockPropertiesAMD blocks[MOST_BLOCKS];
	uint32_t engines;
	const uint32_t count = read_blocks(blocks, &engines);

	set_clocks(VK_GPA_DEVICE_CLOCK_MODE_PROFILING_AMD);
	for (uint32_t i = 0; i < count; i++)
		count_block(&blocks[i]);
	set_clocks(VK_GPA_DEVICE_CLOCK_MODE_DEFAULT_AMD);
}
TEST_ALSO(compute, each_block_that_is_listed_is_counted, 1);

/*
 * Begin a command buffer of the second level, or the first, that is being
 * recorded.
 */
static struct list
begin_level(bool is_secondary)
{
	struct list list;

	if (!is_secondary)
		return begin_list();
	list = (struct list){ begin_secondary(0, NULL), world_session(&world),
			      UINT32_MAX };
	begin_session(list.commands, list.session);
	return list;
}

static void
run_level(const struct list *list, bool is_secondary)
{
	VkCommandBuffer primary;

	end_list(list);
	if (is_secondary) {
		primary = world_record(&world);
		vkCmdExecuteCommands(primary, 1, &list->commands);
		world_run(&world, primary);
	} else {
		run_commands(list->commands);
	}
}

/*
 * Samples of one command buffer, which is cut for each, and so is the one that
 * executes it: the pipeline is bound once, and what lies between them is not
 * counted.
 */
TEST_LOOP(graphics, command_buffers_are_cut_for_their_samples, 2)
{
	VkGpaPerfCounterAMD counters[MOST_ENGINES + 1];
	const uint32_t count = choose_waves(counters);
	struct list list = begin_level(_i), samples[LISTS];
	uint64_t wave_size = 1;

	vkCmdBindPipeline(list.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
			  world.pipeline);
	for (uint32_t i = 0; i < LISTS; i++) {
		vkCmdDispatch(list.commands, 7, 1, 1);
		samples[i] = list;
		must_succeed(begin_sample(&samples[i], counters, count));
		vkCmdDispatch(list.commands, 100 * (i + 1), 1, 1);
		world.CmdEndGpaSample(list.commands, list.session,
				      samples[i].id);
	}
	vkCmdDispatch(list.commands, 7, 1, 1);
	run_level(&list, _i);
	if (waves_counted(&samples[0], count) == 200)
		wave_size = 2;
	for (uint32_t i = 0; i < LISTS; i++)
		ck_assert_uint_eq(waves_counted(&samples[i], count),
				  100 * (i + 1) * wave_size);
}

#define LABEL(name)                                                            \
	((PFN_vkCmd##name##DebugUtilsLabelEXT)vkGetDeviceProcAddr(             \
		world.device, "vkCmd" #name "DebugUtilsLabelEXT"))

TEST_CASE(lavapipe, open_lavapipe, close_world, "parts_lavapipe");

/* Labels run on over cuts; but those of secondary ones have to end there. */
TEST_LOOP(lavapipe, labels_of_secondary_command_buffers_are_not_cut, 2)
{
	const VkDebugUtilsLabelEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
		.pLabelName = "a label",
	};
	const VkGpaPerfCounterAMD waves = waves_of(0);
	struct list list = begin_level(_i);

	LABEL(Begin)(list.commands, &info);
	world_act(list.commands);
	ck_assert_int_eq(begin_sample(&list, &waves, 1),
			 _i ? VK_ERROR_FEATURE_NOT_PRESENT : VK_SUCCESS);
	if (!_i)
		world.CmdEndGpaSample(list.commands, list.session, list.id);
	LABEL(End)(list.commands);
	must_succeed(begin_sample(&list, &waves, 1));
	world_act(list.commands);
	world.CmdEndGpaSample(list.commands, list.session, list.id);
	run_level(&list, _i);
	must_succeed(result_of(&list));
}

/* ------------------------------------------------------------------ */
/* State outside of a sample                                            */

static const VkGpaPerfCounterAMD depth = { VK_GPA_PERF_BLOCK_DB_AMD, 0, 1 };

/* State does not act, wherever it is set. */
TEST(graphics, state_may_be_set_outside_of_samples)
{
	struct list list = begin_list();
	uint64_t value;

	vkCmdBindPipeline(list.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
			  world.pipeline);
	must_succeed(begin_sample(&list, &depth, 1));
	vkCmdDispatch(list.commands, 10, 1, 1);
	world.CmdEndGpaSample(list.commands, list.session, list.id);
	vkCmdBindPipeline(list.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
			  world.pipeline);
	end_list(&list);
	run_commands(list.commands);
	world_results(&world, list.session, list.id, &value, 1);
}

/* ------------------------------------------------------------------ */
/* Semaphores                                                           */

static VkSemaphore
create_semaphore(bool is_timeline)
{
	const VkSemaphoreTypeCreateInfo type = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = is_timeline ? &type : NULL,
	};
	VkSemaphore semaphore;

	must_succeed(vkCreateSemaphore(world.device, &info, NULL, &semaphore));
	return semaphore;
}

static struct list
record_waves(void)
{
	const VkGpaPerfCounterAMD waves = waves_of(0);
	struct list list = begin_list();

	must_succeed(begin_sample(&list, &waves, 1));
	world_dispatch(&world, list.commands, 100);
	world.CmdEndGpaSample(list.commands, list.session, list.id);
	end_list(&list);
	return list;
}

/*
 * Submit as a present is behind a frame: all that it waits for has been
 * submitted.
 */
TEST(lavapipe, others_may_wait_for_a_binary_semaphore)
{
	const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	VkSemaphore semaphore = create_semaphore(false);
	struct list lists[2] = { record_waves(), record_waves() };
	const VkSubmitInfo first = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &lists[0].commands,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &semaphore,
	};
	const VkSubmitInfo second = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &lists[1].commands,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &semaphore,
		.pWaitDstStageMask = &all,
	};
	uint64_t value;

	must_succeed(vkQueueSubmit(world.queue, 1, &first, VK_NULL_HANDLE));
	must_succeed(vkQueueSubmit(world.queue, 1, &second, VK_NULL_HANDLE));
	must_succeed(vkQueueWaitIdle(world.queue));
	for (unsigned i = 0; i < 2; i++) {
		world_results(&world, lists[i].session, lists[i].id, &value, 1);
		destroy_list(&lists[i]);
	}
	vkDestroySemaphore(world.device, semaphore, NULL);
}
TEST_ALSO(graphics, others_may_wait_for_a_binary_semaphore, 1);

/* Timelines in batches that are divided keep their values. */
TEST_LOOP(lavapipe, timelines_are_waited_for_and_signalled, 2)
{
	static const uint64_t values[] = { 5, 6 };
	const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	PFN_vkGetSemaphoreCounterValue read =
		(PFN_vkGetSemaphoreCounterValue)vkGetDeviceProcAddr(
			world.device, "vkGetSemaphoreCounterValueKHR");
	PFN_vkSignalSemaphore signal =
		(PFN_vkSignalSemaphore)vkGetDeviceProcAddr(
			world.device, "vkSignalSemaphoreKHR");
	VkSemaphore semaphore = create_semaphore(true);
	struct list list = record_waves();
	const VkSemaphoreSignalInfo start = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
		.semaphore = semaphore,
		.value = values[0],
	};
	const VkTimelineSemaphoreSubmitInfo chain = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &values[0],
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = &values[1],
	};
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &chain,
		.commandBufferCount = 1,
		.pCommandBuffers = &list.commands,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &semaphore,
		.pWaitDstStageMask = &all,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &semaphore,
	};
	const bool is_late = _i;
	uint64_t value;

	/* one that comes behind vkQueueSubmit() is not waited for for ever */
	if (is_late)
		setenv("DRMPERF_VK_DEADLINE", "1", 1);
	else
		must_succeed(signal(world.device, &start));
	must_succeed(vkQueueSubmit(world.queue, 1, &submit, VK_NULL_HANDLE));
	if (is_late)
		must_succeed(signal(world.device, &start));
	must_succeed(vkQueueWaitIdle(world.queue));
	must_succeed(read(world.device, semaphore, &value));
	ck_assert_uint_eq(value, values[1]);
	if (is_late)
		ck_assert_int_eq(result_of(&list),
				 VK_ERROR_FEATURE_NOT_PRESENT);
	else
		must_succeed(result_of(&list));
	setenv("DRMPERF_VK_DEADLINE", WORLD_DEADLINE_MS, 1);
	vkDestroySemaphore(world.device, semaphore, NULL);
}
TEST_ALSO(graphics, timelines_are_waited_for_and_signalled, 2);

static struct list
record_cut(void)
{
	const VkGpaPerfCounterAMD waves = waves_of(0);
	struct list list = begin_list();

	world_act(list.commands);
	must_succeed(begin_sample(&list, &waves, 1));
	world_act(list.commands);
	world.CmdEndGpaSample(list.commands, list.session, list.id);
	end_list(&list);
	return list;
}

/*
 * What the layer does not know how to divide stays whole. The masks of a device
 * group are known where a command buffer has become several, for which there
 * are none.
 */
TEST_LOOP(lavapipe, unknown_structures_of_submissions_are_not_divided, 2)
{
	static const uint32_t mask = 1;
	const VkDeviceGroupSubmitInfo group = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBufferDeviceMasks = &mask,
	};
	struct list list = _i ? record_cut() : record_waves();
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &group,
		.commandBufferCount = 1,
		.pCommandBuffers = &list.commands,
	};

	must_succeed(vkQueueSubmit(world.queue, 1, &submit, VK_NULL_HANDLE));
	must_succeed(vkQueueWaitIdle(world.queue));
	ck_assert_int_eq(result_of(&list),
			 _i ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
	ck_assert_ptr_eq(submit.pNext, &group);
}

/* ------------------------------------------------------------------ */
/* Copies                                                               */

/* The timestamps are there: no driver waits for the device. */
TEST(lavapipe, copies_of_timing_samples_are_taken_behind_them)
{
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_TIMING_AMD,
	};
	struct list list = begin_list();
	VkGpaSessionAMD copy;
	uint64_t ticks[2];

	must_succeed(world.CmdBeginGpaSample(list.commands, list.session, &info,
					     &list.id));
	world_dispatch(&world, list.commands, 10);
	world.CmdEndGpaSample(list.commands, list.session, list.id);
	end_session(list.commands, list.session);
	copy = world_copy_session(&world, list.session);
	world.CmdCopyGpaSessionResults(list.commands, copy);
	must_succeed(vkEndCommandBuffer(list.commands));
	run_commands(list.commands);
	world_results(&world, copy, list.id, ticks, 2);
	ck_assert_uint_gt(ticks[0], 0);
	ck_assert_uint_ge(ticks[1], ticks[0]);
}

/* ------------------------------------------------------------------ */
/* Commands by name                                                     */

static const struct {
	const char *name;
	bool acts, is_state;
} names[] = {
	{ "vkCmdDispatch", true, false },
	{ "vkCmdDrawIndexedIndirectCountKHR", true, false },
	{ "vkCmdPipelineBarrier2", true, false },
	{ "vkCmdBeginQuery", true, false },
	{ "vkCmdBindPipeline", false, true },
	{ "vkCmdSetViewport", false, true },
	{ "vkCmdPushConstants", false, true },
	{ "vkCmdBeginDebugUtilsLabelEXT", false, true },
	{ "vkCmdSetDeviceMask", false, true },
	{ "vkCmdDispatchTomorrowEXT", false, false },
	{ "vkCmdSetTomorrowEXT", false, false },
};

TEST_CASE(names, NULL, NULL, "parts_lavapipe");

/* The layer knows which commands act and which set state, by their names. */
TEST_LOOP(names, commands_are_told_apart, ARRAY_SIZE(names))
{
	ck_assert_int_eq(gpa_acting_function(names[_i].name) != NULL,
			 names[_i].acts);
	ck_assert_int_eq(gpa_state_function(names[_i].name) != NULL,
			 names[_i].is_state);
}

/* Where a device has one, nothing is read between command buffers. */
TEST(names, devices_with_unknown_commands_are_not_cut)
{
	struct gpa_device device = { .handle = VK_NULL_HANDLE };
	struct gpa_commands commands = { .device = &device,
					 .is_primary = true };

	must_succeed(gpa_places_can_begin(&commands, "test"));
	device.has_unknown_command = true;
	ck_assert_int_eq(gpa_places_can_begin(&commands, "test"),
			 VK_ERROR_FEATURE_NOT_PRESENT);
}

/* ------------------------------------------------------------------ */
/* Frames                                                               */

/* What stands in for a driver, since none presents without a display. */
static _Atomic unsigned presents, finishes;

static VKAPI_ATTR VkResult VKAPI_CALL
present_suboptimally(VkQueue queue, const VkPresentInfoKHR *info)
{
	ck_assert_ptr_nonnull(queue);
	ck_assert_ptr_null(info);
	presents++;
	return VK_SUBOPTIMAL_KHR;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_no_fence(VkDevice device, const VkFenceCreateInfo *info,
		const VkAllocationCallbacks *allocator, VkFence *out)
{
	(void)device;
	(void)info;
	(void)allocator;
	*out = VK_NULL_HANDLE;
	return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_no_fence(VkDevice device, VkFence fence,
		 const VkAllocationCallbacks *allocator)
{
	(void)device;
	(void)fence;
	(void)allocator;
}

/* Submit nothing: the queue is finished once the frame has been presented. */
static VKAPI_ATTR VkResult VKAPI_CALL
submit_nothing(VkQueue queue, uint32_t count, const VkSubmitInfo *submits,
	       VkFence fence)
{
	(void)queue;
	(void)submits;
	(void)fence;
	ck_assert_uint_eq(count, 0);
	ck_assert_uint_eq(presents, ++finishes);
	return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
wait_for_no_fence(VkDevice device, uint32_t count, const VkFence *fences,
		  VkBool32 all, uint64_t timeout)
{
	(void)device;
	(void)count;
	(void)fences;
	(void)all;
	(void)timeout;
	return VK_SUCCESS;
}

/* Answer two marks, as a tool does. */
static void *
answer_marks(void *listener)
{
	const int fd = accept(*(int *)listener, NULL, NULL);
	char gpu[64];

	for (unsigned i = 1; i <= 2; i++) {
		ck_assert_int_gt(recv(fd, gpu, sizeof(gpu), 0), 0);
		ck_assert_str_eq(gpu, "0000:03:00.0");
		ck_assert_uint_eq(finishes, i);
		ck_assert_int_eq(send(fd, "", 1, 0), 1);
	}
	close(fd);
	return NULL;
}

/* Listen where the kernel likes, which is what DRMPERF_FRAMES says then. */
static int
listen_for_marks(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t size = sizeof(address.sun_family);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, size), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	size = sizeof(address) - 1;
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&address, &size),
			 0);
	((char *)&address)[size] = '\0';
	ck_assert_int_eq(setenv("DRMPERF_FRAMES", &address.sun_path[1], 1), 0);
	return fd;
}

TEST(names, presents_are_frames_where_there_are_swapchains)
{
	/* handles begin with a table's address, as the loader makes them */
	const void *table = &presents, *queue[] = { table };
	struct gpa_device device = {
		.handle = (VkDevice)&table,
		.next = {
			.QueuePresentKHR = present_suboptimally,
			.QueueSubmit = submit_nothing,
			.CreateFence = create_no_fence,
			.DestroyFence = destroy_no_fence,
			.WaitForFences = wait_for_no_fence,
		},
		.address = "0000:03:00.0",
	};
	int listener = listen_for_marks();
	PFN_vkQueuePresentKHR present;
	pthread_t tool;

	ck_assert_int_eq(gpa_device_add(&device), 0);
	ck_assert_ptr_null(gpa_frames_function(&device, "vkQueueSubmit"));
	present = (PFN_vkQueuePresentKHR)gpa_frames_function(
		&device, "vkQueuePresentKHR");
	ck_assert_int_eq(pthread_create(&tool, NULL, answer_marks, &listener),
			 0);
	for (unsigned i = 1; i <= 2; i++) {
		ck_assert_int_eq(present((VkQueue)queue, NULL),
				 VK_SUBOPTIMAL_KHR);
		ck_assert_uint_eq(presents, i);
		ck_assert_uint_eq(finishes, i);
	}
	pthread_join(tool, NULL);
	close(listener);
	gpa_device_take(device.handle);
}

TEST_MACHINE("parts_lavapipe", "--strict", "--time", "virtual", "--gpu",
	     "vega10");
TEST_MACHINE("parts_radv", "--strict", "--gpu", "vega10");
TEST_MACHINE("parts_radv", "--strict", "--gpu", "navi10");
TEST_MACHINE("parts_radv", "--strict", "--gpu", "navi21");
TEST_MACHINE("parts_radv", "--strict", "--gpu", "navi31");
