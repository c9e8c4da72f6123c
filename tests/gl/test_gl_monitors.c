/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GL_AMD_performance_monitor, sentence by sentence, on simulated GPUs in
 * virtual time, without a driver of OpenGL: monitors and sessions. Comments in
 * quotes are the extension's words.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gl_queries.h"
#include "tests/support/below_drmsim.h"
#include "tests/gl/calls.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* ------------------------------------------------------------------ */
/* GenPerfMonitorsAMD                                                   */

TEST_CASE(names, set_up, tear_down, "gl_monitors_amd", "gl_monitors_intel");

/* "returns a list of monitors" */
TEST(names, names_of_monitors_are_generated)
{
	GLuint names[4] = { 0 };

	must_succeed(gl_monitors_generate(monitors, 4, names, &reason));
	for (int i = 0; i < 4; i++) {
		ck_assert_uint_ne(names[i], 0);
		for (int k = 0; k < i; k++)
			ck_assert_uint_ne(names[i], names[k]);
	}
	must_succeed(gl_monitors_generate(monitors, 0, NULL, &reason));
}

/* "At creation time, the performance monitor object has all counters disabled."
 */
TEST(names, nothing_is_selected_at_first)
{
	const GLuint monitor = measured_monitor(NULL, NULL);

	ck_assert(is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
}

/* "The value of the PERFMON_RESULT_AVAILABLE_AMD, PERFMON_RESULT_AMD, and
 * PERFMON_RESULT_SIZE_AMD queries will all initially be 0." */
TEST(names, results_are_0_at_first)
{
	const GLuint monitor = generate_monitor();

	ck_assert_uint_eq(ask_monitor(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD),
			  0);
	ck_assert_uint_eq(ask_monitor(monitor, GL_PERFMON_RESULT_SIZE_AMD), 0);
	ck_assert_uint_eq(ask_monitor(monitor, GL_PERFMON_RESULT_AMD), 0);
}

/* ------------------------------------------------------------------ */
/* DeletePerfMonitorsAMD                                                */

/* "is used to delete the list of monitors created by a previous call to
 * GenPerfMonitors." */
TEST(names, deleted_monitors_are_no_monitors)
{
	GLuint names[2], data;

	must_succeed(gl_monitors_generate(monitors, 2, names, &reason));
	must_succeed(gl_monitors_delete(monitors, 2, names, &reason));
	for (int i = 0; i < 2; i++)
		must_fail(gl_monitors_data(monitors, names[i],
					   GL_PERFMON_RESULT_SIZE_AMD, 4, &data,
					   NULL, &reason),
			  GL_INVALID_VALUE);
}

/* "If a monitor ID in the list <monitors> does not reference a previously
 * generated performance monitor, an INVALID_VALUE error is generated." */
TEST(names, deletes_no_unknown_monitor)
{
	GLuint names[] = { generate_monitor(), NONE };
	GLuint deleted = generate_monitor();

	must_fail(gl_monitors_delete(monitors, 2, names, &reason),
		  GL_INVALID_VALUE);
	/* a command with an error does nothing */
	ck_assert_uint_eq(size_of(names[0]), 0);
	must_succeed(gl_monitors_delete(monitors, 1, &deleted, &reason));
	must_fail(gl_monitors_delete(monitors, 1, &deleted, &reason),
		  GL_INVALID_VALUE);
	deleted = 0;
	must_fail(gl_monitors_delete(monitors, 1, &deleted, &reason),
		  GL_INVALID_VALUE);
}

TEST(names, deletes_twice_named_monitor_once)
{
	const GLuint monitor = generate_monitor();
	GLuint names[] = { monitor, monitor };

	must_succeed(gl_monitors_delete(monitors, 2, names, &reason));
}

TEST(names, deleting_ends_what_counts)
{
	GLuint first = generate_monitor(), second = generate_monitor();

	select_one(first, "sensor",
		   counters->groups[group_of("sensor")].counters[0].name);
	must_succeed(begin_exact(monitors, first));
	must_succeed(gl_monitors_delete(monitors, 1, &first, &reason));
	must_succeed(begin_exact(monitors, second));
	must_succeed(end_exact(monitors, second));
}

/* ------------------------------------------------------------------ */
/* SelectPerfMonitorCountersAMD                                         */

TEST_CASE(sessions, set_up, tear_down, "gl_monitors_amd");

/* "The <enable> argument determines whether the counters should be enabled or
 * disabled." */
TEST(sessions, selects_and_deselects)
{
	const GLuint monitor = measured_monitor("SQ", "WAVES");

	ck_assert_uint_eq(size_of(monitor), 16);
	select_one(monitor, "GRBM", "COUNT");
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 32);
	set_selected(monitor, "SQ", "WAVES", GL_FALSE);
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
}

TEST(sessions, selecting_twice_is_selecting_once)
{
	const GLuint monitor = generate_monitor();

	select_one(monitor, "SQ", "WAVES");
	select_one(monitor, "SQ", "WAVES");
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
	set_selected(monitor, "SQ", "BUSY_CYCLES", GL_FALSE);
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
}

/* "The <numCounters> argument gives the number of counters to be selected from
 * the list <counterList>." */
TEST(sessions, selects_as_many_as_told)
{
	const GLuint monitor = generate_monitor(), group = group_of("TCC");
	const GLuint list[] = { 1, 2, 3 };

	must_succeed(gl_monitors_select(monitors, monitor, GL_TRUE, group, 2,
					list, &reason));
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 32);
}

/* "If <monitor> is not a valid monitor created by GenPerfMonitorsAMD, then
 * INVALID_VALUE error will be generated." */
TEST(names, select_of_no_monitor)
{
	const GLuint counter = 0;

	must_fail(gl_monitors_select(monitors, NONE, GL_TRUE, 0, 1, &counter,
				     &reason),
		  GL_INVALID_VALUE);
	must_fail(gl_monitors_select(monitors, 0, GL_TRUE, 0, 1, &counter,
				     &reason),
		  GL_INVALID_VALUE);
}

/* "If <group> is not a valid group, the INVALID_VALUE error will be generated."
 */
TEST(names, select_of_no_group)
{
	const GLuint counter = 0;

	must_fail(gl_monitors_select(monitors, generate_monitor(), GL_TRUE,
				     NONE, 1, &counter, &reason),
		  GL_INVALID_VALUE);
}

/* "If <numCounters> is less than 0, an INVALID_VALUE error will be generated."
 */
TEST(names, select_of_less_than_none)
{
	const GLuint counter = 0;

	must_fail(gl_monitors_select(monitors, generate_monitor(), GL_TRUE, 0,
				     -1, &counter, &reason),
		  GL_INVALID_VALUE);
}

/* What is no counter cannot be selected; the others are not either. */
TEST(names, select_of_no_counter)
{
	const GLuint monitor = generate_monitor();
	const GLuint list[] = { 0, counters->groups[0].count };

	must_fail(gl_monitors_select(monitors, monitor, GL_TRUE, 0, 2, list,
				     &reason),
		  GL_INVALID_VALUE);
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
}

/* "Remove INVALID_OPERATION error when countersList is NULL" */
TEST(sessions, select_of_no_list)
{
	const GLuint monitor = measured_monitor("SQ", "WAVES");

	must_succeed(gl_monitors_select(monitors, monitor, GL_TRUE, 0, 3, NULL,
					&reason));
	ck_assert(!is_available(monitor));
}

/* "When SelectPerfMonitorCountersAMD is called on a monitor, any outstanding
 * results for that monitor become invalidated and the result queries
 * PERFMON_RESULT_SIZE_AMD and PERFMON_RESULT_AVAILABLE_AMD are reset to 0." */
TEST(sessions, selecting_invalidates_results)
{
	const GLuint monitor = measured_monitor("SQ", "WAVES");
	const GLuint other = measured_monitor("SQ", "WAVES");
	GLuint data[8] = { UNTOUCHED };

	must_succeed(gl_monitors_select(monitors, monitor, GL_TRUE, 0, 0, NULL,
					&reason));
	ck_assert_uint_eq(ask_monitor(monitor, GL_PERFMON_RESULT_AVAILABLE_AMD),
			  0);
	ck_assert_uint_eq(ask_monitor(monitor, GL_PERFMON_RESULT_SIZE_AMD), 0);
	ck_assert_int_eq(read_results(monitor, data, sizeof(data)),
			 sizeof(GLuint));
	ck_assert_uint_eq(data[0], 0);
	ck_assert(is_available(other));
}

TEST(sessions, failing_to_select_keeps_results)
{
	const GLuint monitor = measured_monitor("SQ", "WAVES");

	must_fail(gl_monitors_select(monitors, monitor, GL_TRUE, 0, -1, NULL,
				     &reason),
		  GL_INVALID_VALUE);
	ck_assert(is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
}

/* The results of a session that goes on are outstanding, too. */
TEST(sessions, selecting_while_active_invalidates_what_is_counted)
{
	const GLuint monitor = generate_monitor();

	select_one(monitor, "SQ", "WAVES");
	must_succeed(begin_exact(monitors, monitor));
	select_one(monitor, "GRBM", "COUNT");
	must_succeed(end_exact(monitors, monitor));
	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 32);
}

/* ------------------------------------------------------------------ */
/* BeginPerfMonitorAMD, EndPerfMonitorAMD                               */

/* "is used to start a monitor session" */
TEST(sessions, counts_between_begin_and_end)
{
	GLuint monitor;

	scene_set("rate", "SQ.4 1000");
	monitor = measured_monitor("SQ", "WAVES");
	ck_assert(is_available(monitor));
	/* that many a second, of four shader engines */
	ck_assert_uint_eq(wide_result(monitor), 4);
	scene_pass(MS);
	ck_assert_uint_eq(wide_result(monitor), 4);
}

TEST(sessions, counts_anew_from_each_begin)
{
	GLuint monitor;

	scene_set("rate", "SQ.4 1000");
	monitor = measured_monitor("SQ", "WAVES");
	must_succeed(begin_exact(monitors, monitor));
	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
	scene_pass(2 * MS);
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(wide_result(monitor), 8);
}

/* "Note that BeginPerfMonitor calls cannot be nested."
 * "INVALID_OPERATION error will be generated if BeginPerfMonitorAMD is called
 * when a performance monitor is already active." */
TEST(names, sessions_are_not_nested)
{
	const GLuint first = generate_monitor(), second = generate_monitor();

	must_succeed(begin_exact(monitors, first));
	must_fail(begin_exact(monitors, first), GL_INVALID_OPERATION);
	must_fail(begin_exact(monitors, second), GL_INVALID_OPERATION);
	must_succeed(end_exact(monitors, first));
	must_succeed(begin_exact(monitors, second));
	must_succeed(end_exact(monitors, second));
}

/* Identifiers, sessions and errors are a context's own. */
TEST(sessions, contexts_have_monitors_of_their_own)
{
	const GLuint monitor = generate_monitor();
	struct gl_monitors *others;
	GLuint name = 0;

	ck_assert_int_eq(gl_monitors_create(counters, &others, NULL), 0);
	must_fail(begin_exact(others, monitor), GL_INVALID_VALUE);
	must_succeed(gl_monitors_generate(others, 1, &name, &reason));
	select_one(monitor, "SQ", "WAVES");
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(begin_exact(others, name));
	must_succeed(end_exact(monitors, monitor));
	gl_monitors_destroy(others);
}

/* "it is quite possible that given the list of groups and counters/group
 * enabled for a monitor, it may not be able to sample the necessary counters
 * and so the monitor session will fail. In such a case, an INVALID_OPERATION
 * error will be generated." Before any hardware is touched. */
TEST(sessions, more_counters_than_can_be_active)
{
	const GLuint monitor = generate_monitor(), group = group_of("TCC");
	const GLuint list[] = { 1, 2, 3, 4, 5 };
	uint64_t before;

	must_succeed(gl_monitors_select(monitors, monitor, GL_TRUE, group, 5,
					list, &reason));
	before = scene_calls("cs");
	must_fail(begin_exact(monitors, monitor), GL_INVALID_OPERATION);
	ck_assert(strstr(why, "5 counters of group TCC"));
	ck_assert_uint_eq(scene_calls("cs"), before);
	must_fail(end_exact(monitors, monitor), GL_INVALID_OPERATION);
	must_succeed(gl_monitors_select(monitors, monitor, GL_FALSE, group, 1,
					list, &reason));
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(size_of(monitor), 4 * 16);
}

TEST(sessions, all_that_can_be_active_of_each_group)
{
	for (GLuint i = 0; i < counters->group_count; i++) {
		const struct gl_group *group = &counters->groups[i];
		const GLuint monitor = generate_monitor();

		if (!strcmp(group->name, "metric"))
			continue; /* has no limit of its own */
		for (GLuint k = 0; k < group->max_active; k++)
			must_succeed(gl_monitors_select(
				monitors, monitor, GL_TRUE, i, 1, &k, &reason));
		must_succeed(begin_exact(monitors, monitor));
		must_succeed(end_exact(monitors, monitor));
	}
}

TEST_CASE(mishaps, set_up, tear_down, "gl_monitors_failing");

TEST(sessions, failing_to_begin_keeps_results)
{
	const GLuint monitor = measured_monitor("SQ", "WAVES"),
		     other = generate_monitor();

	must_succeed(begin_exact(monitors, other));
	must_fail(begin_exact(monitors, monitor), GL_INVALID_OPERATION);
	ck_assert_uint_eq(size_of(monitor), 16);
}

/* "INVALID_OPERATION error will be generated if EndPerfMonitorAMD is called
 * when a performance monitor is not currently started." */
TEST(names, end_of_what_is_not_started)
{
	const GLuint monitor = generate_monitor(), other = generate_monitor();

	must_fail(end_exact(monitors, monitor), GL_INVALID_OPERATION);
	must_succeed(begin_exact(monitors, other));
	must_fail(end_exact(monitors, monitor), GL_INVALID_OPERATION);
	must_succeed(end_exact(monitors, other));
	must_fail(end_exact(monitors, other), GL_INVALID_OPERATION);
}

TEST(names, begin_and_end_of_no_monitor)
{
	must_fail(begin_exact(monitors, NONE), GL_INVALID_VALUE);
	must_fail(end_exact(monitors, NONE), GL_INVALID_VALUE);
}

/* What its parent has is not touched. */
TEST(sessions, forked_child_counts_nothing)
{
	const GLuint monitor = generate_monitor();
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
	must_succeed(begin_exact(monitors, monitor));
	scene_pass(MS);
	must_succeed(end_exact(monitors, monitor));
	ck_assert_uint_eq(wide_result(monitor), 4);
}

/* A program that waits until they are available does not wait for ever. */
TEST(mishaps, what_cannot_be_read_has_no_results)
{
	const GLuint monitor = generate_monitor();

	select_one(monitor, "SQ", "WAVES");
	must_succeed(begin_exact(monitors, monitor));
	scene_fault("cs:1+:ECANCELED");
	must_fail(end_exact(monitors, monitor), GL_INVALID_OPERATION);
	ck_assert(is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
}

TEST(mishaps, the_gpu_does_not_answer)
{
	const GLuint monitor = generate_monitor();

	select_one(monitor, "SQ", "WAVES");
	scene_fault("cs:1+:EBUSY");
	must_fail(begin_exact(monitors, monitor), GL_INVALID_OPERATION);
	ck_assert(!is_available(monitor));
	must_fail(end_exact(monitors, monitor), GL_INVALID_OPERATION);
}

TEST_MACHINE("gl_monitors_amd", "--time", "virtual", "--strict", "--gpu",
	     "vega10");
/* not strict: what cannot be stopped goes on */
TEST_GPUS("gl_monitors_failing", "vega10");
TEST_MACHINE("gl_monitors_intel", "--time", "virtual", "--strict", "--gpu",
	     "sklgt2");
TEST_MACHINE("gl_monitors_intel", "--time", "virtual", "--strict", "--gpu",
	     "tglgt2");
