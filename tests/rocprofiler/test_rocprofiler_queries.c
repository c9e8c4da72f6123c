/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentences of the ROC profiler's specification about information: files of
 * metrics, queries, how long texts live.
 */
#include <rocprofiler/rocprofiler.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

static hsa_agent_t cpu;
static const hsa_agent_t nobody = { 1234 };

/* ------------------------------------------------------------------ */
/* Helpers                                                              */

static hsa_status_t
find_cpu(hsa_agent_t agent, void *data)
{
	hsa_device_type_t type;

	(void)data;
	must_succeed(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	if (type == HSA_DEVICE_TYPE_CPU)
		cpu = agent;
	return HSA_STATUS_SUCCESS;
}

static void
set_up(void)
{
	begin_hsa();
	must_succeed(hsa_iterate_agents(find_cpu, NULL));
	scene_set("default", "zero");
	scene_set("rate", "SQ.4 1000");
}

TEST_CASE(information, set_up, end_hsa, "roc_queries");
TEST_CASE(two, set_up, end_hsa, "roc_queries_two");
TEST_CASE(dies, set_up, end_hsa, "roc_queries_dies");
TEST_CASE(partitions, set_up, end_hsa, "roc_queries_partitions");

/* All that queries return. */
struct heard {
	rocprofiler_info_data_t *infos;
	size_t count;
};

static hsa_status_t
hear_information(const rocprofiler_info_data_t info, void *data)
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

	must_succeed(rocprofiler_iterate_info(
		agent, ROCPROFILER_INFO_KIND_METRIC, hear_information, &heard));
	return heard;
}

static hsa_status_t
never_called(const rocprofiler_info_data_t info, void *data)
{
	(void)info;
	(void)data;
	ck_abort_msg("nothing is to be told");
}

static const rocprofiler_info_data_t *
find_information(const struct heard *heard, const char *name)
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
TEST(information, counters_and_metrics_of_a_file)
{
	rocprofiler_feature_t features[] = { { .name = "OWN_WAVES" },
					     { .name = "OWN_TWICE" },
					     { .name = "SQ_WAVES" },
					     { .name = "OWN_OF_GFX8" } };
	struct heard heard = hear_all(&gpu_agent);
	rocprofiler_t *context;

	ck_assert_str_eq(
		find_information(&heard, "OWN_WAVES")->metric.block_name, "SQ");
	ck_assert_str_eq(
		find_information(&heard, "OWN_TWICE")->metric.description,
		"Twice as many. [sees graphics and queues that allow "
		"it]");
	ck_assert_ptr_nonnull(
		find_information(&heard, "OWN_TWICE")->metric.expr);
	ck_assert_ptr_null(find_information(&heard, "OWN_OF_GFX8"));
	free(heard.infos);
	must_fail(rocprofiler_open(gpu_agent, features, 4, &context, 0, NULL),
		  ENOENT, "OWN_OF_GFX8");
	must_succeed(
		rocprofiler_open(gpu_agent, features, 3, &context, 0, NULL));
	must_succeed(rocprofiler_start(context, 0));
	scene_pass(3 * MS);
	must_succeed(rocprofiler_stop(context, 0));
	must_succeed(rocprofiler_get_data(context, 0));
	ck_assert_uint_gt(features[2].data.result_int64, 0);
	ck_assert_uint_eq(features[0].data.result_int64,
			  features[2].data.result_int64);
	ck_assert_double_eq(features[1].data.result_double,
			    2.0 * (double)features[2].data.result_int64);
	must_succeed(rocprofiler_close(context));
}

/* Metrics that AMD's files have for all GPUs, in their section <global>. */
TEST(information, metrics_of_all_gpus_are_opened_by_name)
{
	rocprofiler_feature_t features[] = {
		{ .name = "Wavefronts" },   { .name = "VALUInsts" },
		{ .name = "SALUInsts" },    { .name = "SFetchInsts" },
		{ .name = "GDSInsts" },	    { .name = "ALUStalledByLDS" },
		{ .name = "MemUnitBusy" },
	};
	struct heard heard = hear_all(&gpu_agent);
	rocprofiler_t *context;

	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		ck_assert_ptr_nonnull(
			find_information(&heard, features[i].name));
	free(heard.infos);
	must_succeed(rocprofiler_open(gpu_agent, features, ARRAY_SIZE(features),
				      &context, 0, NULL));
	must_succeed(rocprofiler_close(context));
}

/* ------------------------------------------------------------------ */
/* 4.2: information                                                     */

static int
compare_names(const void *a, const void *b)
{
	const rocprofiler_info_data_t *first = a, *second = b;

	return strcmp(first->metric.name, second->metric.name);
}

/* "each counter has a unique name and defined by block name and event id" */
TEST(information, each_counter_has_a_unique_name_and_a_block)
{
	struct heard heard = hear_all(&gpu_agent);
	uint32_t node;

	must_succeed(hsa_agent_get_info(
		gpu_agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_DRIVER_NODE_ID,
		&node));
	qsort(heard.infos, heard.count, sizeof(*heard.infos), compare_names);
	for (size_t i = 0; i < heard.count; i++) {
		const rocprofiler_info_data_t *info = &heard.infos[i];

		ck_assert_uint_eq(info->agent_index, node);
		ck_assert_int_eq(info->kind, ROCPROFILER_INFO_KIND_METRIC);
		ck_assert_str_ne(info->metric.name, "");
		ck_assert_str_ne(info->metric.description, "");
		if (!info->metric.expr)
			ck_assert_msg(info->metric.block_counters, "%s",
				      info->metric.name);
		else /* a client that expands it would never end */
			ck_assert_str_ne(info->metric.expr, info->metric.name);
		if (i)
			ck_assert_str_ne(info->metric.name,
					 info[-1].metric.name);
	}
	free(heard.infos);
}

/* Names as AMD's files have them: instances are those of one shader engine. */
TEST(information, expressions_are_in_the_language_of_metrics_files)
{
	static const char *const functions[] = { "avr", "min", "max" };
	struct heard heard = hear_all(&gpu_agent);
	const unsigned instances =
		find_information(&heard, "TA_TA_BUSY")->metric.instances;

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		char name[32], text[32];

		snprintf(name, sizeof(name), "TA_BUSY_%s", functions[i]);
		snprintf(text, sizeof(text), "%s(TA_TA_BUSY,%u)", functions[i],
			 instances);
		ck_assert_str_eq(find_information(&heard, name)->metric.expr,
				 text);
	}
	free(heard.infos);
}

/* "const char* name": texts are there when the calls are over, and HSA is */
TEST(information, texts_of_information_stay)
{
	struct heard before = hear_all(&gpu_agent), after;

	must_succeed(hsa_shut_down());
	begin_hsa();
	after = hear_all(&gpu_agent);
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

/* Create a query with this field alone; info NULL: as no metric has it. */
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
ask_query(rocprofiler_info_data_t query)
{
	struct heard heard = { 0 };

	must_succeed(
		rocprofiler_query_info_data(NULL, ROCPROFILER_INFO_KIND_METRIC,
					    query, hear_information, &heard));
	return heard;
}

/* "The query fields set to NULL define the query wildcard": the other choose */
TEST_LOOP(two, each_field_of_a_query_chooses, ARRAY_SIZE(fields))
{
	const struct field *field = &fields[_i];
	struct heard every = hear_all(NULL), some;
	const rocprofiler_info_data_t *one =
		find_information(&every, field->of);
	size_t count = 0;

	for (size_t i = 0; i < every.count; i++)
		count += is_same(field, &every.infos[i], one);
	some = ask_query(make_query(field, one));
	ck_assert_uint_gt(count, 0);
	ck_assert_uint_lt(count, every.count);
	ck_assert_uint_eq(some.count, count);
	for (size_t i = 0; i < some.count; i++)
		ck_assert(is_same(field, &some.infos[i], one));
	free(some.infos);
	some = ask_query(make_query(field, NULL));
	ck_assert_uint_eq(some.count, 0);
	free(every.infos);
}

static hsa_status_t
get_count(const hsa_agent_t *agent, rocprofiler_info_kind_t kind)
{
	uint32_t count = 77;
	const hsa_status_t status = rocprofiler_get_info(agent, kind, &count);

	ck_assert_uint_eq(count, status == HSA_STATUS_SUCCESS ? 0 : 77);
	return status;
}

static hsa_status_t
iterate_kind(const hsa_agent_t *agent, rocprofiler_info_kind_t kind)
{
	return rocprofiler_iterate_info(agent, kind, never_called, NULL);
}

static hsa_status_t
query_kind(const hsa_agent_t *agent, rocprofiler_info_kind_t kind)
{
	const rocprofiler_info_query_t query = { .info_kind = kind };

	return rocprofiler_query_info(agent, query, never_called, NULL);
}

static hsa_status_t
query_data(const hsa_agent_t *agent, rocprofiler_info_kind_t kind)
{
	return rocprofiler_query_info_data(agent, kind,
					   (rocprofiler_info_data_t){ 0 },
					   never_called, NULL);
}

/* Which kind of information is for which function; and of agents */
static const struct {
	hsa_status_t (*call)(const hsa_agent_t *agent,
			     rocprofiler_info_kind_t kind);
	const hsa_agent_t *agent;
	unsigned kind;
	int number; /* 0: it succeeds, and there are none */
	const char *words;
} calls[] = {
	{ get_count, &gpu_agent, ROCPROFILER_INFO_KIND_METRIC, EINVAL,
	  "kind 0" },
	{ get_count, &gpu_agent, ROCPROFILER_INFO_KIND_TRACE, EINVAL,
	  "kind 2" },
	{ get_count, &gpu_agent, ROCPROFILER_INFO_KIND_TRACE_COUNT, 0, "" },
	{ get_count, &gpu_agent, 4, EINVAL, "kind 4" },
	{ get_count, &gpu_agent, 5, 0, "" },
	{ get_count, &gpu_agent, 99, EINVAL, "kind 99" },
	{ get_count, &cpu, 1, EINVAL, "no GPU" },
	{ get_count, &nobody, 1, EIO, "agent" },
	{ iterate_kind, &gpu_agent, ROCPROFILER_INFO_KIND_METRIC_COUNT, EINVAL,
	  "kind 1" },
	{ iterate_kind, &gpu_agent, ROCPROFILER_INFO_KIND_TRACE, 0, "" },
	{ iterate_kind, NULL, ROCPROFILER_INFO_KIND_TRACE, 0, "" },
	{ iterate_kind, &gpu_agent, ROCPROFILER_INFO_KIND_TRACE_COUNT, EINVAL,
	  "kind 3" },
	{ iterate_kind, &gpu_agent, 4, 0, "" },
	{ iterate_kind, &gpu_agent, 5, EINVAL, "kind 5" },
	{ iterate_kind, &gpu_agent, 99, EINVAL, "kind 99" },
	{ iterate_kind, &cpu, 0, EINVAL, "no GPU" },
	{ iterate_kind, &nobody, 0, EIO, "agent" },
	{ query_kind, &gpu_agent, ROCPROFILER_INFO_KIND_METRIC_COUNT, EINVAL,
	  "kind 1" },
	{ query_kind, &gpu_agent, ROCPROFILER_INFO_KIND_TRACE, 0, "" },
	{ query_kind, &gpu_agent, 4, 0, "" },
	{ query_kind, &cpu, 0, EINVAL, "no GPU" },
	{ query_data, &gpu_agent, 1, EINVAL, "kind 1" },
	{ query_data, &gpu_agent, ROCPROFILER_INFO_KIND_TRACE, 0, "" },
	{ query_data, NULL, 4, 0, "" },
	{ query_data, &nobody, 0, EIO, "agent" },
};

TEST_LOOP(information, kinds_and_agents_of_information, ARRAY_SIZE(calls))
{
	const hsa_status_t status = calls[_i].call(
		calls[_i].agent, (rocprofiler_info_kind_t)calls[_i].kind);

	if (calls[_i].number)
		must_fail(status, calls[_i].number, calls[_i].words);
	else
		must_succeed(status);
}

TEST(information, information_without_a_callback)
{
	const rocprofiler_info_query_t kind = { .info_kind = 0 };
	const rocprofiler_info_data_t all = { 0 };

	must_fail(rocprofiler_iterate_info(&gpu_agent, 0, NULL, NULL), EINVAL,
		  "callback");
	must_fail(rocprofiler_query_info(&gpu_agent, kind, NULL, NULL), EINVAL,
		  "callback");
	must_fail(rocprofiler_query_info_data(&gpu_agent, 0, all, NULL, NULL),
		  EINVAL, "callback");
}

/* ------------------------------------------------------------------ */
/* One die of several                                                   */

static const struct limit {
	const char *name, *told;
} limits[] = {
	{ "SQ_WAVES", " [one die of up to 8, sees graphics and queues that "
		      "allow it]" },
	{ "TCC_HIT", " [one die of up to 8]" },
	{ "FetchSize", " [one die of up to 8]" },
};

TEST_LOOP(dies, descriptions_tell_of_dies, ARRAY_SIZE(limits))
{
	struct heard heard = hear_all(&gpu_agent);
	const char *text =
		find_information(&heard, limits[_i].name)->metric.description;
	const char *told = strstr(text, limits[_i].told);

	ck_assert_ptr_nonnull(told);
	ck_assert_str_eq(told, limits[_i].told);
	free(heard.infos);
}

/* Values would look whole and be a part */
TEST(dies, dies_are_not_counted_unless_asked_for)
{
	rocprofiler_feature_t features[] = { { .name = "SQ_WAVES" } };
	rocprofiler_t *context = NULL;

	must_succeed(
		rocprofiler_open(gpu_agent, features, 1, &context, 0, NULL));
	must_fail(rocprofiler_start(context, 0), ENOTSUP, "up to 8 dies");
	setenv("DRMPERF_DIES", "one", 1);
	must_succeed(rocprofiler_start(context, 0));
	must_succeed(rocprofiler_stop(context, 0));
	unsetenv("DRMPERF_DIES");
	must_succeed(rocprofiler_close(context));
}

/* ------------------------------------------------------------------ */
/* Partitions, each of them an agent                                    */

struct agents {
	hsa_agent_t gpus[16];
	unsigned count;
};

static hsa_status_t
add_agent(hsa_agent_t agent, void *data)
{
	struct agents *agents = data;
	hsa_device_type_t type;

	must_succeed(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	if (type == HSA_DEVICE_TYPE_GPU)
		agents->gpus[agents->count++] = agent;
	return HSA_STATUS_SUCCESS;
}

TEST(partitions, partitions_are_agents)
{
	struct agents agents = { .count = 0 };
	char told[40];

	must_succeed(hsa_iterate_agents(add_agent, &agents));
	ck_assert_uint_eq(agents.count, 8);
	for (unsigned i = 0; i < agents.count; i++) {
		rocprofiler_feature_t features[] = { { .name = "SQ_WAVES" } };
		rocprofiler_t *context = NULL;
		struct heard heard = hear_all(&agents.gpus[i]);

		snprintf(told, sizeof(told), " [partition %u alone]", i);
		ck_assert_ptr_nonnull(strstr(
			find_information(&heard, "TCC_HIT")->metric.description,
			told));
		free(heard.infos);
		must_succeed(rocprofiler_open(agents.gpus[i], features, 1,
					      &context, 0, NULL));
		must_succeed(rocprofiler_start(context, 0));
		must_succeed(rocprofiler_stop(context, 0));
		must_succeed(rocprofiler_close(context));
	}
}

TEST_MACHINE("roc_queries", "--time", "virtual", "--strict", "--gpu", "vega20");
TEST_MACHINE("roc_queries", "--time", "virtual", "--strict", "--gpu", "mi200");
TEST_MACHINE("roc_queries_two", "--time", "virtual", "--strict", "--gpu",
	     "vega20", "--gpu", "mi100");
TEST_MACHINE("roc_queries_dies", "--time", "virtual", "--strict", "--gpu",
	     "mi300,kfd=off");
TEST_MACHINE("roc_queries_partitions", "--time", "virtual", "--strict", "--gpu",
	     "mi300,partition=cpx");

TEST_OPTION(begin, use_own_metrics);
