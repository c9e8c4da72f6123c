/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is intercepted of HSA beside dispatches, sentence by sentence of the ROC
 * profiler's specification: when it is, queues that are made to count, and what
 * callbacks of calls are told.
 */
#include <rocprofiler/rocprofiler.h>

#include <drmperf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hsa_standin.h"
#include "program.h"
#include "roc_tool.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* Results of calls of HSA's. */
static unsigned told[ROCPROFILER_HSA_CB_ID_CODEOBJ + 1];
static rocprofiler_hsa_callback_data_t
	last_told[ROCPROFILER_HSA_CB_ID_CODEOBJ + 1];
static char told_kernel[64];

static void
set_up(void)
{
	/* where all tests are made in one process */
	memset(told, 0, sizeof(told));
	unsetenv("ROCP_TOOL_LIB");
	unsetenv("HSA_STANDIN_TABLES");
	unsetenv("TOOL_WAS_HANDED");
	unsetenv("TOOL_WAS_UNLOADED");
	begin_hsa();
	scene_set("force-en", "ignored");
}

TEST_CASE(hsa, set_up, end_hsa, "roc_hsa");

/* ------------------------------------------------------------------ */
/* Environment, tables                                                  */

TEST(hsa, intercepting_has_to_be_asked_for)
{
	const rocprofiler_queue_callbacks_t callbacks = { 0 };

	must_fail(rocprofiler_set_queue_callbacks(callbacks, NULL), ENOTSUP,
		  "ROCP_HSA_INTERCEPT");
	load_profiler("0");
	must_fail(rocprofiler_set_intercepting(callbacks, NULL), ENOTSUP,
		  "ROCP_HSA_INTERCEPT");
	must_fail(rocprofiler_remove_queue_callbacks(), ENOTSUP, "intercept");
	must_fail(rocprofiler_start_queue_callbacks(), ENOTSUP, "intercept");
	must_fail(rocprofiler_stop_queue_callbacks(), ENOTSUP, "intercept");
	unload_profiler();
	setenv("ROCP_HSA_INTERCEPT", "7", 1);
	ck_assert(!OnLoad(standin_tables(), 1, 0, NULL));
	must_fail(HSA_STATUS_ERROR, EINVAL, "ROCP_HSA_INTERCEPT is 7");
	ck_assert(standin_tables_are_own());
	load_profiler("1");
	must_succeed(rocprofiler_set_intercepting(callbacks, NULL));
	must_fail(rocprofiler_set_queue_callbacks(callbacks, NULL), EBUSY,
		  "already");
	must_succeed(rocprofiler_remove_intercepting());
	must_succeed(rocprofiler_set_queue_callbacks(callbacks, NULL));
	unload_profiler();
}

/* Where nothing can be intercepted one can sample still. */
TEST(hsa, tables_of_an_unknown_version)
{
	setenv("HSA_STANDIN_TABLES", "alien", 1);
	setenv("ROCP_HSA_INTERCEPT", "1", 1);
	ck_assert(!OnLoad(standin_tables(), 1, 0, NULL));
	must_fail(HSA_STATUS_ERROR, EPROTO, "no kind that is known");
	load_profiler("0");
	unload_profiler();
}

/* What HSA lacks is refused, and everything else goes on. */
static const char *const without_intercept[] = { "1.6", "hollow" };

TEST_LOOP(hsa, intercepting_is_refused_where_hsa_lacks_it,
	  ARRAY_SIZE(without_intercept))
{
	hsa_queue_t *queue;

	setenv("HSA_STANDIN_TABLES", without_intercept[_i], 1);
	setenv("ROCP_HSA_INTERCEPT", "1", 1);
	ck_assert(!OnLoad(standin_tables(), 1, 0, NULL));
	must_fail(HSA_STATUS_ERROR, ENOTSUP,
		  "cannot show the packets of queues");
	ck_assert(standin_tables_are_own());
	load_profiler("0");
	must_fail(rocprofiler_queue_create_profiled(gpu_agent, 64, 0, NULL,
						    NULL, 0, 0, &queue),
		  ENOTSUP, "cannot show the packets of queues");
	load_kernel();
	queue = make_queue();
	run_waves(queue, 9);
	must_succeed(hsa_queue_destroy(queue));
	must_succeed(hsa_executable_destroy(executable));
	unload_profiler();
}

/* ------------------------------------------------------------------ */
/* Queues that allow counting                                           */

static uint64_t
sample_waves(hsa_queue_t *queue, uint32_t waves)
{
	rocprofiler_feature_t feature = { .name = "SQ_WAVES" };
	rocprofiler_t *context;

	must_succeed(
		rocprofiler_open(gpu_agent, &feature, 1, &context, 0, NULL));
	must_succeed(rocprofiler_start(context, 0));
	run_waves(queue, waves);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	must_succeed(rocprofiler_close(context));
	must_succeed(hsa_queue_destroy(queue));
	return feature.data.result_int64;
}

/* Also where dispatches are not intercepted. */
TEST(hsa, queues_are_made_to_count)
{
	load_kernel();
	ck_assert_uint_eq(sample_waves(make_queue(), 50), 0);
	load_profiler("0");
	ck_assert_uint_eq(sample_waves(make_queue(), 50), 50);
	unload_profiler();
	load_profiler("1");
	ck_assert_uint_eq(sample_waves(make_queue(), 60), 60);
	unload_profiler();
	must_succeed(hsa_executable_destroy(executable));
}

/* SET_SH_REG: COMPUTE_PERFCOUNT_ENABLE, COMPUTE_THREAD_TRACE_ENABLE */
static const uint32_t queue_words[2][6] = {
	{ 0xc0017600, 0x20b, 1, 0xc0017600, 0x21e, 1 },
	{ 0xc0017600, 0x20b, 0, 0xc0017600, 0x21e, 0 },
};

static const struct {
	const char *untested;
	size_t count; /* of vega20; MI is not traced */
} queue_cases[] = {
	{ "", 3 },
	{ "TRACE", 3 },
	{ "TRACE.ALL", 6 },
};

/* What the library says is to be executed there, word by word. */
TEST_LOOP(hsa, commands_of_a_queue, ARRAY_SIZE(queue_cases))
{
	size_t expected = queue_cases[_i].count;
	uint32_t words[ARRAY_SIZE(queue_words[0])];
	struct drmperf_error error;
	struct drmperf *drmperf;
	struct drmperf_device *device;
	size_t count = 0;

	setenv("DRMPERF_UNTESTED", queue_cases[_i].untested, 1);
	ck_assert_int_eq(drmperf_create(NULL, &drmperf, &error), 0);
	device = drmperf_device_at(drmperf, 0);
	ck_assert_int_eq(drmperf_device_queue_commands(device, true, NULL, 0,
						       &count, &error),
			 0);
	if (strcmp(drmperf_device_generation(device), "gfx906") != 0)
		expected = 3;
	ck_assert_uint_eq(count, expected);
	ck_assert_int_eq(drmperf_device_queue_commands(device, true, words,
						       expected - 1, &count,
						       &error),
			 -ENOSPC);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(drmperf_device_queue_commands(device, !i,
							       words, expected,
							       &count, &error),
				 0);
		ck_assert_mem_eq(words, queue_words[i],
				 expected * sizeof(*words));
	}
	unsetenv("DRMPERF_UNTESTED");
	drmperf_destroy(drmperf);
}

/* ------------------------------------------------------------------ */
/* Calls of HSA's                                                       */

static hsa_status_t
hear_callback(rocprofiler_hsa_cb_id_t id,
	      const rocprofiler_hsa_callback_data_t *data, void *arg)
{
	ck_assert_ptr_eq(arg, told);
	told[id]++;
	last_told[id] = *data;
	if (id == ROCPROFILER_HSA_CB_ID_KSYMBOL && data->ksymbol.name) {
		snprintf(told_kernel, sizeof(told_kernel), "%s",
			 data->ksymbol.name);
		free((char *)data->ksymbol.name);
	}
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t
hear_once(rocprofiler_hsa_cb_id_t id,
	  const rocprofiler_hsa_callback_data_t *data, void *arg)
{
	hear_callback(id, data, arg);
	return HSA_STATUS_ERROR;
}

static void
load_with_tool(void)
{
	const char *build = getenv("BUILD_DIR");
	char path[4096];

	snprintf(path, sizeof(path), "%s/tests/hsa/libtool.so",
		 build ? build : "build");
	setenv("ROCP_TOOL_LIB", path, 1);
	load_profiler("1");
}

TEST(hsa, tool_is_handed_settings)
{
	load_with_tool();
	ck_assert_str_eq(getenv("TOOL_WAS_HANDED"), "1 1 1");
	ck_assert_ptr_null(getenv("TOOL_WAS_UNLOADED"));
	unload_profiler();
	ck_assert_str_eq(getenv("TOOL_WAS_UNLOADED"), "1");
}

static const struct {
	const char *callback;
	rocprofiler_hsa_callbacks_t callbacks;
} refused_callbacks[] = {
	{ "allocate", { .allocate = hear_callback } },
	{ "device", { .device = hear_callback } },
	{ "memcopy", { .memcopy = hear_callback } },
	{ "submit", { .submit = hear_callback } },
	{ "codeobj", { .codeobj = hear_callback } },
};

TEST_LOOP(hsa, callbacks_that_no_client_uses_are_refused,
	  ARRAY_SIZE(refused_callbacks))
{
	load_profiler("1");
	must_fail(rocprofiler_set_hsa_callbacks(refused_callbacks[_i].callbacks,
						told),
		  ENOTSUP, "not reported");
	unload_profiler();
}

TEST(hsa, kernels_are_told)
{
	const rocprofiler_hsa_callbacks_t ears = { .ksymbol = hear_callback };

	must_fail(rocprofiler_set_hsa_callbacks(ears, told), ENOTSUP,
		  "HSA_TOOLS_LIB");
	load_profiler("1");
	must_succeed(rocprofiler_set_hsa_callbacks(ears, told));
	load_kernel();
	ck_assert_uint_eq(told[ROCPROFILER_HSA_CB_ID_KSYMBOL], 2);
	ck_assert_str_eq(told_kernel, "plain");
	must_succeed(hsa_executable_destroy(executable));
	ck_assert_uint_eq(told[ROCPROFILER_HSA_CB_ID_KSYMBOL], 4);
	ck_assert_int_eq(last_told[4].ksymbol.unload, 1);
	ck_assert_ptr_null(last_told[4].ksymbol.name);
	unload_profiler();
}

TEST(hsa, callback_that_fails_is_not_called_again)
{
	const rocprofiler_hsa_callbacks_t once = { .ksymbol = hear_once };

	load_profiler("0");
	must_succeed(rocprofiler_set_hsa_callbacks(once, told));
	load_kernel();
	ck_assert_uint_eq(told[ROCPROFILER_HSA_CB_ID_KSYMBOL], 1);
	must_succeed(hsa_executable_destroy(executable));
	unload_profiler();
}

TEST_MACHINE("roc_hsa", "--strict", "--time", "virtual", "--gpu", "vega20");
TEST_MACHINE("roc_hsa", "--strict", "--time", "virtual", "--gpu", "mi100");
TEST_MACHINE("roc_hsa", "--strict", "--time", "virtual", "--gpu", "mi200");
