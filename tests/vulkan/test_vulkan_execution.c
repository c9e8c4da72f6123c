/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * VK_AMD_gpa_interface, sentence by sentence: command buffers and their ends.
 * On lavapipe, which DRMPERF_GPU lends a simulated GPU in virtual time, and on
 * radv with a simulated GPU of its own. Comments in quotes are the extension's
 * words.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "drmsim/control.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/vulkan/calls.h"

/* ------------------------------------------------------------------ */
/* Render passes, threads, pools                                        */

struct pass {
	VkRenderPass handle;
	VkFramebuffer framebuffer;
};

/* Create a pass without anything to draw on, of some views, or 0. */
static void
create_pass_of(struct pass *pass, uint32_t views)
{
	const VkRenderPassMultiviewCreateInfo multiview = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
		.subpassCount = 1,
		.pViewMasks = &views,
	};
	const VkSubpassDescription subpass = {
		.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
	};
	const VkRenderPassCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.pNext = views ? &multiview : NULL,
		.subpassCount = 1,
		.pSubpasses = &subpass,
	};
	VkFramebufferCreateInfo framebuffer = {
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.width = 1,
		.height = 1,
		.layers = 1,
	};

	must_succeed(
		vkCreateRenderPass(world.device, &info, NULL, &pass->handle));
	framebuffer.renderPass = pass->handle;
	must_succeed(vkCreateFramebuffer(world.device, &framebuffer, NULL,
					 &pass->framebuffer));
}

static void
create_pass(struct pass *pass)
{
	create_pass_of(pass, 0);
}

/* A command that became part of Vulkan later. */
#define LATER(name)                                                            \
	((PFN_vk##name)vkGetDeviceProcAddr(world.device, "vk" #name "KHR"))

/* Begin a pass by the command of Vulkan 1.0, or a later one. */
static void
begin_pass(const struct pass *pass, VkCommandBuffer commands, bool later)
{
	const VkSubpassBeginInfo subpass = {
		.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
	};
	const VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = pass->handle,
		.framebuffer = pass->framebuffer,
		.renderArea = { .extent = { 1, 1 } },
	};

	if (later)
		LATER(CmdBeginRenderPass2)(commands, &info, &subpass);
	else
		vkCmdBeginRenderPass(commands, &info,
				     VK_SUBPASS_CONTENTS_INLINE);
}

static void
end_pass(VkCommandBuffer commands, bool later)
{
	const VkSubpassEndInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO,
	};

	if (later)
		LATER(CmdEndRenderPass2)(commands, &info);
	else
		vkCmdEndRenderPass(commands);
}

static void
destroy_pass(const struct pass *pass)
{
	vkDestroyFramebuffer(world.device, pass->framebuffer, NULL);
	vkDestroyRenderPass(world.device, pass->handle, NULL);
}

TEST_CASE(lavapipe, open_lavapipe, close_world, "execution_lavapipe");

/* Inside of a render pass the host cannot read in time: nothing begins. */
TEST_LOOP(lavapipe, samples_do_not_begin_in_render_passes, 2)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	const VkGpaSampleBeginInfoAMD info = { .perfCounterCount = 1,
					       .pPerfCounters = &counter };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint64_t value;
	struct pass pass;
	uint32_t id;

	create_pass(&pass);
	begin_session(commands, session);
	begin_pass(&pass, commands, _i);
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	end_pass(commands, _i);
	/* outside of it they do, and may have it inside of them */
	id = world_sample(&world, commands, session, &counter, 1);
	begin_pass(&pass, commands, _i);
	end_pass(commands, _i);
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
	world_results(&world, session, id, &value, 1);
	destroy_pass(&pass);
}

/*
 * Nothing ends there, when the pass acts behind it: the sample says so
 * in place of a value.
 */
TEST_LOOP(lavapipe, samples_ended_in_render_passes_fail, 2)
{
	const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_TIMESTAMP,
		.queryCount = 1,
	};
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	VkQueryPool queries;
	struct pass pass;
	uint32_t id;

	create_pass(&pass);
	begin_session(commands, session);
	must_succeed(vkCreateQueryPool(world.device, &info, NULL, &queries));
	vkCmdResetQueryPool(commands, queries, 0, 1);
	id = world_sample(&world, commands, session, &counter, 1);
	begin_pass(&pass, commands, _i);
	world.CmdEndGpaSample(commands, session, id);
	vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
			    queries, 0);
	end_pass(commands, _i);
	run_session(commands, session);
	vkDestroyQueryPool(world.device, queries, NULL);
	ck_assert_int_eq(read_sample(session, id),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	destroy_pass(&pass);
}

/*
 * Where all that acts lies inside of a sample, it may begin and end in the
 * pass, whose loads and stores it has.
 */
TEST_LOOP(lavapipe, samples_of_all_of_a_pass_begin_and_end_in_it, 2)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = begin_primary();
	uint64_t value;
	struct pass pass;
	uint32_t id;

	create_pass(&pass);
	begin_session(commands, session);
	begin_pass(&pass, commands, _i);
	id = world_sample(&world, commands, session, &counter, 1);
	world.CmdEndGpaSample(commands, session, id);
	end_pass(commands, _i);
	end_session(commands, session);
	must_succeed(vkEndCommandBuffer(commands));
	run_commands(commands);
	world_results(&world, session, id, &value, 1);
	destroy_pass(&pass);
}

#define OF_SECONDARIES VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT
#define INHERITANCE_RENDERING_INFO                                             \
	VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO

/* Ways into a render pass. */
static const struct way {
	bool is_dynamic, is_secondary;
	uint32_t views;
} ways[] = {
	{ false, false, 0 }, { true, false, 0 },  { false, true, 0 },
	{ true, true, 0 },   { false, false, 3 }, { true, false, 3 },
	{ false, true, 3 },  { true, true, 3 },
};

static void
begin_way(const struct way *way, const struct pass *pass,
	  VkCommandBuffer commands)
{
	const VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = pass->handle,
		.framebuffer = pass->framebuffer,
		.renderArea = { .extent = { 1, 1 } },
	};
	const VkRenderingInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
		.flags = way->is_secondary ? OF_SECONDARIES : 0,
		.renderArea = { .extent = { 1, 1 } },
		.layerCount = 1,
		.viewMask = way->views,
	};

	if (way->is_dynamic)
		LATER(CmdBeginRendering)(commands, &rendering);
	else
		vkCmdBeginRenderPass(
			commands, &info,
			way->is_secondary
				? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS
				: VK_SUBPASS_CONTENTS_INLINE);
}

static void
end_way(const struct way *way, VkCommandBuffer commands)
{
	if (way->is_dynamic)
		LATER(CmdEndRendering)(commands);
	else
		vkCmdEndRenderPass(commands);
}

/* Begin what is recorded within the pass: the same commands, or others. */
static VkCommandBuffer
begin_within(const struct way *way, const struct pass *pass,
	     VkCommandBuffer commands)
{
	const VkCommandBufferInheritanceRenderingInfo rendering = {
		.sType = INHERITANCE_RENDERING_INFO,
		.viewMask = way->views,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
	};
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
		.pNext = way->is_dynamic ? &rendering : NULL,
		.renderPass = way->is_dynamic ? VK_NULL_HANDLE : pass->handle,
	};

	if (!way->is_secondary)
		return commands;
	return begin_secondary(VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
			       &inheritance);
}

static const VkGpaSampleBeginInfoAMD timing = {
	.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
	.sampleType = VK_GPA_SAMPLE_TYPE_TIMING_AMD,
	.timingPreSample = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
	.timingPostSample = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
};

/* Samples within a pass, into it, and out of it. */
enum {
	WITHIN,
	INTO,
	OUT_OF,
	TIMED
};

/*
 * Record a pass, and what is within it, with these samples. Returns what is to
 * be submitted.
 */
static VkCommandBuffer
record_timed(const struct way *way, const struct pass *pass,
	     VkGpaSessionAMD session, uint32_t ids[TIMED])
{
	VkCommandBuffer commands = world_record(&world);
	VkCommandBuffer within = begin_within(way, pass, commands);

	begin_session(commands, session);
	must_succeed(world.CmdBeginGpaSample(commands, session, &timing,
					     &ids[INTO]));
	begin_way(way, pass, commands);
	must_succeed(world.CmdBeginGpaSample(within, session, &timing,
					     &ids[WITHIN]));
	world.CmdEndGpaSample(within, session, ids[INTO]);
	must_succeed(world.CmdBeginGpaSample(within, session, &timing,
					     &ids[OUT_OF]));
	world.CmdEndGpaSample(within, session, ids[WITHIN]);
	if (way->is_secondary) {
		must_succeed(vkEndCommandBuffer(within));
		vkCmdExecuteCommands(commands, 1, &within);
	}
	end_way(way, commands);
	world.CmdEndGpaSample(commands, session, ids[OUT_OF]);
	end_session(commands, session);
	return commands;
}

static void
check_ticks(VkGpaSessionAMD session, const uint32_t ids[TIMED], uint64_t after)
{
	for (unsigned i = 0; i < TIMED; i++) {
		uint64_t ticks[2];

		world_results(&world, session, ids[i], ticks, 2);
		ck_assert_uint_gt(ticks[0], after);
		ck_assert_uint_ge(ticks[1], ticks[0]);
	}
}

TEST_CASE(radv, open_radv, close_world, "execution_radv");

/* Their queries are reset each time that the command buffer is executed. */
TEST_LOOP(lavapipe, timing_samples_begin_in_render_passes, ARRAY_SIZE(ways))
{
	const struct way *way = &ways[_i];
	VkGpaSessionAMD session = world_session(&world);
	uint64_t ticks[2];
	uint32_t ids[TIMED];
	struct pass pass;
	VkCommandBuffer commands;

	create_pass_of(&pass, way->views);
	commands = record_timed(way, &pass, session, ids);
	world_run(&world, commands);
	check_ticks(session, ids, 0);
	world_results(&world, session, ids[WITHIN], ticks, 2);
	run_commands(commands);
	check_ticks(session, ids, ticks[0]);
	destroy_pass(&pass);
}
TEST_ALSO(radv, timing_samples_begin_in_render_passes, ARRAY_SIZE(ways));

#define THREADS 4

struct recorder {
	pthread_t thread;
	VkCommandPool pool;
	VkCommandBuffer commands;
	VkGpaSessionAMD session;
	uint32_t ids[2];
};

/* Record in a thread, without assertions: those are the main thread's. */
static void *
record_in_thread(void *data)
{
	const VkGpaPerfCounterAMD counter = waves_of(1);
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.perfCounterCount = 1,
		.pPerfCounters = &counter,
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};
	struct recorder *recorder = data;

	vkBeginCommandBuffer(recorder->commands, &begin);
	world.CmdBeginGpaSession(recorder->commands, recorder->session);
	for (unsigned i = 0; i < 2; i++) {
		world.CmdBeginGpaSample(recorder->commands, recorder->session,
					&info, &recorder->ids[i]);
		world_dispatch(&world, recorder->commands, 100);
		world.CmdEndGpaSample(recorder->commands, recorder->session,
				      recorder->ids[i]);
	}
	world.CmdEndGpaSession(recorder->commands, recorder->session);
	return NULL;
}

static void
begin_recorder(struct recorder *recorder)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.queueFamilyIndex = world.family,
	};
	VkCommandBufferAllocateInfo allocate = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandBufferCount = 1,
	};

	must_succeed(vkCreateCommandPool(world.device, &info, NULL,
					 &recorder->pool));
	allocate.commandPool = recorder->pool;
	must_succeed(vkAllocateCommandBuffers(world.device, &allocate,
					      &recorder->commands));
	recorder->session = world_session(&world);
	ck_assert_int_eq(pthread_create(&recorder->thread, NULL,
					record_in_thread, recorder),
			 0);
}

/* Threads record several command buffers, which are submitted at once. */
TEST(lavapipe, threads_record_command_buffers)
{
	struct recorder recorders[THREADS];
	VkCommandBuffer list[THREADS];
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = THREADS,
		.pCommandBuffers = list,
	};
	uint64_t value;

	for (unsigned i = 0; i < THREADS; i++)
		begin_recorder(&recorders[i]);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(recorders[i].thread, NULL);
		list[i] = recorders[i].commands;
		must_succeed(vkEndCommandBuffer(list[i]));
	}
	must_succeed(vkQueueSubmit(world.queue, 1, &submit, VK_NULL_HANDLE));
	vkQueueWaitIdle(world.queue);
	for (unsigned i = 0; i < THREADS; i++) {
		for (unsigned k = 0; k < 2; k++)
			world_results(&world, recorders[i].session,
				      recorders[i].ids[k], &value, 1);
		destroy_session(recorders[i].session);
		vkDestroyCommandPool(world.device, recorders[i].pool, NULL);
	}
}
TEST_ALSO(radv, threads_record_command_buffers, 1);

/* What is recorded goes with the pool's reset; the session begins again. */
TEST(lavapipe, pools_are_reset)
{
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint64_t value;
	uint32_t id;

	begin_session(commands, session);
	world_sample(&world, commands, session, &counter, 1);
	must_succeed(vkEndCommandBuffer(commands));
	must_succeed(vkResetCommandPool(world.device, world.pool, 0));
	must_succeed(world.ResetGpaSession(world.device, session));
	must_succeed(vkBeginCommandBuffer(commands, &begin));
	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
	world_results(&world, session, id, &value, 1);
}

/*
 * A program that has waited for the fence of a submission destroys what it was
 * made of, and finds its results. Many times: an end that comes late is mostly
 * in time.
 */
TEST(lavapipe, results_are_there_behind_the_fence)
{
	const VkFenceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
	};
	const VkGpaPerfCounterAMD counter = waves_of(0);

	for (unsigned i = 0; i < 50; i++) {
		VkGpaSessionAMD session = world_session(&world);
		VkCommandBuffer commands = world_record(&world);
		const VkSubmitInfo submit = {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.commandBufferCount = 1,
			.pCommandBuffers = &commands,
		};
		VkFence fence;
		uint32_t id;

		begin_session(commands, session);
		id = world_sample(&world, commands, session, &counter, 1);
		world.CmdEndGpaSample(commands, session, id);
		end_session(commands, session);
		must_succeed(vkEndCommandBuffer(commands));
		must_succeed(vkCreateFence(world.device, &info, NULL, &fence));
		must_succeed(vkQueueSubmit(world.queue, 1, &submit, fence));
		must_succeed(vkWaitForFences(world.device, 1, &fence, VK_TRUE,
					     UINT64_MAX));
		/* what comes first must not wait for the other */
		if (i % 2)
			vkFreeCommandBuffers(world.device, world.pool, 1,
					     &commands);
		must_succeed(world.GetGpaSessionStatus(world.device, session));
		must_succeed(world.ResetGpaSession(world.device, session));
		if (!(i % 2))
			vkFreeCommandBuffers(world.device, world.pool, 1,
					     &commands);
		vkDestroyFence(world.device, fence, NULL);
	}
}

/* A sample of one counter, in which its device stands at a gate. */
struct gated {
	VkGpaSessionAMD session;
	uint32_t id;
	struct gate gate;
};

/* Record the sample, and submit it by a thread of its own. */
static void
submit_gated(struct gated *sample)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	gate_create(&world, &sample->gate);
	begin_session(commands, session);
	sample->session = session;
	sample->id = world_sample(&world, commands, session, &counter, 1);
	gate_record(&sample->gate, commands);
	world.CmdEndGpaSample(commands, session, sample->id);
	end_session(commands, session);
	world_submit_beside(&world, commands);
}

/* Lose the GPU while the device stands at the gate. */
static void
lose_gpu(const struct gate *gate)
{
	gate_wait(&world, gate);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	gate_open(&world, gate);
}

TEST(lavapipe, later_submissions_count)
{
	struct gated sample;
	uint64_t value;

	scene_set("rate", "SQ.4 1000000");
	world.submit2 = LATER(QueueSubmit2);
	submit_gated(&sample);
	pass_at(&sample.gate, 3);
	world_wait(&world);
	world_results(&world, sample.session, sample.id, &value, 1);
	ck_assert_uint_eq(value, 3000);
}

/* A session may go as soon as what it is part of has been executed. */
TEST(lavapipe, command_buffers_outlive_sessions)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t id;

	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
	destroy_session(session);
	must_succeed(vkResetCommandBuffer(commands, 0));
}

/* A GPU that is lost: the sample is an error, and the device goes on. */
TEST(lavapipe, counters_lost_are_errors)
{
	struct gated sample;

	submit_gated(&sample);
	lose_gpu(&sample.gate);
	world_wait(&world);
	ck_assert_int_eq(read_sample(sample.session, sample.id),
			 VK_ERROR_DEVICE_LOST);
}

TEST_CASE(hang, open_lavapipe, close_world, "execution_hang");

/*
 * A GPU that does not answer, and that is not reset: only the deadline lets
 * the device go on. The reset comes when it has.
 */
TEST(hang, devices_do_not_wait_for_ever)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	struct gated sample;
	uint64_t submissions;

	submit_gated(&sample);
	gate_wait(&world, &sample.gate);
	/* not earlier: the beginning's reading would go on beside the gate */
	setenv("DRMPERF_VK_DEADLINE", "1", 1);
	scene_fault("hang:1");
	submissions = scene_calls("cs");
	gate_open(&world, &sample.gate);
	world_wait(&world);
	/* what hangs may come after the deadline; the reset must be later */
	while (scene_calls("cs") == submissions)
		nanosleep(&nap, NULL);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	ck_assert_int_eq(read_sample(sample.session, sample.id),
			 VK_ERROR_UNKNOWN);
	/* the hang was ours */
	drmsim_command("clear", NULL, 0);
}

/*
 * The GPU that the application itself draws with: whatever its driver says of
 * the queue, the sample has no values, and nothing waits for ever.
 */
TEST(radv, devices_lost_are_errors)
{
	struct gated sample;
	uint64_t value;
	size_t size = sizeof(value);

	submit_gated(&sample);
	lose_gpu(&sample.gate);
	world_join(&world);
	vkQueueWaitIdle(world.queue);
	ck_assert_int_ne(
		world.GetGpaSessionStatus(world.device, sample.session),
		VK_NOT_READY);
	ck_assert_int_lt(world.GetGpaSessionResults(world.device,
						    sample.session, sample.id,
						    &size, &value),
			 0);
	drmsim_command("clear", NULL, 0);
}

/* Counters that another program has. */
TEST(lavapipe, counters_taken_are_errors)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t id;

	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	scene_fault("cs:1+:EACCES");
	world_run(&world, commands);
	ck_assert_int_lt(read_sample(session, id), 0);
	drmsim_command("mend", NULL, 0);
}

TEST_MACHINE("execution_lavapipe", "--strict", "--time", "virtual", "--gpu",
	     "vega10,revision=0xc1", "--gpu", "vega10");
TEST_MACHINE("execution_radv", "--strict", "--gpu", "vega10");
TEST_MACHINE("execution_hang", "--strict", "--gpu",
	     "vega10,lockup-timeout=3600s");
