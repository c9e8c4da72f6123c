/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GL_AMD_performance_monitor, sentence by sentence, on simulated GPUs in
 * virtual time, without a driver of OpenGL. Comments in quotes are the
 * extension's words.
 */
#include <check.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "gl_gpu.h"
#include "gl_monitors.h"
#include "gl_queries.h"
#include "tests/below_drmsim.h"
#include "tests/scene.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* No group, counter or monitor has it. */
#define NONE 0xfffffff0U

/* What has been left alone. */
#define UNTOUCHED 0x5a5a5a5aU

/* ------------------------------------------------------------------ */
/* Helpers                                                              */

static struct drmperf *drmperf;
static struct gl_counters *counters;
static struct gl_monitors *monitors;
static struct drmperf_error reason;
static char why[sizeof(reason.cause)]; /* of what was refused last */

static void
set_up(void)
{
	ck_assert_int_eq(drmperf_create(NULL, &drmperf, NULL), 0);
	ck_assert_int_eq(gl_counters_create(drmperf,
					    drmperf_device_at(drmperf, 0),
					    &counters, NULL),
			 0);
	ck_assert_int_eq(gl_monitors_create(counters, &monitors, NULL), 0);
	memset(&reason, 0, sizeof(reason));
}

static void
tear_down(void)
{
	gl_monitors_destroy(monitors);
	gl_counters_destroy(counters);
	drmperf_destroy(drmperf);
}

static void
good(GLenum error)
{
	ck_assert_msg(error == GL_NO_ERROR, "0x%x: %s", error, reason.cause);
}

/* It fails so, and says why. */
static void
refused(GLenum error, GLenum expected)
{
	ck_assert_uint_eq(error, expected);
	ck_assert_str_ne(reason.cause, "");
	strcpy(why, reason.cause);
	reason.cause[0] = '\0';
}

static GLuint
group_of(const char *name)
{
	for (GLuint i = 0; i < counters->group_count; i++) {
		if (!strcmp(counters->groups[i].name, name))
			return i;
	}
	ck_abort_msg("no group %s", name);
}

static GLuint
counter_of(GLuint group, const char *name)
{
	const struct gl_group *its = gl_counters_group(counters, group);

	for (GLuint i = 0; i < its->count; i++) {
		if (!strcmp(its->counters[i].name, name))
			return i;
	}
	ck_abort_msg("no counter %s", name);
}

static GLuint
generate(void)
{
	GLuint monitor = 0;

	good(gl_monitors_generate(monitors, 1, &monitor, &reason));
	return monitor;
}

static void
set_selected(GLuint monitor, const char *group, const char *counter,
	     GLboolean enable)
{
	const GLuint number = group_of(group);
	const GLuint its = counter_of(number, counter);

	good(gl_monitors_select(monitors, monitor, enable, number, 1, &its,
				&reason));
}

static void
select_one(GLuint monitor, const char *group, const char *counter)
{
	set_selected(monitor, group, counter, GL_TRUE);
}

/* What the GPU was to do before has been done. */
static GLenum
begin_exact(struct gl_monitors *its, GLuint monitor)
{
	return gl_monitors_begin(its, monitor, NULL, &reason);
}

static GLenum
end_exact(struct gl_monitors *its, GLuint monitor)
{
	return gl_monitors_end(its, monitor, NULL, &reason);
}

/* A monitor that has counted a millisecond of these, which may be NULL. */
static GLuint
measured(const char *group, const char *counter)
{
	const GLuint monitor = generate();

	if (group)
		select_one(monitor, group, counter);
	good(begin_exact(monitors, monitor));
	scene_pass(MS);
	good(end_exact(monitors, monitor));
	return monitor;
}

static GLuint
ask(GLuint monitor, GLenum what)
{
	GLuint number = UNTOUCHED;
	GLint written = -1;

	good(gl_monitors_data(monitors, monitor, what, sizeof(number), &number,
			      &written, &reason));
	ck_assert_int_eq(written, sizeof(number));
	return number;
}

static bool
is_available(GLuint monitor)
{
	return ask(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD);
}

static GLuint
size_of(GLuint monitor)
{
	return ask(monitor, GL_PERFMON_RESULT_SIZE_AMD);
}

/* How many bytes were written. */
static GLint
results(GLuint monitor, void *data, size_t size)
{
	GLint written = -1;

	good(gl_monitors_data(monitors, monitor, GL_PERFMON_RESULT_AMD,
			      (GLsizei)size, data, &written, &reason));
	return written;
}

/* The result that a monitor has of one wide counter. */
static uint64_t
wide_result(GLuint monitor)
{
	GLuint data[4];
	uint64_t value;

	ck_assert_int_eq(results(monitor, data, sizeof(data)), sizeof(data));
	memcpy(&value, data + 2, sizeof(value));
	return value;
}

static float
float_result(GLuint monitor)
{
	GLuint data[3];
	float value;

	ck_assert_int_eq(results(monitor, data, sizeof(data)), sizeof(data));
	memcpy(&value, data + 2, sizeof(value));
	return value;
}

/* ------------------------------------------------------------------ */
/* GetPerfMonitorGroupsAMD                                              */

/* "returns the number of available groups in <numGroups>, if <numGroups> is
 * not NULL." */
START_TEST(number_of_groups)
{
	GLint count = 0;

	good(gl_query_groups(counters, &count, 0, NULL, &reason));
	ck_assert_int_gt(count, 5);
	good(gl_query_groups(counters, NULL, 0, NULL, &reason));
}
END_TEST

/* "If <groupsSize> is not 0 and <groups> is not NULL, then the list of
 * available groups is returned." */
START_TEST(list_of_groups)
{
	GLuint groups[256];
	GLint count = 0;

	good(gl_query_groups(counters, &count, 256, groups, &reason));
	for (GLint i = 0; i < count; i++)
		good(gl_query_counters(counters, groups[i], NULL, NULL, 0, NULL,
				       &reason));
	good(gl_query_groups(counters, NULL, 256, NULL, &reason));
}
END_TEST

/* "The number of entries that will be returned in <groups> is determined by
 * <groupsSize>." */
START_TEST(as_many_groups_as_asked_for)
{
	GLuint groups[] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };

	good(gl_query_groups(counters, NULL, 2, groups, &reason));
	ck_assert_uint_ne(groups[0], UNTOUCHED);
	ck_assert_uint_ne(groups[1], UNTOUCHED);
	ck_assert_uint_eq(groups[2], UNTOUCHED);
}
END_TEST

/* "If <groupsSize> is 0, no information is copied." */
START_TEST(no_groups_where_the_size_is_0)
{
	GLuint group = UNTOUCHED;

	good(gl_query_groups(counters, NULL, 0, &group, &reason));
	ck_assert_uint_eq(group, UNTOUCHED);
}
END_TEST

/* "Each group is identified by a unique unsigned int identifier." */
START_TEST(groups_are_unique)
{
	GLuint groups[256];
	GLint count = 0;

	good(gl_query_groups(counters, &count, 256, groups, &reason));
	for (GLint i = 0; i < count; i++)
		for (GLint k = 0; k < i; k++)
			ck_assert_uint_ne(groups[i], groups[k]);
}
END_TEST

/* A size that is less than 0 is OpenGL's INVALID_VALUE, wherever it is. */
START_TEST(sizes_below_0)
{
	GLuint number = generate();

	refused(gl_query_groups(counters, NULL, -1, &number, &reason),
		GL_INVALID_VALUE);
	refused(gl_query_counters(counters, 0, NULL, NULL, -1, &number,
				  &reason),
		GL_INVALID_VALUE);
	refused(gl_query_group_string(counters, 0, -1, NULL, NULL, &reason),
		GL_INVALID_VALUE);
	refused(gl_query_counter_string(counters, 0, 0, -1, NULL, NULL,
					&reason),
		GL_INVALID_VALUE);
	refused(gl_monitors_generate(monitors, -1, &number, &reason),
		GL_INVALID_VALUE);
	refused(gl_monitors_delete(monitors, -1, &number, &reason),
		GL_INVALID_VALUE);
	refused(gl_monitors_data(monitors, number, GL_PERFMON_RESULT_SIZE_AMD,
				 -1, &number, NULL, &reason),
		GL_INVALID_VALUE);
}
END_TEST

/* ------------------------------------------------------------------ */
/* GetPerfMonitorCountersAMD                                            */

/* "it returns the number of available counters in <numCounters>, the max number
 * of counters that can be active at any time in <maxActiveCounters>" */
START_TEST(number_of_counters)
{
	for (GLuint i = 0; i < counters->group_count; i++) {
		GLint count = 0, most = 0;

		good(gl_query_counters(counters, i, &count, &most, 0, NULL,
				       &reason));
		ck_assert_int_gt(count, 0);
		ck_assert_int_gt(most, 0);
		ck_assert_int_le(most, count);
	}
}
END_TEST

START_TEST(limits_are_those_of_the_hardware)
{
	GLint most = 0;

	good(gl_query_counters(counters, group_of("TCC"), NULL, &most, 0, NULL,
			       &reason));
	ck_assert_int_eq(most, 4);
	good(gl_query_counters(counters, group_of("SQ"), NULL, &most, 0, NULL,
			       &reason));
	ck_assert_int_eq(most, 8);
}
END_TEST

/* "and the list of counters in <counters>" */
START_TEST(list_of_counters)
{
	const GLuint group = 1;
	const GLuint count = counters->groups[group].count;
	GLuint *list = calloc(count, sizeof(*list));

	good(gl_query_counters(counters, group, NULL, NULL, (GLsizei)count,
			       list, &reason));
	for (GLuint i = 0; i < count; i++)
		good(gl_query_counter_string(counters, group, list[i], 0, NULL,
					     NULL, &reason));
	free(list);
}
END_TEST

/* "The number of entries that can be returned in <counters> is determined by
 * <countersSize>." */
START_TEST(as_many_counters_as_asked_for)
{
	GLuint list[] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };

	good(gl_query_counters(counters, 0, NULL, NULL, 2, list, &reason));
	ck_assert_uint_ne(list[0], UNTOUCHED);
	ck_assert_uint_ne(list[1], UNTOUCHED);
	ck_assert_uint_eq(list[2], UNTOUCHED);
}
END_TEST

/* "If <countersSize> is 0, no information is copied." */
START_TEST(no_counters_where_the_size_is_0)
{
	GLuint counter = UNTOUCHED;

	good(gl_query_counters(counters, 0, NULL, NULL, 0, &counter, &reason));
	ck_assert_uint_eq(counter, UNTOUCHED);
}
END_TEST

/* "Each counter in a group is identified by a unique unsigned int identifier."
 */
START_TEST(counters_are_unique)
{
	GLuint list[64];
	const GLuint group = group_of("sensor");
	GLint count = 0;

	good(gl_query_counters(counters, group, &count, NULL, 64, list,
			       &reason));
	for (GLint i = 0; i < count; i++)
		for (GLint k = 0; k < i; k++)
			ck_assert_uint_ne(list[i], list[k]);
}
END_TEST

/* "If <group> does not reference a valid group ID, an INVALID_VALUE error is
 * generated." */
START_TEST(counters_of_no_group)
{
	GLint count = 77, most = 78;
	GLuint list = UNTOUCHED;

	refused(gl_query_counters(counters, NONE, &count, &most, 1, &list,
				  &reason),
		GL_INVALID_VALUE);
	refused(gl_query_counters(counters, counters->group_count, &count,
				  &most, 1, &list, &reason),
		GL_INVALID_VALUE);
	ck_assert_int_eq(count, 77);
	ck_assert_int_eq(most, 78);
	ck_assert_uint_eq(list, UNTOUCHED);
}
END_TEST

/* ------------------------------------------------------------------ */
/* GetPerfMonitorGroupStringAMD, GetPerfMonitorCounterStringAMD         */

typedef GLenum (*string_query)(GLsizei size, GLsizei *length, GLchar *string);

static GLenum
query_group(GLsizei size, GLsizei *length, GLchar *string)
{
	return gl_query_group_string(counters, group_of("sensor"), size, length,
				     string, &reason);
}

static GLenum
query_counter(GLsizei size, GLsizei *length, GLchar *string)
{
	const GLuint group = group_of("sensor");

	return gl_query_counter_string(counters, group, 0, size, length, string,
				       &reason);
}

static const struct {
	string_query query;
	const char *text; /* on the first GPU of each suite */
} strings[] = {
	{ query_group, "sensor" },
	{ query_counter, NULL },
};

/* What it is, by way of the list. */
static const char *
text_of(int i)
{
	return strings[i].text
		       ? strings[i].text
		       : counters->groups[group_of("sensor")].counters[0].name;
}

/* "returns the string that describes the ... name ... The actual number of
 * characters written to <groupString>, excluding the null terminator, is
 * returned in <length>." */
START_TEST(string_and_its_length)
{
	const char *text = text_of(_i);
	char string[256] = "";
	GLsizei length = -1;

	good(strings[_i].query(sizeof(string), &length, string));
	ck_assert_str_eq(string, text);
	ck_assert_int_eq(length, (GLsizei)strlen(text));
}
END_TEST

/* "If <length> is NULL, then no length is returned." */
START_TEST(string_without_length)
{
	char string[256] = "";

	good(strings[_i].query(sizeof(string), NULL, string));
	ck_assert_str_eq(string, text_of(_i));
}
END_TEST

/* "The maximum number of characters that may be written into <groupString>,
 * including the null terminator, is specified by <bufSize>." */
START_TEST(string_that_is_cut)
{
	const size_t whole = strlen(text_of(_i));

	for (size_t size = 1; size <= whole + 1; size++) {
		char string[256];
		GLsizei length = -1;

		memset(string, 'x', sizeof(string));
		good(strings[_i].query((GLsizei)size, &length, string));
		ck_assert_int_eq(length, (GLsizei)size - 1);
		ck_assert_uint_eq(strlen(string), size - 1);
		ck_assert(!strncmp(string, text_of(_i), size - 1));
		ck_assert_int_eq(string[size], 'x');
	}
}
END_TEST

/* "If <bufSize> is 0 and <groupString> is NULL, the number of characters that
 * would be required to hold the group string, excluding the null terminator, is
 * returned in <length>." */
START_TEST(length_of_a_string_alone)
{
	GLsizei length = -1;

	good(strings[_i].query(0, &length, NULL));
	ck_assert_int_eq(length, (GLsizei)strlen(text_of(_i)));
	good(strings[_i].query(0, NULL, NULL));
}
END_TEST

START_TEST(nothing_is_written_into_no_room)
{
	char string = 'x';

	good(strings[_i].query(0, NULL, &string));
	ck_assert_int_eq(string, 'x');
}
END_TEST

/* "If <group> does not reference a valid group ID, or <counter> does not
 * reference a valid counter within the group ID, an INVALID_VALUE error is
 * generated." */
START_TEST(strings_of_nothing)
{
	GLsizei length = 77;
	char string[8] = "as ever";

	refused(gl_query_group_string(counters, NONE, 8, &length, string,
				      &reason),
		GL_INVALID_VALUE);
	refused(gl_query_counter_string(counters, NONE, 0, 8, &length, string,
					&reason),
		GL_INVALID_VALUE);
	refused(gl_query_counter_string(counters, 0, NONE, 8, &length, string,
					&reason),
		GL_INVALID_VALUE);
	refused(gl_query_counter_string(counters, 0, counters->groups[0].count,
					8, &length, string, &reason),
		GL_INVALID_VALUE);
	ck_assert_int_eq(length, 77);
	ck_assert_str_eq(string, "as ever");
}
END_TEST

/* The sample's getCounterByName() takes the first that has the name. */
START_TEST(names_are_unique)
{
	for (GLuint i = 0; i < counters->group_count; i++) {
		const struct gl_group *group = &counters->groups[i];

		ck_assert_uint_eq(group_of(group->name), i);
		if (group->count > 100)
			continue;
		for (GLuint k = 0; k < group->count; k++)
			ck_assert_uint_eq(
				counter_of(i, group->counters[k].name), k);
	}
}
END_TEST

/* ------------------------------------------------------------------ */
/* GetPerfMonitorCounterInfoAMD                                         */

static GLenum
type_of(GLuint group, GLuint counter)
{
	GLenum type = 0;

	good(gl_query_counter_info(counters, group, counter,
				   GL_COUNTER_TYPE_AMD, &type, &reason));
	return type;
}

/* "Valid type values returned are UNSIGNED_INT, UNSIGNED_INT64_AMD,
 * PERCENTAGE_AMD, FLOAT." */
START_TEST(types)
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
END_TEST

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

/* "If <pname> is COUNTER_TYPE_AMD, then <data> returns the type." */
START_TEST(type_of_a_counter)
{
	const GLuint group = group_of(typed[_i].group);

	ck_assert_uint_eq(type_of(group, counter_of(group, typed[_i].counter)),
			  typed[_i].type);
}
END_TEST

/* "If <pname> is COUNTER_RANGE_AMD, <data> returns two values representing a
 * minimum and a maximum. The counter's type is used to determine the format in
 * which the range values are returned." */
START_TEST(range_of_a_counter)
{
	const GLuint group = group_of(typed[_i].group);
	union {
		uint64_t wide[2];
		uint32_t narrow[4];
		float number[4];
	} range = { .narrow = { 1, 2, UNTOUCHED, UNTOUCHED } };

	good(gl_query_counter_info(counters, group,
				   counter_of(group, typed[_i].counter),
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
END_TEST

/* "If type value returned is PERCENTAGE_AMD, then this describes a float value
 * that is in the range [0.0 .. 100.0]." */
START_TEST(percentages_go_from_0_to_100)
{
	const GLuint group = group_of("metric");
	float range[2] = { -1, -1 };

	good(gl_query_counter_info(counters, group,
				   counter_of(group, "L2CacheHit"),
				   GL_COUNTER_RANGE_AMD, range, &reason));
	ck_assert_float_eq(range[0], 0);
	ck_assert_float_eq(range[1], 100);
}
END_TEST

START_TEST(values_are_kept_in_their_range)
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
END_TEST

/* "If <group> does not reference a valid group ID, or <counter> does not
 * reference a valid counter within the group ID, an INVALID_VALUE error is
 * generated." */
START_TEST(info_of_nothing)
{
	GLuint data = UNTOUCHED;

	refused(gl_query_counter_info(counters, NONE, 0, GL_COUNTER_TYPE_AMD,
				      &data, &reason),
		GL_INVALID_VALUE);
	refused(gl_query_counter_info(counters, 0, NONE, GL_COUNTER_RANGE_AMD,
				      &data, &reason),
		GL_INVALID_VALUE);
	ck_assert_uint_eq(data, UNTOUCHED);
}
END_TEST

START_TEST(info_of_another_kind)
{
	GLuint data = UNTOUCHED;

	refused(gl_query_counter_info(counters, 0, 0, GL_PERFMON_RESULT_AMD,
				      &data, &reason),
		GL_INVALID_ENUM);
	refused(gl_query_counter_info(counters, 0, 0, GL_COUNTER_TYPE_AMD, NULL,
				      &reason),
		GL_INVALID_OPERATION);
	ck_assert_uint_eq(data, UNTOUCHED);
}
END_TEST

/* ------------------------------------------------------------------ */
/* GenPerfMonitorsAMD                                                   */

/* "returns a list of monitors" */
START_TEST(generates_monitors)
{
	GLuint names[4] = { 0 };

	good(gl_monitors_generate(monitors, 4, names, &reason));
	for (int i = 0; i < 4; i++) {
		ck_assert_uint_ne(names[i], 0);
		for (int k = 0; k < i; k++)
			ck_assert_uint_ne(names[i], names[k]);
	}
	good(gl_monitors_generate(monitors, 0, NULL, &reason));
}
END_TEST

/* "At creation time, the performance monitor object has all counters disabled."
 */
START_TEST(nothing_is_selected_at_first)
{
	const GLuint monitor = measured(NULL, NULL);

	ck_assert(is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
}
END_TEST

/* "The value of the PERFMON_RESULT_AVAILABLE_AMD, PERFMON_RESULT_AMD, and
 * PERFMON_RESULT_SIZE_AMD queries will all initially be 0." */
START_TEST(results_are_0_at_first)
{
	const GLuint monitor = generate();

	ck_assert_uint_eq(ask(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD), 0);
	ck_assert_uint_eq(ask(monitor, GL_PERFMON_RESULT_SIZE_AMD), 0);
	ck_assert_uint_eq(ask(monitor, GL_PERFMON_RESULT_AMD), 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* DeletePerfMonitorsAMD                                                */

/* "is used to delete the list of monitors created by a previous call to
 * GenPerfMonitors." */
START_TEST(deletes_monitors)
{
	GLuint names[2], data;

	good(gl_monitors_generate(monitors, 2, names, &reason));
	good(gl_monitors_delete(monitors, 2, names, &reason));
	for (int i = 0; i < 2; i++)
		refused(gl_monitors_data(monitors, names[i],
					 GL_PERFMON_RESULT_SIZE_AMD, 4, &data,
					 NULL, &reason),
			GL_INVALID_VALUE);
}
END_TEST

/* "If a monitor ID in the list <monitors> does not reference a previously
 * generated performance monitor, an INVALID_VALUE error is generated." */
START_TEST(deletes_no_unknown_monitor)
{
	GLuint names[] = { generate(), NONE };
	GLuint deleted = generate();

	refused(gl_monitors_delete(monitors, 2, names, &reason),
		GL_INVALID_VALUE);
	/* a command with an error does nothing */
	ck_assert_uint_eq(size_of(names[0]), 0);
	good(gl_monitors_delete(monitors, 1, &deleted, &reason));
	refused(gl_monitors_delete(monitors, 1, &deleted, &reason),
		GL_INVALID_VALUE);
	deleted = 0;
	refused(gl_monitors_delete(monitors, 1, &deleted, &reason),
		GL_INVALID_VALUE);
}
END_TEST

START_TEST(deletes_twice_named_monitor_once)
{
	const GLuint monitor = generate();
	GLuint names[] = { monitor, monitor };

	good(gl_monitors_delete(monitors, 2, names, &reason));
}
END_TEST

START_TEST(deleting_ends_what_counts)
{
	GLuint first = generate(), second = generate();

	select_one(first, "sensor",
		   counters->groups[group_of("sensor")].counters[0].name);
	good(begin_exact(monitors, first));
	good(gl_monitors_delete(monitors, 1, &first, &reason));
	good(begin_exact(monitors, second));
	good(end_exact(monitors, second));
}
END_TEST

/* ------------------------------------------------------------------ */
/* SelectPerfMonitorCountersAMD                                         */

/* "The <enable> argument determines whether the counters should be enabled or
 * disabled." */
START_TEST(selects_and_deselects)
{
	const GLuint monitor = measured("SQ", "WAVES");

	ck_assert_uint_eq(size_of(monitor), 16);
	select_one(monitor, "GRBM", "COUNT");
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 32);
	set_selected(monitor, "SQ", "WAVES", GL_FALSE);
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
}
END_TEST

START_TEST(selecting_twice_is_selecting_once)
{
	const GLuint monitor = generate();

	select_one(monitor, "SQ", "WAVES");
	select_one(monitor, "SQ", "WAVES");
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
	set_selected(monitor, "SQ", "BUSY_CYCLES", GL_FALSE);
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
}
END_TEST

/* "The <numCounters> argument gives the number of counters to be selected from
 * the list <counterList>." */
START_TEST(selects_as_many_as_told)
{
	const GLuint monitor = generate(), group = group_of("TCC");
	const GLuint list[] = { 1, 2, 3 };

	good(gl_monitors_select(monitors, monitor, GL_TRUE, group, 2, list,
				&reason));
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 32);
}
END_TEST

/* "If <monitor> is not a valid monitor created by GenPerfMonitorsAMD, then
 * INVALID_VALUE error will be generated." */
START_TEST(select_of_no_monitor)
{
	const GLuint counter = 0;

	refused(gl_monitors_select(monitors, NONE, GL_TRUE, 0, 1, &counter,
				   &reason),
		GL_INVALID_VALUE);
	refused(gl_monitors_select(monitors, 0, GL_TRUE, 0, 1, &counter,
				   &reason),
		GL_INVALID_VALUE);
}
END_TEST

/* "If <group> is not a valid group, the INVALID_VALUE error will be generated."
 */
START_TEST(select_of_no_group)
{
	const GLuint counter = 0;

	refused(gl_monitors_select(monitors, generate(), GL_TRUE, NONE, 1,
				   &counter, &reason),
		GL_INVALID_VALUE);
}
END_TEST

/* "If <numCounters> is less than 0, an INVALID_VALUE error will be generated."
 */
START_TEST(select_of_less_than_none)
{
	const GLuint counter = 0;

	refused(gl_monitors_select(monitors, generate(), GL_TRUE, 0, -1,
				   &counter, &reason),
		GL_INVALID_VALUE);
}
END_TEST

/* What is no counter cannot be selected; the others are not either. */
START_TEST(select_of_no_counter)
{
	const GLuint monitor = generate();
	const GLuint list[] = { 0, counters->groups[0].count };

	refused(gl_monitors_select(monitors, monitor, GL_TRUE, 0, 2, list,
				   &reason),
		GL_INVALID_VALUE);
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
}
END_TEST

/* "Remove INVALID_OPERATION error when countersList is NULL" */
START_TEST(select_of_no_list)
{
	const GLuint monitor = measured("SQ", "WAVES");

	good(gl_monitors_select(monitors, monitor, GL_TRUE, 0, 3, NULL,
				&reason));
	ck_assert(!is_available(monitor));
}
END_TEST

/* "When SelectPerfMonitorCountersAMD is called on a monitor, any outstanding
 * results for that monitor become invalidated and the result queries
 * PERFMON_RESULT_SIZE_AMD and PERFMON_RESULT_AVAILABLE_AMD are reset to 0." */
START_TEST(selecting_invalidates_results)
{
	const GLuint monitor = measured("SQ", "WAVES");
	const GLuint other = measured("SQ", "WAVES");
	GLuint data[8] = { UNTOUCHED };

	good(gl_monitors_select(monitors, monitor, GL_TRUE, 0, 0, NULL,
				&reason));
	ck_assert_uint_eq(ask(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD), 0);
	ck_assert_uint_eq(ask(monitor, GL_PERFMON_RESULT_SIZE_AMD), 0);
	ck_assert_int_eq(results(monitor, data, sizeof(data)), sizeof(GLuint));
	ck_assert_uint_eq(data[0], 0);
	ck_assert(is_available(other));
}
END_TEST

START_TEST(failing_to_select_keeps_results)
{
	const GLuint monitor = measured("SQ", "WAVES");

	refused(gl_monitors_select(monitors, monitor, GL_TRUE, 0, -1, NULL,
				   &reason),
		GL_INVALID_VALUE);
	ck_assert(is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
}
END_TEST

/* The results of a session that goes on are outstanding, too. */
START_TEST(selecting_while_active_invalidates_what_is_counted)
{
	const GLuint monitor = generate();

	select_one(monitor, "SQ", "WAVES");
	good(begin_exact(monitors, monitor));
	select_one(monitor, "GRBM", "COUNT");
	good(end_exact(monitors, monitor));
	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 32);
}
END_TEST

/* ------------------------------------------------------------------ */
/* BeginPerfMonitorAMD, EndPerfMonitorAMD                               */

/* "is used to start a monitor session" */
START_TEST(counts_between_begin_and_end)
{
	GLuint monitor;

	scene_set("rate", "SQ.4 1000");
	monitor = measured("SQ", "WAVES");
	ck_assert(is_available(monitor));
	/* so many a second, of four shader engines */
	ck_assert_uint_eq(wide_result(monitor), 4);
	scene_pass(MS);
	ck_assert_uint_eq(wide_result(monitor), 4);
}
END_TEST

START_TEST(counts_anew_from_each_begin)
{
	GLuint monitor;

	scene_set("rate", "SQ.4 1000");
	monitor = measured("SQ", "WAVES");
	good(begin_exact(monitors, monitor));
	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
	scene_pass(2 * MS);
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(wide_result(monitor), 8);
}
END_TEST

/* "Note that BeginPerfMonitor calls cannot be nested."
 * "INVALID_OPERATION error will be generated if BeginPerfMonitorAMD is called
 * when a performance monitor is already active." */
START_TEST(sessions_are_not_nested)
{
	const GLuint first = generate(), second = generate();

	good(begin_exact(monitors, first));
	refused(begin_exact(monitors, first),
		GL_INVALID_OPERATION);
	refused(begin_exact(monitors, second),
		GL_INVALID_OPERATION);
	good(end_exact(monitors, first));
	good(begin_exact(monitors, second));
	good(end_exact(monitors, second));
}
END_TEST

/* Identifiers, sessions and errors are a context's own. */
START_TEST(contexts_have_monitors_of_their_own)
{
	const GLuint monitor = generate();
	struct gl_monitors *others;
	GLuint name = 0;

	ck_assert_int_eq(gl_monitors_create(counters, &others, NULL), 0);
	refused(begin_exact(others, monitor), GL_INVALID_VALUE);
	good(gl_monitors_generate(others, 1, &name, &reason));
	select_one(monitor, "SQ", "WAVES");
	good(begin_exact(monitors, monitor));
	good(begin_exact(others, name));
	good(end_exact(monitors, monitor));
	gl_monitors_destroy(others);
}
END_TEST

/* "it is quite possible that given the list of groups and counters/group
 * enabled for a monitor, it may not be able to sample the necessary counters
 * and so the monitor session will fail. In such a case, an INVALID_OPERATION
 * error will be generated." Before any hardware is touched. */
START_TEST(more_counters_than_can_be_active)
{
	const GLuint monitor = generate(), group = group_of("TCC");
	const GLuint list[] = { 1, 2, 3, 4, 5 };
	uint64_t before;

	good(gl_monitors_select(monitors, monitor, GL_TRUE, group, 5, list,
				&reason));
	before = scene_calls("cs");
	refused(begin_exact(monitors, monitor),
		GL_INVALID_OPERATION);
	ck_assert(strstr(why, "5 counters of group TCC"));
	ck_assert_uint_eq(scene_calls("cs"), before);
	refused(end_exact(monitors, monitor),
		GL_INVALID_OPERATION);
	good(gl_monitors_select(monitors, monitor, GL_FALSE, group, 1, list,
				&reason));
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 4 * 16);
}
END_TEST

START_TEST(all_that_can_be_active_of_each_group)
{
	for (GLuint i = 0; i < counters->group_count; i++) {
		const struct gl_group *group = &counters->groups[i];
		const GLuint monitor = generate();

		if (!strcmp(group->name, "metric"))
			continue; /* has no limit of its own */
		for (GLuint k = 0; k < group->max_active; k++)
			good(gl_monitors_select(monitors, monitor, GL_TRUE, i,
						1, &k, &reason));
		good(begin_exact(monitors, monitor));
		good(end_exact(monitors, monitor));
	}
}
END_TEST

START_TEST(the_gpu_does_not_answer)
{
	const GLuint monitor = generate();

	select_one(monitor, "SQ", "WAVES");
	scene_fault("cs:1+:EBUSY");
	refused(begin_exact(monitors, monitor),
		GL_INVALID_OPERATION);
	ck_assert(!is_available(monitor));
	refused(end_exact(monitors, monitor),
		GL_INVALID_OPERATION);
}
END_TEST

START_TEST(failing_to_begin_keeps_results)
{
	const GLuint monitor = measured("SQ", "WAVES"), other = generate();

	good(begin_exact(monitors, other));
	refused(begin_exact(monitors, monitor),
		GL_INVALID_OPERATION);
	ck_assert_uint_eq(size_of(monitor), 16);
}
END_TEST

/* "INVALID_OPERATION error will be generated if EndPerfMonitorAMD is called
 * when a performance monitor is not currently started." */
START_TEST(end_of_what_is_not_started)
{
	const GLuint monitor = generate(), other = generate();

	refused(end_exact(monitors, monitor),
		GL_INVALID_OPERATION);
	good(begin_exact(monitors, other));
	refused(end_exact(monitors, monitor),
		GL_INVALID_OPERATION);
	good(end_exact(monitors, other));
	refused(end_exact(monitors, other),
		GL_INVALID_OPERATION);
}
END_TEST

START_TEST(begin_and_end_of_no_monitor)
{
	refused(begin_exact(monitors, NONE), GL_INVALID_VALUE);
	refused(end_exact(monitors, NONE), GL_INVALID_VALUE);
}
END_TEST

/* What its parent has is not touched. */
START_TEST(forked_child_counts_nothing)
{
	const GLuint monitor = generate();
	int status;
	pid_t pid;

	scene_set("rate", "SQ.4 1000");
	select_one(monitor, "SQ", "WAVES");
	pid = fork();
	if (!pid)
		child_end(begin_exact(monitors, monitor) !=
				  GL_INVALID_OPERATION ||
			  reason.code != -ECHILD);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	good(begin_exact(monitors, monitor));
	scene_pass(MS);
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(wide_result(monitor), 4);
}
END_TEST

/* Who waits until they are available does not wait for ever. */
START_TEST(what_cannot_be_read_has_no_results)
{
	const GLuint monitor = generate();

	select_one(monitor, "SQ", "WAVES");
	good(begin_exact(monitors, monitor));
	scene_fault("cs:1+:ECANCELED");
	refused(end_exact(monitors, monitor),
		GL_INVALID_OPERATION);
	ck_assert(is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
}
END_TEST

/* ------------------------------------------------------------------ */
/* GetPerfMonitorCounterDataAMD                                         */

/* "For each counter of a group that was selected to be sampled, the information
 * is returned as group ID, followed by counter ID, followed by counter value.
 * The size of counter value returned will depend on the counter value type." */
START_TEST(results_of_all_types)
{
	const GLuint monitor = generate();
	GLuint data[16];
	uint64_t wide;
	float number;

	scene_set("rate", "SQ.4 1000");
	for (size_t i = ARRAY_SIZE(typed); i > 0; i--)
		select_one(monitor, typed[i - 1].group, typed[i - 1].counter);
	set_selected(monitor, "sensor", "vram-usage", GL_FALSE);
	set_selected(monitor, "sensor", "gpu-load", GL_FALSE);
	good(begin_exact(monitors, monitor));
	scene_pass(MS);
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 13 * sizeof(GLuint));
	ck_assert_int_eq(results(monitor, data, sizeof(data)),
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
END_TEST

/* "If <bytesWritten> is not NULL, it gives the number of bytes written" */
START_TEST(bytes_written_may_be_null)
{
	const GLuint monitor = measured("SQ", "WAVES");
	GLuint data[4] = { UNTOUCHED, 0, 0, 0 };

	good(gl_monitors_data(monitors, monitor, GL_PERFMON_RESULT_AMD,
			      sizeof(data), data, NULL, &reason));
	ck_assert_uint_eq(data[0], group_of("SQ"));
}
END_TEST

/* "It is an INVALID_OPERATION error for <data> to be NULL." */
START_TEST(data_is_null)
{
	static const GLenum queries[] = { GL_PERFMON_RESULT_AVAILABLE_AMD,
					  GL_PERFMON_RESULT_SIZE_AMD,
					  GL_PERFMON_RESULT_AMD };
	const GLuint monitor = measured("SQ", "WAVES");
	GLint written = 77;

	for (size_t i = 0; i < ARRAY_SIZE(queries); i++)
		refused(gl_monitors_data(monitors, monitor, queries[i], 64,
					 NULL, &written, &reason),
			GL_INVALID_OPERATION);
	ck_assert_int_eq(written, 77);
}
END_TEST

START_TEST(data_of_another_kind)
{
	GLuint data = UNTOUCHED;

	refused(gl_monitors_data(monitors, generate(), GL_COUNTER_TYPE_AMD, 4,
				 &data, NULL, &reason),
		GL_INVALID_ENUM);
	refused(gl_monitors_data(monitors, NONE, GL_PERFMON_RESULT_AMD, 4,
				 &data, NULL, &reason),
		GL_INVALID_VALUE);
	ck_assert_uint_eq(data, UNTOUCHED);
}
END_TEST

/* "If <pname> is PERFMON_RESULT_AMD and <dataSize> is less than the number of
 * bytes required to store the results ..., then results will be written only up
 * to the number of bytes specified by <dataSize>." Whole ones. */
START_TEST(results_that_are_cut)
{
	const GLuint monitor = generate();

	select_one(monitor, "GRBM", "COUNT");
	select_one(monitor, "SQ", "WAVES");
	select_one(monitor, "sensor", "gfx-sclk");
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 44);
	for (size_t size = 0; size <= 48; size++) {
		const size_t fits = size < 16	? 0
				    : size < 32 ? 16
				    : size < 44 ? 32
						: 44;
		unsigned char data[64];

		memset(data, 0x5a, sizeof(data));
		ck_assert_int_eq(results(monitor, data, size), (GLint)fits);
		for (size_t i = fits; i < sizeof(data); i++)
			ck_assert_uint_eq(data[i], 0x5a);
	}
}
END_TEST

START_TEST(no_room_for_a_number)
{
	const GLuint monitor = measured("SQ", "WAVES");
	GLuint data = UNTOUCHED;
	GLint written = -1;

	good(gl_monitors_data(monitors, monitor, GL_PERFMON_RESULT_SIZE_AMD, 3,
			      &data, &written, &reason));
	ck_assert_int_eq(written, 0);
	ck_assert_uint_eq(data, UNTOUCHED);
}
END_TEST

/* "If no BeginPerfMonitorAMD/EndPerfMonitorAMD has been issued for a monitor,
 * then the result of querying for PERFMON_RESULT_AVAILABLE and
 * PERFMON_RESULT_SIZE will be 0." */
START_TEST(nothing_without_begin_and_end)
{
	const GLuint monitor = generate();

	select_one(monitor, "SQ", "WAVES");
	ck_assert_uint_eq(ask(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD), 0);
	ck_assert_uint_eq(ask(monitor, GL_PERFMON_RESULT_SIZE_AMD), 0);
	good(begin_exact(monitors, monitor));
	ck_assert_uint_eq(ask(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD), 0);
	ck_assert_uint_eq(ask(monitor, GL_PERFMON_RESULT_SIZE_AMD), 0);
	good(end_exact(monitors, monitor));
}
END_TEST

/* ------------------------------------------------------------------ */
/* Which GPU                                                            */

static struct drmperf_device *
find_gpu(const struct gl_renderer *renderer, const char *chosen, int expected)
{
	struct drmperf_device *device = NULL;

	reason.cause[0] = '\0';
	ck_assert_int_eq(
		gl_gpu_find(drmperf, renderer, chosen, &device, &reason),
		expected);
	ck_assert_int_eq(!reason.cause[0], !expected);
	return device;
}

START_TEST(gpu_of_a_node)
{
	for (unsigned i = 0; i < 2; i++) {
		struct drmperf_device *device = drmperf_device_at(drmperf, i);
		struct gl_renderer renderer = { .vendor = 0x1234 };

		strcpy(renderer.node, drmperf_device_node(device));
		/* what the driver tells is what counts */
		ck_assert_ptr_eq(find_gpu(&renderer, "0", 0), device);
	}
}
END_TEST

START_TEST(gpu_of_an_unknown_node)
{
	const struct gl_renderer renderer = { .node = "/dev/null" };

	find_gpu(&renderer, "0", -ENODEV);
}
END_TEST

START_TEST(gpu_of_two_alike)
{
	const struct gl_renderer renderer = { .vendor = 0x1002,
					      .device = 0x687f };

	/* the first one is open, as by a driver */
	ck_assert_ptr_eq(find_gpu(&renderer, NULL, 0),
			 drmperf_device_at(drmperf, 0));
	ck_assert_int_eq(
		drmperf_device_open(drmperf_device_at(drmperf, 1), NULL), 0);
	find_gpu(&renderer, NULL, -ENOTUNIQ);
	ck_assert_ptr_eq(find_gpu(&renderer, "1", 0),
			 drmperf_device_at(drmperf, 1));
}
END_TEST

START_TEST(gpu_that_cannot_be_counted)
{
	const struct gl_renderer renderer = { .vendor = 0x10de,
					      .device = 0x1234 };

	find_gpu(&renderer, NULL, -ENODEV);
	find_gpu(&renderer, "0", -ENODEV);
}
END_TEST

START_TEST(gpu_by_choice)
{
	const struct gl_renderer nothing = { 0 };
	struct drmperf_device *second = drmperf_device_at(drmperf, 1);
	const char *address = drmperf_device_address(second);

	find_gpu(&nothing, NULL, -ENODEV);
	find_gpu(&nothing, "", -ENODEV);
	ck_assert_ptr_eq(find_gpu(&nothing, "1", 0), second);
	ck_assert_ptr_eq(find_gpu(&nothing, address, 0), second);
	ck_assert_ptr_eq(find_gpu(&nothing, address + 5, 0), second);
	find_gpu(&nothing, "2", -EINVAL);
	find_gpu(&nothing, "99999999999999999999", -EINVAL);
	find_gpu(&nothing, "0000:ff:00.0", -EINVAL);
	find_gpu(&nothing, "vega", -EINVAL);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Intel                                                                */

/* "INVALID_OPERATION error will be generated if BeginPerfMonitorAMD is unable
 * to begin monitoring with the currently selected counters." One metric set is
 * active at a time. */
START_TEST(metric_sets_do_not_fit_together)
{
	const GLuint monitor = generate();

	select_one(monitor, "RenderBasic", "GpuTime");
	select_one(monitor, "ComputeBasic", "GpuTime");
	refused(begin_exact(monitors, monitor),
		GL_INVALID_OPERATION);
	set_selected(monitor, "ComputeBasic", "GpuTime", GL_FALSE);
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
}
END_TEST

START_TEST(a_whole_metric_set)
{
	const GLuint monitor = generate(), group = group_of("RenderBasic");
	GLint most = 0;

	good(gl_query_counters(counters, group, NULL, &most, 0, NULL, &reason));
	ck_assert_uint_eq((GLuint)most, counters->groups[group].count);
	for (GLuint i = 0; i < (GLuint)most; i++)
		good(gl_monitors_select(monitors, monitor, GL_TRUE, group, 1,
					&i, &reason));
	good(begin_exact(monitors, monitor));
	scene_pass(MS);
	good(end_exact(monitors, monitor));
	ck_assert(is_available(monitor));
}
END_TEST

START_TEST(a_share_of_time)
{
	ck_assert_float_le(float_result(measured("RenderBasic", "GpuBusy")),
			   100);
}
END_TEST

/* ------------------------------------------------------------------ */
/* "That is, the API is asynchronous, and performance counter collection does
 * not begin until the graphics hardware processes the BeginPerfMonitorAMD
 * command."
 */

/* A place that the GPU gets to when the test says so. */
struct place {
	struct gl_fence fence;
	int passed; /* readable once it has */
	atomic_int outcome;
	sem_t looked_at; /* by who waits for it */
	sem_t left; /* whatever was to follow has been done */
};

static int
wait_at(struct gl_fence *fence, uint64_t ns)
{
	struct place *place = (struct place *)fence;
	struct pollfd passed = { .fd = place->passed, .events = POLLIN };

	sem_post(&place->looked_at);
	/* any machine: it is looked at again until the test says so */
	if (poll(&passed, 1, (int)(ns / MS)) != 1)
		return 0;
	return place->outcome;
}

static void
leave(struct gl_fence *fence)
{
	sem_post(&((struct place *)fence)->left);
}

static struct gl_fence *
place_init(struct place *place)
{
	place->fence = (struct gl_fence){ wait_at, leave };
	place->outcome = 1;
	place->passed = eventfd(0, EFD_CLOEXEC);
	ck_assert_int_ge(place->passed, 0);
	sem_init(&place->looked_at, 0, 0);
	sem_init(&place->left, 0, 0);
	return &place->fence;
}

static void
place_finish(struct place *place)
{
	close(place->passed);
	sem_destroy(&place->looked_at);
	sem_destroy(&place->left);
}

static void
wait_until(sem_t *told)
{
	while (sem_wait(told) && errno == EINTR)
		;
}

/* The GPU gets there: 1, or an error that waiting for it has. */
static void
get_there(struct place *place, int outcome)
{
	const uint64_t one = 1;

	place->outcome = outcome;
	ck_assert_int_eq(write(place->passed, &one, sizeof(one)), sizeof(one));
}

/* And what was to be done there has been done. */
static void
pass(struct place *place)
{
	get_there(place, 1);
	wait_until(&place->left);
}

/* A context whose GPU gets here and there. */
static struct place first, last;

static void
set_up_places(void)
{
	set_up();
	scene_set("rate", "SQ.4 1000");
	place_init(&first);
	place_init(&last);
}

static void
tear_down_places(void)
{
	tear_down();
	place_finish(&first);
	place_finish(&last);
}

/* A monitor that was begun and ended while the GPU was busy with other things.
 */
static GLuint
asked_for(const char *group, const char *counter)
{
	const GLuint monitor = generate();

	select_one(monitor, group, counter);
	good(gl_monitors_begin(monitors, monitor, &first.fence, &reason));
	good(gl_monitors_end(monitors, monitor, &last.fence, &reason));
	return monitor;
}

static void
wait_for_results(GLuint monitor)
{
	struct gl_counting *ending = gl_monitors_ending(monitors, monitor);

	if (ending)
		gl_counting_wait(ending);
	gl_counting_release(ending);
	ck_assert(is_available(monitor));
}

START_TEST(counts_from_where_the_gpu_gets_to)
{
	const GLuint monitor = generate();

	select_one(monitor, "SQ", "WAVES");
	good(gl_monitors_begin(monitors, monitor, &first.fence, &reason));
	wait_until(&first.looked_at);
	scene_pass(5 * MS);
	pass(&first);
	scene_pass(MS);
	good(gl_monitors_end(monitors, monitor, &last.fence, &reason));
	scene_pass(MS);
	ck_assert(!is_available(monitor));
	pass(&last);
	scene_pass(5 * MS);
	ck_assert(is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
	ck_assert_uint_eq(wide_result(monitor), 8);
}
END_TEST

/* "If <pname> is PERFMON_RESULT_SIZE_AMD, <data> will contain actual size of
 * all counter results being sampled." As in the extension's sample, which asks
 * for nothing before. */
START_TEST(size_is_known_before_the_results)
{
	const GLuint monitor = asked_for("SQ", "WAVES");

	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
	pass(&first);
	pass(&last);
	ck_assert(is_available(monitor));
}
END_TEST

static void *
get_to_both(void *data)
{
	(void)data;
	get_there(&first, 1);
	get_there(&last, 1);
	return NULL;
}

START_TEST(results_can_be_waited_for)
{
	const GLuint monitor = asked_for("SQ", "WAVES");
	struct gl_counting *ending = gl_monitors_ending(monitors, monitor);
	pthread_t gpu;

	ck_assert_ptr_nonnull(ending);
	gl_counting_release(ending);
	ck_assert(!pthread_create(&gpu, NULL, get_to_both, NULL));
	wait_for_results(monitor);
	ck_assert_ptr_null(gl_monitors_ending(monitors, monitor));
	ck_assert_uint_eq(wide_result(monitor), 0);
	pthread_join(gpu, NULL);
}
END_TEST

/* What is counted first keeps the next one waiting, not the program. */
START_TEST(monitors_follow_each_other)
{
	const GLuint monitor = asked_for("SQ", "WAVES");
	const GLuint next = generate();

	select_one(next, "SQ", "WAVES");
	good(begin_exact(monitors, next));
	good(end_exact(monitors, next));
	ck_assert(!is_available(next));
	pass(&first);
	scene_pass(MS);
	pass(&last);
	ck_assert_uint_eq(wide_result(monitor), 4);
	wait_for_results(next);
	ck_assert_uint_eq(wide_result(next), 0);
}
END_TEST

START_TEST(begins_again_before_it_has_ended)
{
	const GLuint monitor = asked_for("SQ", "WAVES");

	good(begin_exact(monitors, monitor));
	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
	good(end_exact(monitors, monitor));
	pass(&first);
	scene_pass(MS);
	pass(&last);
	wait_for_results(monitor);
	ck_assert_uint_eq(wide_result(monitor), 0);
}
END_TEST

/* "When SelectPerfMonitorCountersAMD is called on a monitor, any outstanding
 * results for that monitor become invalidated" */
START_TEST(selecting_invalidates_results_to_come)
{
	const GLuint monitor = asked_for("SQ", "WAVES");

	select_one(monitor, "SQ", "WAVES");
	pass(&first);
	pass(&last);
	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
}
END_TEST

START_TEST(deletes_what_is_to_end)
{
	GLuint monitor = asked_for("SQ", "WAVES");

	good(gl_monitors_delete(monitors, 1, &monitor, &reason));
	pass(&first);
	pass(&last);
	wait_for_results(measured("SQ", "WAVES"));
}
END_TEST

/* The GPU never gets there, and who waits for it does not for ever. */
START_TEST(a_context_goes_with_what_is_to_come)
{
	const GLuint monitor = asked_for("SQ", "WAVES");
	struct gl_counting *ending = gl_monitors_ending(monitors, monitor);

	wait_until(&first.looked_at);
	gl_monitors_destroy(monitors);
	gl_counting_wait(ending);
	ck_assert_int_eq(gl_counting_outcome(ending)->code, -ECANCELED);
	gl_counting_release(ending);
	wait_until(&first.left);
	wait_until(&last.left);
	ck_assert_int_eq(gl_monitors_create(counters, &monitors, NULL), 0);
}
END_TEST

/* Which of the two places is never known to be got to. */
static struct place *const unknown[] = { &first, &last };

/* It has no results, the reason is told once, and the next one counts. */
static void
check_without_results(GLuint monitor)
{
	GLuint available = 0;

	refused(gl_monitors_data(monitors, monitor,
				 GL_PERFMON_RESULT_AVAILABLE_AMD,
				 sizeof(available), &available, NULL, &reason),
		GL_NO_ERROR);
	ck_assert_uint_eq(available, 1);
	ck_assert_uint_eq(size_of(monitor), 0);
}

START_TEST(a_driver_that_does_not_tell)
{
	const GLuint monitor = asked_for("SQ", "WAVES");

	get_there(&first, unknown[_i] == &first ? -EIO : 1);
	wait_until(&first.left);
	get_there(&last, unknown[_i] == &last ? -EIO : 1);
	wait_until(&last.left);
	check_without_results(monitor);
	ck_assert_ptr_nonnull(strstr(why, "does not tell"));
	good(begin_exact(monitors, monitor));
	good(end_exact(monitors, monitor));
}
END_TEST

/* That is known only when the GPU gets there. */
START_TEST(counters_that_others_have)
{
	static const char *const names[] = { "REQ", "HIT", "MISS", "BUSY" };
	struct gl_monitors *others;
	GLuint monitor, counter, name;
	const GLuint group = group_of("TCC");

	ck_assert_int_eq(gl_monitors_create(counters, &others, NULL), 0);
	good(gl_monitors_generate(others, 1, &name, &reason));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		counter = counter_of(group, names[i]);
		good(gl_monitors_select(others, name, GL_TRUE, group, 1,
					&counter, &reason));
	}
	good(begin_exact(others, name));
	monitor = asked_for("TCC", "CYCLE");
	pass(&first);
	pass(&last);
	check_without_results(monitor);
	gl_monitors_destroy(others);
}
END_TEST

/* The thread that would end it is its parent's. */
START_TEST(forked_child_gets_no_results)
{
	const GLuint monitor = asked_for("SQ", "WAVES");
	int status;
	pid_t pid;

	wait_until(&first.looked_at);
	pid = fork();
	if (!pid)
		child_end(!is_available(monitor) || size_of(monitor) ||
			  gl_monitors_ending(monitors, monitor) ||
			  begin_exact(monitors, monitor) !=
				  GL_INVALID_OPERATION ||
			  reason.code != -ECHILD);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	pass(&first);
	pass(&last);
	ck_assert(is_available(monitor));
	ck_assert_uint_eq(wide_result(monitor), 0);
}
END_TEST

/* ------------------------------------------------------------------ */

static TCase *
add_case(Suite *suite, const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_set_timeout(tcase, 0); /* any machine: check.sh has its own */
	tcase_add_checked_fixture(tcase, set_up, tear_down);
	suite_add_tcase(suite, tcase);
	return tcase;
}

/* What every GPU has. */
static void
add_queries(Suite *suite)
{
	TCase *tcase = add_case(suite, "queries");

	tcase_add_test(tcase, number_of_groups);
	tcase_add_test(tcase, list_of_groups);
	tcase_add_test(tcase, as_many_groups_as_asked_for);
	tcase_add_test(tcase, no_groups_where_the_size_is_0);
	tcase_add_test(tcase, groups_are_unique);
	tcase_add_test(tcase, sizes_below_0);
	tcase_add_test(tcase, number_of_counters);
	tcase_add_test(tcase, list_of_counters);
	tcase_add_test(tcase, as_many_counters_as_asked_for);
	tcase_add_test(tcase, no_counters_where_the_size_is_0);
	tcase_add_test(tcase, counters_are_unique);
	tcase_add_test(tcase, counters_of_no_group);
	tcase_add_loop_test(tcase, string_and_its_length, 0,
			    ARRAY_SIZE(strings));
	tcase_add_loop_test(tcase, string_without_length, 0,
			    ARRAY_SIZE(strings));
	tcase_add_loop_test(tcase, string_that_is_cut, 0, ARRAY_SIZE(strings));
	tcase_add_loop_test(tcase, length_of_a_string_alone, 0,
			    ARRAY_SIZE(strings));
	tcase_add_loop_test(tcase, nothing_is_written_into_no_room, 0,
			    ARRAY_SIZE(strings));
	tcase_add_test(tcase, strings_of_nothing);
	tcase_add_test(tcase, names_are_unique);
	tcase_add_test(tcase, types);
	tcase_add_test(tcase, info_of_nothing);
	tcase_add_test(tcase, info_of_another_kind);
}

static void
add_names(Suite *suite)
{
	TCase *tcase = add_case(suite, "names");

	tcase_add_test(tcase, generates_monitors);
	tcase_add_test(tcase, nothing_is_selected_at_first);
	tcase_add_test(tcase, results_are_0_at_first);
	tcase_add_test(tcase, deletes_monitors);
	tcase_add_test(tcase, deletes_no_unknown_monitor);
	tcase_add_test(tcase, deletes_twice_named_monitor_once);
	tcase_add_test(tcase, deleting_ends_what_counts);
	tcase_add_test(tcase, select_of_no_monitor);
	tcase_add_test(tcase, select_of_no_group);
	tcase_add_test(tcase, select_of_less_than_none);
	tcase_add_test(tcase, select_of_no_counter);
	tcase_add_test(tcase, sessions_are_not_nested);
	tcase_add_test(tcase, end_of_what_is_not_started);
	tcase_add_test(tcase, begin_and_end_of_no_monitor);
}

static void
add_sessions(Suite *suite)
{
	TCase *tcase = add_case(suite, "sessions");

	tcase_add_test(tcase, selects_and_deselects);
	tcase_add_test(tcase, selecting_twice_is_selecting_once);
	tcase_add_test(tcase, selects_as_many_as_told);
	tcase_add_test(tcase, select_of_no_list);
	tcase_add_test(tcase, selecting_invalidates_results);
	tcase_add_test(tcase, failing_to_select_keeps_results);
	tcase_add_test(tcase,
		       selecting_while_active_invalidates_what_is_counted);
	tcase_add_test(tcase, counts_between_begin_and_end);
	tcase_add_test(tcase, counts_anew_from_each_begin);
	tcase_add_test(tcase, contexts_have_monitors_of_their_own);
	tcase_add_test(tcase, more_counters_than_can_be_active);
	tcase_add_test(tcase, all_that_can_be_active_of_each_group);
	tcase_add_test(tcase, failing_to_begin_keeps_results);
	tcase_add_test(tcase, forked_child_counts_nothing);
}

static void
add_results(Suite *suite)
{
	TCase *tcase = add_case(suite, "results");

	tcase_add_test(tcase, limits_are_those_of_the_hardware);
	tcase_add_loop_test(tcase, type_of_a_counter, 0, ARRAY_SIZE(typed));
	tcase_add_loop_test(tcase, range_of_a_counter, 0, ARRAY_SIZE(typed));
	tcase_add_test(tcase, percentages_go_from_0_to_100);
	tcase_add_test(tcase, values_are_kept_in_their_range);
	tcase_add_test(tcase, results_of_all_types);
	tcase_add_test(tcase, bytes_written_may_be_null);
	tcase_add_test(tcase, data_is_null);
	tcase_add_test(tcase, data_of_another_kind);
	tcase_add_test(tcase, results_that_are_cut);
	tcase_add_test(tcase, no_room_for_a_number);
	tcase_add_test(tcase, nothing_without_begin_and_end);
}

static void
add_gpus(Suite *suite)
{
	TCase *tcase = add_case(suite, "gpus");

	tcase_add_test(tcase, gpu_of_a_node);
	tcase_add_test(tcase, gpu_of_an_unknown_node);
	tcase_add_test(tcase, gpu_of_two_alike);
	tcase_add_test(tcase, gpu_that_cannot_be_counted);
	tcase_add_test(tcase, gpu_by_choice);
}

static void
add_places(Suite *suite)
{
	TCase *tcase = tcase_create("places");

	tcase_set_timeout(tcase, 0); /* any machine: check.sh has its own */
	tcase_add_checked_fixture(tcase, set_up_places, tear_down_places);
	suite_add_tcase(suite, tcase);
	tcase_add_test(tcase, counts_from_where_the_gpu_gets_to);
	tcase_add_test(tcase, size_is_known_before_the_results);
	tcase_add_test(tcase, results_can_be_waited_for);
	tcase_add_test(tcase, monitors_follow_each_other);
	tcase_add_test(tcase, begins_again_before_it_has_ended);
	tcase_add_test(tcase, selecting_invalidates_results_to_come);
	tcase_add_test(tcase, deletes_what_is_to_end);
	tcase_add_test(tcase, a_context_goes_with_what_is_to_come);
	tcase_add_loop_test(tcase, a_driver_that_does_not_tell, 0,
			    ARRAY_SIZE(unknown));
	tcase_add_test(tcase, counters_that_others_have);
	tcase_add_test(tcase, forked_child_gets_no_results);
}

static Suite *
amd_suite(void)
{
	Suite *suite = suite_create("gl_amd");

	add_queries(suite);
	add_names(suite);
	add_sessions(suite);
	add_results(suite);
	add_places(suite);
	add_gpus(suite);
	return suite;
}

/* Whatever fails first fails from then on. */
static Suite *
failing_suite(void)
{
	Suite *suite = suite_create("gl_failing");
	TCase *tcase = add_case(suite, "mishaps");

	tcase_add_test(tcase, what_cannot_be_read_has_no_results);
	tcase_add_test(tcase, the_gpu_does_not_answer);
	return suite;
}

static Suite *
intel_suite(void)
{
	Suite *suite = suite_create("gl_intel");
	TCase *tcase;

	add_queries(suite);
	add_names(suite);
	tcase = add_case(suite, "sets");
	tcase_add_test(tcase, metric_sets_do_not_fit_together);
	tcase_add_test(tcase, a_whole_metric_set);
	tcase_add_test(tcase, a_share_of_time);
	return suite;
}

#define MACHINE(...)                                                           \
	(const char *const[])                                                  \
	{                                                                      \
		"--time", "virtual", "--strict", __VA_ARGS__, NULL             \
	}

static const struct machine machines[] = {
	{ MACHINE("--gpu", "vega10", "--gpu", "vega10"), "gl_amd" },
	/* not strict: what cannot be stopped goes on */
	{ (const char *const[]){ "--time", "virtual", "--gpu", "vega10", NULL },
	  "gl_failing" },
	{ MACHINE("--gpu", "sklgt2"), "gl_intel" },
	{ MACHINE("--gpu", "tglgt2"), "gl_intel" },
};

int
main(void)
{
	SRunner *runner;

	if (!drmsim_is_present())
		return below_drmsim(machines, ARRAY_SIZE(machines));
	runner = srunner_create(amd_suite());
	srunner_add_suite(runner, failing_suite());
	srunner_add_suite(runner, intel_suite());
	return suites_run(runner);
}
