/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * VK_AMD_gpa_interface, sentence by sentence: sessions and samples. On
 * lavapipe, which DRMPERF_GPU lends a simulated GPU in virtual time, and on
 * radv with a simulated GPU of its own. Comments in quotes are the extension's
 * words.
 */
#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/vulkan/calls.h"

/* ------------------------------------------------------------------ */
/* 3.4, 3.5: sessions and samples                                       */

TEST_CASE(lavapipe, open_lavapipe, close_world, "samples_lavapipe");

/* "... the cumulative delta for that counter over the sample period." */
TEST(lavapipe, cumulative_samples_are_exact)
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
	world_submit_beside(&world, commands);
	pass_at(&before, 5);
	pass_at(&inside, 2);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_NOT_READY);
	pass_at(&behind, 3);
	world_wait(&world);
	world_results(&world, session, id, values, 3);
	ck_assert_uint_eq(values[0], 6000);
	ck_assert_uint_eq(values[1], 2000);
	ck_assert_uint_eq(values[2], 14000);
}

/* "Each measurement is represented by a unique sample ID" */
TEST(lavapipe, sample_ids_are_unique)
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
	world_submit_beside(&world, commands);
	for (unsigned i = 0; i < 3; i++)
		pass_at(&gates[i], i + 1);
	world_wait(&world);
	for (unsigned i = 0; i < 3; i++) {
		world_results(&world, session, ids[i], &value, 1);
		ck_assert_uint_eq(value, 1000 * (i + 1));
	}
}

/* One sample may be inside of another one. */
TEST(lavapipe, samples_may_overlap)
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
	world_submit_beside(&world, commands);
	pass_at(&first, 1);
	pass_at(&second, 4);
	world_wait(&world);
	world_results(&world, session, outer, &value, 1);
	ck_assert_uint_eq(value, 5000);
	world_results(&world, session, inner, &value, 1);
	ck_assert_uint_eq(value, 4000);
}

/* "begins a new or previously reset GPA session" */
TEST(lavapipe, sessions_begin_once)
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
	must_succeed(world.ResetGpaSession(world.device, session));
	begin_session(commands, session);
}

/* "and must be called before any sampling occurs." */
TEST(lavapipe, samples_need_a_session_begun)
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
}

/* "... must be called after all performance measurements." */
TEST(lavapipe, sessions_end_behind_samples)
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
}

/* "Begin/End can span multiple command buffers on the same queue" */
TEST(lavapipe, sessions_span_command_buffers)
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
	world_submit_beside(&world, first);
	pass_at(&gate, 6);
	world_wait(&world);
	ck_assert_int_eq(world.GetGpaSessionStatus(world.device, session),
			 VK_NOT_READY);
	world_run(&world, second);
	world_results(&world, session, id, &value, 1);
	ck_assert_uint_eq(value, 6000);
}

/* "must be within the same command buffer if ... CUMULATIVE" */
TEST(lavapipe, cumulative_samples_end_where_they_began)
{
	const VkGpaPerfCounterAMD counter = waves_of(3);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer first = world_record(&world);
	VkCommandBuffer second = world_record(&world);
	uint32_t id;

	begin_session(first, session);
	id = world_sample(&world, first, session, &counter, 1);
	world.CmdEndGpaSample(second, session, id);
	end_session(second, session);
	world_run(&world, first);
	world_run(&world, second);
	ck_assert_int_eq(read_sample(session, id), VK_ERROR_UNKNOWN);
}

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

TEST_LOOP(lavapipe, wrong_counters_are_refused, ARRAY_SIZE(wrong_counters))
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
}

/* "maximum number of cumulative counters that can be collected ..." */
TEST(lavapipe, counters_beyond_the_limit_are_refused)
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
}

/* TRACE needs features that are not there. */
TEST(lavapipe, traces_are_refused)
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
}

TEST_CASE(radv, open_radv, close_world, "samples_radv");
TEST_CASE(compute, open_radv_compute, close_world, "samples_radv");

/* "Two 64-bit results will be recorded to gather timestamp data." */
TEST(lavapipe, timing_samples_have_two_results)
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
	must_succeed(world.CmdBeginGpaSample(first, session, &info, &id));
	world_dispatch(&world, first, 10);
	/* only "cumulative samples must ... end in the same command buffer" */
	world.CmdEndGpaSample(second, session, id);
	end_session(second, session);
	world_run(&world, first);
	world_run(&world, second);
	world_results(&world, session, id, ticks, 2);
	ck_assert_uint_gt(ticks[0], 0);
	ck_assert_uint_ge(ticks[1], ticks[0]);
}
TEST_ALSO(radv, timing_samples_have_two_results, 1);
TEST_ALSO(compute, timing_samples_have_two_results, 1);

/* Masks of no stage, and of several, have a reading of their own. */
static const VkPipelineStageFlags masks_of_stages[] = {
	0,
	VK_PIPELINE_STAGE_TRANSFER_BIT,
	VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
};

TEST_LOOP(lavapipe, timing_samples_take_any_mask_of_stages,
	  ARRAY_SIZE(masks_of_stages))
{
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_TIMING_AMD,
		.timingPreSample = masks_of_stages[_i],
		.timingPostSample = masks_of_stages[_i],
	};
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint64_t ticks[2] = { 0 };
	uint32_t id;

	begin_session(commands, session);
	must_succeed(world.CmdBeginGpaSample(commands, session, &info, &id));
	world_dispatch(&world, commands, 10);
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
	world_results(&world, session, id, ticks, 2);
	ck_assert_uint_gt(ticks[0], 0);
	ck_assert_uint_ge(ticks[1], ticks[0]);
}

/* "Insert cache flush and invalidate events before and after every sample." */
TEST(lavapipe, caches_may_be_flushed)
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
	must_succeed(world.CmdBeginGpaSample(commands, session, &info, &id));
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
	world_results(&world, session, id, &value, 1);
	ck_assert_uint_eq(value, 0);
}

/* Events of SQ and TCC, up to their maxEventID. */
static const VkGpaPerfCounterAMD unnamed[] = {
	{ VK_GPA_PERF_BLOCK_SQ_AMD, 3, 190 },
	{ VK_GPA_PERF_BLOCK_TCC_AMD, 5, 120 },
};

/* "Event IDs are hardware-defined": no table of ours has names for these. */
TEST(lavapipe, events_without_a_name_are_counted)
{
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.perfCounterCount = ARRAY_SIZE(unnamed),
		.pPerfCounters = unnamed,
	};
	uint64_t values[2];

	scene_set("rate", "SQ.190 instance=3 2000000");
	scene_set("rate", "TCC.120 instance=5 7000000");
	must_succeed(measure_sample(&info, values));
	ck_assert_uint_eq(values[0], 4000);
	ck_assert_uint_eq(values[1], 14000);
}

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
TEST_LOOP(lavapipe, some_stages_are_counted, ARRAY_SIZE(stages))
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
	uint64_t values[2];

	scene_set("rate", "SQ.5 stages=ps 1000000");
	scene_set("rate", "SQ.5 stages=cs 3000000");
	scene_set("rate", "TCC.4 instance=5 5000000");
	must_succeed(measure_sample(&info, values));
	ck_assert_uint_eq(values[0], stages[_i].issued);
	ck_assert_uint_eq(values[1], stages[_i].missed);
}

/* The mask is one for all that counts at the same time. */
TEST(lavapipe, samples_of_other_stages_are_refused)
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
	must_succeed(try_sample(commands, session, info));
	info.sqShaderMask = VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD;
	must_succeed(try_sample(commands, session, info));
	info.pPerfCounters = &waves;
	must_succeed(try_sample(commands, session, info));
	info.sqShaderMask = VK_GPA_SQ_SHADER_STAGE_PS_BIT_AMD;
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_TOO_MANY_OBJECTS);
	info.sqShaderMaskEnable = VK_FALSE;
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_TOO_MANY_OBJECTS);
	/* nor does one of which no stage is to be counted care */
	info.sqShaderMaskEnable = VK_TRUE;
	info.sqShaderMask = 0;
	must_succeed(try_sample(commands, session, info));
}

TEST_MACHINE("samples_lavapipe", "--strict", "--time", "virtual", "--gpu",
	     "vega10");
TEST_MACHINE("samples_radv", "--strict", "--gpu", "vega10");
