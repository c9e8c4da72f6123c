/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ROC profiler API with several clocks, GPUs, threads and processes.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contexts.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* Time                                                                 */

TEST_CASE(one, begin_agents, end_agents, "roc_processes");

TEST(one, time_of_clocks)
{
	static const clockid_t clocks[] = {
		CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC,
		CLOCK_MONOTONIC_COARSE, CLOCK_MONOTONIC_RAW
	};
	uint64_t ticks, value, error;

	for (unsigned i = 0; i < ARRAY_SIZE(clocks); i++) {
		struct timespec before, after;

		clock_gettime(clocks[i], &before);
		ck_assert_int_eq(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP,
						     &ticks),
				 HSA_STATUS_SUCCESS);
		must_succeed(rocprofiler_get_time((rocprofiler_time_id_t)i,
						  ticks * 10, &value, &error));
		clock_gettime(clocks[i], &after);
		/* a tick of the coarse clocks is some milliseconds */
		ck_assert_uint_ge(value + error + 20 * MS,
				  (uint64_t)before.tv_sec * 1000000000 +
					  (uint64_t)before.tv_nsec);
		ck_assert_uint_le(value, (uint64_t)after.tv_sec * 1000000000 +
						 (uint64_t)after.tv_nsec +
						 error + 20 * MS);
	}
	must_succeed(rocprofiler_get_time(0, 0, NULL, NULL));
	must_fail(
		rocprofiler_get_time((rocprofiler_time_id_t)5, 0, &value, NULL),
		EINVAL, "time id 5");
}

/* ------------------------------------------------------------------ */
/* Several GPUs, processes                                              */

/* Return the index: the simulator puts GPU 0 on bus 3, GPU 1 on bus 4. */
static unsigned
index_of(hsa_agent_t agent)
{
	uint32_t place;

	ck_assert_int_eq(hsa_agent_get_info(
				 agent,
				 (hsa_agent_info_t)HSA_AMD_AGENT_INFO_BDFID,
				 &place),
			 HSA_STATUS_SUCCESS);
	return (place >> 8) - 3;
}

TEST_CASE(two, begin_agents, end_agents, "roc_processes_two");

/* Each agent is the GPU at its PCI address, in whatever order. */
TEST(two, agents_are_matched_by_address)
{
	scene_set("gpu0.rate", "SQ.4 1000");
	scene_set("gpu1.rate", "SQ.4 3000");
	ck_assert_uint_eq(gpu_count, 2);
	for (unsigned i = 0; i < gpu_count; i++) {
		static const char *const names[] = { "SQ.WAVES" };
		const unsigned index = index_of(gpus[i]);
		rocprofiler_feature_t feature = METRIC("SQ_WAVES");
		rocprofiler_t *context;
		struct own own = own_start(names, 1, index);
		union drmperf_value value;

		must_succeed(rocprofiler_open(gpus[i], &feature, 1, &context, 0,
					      NULL));
		must_succeed(rocprofiler_start(context, 0));
		scene_pass(1 * MS);
		must_succeed(rocprofiler_stop(context, 0));
		must_succeed(rocprofiler_get_data(context, 0));
		own_read(&own, &value);
		expect_count(&feature, index ? 24 : 4);
		expect_count(&feature, value.u64);
		must_succeed(rocprofiler_close(context));
		own_end(&own);
	}
}

TEST(one, agent_without_a_driver)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context;
	uint32_t count = 3;

	hsa_shut_down();
	setenv("HSA_STANDIN_STRANGER", "1", 1);
	begin_agents();
	unsetenv("HSA_STANDIN_STRANGER");
	must_fail(rocprofiler_open(gpus[gpu_count - 1], &feature, 1, &context,
				   0, NULL),
		  ENODEV, "0fff:00:00.0");
	must_fail(rocprofiler_get_info(NULL, ROCPROFILER_INFO_KIND_METRIC_COUNT,
				       &count),
		  ENODEV, "0fff:00:00.0");
	ck_assert_uint_eq(count, 3);
}

static void *
count_alone(void *data)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");

	(void)data;
	for (unsigned i = 0; i < 5; i++) {
		rocprofiler_t *context = open_features(&feature, 1);

		ck_assert_uint_gt(metric_count(&gpus[0]), 100);
		must_succeed(rocprofiler_start(context, 0));
		must_succeed(rocprofiler_read(context, 0));
		must_succeed(rocprofiler_stop(context, 0));
		must_succeed(rocprofiler_get_data(context, 0));
		must_succeed(rocprofiler_close(context));
	}
	return NULL;
}

/* Contexts of several threads, whose counters fit together. */
TEST(one, threads_count_at_once)
{
	pthread_t threads[4];

	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, count_alone,
						NULL),
				 0);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
}

static int
use_parents(rocprofiler_t *context)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *own;

	if (rocprofiler_read(context, 0) == HSA_STATUS_SUCCESS ||
	    rocprofiler_errno() != ECHILD)
		return 1;
	rocprofiler_close(context);
	/* of its own it may have what it likes */
	if (rocprofiler_open(gpus[0], &feature, 1, &own, 0, NULL) ||
	    rocprofiler_start(own, 0) || rocprofiler_stop(own, 0) ||
	    rocprofiler_get_data(own, 0) || rocprofiler_close(own))
		return 2;
	return 0;
}

TEST(one, child_leaves_the_parents_alone)
{
	const unsigned each = count_engines();
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);
	pid_t child;
	int status;

	must_succeed(rocprofiler_start(context, 0));
	child = fork();
	if (!child)
		child_end(use_parents(context));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	scene_pass(5 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 5 * each);
	must_succeed(rocprofiler_close(context));
}

TEST_MACHINE("roc_processes", "--time", "virtual", "--strict", "--gpu",
	     "vega20");
TEST_MACHINE("roc_processes", "--time", "virtual", "--strict", "--gpu",
	     "mi100");
TEST_MACHINE("roc_processes", "--time", "virtual", "--strict", "--gpu",
	     "mi200");
TEST_MACHINE("roc_processes_two", "--time", "virtual", "--strict", "--gpu",
	     "vega20", "--gpu", "mi200");

TEST_OPTION(begin, use_own_metrics);
