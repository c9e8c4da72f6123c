/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GL_AMD_performance_monitor on simulated GPUs in virtual time: counting that
 * begins and ends where the GPU gets there. Comments in quotes are the
 * extension's words.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/gl/calls.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

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
	/* it is looked at again until the test says so */
	if (poll(&passed, 1, (int)(ns / MS)) != 1)
		return 0;
	return place->outcome;
}

static void
leave_fence(struct gl_fence *fence)
{
	sem_post(&((struct place *)fence)->left);
}

static struct gl_fence *
place_init(struct place *place)
{
	place->fence = (struct gl_fence){ wait_at, leave_fence };
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

/* Let the GPU get there: 1, or an error that waiting for it has. */
static void
get_there(struct place *place, int outcome)
{
	const uint64_t one = 1;

	place->outcome = outcome;
	ck_assert_int_eq(write(place->passed, &one, sizeof(one)), sizeof(one));
}

/* Pass a place, where what was to be done has been done. */
static void
pass_place(struct place *place)
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

TEST_CASE(places, set_up_places, tear_down_places, "gl_places");

/*
 * Create a monitor that was begun and ended while the GPU was busy with other
 * things.
 */
static GLuint
asked_for(const char *group, const char *counter)
{
	const GLuint monitor = generate_monitor();

	select_one(monitor, group, counter);
	must_succeed(
		gl_monitors_begin(monitors, monitor, &first.fence, &reason));
	must_succeed(gl_monitors_end(monitors, monitor, &last.fence, &reason));
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

TEST(places, counts_from_where_the_gpu_gets_to)
{
	const GLuint monitor = generate_monitor();

	select_one(monitor, "SQ", "WAVES");
	must_succeed(
		gl_monitors_begin(monitors, monitor, &first.fence, &reason));
	wait_until(&first.looked_at);
	scene_pass(5 * MS);
	pass_place(&first);
	scene_pass(MS);
	must_succeed(gl_monitors_end(monitors, monitor, &last.fence, &reason));
	scene_pass(MS);
	ck_assert(!is_available(monitor));
	pass_place(&last);
	scene_pass(5 * MS);
	ck_assert(is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
	ck_assert_uint_eq(wide_result(monitor), 8);
}

/* "If <pname> is PERFMON_RESULT_SIZE_AMD, <data> will contain actual size of
 * all counter results being sampled." As in the extension's sample, which asks
 * for nothing before. */
TEST(places, size_is_known_before_the_results)
{
	const GLuint monitor = asked_for("SQ", "WAVES");

	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 16);
	pass_place(&first);
	pass_place(&last);
	ck_assert(is_available(monitor));
}

static void *
get_to_both(void *data)
{
	(void)data;
	get_there(&first, 1);
	get_there(&last, 1);
	return NULL;
}

TEST(places, results_can_be_waited_for)
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

/* What is counted first keeps the next one waiting, not the program. */
TEST(places, monitors_follow_each_other)
{
	const GLuint monitor = asked_for("SQ", "WAVES");
	const GLuint next = generate_monitor();

	select_one(next, "SQ", "WAVES");
	must_succeed(begin_exact(monitors, next));
	must_succeed(end_exact(monitors, next));
	ck_assert(!is_available(next));
	pass_place(&first);
	scene_pass(MS);
	pass_place(&last);
	ck_assert_uint_eq(wide_result(monitor), 4);
	wait_for_results(next);
	ck_assert_uint_eq(wide_result(next), 0);
}

TEST(places, begins_again_before_it_has_ended)
{
	const GLuint monitor = asked_for("SQ", "WAVES");

	must_succeed(begin_exact(monitors, monitor));
	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
	must_succeed(end_exact(monitors, monitor));
	pass_place(&first);
	scene_pass(MS);
	pass_place(&last);
	wait_for_results(monitor);
	ck_assert_uint_eq(wide_result(monitor), 0);
}

/* "When SelectPerfMonitorCountersAMD is called on a monitor, any outstanding
 * results for that monitor become invalidated" */
TEST(places, selecting_invalidates_results_to_come)
{
	const GLuint monitor = asked_for("SQ", "WAVES");

	select_one(monitor, "SQ", "WAVES");
	pass_place(&first);
	pass_place(&last);
	ck_assert(!is_available(monitor));
	ck_assert_uint_eq(size_of(monitor), 0);
}

TEST(places, deletes_what_is_to_end)
{
	GLuint monitor = asked_for("SQ", "WAVES");

	must_succeed(gl_monitors_delete(monitors, 1, &monitor, &reason));
	pass_place(&first);
	pass_place(&last);
	wait_for_results(measured_monitor("SQ", "WAVES"));
}

/* The GPU never gets there, and who waits for it does not for ever. */
TEST(places, a_context_goes_with_what_is_to_come)
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

/* Which of the two places is never known to be got to. */
static struct place *const unknown[] = { &first, &last };

/*
 * Check that the monitor has no results, and that the reason is reported once.
 * The next one counts.
 */
static void
check_without_results(GLuint monitor)
{
	GLuint available = 0;

	must_fail(gl_monitors_data(
			  monitors, monitor, GL_PERFMON_RESULT_AVAILABLE_AMD,
			  sizeof(available), &available, NULL, &reason),
		  GL_NO_ERROR);
	ck_assert_uint_eq(available, 1);
	ck_assert_uint_eq(size_of(monitor), 0);
}

TEST_LOOP(places, a_driver_that_does_not_tell, ARRAY_SIZE(unknown))
{
	const GLuint monitor = asked_for("SQ", "WAVES");

	get_there(&first, unknown[_i] == &first ? -EIO : 1);
	wait_until(&first.left);
	get_there(&last, unknown[_i] == &last ? -EIO : 1);
	wait_until(&last.left);
	check_without_results(monitor);
	ck_assert_ptr_nonnull(strstr(why, "does not report"));
	must_succeed(begin_exact(monitors, monitor));
	must_succeed(end_exact(monitors, monitor));
}

/* That is known only when the GPU gets there. */
TEST(places, counters_that_others_have)
{
	static const char *const names[] = { "REQ", "HIT", "MISS", "BUSY" };
	struct gl_monitors *others;
	GLuint monitor, counter, name;
	const GLuint group = group_of("TCC");

	ck_assert_int_eq(gl_monitors_create(counters, &others, NULL), 0);
	must_succeed(gl_monitors_generate(others, 1, &name, &reason));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		counter = counter_of(group, names[i]);
		must_succeed(gl_monitors_select(others, name, GL_TRUE, group, 1,
						&counter, &reason));
	}
	must_succeed(begin_exact(others, name));
	monitor = asked_for("TCC", "CYCLE");
	pass_place(&first);
	pass_place(&last);
	check_without_results(monitor);
	gl_monitors_destroy(others);
}

/* The thread that would end it is its parent's. */
TEST(places, forked_child_gets_no_results)
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
	pass_place(&first);
	pass_place(&last);
	ck_assert(is_available(monitor));
	ck_assert_uint_eq(wide_result(monitor), 0);
}

TEST_MACHINE("gl_places", "--time", "virtual", "--strict", "--gpu", "vega10");
