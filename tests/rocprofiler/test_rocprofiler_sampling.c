/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sampling, sentence by sentence of the ROC profiler's specification, on
 * simulated GPUs in virtual time. Values are held against sessions of
 * libdrmperf itself.
 */
#include <errno.h>
#include <stdio.h>

#include "contexts.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

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

TEST_CASE(sampling, begin_agents, end_agents, "roc_sampling");

TEST(sampling, values_are_those_of_libdrmperf)
{
	rocprofiler_feature_t features[] = SAME_FEATURES;
	rocprofiler_t *context = open_features(features, 4);
	struct own own = own_start(own_names, 4, 0);
	union drmperf_value values[4];

	scene_set("rate", "SQ.4 1000");
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(10 * MS);
	must_succeed(rocprofiler_read(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	must_succeed(rocprofiler_get_metrics(context));
	own_read(&own, values);
	expect_same(features, values);
	scene_pass(7 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	own_read(&own, values);
	scene_pass(7 * MS);
	must_succeed(rocprofiler_get_data(context, 0));
	must_succeed(rocprofiler_get_metrics(context));
	expect_same(features, values);
	must_succeed(rocprofiler_close(context));
	own_end(&own);
}

/* ROCm's metrics files have no name for everything. */
TEST(sampling, counters_by_block_and_number)
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
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(3 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	ck_assert_uint_gt(features[0].data.result_int64, 0);
	expect_count(&features[0], features[1].data.result_int64);
	ck_assert_uint_gt(features[3].data.result_int64, 0);
	expect_count(&features[3], features[2].data.result_int64);
	must_succeed(rocprofiler_close(context));
}

/* The sum of all instances, under a name for what ROCm has none. */
TEST(sampling, instances_are_added_up)
{
	rocprofiler_feature_t features[] = {
		METRIC("TCC_HIT[*]"),	 METRIC("TCC_HIT_sum"),
		METRIC("SQ_WAVES[*]"),	 METRIC("SQ_WAVES"),
		METRIC("L2CacheHit[*]"), METRIC("L2CacheHit")
	};
	rocprofiler_t *context = open_features(features, 6);

	scene_set("rate", "SQ.4 1000");
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(3 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	ck_assert_uint_gt(features[0].data.result_int64, 0);
	ck_assert_double_eq((double)features[0].data.result_int64,
			    features[1].data.result_double);
	ck_assert_uint_gt(features[2].data.result_int64, 0);
	expect_count(&features[2], features[3].data.result_int64);
	ck_assert_double_eq(features[4].data.result_double,
			    features[5].data.result_double);
	must_succeed(rocprofiler_close(context));
}

TEST(sampling, feature_twice)
{
	rocprofiler_feature_t features[] = { METRIC("GRBM_COUNT"),
					     METRIC("GRBM_COUNT"),
					     METRIC("L2CacheHit"),
					     METRIC("L2CacheHit") };
	rocprofiler_t *context = open_features(features, 4);

	ck_assert_uint_eq(groups_of(context), 1);
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(3 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	ck_assert_uint_gt(features[0].data.result_int64, 0);
	expect_count(&features[1], features[0].data.result_int64);
	ck_assert_double_eq(features[2].data.result_double,
			    features[3].data.result_double);
	must_succeed(rocprofiler_close(context));
}

TEST(sampling, counts_are_exact)
{
	const unsigned each = count_engines();
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);

	ck_assert(each == 4 || each == 8);
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(10 * MS);
	must_succeed(rocprofiler_read(context, 0));
	scene_pass(10 * MS); /* what comes later is not in what was read */
	must_succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 10 * each);
	must_succeed(rocprofiler_read(context, 0));
	ck_assert_uint_eq(feature.data.result_int64, 10 * each);
	must_succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 20 * each);
	must_succeed(rocprofiler_stop(context, 0));
	scene_pass(10 * MS);
	/* from zero again */
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(3 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 3 * each);
	must_succeed(rocprofiler_close(context));
}

TEST(sampling, reset_begins_from_zero)
{
	const unsigned each = count_engines();
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);

	must_succeed(rocprofiler_reset(context, 0));
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(10 * MS);
	must_succeed(rocprofiler_reset(context, 0));
	must_fail(rocprofiler_get_data(context, 0), ENODATA, "group 0");
	scene_pass(2 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	expect_count(&feature, 2 * each);
	must_succeed(rocprofiler_close(context));
}

/* The instance of each shader engine, added up; all of them are the sum. */
TEST(sampling, instances_of_engines)
{
	rocprofiler_feature_t features[] = { METRIC("TA_TA_BUSY[3]"),
					     METRIC("TA_TA_BUSY[4]") };
	rocprofiler_t *context = open_features(features, 2);
	const unsigned each = count_engines();
	uint64_t first;

	scene_set("default", "formula");
	ck_assert_uint_eq(groups_of(context), 1);
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(1 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	must_succeed(rocprofiler_get_metrics(context));
	first = features[0].data.result_int64;
	ck_assert_uint_gt(first, 0);
	/* by the formula neighbours differ by one in each millisecond */
	expect_count(&features[1], first + each);
	must_succeed(rocprofiler_close(context));
}

TEST_CASE(rdna, begin_agents, end_agents, "roc_sampling_rdna");

/* The sequencers of work group processors are one SQ. */
TEST(rdna, sq_is_one_on_rdna)
{
	rocprofiler_feature_t features[] = { METRIC("SQ_WAVES"),
					     METRIC("TA_TA_BUSY[15]") };
	rocprofiler_t *context = open_features(features, 2);

	scene_set("default", "zero");
	scene_set("rate", "SQ_WGP.4 1000");
	scene_set("rate", "SQ_WGP.4 instance=47 5000");
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(1 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	expect_count(&features[0], 47 + 5);
	must_succeed(rocprofiler_close(context));
}

TEST(sampling, order_of_calls)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);

	feature.data.kind = ROCPROFILER_DATA_KIND_UNINIT;
	must_fail(rocprofiler_read(context, 0), EINVAL, "not started");
	must_fail(rocprofiler_stop(context, 0), EINVAL, "not started");
	must_fail(rocprofiler_get_data(context, 0), ENODATA,
		  "nothing has been");
	must_fail(rocprofiler_get_metrics(context), ENODATA, "SQ_WAVES");
	must_fail(rocprofiler_start(context, 1), ERANGE, "no group 1");
	must_fail(rocprofiler_stop(context, 1), ERANGE, "no group 1");
	must_fail(rocprofiler_read(context, 1), ERANGE, "no group 1");
	must_fail(rocprofiler_reset(context, 1), ERANGE, "no group 1");
	must_fail(rocprofiler_get_data(context, 1), ERANGE, "no group 1");
	must_succeed(rocprofiler_start(context, 0));
	must_fail(rocprofiler_start(context, 0), EALREADY, "");
	/* closing stops, and another may count */
	must_succeed(rocprofiler_close(context));
	context = open_features(&feature, 1);
	must_succeed(rocprofiler_start(context, 0));
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_close(context));
}

TEST(sampling, null_is_refused)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context = open_features(&feature, 1);
	rocprofiler_group_t group;
	uint32_t count;

	must_fail(rocprofiler_start(NULL, 0), EINVAL, "context");
	must_fail(rocprofiler_group_start(NULL), EINVAL, "group");
	must_fail(rocprofiler_get_metrics(NULL), EINVAL, "context");
	must_fail(rocprofiler_group_count(NULL, &count), EINVAL, "context");
	must_fail(rocprofiler_group_count(context, NULL), EINVAL,
		  "group_count");
	must_fail(rocprofiler_get_group(NULL, 0, &group), EINVAL, "context");
	must_fail(rocprofiler_get_group(context, 0, NULL), EINVAL, "group");
	must_fail(rocprofiler_get_agent(context, NULL), EINVAL, "agent");
	must_fail(rocprofiler_iterate_trace_data(NULL, NULL, NULL), EINVAL,
		  "context");
	must_succeed(rocprofiler_close(context));
}

/* Handles of what is closed, or of something else. */
TEST(sampling, stale_handles)
{
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_pool_properties_t properties = { 0 };
	rocprofiler_pool_entry_t entry;
	rocprofiler_pool_t *pool;
	rocprofiler_t *context = open_features(&feature, 1);
	rocprofiler_group_t group;
	uint32_t count;

	must_succeed(rocprofiler_get_group(context, 0, &group));
	must_succeed(rocprofiler_pool_open(gpus[0], &feature, 1, &pool, 0,
					   &properties));
	must_succeed(rocprofiler_pool_fetch(pool, &entry));
	must_fail(rocprofiler_close(entry.context), EINVAL, "pool");
	must_fail(rocprofiler_start(pool, 0), EINVAL, "context is not open");
	must_fail(rocprofiler_pool_fetch(context, &entry), EINVAL,
		  "pool is not open");
	must_succeed(rocprofiler_start(context, 0));
	must_succeed(rocprofiler_close(context));
	must_fail(rocprofiler_close(context), EINVAL, "context is not open");
	must_fail(rocprofiler_stop(context, 0), EINVAL, "not open");
	must_fail(rocprofiler_group_read(&group), EINVAL, "not open");
	must_fail(rocprofiler_group_get_data(&group), EINVAL, "not open");
	must_fail(rocprofiler_get_metrics(context), EINVAL, "not open");
	must_fail(rocprofiler_group_count(context, &count), EINVAL, "not open");
	must_fail(rocprofiler_get_group(context, 0, &group), EINVAL,
		  "not open");
	must_succeed(rocprofiler_pool_close(pool));
	must_fail(rocprofiler_pool_close(pool), EINVAL, "pool is not open");
	must_fail(rocprofiler_pool_flush(pool), EINVAL, "pool is not open");
	must_fail(rocprofiler_start(entry.context, 0), EINVAL, "not open");
}

/* Data of all groups first, in as many runs; then the metrics. */
TEST(sampling, metrics_need_all_groups)
{
	rocprofiler_feature_t features[] = TOO_MANY;
	rocprofiler_t *context = open_features(features, 4);
	const unsigned each = count_engines();
	rocprofiler_group_t group;

	for (uint32_t i = 0; i < 2; i++) {
		must_fail(rocprofiler_get_metrics(context), ENODATA, "no data");
		must_succeed(rocprofiler_get_group(context, i, &group));
		must_succeed(rocprofiler_group_start(&group));
		scene_pass(5 * MS);
		must_succeed(rocprofiler_group_read(&group));
		must_succeed(rocprofiler_group_stop(&group));
		must_succeed(rocprofiler_group_get_data(&group));
	}
	must_succeed(rocprofiler_get_metrics(context));
	expect_count(&features[1], 5 * each);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_int_eq(features[i].data.kind,
				 ROCPROFILER_DATA_KIND_INT64);
	must_succeed(rocprofiler_close(context));
}

static void
collect_data(rocprofiler_t *context, uint32_t index, rocprofiler_data_t *saved)
{
	rocprofiler_group_t group;

	must_succeed(rocprofiler_get_group(context, index, &group));
	ck_assert_uint_le(group.feature_count, MOST);
	must_succeed(rocprofiler_group_start(&group));
	scene_pass(5 * MS);
	must_succeed(rocprofiler_group_stop(&group));
	must_succeed(rocprofiler_group_get_data(&group));
	for (uint32_t i = 0; i < group.feature_count; i++)
		saved[i] = group.features[i]->data;
}

static void
put_back(rocprofiler_t *context, uint32_t index,
	 const rocprofiler_data_t *saved)
{
	rocprofiler_group_t group;

	must_succeed(rocprofiler_get_group(context, index, &group));
	for (uint32_t i = 0; i < group.feature_count; i++)
		group.features[i]->data = saved[i];
}

/* A metric of ROCP_METRICS; its data are those of groups that were saved. */
TEST(sampling, metric_of_several_runs)
{
	rocprofiler_feature_t features[] = { METRIC("GRBM_THREE"),
					     METRIC("SQ_WAVES") };
	rocprofiler_data_t saved[2][MOST];
	rocprofiler_t *context;

	scene_set("default", "zero");
	scene_set("rate", "CPF.0 1/clock"); /* the core clock's event */
	scene_set("rate", "GRBM.2 1000");
	scene_set("rate", "GRBM.3 1000");
	scene_set("rate", "GRBM.11 1000");
	must_fail(rocprofiler_open(gpus[0], features, 2, &context,
				   ROCPROFILER_MODE_SINGLEGROUP, NULL),
		  E2BIG, "GRBM");
	context = open_features(features, 2);
	ck_assert_uint_eq(groups_of(context), 2);
	collect_data(context, 0, saved[0]);
	must_fail(rocprofiler_get_metrics(context), ENODATA, "GRBM_THREE");
	collect_data(context, 1, saved[1]);
	must_succeed(rocprofiler_get_metrics(context));
	ck_assert_int_eq(features[0].data.kind, ROCPROFILER_DATA_KIND_DOUBLE);
	ck_assert_double_eq(features[0].data.result_double, 5 * (1 + 2 + 3));
	must_succeed(rocprofiler_close(context));
	/* loaded into another context, that has counted nothing */
	context = open_features(features, 2);
	put_back(context, 0, saved[0]);
	put_back(context, 1, saved[1]);
	must_succeed(rocprofiler_get_metrics(context));
	ck_assert_double_eq(features[0].data.result_double, 5 * (1 + 2 + 3));
	must_succeed(rocprofiler_close(context));
}

/* ------------------------------------------------------------------ */
/* 5.3: completion                                                      */

struct done {
	unsigned calls;
	rocprofiler_group_t group;
};

static bool
complete_group(rocprofiler_group_t group, void *arg)
{
	struct done *done = arg;

	done->calls++;
	done->group = group;
	must_succeed(rocprofiler_group_get_data(&group));
	must_succeed(rocprofiler_get_metrics(group.context));
	must_succeed(rocprofiler_close(group.context));
	return true;
}

TEST(sampling, handler_is_called_when_data_are_ready)
{
	const unsigned each = count_engines();
	struct done done = { 0 };
	rocprofiler_properties_t properties = { .handler = complete_group,
						.handler_arg = &done };
	rocprofiler_feature_t feature = METRIC("SQ_WAVES");
	rocprofiler_t *context;

	must_succeed(rocprofiler_open(gpus[0], &feature, 1, &context,
				      ROCPROFILER_MODE_SINGLEGROUP,
				      &properties));
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(4 * MS);
	ck_assert_uint_eq(done.calls, 0);
	must_succeed(rocprofiler_stop(context, 0));
	ck_assert_uint_eq(done.calls, 1);
	ck_assert_ptr_eq(done.group.context, context);
	expect_count(&feature, 4 * each);
}

TEST_MACHINE("roc_sampling", "--time", "virtual", "--strict", "--gpu",
	     "vega20");
TEST_MACHINE("roc_sampling", "--time", "virtual", "--strict", "--gpu", "mi100");
TEST_MACHINE("roc_sampling", "--time", "virtual", "--strict", "--gpu", "mi200");
TEST_MACHINE("roc_sampling_rdna", "--time", "virtual", "--strict", "--gpu",
	     "navi31");

TEST_OPTION(begin, use_own_metrics);
