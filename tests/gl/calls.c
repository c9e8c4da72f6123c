/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/gl/calls.h"

#include <string.h>

#include "gl_queries.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

struct drmperf *drmperf;
struct gl_counters *counters;
struct gl_monitors *monitors;
struct drmperf_error reason;
char why[sizeof(reason.cause)];

void
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

void
tear_down(void)
{
	gl_monitors_destroy(monitors);
	gl_counters_destroy(counters);
	drmperf_destroy(drmperf);
}

void
must_succeed(GLenum error)
{
	ck_assert_msg(error == GL_NO_ERROR, "0x%x: %s", error, reason.cause);
}

void
must_fail(GLenum error, GLenum expected)
{
	ck_assert_uint_eq(error, expected);
	ck_assert_str_ne(reason.cause, "");
	strcpy(why, reason.cause);
	reason.cause[0] = '\0';
}

GLuint
group_of(const char *name)
{
	for (GLuint i = 0; i < counters->group_count; i++) {
		if (!strcmp(counters->groups[i].name, name))
			return i;
	}
	ck_abort_msg("no group %s", name);
}

GLuint
counter_of(GLuint group, const char *name)
{
	const struct gl_group *its = gl_counters_group(counters, group);

	for (GLuint i = 0; i < its->count; i++) {
		if (!strcmp(its->counters[i].name, name))
			return i;
	}
	ck_abort_msg("no counter %s", name);
}

GLuint
generate_monitor(void)
{
	GLuint monitor = 0;

	must_succeed(gl_monitors_generate(monitors, 1, &monitor, &reason));
	return monitor;
}

void
set_selected(GLuint monitor, const char *group, const char *counter,
	     GLboolean enable)
{
	const GLuint number = group_of(group);
	const GLuint its = counter_of(number, counter);

	must_succeed(gl_monitors_select(monitors, monitor, enable, number, 1,
					&its, &reason));
}

void
select_one(GLuint monitor, const char *group, const char *counter)
{
	set_selected(monitor, group, counter, GL_TRUE);
}

GLenum
begin_exact(struct gl_monitors *its, GLuint monitor)
{
	return gl_monitors_begin(its, monitor, NULL, &reason);
}

GLenum
end_exact(struct gl_monitors *its, GLuint monitor)
{
	return gl_monitors_end(its, monitor, NULL, &reason);
}

GLuint
measured_monitor(const char *group, const char *counter)
{
	const GLuint monitor = generate_monitor();

	if (group)
		select_one(monitor, group, counter);
	must_succeed(begin_exact(monitors, monitor));
	scene_pass(MS);
	must_succeed(end_exact(monitors, monitor));
	return monitor;
}

GLuint
ask_monitor(GLuint monitor, GLenum what)
{
	GLuint number = UNTOUCHED;
	GLint written = -1;

	must_succeed(gl_monitors_data(monitors, monitor, what, sizeof(number),
				      &number, &written, &reason));
	ck_assert_int_eq(written, sizeof(number));
	return number;
}

bool
is_available(GLuint monitor)
{
	return ask_monitor(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD);
}

GLuint
size_of(GLuint monitor)
{
	return ask_monitor(monitor, GL_PERFMON_RESULT_SIZE_AMD);
}

GLint
read_results(GLuint monitor, void *data, size_t size)
{
	GLint written = -1;

	must_succeed(gl_monitors_data(monitors, monitor, GL_PERFMON_RESULT_AMD,
				      (GLsizei)size, data, &written, &reason));
	return written;
}

uint64_t
wide_result(GLuint monitor)
{
	GLuint data[4];
	uint64_t value;

	ck_assert_int_eq(read_results(monitor, data, sizeof(data)),
			 sizeof(data));
	memcpy(&value, data + 2, sizeof(value));
	return value;
}

float
float_result(GLuint monitor)
{
	GLuint data[3];
	float value;

	ck_assert_int_eq(read_results(monitor, data, sizeof(data)),
			 sizeof(data));
	memcpy(&value, data + 2, sizeof(value));
	return value;
}
