/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ROC profiler API, sentence by sentence of its specification, on simulated
 * GPUs: errors, information and contexts. What is counted is the matter of
 * test_rocprofiler_sampling.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "roc_tool.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* 3: errors and version                                                */

TEST_CASE(information, begin_agents, end_agents, "roc_one");

TEST(information, library_versions)
{
	ck_assert_uint_eq(rocprofiler_version_major(),
			  ROCPROFILER_VERSION_MAJOR);
	ck_assert_uint_eq(rocprofiler_version_minor(),
			  ROCPROFILER_VERSION_MINOR);
	ck_assert_uint_eq(rocprofiler_major_version(),
			  ROCPROFILER_VERSION_MAJOR);
	ck_assert_uint_eq(rocprofiler_minor_version(),
			  ROCPROFILER_VERSION_MINOR);
	ck_assert_uint_eq(ROCPROFILER_VERSION_MAJOR, 8);
}

static void *
fail_elsewhere(void *data)
{
	(void)data;
	ck_assert_int_eq(rocprofiler_errno(), 0);
	ck_assert_str_eq(error_text(), "");
	must_fail(rocprofiler_start(NULL, 0), EINVAL, "NULL");
	return NULL;
}

/*
 * Text of the last failed call, whatever succeeded since; each thread has its
 * own
 */
TEST(information, error_number_and_string_of_last_failed_call)
{
	uint32_t count;
	pthread_t thread;

	must_fail(rocprofiler_get_info(&cpu, ROCPROFILER_INFO_KIND_METRIC_COUNT,
				       &count),
		  EINVAL, "no GPU");
	must_succeed(rocprofiler_get_info(
		&gpus[0], ROCPROFILER_INFO_KIND_METRIC_COUNT, &count));
	ck_assert_int_eq(rocprofiler_errno(), EINVAL);
	ck_assert_int_eq(pthread_create(&thread, NULL, fail_elsewhere, NULL),
			 0);
	pthread_join(thread, NULL);
	ck_assert_ptr_nonnull(strstr(error_text(), "no GPU"));
	ck_assert_int_eq(rocprofiler_error_string(NULL),
			 HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

TEST(information, status_is_of_hsa)
{
	rocprofiler_feature_t feature = METRIC("SQ_NOTHING");
	rocprofiler_t *context = (void *)&feature;

	ck_assert_int_eq(rocprofiler_open(gpus[0], &feature, 1, &context, 0,
					  NULL),
			 HSA_STATUS_ERROR_INVALID_ARGUMENT);
	must_fail(HSA_STATUS_ERROR, ENOENT, "SQ_NOTHING");
	ck_assert_ptr_eq(context, (void *)&feature);
}

/* ------------------------------------------------------------------ */
/* 4.2: information                                                     */

struct seen {
	unsigned count;
	unsigned stop_after; /* 0: never */
	hsa_status_t stop_with;
	rocprofiler_info_data_t last;
	unsigned counters, metrics;
	bool has_waves, has_hit_sum;
	rocprofiler_info_data_t hit, texture; /* TCC_HIT, TA_TA_BUSY */
};

static hsa_status_t
see_information(const rocprofiler_info_data_t info, void *data)
{
	struct seen *seen = data;

	ck_assert_int_eq(info.kind, ROCPROFILER_INFO_KIND_METRIC);
	ck_assert_ptr_nonnull(info.metric.name);
	ck_assert_ptr_nonnull(info.metric.description);
	ck_assert_uint_ge(info.metric.instances, 1);
	seen->counters += !info.metric.expr;
	seen->metrics += info.metric.expr != NULL;
	ck_assert_int_eq(!info.metric.expr, info.metric.block_name != NULL);
	seen->has_waves |= !strcmp(info.metric.name, "SQ_WAVES") &&
			   info.metric.instances == 1 && !info.metric.expr;
	seen->has_hit_sum |= !strcmp(info.metric.name, "TCC_HIT_sum") &&
			     info.metric.expr;
	if (!strcmp(info.metric.name, "TCC_HIT"))
		seen->hit = info;
	if (!strcmp(info.metric.name, "TA_TA_BUSY"))
		seen->texture = info;
	seen->last = info;
	return ++seen->count == seen->stop_after ? seen->stop_with
						 : HSA_STATUS_SUCCESS;
}

TEST(information, metrics_are_iterated_and_counted)
{
	struct seen seen = { 0 };

	must_succeed(rocprofiler_iterate_info(&gpus[0],
					      ROCPROFILER_INFO_KIND_METRIC,
					      see_information, &seen));
	ck_assert_uint_eq(seen.count, metric_count(&gpus[0]));
	ck_assert_uint_gt(seen.counters, 300);
	ck_assert_uint_gt(seen.metrics, 100);
	ck_assert(seen.has_waves);
	ck_assert(seen.has_hit_sum);
}

/* Instances are those of a shader engine, or of the GPU. */
TEST(information, counters_are_of_a_block)
{
	struct seen seen = { 0 };

	must_succeed(rocprofiler_iterate_info(&gpus[0],
					      ROCPROFILER_INFO_KIND_METRIC,
					      see_information, &seen));
	ck_assert_str_eq(seen.hit.metric.block_name, "TCC");
	ck_assert_uint_eq(seen.hit.metric.block_counters, 4);
	ck_assert(seen.hit.metric.instances == 16 ||
		  seen.hit.metric.instances == 32);
	ck_assert_str_eq(seen.texture.metric.block_name, "TA");
	ck_assert_uint_ge(seen.texture.metric.instances, 13);
	ck_assert_uint_le(seen.texture.metric.instances, 16);
}

/* Open a metric: each name is unique, and each can be measured. */
static hsa_status_t
open_it(const rocprofiler_info_data_t info, void *data)
{
	char name[300];
	rocprofiler_feature_t feature = METRIC(name);

	(void)data;
	snprintf(name, sizeof(name), "%s%s", info.metric.name,
		 info.metric.instances > 1 ? "[0]" : "");
	must_succeed(rocprofiler_close(open_features(&feature, 1)));
	return HSA_STATUS_SUCCESS;
}

TEST_CASE(rdna, begin_agents, end_agents, "roc_rdna");

TEST(information, what_is_listed_can_be_measured)
{
	must_succeed(rocprofiler_iterate_info(
		&gpus[0], ROCPROFILER_INFO_KIND_METRIC, open_it, NULL));
}
TEST_ALSO(rdna, what_is_listed_can_be_measured, 1);

TEST_CASE(two, begin_agents, end_agents, "roc_two");

TEST(information, no_agent_means_all)
{
	struct seen seen = { 0 };
	uint32_t sum = 0;

	for (unsigned i = 0; i < gpu_count; i++)
		sum += metric_count(&gpus[i]);
	ck_assert_uint_eq(metric_count(NULL), sum);
	must_succeed(rocprofiler_iterate_info(
		NULL, ROCPROFILER_INFO_KIND_METRIC, see_information, &seen));
	ck_assert_uint_eq(seen.count, sum);
	ck_assert_uint_eq(seen.last.agent_index, gpu_count);
}
TEST_ALSO(two, no_agent_means_all, 1);

TEST(information, callback_ends_the_iteration)
{
	struct seen seen = { .stop_after = 3,
			     .stop_with = HSA_STATUS_INFO_BREAK };

	must_succeed(rocprofiler_iterate_info(
		NULL, ROCPROFILER_INFO_KIND_METRIC, see_information, &seen));
	ck_assert_uint_eq(seen.count, 3);
	seen = (struct seen){ .stop_after = 2,
			      .stop_with = HSA_STATUS_ERROR_EXCEPTION };
	ck_assert_int_eq(rocprofiler_iterate_info(NULL,
						  ROCPROFILER_INFO_KIND_METRIC,
						  see_information, &seen),
			 HSA_STATUS_ERROR_EXCEPTION);
	ck_assert_uint_eq(seen.count, 2);
}

static unsigned
count_queried(rocprofiler_info_data_t query)
{
	struct seen seen = { 0 };

	must_succeed(rocprofiler_query_info_data(
		&gpus[0], ROCPROFILER_INFO_KIND_METRIC, query, see_information,
		&seen));
	return seen.count;
}

TEST(information, null_fields_of_a_query_are_wildcards)
{
	rocprofiler_info_data_t query = { 0 };

	ck_assert_uint_eq(count_queried(query), metric_count(&gpus[0]));
	query.metric.name = "SQ_WAVES";
	ck_assert_uint_eq(count_queried(query), 1);
	query.metric.block_name = "SQ";
	ck_assert_uint_eq(count_queried(query), 1);
	query.metric.block_name = "TCC";
	ck_assert_uint_eq(count_queried(query), 0);
	query.metric.name = NULL;
	ck_assert_uint_gt(count_queried(query), 20);
	query.metric.block_counters = 5;
	ck_assert_uint_eq(count_queried(query), 0);
}

TEST(information, queries_of_a_kind)
{
	rocprofiler_info_query_t query;
	struct seen seen = { 0 };

	memset(&query, 0xff, sizeof(query)); /* as callers may leave it */
	query.info_kind = ROCPROFILER_INFO_KIND_METRIC;
	must_succeed(rocprofiler_query_info(&gpus[0], query, see_information,
					    &seen));
	ck_assert_uint_eq(seen.count, metric_count(&gpus[0]));
	query.trace_parameter.trace_name = "TT";
	seen.count = 0;
	must_succeed(rocprofiler_query_info(&gpus[0], query, see_information,
					    &seen));
	ck_assert_uint_eq(seen.count, 0);
}

TEST(information, no_traces_are_listed)
{
	struct seen seen = { 0 };
	rocprofiler_t *context;
	uint32_t count = 5;

	must_succeed(rocprofiler_get_info(
		&gpus[0], ROCPROFILER_INFO_KIND_TRACE_COUNT, &count));
	ck_assert_uint_eq(count, 0);
	must_succeed(rocprofiler_iterate_info(
		&gpus[0], ROCPROFILER_INFO_KIND_TRACE, see_information, &seen));
	ck_assert_uint_eq(seen.count, 0);
	context = open_features(NULL, 0);
	must_succeed(rocprofiler_iterate_trace_data(context, NULL, NULL));
	must_succeed(rocprofiler_close(context));
}

TEST(information, wrong_kinds_of_information)
{
	uint32_t count;
	struct seen seen;

	must_fail(rocprofiler_get_info(&gpus[0], ROCPROFILER_INFO_KIND_METRIC,
				       &count),
		  EINVAL, "kind 0");
	must_fail(rocprofiler_iterate_info(&gpus[0],
					   ROCPROFILER_INFO_KIND_METRIC_COUNT,
					   see_information, &seen),
		  EINVAL, "kind 1");
	must_fail(rocprofiler_iterate_info(
			  &gpus[0], ROCPROFILER_INFO_KIND_METRIC, NULL, NULL),
		  EINVAL, "callback");
	must_fail(rocprofiler_get_info(&gpus[0],
				       ROCPROFILER_INFO_KIND_TRACE_COUNT, NULL),
		  EINVAL, "data");
}

/* ------------------------------------------------------------------ */
/* 4.3: contexts, modes, groups                                         */

TEST_CASE(contexts, begin_agents, end_agents, "roc_one");

TEST(contexts, context_has_its_agent)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);
	hsa_agent_t agent = { 0 };

	must_succeed(rocprofiler_get_agent(context, &agent));
	ck_assert_uint_eq(agent.handle, gpus[0].handle);
	must_succeed(rocprofiler_close(context));
	must_succeed(rocprofiler_close(NULL));
}

TEST(contexts, unknown_agents)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	const hsa_agent_t none = { 1234 };
	rocprofiler_t *context;

	must_fail(rocprofiler_open(none, &feature, 1, &context, 0, NULL), EIO,
		  "no such agent");
	must_fail(rocprofiler_open(cpu, &feature, 1, &context, 0, NULL), EINVAL,
		  "no GPU");
	hsa_shut_down();
	must_fail(rocprofiler_open(gpus[0], &feature, 1, &context, 0, NULL),
		  EIO, "hsa_init()");
	hsa_init();
}

TEST(contexts, features_have_names)
{
	static const struct {
		const char *name;
		int number;
		const char *words;
	} cases[] = {
		{ NULL, EINVAL, "name" },
		{ "", EINVAL, "" },
		{ "SQ_WAVE", ENOENT, "SQ.WAVES" },
		{ "TCC_HIT", EINVAL, "instances" },
		{ "TCC_HIT[99]", ERANGE, "from 0 to" },
		{ "TCC_HIT[x]", EINVAL, "" },
		{ "TCC_HIT[**]", EINVAL, "" },
		{ "TCC_HIT[99999999999999999999]", EINVAL, "" },
		{ "SQ_WAVES[1]", ERANGE, "from 0 to 0" },
		{ "L2CacheHit[1]", ERANGE, "no instances" },
		{ "SQ_WAVES:device=0", EINVAL, "no name" },
		{ "SQ:", EINVAL, "no name" },
		{ "SQ:4 ", EINVAL, "no name" },
		{ "SQ:-4", EINVAL, "no name" },
		{ "SQ:99999999999999999999", EINVAL, "no name" },
		{ "SQ:9999", ERANGE, "SQ" },
		{ "NOBLOCK:4", ENOENT, "NOBLOCK" },
		{ ":4", ENOENT, "block" },
		{ "TCC:1", EINVAL, "instances" },
		{ "TCC[99]:1", ERANGE, "from 0 to" },
		{ "TCC[1:1", ENOENT, "TCC[1" },
		{ "SQ[1]:4", ERANGE, "from 0 to 0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		rocprofiler_feature_t feature = METRIC(cases[i].name);
		rocprofiler_t *context;

		ck_assert_int_ne(rocprofiler_open(gpus[0], &feature, 1,
						  &context, 0, NULL),
				 HSA_STATUS_SUCCESS);
		ck_assert_msg(rocprofiler_errno() == cases[i].number,
			      "%zu: %d %s", i, rocprofiler_errno(),
			      error_text());
		ck_assert_msg(strstr(error_text(), cases[i].words) != NULL,
			      "%zu: %s", i, error_text());
	}
}

TEST(contexts, unknown_modes)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_properties_t properties = { .queue_depth = 128 };
	rocprofiler_t *context;

	must_fail(rocprofiler_open(gpus[0], &feature, 1, &context, 8,
				   &properties),
		  EINVAL, "mode");
	must_fail(rocprofiler_open(gpus[0], &feature, 1, &context,
				   ROCPROFILER_MODE_CREATEQUEUE, &properties),
		  EINVAL, "STANDALONE");
	must_fail(rocprofiler_open(gpus[0], &feature, 1, &context,
				   ROCPROFILER_MODE_CREATEQUEUE |
					   ROCPROFILER_MODE_STANDALONE,
				   NULL),
		  EINVAL, "properties");
	must_fail(rocprofiler_open(gpus[0], NULL, 1, &context, 0, NULL), EINVAL,
		  "features");
	must_fail(rocprofiler_open(gpus[0], &feature, 1, NULL, 0, NULL), EINVAL,
		  "context");
}

TEST(contexts, createqueue_makes_a_queue_of_that_depth)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_properties_t properties = { .queue_depth = 128 };
	rocprofiler_t *context, *second;
	hsa_queue_t *queue;

	must_succeed(rocprofiler_open(gpus[0], &feature, 1, &context,
				      ROCPROFILER_MODE_STANDALONE |
					      ROCPROFILER_MODE_CREATEQUEUE,
				      &properties));
	ck_assert_ptr_nonnull(properties.queue);
	ck_assert_uint_eq(properties.queue->size, 128);
	queue = properties.queue;
	/* a queue of the caller's is left alone */
	must_succeed(rocprofiler_open(gpus[0], &feature, 1, &second,
				      ROCPROFILER_MODE_STANDALONE,
				      &properties));
	ck_assert_ptr_eq(properties.queue, queue);
	must_succeed(rocprofiler_close(second));
	must_succeed(rocprofiler_close(context));
	ck_assert_int_eq(hsa_queue_destroy(queue), HSA_STATUS_SUCCESS);
	/* none can be had: nothing stays open */
	properties.queue_depth = 100;
	properties.queue = NULL;
	must_fail(rocprofiler_open(gpus[0], &feature, 1, &context,
				   ROCPROFILER_MODE_STANDALONE |
					   ROCPROFILER_MODE_CREATEQUEUE,
				   &properties),
		  EIO, "hsa_queue_create");
	ck_assert_ptr_null(properties.queue);
}

TEST(contexts, singlegroup_refuses_what_needs_more)
{
	rocprofiler_feature_t features[] = TOO_MANY;
	rocprofiler_t *context = NULL;

	ck_assert_int_eq(rocprofiler_open(gpus[0], features, 4, &context,
					  ROCPROFILER_MODE_SINGLEGROUP, NULL),
			 HSA_STATUS_ERROR);
	must_fail(HSA_STATUS_ERROR, ENOSPC, "GRBM");
	ck_assert_ptr_null(context);
	must_succeed(rocprofiler_open(gpus[0], features, 3, &context,
				      ROCPROFILER_MODE_SINGLEGROUP, NULL));
	ck_assert_uint_eq(groups_of(context), 1);
	must_succeed(rocprofiler_close(context));
}

/* Fewest runs, each feature in one of them. */
TEST(contexts, groups_are_made_when_the_context_is_opened)
{
	rocprofiler_feature_t features[] = TOO_MANY;
	rocprofiler_t *context = open_features(features, 4);
	unsigned times[4] = { 0 };
	rocprofiler_group_t group;

	ck_assert_uint_eq(groups_of(context), 2);
	for (uint32_t i = 0; i < 2; i++) {
		must_succeed(rocprofiler_get_group(context, i, &group));
		ck_assert_uint_eq(group.index, i);
		ck_assert_ptr_eq(group.context, context);
		for (uint32_t k = 0; k < group.feature_count; k++)
			times[group.features[k] - features]++;
	}
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(times[i], 1);
	must_fail(rocprofiler_get_group(context, 2, &group), ERANGE,
		  "no group 2");
	must_succeed(rocprofiler_close(context));
}

TEST(contexts, no_features_are_one_empty_group)
{
	rocprofiler_t *context = open_features(NULL, 0);
	rocprofiler_group_t group;

	ck_assert_uint_eq(groups_of(context), 1);
	must_succeed(rocprofiler_get_group(context, 0, &group));
	ck_assert_uint_eq(group.feature_count, 0);
	must_succeed(rocprofiler_group_start(&group));
	must_succeed(rocprofiler_group_read(&group));
	must_succeed(rocprofiler_group_stop(&group));
	must_succeed(rocprofiler_group_get_data(&group));
	must_succeed(rocprofiler_get_metrics(context));
	must_succeed(rocprofiler_close(context));
}

/* ------------------------------------------------------------------ */
/* 2: environment                                                       */

TEST(contexts, tool_library_is_loaded)
{
	ck_assert(OnLoad(NULL, 1, 0, NULL));
	OnUnload();
	setenv("ROCP_TOOL_LIB", "/nonexistent.so", 1);
	ck_assert(!OnLoad(NULL, 1, 0, NULL));
	must_fail(HSA_STATUS_ERROR, ENOENT, "ROCP_TOOL_LIB");
	setenv("ROCP_TOOL_LIB", "libm.so.6", 1);
	ck_assert(!OnLoad(NULL, 1, 0, NULL));
	must_fail(HSA_STATUS_ERROR, ENOEXEC, "OnUnloadTool");
	OnUnload();
	unsetenv("ROCP_TOOL_LIB");
}

TEST_MACHINE("roc_one", "--time", "virtual", "--strict", "--gpu", "vega20");
TEST_MACHINE("roc_one", "--time", "virtual", "--strict", "--gpu", "mi100");
TEST_MACHINE("roc_one", "--time", "virtual", "--strict", "--gpu", "mi200");
TEST_MACHINE("roc_two", "--time", "virtual", "--strict", "--gpu", "vega20",
	     "--gpu", "mi200");
TEST_MACHINE("roc_rdna", "--time", "virtual", "--strict", "--gpu", "navi31");

TEST_OPTION(begin, use_own_metrics);
