/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GL_AMD_performance_monitor, sentence by sentence, on simulated GPUs in
 * virtual time, without a driver of OpenGL: types and results. Comments in
 * quotes are the extension's words.
 */
#include <math.h>
#include <string.h>

#include "drmsim/control.h"
#include "gl_queries.h"
#include "tests/support/below_drmsim.h"
#include "tests/gl/calls.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* GetPerfMonitorCounterInfoAMD                                         */

static GLenum
type_of(GLuint group, GLuint counter)
{
	GLenum type = 0;

	must_succeed(gl_query_counter_info(
		counters, group, counter, GL_COUNTER_TYPE_AMD, &type, &reason));
	return type;
}

TEST_CASE(information, set_up, tear_down, "gl_results_amd", "gl_results_intel");

/* "Valid type values returned are UNSIGNED_INT, UNSIGNED_INT64_AMD,
 * PERCENTAGE_AMD, FLOAT." */
TEST(information, counters_have_one_of_four_types)
{
	for (GLuint i = 0; i < counters->group_count; i++) {
		for (GLuint k = 0; k < counters->groups[i].count; k++) {
			const GLenum type = type_of(i, k);

			ck_assert(type == GL_UNSIGNED_INT ||
				  type == GL_UNSIGNED_INT64_AMD ||
				  type == GL_PERCENTAGE_AMD ||
				  type == GL_FLOAT);
		}
	}
}

static const struct {
	const char *group, *counter;
	GLenum type;
} typed[] = {
	{ "SQ", "WAVES", GL_UNSIGNED_INT64_AMD },
	{ "metric", "L2CacheHit", GL_PERCENTAGE_AMD },
	{ "sensor", "gpu-load", GL_PERCENTAGE_AMD },
	{ "sensor", "gfx-sclk", GL_UNSIGNED_INT },
	{ "sensor", "gpu-temp", GL_FLOAT },
	{ "sensor", "vram-usage", GL_UNSIGNED_INT64_AMD },
};

TEST_CASE(types, set_up, tear_down, "gl_results_amd");

/* "If <pname> is COUNTER_TYPE_AMD, then <data> returns the type." */
TEST_LOOP(types, type_of_a_counter, ARRAY_SIZE(typed))
{
	const GLuint group = group_of(typed[_i].group);

	ck_assert_uint_eq(type_of(group, counter_of(group, typed[_i].counter)),
			  typed[_i].type);
}

/* "If <pname> is COUNTER_RANGE_AMD, <data> returns two values representing a
 * minimum and a maximum. The counter's type is used to determine the format in
 * which the range values are returned." */
TEST_LOOP(types, range_of_a_counter, ARRAY_SIZE(typed))
{
	const GLuint group = group_of(typed[_i].group);
	union {
		uint64_t wide[2];
		uint32_t narrow[4];
		float number[4];
	} range = { .narrow = { 1, 2, UNTOUCHED, UNTOUCHED } };

	must_succeed(gl_query_counter_info(
		counters, group, counter_of(group, typed[_i].counter),
		GL_COUNTER_RANGE_AMD, &range, &reason));
	switch (typed[_i].type) {
	case GL_UNSIGNED_INT64_AMD:
		ck_assert_uint_eq(range.wide[0], 0);
		ck_assert_uint_eq(range.wide[1], UINT64_MAX);
		return;
	case GL_UNSIGNED_INT:
		ck_assert_uint_eq(range.narrow[0], 0);
		ck_assert_uint_eq(range.narrow[1], UINT32_MAX);
		break;
	default:
		ck_assert_float_lt(range.number[0], range.number[1]);
	}
	ck_assert_uint_eq(range.narrow[2], UNTOUCHED);
}

/* "If type value returned is PERCENTAGE_AMD, then this describes a float value
 * that is in the range [0.0 .. 100.0]." */
TEST(types, percentages_go_from_0_to_100)
{
	const GLuint group = group_of("metric");
	float range[2] = { -1, -1 };

	must_succeed(gl_query_counter_info(
		counters, group, counter_of(group, "L2CacheHit"),
		GL_COUNTER_RANGE_AMD, range, &reason));
	ck_assert_float_eq(range[0], 0);
	ck_assert_float_eq(range[1], 100);
}

TEST(types, values_are_kept_in_their_range)
{
	const GLuint metric = group_of("metric"), sensor = group_of("sensor");
	const struct gl_counter *share = gl_counters_find(
		counters, metric, counter_of(metric, "L2CacheHit"));
	const struct gl_counter *clock = gl_counters_find(
		counters, sensor, counter_of(sensor, "gfx-sclk"));
	const struct gl_counter *heat = gl_counters_find(
		counters, sensor, counter_of(sensor, "gpu-temp"));
	uint32_t narrow;
	float number;

	gl_counter_write(share, (union drmperf_value){ .f64 = 100.5 }, &number);
	ck_assert_float_eq(number, 100);
	gl_counter_write(share, (union drmperf_value){ .f64 = -1 }, &number);
	ck_assert_float_eq(number, 0);
	gl_counter_write(share, (union drmperf_value){ .f64 = NAN }, &number);
	ck_assert_float_eq(number, 0);
	gl_counter_write(clock, (union drmperf_value){ .u64 = 1ULL << 40 },
			 &narrow);
	ck_assert_uint_eq(narrow, UINT32_MAX);
	gl_counter_write(heat, (union drmperf_value){ .u64 = (uint64_t)-5000 },
			 &number);
	ck_assert_float_eq(number, -5000);
}

/* "If <group> does not reference a valid group ID, or <counter> does not
 * reference a valid counter within the group ID, an INVALID_VALUE error is
 * generated." */
TEST(information, info_of_nothing)
{
	GLuint data = UNTOUCHED;

	must_fail(gl_query_counter_info(counters, NONE, 0, GL_COUNTER_TYPE_AMD,
					&data, &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_query_counter_info(counters, 0, NONE, GL_COUNTER_RANGE_AMD,
					&data, &reason),
		  GL_INVALID_VALUE);
	ck_assert_uint_eq(data, UNTOUCHED);
}

TEST(information, info_of_another_kind)
{
	GLuint data = UNTOUCHED;

	must_fail(gl_query_counter_info(counters, 0, 0, GL_PERFMON_RESULT_AMD,
					&data, &reason),
		  GL_INVALID_ENUM);
	must_fail(gl_query_counter_info(counters, 0, 0, GL_COUNTER_TYPE_AMD,
					NULL, &reason),
		  GL_INVALID_OPERATION);
	ck_assert_uint_eq(data, UNTOUCHED);
}

/* ------------------------------------------------------------------ */
/* GetPerfMonitorCounterDataAMD                                         */

TEST_CASE(results, set_up, tear_down, "gl_results_amd");

/* "For each counter of a group that was selected to be sampled, the information
 * is returned as group ID, followed by counter ID, followed by counter value.
 * The size of counter value returned will depend on the counter value type." */
TEST(results, results_of_all_types)
{
	const GLuint monitor = generate_monitor();
	GLuint data[16];
	uint64_t wide;
	float number;

	scene_set("rate", "SQ.4 1000");
	for (size_t i = ARRAY_SIZE(typed); i > 0; i--)
		select_one(monitor, typed[i - 1].group, typed[i - 1].counter);
	set_selected(monitor, "sensor", "vram-usage", GL_FALSE);
	set_selected(monitor, "sensor", "gpu-load", GL_FALSE);
	must_succeed(begin_exact(monitors, monitor));
	scene_pass(MS);
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 13 * sizeof(GLuint));
	ck_assert_int_eq(read_results(monitor, data, sizeof(data)),
			 13 * sizeof(GLuint));

	ck_assert_uint_eq(data[0], group_of("SQ"));
	ck_assert_uint_eq(data[1], counter_of(data[0], "WAVES"));
	memcpy(&wide, data + 2, sizeof(wide));
	ck_assert_uint_eq(wide, 4);
	ck_assert_uint_eq(data[4], group_of("metric"));
	ck_assert_uint_eq(data[5], counter_of(data[4], "L2CacheHit"));
	memcpy(&number, data + 6, sizeof(number));
	ck_assert(number >= 0 && number <= 100);
	ck_assert_uint_eq(data[7], group_of("sensor"));
	ck_assert_uint_eq(data[8], counter_of(data[7], "gfx-sclk"));
	ck_assert_uint_gt(data[9], 100);
	ck_assert_uint_eq(data[10], group_of("sensor"));
	ck_assert_uint_eq(data[11], counter_of(data[10], "gpu-temp"));
	memcpy(&number, data + 12, sizeof(number));
	ck_assert_float_gt(number, 20000);
}

/* "If <bytesWritten> is not NULL, it gives the number of bytes written" */
TEST(results, bytes_written_may_be_null)
{
	const GLuint monitor = measured_monitor("SQ", "WAVES");
	GLuint data[4] = { UNTOUCHED, 0, 0, 0 };

	must_succeed(gl_monitors_data(monitors, monitor, GL_PERFMON_RESULT_AMD,
				      sizeof(data), data, NULL, &reason));
	ck_assert_uint_eq(data[0], group_of("SQ"));
}

/* "It is an INVALID_OPERATION error for <data> to be NULL." */
TEST(results, data_is_null)
{
	static const GLenum queries[] = { GL_PERFMON_RESULT_AVAILABLE_AMD,
					  GL_PERFMON_RESULT_SIZE_AMD,
					  GL_PERFMON_RESULT_AMD };
	const GLuint monitor = measured_monitor("SQ", "WAVES");
	GLint written = 77;

	for (size_t i = 0; i < ARRAY_SIZE(queries); i++)
		must_fail(gl_monitors_data(monitors, monitor, queries[i], 64,
					   NULL, &written, &reason),
			  GL_INVALID_OPERATION);
	ck_assert_int_eq(written, 77);
}

TEST(results, data_of_another_kind)
{
	GLuint data = UNTOUCHED;

	must_fail(gl_monitors_data(monitors, generate_monitor(),
				   GL_COUNTER_TYPE_AMD, 4, &data, NULL,
				   &reason),
		  GL_INVALID_ENUM);
	must_fail(gl_monitors_data(monitors, NONE, GL_PERFMON_RESULT_AMD, 4,
				   &data, NULL, &reason),
		  GL_INVALID_VALUE);
	ck_assert_uint_eq(data, UNTOUCHED);
}

/* "If <pname> is PERFMON_RESULT_AMD and <dataSize> is less than the number of
 * bytes required to store the results ..., then results will be written only up
 * to the number of bytes specified by <dataSize>." Whole ones. */
TEST(results, results_that_are_cut)
{
	const GLuint monitor = generate_monitor();

	select_one(monitor, "GRBM", "COUNT");
	select_one(monitor, "SQ", "WAVES");
	select_one(monitor, "sensor", "gfx-sclk");
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 44);
	for (size_t size = 0; size <= 48; size++) {
		const size_t fits = size < 16	? 0
				    : size < 32 ? 16
				    : size < 44 ? 32
						: 44;
		unsigned char data[64];

		memset(data, 0x5a, sizeof(data));
		ck_assert_int_eq(read_results(monitor, data, size),
				 (GLint)fits);
		for (size_t i = fits; i < sizeof(data); i++)
			ck_assert_uint_eq(data[i], 0x5a);
	}
}

TEST(results, no_room_for_a_number)
{
	const GLuint monitor = measured_monitor("SQ", "WAVES");
	GLuint data = UNTOUCHED;
	GLint written = -1;

	must_succeed(gl_monitors_data(monitors, monitor,
				      GL_PERFMON_RESULT_SIZE_AMD, 3, &data,
				      &written, &reason));
	ck_assert_int_eq(written, 0);
	ck_assert_uint_eq(data, UNTOUCHED);
}

/* "If no BeginPerfMonitorAMD/EndPerfMonitorAMD has been issued for a monitor,
 * then the result of querying for PERFMON_RESULT_AVAILABLE and
 * PERFMON_RESULT_SIZE will be 0." */
TEST(results, nothing_without_begin_and_end)
{
	const GLuint monitor = generate_monitor();

	select_one(monitor, "SQ", "WAVES");
	ck_assert_uint_eq(ask_monitor(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD),
			  0);
	ck_assert_uint_eq(ask_monitor(monitor, GL_PERFMON_RESULT_SIZE_AMD), 0);
	must_succeed(begin_exact(monitors, monitor));
	ck_assert_uint_eq(ask_monitor(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD),
			  0);
	ck_assert_uint_eq(ask_monitor(monitor, GL_PERFMON_RESULT_SIZE_AMD), 0);
	must_succeed(end_exact(monitors, monitor));
}

/* ------------------------------------------------------------------ */
/* Intel                                                                */

TEST_CASE(sets, set_up, tear_down, "gl_results_intel");

/* "INVALID_OPERATION error will be generated if BeginPerfMonitorAMD is unable
 * to begin monitoring with the currently selected counters." One metric set is
 * active at a time. */
TEST(sets, metric_sets_do_not_fit_together)
{
	const GLuint monitor = generate_monitor();

	select_one(monitor, "RenderBasic", "GpuTime");
	select_one(monitor, "ComputeBasic", "GpuTime");
	must_fail(begin_exact(monitors, monitor), GL_INVALID_OPERATION);
	set_selected(monitor, "ComputeBasic", "GpuTime", GL_FALSE);
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
}

TEST(sets, a_whole_metric_set)
{
	const GLuint monitor = generate_monitor(),
		     group = group_of("RenderBasic");
	GLint most = 0;

	must_succeed(gl_query_counters(counters, group, NULL, &most, 0, NULL,
				       &reason));
	ck_assert_uint_eq((GLuint)most, counters->groups[group].count);
	for (GLuint i = 0; i < (GLuint)most; i++)
		must_succeed(gl_monitors_select(monitors, monitor, GL_TRUE,
						group, 1, &i, &reason));
	must_succeed(begin_exact(monitors, monitor));
	scene_pass(MS);
	must_succeed(end_exact(monitors, monitor));
	ck_assert(is_available(monitor));
}

TEST(sets, a_share_of_time)
{
	ck_assert_float_le(
		float_result(measured_monitor("RenderBasic", "GpuBusy")), 100);
}

/* ------------------------------------------------------------------ */

TEST_MACHINE("gl_results_amd", "--time", "virtual", "--strict", "--gpu",
	     "vega10");
TEST_MACHINE("gl_results_intel", "--time", "virtual", "--strict", "--gpu",
	     "sklgt2");
TEST_MACHINE("gl_results_intel", "--time", "virtual", "--strict", "--gpu",
	     "tglgt2");
