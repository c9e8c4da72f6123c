/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GL_AMD_performance_monitor, sentence by sentence, on simulated GPUs in
 * virtual time, without a driver of OpenGL: groups, counters and GPUs. Comments
 * in quotes are the extension's words.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "gl_gpu.h"
#include "gl_queries.h"
#include "tests/support/below_drmsim.h"
#include "tests/gl/calls.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* GetPerfMonitorGroupsAMD                                              */

TEST_CASE(queries, set_up, tear_down, "gl_amd", "gl_intel");

/* "returns the number of available groups in <numGroups>, if <numGroups> is
 * not NULL." */
TEST(queries, number_of_groups)
{
	GLint count = 0;

	must_succeed(gl_query_groups(counters, &count, 0, NULL, &reason));
	ck_assert_int_gt(count, 5);
	must_succeed(gl_query_groups(counters, NULL, 0, NULL, &reason));
}

/* "If <groupsSize> is not 0 and <groups> is not NULL, then the list of
 * available groups is returned." */
TEST(queries, list_of_groups)
{
	GLuint groups[256];
	GLint count = 0;

	must_succeed(gl_query_groups(counters, &count, 256, groups, &reason));
	for (GLint i = 0; i < count; i++)
		must_succeed(gl_query_counters(counters, groups[i], NULL, NULL,
					       0, NULL, &reason));
	must_succeed(gl_query_groups(counters, NULL, 256, NULL, &reason));
}

/* "The number of entries that will be returned in <groups> is determined by
 * <groupsSize>." */
TEST(queries, as_many_groups_as_asked_for)
{
	GLuint groups[] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };

	must_succeed(gl_query_groups(counters, NULL, 2, groups, &reason));
	ck_assert_uint_ne(groups[0], UNTOUCHED);
	ck_assert_uint_ne(groups[1], UNTOUCHED);
	ck_assert_uint_eq(groups[2], UNTOUCHED);
}

/* "If <groupsSize> is 0, no information is copied." */
TEST(queries, no_groups_where_the_size_is_0)
{
	GLuint group = UNTOUCHED;

	must_succeed(gl_query_groups(counters, NULL, 0, &group, &reason));
	ck_assert_uint_eq(group, UNTOUCHED);
}

/* "Each group is identified by a unique unsigned int identifier." */
TEST(queries, groups_are_unique)
{
	GLuint groups[256];
	GLint count = 0;

	must_succeed(gl_query_groups(counters, &count, 256, groups, &reason));
	for (GLint i = 0; i < count; i++)
		for (GLint k = 0; k < i; k++)
			ck_assert_uint_ne(groups[i], groups[k]);
}

/* A size that is less than 0 is OpenGL's INVALID_VALUE, wherever it is. */
TEST(queries, sizes_below_0)
{
	GLuint number = generate_monitor();

	must_fail(gl_query_groups(counters, NULL, -1, &number, &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_query_counters(counters, 0, NULL, NULL, -1, &number,
				    &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_query_group_string(counters, 0, -1, NULL, NULL, &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_query_counter_string(counters, 0, 0, -1, NULL, NULL,
					  &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_monitors_generate(monitors, -1, &number, &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_monitors_delete(monitors, -1, &number, &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_monitors_data(monitors, number, GL_PERFMON_RESULT_SIZE_AMD,
				   -1, &number, NULL, &reason),
		  GL_INVALID_VALUE);
}

/* ------------------------------------------------------------------ */
/* GetPerfMonitorCountersAMD                                            */

/* "it returns the number of available counters in <numCounters>, the max number
 * of counters that can be active at any time in <maxActiveCounters>" */
TEST(queries, number_of_counters)
{
	for (GLuint i = 0; i < counters->group_count; i++) {
		GLint count = 0, most = 0;

		must_succeed(gl_query_counters(counters, i, &count, &most, 0,
					       NULL, &reason));
		ck_assert_int_gt(count, 0);
		ck_assert_int_gt(most, 0);
		ck_assert_int_le(most, count);
	}
}

TEST_CASE(gpus, set_up, tear_down, "gl_amd");

TEST(gpus, limits_are_those_of_the_hardware)
{
	GLint most = 0;

	must_succeed(gl_query_counters(counters, group_of("TCC"), NULL, &most,
				       0, NULL, &reason));
	ck_assert_int_eq(most, 4);
	must_succeed(gl_query_counters(counters, group_of("SQ"), NULL, &most, 0,
				       NULL, &reason));
	ck_assert_int_eq(most, 8);
}

/* "and the list of counters in <counters>" */
TEST(queries, list_of_counters)
{
	const GLuint group = 1;
	const GLuint count = counters->groups[group].count;
	GLuint *list = calloc(count, sizeof(*list));

	must_succeed(gl_query_counters(counters, group, NULL, NULL,
				       (GLsizei)count, list, &reason));
	for (GLuint i = 0; i < count; i++)
		must_succeed(gl_query_counter_string(counters, group, list[i],
						     0, NULL, NULL, &reason));
	free(list);
}

/* "The number of entries that can be returned in <counters> is determined by
 * <countersSize>." */
TEST(queries, as_many_counters_as_asked_for)
{
	GLuint list[] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };

	must_succeed(
		gl_query_counters(counters, 0, NULL, NULL, 2, list, &reason));
	ck_assert_uint_ne(list[0], UNTOUCHED);
	ck_assert_uint_ne(list[1], UNTOUCHED);
	ck_assert_uint_eq(list[2], UNTOUCHED);
}

/* "If <countersSize> is 0, no information is copied." */
TEST(queries, no_counters_where_the_size_is_0)
{
	GLuint counter = UNTOUCHED;

	must_succeed(gl_query_counters(counters, 0, NULL, NULL, 0, &counter,
				       &reason));
	ck_assert_uint_eq(counter, UNTOUCHED);
}

/* "Each counter in a group is identified by a unique unsigned int identifier."
 */
TEST(queries, counters_are_unique)
{
	GLuint list[64];
	const GLuint group = group_of("sensor");
	GLint count = 0;

	must_succeed(gl_query_counters(counters, group, &count, NULL, 64, list,
				       &reason));
	for (GLint i = 0; i < count; i++)
		for (GLint k = 0; k < i; k++)
			ck_assert_uint_ne(list[i], list[k]);
}

/* "If <group> does not reference a valid group ID, an INVALID_VALUE error is
 * generated." */
TEST(queries, counters_of_no_group)
{
	GLint count = 77, most = 78;
	GLuint list = UNTOUCHED;

	must_fail(gl_query_counters(counters, NONE, &count, &most, 1, &list,
				    &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_query_counters(counters, counters->group_count, &count,
				    &most, 1, &list, &reason),
		  GL_INVALID_VALUE);
	ck_assert_int_eq(count, 77);
	ck_assert_int_eq(most, 78);
	ck_assert_uint_eq(list, UNTOUCHED);
}

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

/* Return what it is, by way of the list. */
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
TEST_LOOP(queries, string_and_its_length, ARRAY_SIZE(strings))
{
	const char *text = text_of(_i);
	char string[256] = "";
	GLsizei length = -1;

	must_succeed(strings[_i].query(sizeof(string), &length, string));
	ck_assert_str_eq(string, text);
	ck_assert_int_eq(length, (GLsizei)strlen(text));
}

/* "If <length> is NULL, then no length is returned." */
TEST_LOOP(queries, string_without_length, ARRAY_SIZE(strings))
{
	char string[256] = "";

	must_succeed(strings[_i].query(sizeof(string), NULL, string));
	ck_assert_str_eq(string, text_of(_i));
}

/* "The maximum number of characters that may be written into <groupString>,
 * including the null terminator, is specified by <bufSize>." */
TEST_LOOP(queries, string_that_is_cut, ARRAY_SIZE(strings))
{
	const size_t whole = strlen(text_of(_i));

	for (size_t size = 1; size <= whole + 1; size++) {
		char string[256];
		GLsizei length = -1;

		memset(string, 'x', sizeof(string));
		must_succeed(strings[_i].query((GLsizei)size, &length, string));
		ck_assert_int_eq(length, (GLsizei)size - 1);
		ck_assert_uint_eq(strlen(string), size - 1);
		ck_assert(!strncmp(string, text_of(_i), size - 1));
		ck_assert_int_eq(string[size], 'x');
	}
}

/* "If <bufSize> is 0 and <groupString> is NULL, the number of characters that
 * would be required to hold the group string, excluding the null terminator, is
 * returned in <length>." */
TEST_LOOP(queries, length_of_a_string_alone, ARRAY_SIZE(strings))
{
	GLsizei length = -1;

	must_succeed(strings[_i].query(0, &length, NULL));
	ck_assert_int_eq(length, (GLsizei)strlen(text_of(_i)));
	must_succeed(strings[_i].query(0, NULL, NULL));
}

TEST_LOOP(queries, nothing_is_written_into_no_room, ARRAY_SIZE(strings))
{
	char string = 'x';

	must_succeed(strings[_i].query(0, NULL, &string));
	ck_assert_int_eq(string, 'x');
}

/* "If <group> does not reference a valid group ID, or <counter> does not
 * reference a valid counter within the group ID, an INVALID_VALUE error is
 * generated." */
TEST(queries, strings_of_nothing)
{
	GLsizei length = 77;
	char string[8] = "as ever";

	must_fail(gl_query_group_string(counters, NONE, 8, &length, string,
					&reason),
		  GL_INVALID_VALUE);
	must_fail(gl_query_counter_string(counters, NONE, 0, 8, &length, string,
					  &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_query_counter_string(counters, 0, NONE, 8, &length, string,
					  &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_query_counter_string(counters, 0,
					  counters->groups[0].count, 8, &length,
					  string, &reason),
		  GL_INVALID_VALUE);
	ck_assert_int_eq(length, 77);
	ck_assert_str_eq(string, "as ever");
}

/* The sample's getCounterByName() takes the first that has the name. */
TEST(queries, names_are_unique)
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

TEST(gpus, gpu_of_a_node)
{
	for (unsigned i = 0; i < 2; i++) {
		struct drmperf_device *device = drmperf_device_at(drmperf, i);
		struct gl_renderer renderer = { .vendor = 0x1234 };

		strcpy(renderer.node, drmperf_device_node(device));
		/* what the driver tells is what counts */
		ck_assert_ptr_eq(find_gpu(&renderer, "0", 0), device);
	}
}

TEST(gpus, gpu_of_an_unknown_node)
{
	const struct gl_renderer renderer = { .node = "/dev/null" };

	find_gpu(&renderer, "0", -ENODEV);
}

TEST(gpus, gpu_of_two_alike)
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

TEST(gpus, gpu_that_cannot_be_counted)
{
	const struct gl_renderer renderer = { .vendor = 0x10de,
					      .device = 0x1234 };

	find_gpu(&renderer, NULL, -ENODEV);
	find_gpu(&renderer, "0", -ENODEV);
}

TEST(gpus, gpu_by_choice)
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

/* ------------------------------------------------------------------ */

TEST_MACHINE("gl_amd", "--time", "virtual", "--strict", "--gpu", "vega10",
	     "--gpu", "vega10");
TEST_MACHINE("gl_intel", "--time", "virtual", "--strict", "--gpu", "sklgt2");
TEST_MACHINE("gl_intel", "--time", "virtual", "--strict", "--gpu", "tglgt2");
