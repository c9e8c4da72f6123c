/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentences of the ROC profiler's specification for which test_rocprofiler
 * has no room: arguments, when features have data, runs and their handlers.
 * test_rocprofiler_queries has those of information.
 */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* Helpers                                                              */

static void
set_up(void)
{
	begin_hsa();
	scene_set("default", "zero");
	scene_set("rate", "SQ.4 1000");
}

TEST_CASE(errors, set_up, end_hsa, "roc_sentences");
TEST_CASE(contexts, set_up, end_hsa, "roc_sentences");

static rocprofiler_t *
open_features(rocprofiler_feature_t *features, uint32_t count)
{
	rocprofiler_t *context = NULL;

	must_succeed(rocprofiler_open(gpu_agent, features, count, &context, 0,
				      NULL));
	return context;
}

/* ------------------------------------------------------------------ */
/* 3.2: errors                                                          */

static void *
fail_elsewhere(void *data)
{
	(void)data;
	ck_assert_str_eq(error_text(), "");
	must_fail(rocprofiler_start(NULL, 0), EINVAL, "context");
	return NULL;
}

/* "the last failed library API call": the text is there until the next one */
TEST(errors, error_string_stays_until_the_next_failure)
{
	rocprofiler_feature_t feature = { .name = "SQ_NOTHING" };
	rocprofiler_t *context;
	const char *text, *later;
	pthread_t thread;
	char kept[1024];
	uint32_t count;

	must_fail(rocprofiler_open(gpu_agent, &feature, 1, &context, 0, NULL),
		  ENOENT, "SQ_NOTHING");
	must_succeed(rocprofiler_error_string(&text));
	snprintf(kept, sizeof(kept), "%s", text);
	must_succeed(rocprofiler_get_info(
		&gpu_agent, ROCPROFILER_INFO_KIND_METRIC_COUNT, &count));
	ck_assert_int_eq(pthread_create(&thread, NULL, fail_elsewhere, NULL),
			 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	must_succeed(rocprofiler_error_string(&later));
	ck_assert_str_eq(text, kept);
	ck_assert_str_eq(later, kept);
	ck_assert_int_eq(rocprofiler_errno(), ENOENT);
	must_fail(rocprofiler_stop(NULL, 0), EINVAL, "context");
	ck_assert_ptr_null(strstr(error_text(), "SQ_NOTHING"));
}

/* ------------------------------------------------------------------ */
/* 4.3: features, contexts, groups                                      */

/* "data uninitialized" until there are some; the rest is the caller's */
TEST(contexts, features_have_data_when_they_were_got_and_nothing_else_changes)
{
	const rocprofiler_feature_t named[] = { { .name = "SQ_WAVES" },
						{ .name = "L2CacheHit" } };
	rocprofiler_feature_t features[2];
	rocprofiler_t *context;

	memcpy(features, named, sizeof(features));
	for (unsigned i = 0; i < 2; i++)
		features[i].data.kind = ROCPROFILER_DATA_KIND_BYTES;
	context = open_features(features, 2);
	for (unsigned step = 0; step < 3; step++) {
		for (unsigned i = 0; i < 2; i++)
			ck_assert_int_eq(features[i].data.kind,
					 ROCPROFILER_DATA_KIND_UNINIT);
		must_succeed(step == 0	 ? rocprofiler_start(context, 0)
			     : step == 1 ? rocprofiler_read(context, 0)
					 : rocprofiler_stop(context, 0));
		scene_pass(1 * MS);
	}
	must_succeed(rocprofiler_get_data(context, 0));
	ck_assert_int_eq(features[0].data.kind, ROCPROFILER_DATA_KIND_INT64);
	ck_assert_int_eq(features[1].data.kind, ROCPROFILER_DATA_KIND_DOUBLE);
	must_succeed(rocprofiler_close(context));
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(features[i].kind, named[i].kind);
		ck_assert_ptr_eq(features[i].name, named[i].name);
		ck_assert_ptr_null(features[i].parameters);
		ck_assert_uint_eq(features[i].parameter_count, 0);
	}
}

static hsa_status_t
never_trace(hsa_ven_amd_aqlprofile_info_type_t type,
	    hsa_ven_amd_aqlprofile_info_data_t *data, void *arg)
{
	(void)type;
	(void)data;
	(void)arg;
	ck_abort_msg("there are no traces");
}

static const unsigned kinds[] = { ROCPROFILER_FEATURE_KIND_SPM_MOD,
				  ROCPROFILER_FEATURE_KIND_PCSMP_MOD, 3, 77 };

/* One of two features is no metric: neither is counted. */
TEST_LOOP(contexts, features_that_are_no_metrics, ARRAY_SIZE(kinds))
{
	rocprofiler_feature_t features[] = { { .name = "SQ_WAVES" },
					     { .name = "SQ_WAVES" } };
	rocprofiler_t *context = NULL;

	features[1].kind = (rocprofiler_feature_kind_t)kinds[_i];
	must_fail(rocprofiler_open(gpu_agent, features, 2, &context, 0, NULL),
		  ENOTSUP, "no features of kind");
	ck_assert_ptr_null(context);
	context = open_features(features, 1);
	must_succeed(
		rocprofiler_iterate_trace_data(context, never_trace, NULL));
	must_succeed(rocprofiler_close(context));
}

static hsa_status_t
start_context(rocprofiler_t *context)
{
	return rocprofiler_start(context, 0);
}

static hsa_status_t
stop_context(rocprofiler_t *context)
{
	return rocprofiler_stop(context, 0);
}

static hsa_status_t
read_it(rocprofiler_t *context)
{
	return rocprofiler_read(context, 0);
}

static hsa_status_t
reset_context(rocprofiler_t *context)
{
	return rocprofiler_reset(context, 0);
}

static hsa_status_t
get_data(rocprofiler_t *context)
{
	return rocprofiler_get_data(context, 0);
}

static hsa_status_t
get_metrics(rocprofiler_t *context)
{
	return rocprofiler_get_metrics(context);
}

static hsa_status_t
group_count(rocprofiler_t *context)
{
	uint32_t count;

	return rocprofiler_group_count(context, &count);
}

static hsa_status_t
get_agent(rocprofiler_t *context)
{
	hsa_agent_t agent;

	return rocprofiler_get_agent(context, &agent);
}

static hsa_status_t (*const of_contexts[])(rocprofiler_t *context) = {
	start_context, stop_context, read_it,	  reset_context,
	get_data,      get_metrics,  group_count, get_agent,
};

static hsa_status_t (*const of_groups[])(rocprofiler_group_t *group) = {
	rocprofiler_group_start,
	rocprofiler_group_stop,
	rocprofiler_group_read,
	rocprofiler_group_get_data,
};

/* What is no context of this library's, and a group that was put together. */
TEST(contexts, no_context_and_no_group)
{
	rocprofiler_feature_t feature = { .name = "SQ_WAVES" };
	rocprofiler_t *context = open_features(&feature, 1);
	rocprofiler_group_t nowhere = { .index = 0 }, beyond;

	must_succeed(rocprofiler_get_group(context, 0, &beyond));
	beyond.index = 7;
	for (size_t i = 0; i < ARRAY_SIZE(of_contexts); i++) {
		must_fail(of_contexts[i](NULL), EINVAL, "context");
		must_fail(of_contexts[i](&feature), EINVAL, "not open");
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_groups); i++) {
		must_fail(of_groups[i](NULL), EINVAL, "group is NULL");
		must_fail(of_groups[i](&nowhere), EINVAL, "context");
		must_fail(of_groups[i](&beyond), ERANGE, "no group 7");
	}
	must_succeed(rocprofiler_close(context));
}

static uint64_t
count_with(uint32_t mode, rocprofiler_properties_t *properties)
{
	rocprofiler_feature_t feature = { .name = "SQ_WAVES" };
	rocprofiler_t *context;

	must_succeed(rocprofiler_open(gpu_agent, &feature, 1, &context, mode,
				      properties));
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(5 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	must_succeed(rocprofiler_close(context));
	return feature.data.result_int64;
}

/* "the queue can be set by the property 'queue' or a queue will be created" */
TEST(contexts, standalone_counts_with_any_queue_and_without)
{
	rocprofiler_properties_t none = { 0 },
				 given = { .queue = make_queue() },
				 made = { .queue_depth = 64 };
	const uint64_t count = count_with(0, NULL);

	ck_assert_uint_gt(count, 0);
	ck_assert_uint_eq(count_with(ROCPROFILER_MODE_STANDALONE, NULL), count);
	ck_assert_uint_eq(count_with(ROCPROFILER_MODE_STANDALONE, &none),
			  count);
	ck_assert_uint_eq(count_with(ROCPROFILER_MODE_STANDALONE, &given),
			  count);
	ck_assert_uint_eq(count_with(ROCPROFILER_MODE_STANDALONE |
					     ROCPROFILER_MODE_CREATEQUEUE |
					     ROCPROFILER_MODE_SINGLEGROUP,
				     &made),
			  count);
	ck_assert_ptr_null(none.queue);
	ck_assert_uint_eq(made.queue->size, 64);
	must_succeed(hsa_queue_destroy(given.queue));
	must_succeed(hsa_queue_destroy(made.queue));
}

/* ------------------------------------------------------------------ */
/* 4.3: "callback which will be called when the context data is ready"  */

struct ready {
	unsigned count;
	rocprofiler_group_t last;
};

static bool
be_ready(rocprofiler_group_t group, void *arg)
{
	struct ready *ready = arg;

	ready->count++;
	ready->last = group;
	must_succeed(rocprofiler_group_get_data(&group));
	return false;
}

/* One run after the other; GRBM counts two events at once. */
TEST(contexts, handler_is_handed_the_group_of_each_run)
{
	rocprofiler_feature_t features[] = { { .name = "GRBM_GUI_ACTIVE" },
					     { .name = "GRBM_CP_BUSY" },
					     { .name = "GRBM_SPI_BUSY" } };
	struct ready ready = { 0 };
	rocprofiler_properties_t properties = { .handler = be_ready,
						.handler_arg = &ready };
	rocprofiler_group_t group;
	rocprofiler_t *context;

	must_succeed(rocprofiler_open(gpu_agent, features, 3, &context, 0,
				      &properties));
	for (uint32_t i = 2; i--;) { /* in whatever order */
		must_succeed(rocprofiler_get_group(context, i, &group));
		must_succeed(rocprofiler_group_start(&group));
		must_succeed(rocprofiler_group_read(&group));
		must_succeed(rocprofiler_group_get_data(&group));
		ck_assert_uint_eq(ready.count, 1 - i);
		must_succeed(rocprofiler_group_stop(&group));
		ck_assert_uint_eq(ready.count, 2 - i);
		ck_assert_uint_eq(ready.last.index, i);
		ck_assert_ptr_eq(ready.last.context, context);
		ck_assert_ptr_eq(ready.last.features, group.features);
		ck_assert_uint_eq(ready.last.feature_count,
				  group.feature_count);
	}
	must_succeed(rocprofiler_get_metrics(context));
	must_succeed(rocprofiler_close(context));
	ck_assert_uint_eq(ready.count, 2);
}

/* Features of a group are in the order in which they were asked for. */
TEST(contexts, features_of_a_group_are_in_order)
{
	rocprofiler_feature_t features[] = {
		{ .name = "TCC_HIT[5]" },    { .name = "GRBM_COUNT" },
		{ .name = "SQ_WAVES" },	     { .name = "GRBM_GUI_ACTIVE" },
		{ .name = "L2CacheHit" },    { .name = "GRBM_CP_BUSY" },
		{ .name = "TCC_HIT[3]" },    { .name = "SQ_BUSY_CYCLES" },
		{ .name = "GRBM_SPI_BUSY" },
	};
	rocprofiler_t *context = open_features(features, ARRAY_SIZE(features));
	rocprofiler_group_t group;
	uint32_t count, sum = 0;

	must_succeed(rocprofiler_group_count(context, &count));
	ck_assert_uint_gt(count, 1);
	for (uint32_t i = 0; i < count; i++) {
		must_succeed(rocprofiler_get_group(context, i, &group));
		sum += group.feature_count;
		for (uint32_t k = 1; k < group.feature_count; k++)
			ck_assert(group.features[k] > group.features[k - 1]);
	}
	ck_assert_uint_eq(sum, ARRAY_SIZE(features));
	must_succeed(rocprofiler_close(context));
}

TEST_MACHINE("roc_sentences", "--time", "virtual", "--strict", "--gpu",
	     "vega20");
TEST_MACHINE("roc_sentences", "--time", "virtual", "--strict", "--gpu",
	     "mi200");

TEST_OPTION(begin, use_own_metrics);
