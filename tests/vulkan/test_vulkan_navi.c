/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * VK_AMD_gpa_interface, sentence by sentence, where a Vega 10 shows too little:
 * on lavapipe, to which DRMPERF_GPU lends a simulated Navi 31 in virtual time.
 * Comments in quotes are the extension's words.
 */
#include "tests/vulkan/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define SHADER_ENGINES 6

TEST_CASE(navi, open_lavapipe, close_world, "navi");

/* ------------------------------------------------------------------ */
/* 4.1: sample setup                                                    */

/*
 * "Enable CPG block counter that always counters upwards", "Enable every SPI
 * counter that counts the number of gfx CS waves initialized (applicable to
 * Gfx11 and Gfx12 hardware for graphics applications)".
 */
TEST(navi, the_example_counts)
{
	VkGpaPerfCounterAMD counters[1 + SHADER_ENGINES] = {
		{ VK_GPA_PERF_BLOCK_CPG_AMD, 0, 0 }
	};
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_CUMULATIVE_AMD,
		.cacheFlushOnCounterCollection = VK_TRUE,
		.perfCounterCount = ARRAY_SIZE(counters),
		.pPerfCounters = counters,
	};
	uint64_t values[ARRAY_SIZE(counters)];

	for (uint32_t i = 0; i < SHADER_ENGINES; i++)
		counters[i + 1] =
			(VkGpaPerfCounterAMD){ VK_GPA_PERF_BLOCK_SPI_AMD, i,
					       42 };
	scene_set("rate", "SPI.42 1000000");
	scene_set("rate", "SPI.42 instance=3 4000000");
	must_succeed(measure_sample(&info, values));
	/* two milliseconds at 1900 MHz */
	ck_assert_uint_eq(values[0], 3800000);
	for (uint32_t i = 0; i < SHADER_ENGINES; i++)
		ck_assert_uint_eq(values[i + 1], i == 3 ? 8000 : 2000);
}

/* "Stages are hardware-specific, and those that are invalid for the current
 * device are ignored.": before RDNA alone there are ES, LS and VS. */
static const struct {
	VkFlags mask;
	uint64_t issued;
} rdna_stages[] = {
	{ VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD, 6000 },
	{ VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD |
		  VK_GPA_SQ_SHADER_STAGE_ES_BIT_AMD |
		  VK_GPA_SQ_SHADER_STAGE_LS_BIT_AMD,
	  6000 },
	{ VK_GPA_SQ_SHADER_STAGE_PS_BIT_AMD | VK_GPA_SQ_SHADER_STAGE_VS_BIT_AMD,
	  2000 },
	{ VK_GPA_SQ_SHADER_STAGE_PS_BIT_AMD |
		  VK_GPA_SQ_SHADER_STAGE_GS_BIT_AMD |
		  VK_GPA_SQ_SHADER_STAGE_HS_BIT_AMD |
		  VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD,
	  8000 },
	{ VK_GPA_SQ_SHADER_STAGE_ES_BIT_AMD | VK_GPA_SQ_SHADER_STAGE_LS_BIT_AMD,
	  0 },
};

TEST_LOOP(navi, stages_that_are_not_there_are_ignored, ARRAY_SIZE(rdna_stages))
{
	const VkGpaPerfCounterAMD counters[] = {
		{ VK_GPA_PERF_BLOCK_SQ_WGP_AMD, 0, 50 },
		{ VK_GPA_PERF_BLOCK_CPG_AMD, 0, 1 },
	};
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sqShaderMaskEnable = VK_TRUE,
		.sqShaderMask = rdna_stages[_i].mask,
		.perfCounterCount = ARRAY_SIZE(counters),
		.pPerfCounters = counters,
	};
	uint64_t values[ARRAY_SIZE(counters)];

	scene_set("rate", "SQ_WGP.50 stages=ps 1000000");
	scene_set("rate", "SQ_WGP.50 stages=cs 3000000");
	scene_set("rate", "CPG.1 9000000");
	must_succeed(measure_sample(&info, values));
	ck_assert_uint_eq(values[0], rdna_stages[_i].issued);
	ck_assert_uint_eq(values[1], 18000);
}

/* ------------------------------------------------------------------ */
/* 3.3: clocks                                                          */

/* What drmsim makes of the modes of a Navi 31, whose clocks it has from its
 * description: lowest, stable and highest. */
static const struct {
	VkGpaDeviceClockModeAMD mode;
	uint32_t engine, memory; /* MHz */
} clocks[] = {
	/* "Clocks set to maximum when possible." */
	{ VK_GPA_DEVICE_CLOCK_MODE_PEAK_AMD, 2371, 1249 },
	/* "Clocks are set to a constant amount which is known to be power and
	 * thermal sustainable." */
	{ VK_GPA_DEVICE_CLOCK_MODE_PROFILING_AMD, 1900, 900 },
	/* "Memory clock is set to the lowest available level. Engine clock is
	 * set to thermal and power sustainable level." */
	{ VK_GPA_DEVICE_CLOCK_MODE_MIN_MEMORY_AMD, 1900, 96 },
	/* "Engine clock is set to the lowest available level. Memory clock is
	 * set to thermal and power sustainable level." */
	{ VK_GPA_DEVICE_CLOCK_MODE_MIN_ENGINE_AMD, 500, 900 },
};

/* "Current memory clock (absolute) value in MHz", "Ratio of current memory
 * clock to maximum memory clock." */
TEST_LOOP(navi, clock_modes_set_these_clocks, ARRAY_SIZE(clocks))
{
	const VkGpaDeviceGetClockInfoAMD before = read_clocks();
	VkGpaDeviceGetClockInfoAMD info;

	set_clocks(clocks[_i].mode);
	info = read_clocks();
	ck_assert_uint_eq(info.engineClockFrequency, clocks[_i].engine);
	ck_assert_uint_eq(info.memoryClockFrequency, clocks[_i].memory);
	ck_assert_float_eq_tol(info.engineClockRatioToPeak,
			       (float)clocks[_i].engine / 2371, 1e-6F);
	ck_assert_float_eq_tol(info.memoryClockRatioToPeak,
			       (float)clocks[_i].memory / 1249, 1e-6F);
	/* "restored to default" */
	set_clocks(VK_GPA_DEVICE_CLOCK_MODE_DEFAULT_AMD);
	info = read_clocks();
	ck_assert_uint_eq(info.engineClockFrequency,
			  before.engineClockFrequency);
	ck_assert_uint_eq(info.memoryClockFrequency,
			  before.memoryClockFrequency);
}

/* Run a sample, and return what standard error has had of it. */
static size_t
run_verbosely(char *text, size_t size)
{
	const VkGpaPerfCounterAMD counter = { VK_GPA_PERF_BLOCK_SPI_AMD, 0,
					      42 };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	FILE *file = tmpfile();
	int before = dup(STDERR_FILENO);
	uint32_t id;

	ck_assert(file && before >= 0);
	setenv("DRMPERF_VERBOSE", "1", 1);
	dup2(fileno(file), STDERR_FILENO);
	begin_session(commands, session);
	id = world_sample(&world, commands, session, &counter, 1);
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
	must_succeed(world.GetGpaSessionStatus(world.device, session));
	dup2(before, STDERR_FILENO);
	unsetenv("DRMPERF_VERBOSE");
	close(before);
	destroy_session(session);
	rewind(file);
	size = fread(text, 1, size - 1, file);
	text[size] = '\0';
	fclose(file);
	return size;
}

/* The counters of a Navi 31 need steady clocks: they are held already. */
TEST_LOOP(navi, clocks_of_the_application_are_left_alone, ARRAY_SIZE(clocks))
{
	char text[4096];

	set_clocks(clocks[_i].mode);
	ck_assert_msg(!run_verbosely(text, sizeof(text)), "%s", text);
	set_clocks(VK_GPA_DEVICE_CLOCK_MODE_DEFAULT_AMD);
}

/* ------------------------------------------------------------------ */
/* 3.7: copying                                                         */

static VkCommandBuffer
record_secondary(VkGpaSessionAMD session, const struct gate *gate, uint32_t *id)
{
	const VkGpaPerfCounterAMD waves = { VK_GPA_PERF_BLOCK_SPI_AMD, 0, 42 };
	VkCommandBuffer commands = begin_secondary(
		VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, NULL);

	begin_session(commands, session);
	*id = world_sample(&world, commands, session, &waves, 1);
	gate_record(gate, commands);
	world.CmdEndGpaSample(commands, session, *id);
	end_session(commands, session);
	must_succeed(vkEndCommandBuffer(commands));
	return commands;
}

/*
 * "This is required to prevent multiple invocations of the same secondary
 * command buffer overwriting each other's results." The example of 4.2: the
 * third one has no copy.
 */
TEST(navi, copies_have_the_values_of_their_invocation)
{
	VkGpaSessionAMD session = world_session(&world), copies[2];
	VkCommandBuffer primary = world_record(&world), secondary;
	struct gate inside, behind[3];
	uint64_t value;
	uint32_t id;

	scene_set("rate", "SPI.42 1000000");
	gate_create(&world, &inside);
	secondary = record_secondary(session, &inside, &id);
	for (unsigned i = 0; i < 3; i++) {
		gate_create(&world, &behind[i]);
		vkCmdExecuteCommands(primary, 1, &secondary);
		gate_record(&behind[i], primary);
		if (i == 2)
			break;
		copies[i] = world_copy_session(&world, session);
		world.CmdCopyGpaSessionResults(primary, copies[i]);
	}
	world_submit_beside(&world, primary);
	for (unsigned i = 0; i < 3; i++) {
		gate_wait(&world, &inside);
		must_succeed(vkResetEvent(world.device, inside.reached));
		scene_pass((i + 1) * MS);
		gate_open(&world, &inside);
		gate_wait(&world, &behind[i]);
		must_succeed(vkResetEvent(world.device, inside.left));
		gate_open(&world, &behind[i]);
	}
	world_wait(&world);
	for (unsigned i = 0; i < 3; i++) {
		VkGpaSessionAMD its = i < 2 ? copies[i] : session;

		world_results(&world, its, id, &value, 1);
		ck_assert_uint_eq(value, 1000 * (i + 1));
	}
}

/* ------------------------------------------------------------------ */
/* Render passes                                                        */

/* A suspended one goes on, although it was ended: no sample begins there. */
TEST(navi, suspended_rendering_goes_on)
{
	const VkGpaPerfCounterAMD counter = { VK_GPA_PERF_BLOCK_SPI_AMD, 0,
					      42 };
	const VkGpaSampleBeginInfoAMD info = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.perfCounterCount = 1,
		.pPerfCounters = &counter,
	};
	const VkGpaSampleBeginInfoAMD timing = {
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_TIMING_AMD,
	};
	PFN_vkCmdBeginRendering begin =
		(PFN_vkCmdBeginRendering)vkGetDeviceProcAddr(
			world.device, "vkCmdBeginRenderingKHR");
	PFN_vkCmdEndRendering end = (PFN_vkCmdEndRendering)vkGetDeviceProcAddr(
		world.device, "vkCmdEndRenderingKHR");
	VkRenderingInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
		.renderArea = { .extent = { 1, 1 } },
		.layerCount = 1,
	};
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t id;

	ck_assert(begin && end);
	begin_session(commands, session);
	rendering.flags = VK_RENDERING_SUSPENDING_BIT;
	begin(commands, &rendering);
	end(commands);
	ck_assert_int_eq(world.CmdBeginGpaSample(commands, session, &info, &id),
			 VK_ERROR_FEATURE_NOT_PRESENT);
	ck_assert_int_eq(
		world.CmdBeginGpaSample(commands, session, &timing, &id),
		VK_ERROR_FEATURE_NOT_PRESENT);
	rendering.flags = VK_RENDERING_RESUMING_BIT;
	begin(commands, &rendering);
	end(commands);
	must_succeed(world.CmdBeginGpaSample(commands, session, &info, &id));
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
}

TEST_MACHINE("navi", "--strict", "--time", "virtual", "--gpu", "navi31");
