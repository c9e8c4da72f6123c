/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * VK_AMD_gpa_interface, sentence by sentence: on lavapipe, which DRMPERF_GPU
 * lends a simulated GPU in virtual time, and on radv with a simulated GPU of
 * its own. Comments in quotes are the extension's words.
 */
#include "tests/vulkan/world.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/scene.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define SQ_WAVES 4
#define MOST_BLOCKS 64

static struct world world;

/* ------------------------------------------------------------------ */
/* Helpers                                                              */

/* Each test has its own instance, device and queue. */
static void
open_lavapipe(void)
{
	setenv("DRMPERF_GPU", "0", 1);
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, true));
	ck_assert(world_has_extension(&world));
	world_open(&world, VK_QUEUE_COMPUTE_BIT, 0);
}

static void
open_radv(void)
{
	unsetenv("DRMPERF_GPU");
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
			      true));
	ck_assert(world_has_extension(&world));
	world_open(&world, VK_QUEUE_GRAPHICS_BIT, 0);
}

static void
open_radv_compute(void)
{
	unsetenv("DRMPERF_GPU");
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
			      true));
	world_open(&world, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
}

static void
close_world(void)
{
	uint64_t violations = 0;

	world_end(&world);
	ck_assert_int_eq(drmsim_violations(&violations), 0);
	ck_assert_uint_eq(violations, 0);
}

static VkGpaPerfCounterAMD
waves_of(uint32_t engine)
{
	return (VkGpaPerfCounterAMD){ VK_GPA_PERF_BLOCK_SQ_AMD, engine,
				      SQ_WAVES };
}

static void
good(VkResult result)
{
	ck_assert_int_eq(result, VK_SUCCESS);
}

static void
begin_session(VkCommandBuffer commands, VkGpaSessionAMD session)
{
	ck_assert_int_eq(world.CmdBeginGpaSession(commands, session),
			 VK_SUCCESS);
}

static void
end_session(VkCommandBuffer commands, VkGpaSessionAMD session)
{
	ck_assert_int_eq(world.CmdEndGpaSession(commands, session), VK_SUCCESS);
}

static void
destroy_session(VkGpaSessionAMD session)
{
	world.DestroyGpaSession(world.device, session, NULL);
}

/* Time passes while the device stands at a gate. */
static void
pass_at(const struct gate *gate, uint64_t ms)
{
	gate_wait(&world, gate);
	scene_pass(ms * MS);
	gate_open(&world, gate);
}

static VkResult
try_sample(VkCommandBuffer commands, VkGpaSessionAMD session,
	   VkGpaSampleBeginInfoAMD info)
{
	uint32_t id;

	info.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD;
	return world.CmdBeginGpaSample(commands, session, &info, &id);
}

static void
read_features(VkPhysicalDeviceGpaFeaturesAMD *features)
{
	VkPhysicalDeviceFeatures2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = features,
	};

	memset(features, 0xff, sizeof(*features));
	features->sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD;
	features->pNext = NULL;
	vkGetPhysicalDeviceFeatures2(world.physical, &all);
}

static void
read_properties(VkPhysicalDeviceGpaPropertiesAMD *properties,
		VkPhysicalDeviceGpaProperties2AMD *revision)
{
	VkPhysicalDeviceProperties2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = properties,
	};

	properties->sType =
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_AMD;
	properties->pNext = revision;
	revision->sType =
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_2_AMD;
	vkGetPhysicalDeviceProperties2(world.physical, &all);
}

/* ------------------------------------------------------------------ */
/* 3.8, 3.9: properties and features                                    */

/* "Device supports ..." */
START_TEST(features_are_told)
{
	VkPhysicalDeviceGpaFeaturesAMD features;

	read_features(&features);
	ck_assert_uint_eq(features.perfCounters, VK_TRUE);
	ck_assert_uint_eq(features.clockModes, VK_TRUE);
	ck_assert_uint_eq(features.streamingPerfCounters, VK_FALSE);
	ck_assert_uint_eq(features.sqThreadTracing, VK_FALSE);
}
END_TEST

/* "... if pPerfBlocks is NULL the number of available device blocks." */
START_TEST(block_count_is_told_without_an_array)
{
	VkPhysicalDeviceGpaProperties2AMD revision = { .revisionId = 0xffff };
	VkPhysicalDeviceGpaPropertiesAMD properties = { .perfBlockCount = 0 };

	read_properties(&properties, &revision);
	ck_assert_uint_gt(properties.perfBlockCount, 10);
	/* "Number of shader engines." */
	ck_assert_uint_eq(properties.shaderEngineCount, 4);
	/* "Reserved for future use." */
	ck_assert_uint_eq(properties.flags, 0);
	ck_assert_uint_eq(properties.maxSqttSeBufferSize, 0);
	/* "GPU revision ID", which drmsim has been told */
	ck_assert_uint_eq(revision.revisionId, 0xc1);
}
END_TEST

static const VkGpaPerfBlockPropertiesAMD *
block_of(const VkGpaPerfBlockPropertiesAMD *blocks, uint32_t count,
	 VkGpaPerfBlockAMD type)
{
	uint32_t i = 0;

	while (i < count && blocks[i].blockType != type)
		i++;
	ck_assert_uint_lt(i, count);
	return &blocks[i];
}

/* "Array containing available device blocks ..." */
START_TEST(blocks_are_told)
{
	VkGpaPerfBlockPropertiesAMD blocks[MOST_BLOCKS];
	VkPhysicalDeviceGpaProperties2AMD revision = { .revisionId = 0 };
	VkPhysicalDeviceGpaPropertiesAMD properties = { .perfBlockCount =
								MOST_BLOCKS,
							.pPerfBlocks = blocks };
	const VkGpaPerfBlockPropertiesAMD *block;

	read_properties(&properties, &revision);
	ck_assert_uint_lt(properties.perfBlockCount, MOST_BLOCKS);
	block = block_of(blocks, properties.perfBlockCount,
			 VK_GPA_PERF_BLOCK_SQ_AMD);
	ck_assert_uint_eq(block->flags, 0);
	ck_assert_uint_eq(block->instanceCount, 4);
	ck_assert_uint_eq(block->maxEventID, 373);
	ck_assert_uint_eq(block->maxGlobalSharedCounters, 8);
	ck_assert_uint_eq(block->maxStreamingCounters, 0);
	block = block_of(blocks, properties.perfBlockCount,
			 VK_GPA_PERF_BLOCK_TCC_AMD);
	ck_assert_uint_eq(block->instanceCount, 16);
	ck_assert_uint_eq(block->maxGlobalSharedCounters, 4);
	for (uint32_t i = 0; i < properties.perfBlockCount; i++)
		ck_assert_ptr_eq(block_of(blocks, properties.perfBlockCount,
					  blocks[i].blockType),
				 &blocks[i]);
}
END_TEST

/* "The size of the pPerfBlocks array": no more are written. */
START_TEST(short_arrays_of_blocks_are_kept)
{
	VkGpaPerfBlockPropertiesAMD blocks[3] = { [2] = { .maxEventID =
								  4711 } };
	VkPhysicalDeviceGpaProperties2AMD revision = { .revisionId = 0 };
	VkPhysicalDeviceGpaPropertiesAMD properties = { .perfBlockCount = 2,
							.pPerfBlocks = blocks };

	read_properties(&properties, &revision);
	ck_assert_uint_eq(properties.perfBlockCount, 2);
	ck_assert_uint_ne(blocks[1].maxEventID, 0);
	ck_assert_uint_eq(blocks[2].maxEventID, 4711);
}
END_TEST

/* ------------------------------------------------------------------ */
/* 3.3: clocks                                                          */

static VkResult
set_mode(VkGpaDeviceClockModeAMD mode, VkGpaDeviceClockModeInfoAMD *info)
{
	*info = (VkGpaDeviceClockModeInfoAMD){
		.sType = VK_STRUCTURE_TYPE_GPA_DEVICE_CLOCK_MODE_INFO_AMD,
		.clockMode = mode,
		.memoryClockRatioToPeak = -1,
		.engineClockRatioToPeak = -1,
	};
	return world.SetGpaDeviceClockMode(world.device, info);
}

static VkGpaDeviceGetClockInfoAMD
read_clocks(void)
{
	VkGpaDeviceGetClockInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_DEVICE_GET_CLOCK_INFO_AMD,
	};

	ck_assert_int_eq(world.GetGpaDeviceClockInfo(world.device, &info),
			 VK_SUCCESS);
	return info;
}

/* "Queries the current clock values only." */
START_TEST(clock_mode_query_tells_ratios)
{
	VkGpaDeviceClockModeInfoAMD info;
	VkGpaDeviceGetClockInfoAMD clocks = read_clocks();

	ck_assert_int_eq(set_mode(VK_GPA_DEVICE_CLOCK_MODE_QUERY_AMD, &info),
			 VK_SUCCESS);
	ck_assert(info.engineClockRatioToPeak > 0 &&
		  info.engineClockRatioToPeak <= 1);
	ck_assert(info.memoryClockRatioToPeak > 0 &&
		  info.memoryClockRatioToPeak <= 1);
	ck_assert(clocks.engineClockRatioToPeak == info.engineClockRatioToPeak);
	ck_assert(clocks.memoryClockRatioToPeak == info.memoryClockRatioToPeak);
	ck_assert_uint_gt(clocks.engineClockFrequency, 0);
	ck_assert_uint_gt(clocks.memoryClockFrequency, 0);
}
END_TEST

/* "Clocks set to maximum when possible", "lowest available level". */
START_TEST(clock_modes_are_set)
{
	VkGpaDeviceClockModeInfoAMD info;
	VkGpaDeviceGetClockInfoAMD peak, least;

	ck_assert_int_eq(set_mode(VK_GPA_DEVICE_CLOCK_MODE_PEAK_AMD, &info),
			 VK_SUCCESS);
	/* "if clockMode is ..._QUERY_AMD, returns the ratio": else not */
	ck_assert(info.engineClockRatioToPeak == -1);
	peak = read_clocks();
	ck_assert(peak.engineClockRatioToPeak == 1);
	ck_assert_int_eq(
		set_mode(VK_GPA_DEVICE_CLOCK_MODE_MIN_ENGINE_AMD, &info),
		VK_SUCCESS);
	least = read_clocks();
	ck_assert_uint_lt(least.engineClockFrequency,
			  peak.engineClockFrequency);
	ck_assert_int_eq(
		set_mode(VK_GPA_DEVICE_CLOCK_MODE_MIN_MEMORY_AMD, &info),
		VK_SUCCESS);
	least = read_clocks();
	ck_assert_uint_lt(least.memoryClockFrequency,
			  peak.memoryClockFrequency);
	ck_assert_int_eq(
		set_mode(VK_GPA_DEVICE_CLOCK_MODE_PROFILING_AMD, &info),
		VK_SUCCESS);
	ck_assert_int_eq(set_mode(VK_GPA_DEVICE_CLOCK_MODE_DEFAULT_AMD, &info),
			 VK_SUCCESS);
}
END_TEST

START_TEST(unknown_clock_modes_are_refused)
{
	VkGpaDeviceClockModeInfoAMD info;

	ck_assert_int_eq(set_mode((VkGpaDeviceClockModeAMD)6, &info),
			 VK_ERROR_VALIDATION_FAILED_EXT);
}
END_TEST

/* ------------------------------------------------------------------ */
/* 3.4, 3.5: sessions and samples                                       */

/* "... the cumulative delta for that counter over the sample period." */
START_TEST(cumulative_samples_are_exact)
{
	const VkGpaPerfCounterAMD counters[] = {
		waves_of(2), waves_of(0), { VK_GPA_PERF_BLOCK_TCC_AMD, 5, 3 }
	};
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	struct gate before, inside, behind;
	uint64_t values[3];
	uint32_t id;

	scene_set("rate", "SQ.4 1000000");
	scene_set("rate", "SQ.4 instance=2 3000000");
	scene_set("rate", "TCC.3 instance=5 7000000");
	gate_create(&world, &before);
	gate_create(&world, &inside);
	gate_create(&world, &behind);
	begin_session(commands, session);
	gate_record(&before, commands);
	id = world_sample(&world, commands, session, counters, 3);
	gate_record(&inside, commands);
	world.CmdEndGpaSample(commands, session, id);
	gate_record(&behind, commands);
	end_session(commands, session);
	world_submit(&world, commands);
	pass_at(&before, 5);
	pass_at(&inside, 2);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_NOT_READY);
	pass_at(&behind, 3);
	vkQueueWaitIdle(world.queue);
	world_results(&world, session, id, values, 3);
	ck_assert_uint_eq(values[0], 6000);
	ck_assert_uint_eq(values[1], 2000);
	ck_assert_uint_eq(values[2], 14000);
	destroy_session(session);
	gate_destroy(&world, &before);
	gate_destroy(&world, &inside);
	gate_destroy(&world, &behind);
}
END_TEST

/* "Each measurement is represented by a unique sample ID" */
START_TEST(sample_ids_are_unique)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	struct gate gates[3];
	uint64_t value;
	uint32_t ids[3];

	scene_set("rate", "SQ.4 1000000");
	begin_session(commands, session);
	for (unsigned i = 0; i < 3; i++) {
		gate_create(&world, &gates[i]);
		ids[i] = world_sample(&world, commands, session, &counter, 1);
		gate_record(&gates[i], commands);
		world.CmdEndGpaSample(commands, session, ids[i]);
	}
	end_session(commands, session);
	ck_assert_uint_ne(ids[0], ids[1]);
	ck_assert_uint_ne(ids[1], ids[2]);
	ck_assert_uint_ne(ids[0], ids[2]);
	world_submit(&world, commands);
	for (unsigned i = 0; i < 3; i++)
		pass_at(&gates[i], i + 1);
	vkQueueWaitIdle(world.queue);
	for (unsigned i = 0; i < 3; i++) {
		world_results(&world, session, ids[i], &value, 1);
		ck_assert_uint_eq(value, 1000 * (i + 1));
		gate_destroy(&world, &gates[i]);
	}
	destroy_session(session);
}
END_TEST

/* One sample may be inside of another one. */
START_TEST(samples_may_overlap)
{
	const VkGpaPerfCounterAMD counter = waves_of(1);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	struct gate first, second;
	uint64_t value;
	uint32_t outer, inner;

	scene_set("rate", "SQ.4 1000000");
	gate_create(&world, &first);
	gate_create(&world, &second);
	begin_session(commands, session);
	outer = world_sample(&world, commands, session, &counter, 1);
	gate_record(&first, commands);
	inner = world_sample(&world, commands, session, &counter, 1);
	gate_record(&second, commands);
	world.CmdEndGpaSample(commands, session, outer);
	world.CmdEndGpaSample(commands, session, inner);
	end_session(commands, session);
	world_submit(&world, commands);
	pass_at(&first, 1);
	pass_at(&second, 4);
	vkQueueWaitIdle(world.queue);
	world_results(&world, session, outer, &value, 1);
	ck_assert_uint_eq(value, 5000);
	world_results(&world, session, inner, &value, 1);
	ck_assert_uint_eq(value, 4000);
	destroy_session(session);
	gate_destroy(&world, &first);
	gate_destroy(&world, &second);
}
END_TEST

/* "begins a new or previously reset GPA session" */
START_TEST(sessions_begin_once)
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	begin_session(commands, session);
	ck_assert_int_eq(world.CmdBeginGpaSession(commands, session),
			 VK_ERROR_VALIDATION_FAILED_EXT);
	end_session(commands, session);
	ck_assert_int_eq(world.CmdBeginGpaSession(commands, session),
			 VK_ERROR_VALIDATION_FAILED_EXT);
	ck_assert_int_eq(world.CmdEndGpaSession(commands, session),
			 VK_ERROR_VALIDATION_FAILED_EXT);
	ck_assert_int_eq(world.ResetGpaSession(world.device, session),
			 VK_SUCCESS);
	begin_session(commands, session);
	destroy_session(session);
}
END_TEST

/* "and must be called before any sampling occurs." */
START_TEST(samples_need_a_session_begun)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	const VkGpaSampleBeginInfoAMD info = { .perfCounterCount = 1,
					       .pPerfCounters = &counter };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_VALIDATION_FAILED_EXT);
	begin_session(commands, session);
	end_session(commands, session);
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_VALIDATION_FAILED_EXT);
	destroy_session(session);
}
END_TEST

/* "... must be called after all performance measurements." */
START_TEST(sessions_end_behind_samples)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t id;

	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	ck_assert_int_eq(world.CmdEndGpaSession(commands, session),
			 VK_ERROR_VALIDATION_FAILED_EXT);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	destroy_session(session);
}
END_TEST

/* "Begin/End can span multiple command buffers on the same queue" */
START_TEST(sessions_span_command_buffers)
{
	const VkGpaPerfCounterAMD counter = waves_of(3);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer first = world_record(&world);
	VkCommandBuffer second = world_record(&world);
	struct gate gate;
	uint64_t value;
	uint32_t id;

	scene_set("rate", "SQ.4 1000000");
	gate_create(&world, &gate);
	begin_session(first, session);
	id = world_sample(&world, first, session, &counter, 1);
	gate_record(&gate, first);
	world.CmdEndGpaSample(first, session, id);
	end_session(second, session);
	world_submit(&world, first);
	pass_at(&gate, 6);
	vkQueueWaitIdle(world.queue);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_NOT_READY);
	world_run(&world, second);
	world_results(&world, session, id, &value, 1);
	ck_assert_uint_eq(value, 6000);
	destroy_session(session);
	gate_destroy(&world, &gate);
}
END_TEST

/* "must be within the same command buffer if ... CUMULATIVE" */
START_TEST(cumulative_samples_end_where_they_began)
{
	const VkGpaPerfCounterAMD counter = waves_of(3);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer first = world_record(&world);
	VkCommandBuffer second = world_record(&world);
	size_t size = sizeof(uint64_t);
	uint64_t value;
	uint32_t id;

	begin_session(first, session);
	id = world_sample(&world, first, session, &counter, 1);
	world.CmdEndGpaSample(second, session, id);
	end_session(second, session);
	world_run(&world, first);
	world_run(&world, second);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_SUCCESS);
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session, id,
						    &size, &value),
			 VK_ERROR_UNKNOWN);
	destroy_session(session);
}
END_TEST

/* What is no counter of this GPU, and what does not fit. */
static const struct {
	VkGpaPerfCounterAMD counter;
	VkResult result;
} wrong_counters[] = {
	{ { VK_GPA_PERF_BLOCK_GL2C_AMD, 0, 1 },
	  VK_ERROR_VALIDATION_FAILED_EXT },
	{ { VK_GPA_PERF_BLOCK_SQ_AMD, 4, SQ_WAVES },
	  VK_ERROR_VALIDATION_FAILED_EXT },
	{ { VK_GPA_PERF_BLOCK_SQ_AMD, 0, 374 },
	  VK_ERROR_VALIDATION_FAILED_EXT },
	{ { VK_GPA_PERF_BLOCK_MAX_ENUM_AMD, 0, 0 },
	  VK_ERROR_VALIDATION_FAILED_EXT },
};

START_TEST(wrong_counters_are_refused)
{
	const VkGpaSampleBeginInfoAMD info = {
		.perfCounterCount = 1,
		.pPerfCounters = &wrong_counters[_i].counter,
	};
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	begin_session(commands, session);
	ck_assert_int_eq(try_sample(commands, session, info),
			 wrong_counters[_i].result);
	end_session(commands, session);
	destroy_session(session);
}
END_TEST

/* "maximum number of cumulative counters that can be collected ..." */
START_TEST(counters_beyond_the_limit_are_refused)
{
	VkGpaPerfCounterAMD counters[5];
	VkGpaSampleBeginInfoAMD info = { .pPerfCounters = counters };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t id;

	for (uint32_t i = 0; i < 5; i++)
		counters[i] = (VkGpaPerfCounterAMD){ VK_GPA_PERF_BLOCK_TCC_AMD,
						     7, 1 + i };
	begin_session(commands, session);
	info.perfCounterCount = 5;
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_TOO_MANY_OBJECTS);
	/* as many as there are, and no more with those of another sample */
	id = world_sample(&world, commands, session, counters, 4);
	info.perfCounterCount = 1;
	info.pPerfCounters = &counters[4];
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_TOO_MANY_OBJECTS);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	destroy_session(session);
}
END_TEST

/* TRACE needs features that are not there. */
START_TEST(traces_are_refused)
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	begin_session(commands, session);
	ck_assert_int_eq(
		try_sample(
			commands, session,
			(VkGpaSampleBeginInfoAMD){
				.sampleType = VK_GPA_SAMPLE_TYPE_TRACE_AMD }),
		VK_ERROR_FEATURE_NOT_PRESENT);
	ck_assert_int_eq(try_sample(commands, session,
				    (VkGpaSampleBeginInfoAMD){
					    .sqThreadTraceEnable = VK_TRUE }),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	ck_assert_int_eq(
		try_sample(commands, session,
			   (VkGpaSampleBeginInfoAMD){
				   .sampleType = (VkGpaSampleTypeAMD)3 }),
		VK_ERROR_VALIDATION_FAILED_EXT);
	destroy_session(session);
}
END_TEST

/* "Two 64-bit results will be recorded to gather timestamp data." */
START_TEST(timing_samples_have_two_results)
{
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_TIMING_AMD,
		.timingPreSample = VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
		.timingPostSample = VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
	};
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer first = world_record(&world);
	VkCommandBuffer second = world_record(&world);
	uint64_t ticks[2] = { 0 };
	uint32_t id;

	begin_session(first, session);
	ck_assert_int_eq(world.CmdBeginGpaSample(first, session, &info, &id),
			 VK_SUCCESS);
	world_dispatch(&world, first, 10);
	/* only "cumulative samples must ... end in the same command buffer" */
	world.CmdEndGpaSample(second, session, id);
	end_session(second, session);
	world_run(&world, first);
	world_run(&world, second);
	world_results(&world, session, id, ticks, 2);
	ck_assert_uint_gt(ticks[0], 0);
	ck_assert_uint_ge(ticks[1], ticks[0]);
	destroy_session(session);
}
END_TEST

/* "The pipeline stage where the begin timestamp should take place." */
START_TEST(timing_samples_need_stages)
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	begin_session(commands, session);
	ck_assert_int_eq(
		try_sample(commands, session,
			   (VkGpaSampleBeginInfoAMD){
				   .sampleType = VK_GPA_SAMPLE_TYPE_TIMING_AMD,
				   .timingPreSample =
					   VK_PIPELINE_STAGE_TRANSFER_BIT }),
		VK_ERROR_VALIDATION_FAILED_EXT);
	destroy_session(session);
}
END_TEST

/* "Insert cache flush and invalidate events before and after every sample." */
START_TEST(caches_may_be_flushed)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleInternalOperations = VK_TRUE,
		.cacheFlushOnCounterCollection = VK_TRUE,
		.perfCounterCount = 1,
		.pPerfCounters = &counter,
	};
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint64_t value = 4711;
	uint32_t id;

	begin_session(commands, session);
	ck_assert_int_eq(world.CmdBeginGpaSample(commands, session, &info, &id),
			 VK_SUCCESS);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_run(&world, commands);
	world_results(&world, session, id, &value, 1);
	ck_assert_uint_eq(value, 0);
	destroy_session(session);
}
END_TEST

/* Of SQ and TCC, up to their maxEventID. */
static const VkGpaPerfCounterAMD unnamed[] = {
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 3, 190 },
	{ VK_GPA_PERF_BLOCK_TCC_AMD, 5, 120 },
};

/* "Event IDs are hardware-defined": no table of ours has names for these. */
START_TEST(events_without_a_name_are_counted)
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	struct gate inside;
	uint64_t values[2];
	uint32_t id;

	scene_set("rate", "SQ.190 instance=3 2000000");
	scene_set("rate", "TCC.120 instance=5 7000000");
	gate_create(&world, &inside);
	begin_session(commands, session);
	id = world_sample(&world, commands, session, unnamed, 2);
	gate_record(&inside, commands);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_submit(&world, commands);
	pass_at(&inside, 2);
	vkQueueWaitIdle(world.queue);
	world_results(&world, session, id, values, 2);
	ck_assert_uint_eq(values[0], 4000);
	ck_assert_uint_eq(values[1], 14000);
	destroy_session(session);
	gate_destroy(&world, &inside);
}
END_TEST

/* What the rates of the next test make of two milliseconds. */
static const struct {
	VkBool32 is_masked;
	VkGpaSqShaderStageFlagsAMD mask;
	uint64_t issued, missed;
} stages[] = {
	{ VK_FALSE, VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD, 8000, 10000 },
	{ VK_TRUE, 0x7f, 8000, 10000 },
	{ VK_TRUE, VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD, 6000, 10000 },
	{ VK_TRUE, VK_GPA_SQ_SHADER_STAGE_PS_BIT_AMD, 2000, 10000 },
	{ VK_TRUE,
	  VK_GPA_SQ_SHADER_STAGE_PS_BIT_AMD |
		  VK_GPA_SQ_SHADER_STAGE_GS_BIT_AMD,
	  2000, 10000 },
	{ VK_TRUE, VK_GPA_SQ_SHADER_STAGE_HS_BIT_AMD, 0, 10000 },
	{ VK_TRUE, 0, 0, 10000 },
	/* what the registry does not name means nothing */
	{ VK_TRUE, 0x80 | VK_GPA_SQ_SHADER_STAGE_PS_BIT_AMD, 2000, 10000 },
};

/* "Sample a specified selection of stages instead of all stages." */
START_TEST(some_stages_are_counted)
{
	const VkGpaPerfCounterAMD counters[] = {
		{ VK_GPA_PERF_BLOCK_SQ_AMD, 0, 5 },
		{ VK_GPA_PERF_BLOCK_TCC_AMD, 5, 4 }
	};
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sqShaderMaskEnable = stages[_i].is_masked,
		.sqShaderMask = stages[_i].mask,
		.perfCounterCount = 2,
		.pPerfCounters = counters,
	};
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	struct gate inside;
	uint64_t values[2];
	uint32_t id;

	scene_set("rate", "SQ.5 stages=ps 1000000");
	scene_set("rate", "SQ.5 stages=cs 3000000");
	scene_set("rate", "TCC.4 instance=5 5000000");
	gate_create(&world, &inside);
	begin_session(commands, session);
	ck_assert_int_eq(world.CmdBeginGpaSample(commands, session, &info, &id),
			 VK_SUCCESS);
	gate_record(&inside, commands);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_submit(&world, commands);
	pass_at(&inside, 2);
	vkQueueWaitIdle(world.queue);
	world_results(&world, session, id, values, 2);
	ck_assert_uint_eq(values[0], stages[_i].issued);
	ck_assert_uint_eq(values[1], stages[_i].missed);
	destroy_session(session);
	gate_destroy(&world, &inside);
}
END_TEST

/* The mask is one for all that counts at the same time. */
START_TEST(samples_of_other_stages_are_refused)
{
	const VkGpaPerfCounterAMD waves = waves_of(0);
	const VkGpaPerfCounterAMD cycles = { VK_GPA_PERF_BLOCK_GRBM_AMD, 0, 0 };
	VkGpaSampleBeginInfoAMD info = {
		.sqShaderMaskEnable = VK_TRUE,
		.sqShaderMask = VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD,
		.perfCounterCount = 1,
		.pPerfCounters = &waves,
	};
	VkGpaSessionAMD session = world_session(&world);
	VkGpaSessionAMD unbegun = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	begin_session(commands, session);
	/* one that cannot be made leaves nothing behind */
	info.sqShaderMask = VK_GPA_SQ_SHADER_STAGE_PS_BIT_AMD;
	ck_assert_int_eq(try_sample(commands, unbegun, info),
			 VK_ERROR_VALIDATION_FAILED_EXT);
	/* a counter that cannot tell them apart fits any */
	info.pPerfCounters = &cycles;
	ck_assert_int_eq(try_sample(commands, session, info), VK_SUCCESS);
	info.sqShaderMask = VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD;
	ck_assert_int_eq(try_sample(commands, session, info), VK_SUCCESS);
	info.pPerfCounters = &waves;
	ck_assert_int_eq(try_sample(commands, session, info), VK_SUCCESS);
	info.sqShaderMask = VK_GPA_SQ_SHADER_STAGE_PS_BIT_AMD;
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_TOO_MANY_OBJECTS);
	info.sqShaderMaskEnable = VK_FALSE;
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_TOO_MANY_OBJECTS);
	/* nor does one of which no stage is to be counted care */
	info.sqShaderMaskEnable = VK_TRUE;
	info.sqShaderMask = 0;
	ck_assert_int_eq(try_sample(commands, session, info), VK_SUCCESS);
	destroy_session(unbegun);
	destroy_session(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Render passes, threads, pools                                        */

struct pass {
	VkRenderPass handle;
	VkFramebuffer framebuffer;
};

/* Without anything to draw on. */
static void
create_pass(struct pass *pass)
{
	const VkSubpassDescription subpass = {
		.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
	};
	const VkRenderPassCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.subpassCount = 1,
		.pSubpasses = &subpass,
	};
	VkFramebufferCreateInfo framebuffer = {
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.width = 1,
		.height = 1,
		.layers = 1,
	};

	ck_assert_int_eq(
		vkCreateRenderPass(world.device, &info, NULL, &pass->handle),
		VK_SUCCESS);
	framebuffer.renderPass = pass->handle;
	ck_assert_int_eq(vkCreateFramebuffer(world.device, &framebuffer, NULL,
					     &pass->framebuffer),
			 VK_SUCCESS);
}

static void
begin_pass(const struct pass *pass, VkCommandBuffer commands)
{
	const VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = pass->handle,
		.framebuffer = pass->framebuffer,
		.renderArea = { .extent = { 1, 1 } },
	};

	vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static void
destroy_pass(const struct pass *pass)
{
	vkDestroyFramebuffer(world.device, pass->framebuffer, NULL);
	vkDestroyRenderPass(world.device, pass->handle, NULL);
}

/* Inside of a render pass the host cannot read in time: nothing begins. */
START_TEST(samples_do_not_begin_in_render_passes)
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
	begin_pass(&pass, commands);
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	vkCmdEndRenderPass(commands);
	/* outside of it they do, and may have it inside of them */
	id = world_sample(&world, commands, session, &counter, 1);
	begin_pass(&pass, commands);
	vkCmdEndRenderPass(commands);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_run(&world, commands);
	world_results(&world, session, id, &value, 1);
	destroy_session(session);
	destroy_pass(&pass);
}
END_TEST

/* Nor does anything end there: the sample says so in place of a value. */
START_TEST(samples_ended_in_render_passes_fail)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	size_t size = sizeof(uint64_t);
	uint64_t value;
	struct pass pass;
	uint32_t id;

	create_pass(&pass);
	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	begin_pass(&pass, commands);
	world.CmdEndGpaSample(commands, session, id);
	vkCmdEndRenderPass(commands);
	end_session(commands, session);
	world_run(&world, commands);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_SUCCESS);
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session, id,
						    &size, &value),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	destroy_session(session);
	destroy_pass(&pass);
}
END_TEST

#define THREADS 4

struct recorder {
	pthread_t thread;
	VkCommandPool pool;
	VkCommandBuffer commands;
	VkGpaSessionAMD session;
	uint32_t ids[2];
};

/* No assertions: those are the main thread's. */
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

	ck_assert_int_eq(
		vkCreateCommandPool(world.device, &info, NULL, &recorder->pool),
		VK_SUCCESS);
	allocate.commandPool = recorder->pool;
	ck_assert_int_eq(vkAllocateCommandBuffers(world.device, &allocate,
						  &recorder->commands),
			 VK_SUCCESS);
	recorder->session = world_session(&world);
	ck_assert_int_eq(pthread_create(&recorder->thread, NULL,
					record_in_thread, recorder),
			 0);
}

/* Threads record several command buffers, which are submitted at once. */
START_TEST(threads_record_command_buffers)
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
		ck_assert_int_eq(vkEndCommandBuffer(list[i]), VK_SUCCESS);
	}
	ck_assert_int_eq(vkQueueSubmit(world.queue, 1, &submit, VK_NULL_HANDLE),
			 VK_SUCCESS);
	vkQueueWaitIdle(world.queue);
	for (unsigned i = 0; i < THREADS; i++) {
		for (unsigned k = 0; k < 2; k++)
			world_results(&world, recorders[i].session,
				      recorders[i].ids[k], &value, 1);
		destroy_session(recorders[i].session);
		vkDestroyCommandPool(world.device, recorders[i].pool, NULL);
	}
}
END_TEST

/* What is recorded goes with the pool's reset; the session begins anew. */
START_TEST(pools_are_reset)
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
	ck_assert_int_eq(vkEndCommandBuffer(commands), VK_SUCCESS);
	ck_assert_int_eq(vkResetCommandPool(world.device, world.pool, 0),
			 VK_SUCCESS);
	ck_assert_int_eq(world.ResetGpaSession(world.device, session),
			 VK_SUCCESS);
	ck_assert_int_eq(vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_run(&world, commands);
	world_results(&world, session, id, &value, 1);
	destroy_session(session);
}
END_TEST

/*
 * Who has waited for the fence of a submission destroys what it was made of, and
 * finds its results. Many times: an end that comes late is mostly in time.
 */
START_TEST(results_are_there_behind_the_fence)
{
	const VkFenceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
	};
	const VkGpaPerfCounterAMD counter = waves_of(0);

	for (unsigned i = 0; i < 200; i++) {
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
		good(vkEndCommandBuffer(commands));
		good(vkCreateFence(world.device, &info, NULL, &fence));
		good(vkQueueSubmit(world.queue, 1, &submit, fence));
		good(vkWaitForFences(world.device, 1, &fence, VK_TRUE,
				     UINT64_MAX));
		vkFreeCommandBuffers(world.device, world.pool, 1, &commands);
		good(world.GetGpaSessionStatus(world.device, session));
		good(world.ResetGpaSession(world.device, session));
		vkDestroyFence(world.device, fence, NULL);
		destroy_session(session);
	}
}
END_TEST

/* A session may go as soon as what it is part of has been executed. */
START_TEST(command_buffers_outlive_sessions)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t id;

	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_run(&world, commands);
	destroy_session(session);
	ck_assert_int_eq(vkResetCommandBuffer(commands, 0), VK_SUCCESS);
}
END_TEST

/* A GPU that is lost: the sample is an error, and the device goes on. */
START_TEST(counters_lost_are_errors)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	size_t size = sizeof(uint64_t);
	struct gate gate;
	uint64_t value;
	uint32_t id;

	gate_create(&world, &gate);
	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	gate_record(&gate, commands);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_submit(&world, commands);
	gate_wait(&world, &gate);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	gate_open(&world, &gate);
	vkQueueWaitIdle(world.queue);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_SUCCESS);
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session, id,
						    &size, &value),
			 VK_ERROR_DEVICE_LOST);
	destroy_session(session);
	gate_destroy(&world, &gate);
}
END_TEST

/*
 * A GPU that does not answer, and that nobody resets: only the deadline lets
 * the device go on. The reset comes when it has.
 */
START_TEST(devices_do_not_wait_for_ever)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	size_t size = sizeof(uint64_t);
	uint64_t value;
	struct gate gate;
	uint32_t id;

	setenv("DRMPERF_VK_DEADLINE", "1", 1);
	gate_create(&world, &gate);
	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	gate_record(&gate, commands);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_submit(&world, commands);
	gate_wait(&world, &gate);
	scene_fault("hang:1");
	gate_open(&world, &gate);
	vkQueueWaitIdle(world.queue);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_SUCCESS);
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session, id,
						    &size, &value),
			 VK_ERROR_UNKNOWN);
	destroy_session(session);
	gate_destroy(&world, &gate);
	/* the hang was ours */
	drmsim_command("clear", NULL, 0);
}
END_TEST

/*
 * The GPU that the application itself draws with: whatever its driver says of
 * the queue, the sample has no values, and nothing waits for ever.
 */
START_TEST(devices_lost_are_errors)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	size_t size = sizeof(uint64_t);
	struct gate gate;
	uint64_t value;
	uint32_t id;

	gate_create(&world, &gate);
	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	gate_record(&gate, commands);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_submit(&world, commands);
	gate_wait(&world, &gate);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	gate_open(&world, &gate);
	vkQueueWaitIdle(world.queue);
	ck_assert_int_ne(world.GetGpaSessionStatus(world.device, session),
			 VK_NOT_READY);
	ck_assert_int_lt(world.GetGpaSessionResults(world.device, session, id,
						    &size, &value),
			 0);
	destroy_session(session);
	gate_destroy(&world, &gate);
	drmsim_command("clear", NULL, 0);
}
END_TEST

/* Counters that somebody else has. */
START_TEST(counters_taken_are_errors)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	size_t size = sizeof(uint64_t);
	uint64_t value;
	uint32_t id;

	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	scene_fault("cs:1+:EACCES");
	world_run(&world, commands);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_SUCCESS);
	ck_assert_int_lt(world.GetGpaSessionResults(world.device, session, id,
						    &size, &value),
			 0);
	drmsim_command("mend", NULL, 0);
	destroy_session(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* 3.6: results                                                         */

/* "... or VK_NOT_READY otherwise" */
START_TEST(status_is_not_ready_before_the_end)
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_NOT_READY);
	begin_session(commands, session);
	end_session(commands, session);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_NOT_READY);
	world_run(&world, commands);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_SUCCESS);
	destroy_session(session);
}
END_TEST

/* "with pData set to NULL will return the size of the results data" */
START_TEST(sizes_of_results_are_told)
{
	const VkGpaPerfCounterAMD counters[] = { waves_of(0), waves_of(1) };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint64_t values[2] = { 1, 4711 };
	size_t size = 0;
	uint32_t id;

	begin_session(commands, session);
	id = world_sample(&world, commands, session, counters, 2);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session, id,
						    &size, NULL),
			 VK_SUCCESS);
	ck_assert_uint_eq(size, 16);
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session, id,
						    &size, values),
			 VK_NOT_READY);
	world_run(&world, commands);
	/* a smaller buffer gets what fits, and not a byte more */
	size = 15;
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session, id,
						    &size, values),
			 VK_INCOMPLETE);
	ck_assert_uint_eq(size, 8);
	ck_assert_uint_eq(values[0], 0);
	ck_assert_uint_eq(values[1], 4711);
	ck_assert_int_eq(world.GetGpaSessionResults(world.device, session,
						    id + 1, &size, NULL),
			 VK_ERROR_VALIDATION_FAILED_EXT);
	destroy_session(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* 3.7: resetting and copying                                           */

/* "Before reuse, a GPA session must be reset" */
START_TEST(sessions_are_reset_and_used_again)
{
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	struct gate gate;
	uint64_t value;
	uint32_t id;

	scene_set("rate", "SQ.4 1000000");
	for (unsigned round = 1; round < 4; round++) {
		VkCommandBuffer commands = world_record(&world);

		gate_create(&world, &gate);
		begin_session(commands, session);
		id = world_sample(&world, commands, session, &counter, 1);
		gate_record(&gate, commands);
		world.CmdEndGpaSample(commands, session, id);
		end_session(commands, session);
		world_submit(&world, commands);
		pass_at(&gate, round);
		vkQueueWaitIdle(world.queue);
		world_results(&world, session, id, &value, 1);
		ck_assert_uint_eq(value, 1000 * round);
		ck_assert_int_eq(world.ResetGpaSession(world.device, session),
				 VK_SUCCESS);
		ck_assert_int_eq(
			world.GetGpaSessionStatus(world.device, session),
			VK_NOT_READY);
		vkFreeCommandBuffers(world.device, world.pool, 1, &commands);
		gate_destroy(&world, &gate);
	}
	destroy_session(session);
}
END_TEST

static VkGpaSessionAMD
copy_of(VkGpaSessionAMD source)
{
	const VkGpaSessionCreateInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SESSION_CREATE_INFO_AMD,
		.secondaryCopySource = source,
	};
	VkGpaSessionAMD copy;

	ck_assert_int_eq(
		world.CreateGpaSession(world.device, &info, NULL, &copy),
		VK_SUCCESS);
	return copy;
}

static VkCommandBuffer
record_secondary(VkGpaSessionAMD session, uint32_t *id)
{
	const VkCommandBufferInheritanceInfo inheritance = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
		.pInheritanceInfo = &inheritance,
	};
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkCommandBuffer commands =
		world_commands(&world, VK_COMMAND_BUFFER_LEVEL_SECONDARY);

	ck_assert_int_eq(vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
	begin_session(commands, session);
	*id = world_sample(&world, commands, session, &counter, 1);
	world_dispatch(&world, commands, 100);
	world.CmdEndGpaSample(commands, session, *id);
	end_session(commands, session);
	ck_assert_int_eq(vkEndCommandBuffer(commands), VK_SUCCESS);
	return commands;
}

/* "multiple invocations of the same secondary command buffer" */
START_TEST(secondary_results_are_copied)
{
	VkGpaSessionAMD session = world_session(&world), copies[2];
	VkCommandBuffer primary = world_record(&world), secondary;
	uint64_t value;
	uint32_t id;

	secondary = record_secondary(session, &id);
	copies[0] = copy_of(session);
	copies[1] = copy_of(session);
	vkCmdExecuteCommands(primary, 1, &secondary);
	world.CmdCopyGpaSessionResults(primary, copies[0]);
	vkCmdExecuteCommands(primary, 1, &secondary);
	world.CmdCopyGpaSessionResults(primary, copies[1]);
	vkCmdExecuteCommands(primary, 1, &secondary);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, copies[0]),
			 VK_NOT_READY);
	world_run(&world, primary);
	world_results(&world, session, id, &value, 1);
	for (unsigned i = 0; i < 2; i++) {
		world_results(&world, copies[i], id, &value, 1);
		destroy_session(copies[i]);
	}
	destroy_session(session);
}
END_TEST

/* A source "has been begun and ended and not reset since". */
START_TEST(copies_need_a_finished_source)
{
	VkGpaSessionAMD session = world_session(&world), copy;
	const VkGpaSessionCreateInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SESSION_CREATE_INFO_AMD,
		.secondaryCopySource = session,
	};

	ck_assert_int_eq(
		world.CreateGpaSession(world.device, &info, NULL, &copy),
		VK_ERROR_VALIDATION_FAILED_EXT);
	destroy_session(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* radv: work that the GPU does itself                                  */

/* Waves of a dispatch of known size, over all shader engines. */
START_TEST(dispatches_are_counted_exactly)
{
	const VkGpaPerfCounterAMD counters[] = { waves_of(0), waves_of(1),
						 waves_of(2), waves_of(3) };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint64_t values[4];
	uint32_t ids[2];

	begin_session(commands, session);
	world_dispatch(&world, commands, 77);
	for (unsigned i = 0; i < 2; i++) {
		ids[i] = world_sample(&world, commands, session, counters, 4);
		world_dispatch(&world, commands, 1000 * (i + 1));
		world.CmdEndGpaSample(commands, session, ids[i]);
		world_dispatch(&world, commands, 99);
	}
	end_session(commands, session);
	world_run(&world, commands);
	for (unsigned i = 0; i < 2; i++) {
		world_results(&world, session, ids[i], values, 4);
		ck_assert_uint_eq(values[0] + values[1] + values[2] + values[3],
				  1000 * (i + 1));
	}
	destroy_session(session);
}
END_TEST

/* Blocks that only the queue reads which has to wait for it. */
START_TEST(counters_of_the_waiting_queue_are_refused)
{
	const VkGpaPerfCounterAMD counter = { VK_GPA_PERF_BLOCK_DB_AMD, 0, 1 };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	begin_session(commands, session);
	ck_assert_int_eq(try_sample(commands, session,
				    (VkGpaSampleBeginInfoAMD){
					    .perfCounterCount = 1,
					    .pPerfCounters = &counter }),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	destroy_session(session);
}
END_TEST

/* Beside graphics, those that graphics reads may be counted, no others. */
START_TEST(compute_queues_count_what_graphics_reads)
{
	const VkGpaPerfCounterAMD others = { VK_GPA_PERF_BLOCK_DB_AMD, 0, 1 };
	const VkGpaPerfCounterAMD waves = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint64_t value = 4711;
	uint32_t id;

	ck_assert(!(world.flags & VK_QUEUE_GRAPHICS_BIT));
	begin_session(commands, session);
	ck_assert_int_eq(try_sample(commands, session,
				    (VkGpaSampleBeginInfoAMD){
					    .perfCounterCount = 1,
					    .pPerfCounters = &waves }),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	id = world_sample(&world, commands, session, &others, 1);
	world_dispatch(&world, commands, 10);
	world.CmdEndGpaSample(commands, session, id);
	end_session(commands, session);
	world_run(&world, commands);
	world_results(&world, session, id, &value, 1);
	destroy_session(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Devices                                                              */

static VkResult
try_device(const void *features, bool has_extension)
{
	static const char *const extensions[] = {
		VK_AMD_GPA_INTERFACE_EXTENSION_NAME
	};
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = features,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.enabledExtensionCount = has_extension,
		.ppEnabledExtensionNames = extensions,
	};
	VkDevice device;
	VkResult result = vkCreateDevice(world.physical, &info, NULL, &device);

	if (result != VK_SUCCESS)
		return result;
	if (!has_extension)
		ck_assert(
			!vkGetDeviceProcAddr(device, "vkCreateGpaSessionAMD"));
	vkDestroyDevice(device, NULL);
	return result;
}

/* A feature that is not there cannot be enabled. */
START_TEST(missing_features_are_refused)
{
	VkPhysicalDeviceGpaFeaturesAMD features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD,
		.streamingPerfCounters = VK_TRUE,
	};

	ck_assert_int_eq(try_device(&features, true),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	features.streamingPerfCounters = VK_FALSE;
	features.sqThreadTracing = VK_TRUE;
	ck_assert_int_eq(try_device(&features, true),
			 VK_ERROR_FEATURE_NOT_PRESENT);
}
END_TEST

/* The driver does not see them, wherever they stand, and nobody loses them. */
START_TEST(features_are_taken_out_of_the_chain)
{
	VkPhysicalDeviceMultiviewFeatures last = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
	};
	VkPhysicalDeviceGpaFeaturesAMD features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD,
		.pNext = &last,
		.perfCounters = VK_TRUE,
	};
	VkPhysicalDeviceFeatures2 first = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &features,
	};

	/* the validation layer complains if it finds it */
	ck_assert_int_eq(try_device(&first, true), VK_SUCCESS);
	ck_assert_ptr_eq(first.pNext, &features);
	ck_assert_ptr_eq(features.pNext, &last);
}
END_TEST

/* Then it stays: drivers skip what they do not know. */
START_TEST(chains_may_be_constant)
{
	static const VkPhysicalDeviceGpaFeaturesAMD features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD,
		.perfCounters = VK_TRUE,
	};
	static const VkPhysicalDeviceFeatures2 first = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = (void *)&features,
	};

	setenv("DRMPERF_GPU", "0", 1);
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, false));
	ck_assert_int_eq(try_device(&first, true), VK_SUCCESS);
	world_end(&world);
}
END_TEST

/* Who does not enable the extension does not get it. */
START_TEST(devices_without_the_extension_lack_its_commands)
{
	ck_assert_int_eq(try_device(NULL, false), VK_SUCCESS);
	ck_assert_int_eq(try_device(NULL, true), VK_SUCCESS);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Which GPU serves                                                     */

/* A driver that tells no address is served if DRMPERF_GPU says by which. */
static const struct {
	const char *gpu; /* NULL: not set */
	bool is_served;
} names[] = {
	{ NULL, false },     { "", false },
	{ "0", true },	     { "1", true },
	{ "2", false },	     { "0000:03:00.0", true },
	{ "03:00.0", true }, { "0000:44:00.0", false },
	{ "vega10", false },
};

START_TEST(gpus_are_named)
{
	if (names[_i].gpu)
		setenv("DRMPERF_GPU", names[_i].gpu, 1);
	else
		unsetenv("DRMPERF_GPU");
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, false));
	ck_assert_int_eq(world_has_extension(&world), names[_i].is_served);
	world_end(&world);
}
END_TEST

/* A GPU that has no such blocks serves nobody. */
START_TEST(other_gpus_are_left_alone)
{
	setenv("DRMPERF_GPU", "0", 1);
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_CPU, false));
	ck_assert(!world_has_extension(&world));
	ck_assert_int_eq(try_device(NULL, true),
			 VK_ERROR_EXTENSION_NOT_PRESENT);
	world_end(&world);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Suites                                                               */

static TCase *
add_case(Suite *suite, const char *name, void (*open)(void))
{
	TCase *tcase = tcase_create(name);

	if (open)
		tcase_add_checked_fixture(tcase, open, close_world);
	suite_add_tcase(suite, tcase);
	return tcase;
}

static Suite *
lavapipe_suite(void)
{
	Suite *suite = suite_create("vulkan_lavapipe");
	TCase *tcase = add_case(suite, "lavapipe", open_lavapipe);

	tcase_add_test(tcase, features_are_told);
	tcase_add_test(tcase, block_count_is_told_without_an_array);
	tcase_add_test(tcase, blocks_are_told);
	tcase_add_test(tcase, short_arrays_of_blocks_are_kept);
	tcase_add_test(tcase, clock_mode_query_tells_ratios);
	tcase_add_test(tcase, clock_modes_are_set);
	tcase_add_test(tcase, unknown_clock_modes_are_refused);
	tcase_add_test(tcase, cumulative_samples_are_exact);
	tcase_add_test(tcase, sample_ids_are_unique);
	tcase_add_test(tcase, samples_may_overlap);
	tcase_add_test(tcase, sessions_begin_once);
	tcase_add_test(tcase, samples_need_a_session_begun);
	tcase_add_test(tcase, sessions_end_behind_samples);
	tcase_add_test(tcase, sessions_span_command_buffers);
	tcase_add_test(tcase, cumulative_samples_end_where_they_began);
	tcase_add_loop_test(tcase, wrong_counters_are_refused, 0,
			    ARRAY_SIZE(wrong_counters));
	tcase_add_test(tcase, counters_beyond_the_limit_are_refused);
	tcase_add_test(tcase, traces_are_refused);
	tcase_add_test(tcase, timing_samples_have_two_results);
	tcase_add_test(tcase, timing_samples_need_stages);
	tcase_add_test(tcase, caches_may_be_flushed);
	tcase_add_test(tcase, events_without_a_name_are_counted);
	tcase_add_loop_test(tcase, some_stages_are_counted, 0,
			    ARRAY_SIZE(stages));
	tcase_add_test(tcase, samples_of_other_stages_are_refused);
	tcase_add_test(tcase, samples_do_not_begin_in_render_passes);
	tcase_add_test(tcase, samples_ended_in_render_passes_fail);
	tcase_add_test(tcase, threads_record_command_buffers);
	tcase_add_test(tcase, pools_are_reset);
	tcase_add_test(tcase, command_buffers_outlive_sessions);
	tcase_add_test(tcase, results_are_there_behind_the_fence);
	tcase_add_test(tcase, counters_lost_are_errors);
	tcase_add_test(tcase, counters_taken_are_errors);
	tcase_add_test(tcase, status_is_not_ready_before_the_end);
	tcase_add_test(tcase, sizes_of_results_are_told);
	tcase_add_test(tcase, sessions_are_reset_and_used_again);
	tcase_add_test(tcase, secondary_results_are_copied);
	tcase_add_test(tcase, copies_need_a_finished_source);
	tcase_add_test(tcase, missing_features_are_refused);
	tcase_add_test(tcase, features_are_taken_out_of_the_chain);
	tcase_add_test(tcase, devices_without_the_extension_lack_its_commands);
	tcase = add_case(suite, "names", NULL);
	tcase_add_loop_test(tcase, gpus_are_named, 0, ARRAY_SIZE(names));
	tcase_add_test(tcase, chains_may_be_constant);
	return suite;
}

static Suite *
radv_suite(void)
{
	Suite *suite = suite_create("vulkan_radv");
	TCase *tcase = add_case(suite, "radv", open_radv);

	tcase_add_test(tcase, features_are_told);
	tcase_add_test(tcase, blocks_are_told);
	tcase_add_test(tcase, dispatches_are_counted_exactly);
	tcase_add_test(tcase, counters_of_the_waiting_queue_are_refused);
	tcase_add_test(tcase, timing_samples_have_two_results);
	tcase_add_test(tcase, secondary_results_are_copied);
	tcase_add_test(tcase, threads_record_command_buffers);
	tcase_add_test(tcase, devices_lost_are_errors);
	tcase = add_case(suite, "compute", open_radv_compute);
	tcase_add_test(tcase, compute_queues_count_what_graphics_reads);
	tcase_add_test(tcase, timing_samples_have_two_results);
	return suite;
}

static Suite *
hang_suite(void)
{
	Suite *suite = suite_create("vulkan_hang");
	TCase *tcase = add_case(suite, "hang", open_lavapipe);

	tcase_add_test(tcase, devices_do_not_wait_for_ever);
	return suite;
}

static Suite *
intel_suite(void)
{
	Suite *suite = suite_create("vulkan_intel");
	TCase *tcase = add_case(suite, "intel", NULL);

	tcase_add_test(tcase, other_gpus_are_left_alone);
	return suite;
}

#define MACHINE(...)                                                           \
	(const char *const[])                                                  \
	{                                                                      \
		"--strict", __VA_ARGS__, NULL                                  \
	}

static const struct machine machines[] = {
	{ MACHINE("--time", "virtual", "--gpu", "vega10,revision=0xc1", "--gpu",
		  "vega10"),
	  "vulkan_lavapipe" },
	{ MACHINE("--gpu", "vega10"), "vulkan_radv" },
	{ MACHINE("--time", "virtual", "--gpu", "skl"), "vulkan_intel" },
	{ MACHINE("--gpu", "vega10,lockup-timeout=3600s"), "vulkan_hang" },
};

int
main(void)
{
	SRunner *runner;

	if (!drmsim_is_present()) {
		world_set_environment();
		return below_drmsim(machines, ARRAY_SIZE(machines));
	}
	world_keep_drivers();
	runner = srunner_create(lavapipe_suite());
	srunner_add_suite(runner, radv_suite());
	srunner_add_suite(runner, hang_suite());
	srunner_add_suite(runner, intel_suite());
	return suites_run(runner);
}
