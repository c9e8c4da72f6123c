/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What programs make of VK_AMD_gpa_interface, on radv: the calls of GPUPerfAPI
 * in its order and with its arguments (source/gpu_perf_api_vk), command
 * buffers that are executed again, and machines with several GPUs.
 */
#include "tests/vulkan/calls.h"

#include <stdlib.h>

#include "tests/support/suite.h"

#define ENGINES 4 /* of a Vega 10 */

/* ------------------------------------------------------------------ */
/* Helpers                                                              */

TEST_CASE(gpuperfapi, open_radv, close_world, "client_radv");

/* Waves of all shader engines. */
static const VkGpaPerfCounterAMD waves[] = {
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 0, SQ_WAVES },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 1, SQ_WAVES },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 2, SQ_WAVES },
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 3, SQ_WAVES },
};

static uint64_t
sum_values(const uint64_t *values, size_t count)
{
	uint64_t all = 0;

	for (size_t i = 0; i < count; i++)
		all += values[i];
	return all;
}

/* ------------------------------------------------------------------ */
/* GPUPerfAPI: opening a context                                        */

#define CORE_TYPE VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD
#define CORE_2_TYPE                                                            \
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_2_AMD

#define INSTANCE_FUNCTION(name)                                                \
	(PFN_##name) vkGetInstanceProcAddr(world.instance, #name)

/*
 * It asks for the revision in front of structures that are the driver's, and
 * for the features in memory that is all zero.
 */
TEST(gpuperfapi, gpuperfapi_recognizes_the_device)
{
	PFN_vkGetPhysicalDeviceProperties2KHR ask =
		INSTANCE_FUNCTION(vkGetPhysicalDeviceProperties2KHR);
	PFN_vkGetPhysicalDeviceFeatures2KHR ask_features =
		INSTANCE_FUNCTION(vkGetPhysicalDeviceFeatures2KHR);
	VkPhysicalDeviceShaderCoreProperties2AMD core2 = {
		.sType = CORE_2_TYPE,
	};
	VkPhysicalDeviceShaderCorePropertiesAMD core = {
		.sType = CORE_TYPE,
		.pNext = &core2,
	};
	VkPhysicalDeviceGpaProperties2AMD revision = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_2_AMD,
		.pNext = &core,
		.revisionId = UINT32_MAX,
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &revision,
	};
	VkPhysicalDeviceGpaFeaturesAMD gpa = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD
	};
	VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &gpa,
	};

	ck_assert(ask && ask_features);
	ask(world.physical, &properties);
	ck_assert_uint_eq(revision.revisionId, 0xc1);
	ck_assert_ptr_eq(properties.pNext, &revision);
	ck_assert_ptr_eq(revision.pNext, &core);
	ck_assert_uint_eq(properties.properties.vendorID, 0x1002);
	ck_assert_uint_eq(core.shaderEngineCount, ENGINES);
	ck_assert_uint_gt(core2.activeComputeUnitCount, 0);
	ask_features(world.physical, &features);
	ck_assert_uint_eq(gpa.perfCounters, VK_TRUE);
}

/* ------------------------------------------------------------------ */
/* GPUPerfAPI: sessions                                                 */

/* A command list: a command buffer and a session. */
struct list {
	VkCommandBuffer commands;
	VkGpaSessionAMD session;
};

static struct list
begin_list(void)
{
	struct list list = { world_record(&world), world_session(&world) };

	must_succeed(world.CmdBeginGpaSession(list.commands, list.session));
	return list;
}

/* Ends it, and asks until the results are there. */
static void
run_list(const struct list *list)
{
	VkResult status;

	must_succeed(world.CmdEndGpaSession(list->commands, list->session));
	world_submit(&world, list->commands);
	do
		status = world.GetGpaSessionStatus(world.device, list->session);
	while (status == VK_NOT_READY);
	must_succeed(status);
}

/* Submit as a pass of counters is asked for. */
static VkGpaSampleBeginInfoAMD
pass_of(const VkGpaPerfCounterAMD *counters, uint32_t count, VkFlags stages)
{
	return (VkGpaSampleBeginInfoAMD){
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_CUMULATIVE_AMD,
		.cacheFlushOnCounterCollection = 1,
		.sqShaderMaskEnable = VK_TRUE,
		.sqShaderMask = stages,
		.perfCounterCount = count,
		.pPerfCounters = counters,
		.sqThreadTraceSuppressInstructionTokens = VK_TRUE,
	};
}

static uint32_t
sample_dispatch(const struct list *list, const VkGpaSampleBeginInfoAMD *info,
		uint32_t groups)
{
	uint32_t id = UINT32_MAX;

	must_succeed(world.CmdBeginGpaSample(list->commands, list->session,
					     info, &id));
	world_dispatch(&world, list->commands, groups);
	world.CmdEndGpaSample(list->commands, list->session, id);
	return id;
}

/* All stages are all bits there are; one stage is its bit. */
static const VkFlags masks[] = {
	VK_GPA_SQ_SHADER_STAGE_FLAG_BITS_MAX_ENUM_AMD,
	VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD,
};

TEST_LOOP(gpuperfapi, gpuperfapi_profiles_dispatches, ARRAY_SIZE(masks))
{
	const VkGpaSampleBeginInfoAMD info =
		pass_of(waves, ARRAY_SIZE(waves), masks[_i]);
	struct list list;
	uint64_t values[ENGINES];
	uint32_t ids[3];

	set_clocks(VK_GPA_DEVICE_CLOCK_MODE_PROFILING_AMD);
	list = begin_list();
	for (uint32_t i = 0; i < 3; i++)
		ids[i] = sample_dispatch(&list, &info, 500 * (i + 1));
	run_list(&list);
	for (uint32_t i = 0; i < 3; i++) {
		world_results(&world, list.session, ids[i], values, ENGINES);
		ck_assert_uint_eq(sum_values(values, ENGINES), 500 * (i + 1));
	}
	set_clocks(VK_GPA_DEVICE_CLOCK_MODE_DEFAULT_AMD);
}

/* A pass without stages still has the mask of all, whatever it counts. */
TEST(gpuperfapi, gpuperfapi_counts_other_blocks)
{
	const VkGpaPerfCounterAMD counter = { VK_GPA_PERF_BLOCK_TCC_AMD, 2, 3 };
	const VkGpaSampleBeginInfoAMD info = pass_of(&counter, 1, masks[0]);
	struct list list = begin_list();
	uint64_t value = 4711;
	uint32_t id = sample_dispatch(&list, &info, 10);

	run_list(&list);
	world_results(&world, list.session, id, &value, 1);
}

static const VkPipelineStageFlags begins[] = {
	VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
	VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
};

TEST_LOOP(gpuperfapi, gpuperfapi_times_dispatches, ARRAY_SIZE(begins))
{
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_TIMING_AMD,
		.cacheFlushOnCounterCollection = 1,
		.timingPreSample = begins[_i],
		.timingPostSample = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
	};
	struct list list = begin_list();
	uint64_t ticks[2];
	uint32_t id = sample_dispatch(&list, &info, 100);

	run_list(&list);
	world_results(&world, list.session, id, ticks, 2);
	ck_assert_uint_gt(ticks[0], 0);
	ck_assert_uint_ge(ticks[1], ticks[0]);
}

/* A sample goes on in another command buffer as one of its own. */
TEST(gpuperfapi, gpuperfapi_continues_samples)
{
	const VkGpaSampleBeginInfoAMD info =
		pass_of(waves, ARRAY_SIZE(waves), masks[0]);
	struct list lists[2];
	uint64_t values[ENGINES], all = 0;
	uint32_t ids[2];

	for (uint32_t i = 0; i < 2; i++) {
		lists[i] = begin_list();
		ids[i] = sample_dispatch(&lists[i], &info, 300 + i);
	}
	for (uint32_t i = 0; i < 2; i++)
		run_list(&lists[i]);
	for (uint32_t i = 0; i < 2; i++) {
		world_results(&world, lists[i].session, ids[i], values,
			      ENGINES);
		all += sum_values(values, ENGINES);
		world_destroy_session(&world, lists[i].session);
	}
	ck_assert_uint_eq(all, 601);
}

/* It ends a sample that could not begin, and the rest of the list goes on. */
TEST(gpuperfapi, gpuperfapi_goes_on_without_a_sample)
{
	const VkGpaPerfCounterAMD none = { VK_GPA_PERF_BLOCK_WGS_AMD, 0, 1 };
	const VkGpaSampleBeginInfoAMD wrong = pass_of(&none, 1, masks[0]);
	const VkGpaSampleBeginInfoAMD info =
		pass_of(waves, ARRAY_SIZE(waves), masks[0]);
	struct list list = begin_list();
	uint64_t values[ENGINES];
	uint32_t id = UINT32_MAX;

	ck_assert_int_lt(world.CmdBeginGpaSample(list.commands, list.session,
						 &wrong, &id),
			 0);
	ck_assert_uint_eq(id, UINT32_MAX);
	world.CmdEndGpaSample(list.commands, list.session, id);
	id = sample_dispatch(&list, &info, 700);
	run_list(&list);
	world_results(&world, list.session, id, values, ENGINES);
	ck_assert_uint_eq(sum_values(values, ENGINES), 700);
}

/* ------------------------------------------------------------------ */
/* Command buffers                                                      */

/*
 * However many samples there are, host and device meet at each; executed again
 * at once, they tell of the last time.
 */
TEST_LOOP(gpuperfapi, command_buffers_are_executed_again, 5)
{
	const VkGpaSampleBeginInfoAMD info =
		pass_of(waves, ARRAY_SIZE(waves), masks[0]);
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
	};
	struct list list = { world_commands(&world,
					    VK_COMMAND_BUFFER_LEVEL_PRIMARY),
			     world_session(&world) };
	const VkCommandBuffer twice[] = { list.commands, list.commands };
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 2,
		.pCommandBuffers = twice,
	};
	const uint32_t count = 1 + (uint32_t)_i;
	uint64_t values[ENGINES];
	uint32_t ids[5];

	must_succeed(vkBeginCommandBuffer(list.commands, &begin));
	must_succeed(world.CmdBeginGpaSession(list.commands, list.session));
	for (uint32_t i = 0; i < count; i++)
		ids[i] = sample_dispatch(&list, &info, 100 * (i + 1));
	must_succeed(world.CmdEndGpaSession(list.commands, list.session));
	must_succeed(vkEndCommandBuffer(list.commands));
	for (unsigned i = 0; i < 2; i++)
		must_succeed(
			vkQueueSubmit(world.queue, 1, &submit, VK_NULL_HANDLE));
	must_succeed(vkQueueWaitIdle(world.queue));
	for (uint32_t i = 0; i < count; i++) {
		world_results(&world, list.session, ids[i], values, ENGINES);
		ck_assert_uint_eq(sum_values(values, ENGINES), 100 * (i + 1));
	}
}

/* ------------------------------------------------------------------ */
/* Several GPUs                                                         */

/* One device of the world, and what is measured with it. */
struct seat {
	struct world world;
	struct list list;
	uint32_t id, groups;
};

static void
sit_down(struct seat *seat, unsigned number)
{
	ck_assert(world_begin(&seat->world,
			      VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, true));
	ck_assert(world_choose(&seat->world,
			       VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, number));
	world_open(&seat->world, VK_QUEUE_GRAPHICS_BIT, 0);
	seat->groups = 1000 * (number + 1);
	seat->list.commands = world_record(&seat->world);
	seat->list.session = world_session(&seat->world);
	must_succeed(seat->world.CmdBeginGpaSession(seat->list.commands,
						    seat->list.session));
	seat->id = world_sample(&seat->world, seat->list.commands,
				seat->list.session, waves, ENGINES);
	world_dispatch(&seat->world, seat->list.commands, seat->groups);
	seat->world.CmdEndGpaSample(seat->list.commands, seat->list.session,
				    seat->id);
	must_succeed(seat->world.CmdEndGpaSession(seat->list.commands,
						  seat->list.session));
}

static void
stand_up(struct seat *seat)
{
	uint64_t values[ENGINES];

	must_succeed(vkQueueWaitIdle(seat->world.queue));
	world_results(&seat->world, seat->list.session, seat->id, values,
		      ENGINES);
	ck_assert_uint_eq(sum_values(values, ENGINES), seat->groups);
	world_end(&seat->world);
}

TEST_CASE(pair, NULL, NULL, "client_pair");

/* Each device counts on the GPU that does its work, at the same time. */
TEST(pair, each_device_has_its_own_gpu)
{
	struct seat seats[2];

	unsetenv("DRMPERF_GPU");
	for (unsigned i = 0; i < 2; i++)
		sit_down(&seats[i], i);
	for (unsigned i = 0; i < 2; i++)
		world_submit(&seats[i].world, seats[i].list.commands);
	for (unsigned i = 0; i < 2; i++)
		stand_up(&seats[i]);
}

TEST_CASE(hybrid, NULL, NULL, "client_hybrid");

/* A GPU that cannot be counted is beside it, and DRMPERF_GPU is for drivers
 * that do not tell: who tells is believed. */
TEST(hybrid, a_device_is_not_given_the_gpu_of_another)
{
	VkPhysicalDeviceProperties properties;

	setenv("DRMPERF_GPU", "0000:00:02.0", 1);
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
			      false));
	vkGetPhysicalDeviceProperties(world.physical, &properties);
	ck_assert_uint_eq(properties.vendorID, 0x1002);
	ck_assert(world_has_extension(&world));
	ck_assert(world_choose(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, 0));
	ck_assert(!world_has_extension(&world));
	world_end(&world);
}

TEST_MACHINE("client_radv", "--strict", "--gpu", "vega10");
TEST_MACHINE("client_pair", "--strict", "--gpu", "vega10", "--gpu", "vega20");
TEST_MACHINE("client_hybrid", "--strict", "--gpu", "skl", "--gpu", "vega10");
