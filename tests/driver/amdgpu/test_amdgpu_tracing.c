/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces of waves: what is written, and what is in their way. */
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "selftest/amdgpu/tokens.h"
#include "tests/drmsim/hand.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define NODE "/dev/dri/renderD128"

static void
create_library(void)
{
	scene_set("default", "zero");
	counting_begin();
}

TEST_CASE(tracing, create_library, counting_end_clean, "amdgpu_tracing");
TEST_CASE(refused, create_library, counting_end_clean,
	  "amdgpu_tracing_refused");

static int
try_to_trace(const struct drmperf_trace_options *options,
	     struct drmperf_trace **out)
{
	return drmperf_trace_create(drmperf_device_at(counting.drmperf, 0),
				    options, out, &counting.error);
}

/* ------------------------------------------------------------------ */
/* What is written                                                      */

#define GROUPS 100
#define MANY 10000 /* more than a page has room for */
#define SMALL (1u << 20)

static const struct drmperf_trace_options small = {
	.size = sizeof(small),
	.buffer_size = SMALL,
};

#define NAVI21 0
#define NAVI31 1
#define NAVI48 2
#define VEGA10 3

/* The GPUs of the machine, in their order. */
static const struct gpu_case {
	const char *name;
	unsigned level, version; /* of the core and of the stream's header */
	unsigned engines;
} gpus[] = {
	{ "navi21", 10, 2, 4 }, { "navi31", 11, 3, 6 }, { "navi48", 12, 4, 4 },
	{ "vega10", 9, 0, 4 },	{ "navi10", 10, 1, 2 }, { "strix", 11, 3, 0 },
};

static struct {
	uint64_t starts, ends, size, dropped;
	unsigned engines, full, failed, unfinished;
	unsigned level, version;
} seen;

static void
see_engine(void *data, const struct drmperf_trace_engine *engine)
{
	struct token_counts counts;

	(void)data;
	ck_assert_uint_eq(engine->size % 32, 0);
	ck_assert(
		tokens_count(seen.level, engine->data, engine->size, &counts) ||
		engine->is_full);
	ck_assert_uint_eq(counts.version, seen.version);
	seen.starts += counts.starts;
	seen.ends += counts.ends;
	seen.size += engine->size;
	seen.dropped += engine->dropped;
	seen.engines++;
	seen.full += engine->is_full;
	seen.failed += engine->has_failed;
	seen.unfinished += engine->is_unfinished;
}

static struct drmperf_trace *
begin_trace(unsigned gpu, const struct drmperf_trace_options *options)
{
	struct drmperf_trace *trace = NULL;

	memset(&seen, 0, sizeof(seen));
	seen.level = gpus[gpu].level;
	seen.version = gpus[gpu].version;
	ck_assert_msg(
		!drmperf_trace_create(drmperf_device_at(counting.drmperf, gpu),
				      options, &trace, &counting.error),
		"%s: %s", gpus[gpu].name, counting.error.cause);
	return trace;
}

static void
end_trace(struct drmperf_trace *trace)
{
	const unsigned level = seen.level, version = seen.version;

	memset(&seen, 0, sizeof(seen));
	seen.level = level;
	seen.version = version;
	counting_succeeded(
		drmperf_trace_end(trace, see_engine, NULL, &counting.error));
}

/*
 * Run waves in this process's file, as libdrm gives it to all of the process.
 */
static void
run_waves(struct hand_gpu *gpu, unsigned groups)
{
	for (unsigned i = 0; i < 3; i++)
		hand_set_sh(gpu, 0xb81c + 4 * i, i ? 1 : 64);
	hand_packet(gpu, 0x15, 4);
	hand_emit(gpu, groups);
	hand_emit(gpu, 1);
	hand_emit(gpu, 1);
	hand_emit(gpu, 1);
	hand_event(gpu, 7 | 4 << 8);
	hand_run(gpu);
}

/* Return what the counter of waves says of as many. */
static uint64_t
count_waves(unsigned number, struct hand_gpu *gpu, unsigned groups)
{
	struct drmperf_selection selection;
	struct drmperf_session *session;
	union drmperf_value value;
	char name[64];

	snprintf(name, sizeof(name), "amdgpu::%s:device=%u",
		 gpus[number].level >= 11 ? "SQG.WAVES" : "SQ.WAVES", number);
	selection = counting_find(name);
	ck_assert_msg(!drmperf_session_create(counting.drmperf, &selection, 1,
					      NULL, &session,
					      &counting.error) &&
			      !drmperf_session_start(session, &counting.error),
		      "%s", counting.error.cause);
	run_waves(gpu, groups);
	counting_succeeded(drmperf_session_read(session, &value, NULL, NULL,
						&counting.error));
	drmperf_session_destroy(session);
	return value.u64;
}

/*
 * Trace until a trace is whole. Time that passes fills buffers, too, which slow
 * machines have more of.
 */
static void
trace_until_whole(struct drmperf_trace *trace, struct hand_gpu *gpu)
{
	run_waves(gpu, GROUPS);
	end_trace(trace);
	while (seen.full) {
		counting_succeeded(
			drmperf_trace_restart(trace, &counting.error));
		run_waves(gpu, GROUPS);
		end_trace(trace);
	}
}

TEST_LOOP(tracing, every_wave_is_in_the_trace, ARRAY_SIZE(gpus))
{
	struct hand_gpu gpu;
	struct drmperf_trace *trace;

	hand_open(&gpu, (unsigned)_i, AMDGPU_HW_IP_GFX);
	trace = begin_trace((unsigned)_i, &small);
	trace_until_whole(trace, &gpu);
	ck_assert_uint_eq(drmperf_trace_info(trace)->core_level, seen.level);
	ck_assert_uint_eq(drmperf_trace_info(trace)->engine_count,
			  seen.engines);
	if (gpus[_i].engines)
		ck_assert_uint_eq(seen.engines, gpus[_i].engines);
	ck_assert_uint_eq(seen.starts, GROUPS);
	ck_assert_uint_eq(seen.ends, GROUPS);
	ck_assert_uint_eq(seen.failed + seen.unfinished, 0);
	drmperf_trace_destroy(trace);
	ck_assert_uint_eq(count_waves((unsigned)_i, &gpu, GROUPS), GROUPS);
	hand_close(&gpu);
}

static struct {
	uint64_t sum, samples, losses;
} streamed;

static void
add_batch(void *data, const struct drmperf_stream_batch *batch)
{
	(void)data;
	for (size_t i = 0; i < batch->count; i++)
		streamed.sum += batch->values[i].u64;
	streamed.samples += batch->count;
	streamed.losses += batch->losses;
}

static struct drmperf_stream *
begin_stream(const char *event, unsigned number, bool beside_trace)
{
	const struct drmperf_stream_options options = {
		.size = sizeof(options),
		/* the ring has room for seconds */
		.period_cycles = UINT16_MAX,
		.beside_trace = beside_trace,
	};
	struct drmperf_selection selection;
	struct drmperf_stream *stream = NULL;
	char name[64];

	memset(&streamed, 0, sizeof(streamed));
	snprintf(name, sizeof(name), "amdgpu::%s:device=%u", event, number);
	ck_assert_msg(!drmperf_event_find(counting.drmperf, name, &selection,
					  &counting.error) &&
			      !drmperf_stream_create(counting.drmperf,
						     &selection, 1, &options,
						     &stream, &counting.error),
		      "%s: %s", name, counting.error.cause);
	return stream;
}

/* Read until a sample has come that was not there before. */
static void
read_next_samples(struct drmperf_stream *stream)
{
	uint64_t before;

	counting_succeeded(
		drmperf_stream_read(stream, add_batch, NULL, &counting.error));
	before = streamed.samples;
	while (streamed.samples == before)
		counting_succeeded(drmperf_stream_read(stream, add_batch, NULL,
						       &counting.error));
}

/* Instances that want to be apart are found where nothing else is steered. */
TEST(tracing, a_stream_selects_each_instance)
{
	struct drmperf_stream *stream = begin_stream("GL2C.REQ", NAVI48, false);

	read_next_samples(stream);
	drmperf_stream_destroy(stream);
	ck_assert_uint_eq(streamed.sum, 0);
}

/* The trace ends the stream, if that has not been ended. */
TEST_LOOP(tracing, a_stream_beside_a_trace_has_its_waves, ARRAY_SIZE(gpus))
{
	const struct drmperf_trace_options options = {
		.size = sizeof(options),
		.buffer_size = 64 * SMALL,
	};
	struct hand_gpu gpu;
	struct drmperf_trace *trace;
	struct drmperf_stream *stream;

	hand_open(&gpu, (unsigned)_i, AMDGPU_HW_IP_GFX);
	trace = begin_trace((unsigned)_i, &options);
	stream = begin_stream(gpus[_i].level >= 11 ? "SQG.WAVES" : "SQ.WAVES",
			      (unsigned)_i, true);
	run_waves(&gpu, GROUPS);
	read_next_samples(stream);
	if (_i % 2)
		drmperf_stream_destroy(stream);
	end_trace(trace);
	if (_i % 2 == 0) {
		ck_assert_int_eq(drmperf_stream_read(stream, add_batch, NULL,
						     &counting.error),
				 -ECANCELED);
		drmperf_stream_destroy(stream);
	}
	ck_assert_uint_eq(seen.starts, GROUPS);
	ck_assert_uint_eq(streamed.losses, 0);
	ck_assert_uint_eq(streamed.sum, GROUPS);
	drmperf_trace_destroy(trace);
	ck_assert_uint_eq(count_waves((unsigned)_i, &gpu, GROUPS), GROUPS);
	hand_close(&gpu);
}

/*
 * A trace that is begun again has more room, and nothing of before. How it
 * shows differs between these.
 */
static const unsigned growing[] = { NAVI31, VEGA10 };

TEST_LOOP(tracing, a_full_buffer_is_told_and_grows, ARRAY_SIZE(growing))
{
	const struct drmperf_trace_options options = {
		.size = sizeof(options),
		.buffer_size = 1,
	};
	const unsigned number = growing[_i];
	struct hand_gpu gpu;
	struct drmperf_trace *trace;
	uint64_t size = 4096;
	unsigned rounds = 0;

	hand_open(&gpu, number, AMDGPU_HW_IP_GFX);
	trace = begin_trace(number, &options);
	ck_assert_uint_eq(drmperf_trace_info(trace)->buffer_size, size);
	do {
		run_waves(&gpu, MANY);
		end_trace(trace);
		if (!seen.full)
			break;
		/* what is lost later may be behind the waves */
		if (!rounds)
			ck_assert_uint_lt(seen.ends, MANY);
		ck_assert(rounds || seen.dropped);
		counting_succeeded(
			drmperf_trace_restart(trace, &counting.error));
		size *= 2;
		ck_assert_uint_eq(drmperf_trace_info(trace)->buffer_size, size);
	} while (++rounds < 16);
	ck_assert_uint_gt(rounds, 0);
	ck_assert_uint_eq(seen.starts, MANY);
	ck_assert_uint_eq(seen.ends, MANY);
	drmperf_trace_destroy(trace);
	hand_close(&gpu);
}

/*
 * Fork a process with an address space of its own: it begins before the
 * library.
 */
static void
fork_worker(struct child *child)
{
	struct hand_gpu gpu;

	if (!child_fork(child))
		return;
	hand_open(&gpu, NAVI31, AMDGPU_HW_IP_GFX);
	child_await(child);
	run_waves(&gpu, GROUPS);
	hand_close(&gpu);
	_exit(0);
}

/* Without and with the option, on hardware that has what it is to have. */
TEST_LOOP(tracing, waves_of_others_are_in_it_if_asked_for, 2)
{
	const struct drmperf_trace_options options = {
		.size = sizeof(options),
		.buffer_size = SMALL,
		.omit_instructions = 1,
		.all_programs = _i > 0,
	};
	struct drmperf_trace *trace;
	struct child child;

	counting_end();
	scene_set("all-vmid", "works");
	fork_worker(&child);
	setenv("DRMPERF_UNTESTED", "TRACE.ALL", 1);
	counting_begin();
	trace = begin_trace(NAVI31, &options);
	child_tell(&child);
	child_finish(&child);
	end_trace(trace);
	scene_set("all-vmid", "ignored");
	ck_assert_uint_eq(seen.ends, _i ? GROUPS : 0);
	drmperf_trace_destroy(trace);
}

TEST(tracing, traces_end_with_all_counting)
{
	struct hand_gpu gpu;
	struct drmperf_trace *trace, *second;

	hand_open(&gpu, NAVI31, AMDGPU_HW_IP_GFX);
	trace = begin_trace(NAVI31, &small);
	run_waves(&gpu, GROUPS);
	counting_succeeded(drmperf_stop_all(counting.drmperf, &counting.error));
	second = begin_trace(NAVI31, &small);
	ck_assert_int_eq(drmperf_trace_restart(trace, &counting.error), -EBUSY);
	drmperf_trace_destroy(second);
	ck_assert_int_eq(drmperf_trace_end(trace, NULL, NULL, &counting.error),
			 -ECANCELED);
	counting_succeeded(drmperf_trace_restart(trace, &counting.error));
	run_waves(&gpu, GROUPS);
	counting_succeeded(drmperf_stop_all(counting.drmperf, &counting.error));
	run_waves(&gpu, GROUPS);
	end_trace(trace);
	ck_assert_uint_eq(seen.starts, GROUPS);
	end_trace(trace);
	ck_assert_uint_eq(seen.starts, GROUPS);
	drmperf_trace_destroy(trace);
	hand_close(&gpu);
}

TEST(tracing, a_child_leaves_the_trace_alone)
{
	struct hand_gpu gpu;
	struct drmperf_trace *trace;
	pid_t pid;

	hand_open(&gpu, NAVI31, AMDGPU_HW_IP_GFX);
	trace = begin_trace(NAVI31, &small);
	pid = fork();
	if (!pid) {
		bool is_refused =
			drmperf_trace_end(trace, NULL, NULL, NULL) == -ECHILD;

		drmperf_trace_destroy(trace);
		_exit(!is_refused);
	}
	child_join(pid);
	run_waves(&gpu, GROUPS);
	end_trace(trace);
	ck_assert_uint_eq(seen.starts, GROUPS);
	drmperf_trace_destroy(trace);
	hand_close(&gpu);
}

/* ------------------------------------------------------------------ */
/* Ends that do not come                                                */

/* A second of looking takes no time, where nothing is to come. */
static bool skips_pauses;

int
nanosleep(const struct timespec *time, struct timespec *left)
{
	return skips_pauses ? 0
			    : -clock_nanosleep(CLOCK_MONOTONIC, 0, time, left);
}

#define ENGINE_INDEX(engine) (1u << 30 | (unsigned)(engine) << 16)
#define CTRL 0x367b0 /* of SQ_THREAD_TRACE, as of gfx11 */
#define WPTR 0x367bc
#define CAM_RESET (1u << 2) /* written although it was SET before */

static void
write_engines(struct hand_gpu *gpu, unsigned engines, uint32_t reg,
	      uint32_t value)
{
	gpu->select_bits = CAM_RESET;
	for (unsigned i = 0; i < engines; i++) {
		hand_set_uconfig(gpu, GRBM_GFX_INDEX, ENGINE_INDEX(i));
		hand_set_uconfig(gpu, reg, value);
	}
	hand_set_uconfig(gpu, GRBM_GFX_INDEX, HAND_BROADCAST);
	hand_run(gpu);
}

/* The trace is left on, so that its memory is kept. */
TEST(tracing, an_end_that_the_kernel_refuses)
{
	struct hand_gpu gpu;
	struct drmperf_trace *trace;

	hand_open(&gpu, NAVI31, AMDGPU_HW_IP_GFX);
	trace = begin_trace(NAVI31, &small);
	scene_fault("cs:1+:EIO");
	ck_assert_int_eq(
		drmperf_trace_end(trace, see_engine, NULL, &counting.error),
		-ETIME);
	ck_assert_int_eq(drmsim_command("mend", NULL, 0), 0);
	ck_assert_uint_eq(seen.engines, 0);
	ck_assert_msg(strstr(counting.error.remedy, "its memory is kept"), "%s",
		      counting.error.remedy);
	ck_assert_int_eq(drmperf_trace_restart(trace, &counting.error), -ETIME);
	drmperf_trace_destroy(trace);
	run_waves(&gpu, GROUPS);
	write_engines(&gpu, gpus[NAVI31].engines, CTRL, 0);
	hand_close(&gpu);
}

/* Virtual time stands still: the microsecond that it takes does not pass. */
TEST(refused, engines_that_stay_busy)
{
	struct drmperf_trace *trace = begin_trace(NAVI21, &small);

	skips_pauses = true;
	ck_assert_int_eq(
		drmperf_trace_end(trace, see_engine, NULL, &counting.error),
		-ETIME);
	skips_pauses = false;
	ck_assert_uint_eq(seen.engines, 0);
	ck_assert_msg(strstr(counting.error.cause, "busy for a second"), "%s",
		      counting.error.cause);
	scene_pass(MS);
	ck_assert_int_eq(drmperf_trace_restart(trace, &counting.error), -ETIME);
	drmperf_trace_destroy(trace);
}

static void
see_size(void *data, const struct drmperf_trace_engine *engine)
{
	(void)data;
	ck_assert(!engine->has_failed || !engine->size);
	seen.engines++;
	seen.failed += engine->has_failed;
}

/* What is said to be behind the buffer is not handed on. */
TEST(tracing, pointers_beyond_the_buffer)
{
	struct hand_gpu gpu;
	struct drmperf_trace *trace;

	hand_open(&gpu, NAVI48, AMDGPU_HW_IP_GFX);
	trace = begin_trace(NAVI48, &small);
	write_engines(&gpu, 2, WPTR, 2 * SMALL / 32);
	counting_succeeded(
		drmperf_trace_end(trace, see_size, NULL, &counting.error));
	ck_assert_uint_eq(seen.engines, gpus[NAVI48].engines);
	ck_assert_uint_eq(seen.failed, 2);
	drmperf_trace_destroy(trace);
	hand_close(&gpu);
}

/* The last test of the machine, whose GPU has one render backend less then. */
TEST(tracing, engines_that_never_finish)
{
	struct hand_gpu gpu;
	struct drmperf_trace *trace;

	counting_end();
	scene_set("gpu0.harvest", "rb 3 1");
	scene_set("finish-done", "whole-chips");
	counting_begin();
	hand_open(&gpu, NAVI21, AMDGPU_HW_IP_GFX);
	trace = begin_trace(NAVI21, &small);
	run_waves(&gpu, GROUPS);
	skips_pauses = true;
	end_trace(trace);
	ck_assert_uint_eq(seen.engines, gpus[NAVI21].engines);
	ck_assert_uint_eq(seen.unfinished, seen.engines);
	ck_assert_uint_eq(seen.failed, 0);
	scene_set("finish-done", "comes");
	counting_succeeded(drmperf_trace_restart(trace, &counting.error));
	run_waves(&gpu, GROUPS);
	end_trace(trace);
	skips_pauses = false;
	ck_assert_uint_eq(seen.unfinished, 0);
	drmperf_trace_destroy(trace);
	hand_close(&gpu);
}

/* ------------------------------------------------------------------ */
/* Refusals                                                             */

static void
expect_refusal(const struct drmperf_trace_options *options, int code,
	       const char *cause, const char *remedy)
{
	struct drmperf_trace *trace = NULL;

	counting_failed(try_to_trace(options, &trace), code, cause, remedy);
	ck_assert_ptr_null(trace);
}

TEST(refused, the_vmid_of_another_program)
{
	union drm_amdgpu_vm request = { .in.op = AMDGPU_VM_OP_RESERVE_VMID };
	int fd = open(NODE, O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(drmIoctl(fd, DRM_IOCTL_AMDGPU_VM, &request), 0);
	counting_succeeded(drmperf_trace_check(
		drmperf_device_at(counting.drmperf, 0), NULL, &counting.error));
	expect_refusal(NULL, -EBUSY, "another program has the VMID",
		       "MESA_VK_TRACE=rgp");
	close(fd);
}

static const struct {
	const char *fault;
	int code;
	const char *cause, *remedy;
} faults[] = {
	{ "vm:1:EACCES", -EACCES, "cannot reserve a VMID", "dmesg" },
	{ "ctx:5:EINVAL", -EINVAL, "clock mode profiling", "waves are traced" },
	{ "ctx:5:EBUSY", -EBUSY, "another program holds the clocks",
	  "waves are traced" },
	{ "gem_create:1:ENOMEM", -ENOMEM, "no memory", "free memory" },
	{ "cs:1:ENOMEM", -ENOMEM, "no memory", "free memory" },
};

TEST_LOOP(refused, what_the_kernel_refuses, ARRAY_SIZE(faults))
{
	const struct drmperf_trace_options options = {
		.size = sizeof(options),
		.buffer_size = 65536,
	};

	scene_fault(faults[_i].fault);
	expect_refusal(&options, faults[_i].code, faults[_i].cause,
		       faults[_i].remedy);
	ck_assert_int_eq(drmsim_command("mend", NULL, 0), 0);
}

TEST(refused, a_virtual_function)
{
	counting_end();
	scene_set("virtual", "on");
	counting_begin();
	expect_refusal(NULL, -ENOTSUP, "whose waves cannot be traced",
		       "on the host");
	scene_set("virtual", "off");
}

static const struct {
	struct drmperf_trace_options options;
	int code;
	const char *cause, *remedy;
} wrong_options[] = {
	{ { .size = 1 }, -EINVAL, "struct drmperf_trace_options", "" },
	{ { .size = sizeof(struct drmperf_trace_options),
	    .buffer_size = (UINT64_C(2) << 30) + 1 },
	  -EINVAL,
	  "has 2 GiB at most, not 2147483649 bytes",
	  "without tokens of instructions" },
	{ { .size = sizeof(struct drmperf_trace_options),
	    .clock = (enum drmperf_clock_mode)(DRMPERF_CLOCK_PEAK + 1) },
	  -EINVAL,
	  "no clock mode 6",
	  "" },
	{ { .size = sizeof(struct drmperf_trace_options), .all_programs = 1 },
	  -ENOTSUP,
	  "it has not been tested",
	  "DRMPERF_UNTESTED=TRACE.ALL" },
};

TEST_LOOP(refused, options_out_of_range, ARRAY_SIZE(wrong_options))
{
	counting_failed(drmperf_trace_check(
				drmperf_device_at(counting.drmperf, 0),
				&wrong_options[_i].options, &counting.error),
			wrong_options[_i].code, wrong_options[_i].cause, "");
	expect_refusal(&wrong_options[_i].options, wrong_options[_i].code,
		       wrong_options[_i].cause, wrong_options[_i].remedy);
}

/* A stream is in the way of a trace, as another trace is. */
TEST(refused, a_stream_is_in_the_way_of_a_trace)
{
	struct drmperf_selection selection;
	struct drmperf_stream *stream;

	selection = counting_find("amdgpu::GL2C.REQ");
	counting_succeeded(drmperf_stream_create(counting.drmperf, &selection,
						 1, NULL, &stream,
						 &counting.error));
	expect_refusal(NULL, -EBUSY, "streams and traces are alone", "");
	drmperf_stream_destroy(stream);
}

/* The CPU looks for the end of a trace, so that time is real. */
TEST_MACHINE("amdgpu_tracing", "--gpu=navi21", "--gpu=navi31", "--gpu=navi48",
	     "--gpu=vega10", "--gpu=navi10", "--gpu=strix");
TEST_MACHINE("amdgpu_tracing_refused", "--gpu=navi21", "--time=virtual");

TEST_SETTING(DRMPERF_UNTESTED, "TRACE STREAM");
