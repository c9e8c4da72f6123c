/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentences of the ROC profiler's specification for which test_rocprofiler
 * has no room: arguments, queries, how long texts live, when features have
 * data, files of metrics, runs and their handlers.
 */
#include <rocprofiler/rocprofiler.h>

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "program.h"
#include "tests/below_drmsim.h"
#include "tests/scene.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static hsa_agent_t cpu;
static const hsa_agent_t nobody = { 1234 };

/* ------------------------------------------------------------------ */
/* Helpers                                                              */

static hsa_status_t
find_cpu(hsa_agent_t agent, void *data)
{
	hsa_device_type_t type;

	(void)data;
	succeed(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	if (type == HSA_DEVICE_TYPE_CPU)
		cpu = agent;
	return HSA_STATUS_SUCCESS;
}

static void
set_up(void)
{
	begin_hsa();
	succeed(hsa_iterate_agents(find_cpu, NULL));
	scene_set("default", "zero");
	scene_set("rate", "SQ.4 1000");
}

static void
tear_down(void)
{
	scene_set("default", "formula");
	succeed(hsa_shut_down());
}

static rocprofiler_t *
open_features(rocprofiler_feature_t *features, uint32_t count)
{
	rocprofiler_t *context = NULL;

	succeed(rocprofiler_open(gpu, features, count, &context, 0, NULL));
	return context;
}

/* All that is told. */
struct heard {
	rocprofiler_info_data_t *infos;
	size_t count;
};

static hsa_status_t
hear(const rocprofiler_info_data_t info, void *data)
{
	struct heard *heard = data;

	heard->infos =
		reallocarray(heard->infos, heard->count + 1, sizeof(info));
	heard->infos[heard->count++] = info;
	return HSA_STATUS_SUCCESS;
}

static struct heard
hear_all(const hsa_agent_t *agent)
{
	struct heard heard = { 0 };

	succeed(rocprofiler_iterate_info(agent, ROCPROFILER_INFO_KIND_METRIC,
					 hear, &heard));
	return heard;
}

static hsa_status_t
never(const rocprofiler_info_data_t info, void *data)
{
	(void)info;
	(void)data;
	ck_abort_msg("nothing is to be told");
}

static const rocprofiler_info_data_t *
find(const struct heard *heard, const char *name)
{
	for (size_t i = 0; i < heard->count; i++) {
		if (!strcmp(heard->infos[i].metric.name, name))
			return &heard->infos[i];
	}
	return NULL;
}

/* ------------------------------------------------------------------ */
/* 1, 2: files of metrics                                               */

/*
 * "Counters table entry, basic metric: counter name, block name, event id";
 * "complex metrics table entry: metric name, an expression"; by sections
 */
START_TEST(counters_and_metrics_of_a_file)
{
	rocprofiler_feature_t features[] = { { .name = "OWN_WAVES" },
					     { .name = "OWN_TWICE" },
					     { .name = "SQ_WAVES" },
					     { .name = "OWN_OF_GFX8" } };
	struct heard heard = hear_all(&gpu);
	rocprofiler_t *context;

	ck_assert_str_eq(find(&heard, "OWN_WAVES")->metric.block_name, "SQ");
	ck_assert_str_eq(find(&heard, "OWN_TWICE")->metric.description,
			 "Twice as many.");
	ck_assert_ptr_nonnull(find(&heard, "OWN_TWICE")->metric.expr);
	ck_assert_ptr_null(find(&heard, "OWN_OF_GFX8"));
	free(heard.infos);
	deny(rocprofiler_open(gpu, features, 4, &context, 0, NULL), ENOENT,
	     "OWN_OF_GFX8");
	context = open_features(features, 3);
	succeed(rocprofiler_start(context, 0));
	scene_pass(3 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	ck_assert_uint_gt(features[2].data.result_int64, 0);
	ck_assert_uint_eq(features[0].data.result_int64,
			  features[2].data.result_int64);
	ck_assert_double_eq(features[1].data.result_double,
			    2.0 * (double)features[2].data.result_int64);
	succeed(rocprofiler_close(context));
}
END_TEST

/* ------------------------------------------------------------------ */
/* 3.2: errors                                                          */

static void *
fail_elsewhere(void *data)
{
	(void)data;
	ck_assert_str_eq(error_text(), "");
	deny(rocprofiler_start(NULL, 0), EINVAL, "context");
	return NULL;
}

/* "the last failed library API call": the text is there until the next one */
START_TEST(error_string_stays_until_the_next_failure)
{
	rocprofiler_feature_t feature = { .name = "SQ_NOTHING" };
	rocprofiler_t *context;
	const char *text, *later;
	pthread_t thread;
	char kept[1024];
	uint32_t count;

	deny(rocprofiler_open(gpu, &feature, 1, &context, 0, NULL), ENOENT,
	     "SQ_NOTHING");
	succeed(rocprofiler_error_string(&text));
	snprintf(kept, sizeof(kept), "%s", text);
	succeed(rocprofiler_get_info(&gpu, ROCPROFILER_INFO_KIND_METRIC_COUNT,
				     &count));
	ck_assert_int_eq(pthread_create(&thread, NULL, fail_elsewhere, NULL),
			 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	succeed(rocprofiler_error_string(&later));
	ck_assert_str_eq(text, kept);
	ck_assert_str_eq(later, kept);
	ck_assert_int_eq(rocprofiler_errno(), ENOENT);
	deny(rocprofiler_stop(NULL, 0), EINVAL, "context");
	ck_assert_ptr_null(strstr(error_text(), "SQ_NOTHING"));
}
END_TEST

/* ------------------------------------------------------------------ */
/* 4.2: information                                                     */

static int
compare_names(const void *a, const void *b)
{
	const rocprofiler_info_data_t *first = a, *second = b;

	return strcmp(first->metric.name, second->metric.name);
}

/* "each counter has a unique name and defined by block name and event id" */
START_TEST(each_counter_has_a_unique_name_and_a_block)
{
	struct heard heard = hear_all(&gpu);
	uint32_t node;

	succeed(hsa_agent_get_info(
		gpu, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_DRIVER_NODE_ID,
		&node));
	qsort(heard.infos, heard.count, sizeof(*heard.infos), compare_names);
	for (size_t i = 0; i < heard.count; i++) {
		const rocprofiler_info_data_t *info = &heard.infos[i];

		ck_assert_uint_eq(info->agent_index, node);
		ck_assert_int_eq(info->kind, ROCPROFILER_INFO_KIND_METRIC);
		ck_assert_str_ne(info->metric.name, "");
		ck_assert_str_ne(info->metric.description, "");
		if (!info->metric.expr)
			ck_assert_uint_gt(info->metric.block_counters, 0);
		if (i)
			ck_assert_str_ne(info->metric.name,
					 info[-1].metric.name);
	}
	free(heard.infos);
}
END_TEST

/* "const char* name": texts are there when the calls are over, and HSA is */
START_TEST(texts_of_information_stay)
{
	struct heard before = hear_all(&gpu), after;

	succeed(hsa_shut_down());
	begin_hsa();
	after = hear_all(&gpu);
	ck_assert_uint_eq(before.count, after.count);
	for (size_t i = 0; i < before.count; i++) {
		ck_assert_str_eq(before.infos[i].metric.name,
				 after.infos[i].metric.name);
		ck_assert_str_eq(before.infos[i].metric.description,
				 after.infos[i].metric.description);
	}
	free(before.infos);
	free(after.infos);
}
END_TEST

/* A field of a query, and a metric that has something there. */
static const struct field {
	size_t place;
	bool is_text;
	const char *of;
} fields[] = {
#define FIELD(member, is_text, of)                                             \
	{                                                                      \
		offsetof(rocprofiler_info_data_t, member), is_text, of         \
	}
	FIELD(metric.name, true, "TCC_HIT"),
	FIELD(metric.description, true, "TCC_HIT"),
	FIELD(metric.expr, true, "OWN_TWICE"),
	FIELD(metric.block_name, true, "TCC_HIT"),
	FIELD(metric.block_counters, false, "TCC_HIT"),
	FIELD(metric.instances, false, "TCC_HIT"),
	FIELD(agent_index, false, "TCC_HIT"),
};

static const void *
place_in(const rocprofiler_info_data_t *info, const struct field *field)
{
	return (const char *)info + field->place;
}

static bool
is_same(const struct field *field, const rocprofiler_info_data_t *first,
	const rocprofiler_info_data_t *second)
{
	const void *a = place_in(first, field), *b = place_in(second, field);
	const char *one, *other;

	if (!field->is_text)
		return *(const uint32_t *)a == *(const uint32_t *)b;
	one = *(const char *const *)a;
	other = *(const char *const *)b;
	return one && other && !strcmp(one, other);
}

/* A query with this field alone; info NULL: as no metric has it. */
static rocprofiler_info_data_t
make_query(const struct field *field, const rocprofiler_info_data_t *info)
{
	static const char *const no_text = "none has this";
	static const uint32_t no_number = 999999;
	rocprofiler_info_data_t query = { 0 };

	if (field->is_text)
		memcpy((char *)&query + field->place,
		       info ? place_in(info, field) : &no_text,
		       sizeof(no_text));
	else
		memcpy((char *)&query + field->place,
		       info ? place_in(info, field) : &no_number,
		       sizeof(no_number));
	return query;
}

static struct heard
ask(rocprofiler_info_data_t query)
{
	struct heard heard = { 0 };

	succeed(rocprofiler_query_info_data(NULL, ROCPROFILER_INFO_KIND_METRIC,
					    query, hear, &heard));
	return heard;
}

/* "The query fields set to NULL define the query wildcard": the other choose */
START_TEST(each_field_of_a_query_chooses)
{
	const struct field *field = &fields[_i];
	struct heard every = hear_all(NULL), some;
	const rocprofiler_info_data_t *one = find(&every, field->of);
	size_t count = 0;

	for (size_t i = 0; i < every.count; i++)
		count += is_same(field, &every.infos[i], one);
	some = ask(make_query(field, one));
	ck_assert_uint_gt(count, 0);
	ck_assert_uint_lt(count, every.count);
	ck_assert_uint_eq(some.count, count);
	for (size_t i = 0; i < some.count; i++)
		ck_assert(is_same(field, &some.infos[i], one));
	free(some.infos);
	some = ask(make_query(field, NULL));
	ck_assert_uint_eq(some.count, 0);
	free(every.infos);
}
END_TEST

static hsa_status_t
get_count(const hsa_agent_t *agent, rocprofiler_info_kind_t kind)
{
	uint32_t count = 77;
	const hsa_status_t status = rocprofiler_get_info(agent, kind, &count);

	ck_assert_uint_eq(count, status == HSA_STATUS_SUCCESS ? 0 : 77);
	return status;
}

static hsa_status_t
iterate(const hsa_agent_t *agent, rocprofiler_info_kind_t kind)
{
	return rocprofiler_iterate_info(agent, kind, never, NULL);
}

static hsa_status_t
query(const hsa_agent_t *agent, rocprofiler_info_kind_t kind)
{
	const rocprofiler_info_query_t query = { .info_kind = kind };

	return rocprofiler_query_info(agent, query, never, NULL);
}

static hsa_status_t
query_data(const hsa_agent_t *agent, rocprofiler_info_kind_t kind)
{
	return rocprofiler_query_info_data(
		agent, kind, (rocprofiler_info_data_t){ 0 }, never, NULL);
}

/* Of the kinds of information, which is for which function; and of agents */
static const struct {
	hsa_status_t (*call)(const hsa_agent_t *agent,
			     rocprofiler_info_kind_t kind);
	const hsa_agent_t *agent;
	unsigned kind;
	int number; /* 0: it succeeds, and there are none */
	const char *words;
} calls[] = {
	{ get_count, &gpu, ROCPROFILER_INFO_KIND_METRIC, EINVAL, "kind 0" },
	{ get_count, &gpu, ROCPROFILER_INFO_KIND_TRACE, EINVAL, "kind 2" },
	{ get_count, &gpu, ROCPROFILER_INFO_KIND_TRACE_COUNT, 0, "" },
	{ get_count, &gpu, 4, EINVAL, "kind 4" },
	{ get_count, &gpu, 5, 0, "" },
	{ get_count, &gpu, 99, EINVAL, "kind 99" },
	{ get_count, &cpu, 1, EINVAL, "no GPU" },
	{ get_count, &nobody, 1, EIO, "agent" },
	{ iterate, &gpu, ROCPROFILER_INFO_KIND_METRIC_COUNT, EINVAL, "kind 1" },
	{ iterate, &gpu, ROCPROFILER_INFO_KIND_TRACE, 0, "" },
	{ iterate, NULL, ROCPROFILER_INFO_KIND_TRACE, 0, "" },
	{ iterate, &gpu, ROCPROFILER_INFO_KIND_TRACE_COUNT, EINVAL, "kind 3" },
	{ iterate, &gpu, 4, 0, "" },
	{ iterate, &gpu, 5, EINVAL, "kind 5" },
	{ iterate, &gpu, 99, EINVAL, "kind 99" },
	{ iterate, &cpu, 0, EINVAL, "no GPU" },
	{ iterate, &nobody, 0, EIO, "agent" },
	{ query, &gpu, ROCPROFILER_INFO_KIND_METRIC_COUNT, EINVAL, "kind 1" },
	{ query, &gpu, ROCPROFILER_INFO_KIND_TRACE, 0, "" },
	{ query, &gpu, 4, 0, "" },
	{ query, &cpu, 0, EINVAL, "no GPU" },
	{ query_data, &gpu, 1, EINVAL, "kind 1" },
	{ query_data, &gpu, ROCPROFILER_INFO_KIND_TRACE, 0, "" },
	{ query_data, NULL, 4, 0, "" },
	{ query_data, &nobody, 0, EIO, "agent" },
};

START_TEST(kinds_and_agents_of_information)
{
	const hsa_status_t status = calls[_i].call(
		calls[_i].agent, (rocprofiler_info_kind_t)calls[_i].kind);

	if (calls[_i].number)
		deny(status, calls[_i].number, calls[_i].words);
	else
		succeed(status);
}
END_TEST

START_TEST(information_without_a_callback)
{
	const rocprofiler_info_query_t kind = { .info_kind = 0 };
	const rocprofiler_info_data_t all = { 0 };

	deny(rocprofiler_iterate_info(&gpu, 0, NULL, NULL), EINVAL, "callback");
	deny(rocprofiler_query_info(&gpu, kind, NULL, NULL), EINVAL,
	     "callback");
	deny(rocprofiler_query_info_data(&gpu, 0, all, NULL, NULL), EINVAL,
	     "callback");
}
END_TEST

/* ------------------------------------------------------------------ */
/* 4.3: features, contexts, groups                                      */

/* "data uninitialized" until there are some; the rest is the caller's */
START_TEST(features_have_data_when_they_were_got_and_nothing_else_changes)
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
		succeed(step == 0   ? rocprofiler_start(context, 0)
			: step == 1 ? rocprofiler_read(context, 0)
				    : rocprofiler_stop(context, 0));
		scene_pass(1 * MS);
	}
	succeed(rocprofiler_get_data(context, 0));
	ck_assert_int_eq(features[0].data.kind, ROCPROFILER_DATA_KIND_INT64);
	ck_assert_int_eq(features[1].data.kind, ROCPROFILER_DATA_KIND_DOUBLE);
	succeed(rocprofiler_close(context));
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(features[i].kind, named[i].kind);
		ck_assert_ptr_eq(features[i].name, named[i].name);
		ck_assert_ptr_null(features[i].parameters);
		ck_assert_uint_eq(features[i].parameter_count, 0);
	}
}
END_TEST

static hsa_status_t
never_trace(hsa_ven_amd_aqlprofile_info_type_t type,
	    hsa_ven_amd_aqlprofile_info_data_t *data, void *arg)
{
	(void)type;
	(void)data;
	(void)arg;
	ck_abort_msg("there are no traces");
}

static const unsigned kinds[] = { ROCPROFILER_FEATURE_KIND_TRACE,
				  ROCPROFILER_FEATURE_KIND_SPM_MOD,
				  ROCPROFILER_FEATURE_KIND_PCSMP_MOD, 3, 77 };

/* Of two features one is no metric: neither is counted. */
START_TEST(features_that_are_no_metrics)
{
	rocprofiler_feature_t features[] = { { .name = "SQ_WAVES" },
					     { .name = "SQ_WAVES" } };
	rocprofiler_t *context = NULL;

	features[1].kind = (rocprofiler_feature_kind_t)kinds[_i];
	deny(rocprofiler_open(gpu, features, 2, &context, 0, NULL), ENOTSUP,
	     "no traces");
	ck_assert_ptr_null(context);
	context = open_features(features, 1);
	succeed(rocprofiler_iterate_trace_data(context, never_trace, NULL));
	succeed(rocprofiler_close(context));
}
END_TEST

static hsa_status_t
start(rocprofiler_t *context)
{
	return rocprofiler_start(context, 0);
}

static hsa_status_t
stop(rocprofiler_t *context)
{
	return rocprofiler_stop(context, 0);
}

static hsa_status_t
read_it(rocprofiler_t *context)
{
	return rocprofiler_read(context, 0);
}

static hsa_status_t
reset(rocprofiler_t *context)
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
	start,	  stop,	       read_it,	    reset,
	get_data, get_metrics, group_count, get_agent,
};

static hsa_status_t (*const of_groups[])(rocprofiler_group_t *group) = {
	rocprofiler_group_start,
	rocprofiler_group_stop,
	rocprofiler_group_read,
	rocprofiler_group_get_data,
};

/* What is no context of this library's, and a group that was put together. */
START_TEST(no_context_and_no_group)
{
	rocprofiler_feature_t feature = { .name = "SQ_WAVES" };
	rocprofiler_t *context = open_features(&feature, 1);
	rocprofiler_group_t nowhere = { .index = 0 }, beyond;

	succeed(rocprofiler_get_group(context, 0, &beyond));
	beyond.index = 7;
	for (size_t i = 0; i < ARRAY_SIZE(of_contexts); i++) {
		deny(of_contexts[i](NULL), EINVAL, "context");
		deny(of_contexts[i](&feature), EINVAL, "not open");
	}
	for (size_t i = 0; i < ARRAY_SIZE(of_groups); i++) {
		deny(of_groups[i](NULL), EINVAL, "group is NULL");
		deny(of_groups[i](&nowhere), EINVAL, "context");
		deny(of_groups[i](&beyond), ERANGE, "no group 7");
	}
	succeed(rocprofiler_close(context));
}
END_TEST

static uint64_t
count_with(uint32_t mode, rocprofiler_properties_t *properties)
{
	rocprofiler_feature_t feature = { .name = "SQ_WAVES" };
	rocprofiler_t *context;

	succeed(rocprofiler_open(gpu, &feature, 1, &context, mode, properties));
	succeed(rocprofiler_start(context, 0));
	scene_pass(5 * MS);
	succeed(rocprofiler_stop(context, 0));
	succeed(rocprofiler_get_data(context, 0));
	succeed(rocprofiler_close(context));
	return feature.data.result_int64;
}

/* "the queue can be set by the property 'queue' or a queue will be created" */
START_TEST(standalone_counts_with_any_queue_and_without)
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
	succeed(hsa_queue_destroy(given.queue));
	succeed(hsa_queue_destroy(made.queue));
}
END_TEST

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
	succeed(rocprofiler_group_get_data(&group));
	return false;
}

/* One run after the other; GRBM counts two events at once. */
START_TEST(handler_is_handed_the_group_of_each_run)
{
	rocprofiler_feature_t features[] = { { .name = "GRBM_GUI_ACTIVE" },
					     { .name = "GRBM_CP_BUSY" },
					     { .name = "GRBM_SPI_BUSY" } };
	struct ready ready = { 0 };
	rocprofiler_properties_t properties = { .handler = be_ready,
						.handler_arg = &ready };
	rocprofiler_group_t group;
	rocprofiler_t *context;

	succeed(rocprofiler_open(gpu, features, 3, &context, 0, &properties));
	for (uint32_t i = 2; i--;) { /* in whatever order */
		succeed(rocprofiler_get_group(context, i, &group));
		succeed(rocprofiler_group_start(&group));
		succeed(rocprofiler_group_read(&group));
		succeed(rocprofiler_group_get_data(&group));
		ck_assert_uint_eq(ready.count, 1 - i);
		succeed(rocprofiler_group_stop(&group));
		ck_assert_uint_eq(ready.count, 2 - i);
		ck_assert_uint_eq(ready.last.index, i);
		ck_assert_ptr_eq(ready.last.context, context);
		ck_assert_ptr_eq(ready.last.features, group.features);
		ck_assert_uint_eq(ready.last.feature_count,
				  group.feature_count);
	}
	succeed(rocprofiler_get_metrics(context));
	succeed(rocprofiler_close(context));
	ck_assert_uint_eq(ready.count, 2);
}
END_TEST

/* Features of a group are in the order in which they were asked for. */
START_TEST(features_of_a_group_are_in_order)
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

	succeed(rocprofiler_group_count(context, &count));
	ck_assert_uint_gt(count, 1);
	for (uint32_t i = 0; i < count; i++) {
		succeed(rocprofiler_get_group(context, i, &group));
		sum += group.feature_count;
		for (uint32_t k = 1; k < group.feature_count; k++)
			ck_assert(group.features[k] > group.features[k - 1]);
	}
	ck_assert_uint_eq(sum, ARRAY_SIZE(features));
	succeed(rocprofiler_close(context));
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

static Suite *
one_suite(void)
{
	Suite *suite = suite_create("roc_sentences");
	TCase *tcase = add_case(suite, "information");

	tcase_add_test(tcase, counters_and_metrics_of_a_file);
	tcase_add_test(tcase, error_string_stays_until_the_next_failure);
	tcase_add_test(tcase, each_counter_has_a_unique_name_and_a_block);
	tcase_add_test(tcase, texts_of_information_stay);
	tcase_add_loop_test(tcase, kinds_and_agents_of_information, 0,
			    ARRAY_SIZE(calls));
	tcase_add_test(tcase, information_without_a_callback);
	tcase = add_case(suite, "contexts");
	tcase_add_test(
		tcase,
		features_have_data_when_they_were_got_and_nothing_else_changes);
	tcase_add_loop_test(tcase, features_that_are_no_metrics, 0,
			    ARRAY_SIZE(kinds));
	tcase_add_test(tcase, no_context_and_no_group);
	tcase_add_test(tcase, standalone_counts_with_any_queue_and_without);
	tcase_add_test(tcase, handler_is_handed_the_group_of_each_run);
	tcase_add_test(tcase, features_of_a_group_are_in_order);
	return suite;
}

static Suite *
two_suite(void)
{
	Suite *suite = suite_create("roc_two");
	TCase *tcase = add_case(suite, "two");

	tcase_add_loop_test(tcase, each_field_of_a_query_chooses, 0,
			    ARRAY_SIZE(fields));
	return suite;
}

#define MACHINE(...)                                                           \
	(const char *const[])                                                  \
	{                                                                      \
		"--time", "virtual", "--strict", __VA_ARGS__ NULL              \
	}

static const struct machine machines[] = {
	{ MACHINE("--gpu", "vega20", ), "roc_sentences" },
	{ MACHINE("--gpu", "mi200", ), "roc_sentences" },
	{ MACHINE("--gpu", "vega20", "--gpu", "mi100", ), "roc_two" },
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
	return suites_run(runner);
}
