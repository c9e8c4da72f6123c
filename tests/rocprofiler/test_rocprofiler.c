/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ROC profiler API, sentence by sentence of its specification, on simulated
 * GPUs in virtual time. Values are held against sessions of libdrmperf itself.
 */
#include <rocprofiler/rocprofiler.h>

#include <check.h>
#include <drmperf.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "program.h"
#include "roc_tool.h"
#include "tests/below_drmsim.h"
#include "tests/scene.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define MOST 8 /* agents, and features */

#define METRIC(text)                                                       \
	{                                                                  \
		.kind = ROCPROFILER_FEATURE_KIND_METRIC, { .name = (text) } \
	}

static hsa_agent_t gpus[MOST];
static unsigned gpu_count;
static hsa_agent_t cpu;

/* ------------------------------------------------------------------ */
/* Helpers                                                              */

static hsa_status_t
sort_agent(hsa_agent_t agent, void *data)
{
	hsa_device_type_t type;

	(void)data;
	ck_assert_int_eq(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE,
					    &type),
			 HSA_STATUS_SUCCESS);
	if (type == HSA_DEVICE_TYPE_GPU)
		gpus[gpu_count++] = agent;
	else
		cpu = agent;
	return HSA_STATUS_SUCCESS;
}

static void
set_up(void)
{
	ck_assert_int_eq(hsa_init(), HSA_STATUS_SUCCESS);
	gpu_count = 0;
	ck_assert_int_eq(hsa_iterate_agents(sort_agent, NULL),
			 HSA_STATUS_SUCCESS);
}

static void
tear_down(void)
{
	scene_set("default", "formula");
	ck_assert_int_eq(hsa_shut_down(), HSA_STATUS_SUCCESS);
}

static rocprofiler_t *
open_features(rocprofiler_feature_t *features, uint32_t count)
{
	rocprofiler_t *context = NULL;

	succeed(rocprofiler_open(gpus[0], features, count, &context, 0, NULL));
	ck_assert_ptr_nonnull(context);
	return context;
}

static uint32_t
groups_of(rocprofiler_t *context)
{
	uint32_t count = 77;

	succeed(rocprofiler_group_count(context, &count));
	return count;
}

static void
expect_count(const rocprofiler_feature_t *feature, uint64_t value)
{
	ck_assert_int_eq(feature->data.kind, ROCPROFILER_DATA_KIND_INT64);
	ck_assert_uint_eq(feature->data.result_int64, value);
}

/* ------------------------------------------------------------------ */
/* A session of libdrmperf beside                                       */

struct own {
	struct drmperf *drmperf;
	struct drmperf_session *session;
	struct drmperf_selection selections[MOST];
};

static struct own
own_start(const char *const *names, size_t count, unsigned device)
{
	struct own own;
	struct drmperf_error error;

	ck_assert_int_eq(drmperf_create(NULL, &own.drmperf, &error), 0);
	for (size_t i = 0; i < count; i++) {
		char name[128];

		snprintf(name, sizeof(name), "amdgpu::%s:device=%u", names[i],
			 device);
		ck_assert_msg(!drmperf_event_find(own.drmperf, name,
						  &own.selections[i], &error),
			      "%s: %s", name, error.cause);
	}
	ck_assert_msg(!drmperf_session_create(own.drmperf, own.selections,
					      count, NULL, &own.session,
					      &error),
		      "%s", error.cause);
	ck_assert_msg(!drmperf_session_start(own.session, &error), "%s",
		      error.cause);
	return own;
}

static void
own_read(struct own *own, union drmperf_value *values)
{
	ck_assert_int_eq(drmperf_session_read(own->session, values, NULL, NULL),
			 0);
}

static void
own_end(struct own *own)
{
	drmperf_session_destroy(own->session);
	drmperf_destroy(own->drmperf);
}

/* ------------------------------------------------------------------ */
/* 3: errors and version                                                */

START_TEST(library_versions)
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
END_TEST

static void *
fail_elsewhere(void *data)
{
	(void)data;
	ck_assert_int_eq(rocprofiler_errno(), 0);
	ck_assert_str_eq(error_text(), "");
	deny(rocprofiler_start(NULL, 0), EINVAL, "NULL");
	return NULL;
}

/* Of the last failed call, whatever succeeded since; each thread has its own */
START_TEST(error_number_and_string_of_last_failed_call)
{
	uint32_t count;
	pthread_t thread;

	deny(rocprofiler_get_info(&cpu, ROCPROFILER_INFO_KIND_METRIC_COUNT,
				  &count),
	     EINVAL, "no GPU");
	succeed(rocprofiler_get_info(&gpus[0],
				     ROCPROFILER_INFO_KIND_METRIC_COUNT,
				     &count));
	ck_assert_int_eq(rocprofiler_errno(), EINVAL);
	ck_assert_int_eq(pthread_create(&thread, NULL, fail_elsewhere, NULL),
			 0);
	pthread_join(thread, NULL);
	ck_assert_ptr_nonnull(strstr(error_text(), "no GPU"));
	ck_assert_int_eq(rocprofiler_error_string(NULL),
			 HSA_STATUS_ERROR_INVALID_ARGUMENT);
}
END_TEST

START_TEST(status_is_of_hsa)
{
	rocprofiler_feature_t feature = METRIC("SQ_NOTHING");
	rocprofiler_t *context = (void *)&feature;

	ck_assert_int_eq(rocprofiler_open(gpus[0], &feature, 1, &context, 0,
					  NULL),
			 HSA_STATUS_ERROR_INVALID_ARGUMENT);
	deny(HSA_STATUS_ERROR, ENOENT, "SQ_NOTHING");
	ck_assert_ptr_eq(context, (void *)&feature);
}
END_TEST

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
see(const rocprofiler_info_data_t info, void *data)
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

static uint32_t
metric_count(const hsa_agent_t *agent)
{
	uint32_t count = 0;

	succeed(rocprofiler_get_info(agent, ROCPROFILER_INFO_KIND_METRIC_COUNT,
				     &count));
	return count;
}

START_TEST(metrics_are_iterated_and_counted)
{
	struct seen seen = { 0 };

	succeed(rocprofiler_iterate_info(&gpus[0], ROCPROFILER_INFO_KIND_METRIC,
					 see, &seen));
	ck_assert_uint_eq(seen.count, metric_count(&gpus[0]));
	ck_assert_uint_gt(seen.counters, 300);
	ck_assert_uint_gt(seen.metrics, 100);
	ck_assert(seen.has_waves);
	ck_assert(seen.has_hit_sum);
}
END_TEST

/* Instances are those of a shader engine, or of the GPU. */
START_TEST(counters_are_of_a_block)
{
	struct seen seen = { 0 };

	succeed(rocprofiler_iterate_info(&gpus[0], ROCPROFILER_INFO_KIND_METRIC,
					 see, &seen));
	ck_assert_str_eq(seen.hit.metric.block_name, "TCC");
	ck_assert_uint_eq(seen.hit.metric.block_counters, 4);
	ck_assert(seen.hit.metric.instances == 16 ||
		  seen.hit.metric.instances == 32);
	ck_assert_str_eq(seen.texture.metric.block_name, "TA");
	ck_assert_uint_ge(seen.texture.metric.instances, 13);
	ck_assert_uint_le(seen.texture.metric.instances, 16);
}
END_TEST

/* Each name is unique, and each can be measured. */
static hsa_status_t
open_it(const rocprofiler_info_data_t info, void *data)
{
	char name[300];
	rocprofiler_feature_t feature = METRIC(name);

	(void)data;
	snprintf(name, sizeof(name), "%s%s", info.metric.name,
		 info.metric.instances > 1 ? "[0]" : "");
	succeed(rocprofiler_close(open_features(&feature, 1)));
	return HSA_STATUS_SUCCESS;
}

START_TEST(what_is_listed_can_be_measured)
{
	succeed(rocprofiler_iterate_info(&gpus[0], ROCPROFILER_INFO_KIND_METRIC,
					 open_it, NULL));
}
END_TEST

START_TEST(no_agent_means_all)
{
	struct seen seen = { 0 };
	uint32_t sum = 0;

	for (unsigned i = 0; i < gpu_count; i++)
		sum += metric_count(&gpus[i]);
	ck_assert_uint_eq(metric_count(NULL), sum);
	succeed(rocprofiler_iterate_info(NULL, ROCPROFILER_INFO_KIND_METRIC,
					 see, &seen));
	ck_assert_uint_eq(seen.count, sum);
	ck_assert_uint_eq(seen.last.agent_index, gpu_count);
}
END_TEST

START_TEST(callback_ends_the_iteration)
{
	struct seen seen = { .stop_after = 3,
			     .stop_with = HSA_STATUS_INFO_BREAK };

	succeed(rocprofiler_iterate_info(NULL, ROCPROFILER_INFO_KIND_METRIC,
					 see, &seen));
	ck_assert_uint_eq(seen.count, 3);
	seen = (struct seen){ .stop_after = 2,
			      .stop_with = HSA_STATUS_ERROR_EXCEPTION };
	ck_assert_int_eq(rocprofiler_iterate_info(NULL,
						  ROCPROFILER_INFO_KIND_METRIC,
						  see, &seen),
			 HSA_STATUS_ERROR_EXCEPTION);
	ck_assert_uint_eq(seen.count, 2);
}
END_TEST

static unsigned
queried(rocprofiler_info_data_t query)
{
	struct seen seen = { 0 };

	succeed(rocprofiler_query_info_data(&gpus[0],
					    ROCPROFILER_INFO_KIND_METRIC, query,
					    see, &seen));
	return seen.count;
}

START_TEST(null_fields_of_a_query_are_wildcards)
{
	rocprofiler_info_data_t query = { 0 };

	ck_assert_uint_eq(queried(query), metric_count(&gpus[0]));
	query.metric.name = "SQ_WAVES";
	ck_assert_uint_eq(queried(query), 1);
	query.metric.block_name = "SQ";
	ck_assert_uint_eq(queried(query), 1);
	query.metric.block_name = "TCC";
	ck_assert_uint_eq(queried(query), 0);
	query.metric.name = NULL;
	ck_assert_uint_gt(queried(query), 20);
	query.metric.block_counters = 5;
	ck_assert_uint_eq(queried(query), 0);
}
END_TEST

START_TEST(queries_of_a_kind)
{
	rocprofiler_info_query_t query;
	struct seen seen = { 0 };

	memset(&query, 0xff, sizeof(query)); /* as callers may leave it */
	query.info_kind = ROCPROFILER_INFO_KIND_METRIC;
	succeed(rocprofiler_query_info(&gpus[0], query, see, &seen));
	ck_assert_uint_eq(seen.count, metric_count(&gpus[0]));
	query.trace_parameter.trace_name = "TT";
	seen.count = 0;
	succeed(rocprofiler_query_info(&gpus[0], query, see, &seen));
	ck_assert_uint_eq(seen.count, 0);
}
END_TEST

START_TEST(there_are_no_traces)
{
	rocprofiler_feature_t feature = METRIC("TT");
	struct seen seen = { 0 };
	rocprofiler_t *context;
	uint32_t count = 5;

	feature.kind = ROCPROFILER_FEATURE_KIND_TRACE;
	succeed(rocprofiler_get_info(&gpus[0],
				     ROCPROFILER_INFO_KIND_TRACE_COUNT,
				     &count));
	ck_assert_uint_eq(count, 0);
	succeed(rocprofiler_iterate_info(&gpus[0], ROCPROFILER_INFO_KIND_TRACE,
					 see, &seen));
	ck_assert_uint_eq(seen.count, 0);
	deny(rocprofiler_open(gpus[0], &feature, 1, &context, 0, NULL), ENOTSUP,
	     "no traces");
	context = open_features(NULL, 0);
	succeed(rocprofiler_iterate_trace_data(context, NULL, NULL));
	succeed(rocprofiler_close(context));
}
END_TEST

START_TEST(wrong_kinds_of_information)
{
	uint32_t count;
	struct seen seen;

	deny(rocprofiler_get_info(&gpus[0], ROCPROFILER_INFO_KIND_METRIC,
				  &count),
	     EINVAL, "kind 0");
	deny(rocprofiler_iterate_info(&gpus[0],
				      ROCPROFILER_INFO_KIND_METRIC_COUNT, see,
				      &seen),
	     EINVAL, "kind 1");
	deny(rocprofiler_iterate_info(&gpus[0], ROCPROFILER_INFO_KIND_METRIC,
				      NULL, NULL),
	     EINVAL, "callback");
	deny(rocprofiler_get_info(&gpus[0], ROCPROFILER_INFO_KIND_TRACE_COUNT,
				  NULL),
	     EINVAL, "data");
}
END_TEST

/* ------------------------------------------------------------------ */
/* 4.3: contexts, modes, groups                                         */

START_TEST(context_has_its_agent)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);
	hsa_agent_t agent = { 0 };

	succeed(rocprofiler_get_agent(context, &agent));
	ck_assert_uint_eq(agent.handle, gpus[0].handle);
	succeed(rocprofiler_close(context));
	succeed(rocprofiler_close(NULL));
}
END_TEST

START_TEST(unknown_agents)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	const hsa_agent_t none = { 1234 };
	rocprofiler_t *context;

	deny(rocprofiler_open(none, &feature, 1, &context, 0, NULL), EIO,
	     "no such agent");
	deny(rocprofiler_open(cpu, &feature, 1, &context, 0, NULL), EINVAL,
	     "no GPU");
	hsa_shut_down();
	deny(rocprofiler_open(gpus[0], &feature, 1, &context, 0, NULL), EIO,
	     "hsa_init()");
	hsa_init();
}
END_TEST

START_TEST(features_have_names)
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
END_TEST

START_TEST(unknown_modes)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_properties_t properties = { .queue_depth = 128 };
	rocprofiler_t *context;

	deny(rocprofiler_open(gpus[0], &feature, 1, &context, 8, &properties),
	     EINVAL, "mode");
	deny(rocprofiler_open(gpus[0], &feature, 1, &context,
			      ROCPROFILER_MODE_CREATEQUEUE, &properties),
	     EINVAL, "STANDALONE");
	deny(rocprofiler_open(gpus[0], &feature, 1, &context,
			      ROCPROFILER_MODE_CREATEQUEUE |
				      ROCPROFILER_MODE_STANDALONE,
			      NULL),
	     EINVAL, "properties");
	deny(rocprofiler_open(gpus[0], NULL, 1, &context, 0, NULL), EINVAL,
	     "features");
	deny(rocprofiler_open(gpus[0], &feature, 1, NULL, 0, NULL), EINVAL,
	     "context");
}
END_TEST

START_TEST(createqueue_makes_a_queue_of_that_depth)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_properties_t properties = { .queue_depth = 128 };
	rocprofiler_t *context, *second;
	hsa_queue_t *queue;

	succeed(rocprofiler_open(gpus[0], &feature, 1, &context,
				 ROCPROFILER_MODE_STANDALONE |
					 ROCPROFILER_MODE_CREATEQUEUE,
				 &properties));
	ck_assert_ptr_nonnull(properties.queue);
	ck_assert_uint_eq(properties.queue->size, 128);
	queue = properties.queue;
	/* a queue of the caller's is left alone */
	succeed(rocprofiler_open(gpus[0], &feature, 1, &second,
				 ROCPROFILER_MODE_STANDALONE, &properties));
	ck_assert_ptr_eq(properties.queue, queue);
	succeed(rocprofiler_close(second));
	succeed(rocprofiler_close(context));
	ck_assert_int_eq(hsa_queue_destroy(queue), HSA_STATUS_SUCCESS);
	/* none can be had: nothing stays open */
	properties.queue_depth = 100;
	properties.queue = NULL;
	deny(rocprofiler_open(gpus[0], &feature, 1, &context,
			      ROCPROFILER_MODE_STANDALONE |
				      ROCPROFILER_MODE_CREATEQUEUE,
			      &properties),
	     EIO, "hsa_queue_create");
	ck_assert_ptr_null(properties.queue);
}
END_TEST

#define TOO_MANY                                                      \
	{                                                             \
		METRIC("GRBM_COUNT"), METRIC("SQ_WAVES"),             \
			METRIC("GRBM_GUI_ACTIVE"), METRIC("GRBM_CP_BUSY") \
	}

START_TEST(singlegroup_refuses_what_needs_more)
{
	rocprofiler_feature_t features[] = TOO_MANY;
	rocprofiler_t *context = NULL;

	ck_assert_int_eq(rocprofiler_open(gpus[0], features, 4, &context,
					  ROCPROFILER_MODE_SINGLEGROUP, NULL),
			 HSA_STATUS_ERROR);
	deny(HSA_STATUS_ERROR, ENOSPC, "GRBM");
	ck_assert_ptr_null(context);
	succeed(rocprofiler_open(gpus[0], features, 3, &context,
				 ROCPROFILER_MODE_SINGLEGROUP, NULL));
	ck_assert_uint_eq(groups_of(context), 1);
	succeed(rocprofiler_close(context));
}
END_TEST

/* Fewest runs, each feature in one of them. */
START_TEST(groups_are_made_when_the_context_is_opened)
{
	rocprofiler_feature_t features[] = TOO_MANY;
	rocprofiler_t *context = open_features(features, 4);
	unsigned times[4] = { 0 };
	rocprofiler_group_t group;

	ck_assert_uint_eq(groups_of(context), 2);
	for (uint32_t i = 0; i < 2; i++) {
		succeed(rocprofiler_get_group(context, i, &group));
		ck_assert_uint_eq(group.index, i);
		ck_assert_ptr_eq(group.context, context);
		for (uint32_t k = 0; k < group.feature_count; k++)
			times[group.features[k] - features]++;
	}
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(times[i], 1);
	deny(rocprofiler_get_group(context, 2, &group), ERANGE, "no group 2");
	succeed(rocprofiler_close(context));
}
END_TEST

START_TEST(no_features_are_one_empty_group)
{
	rocprofiler_t *context = open_features(NULL, 0);
	rocprofiler_group_t group;

	ck_assert_uint_eq(groups_of(context), 1);
	succeed(rocprofiler_get_group(context, 0, &group));
	ck_assert_uint_eq(group.feature_count, 0);
	succeed(rocprofiler_group_start(&group));
	succeed(rocprofiler_group_read(&group));
	succeed(rocprofiler_group_stop(&group));
	succeed(rocprofiler_group_get_data(&group));
	succeed(rocprofiler_get_metrics(context));
	succeed(rocprofiler_close(context));
}
END_TEST

/* ------------------------------------------------------------------ */
/* 4.4: sampling                                                        */

static const char *const own_names[] = { "SQ.WAVES", "TCC.HIT:instance=3",
					 "metric.L2CacheHit", "GRBM.COUNT" };

#define SAME_FEATURES                                              \
	{                                                          \
		METRIC("SQ_WAVES"), METRIC("TCC_HIT[3]"),          \
			METRIC("L2CacheHit"), METRIC("GRBM_COUNT") \
	}

static void
expect_same(const rocprofiler_feature_t *features,
	    const union drmperf_value *values)
{
	expect_count(&features[0], values[0].u64);
	expect_count(&features[1], values[1].u64);
	ck_assert_int_eq(features[2].data.kind, ROCPROFILER_DATA_KIND_DOUBLE);
	ck_assert_double_eq(features[2].data.result_double, values[2].f64);
	expect_count(&features[3], values[3].u64);
	ck_assert_uint_gt(values[0].u64, 0);
	ck_assert_double_gt(values[2].f64, 0);
}

START_TEST(values_are_those_of_libdrmperf)
{
	rocprofiler_feature_t features[] = SAME_FEATURES;
	rocprofiler_t *context = open_features(features, 4);
	struct own own = own_start(own_names, 4, 0);
	union drmperf_value values[4];

	scene_set("rate", "SQ.4 1000");
	succeed(rocprofiler_start(context, 0));
	scene_pass(10 * MS);
	succeed(rocprofiler_read(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	succeed(rocprofiler_get_metrics(context));
	own_read(&own, values);
	expect_same(features, values);
	scene_pass(7 * MS);
	succeed(rocprofiler_stop(context, 0));
	own_read(&own, values);
	scene_pass(7 * MS);
	succeed(rocprofiler_get_data(context, 0));
	succeed(rocprofiler_get_metrics(context));
	expect_same(features, values);
	succeed(rocprofiler_close(context));
	own_end(&own);
}
END_TEST

/* ROCm's metrics files have no name for everything. */
START_TEST(counters_by_block_and_number)
{
	rocprofiler_feature_t features[] = { METRIC("SQ:4"), METRIC("SQ_WAVES"),
					     METRIC("TCC_HIT[3]"), METRIC(NULL),
					     METRIC("SQ:255") };
	char name[32];
	struct drmperf *drmperf;
	struct drmperf_selection hit;
	rocprofiler_t *context;
	uint32_t id;

	ck_assert_int_eq(drmperf_create(NULL, &drmperf, NULL), 0);
	ck_assert_int_eq(
		drmperf_event_find(drmperf, "amdgpu::TCC.HIT", &hit, NULL), 0);
	ck_assert_int_eq(drmperf_event_id(hit.event, &id), 0);
	drmperf_destroy(drmperf);
	snprintf(name, sizeof(name), "TCC[3]:%u", id);
	features[3].name = name;
	context = open_features(features, 5);
	scene_set("rate", "SQ.4 1000");
	succeed(rocprofiler_start(context, 0));
	scene_pass(3 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	ck_assert_uint_gt(features[0].data.result_int64, 0);
	expect_count(&features[0], features[1].data.result_int64);
	ck_assert_uint_gt(features[3].data.result_int64, 0);
	expect_count(&features[3], features[2].data.result_int64);
	succeed(rocprofiler_close(context));
}
END_TEST

START_TEST(feature_twice)
{
	rocprofiler_feature_t features[] = { METRIC("GRBM_COUNT"),
					     METRIC("GRBM_COUNT"),
					     METRIC("L2CacheHit"),
					     METRIC("L2CacheHit") };
	rocprofiler_t *context = open_features(features, 4);

	ck_assert_uint_eq(groups_of(context), 1);
	succeed(rocprofiler_start(context, 0));
	scene_pass(3 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	ck_assert_uint_gt(features[0].data.result_int64, 0);
	expect_count(&features[1], features[0].data.result_int64);
	ck_assert_double_eq(features[2].data.result_double,
			    features[3].data.result_double);
	succeed(rocprofiler_close(context));
}
END_TEST

static unsigned
engines(void)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);

	scene_set("default", "zero");
	scene_set("rate", "SQ.4 1000");
	succeed(rocprofiler_start(context, 0));
	scene_pass(1 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	succeed(rocprofiler_close(context));
	return (unsigned)feature.data.result_int64;
}

START_TEST(counts_are_exact)
{
	const unsigned each = engines();
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);

	ck_assert(each == 4 || each == 8);
	succeed(rocprofiler_start(context, 0));
	scene_pass(10 * MS);
	succeed(rocprofiler_read(context, 0));
	scene_pass(10 * MS); /* what comes later is not in what was read */
	succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 10 * each);
	succeed(rocprofiler_read(context, 0));
	ck_assert_uint_eq(feature.data.result_int64, 10 * each);
	succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 20 * each);
	succeed(rocprofiler_stop(context, 0));
	scene_pass(10 * MS);
	/* from zero again */
	succeed(rocprofiler_start(context, 0));
	scene_pass(3 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 3 * each);
	succeed(rocprofiler_close(context));
}
END_TEST

START_TEST(reset_begins_from_zero)
{
	const unsigned each = engines();
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);

	succeed(rocprofiler_reset(context, 0));
	succeed(rocprofiler_start(context, 0));
	scene_pass(10 * MS);
	succeed(rocprofiler_reset(context, 0));
	deny(rocprofiler_get_data(context, 0), ENODATA, "group 0");
	scene_pass(2 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 2 * each);
	succeed(rocprofiler_close(context));
}
END_TEST

/* The instance of each shader engine, added up; all of them are the sum. */
START_TEST(instances_of_engines)
{
	rocprofiler_feature_t features[] = { METRIC("TA_TA_BUSY[3]"),
					     METRIC("TA_TA_BUSY[4]") };
	rocprofiler_t *context = open_features(features, 2);
	const unsigned each = engines();
	uint64_t first;

	scene_set("default", "formula");
	ck_assert_uint_eq(groups_of(context), 1);
	succeed(rocprofiler_start(context, 0));
	scene_pass(1 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	succeed(rocprofiler_get_metrics(context));
	first = features[0].data.result_int64;
	ck_assert_uint_gt(first, 0);
	/* by the formula neighbours differ by one in each millisecond */
	expect_count(&features[1], first + each);
	succeed(rocprofiler_close(context));
}
END_TEST

/* The sequencers of work group processors are one SQ. */
START_TEST(sq_is_one_on_rdna)
{
	rocprofiler_feature_t features[] = { METRIC("SQ_WAVES"),
					     METRIC("TA_TA_BUSY[15]") };
	rocprofiler_t *context = open_features(features, 2);

	scene_set("default", "zero");
	scene_set("rate", "SQ_WGP.4 1000");
	scene_set("rate", "SQ_WGP.4 instance=47 5000");
	succeed(rocprofiler_start(context, 0));
	scene_pass(1 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	expect_count(&features[0], 47 + 5);
	succeed(rocprofiler_close(context));
}
END_TEST

START_TEST(order_of_calls)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);

	feature.data.kind = ROCPROFILER_DATA_KIND_UNINIT;
	deny(rocprofiler_read(context, 0), EINVAL, "not started");
	deny(rocprofiler_stop(context, 0), EINVAL, "not started");
	deny(rocprofiler_get_data(context, 0), ENODATA, "nothing has been");
	deny(rocprofiler_get_metrics(context), ENODATA, "SQ_WAVES");
	deny(rocprofiler_start(context, 1), ERANGE, "no group 1");
	deny(rocprofiler_stop(context, 1), ERANGE, "no group 1");
	deny(rocprofiler_read(context, 1), ERANGE, "no group 1");
	deny(rocprofiler_reset(context, 1), ERANGE, "no group 1");
	deny(rocprofiler_get_data(context, 1), ERANGE, "no group 1");
	succeed(rocprofiler_start(context, 0));
	deny(rocprofiler_start(context, 0), EALREADY, "");
	/* closing stops, and another may count */
	succeed(rocprofiler_close(context));
	context = open_features(&feature, 1);
	succeed(rocprofiler_start(context, 0));
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_close(context));
}
END_TEST

START_TEST(null_is_refused)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);
	rocprofiler_group_t group;
	uint32_t count;

	deny(rocprofiler_start(NULL, 0), EINVAL, "context");
	deny(rocprofiler_group_start(NULL), EINVAL, "group");
	deny(rocprofiler_get_metrics(NULL), EINVAL, "context");
	deny(rocprofiler_group_count(NULL, &count), EINVAL, "context");
	deny(rocprofiler_group_count(context, NULL), EINVAL, "group_count");
	deny(rocprofiler_get_group(NULL, 0, &group), EINVAL, "context");
	deny(rocprofiler_get_group(context, 0, NULL), EINVAL, "group");
	deny(rocprofiler_get_agent(context, NULL), EINVAL, "agent");
	deny(rocprofiler_iterate_trace_data(NULL, NULL, NULL), EINVAL,
	     "context");
	succeed(rocprofiler_close(context));
}
END_TEST

/* Handles of what is closed, or of something else. */
START_TEST(stale_handles)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_pool_properties_t properties = { 0 };
	rocprofiler_pool_entry_t entry;
	rocprofiler_pool_t *pool;
	rocprofiler_t *context = open_features(&feature, 1);
	rocprofiler_group_t group;
	uint32_t count;

	succeed(rocprofiler_get_group(context, 0, &group));
	succeed(rocprofiler_pool_open(gpus[0], &feature, 1, &pool, 0,
				      &properties));
	succeed(rocprofiler_pool_fetch(pool, &entry));
	deny(rocprofiler_close(entry.context), EINVAL, "pool");
	deny(rocprofiler_start(pool, 0), EINVAL, "context is not open");
	deny(rocprofiler_pool_fetch(context, &entry), EINVAL,
	     "pool is not open");
	succeed(rocprofiler_start(context, 0));
	succeed(rocprofiler_close(context));
	deny(rocprofiler_close(context), EINVAL, "context is not open");
	deny(rocprofiler_stop(context, 0), EINVAL, "not open");
	deny(rocprofiler_group_read(&group), EINVAL, "not open");
	deny(rocprofiler_group_get_data(&group), EINVAL, "not open");
	deny(rocprofiler_get_metrics(context), EINVAL, "not open");
	deny(rocprofiler_group_count(context, &count), EINVAL, "not open");
	deny(rocprofiler_get_group(context, 0, &group), EINVAL, "not open");
	succeed(rocprofiler_pool_close(pool));
	deny(rocprofiler_pool_close(pool), EINVAL, "pool is not open");
	deny(rocprofiler_pool_flush(pool), EINVAL, "pool is not open");
	deny(rocprofiler_start(entry.context, 0), EINVAL, "not open");
}
END_TEST

/* Data of all groups first, in as many runs; then the metrics. */
START_TEST(metrics_need_all_groups)
{
	rocprofiler_feature_t features[] = TOO_MANY;
	rocprofiler_t *context = open_features(features, 4);
	const unsigned each = engines();
	rocprofiler_group_t group;

	for (uint32_t i = 0; i < 2; i++) {
		deny(rocprofiler_get_metrics(context), ENODATA, "no data");
		succeed(rocprofiler_get_group(context, i, &group));
		succeed(rocprofiler_group_start(&group));
		scene_pass(5 * MS);
		succeed(rocprofiler_group_read(&group));
		succeed(rocprofiler_group_stop(&group));
		succeed(rocprofiler_group_get_data(&group));
	}
	succeed(rocprofiler_get_metrics(context));
	expect_count(&features[1], 5 * each);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_int_eq(features[i].data.kind,
				 ROCPROFILER_DATA_KIND_INT64);
	succeed(rocprofiler_close(context));
}
END_TEST

static void
collect(rocprofiler_t *context, uint32_t index, rocprofiler_data_t *saved)
{
	rocprofiler_group_t group;

	succeed(rocprofiler_get_group(context, index, &group));
	ck_assert_uint_le(group.feature_count, MOST);
	succeed(rocprofiler_group_start(&group));
	scene_pass(5 * MS);
	succeed(rocprofiler_group_stop(&group));
	succeed(rocprofiler_group_get_data(&group));
	for (uint32_t i = 0; i < group.feature_count; i++)
		saved[i] = group.features[i]->data;
}

static void
put_back(rocprofiler_t *context, uint32_t index,
	 const rocprofiler_data_t *saved)
{
	rocprofiler_group_t group;

	succeed(rocprofiler_get_group(context, index, &group));
	for (uint32_t i = 0; i < group.feature_count; i++)
		group.features[i]->data = saved[i];
}

/* A metric of ROCP_METRICS; its data are those of groups that were saved. */
START_TEST(metric_of_several_runs)
{
	rocprofiler_feature_t features[] = { METRIC("GRBM_THREE"),
					     METRIC("SQ_WAVES") };
	rocprofiler_data_t saved[2][MOST];
	rocprofiler_t *context;

	scene_set("default", "zero");
	scene_set("rate", "CPF.0 1/clock"); /* the witness */
	scene_set("rate", "GRBM.2 1000");
	scene_set("rate", "GRBM.3 1000");
	scene_set("rate", "GRBM.11 1000");
	deny(rocprofiler_open(gpus[0], features, 2, &context,
			      ROCPROFILER_MODE_SINGLEGROUP, NULL),
	     E2BIG, "GRBM");
	context = open_features(features, 2);
	ck_assert_uint_eq(groups_of(context), 2);
	collect(context, 0, saved[0]);
	deny(rocprofiler_get_metrics(context), ENODATA, "GRBM_THREE");
	collect(context, 1, saved[1]);
	succeed(rocprofiler_get_metrics(context));
	ck_assert_int_eq(features[0].data.kind, ROCPROFILER_DATA_KIND_DOUBLE);
	ck_assert_double_eq(features[0].data.result_double, 5 * (1 + 2 + 3));
	succeed(rocprofiler_close(context));
	/* loaded into another context, that has counted nothing */
	context = open_features(features, 2);
	put_back(context, 0, saved[0]);
	put_back(context, 1, saved[1]);
	succeed(rocprofiler_get_metrics(context));
	ck_assert_double_eq(features[0].data.result_double, 5 * (1 + 2 + 3));
	succeed(rocprofiler_close(context));
}
END_TEST

/* ------------------------------------------------------------------ */
/* 5.3: completion                                                      */

struct done {
	unsigned calls;
	rocprofiler_group_t group;
};

static bool
complete(rocprofiler_group_t group, void *arg)
{
	struct done *done = arg;

	done->calls++;
	done->group = group;
	succeed(rocprofiler_group_get_data(&group));
	succeed(rocprofiler_get_metrics(group.context));
	succeed(rocprofiler_close(group.context));
	return true;
}

START_TEST(handler_is_called_when_data_are_ready)
{
	const unsigned each = engines();
	struct done done = { 0 };
	rocprofiler_properties_t properties = { .handler = complete,
						.handler_arg = &done };
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context;

	succeed(rocprofiler_open(gpus[0], &feature, 1, &context,
				 ROCPROFILER_MODE_SINGLEGROUP, &properties));
	succeed(rocprofiler_start(context, 0));
	scene_pass(4 * MS);
	ck_assert_uint_eq(done.calls, 0);
	succeed(rocprofiler_stop(context, 0));
	ck_assert_uint_eq(done.calls, 1);
	ck_assert_ptr_eq(done.group.context, context);
	expect_count(&feature, 4 * each);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Time                                                                 */

START_TEST(time_of_clocks)
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
		succeed(rocprofiler_get_time((rocprofiler_time_id_t)i,
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
	succeed(rocprofiler_get_time(0, 0, NULL, NULL));
	deny(rocprofiler_get_time((rocprofiler_time_id_t)5, 0, &value, NULL),
	     EINVAL, "time id 5");
}
END_TEST

/* ------------------------------------------------------------------ */
/* Several GPUs, processes                                              */

/* The simulator puts GPU 0 on bus 3, GPU 1 on bus 4. */
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

/* Each agent is the GPU at its PCI address, in whatever order. */
START_TEST(agents_are_matched_by_address)
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

		succeed(rocprofiler_open(gpus[i], &feature, 1, &context, 0,
					 NULL));
		succeed(rocprofiler_start(context, 0));
		scene_pass(1 * MS);
		succeed(rocprofiler_stop(context, 0));
		succeed(rocprofiler_get_data(context, 0));
		own_read(&own, &value);
		expect_count(&feature, index ? 24 : 4);
		expect_count(&feature, value.u64);
		succeed(rocprofiler_close(context));
		own_end(&own);
	}
}
END_TEST

START_TEST(agent_without_a_driver)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context;
	uint32_t count = 3;

	hsa_shut_down();
	setenv("HSA_STANDIN_STRANGER", "1", 1);
	set_up();
	unsetenv("HSA_STANDIN_STRANGER");
	deny(rocprofiler_open(gpus[gpu_count - 1], &feature, 1, &context, 0,
			      NULL),
	     ENODEV, "0fff:00:00.0");
	deny(rocprofiler_get_info(NULL, ROCPROFILER_INFO_KIND_METRIC_COUNT,
				  &count),
	     ENODEV, "0fff:00:00.0");
	ck_assert_uint_eq(count, 3);
}
END_TEST

static void *
count_alone(void *data)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");

	(void)data;
	for (unsigned i = 0; i < 5; i++) {
		rocprofiler_t *context = open_features(&feature, 1);

		ck_assert_uint_gt(metric_count(&gpus[0]), 100);
		succeed(rocprofiler_start(context, 0));
		succeed(rocprofiler_read(context, 0));
		succeed(rocprofiler_stop(context, 0));
		succeed(rocprofiler_get_data(context, 0));
		succeed(rocprofiler_close(context));
	}
	return NULL;
}

/* Contexts of several threads, whose counters fit together. */
START_TEST(threads_count_at_once)
{
	pthread_t threads[4];

	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, count_alone,
						NULL),
				 0);
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++)
		pthread_join(threads[i], NULL);
}
END_TEST

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

START_TEST(child_leaves_the_parents_alone)
{
	const unsigned each = engines();
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);
	pid_t child;
	int status;

	succeed(rocprofiler_start(context, 0));
	child = fork();
	if (!child)
		child_end(use_parents(context));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	scene_pass(5 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 5 * each);
	succeed(rocprofiler_close(context));
}
END_TEST

/* ------------------------------------------------------------------ */
/* 2: environment                                                       */

START_TEST(tool_library_is_loaded)
{
	ck_assert(OnLoad(NULL, 1, 0, NULL));
	OnUnload();
	setenv("ROCP_TOOL_LIB", "/nonexistent.so", 1);
	ck_assert(!OnLoad(NULL, 1, 0, NULL));
	deny(HSA_STATUS_ERROR, ENOENT, "ROCP_TOOL_LIB");
	setenv("ROCP_TOOL_LIB", "libm.so.6", 1);
	ck_assert(!OnLoad(NULL, 1, 0, NULL));
	deny(HSA_STATUS_ERROR, ENOEXEC, "OnUnloadTool");
	OnUnload();
	unsetenv("ROCP_TOOL_LIB");
}
END_TEST

/* ------------------------------------------------------------------ */
/* Suites                                                               */

static TCase *
add_case(Suite *suite, const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 0); /* any machine: check.sh has its own */
	suite_add_tcase(suite, tcase);
	return tcase;
}

static void
add_information(Suite *suite)
{
	TCase *tcase = add_case(suite, "information");

	tcase_add_test(tcase, library_versions);
	tcase_add_test(tcase, error_number_and_string_of_last_failed_call);
	tcase_add_test(tcase, status_is_of_hsa);
	tcase_add_test(tcase, metrics_are_iterated_and_counted);
	tcase_add_test(tcase, counters_are_of_a_block);
	tcase_add_test(tcase, what_is_listed_can_be_measured);
	tcase_add_test(tcase, no_agent_means_all);
	tcase_add_test(tcase, callback_ends_the_iteration);
	tcase_add_test(tcase, null_fields_of_a_query_are_wildcards);
	tcase_add_test(tcase, queries_of_a_kind);
	tcase_add_test(tcase, there_are_no_traces);
	tcase_add_test(tcase, wrong_kinds_of_information);
}

static void
add_contexts(Suite *suite)
{
	TCase *tcase = add_case(suite, "contexts");

	tcase_add_test(tcase, context_has_its_agent);
	tcase_add_test(tcase, unknown_agents);
	tcase_add_test(tcase, features_have_names);
	tcase_add_test(tcase, unknown_modes);
	tcase_add_test(tcase, createqueue_makes_a_queue_of_that_depth);
	tcase_add_test(tcase, singlegroup_refuses_what_needs_more);
	tcase_add_test(tcase, groups_are_made_when_the_context_is_opened);
	tcase_add_test(tcase, no_features_are_one_empty_group);
}

static void
add_sampling(Suite *suite)
{
	TCase *tcase = add_case(suite, "sampling");

	tcase_add_test(tcase, values_are_those_of_libdrmperf);
	tcase_add_test(tcase, counters_by_block_and_number);
	tcase_add_test(tcase, feature_twice);
	tcase_add_test(tcase, counts_are_exact);
	tcase_add_test(tcase, reset_begins_from_zero);
	tcase_add_test(tcase, instances_of_engines);
	tcase_add_test(tcase, order_of_calls);
	tcase_add_test(tcase, null_is_refused);
	tcase_add_test(tcase, stale_handles);
	tcase_add_test(tcase, metrics_need_all_groups);
	tcase_add_test(tcase, metric_of_several_runs);
	tcase_add_test(tcase, handler_is_called_when_data_are_ready);
	tcase_add_test(tcase, time_of_clocks);
	tcase_add_test(tcase, threads_count_at_once);
	tcase_add_test(tcase, child_leaves_the_parents_alone);
	tcase_add_test(tcase, agent_without_a_driver);
	tcase_add_test(tcase, tool_library_is_loaded);
}

static Suite *
one_suite(void)
{
	Suite *suite = suite_create("roc_one");

	add_information(suite);
	add_contexts(suite);
	add_sampling(suite);
	return suite;
}

static Suite *
two_suite(void)
{
	Suite *suite = suite_create("roc_two");
	TCase *tcase = add_case(suite, "two");

	tcase_add_test(tcase, agents_are_matched_by_address);
	tcase_add_test(tcase, no_agent_means_all);
	return suite;
}

static Suite *
rdna_suite(void)
{
	Suite *suite = suite_create("roc_rdna");
	TCase *tcase = add_case(suite, "rdna");

	tcase_add_test(tcase, sq_is_one_on_rdna);
	tcase_add_test(tcase, what_is_listed_can_be_measured);
	return suite;
}

#define MACHINE(...)                                                           \
	(const char *const[])                                                  \
	{                                                                      \
		"--time", "virtual", "--strict", __VA_ARGS__ NULL              \
	}

static const struct machine machines[] = {
	{ MACHINE("--gpu", "vega20", ), "roc_one" },
	{ MACHINE("--gpu", "mi100", ), "roc_one" },
	{ MACHINE("--gpu", "mi200", ), "roc_one" },
	{ MACHINE("--gpu", "vega20", "--gpu", "mi200", ), "roc_two" },
	{ MACHINE("--gpu", "navi31", ), "roc_rdna" },
};

int
main(void)
{
	SRunner *runner;

	use_own_metrics();
	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines));
	runner = srunner_create(one_suite());
	srunner_add_suite(runner, two_suite());
	srunner_add_suite(runner, rdna_suite());
	return suites_run(runner);
}
