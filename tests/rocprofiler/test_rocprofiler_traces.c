/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Features that are traces: parameters, bytes of each shader engine, and what
 * is refused. The waves in the bytes are counted. Queues of the small HSA are
 * contexts of libdrm's, so that ALL_VMID itself is the matter of
 * test_amdgpu_tracing.
 */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "program.h"
#include "selftest/amdgpu/tokens.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define LEVEL 11
#define ENGINES 6
#define MANY 150000 /* waves, more than the smallest buffers have room for */

/* Codes of parameters: older headers have no names for the last ones. */
#define CU 0
#define VMIDS 1
#define MASK 2
#define TOKENS 3
#define SES 5
#define RATE 6
#define SIDE 7
#define SIMD 8
#define OCCUPANCY 9
#define SIZE 10

static void
tear_down(void)
{
	uint64_t violations = 0;

	end_hsa();
	ck_assert_int_eq(drmsim_violations(&violations), 0);
	ck_assert_uint_eq(violations, 0);
}

/*
 * Tests that trace, not below valgrind: a second process watches the end of one
 * that traces by pidfd_open(), which valgrind 3.19 does not know.
 */
#define TRACED(count) (getenv("VALGRIND") ? 0 : (count))

TEST_CASE(traces, begin_hsa, tear_down, "roc_traces");
TEST_CASE(untried, begin_hsa, tear_down, "roc_traces_untried");
TEST_CASE(one, begin_hsa, tear_down, "roc_traces_one");

static void
set_trace(rocprofiler_feature_t *feature, const rocprofiler_parameter_t *first,
	  uint32_t count)
{
	*feature = (rocprofiler_feature_t){
		.kind = ROCPROFILER_FEATURE_KIND_TRACE,
		{ .name = "SQTT" },
		.parameters = first,
		.parameter_count = count,
	};
}

/* ------------------------------------------------------------------ */
/* Bytes                                                                */

static struct {
	uint64_t starts, ends;
	uint32_t mask, count;
	const char *at; /* in result_bytes; or NULL */
} seen;

static hsa_status_t
see_engine(hsa_ven_amd_aqlprofile_info_type_t type,
	   hsa_ven_amd_aqlprofile_info_data_t *info, void *data)
{
	const uint32_t size = info->trace_data.size;
	struct token_counts counts;

	ck_assert_ptr_eq(data, &seen);
	ck_assert_int_eq(type, HSA_VEN_AMD_AQLPROFILE_INFO_TRACE_DATA);
	tokens_count(LEVEL, info->trace_data.ptr, size, &counts);
	seen.starts += counts.starts;
	seen.ends += counts.ends;
	seen.mask |= 1u << info->sample_id;
	seen.count++;
	if (seen.at) {
		ck_assert_mem_eq(seen.at, &size, sizeof(size));
		ck_assert_mem_eq(seen.at + 4, info->trace_data.ptr, size);
		seen.at += 4 + size;
	}
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
see_one(hsa_ven_amd_aqlprofile_info_type_t type,
	hsa_ven_amd_aqlprofile_info_data_t *info, void *data)
{
	see_engine(type, info, data);
	return HSA_STATUS_INFO_BREAK;
}

/* What result_bytes has is what is handed out. */
static void
see_data(rocprofiler_t *context, const rocprofiler_feature_t *feature)
{
	const rocprofiler_data_t *data = &feature->data;

	ck_assert_int_eq(data->kind, ROCPROFILER_DATA_KIND_BYTES);
	memset(&seen, 0, sizeof(seen));
	seen.at = data->result_bytes.ptr;
	must_succeed(
		rocprofiler_iterate_trace_data(context, see_engine, &seen));
	ck_assert_ptr_eq(seen.at, (const char *)data->result_bytes.ptr +
					  data->result_bytes.size);
	ck_assert_uint_eq(seen.count, data->result_bytes.instance_count);
}

/* ------------------------------------------------------------------ */
/* Sampling                                                             */

static hsa_queue_t *
begin_queue(void)
{
	load_profiler("0");
	load_kernel();
	return make_queue();
}

static void
end_queue(hsa_queue_t *queue)
{
	must_succeed(hsa_queue_destroy(queue));
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

static const struct {
	rocprofiler_parameter_t parameters[3];
	uint32_t count;
	uint32_t engines; /* mask of those that are handed out */
} samples[] = {
	{ { { 0 } }, 0, 0x3f },
	{ { { SES, 0x3f }, { OCCUPANCY, 1 }, { SIZE, 8 << 20 } }, 3, 0x3f },
	{ { { SES, 0xfffffff1 }, { VMIDS, 1 }, { SIDE, 0 } }, 3, 0x31 },
};

/* A trace has the waves of its time alone, and can be made again. */
TEST_LOOP(traces, every_wave_is_in_the_bytes, TRACED(ARRAY_SIZE(samples)))
{
	rocprofiler_feature_t feature;
	rocprofiler_t *context;
	hsa_queue_t *queue = begin_queue();

	set_trace(&feature, samples[_i].parameters, samples[_i].count);
	must_succeed(rocprofiler_open(gpu_agent, &feature, 1, &context,
				      ROCPROFILER_MODE_SINGLEGROUP, NULL));
	for (uint32_t waves = 600; waves <= 1200; waves += 600) {
		run_waves(queue, 12);
		must_succeed(rocprofiler_start(context, 0));
		run_waves(queue, waves);
		must_succeed(rocprofiler_stop(context, 0));
		must_succeed(rocprofiler_get_data(context, 0));
		see_data(context, &feature);
		ck_assert_uint_eq(seen.mask, samples[_i].engines);
		ck_assert_uint_eq(seen.starts,
				  waves / ENGINES *
					  (uint32_t)__builtin_popcount(
						  samples[_i].engines));
		ck_assert_uint_eq(seen.ends, seen.starts);
	}
	must_succeed(rocprofiler_close(context));
	end_queue(queue);
}

TEST_LOOP(traces, a_full_buffer_is_told_with_its_bytes, TRACED(1))
{
	static const rocprofiler_parameter_t parameters[] = {
		{ SIZE, ENGINES << 17 },
		{ OCCUPANCY, 1 },
	};
	rocprofiler_feature_t feature;
	rocprofiler_t *context;
	hsa_queue_t *queue = begin_queue();

	set_trace(&feature, parameters, ARRAY_SIZE(parameters));
	must_succeed(
		rocprofiler_open(gpu_agent, &feature, 1, &context, 0, NULL));
	must_succeed(rocprofiler_start(context, 0));
	run_waves(queue, MANY);
	must_succeed(rocprofiler_stop(context, 0));
	ck_assert_int_eq(rocprofiler_get_data(context, 0),
			 HSA_STATUS_ERROR_OUT_OF_RESOURCES);
	must_fail(HSA_STATUS_ERROR_OUT_OF_RESOURCES, ENOBUFS,
		  "ATT_BUFFER_SIZE");
	ck_assert_int_eq(feature.data.kind, ROCPROFILER_DATA_KIND_BYTES);
	ck_assert_uint_gt(feature.data.result_bytes.size, ENGINES * 0x1ff00);
	memset(&seen, 0, sizeof(seen));
	must_fail(rocprofiler_iterate_trace_data(context, see_engine, &seen),
		  ENOBUFS, "was full");
	ck_assert_uint_eq(seen.mask, 0x3f);
	ck_assert_uint_gt(seen.starts, 0);
	ck_assert_uint_lt(seen.starts, MANY);
	must_succeed(rocprofiler_close(context));
	end_queue(queue);
}

TEST_LOOP(traces, order_of_calls, TRACED(1))
{
	rocprofiler_feature_t features[2] = { { 0 } };
	rocprofiler_t *context;
	rocprofiler_group_t group;

	set_trace(&features[0], NULL, 0);
	features[1].name = "SQ_WAVES";
	must_fail(rocprofiler_open(gpu_agent, features, 2, &context,
				   ROCPROFILER_MODE_SINGLEGROUP, NULL),
		  ENOSPC, "a run of its own");
	must_succeed(
		rocprofiler_open(gpu_agent, features, 2, &context, 0, NULL));
	must_succeed(rocprofiler_get_group(context, 1, &group));
	ck_assert_uint_eq(group.feature_count, 1);
	ck_assert_ptr_eq(group.features[0], &features[0]);
	must_fail(rocprofiler_iterate_trace_data(context, see_engine, &seen),
		  ENODATA, "group 1");
	must_fail(rocprofiler_iterate_trace_data(context, NULL, NULL), EINVAL,
		  "callback");
	must_succeed(rocprofiler_start(context, 1));
	must_fail(rocprofiler_start(context, 0), EBUSY, "");
	must_fail(rocprofiler_read(context, 1), ENOTSUP, "while it goes on");
	must_fail(rocprofiler_get_data(context, 1), ENODATA, "");
	must_succeed(rocprofiler_reset(context, 1));
	must_succeed(rocprofiler_stop(context, 1));
	must_fail(rocprofiler_stop(context, 1), EINVAL, "not started");
	memset(&seen, 0, sizeof(seen));
	must_succeed(rocprofiler_iterate_trace_data(context, see_one, &seen));
	ck_assert_uint_eq(seen.count, 1);
	must_succeed(rocprofiler_start(context, 0));
	must_fail(rocprofiler_start(context, 1), EBUSY, "");
	must_fail(rocprofiler_get_data(context, 1), ENODATA, "group 1");
	must_fail(rocprofiler_stop(context, 1), EINVAL, "not started");
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_start(context, 1));
	must_succeed(rocprofiler_close(context));
}

/* ------------------------------------------------------------------ */
/* Kernel by kernel                                                     */

static rocprofiler_feature_t of_kernel;
static const rocprofiler_dispatch_record_t *record;
static bool is_done;

static bool
take_kernel(rocprofiler_group_t group, void *data)
{
	(void)data;
	must_succeed(rocprofiler_group_get_data(&group));
	see_data(group.context, &of_kernel);
	must_succeed(rocprofiler_close(group.context));
	is_done = true;
	return true;
}

static hsa_status_t
trace_kernel(const rocprofiler_callback_data_t *about, void *data,
	     rocprofiler_group_t *group)
{
	rocprofiler_properties_t properties = { .handler = take_kernel };
	rocprofiler_t *context;

	(void)data;
	record = about->record;
	set_trace(&of_kernel, NULL, 0);
	must_succeed(rocprofiler_open(about->agent, &of_kernel, 1, &context,
				      ROCPROFILER_MODE_SINGLEGROUP,
				      &properties));
	return rocprofiler_get_group(context, 0, group);
}

TEST_LOOP(traces, a_kernel_has_a_trace_of_its_own, TRACED(1))
{
	const rocprofiler_queue_callbacks_t callbacks = {
		.dispatch = trace_kernel,
	};
	hsa_queue_t *queue;

	load_profiler("1");
	load_kernel();
	must_succeed(rocprofiler_set_queue_callbacks(callbacks, NULL));
	queue = make_queue();
	for (uint32_t waves = 60; waves <= 180; waves += 60) {
		is_done = false;
		run_waves(queue, waves);
		ck_assert(is_done);
		ck_assert_uint_eq(seen.starts, waves);
		ck_assert_uint_eq(seen.ends, waves);
		delete_record(record);
	}
	end_queue(queue);
}

/* ------------------------------------------------------------------ */
/* Counters                                                             */

/* The ring's header; lines of a sample: one of all, and two of each engine. */
#define HEAD 32
#define LINE 32
#define SAMPLE (LINE * (1 + 2 * ENGINES))

static struct {
	const void *bytes;
	uint32_t size, calls;
	uint64_t waves;
} streamed;

/* Each engine has the low half of a value in its even line, then the high. */
static hsa_status_t
see_samples(hsa_ven_amd_aqlprofile_info_type_t type,
	    hsa_ven_amd_aqlprofile_info_data_t *info, void *data)
{
	const char *bytes = info->trace_data.ptr;

	ck_assert_int_eq(type, HSA_VEN_AMD_AQLPROFILE_INFO_TRACE_DATA);
	ck_assert_ptr_eq(data, &streamed);
	ck_assert_uint_eq(info->sample_id, 0);
	streamed.bytes = bytes;
	streamed.size = info->trace_data.size;
	streamed.calls++;
	for (uint32_t at = HEAD; at < streamed.size; at += SAMPLE) {
		for (uint32_t i = 1; i <= 2 * ENGINES; i++) {
			uint16_t half;

			memcpy(&half, bytes + at + i * LINE, sizeof(half));
			streamed.waves += (uint64_t)half << (i % 2 ? 0 : 16);
		}
	}
	return HSA_STATUS_SUCCESS;
}

/* Returns whether samples were overwritten before they were read. */
static bool
stream_waves(const rocprofiler_parameter_t *parameter, hsa_queue_t *queue,
	     uint32_t waves)
{
	rocprofiler_feature_t feature;
	rocprofiler_t *context;
	hsa_status_t status;

	memset(&streamed, 0, sizeof(streamed));
	set_trace(&feature, parameter, 1);
	feature.name = "SQG_WAVES";
	must_succeed(
		rocprofiler_open(gpu_agent, &feature, 1, &context, 0, NULL));
	must_succeed(rocprofiler_start(context, 0));
	run_waves(queue, waves);
	must_succeed(rocprofiler_stop(context, 0));
	status = rocprofiler_get_data(context, 0);
	if (status)
		ck_assert_int_eq(status, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
	ck_assert_int_eq(
		rocprofiler_iterate_trace_data(context, see_samples, &streamed),
		status);
	ck_assert_uint_eq(streamed.calls, 1);
	ck_assert_uint_eq((streamed.size - HEAD) % SAMPLE, 0);
	ck_assert_uint_eq(feature.data.result_bytes.instance_count, 1);
	ck_assert_uint_eq(feature.data.result_bytes.size, 4 + streamed.size);
	must_succeed(rocprofiler_close(context));
	return status != HSA_STATUS_SUCCESS;
}

TEST_LOOP(traces, a_counter_has_the_bytes_of_its_stream, TRACED(1))
{
	const rocprofiler_parameter_t rate = { RATE, 60000 };
	const rocprofiler_parameter_t size = { SIZE, HEAD + 256 * SAMPLE };
	hsa_queue_t *queue = begin_queue();

	/* a reader or a simulator without a CPU for a while loses samples */
	while (stream_waves(&rate, queue, 600))
		;
	ck_assert_uint_eq(streamed.waves, 600);
	ck_assert(stream_waves(&size, queue, 600));
	ck_assert_uint_eq(streamed.size, HEAD + 256 * SAMPLE);
	end_queue(queue);
}

/* ------------------------------------------------------------------ */
/* Refusals                                                             */

static const struct {
	const char *name;
	rocprofiler_parameter_t parameter;
	int number;
	const char *words;
} refusals[] = {
	{ NULL, { SES, 1 }, EINVAL, "no name" },
	{ "SQ_WAVES", { SES, 1 }, ENOTSUP, "SE_MASK is for waves" },
	{ "SQ_WAVES", { RATE, 31 }, ENOTSUP, "SAMPLE_RATE 0x1f" },
	{ "SQG_WAVES", { SIZE, 64 }, EINVAL, "bytes to 1 GiB" },
	{ "SQ:4", { OCCUPANCY, 1 }, ENOTSUP, "OCCUPANCY_MODE is for waves" },
	{ "TCP_REQ[0]", { RATE, 64 }, ENOTSUP, "without an instance" },
	{ "RLC:1", { RATE, 64 }, ENOTSUP, "cannot be streamed" },
	{ "SQTT", { CU, 16 }, EINVAL, "COMPUTE_UNIT_TARGET cannot be 0x10" },
	{ "SQTT", { CU, 15 }, ENOTSUP, "chooses a unit" },
	{ "SQTT", { VMIDS, 4 }, EINVAL, "VM_ID_MASK" },
	{ "SQTT", { VMIDS, 0 }, ENOTSUP, "set it to 1" },
	{ "SQTT", { MASK, 0x10 }, EINVAL, "MASK" },
	{ "SQTT", { MASK, 0x40 }, EINVAL, "MASK" },
	{ "SQTT", { MASK, 1 }, ENOTSUP, "leave it out" },
	{ "SQTT", { TOKENS, 1 << 24 }, EINVAL, "TOKEN_MASK" },
	{ "SQTT", { TOKENS, 0xffffff }, ENOTSUP, "OCCUPANCY_MODE" },
	{ "SQTT", { SES, 0 }, ENOTSUP, "name a shader engine" },
	{ "SQTT", { RATE, 1600 }, ENOTSUP, "SAMPLE_RATE is for counters" },
	{ "SQTT", { SIDE, 1 }, ENOTSUP, "kernels take turns" },
	{ "SQTT", { SIMD, 0 }, ENOTSUP, "SIMD_SELECTION" },
	{ "SQTT", { SIZE, (ENGINES << 17) - 1 }, EINVAL, "128 KiB" },
	{ "SQTT", { 242, 4 }, ENOTSUP, "no parameter 242" },
};

TEST_LOOP(traces, what_is_refused, ARRAY_SIZE(refusals))
{
	rocprofiler_feature_t feature;
	rocprofiler_t *context = NULL;

	set_trace(&feature, &refusals[_i].parameter, 1);
	feature.name = refusals[_i].name;
	must_fail(rocprofiler_open(gpu_agent, &feature, 1, &context, 0, NULL),
		  refusals[_i].number, refusals[_i].words);
	ck_assert_ptr_null(context);
}

static void
deny_start(uint32_t engines, int number, const char *words)
{
	const rocprofiler_parameter_t parameter = { SES, engines };
	rocprofiler_feature_t feature;
	rocprofiler_t *context;

	set_trace(&feature, &parameter, 1);
	must_succeed(
		rocprofiler_open(gpu_agent, &feature, 1, &context, 0, NULL));
	must_fail(rocprofiler_start(context, 0), number, words);
	must_fail(rocprofiler_get_data(context, 0), ENODATA, "group 0");
	must_succeed(rocprofiler_close(context));
}

TEST_LOOP(traces, an_engine_that_is_not_there, TRACED(1))
{
	const rocprofiler_parameter_t parameter = { SES, 0x40 };
	rocprofiler_feature_t feature;
	rocprofiler_t *context;

	set_trace(&feature, &parameter, 1);
	must_succeed(
		rocprofiler_open(gpu_agent, &feature, 1, &context, 0, NULL));
	must_succeed(rocprofiler_start(context, 0));
	must_fail(rocprofiler_stop(context, 0), EINVAL, "SE_MASK 0x40");
	must_succeed(rocprofiler_close(context));
}

TEST(untried, what_nobody_has_tried)
{
	deny_start(1, ENOTSUP, "another VMID");
	deny_start(1, ENOTSUP, "DRMPERF_UNTESTED=TRACE.ALL");
}

TEST(one, a_gpu_that_traces_one_program)
{
	deny_start(1, ENOTSUP, "one program at a time");
}

/* The CPU looks for the end of a trace, so that time is real. */
TEST_MACHINE("roc_traces", "--strict", "--gpu=navi31");
TEST_MACHINE("roc_traces_untried", "--strict", "--gpu=navi31");
TEST_MACHINE("roc_traces_one", "--strict", "--gpu=navi48");

int
main(void)
{
	const char *name = getenv("CK_RUN_SUITE");

	if (!drmsim_is_present())
		return below_drmsim_all();
	if (!name || strcmp(name, "roc_traces_untried") != 0)
		setenv("DRMPERF_UNTESTED", "TRACE.ALL", 1);
	else if (getenv("VALGRIND"))
		printf("skip what is traced: not in valgrind\n");
	return tests_run();
}
