/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples that are traces of waves, on radv, with whose work libdrmperf shares
 * an address space. The files are read here; rgp_check.py looks at one.
 */
#include "tests/vulkan/calls.h"

#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "gpa_trace_options.h"
#include "selftest/amdgpu/tokens.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define GROUPS 600 /* of one wave each */
#define MANY 60000
#define INTERVAL 60000 /* clocks, so that a slow simulator keeps up */
#define ENGINES 4
#define MIB (UINT64_C(1) << 20)

/* ------------------------------------------------------------------ */
/* Traces                                                               */

static VkGpaSampleBeginInfoAMD
trace_info(void)
{
	return (VkGpaSampleBeginInfoAMD){
		.sType = VK_STRUCTURE_TYPE_GPA_SAMPLE_BEGIN_INFO_AMD,
		.sampleType = VK_GPA_SAMPLE_TYPE_TRACE_AMD,
		.sqThreadTraceEnable = VK_TRUE,
		/* tokens tell of time, too, as long as a machine may be busy */
		.sqThreadTraceDeviceMemoryLimit = ENGINES * 64 * MIB,
	};
}

static uint32_t
begin_trace(VkCommandBuffer commands, VkGpaSessionAMD session,
	    const VkGpaSampleBeginInfoAMD *info)
{
	uint32_t id = UINT32_MAX;

	must_succeed(world.CmdBeginGpaSample(commands, session, info, &id));
	return id;
}

/* Trace a dispatch, whose session is returned. */
static VkGpaSessionAMD
trace_dispatch(const VkGpaSampleBeginInfoAMD *info, uint32_t groups)
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t id;

	begin_session(commands, session);
	id = begin_trace(commands, session, info);
	ck_assert_uint_eq(id, 0);
	world_dispatch(&world, commands, groups);
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
	return session;
}

static VkResult
get_results(VkGpaSessionAMD session, uint32_t id, size_t *size, void *data)
{
	return world.GetGpaSessionResults(world.device, session, id, size,
					  data);
}

/* Get a file, which the caller frees. */
static unsigned char *
get_file(VkGpaSessionAMD session, uint32_t id, size_t *size)
{
	unsigned char *file;

	*size = 0;
	must_succeed(get_results(session, id, size, NULL));
	ck_assert_uint_gt(*size, 56);
	file = malloc(*size);
	ck_assert_ptr_nonnull(file);
	must_succeed(get_results(session, id, size, file));
	return file;
}

static uint32_t
u32_at(const unsigned char *file, size_t at)
{
	return file[at] | (uint32_t)file[at + 1] << 8 |
	       (uint32_t)file[at + 2] << 16 | (uint32_t)file[at + 3] << 24;
}

static uint64_t
u64_at(const unsigned char *file, size_t at)
{
	return u32_at(file, at) | (uint64_t)u32_at(file, at + 4) << 32;
}

/* What a file has of all engines. */
struct seen {
	unsigned engines;
	uint64_t starts, ends, bytes;
	/* what counters were streamed, and what they counted */
	uint32_t counters, intervals, period;
	uint64_t counted, time; /* time: of the first interval's end */
	uint64_t calibration; /* the GPU's time when it began */
	bool has_losses; /* samples were overwritten before they were read */
};

static unsigned level = 10; /* of the GPU's graphics core */

/*
 * Return whether samples are missing, which come at equal steps: of two samples
 * alone that is not known.
 */
static bool
has_losses(const unsigned char *times, uint32_t count)
{
	uint64_t shortest = UINT64_MAX, longest = 0;

	for (uint32_t i = 1; i < count; i++) {
		const uint64_t step =
			u64_at(times, 8 * i) - u64_at(times, 8 * i - 8);

		shortest = step < shortest ? step : shortest;
		longest = step > longest ? step : longest;
	}
	return count < 3 || longest > shortest * 3 / 2 + 1;
}

/* See the chunk of counters at an offset: time stamps, counters, values. */
static void
see_counters(const unsigned char *file, size_t at, struct seen *seen)
{
	const size_t size = u32_at(file, at + 8);
	size_t list;

	seen->intervals = u32_at(file, at + 24);
	seen->counters = u32_at(file, at + 28);
	seen->period = u32_at(file, at + 36);
	seen->time = u64_at(file, at + 40);
	seen->has_losses = has_losses(file + at + 40, seen->intervals);
	list = at + 40 + 8 * (size_t)seen->intervals;
	ck_assert_uint_eq(list + seen->counters *
					  (20 + 4 * (size_t)seen->intervals),
			  at + size);
	list += 20 * (size_t)seen->counters;
	for (; list < at + size; list += 4)
		seen->counted += u32_at(file, list);
}

static struct seen
see_file(const unsigned char *file, size_t size)
{
	struct seen seen = { 0 };
	size_t at = 56;

	ck_assert_mem_eq(file, "B00P\1\0\0\0\5\0\0\0", 12);
	for (; at < size; at += u32_at(file, at + 8)) {
		struct token_counts counts;
		uint32_t data = u32_at(file, at + 16);
		uint32_t length = u32_at(file, at + 20);

		if (file[at] == 8)
			see_counters(file, at, &seen);
		if (file[at] == 6)
			seen.calibration = u64_at(file, at + 24);
		if (file[at] != 2)
			continue;
		ck_assert_uint_eq(data, at + 24);
		ck_assert_uint_le(data + length, size);
		tokens_count(level, file + data, length, &counts);
		seen.starts += counts.starts;
		seen.ends += counts.ends;
		seen.bytes += length;
		seen.engines++;
	}
	ck_assert_uint_eq(at, size);
	return seen;
}

/* Get what a session's only trace has. */
static struct seen
see_trace(VkGpaSessionAMD session)
{
	struct seen seen;
	size_t size;
	unsigned char *file = get_file(session, 0, &size);

	seen = see_file(file, size);
	free(file);
	destroy_session(session);
	return seen;
}

/*
 * See the trace of a dispatch that streams, taken again as long as samples are
 * missing: a reader or a simulator that gets no CPU for a while loses some.
 */
static struct seen
see_streamed(const VkGpaSampleBeginInfoAMD *info, uint32_t groups)
{
	struct seen seen;

	do
		seen = see_trace(trace_dispatch(info, groups));
	while (seen.has_losses);
	return seen;
}

/* Count waves of a dispatch by a cumulative sample. */
static uint64_t
count_waves(uint32_t groups)
{
	VkGpaPerfCounterAMD counters[ENGINES];
	uint64_t values[ENGINES], sum = 0;
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t id;

	for (uint32_t i = 0; i < ENGINES; i++)
		counters[i] = waves_of(i);
	begin_session(commands, session);
	id = world_sample(&world, commands, session, counters, ENGINES);
	world_dispatch(&world, commands, groups);
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
	world_results(&world, session, id, values, ENGINES);
	destroy_session(session);
	for (uint32_t i = 0; i < ENGINES; i++)
		sum += values[i];
	return sum;
}

/* ------------------------------------------------------------------ */

/*
 * Tests that trace, not below valgrind: a second process watches the end of one
 * that traces by pidfd_open(), which valgrind 3.19 does not know.
 */
#define TRACED(count) (getenv("VALGRIND") ? 0 : (count))

TEST_CASE(traces, open_radv, close_world, "traces");

TEST_LOOP(traces, waves_are_those_that_are_counted, TRACED(1))
{
	VkGpaSampleBeginInfoAMD info = trace_info();
	struct seen all, brief;

	all = see_trace(trace_dispatch(&info, GROUPS));
	info.sqThreadTraceSuppressInstructionTokens = VK_TRUE;
	brief = see_trace(trace_dispatch(&info, GROUPS));
	ck_assert_uint_eq(all.engines, ENGINES);
	ck_assert_uint_eq(all.starts, count_waves(GROUPS));
	ck_assert_uint_eq(all.starts, GROUPS);
	ck_assert_uint_eq(all.ends, GROUPS);
	ck_assert_uint_eq(brief.starts, GROUPS);
}

/* Have a sample stream the waves of all engines, in long intervals. */
static VkGpaSampleBeginInfoAMD
with_counters(VkGpaSampleBeginInfoAMD info)
{
	static VkGpaPerfCounterAMD counters[MOST_ENGINES];

	info.perfCounterCount = choose_engines(counters);
	info.pPerfCounters = counters;
	info.streamingPerfTraceSampleInterval = INTERVAL;
	return info;
}

static uint64_t
ask_gpu_time(void)
{
	uint64_t time = 0;
	struct drm_amdgpu_info request = {
		.return_pointer = (uintptr_t)&time,
		.return_size = sizeof(time),
		.query = AMDGPU_INFO_TIMESTAMP,
	};
	int fd = open("/dev/dri/renderD128", O_RDWR);

	ck_assert_int_eq(ioctl(fd, DRM_IOCTL_AMDGPU_INFO, &request), 0);
	close(fd);
	return time;
}

/* Beside waves, and alone. Times are the GPU's, as those of waves. */
TEST_LOOP(traces, counters_of_a_trace_add_up, TRACED(2))
{
	VkGpaSampleBeginInfoAMD info = with_counters(trace_info());
	struct seen seen;
	uint64_t before;

	scene_set("clock-behind", "1s");
	/* the machine may have been there for less than that */
	while (!(before = ask_gpu_time()))
		usleep(1000);
	info.sqThreadTraceEnable = _i == 0;
	seen = see_streamed(&info, GROUPS);
	ck_assert_uint_gt(seen.calibration, before);
	ck_assert_uint_gt(seen.time, before);
	ck_assert_uint_lt(seen.calibration, ask_gpu_time());
	ck_assert_uint_lt(seen.time, ask_gpu_time());
	scene_set("clock-behind", "0s");
	ck_assert_uint_eq(seen.engines, _i ? 0 : ENGINES);
	ck_assert_uint_eq(seen.starts, _i ? 0 : GROUPS);
	ck_assert_uint_eq(seen.counters, ENGINES);
	ck_assert_uint_eq(seen.period, INTERVAL);
	ck_assert_uint_gt(seen.intervals, 0);
	ck_assert_uint_eq(seen.counted, GROUPS);
	ck_assert_uint_eq(count_waves(GROUPS), GROUPS);
}

TEST_LOOP(traces, the_checker_has_nothing_against_it, TRACED(1))
{
	const VkGpaSampleBeginInfoAMD info = with_counters(trace_info());
	VkGpaSessionAMD session = trace_dispatch(&info, GROUPS);
	char path[] = "/tmp/drmperf-trace-XXXXXX", command[256];
	size_t size;
	unsigned char *file = get_file(session, 0, &size);
	int fd = mkstemp(path);

	ck_assert_int_eq(write(fd, file, size), (ssize_t)size);
	close(fd);
	snprintf(command, sizeof(command),
		 "! command -v python3 > /dev/null || "
		 "LD_PRELOAD= python3 tests/tool/rgp_check.py %s",
		 path);
	ck_assert_int_eq(system(command), 0);
	unlink(path);
	free(file);
}

/* "Trace samples may span multiple command buffers." */
TEST_LOOP(traces, a_trace_spans_submissions, TRACED(1))
{
	const VkGpaSampleBeginInfoAMD info = trace_info();
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	size_t size;
	uint32_t id;

	begin_session(commands, session);
	id = begin_trace(commands, session, &info);
	world_dispatch(&world, commands, 12);
	world_run(&world, commands);
	ck_assert_int_eq(get_results(session, id, &size, NULL), VK_NOT_READY);
	commands = world_record(&world);
	world_dispatch(&world, commands, 24);
	world_run(&world, commands);
	commands = world_record(&world);
	world.CmdEndGpaSample(commands, session, id);
	run_session(commands, session);
	ck_assert_uint_eq(see_trace(session).starts, 36);
}

/* A session that was reset traces the same commands again. */
TEST_LOOP(traces, a_trace_is_taken_each_time, TRACED(1))
{
	const VkGpaSampleBeginInfoAMD info = trace_info();
	VkGpaSessionAMD session = world_session(&world);

	for (unsigned i = 1; i < 4; i++) {
		VkCommandBuffer commands = world_record(&world);
		size_t size;
		unsigned char *file;
		uint32_t id;

		begin_session(commands, session);
		id = begin_trace(commands, session, &info);
		world_dispatch(&world, commands, 12 * i);
		world.CmdEndGpaSample(commands, session, id);
		end_session(commands, session);
		world_run(&world, commands);
		file = get_file(session, id, &size);
		ck_assert_uint_eq(see_file(file, size).starts, 12 * i);
		free(file);
		must_succeed(world.ResetGpaSession(world.device, session));
		ck_assert_int_eq(get_results(session, id, &size, NULL),
				 VK_ERROR_VALIDATION_FAILED_EXT);
	}
}

TEST_LOOP(traces, a_buffer_that_is_too_small, TRACED(1))
{
	const VkGpaSampleBeginInfoAMD info = trace_info();
	VkGpaSessionAMD session = trace_dispatch(&info, GROUPS);
	unsigned char part[64];
	size_t size = sizeof(part), whole;
	unsigned char *file = get_file(session, 0, &whole);

	ck_assert_int_eq(get_results(session, 0, &size, part), VK_INCOMPLETE);
	ck_assert_uint_eq(size, sizeof(part));
	ck_assert_mem_eq(part, file, sizeof(part));
	free(file);
}

/* The limit is of all engines; what comes when it is reached is missing. */
TEST_LOOP(traces, memory_limits_are_kept, TRACED(1))
{
	VkGpaSampleBeginInfoAMD info = trace_info();
	struct seen seen;

	info.sqThreadTraceDeviceMemoryLimit = ENGINES * 65536 + 100;
	seen = see_trace(trace_dispatch(&info, MANY));
	ck_assert_uint_lt(seen.starts, MANY);
	ck_assert_uint_le(seen.bytes, ENGINES * 65536);
	ck_assert_uint_gt(seen.bytes, ENGINES * 65000);
	info.sqThreadTraceDeviceMemoryLimit = 0;
	info.sqThreadTraceSuppressInstructionTokens = VK_TRUE;
	seen = see_trace(trace_dispatch(&info, MANY));
	ck_assert_uint_eq(seen.starts, MANY);
}

/* ------------------------------------------------------------------ */
/* One at a time                                                        */

/* Neither a second trace nor counters find room beside a trace. */
TEST_LOOP(traces, a_trace_is_alone, TRACED(1))
{
	const VkGpaSampleBeginInfoAMD info = trace_info();
	const VkGpaPerfCounterAMD counter = waves_of(0);
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	uint32_t ids[3];
	uint64_t value;
	size_t size = sizeof(value);

	begin_session(commands, session);
	ids[0] = begin_trace(commands, session, &info);
	ids[1] = begin_trace(commands, session, &info);
	ids[2] = world_sample(&world, commands, session, &counter, 1);
	world_dispatch(&world, commands, 12);
	for (unsigned i = 0; i < ARRAY_SIZE(ids); i++)
		world.CmdEndGpaSample(commands, session, ids[i]);
	run_session(commands, session);
	for (unsigned i = 1; i < ARRAY_SIZE(ids); i++)
		ck_assert_int_eq(get_results(session, ids[i], &size, &value),
				 VK_ERROR_NOT_PERMITTED_KHR);
	ck_assert_uint_eq(see_trace(session).starts, 12);
	ck_assert_uint_eq(count_waves(12), 12);
}

enum loss {
	DESTROYED,
	RESET,
	LOSSES
};

/* What was begun and is not ended goes with its session; the next begins. */
TEST_LOOP(traces, a_trace_without_an_end, TRACED(LOSSES + 1))
{
	const VkGpaSampleBeginInfoAMD info = trace_info();
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	begin_session(commands, session);
	begin_trace(commands, session, &info);
	world_dispatch(&world, commands, 12);
	world_run(&world, commands);
	if (_i == RESET)
		must_succeed(world.ResetGpaSession(world.device, session));
	else if (_i == DESTROYED)
		destroy_session(session);
	/* else it goes with the device */
	if (_i < LOSSES)
		ck_assert_uint_eq(see_trace(trace_dispatch(&info, 12)).starts,
				  12);
}

/* ------------------------------------------------------------------ */
/* What is there                                                        */

/* Nine events of a block of four wires, one of another, and one that is not. */
static const VkGpaPerfCounterAMD streamed[] = {
#define GL2C(event)                                                            \
	{                                                                      \
		VK_GPA_PERF_BLOCK_GL2C_AMD, 0, event                           \
	}
	GL2C(1),  GL2C(2),  GL2C(3),  GL2C(4),	GL2C(5),  GL2C(6),
	GL2C(7),  GL2C(8),  GL2C(9),  GL2C(10), GL2C(11), GL2C(12),
	GL2C(13), GL2C(14), GL2C(15), GL2C(16), GL2C(17),
#undef GL2C
};
static const VkGpaPerfCounterAMD waves = { VK_GPA_PERF_BLOCK_SQ_AMD, 0, 4 };
static const VkGpaPerfCounterAMD unstreamed = { VK_GPA_PERF_BLOCK_RLC_AMD, 0,
						1 };
static const VkGpaPerfCounterAMD unknown = { VK_GPA_PERF_BLOCK_MC_AMD, 0, 1 };

#define COUNTERS(number, list)                                                 \
	.sampleType = VK_GPA_SAMPLE_TYPE_TRACE_AMD,                            \
	.perfCounterCount = number, .pPerfCounters = list

static const struct {
	VkGpaSampleBeginInfoAMD info;
	VkResult result;
} refused[] = {
	/* nothing, and less than the library can take */
	{ { .sampleType = VK_GPA_SAMPLE_TYPE_TRACE_AMD },
	  VK_ERROR_FEATURE_NOT_PRESENT },
	{ { .sampleType = VK_GPA_SAMPLE_TYPE_TRACE_AMD,
	    .sqThreadTraceEnable = VK_TRUE,
	    .sqThreadTraceDeviceMemoryLimit = ENGINES * 4096 - 1 },
	  VK_ERROR_VALIDATION_FAILED_EXT },
	{ { .sqThreadTraceEnable = VK_TRUE }, VK_ERROR_FEATURE_NOT_PRESENT },
	{ { COUNTERS(17, streamed) }, VK_ERROR_TOO_MANY_OBJECTS },
	{ { COUNTERS(1, &unstreamed) }, VK_ERROR_FEATURE_NOT_PRESENT },
	{ { COUNTERS(1, &unknown) }, VK_ERROR_VALIDATION_FAILED_EXT },
	{ { COUNTERS(1, streamed), .streamingPerfTraceSampleInterval = 31 },
	  VK_ERROR_VALIDATION_FAILED_EXT },
	{ { COUNTERS(1, streamed), .perfCounterDeviceMemoryLimit = 159 },
	  VK_ERROR_VALIDATION_FAILED_EXT },
	{ { COUNTERS(1, streamed), .perfCounterDeviceMemoryLimit = 160 },
	  VK_SUCCESS },
	{ { COUNTERS(1, &waves), .sqShaderMaskEnable = VK_TRUE,
	    .sqShaderMask = VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD },
	  VK_ERROR_FEATURE_NOT_PRESENT },
	{ { COUNTERS(1, streamed), .sqShaderMaskEnable = VK_TRUE,
	    .sqShaderMask = VK_GPA_SQ_SHADER_STAGE_CS_BIT_AMD },
	  VK_SUCCESS },
};

TEST_CASE(refused, open_radv, close_world, "traces");

TEST_LOOP(refused, traces_that_are_refused, ARRAY_SIZE(refused))
{
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);

	begin_session(commands, session);
	ck_assert_int_eq(try_sample(commands, session, refused[_i].info),
			 refused[_i].result);
}

/* The options of the library that a sample asks for, of four engines. */
static const struct {
	uint64_t limit;
	VkBool32 suppress;
	bool shares_file;
	uint64_t
		buffer_size; /* 0: that of no limit, which machines differ in */
} choices[] = {
	{ 65536, VK_TRUE, true, 16384 },
	{ 65536 + 16383, VK_FALSE, true, 16384 },
	{ 65536 + 16384, VK_FALSE, false, 20480 },
	{ UINT64_C(1) << 40, VK_FALSE, true, 500 * MIB },
	{ 0, VK_FALSE, true, 0 },
};

TEST_CASE(features, NULL, NULL, "traces");

TEST_LOOP(features, options_are_those_of_the_sample, ARRAY_SIZE(choices))
{
	const struct gpa_tracing tracing = {
		.engines = ENGINES,
		.shares_file = choices[_i].shares_file,
		.buffer_most = 500 * MIB,
	};
	const VkGpaSampleBeginInfoAMD info = {
		.sqThreadTraceDeviceMemoryLimit = choices[_i].limit,
		.sqThreadTraceSuppressInstructionTokens = choices[_i].suppress,
	};
	const uint64_t size = choices[_i].buffer_size;
	struct drmperf_trace_options options = { 0 };

	ck_assert_int_eq(gpa_tracing_choose(&tracing, &info, &options, NULL),
			 0);
	ck_assert_uint_eq(options.omit_instructions, choices[_i].suppress);
	ck_assert_uint_eq(options.all_programs, !choices[_i].shares_file);
	ck_assert_uint_eq(options.supervise, 1);
	if (size)
		ck_assert_uint_eq(options.buffer_size, size);
	ck_assert_uint_gt(options.buffer_size, 0);
	ck_assert_uint_le(options.buffer_size, 500 * MIB);
}

/* Another program has the VMID when the trace is to begin. */
TEST_LOOP(traces, a_gpu_that_is_traced_already, TRACED(2))
{
	VkGpaSampleBeginInfoAMD info = with_counters(trace_info());
	VkGpaSessionAMD session;
	size_t size;

	info.sqThreadTraceEnable = _i == 0;
	scene_fault("vm:1:ENOENT");
	session = trace_dispatch(&info, 12);
	ck_assert_int_eq(drmsim_command("mend", NULL, 0), 0);
	ck_assert_int_eq(get_results(session, 0, &size, NULL),
			 VK_ERROR_NOT_PERMITTED_KHR);
	destroy_session(session);
	ck_assert_uint_eq(see_streamed(&info, 12).counted, 12);
}

TEST_LOOP(traces, clocks_of_the_application_stay, TRACED(1))
{
	const VkGpaSampleBeginInfoAMD info = trace_info();
	VkGpaDeviceClockModeInfoAMD mode = {
		.sType = VK_STRUCTURE_TYPE_GPA_DEVICE_CLOCK_MODE_INFO_AMD,
		.clockMode = VK_GPA_DEVICE_CLOCK_MODE_PEAK_AMD,
	};

	must_succeed(world.SetGpaDeviceClockMode(world.device, &mode));
	ck_assert_uint_eq(see_trace(trace_dispatch(&info, 12)).starts, 12);
	mode.clockMode = VK_GPA_DEVICE_CLOCK_MODE_DEFAULT_AMD;
	must_succeed(world.SetGpaDeviceClockMode(world.device, &mode));
}

/* What a physical device says: whether its GPU traces, by what is on it. */
static const struct {
	VkPhysicalDeviceType type;
	unsigned number;
	const char *untested;
	bool has_traces, has_streams;
} features[] = {
	{ VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 0, "", true, true },
	{ VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 1, "", false, false },
	{ VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 1, "TRACE", true, false },
	{ VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 1, "STREAM", false, true },
	/* lavapipe, whose work is not on the GPU that it is lent */
	{ VK_PHYSICAL_DEVICE_TYPE_CPU, 0, "", false, true },
	{ VK_PHYSICAL_DEVICE_TYPE_CPU, 0, "TRACE.ALL", true, true },
};

/* Return the limit of a block; of all: the greatest. */
static uint32_t
streaming_limit(VkGpaPerfBlockAMD type)
{
	VkGpaPerfBlockPropertiesAMD blocks[64];
	VkPhysicalDeviceGpaPropertiesAMD limits = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_AMD,
		.perfBlockCount = ARRAY_SIZE(blocks),
		.pPerfBlocks = blocks,
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &limits,
	};
	uint32_t most = 0;

	vkGetPhysicalDeviceProperties2(world.physical, &properties);
	for (uint32_t i = 0; i < limits.perfBlockCount; i++) {
		if ((type == VK_GPA_PERF_BLOCK_MAX_ENUM_AMD ||
		     type == blocks[i].blockType) &&
		    blocks[i].maxStreamingCounters > most)
			most = blocks[i].maxStreamingCounters;
	}
	return most;
}

/* Create a device with streams enabled. */
static VkResult
enable_streams(void)
{
	static const char *const extension =
		VK_AMD_GPA_INTERFACE_EXTENSION_NAME;
	const float priority = 1;
	VkPhysicalDeviceGpaFeaturesAMD features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD,
		.streamingPerfCounters = VK_TRUE,
	};
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &features,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.enabledExtensionCount = 1,
		.ppEnabledExtensionNames = &extension,
	};
	VkDevice device = VK_NULL_HANDLE;
	VkResult result = vkCreateDevice(world.physical, &info, NULL, &device);

	vkDestroyDevice(device, NULL);
	return result;
}

/* As many as the limit says are streamed, and not one more. */
TEST(refused, limits_of_streams_are_true)
{
	VkGpaSampleBeginInfoAMD info = { COUNTERS(0, streamed) };
	VkGpaSessionAMD session = world_session(&world);
	VkCommandBuffer commands = world_record(&world);
	const uint32_t most = streaming_limit(VK_GPA_PERF_BLOCK_GL2C_AMD);

	ck_assert_uint_gt(most, 4);
	ck_assert_uint_lt(most, ARRAY_SIZE(streamed));
	ck_assert_uint_eq(streaming_limit(VK_GPA_PERF_BLOCK_RLC_AMD), 0);
	begin_session(commands, session);
	info.perfCounterCount = most;
	must_succeed(try_sample(commands, session, info));
	info.perfCounterCount = most + 1;
	ck_assert_int_eq(try_sample(commands, session, info),
			 VK_ERROR_TOO_MANY_OBJECTS);
}

TEST_LOOP(features, features_are_those_of_the_gpu, ARRAY_SIZE(features))
{
	VkPhysicalDeviceGpaFeaturesAMD gpa = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_FEATURES_AMD,
	};
	VkPhysicalDeviceFeatures2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &gpa,
	};
	VkPhysicalDeviceGpaPropertiesAMD limits = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GPA_PROPERTIES_AMD,
	};
	VkPhysicalDeviceProperties2 properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = &limits,
	};
	bool traces = features[_i].has_traces;

	setenv("DRMPERF_GPU", "0", 1);
	setenv("DRMPERF_UNTESTED", features[_i].untested, 1);
	ck_assert(world_begin(&world, features[_i].type, false));
	ck_assert(world_choose(&world, features[_i].type, features[_i].number));
	vkGetPhysicalDeviceFeatures2(world.physical, &all);
	ck_assert_uint_eq(gpa.sqThreadTracing, traces);
	ck_assert_uint_eq(gpa.streamingPerfCounters, features[_i].has_streams);
	ck_assert_uint_eq(streaming_limit(VK_GPA_PERF_BLOCK_MAX_ENUM_AMD) > 0,
			  features[_i].has_streams);
	ck_assert_int_eq(enable_streams(),
			 features[_i].has_streams
				 ? VK_SUCCESS
				 : VK_ERROR_FEATURE_NOT_PRESENT);
	vkGetPhysicalDeviceProperties2(world.physical, &properties);
	/* as much as a file has room for, of four engines */
	if (traces)
		ck_assert_uint_gt(limits.maxSqttSeBufferSize, 511 * MIB);
	ck_assert_uint_le(limits.maxSqttSeBufferSize, traces ? 512 * MIB : 0);
	close_world();
	unsetenv("DRMPERF_UNTESTED");
}

/* Other generations than Navi 21's. */
static const struct {
	unsigned number, level, engines;
} others[] = { { 1, 9, 4 }, { 2, 11, 6 } };

TEST_CASE(several, NULL, NULL, "traces");

TEST_LOOP(several, waves_of_other_generations, TRACED(ARRAY_SIZE(others)))
{
	VkGpaSampleBeginInfoAMD info;
	struct seen seen;

	setenv("DRMPERF_UNTESTED", "TRACE STREAM", 1);
	unsetenv("DRMPERF_GPU");
	ck_assert(world_begin(&world, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
			      true));
	ck_assert(world_choose(&world, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
			       others[_i].number));
	world_open(&world, VK_QUEUE_GRAPHICS_BIT, 0);
	level = others[_i].level;
	info = with_counters(trace_info());
	seen = see_streamed(&info, GROUPS);
	ck_assert_uint_eq(seen.engines, others[_i].engines);
	ck_assert_uint_eq(seen.starts, GROUPS);
	ck_assert_uint_eq(seen.ends, GROUPS);
	ck_assert_uint_eq(seen.counters, others[_i].engines);
	ck_assert_uint_eq(seen.counted, GROUPS);
	level = 10;
	close_world();
	unsetenv("DRMPERF_UNTESTED");
}

static unsigned char *
read_file(const char *path, size_t *size)
{
	unsigned char *bytes = NULL;
	FILE *in = fopen(path, "r");

	ck_assert_ptr_nonnull(in);
	fseek(in, 0, SEEK_END);
	*size = (size_t)ftell(in);
	rewind(in);
	bytes = malloc(*size);
	ck_assert_uint_eq(fread(bytes, 1, *size, in), *size);
	fclose(in);
	return bytes;
}

/* Run frames of 12, 24 and 36 waves, and see what is in the file of one. */
TEST_LOOP(several, a_frame_is_traced_for_the_tool, TRACED(2))
{
	char folder[] = "/tmp/drmperf-trace-XXXXXX", path[64], text[128];
	struct seen seen;
	unsigned char *file;
	size_t size;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/it", folder);
	snprintf(text, sizeof(text), "%d %d 0 %s", _i, 64 << 20, path);
	setenv("DRMPERF_VK_TRACE", text, 1);
	open_radv();
	for (unsigned i = 1; i <= 3; i++) {
		VkCommandBuffer commands = world_record(&world);

		world_dispatch(&world, commands, 12 * i);
		world_run(&world, commands);
	}
	close_world();
	unsetenv("DRMPERF_VK_TRACE");
	file = read_file(path, &size);
	seen = see_file(file, size);
	ck_assert_uint_eq(seen.engines, ENGINES);
	ck_assert_uint_eq(seen.starts, 12 * ((unsigned)_i + 1));
	ck_assert_uint_eq(seen.ends, seen.starts);
	free(file);
	unlink(path);
	rmdir(folder);
}

/* Wait until a trace begins: what a killed program held it holds until then. */
static void
wait_for_trace(const VkGpaSampleBeginInfoAMD *info)
{
	VkResult result;

	do {
		VkGpaSessionAMD session = trace_dispatch(info, 12);
		size_t size;

		result = get_results(session, 0, &size, NULL);
		destroy_session(session);
		if (result == VK_ERROR_NOT_PERMITTED_KHR)
			usleep(1000);
	} while (result == VK_ERROR_NOT_PERMITTED_KHR);
	must_succeed(result);
}

/* A program that is killed in a trace leaves none behind. */
TEST_LOOP(several, a_program_that_is_killed, TRACED(1))
{
	VkGpaSampleBeginInfoAMD info = trace_info();
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		VkGpaSessionAMD session;
		VkCommandBuffer commands;

		open_radv();
		info = with_counters(info);
		session = world_session(&world);
		commands = world_record(&world);
		begin_session(commands, session);
		begin_trace(commands, session, &info);
		world_dispatch(&world, commands, 12);
		world_run(&world, commands);
		raise(SIGKILL);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSIGNALED(status));
	open_radv();
	info = with_counters(info);
	wait_for_trace(&info);
	ck_assert_uint_eq(see_streamed(&info, 12).counted, 12);
	close_world();
}

TEST_MACHINE("traces", "--strict", "--gpu", "navi21", "--gpu", "vega10",
	     "--gpu", "navi31");

static void
say_skipped(void)
{
	if (getenv("VALGRIND"))
		printf("skip what is traced: valgrind has no pidfd_open()\n");
}

TEST_OPTION(begin, say_skipped);
