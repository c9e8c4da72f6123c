/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel allows one stream of OA reports. Children of the program have its
 * descriptors, and must not keep it from starting again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/driver/counting.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static const struct subject {
	const char *suite, *event, *fault;
} subjects[] = {
	{ "i915_fork", "i915::RenderBasic.GpuTime", "perf_open:1:EBUSY" },
	{ "xe_fork", "xe::RenderBasic.GpuTime", "observation:1:EBUSY" },
};
static const struct subject *subject;

static struct drmperf_session *session;

static void
open_session(void)
{
	counting_begin();
	session = counting_session(NAMES(subject->event));
}

static void
close_session(void)
{
	drmperf_session_destroy(session);
	counting_end();
}

/*
 * Set up as after another program has been loaded: with xe that is a call of
 * the kind which opens streams.
 */
static void
set_up(void)
{
	setenv("DRMPERF_SHARE", "0", 1);
	open_session();
	counting_run(session);
	close_session();
	unsetenv("DRMPERF_SHARE");
	open_session();
}

TEST_CASE(forks, set_up, close_session, "i915_fork", "xe_fork");

/*
 * Fork as Python's multiprocessing does: the child lives and calls no exec().
 */
TEST(forks, child_keeps_nothing)
{
	int life[2];
	char byte;
	pid_t pid;

	counting_run(session);
	ck_assert_int_eq(pipe(life), 0);
	pid = fork();
	if (!pid) {
		close(life[1]);
		_exit(read(life[0], &byte, 1) != 0);
	}
	ck_assert_int_gt(pid, 0);
	ck_assert_int_eq(drmperf_session_stop(session, &counting.error), 0);
	counting_run(session);
	close(life[0]);
	close(life[1]);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

/* Between vfork() and exec() a child has the stream that was just closed. */
TEST(forks, own_stream_is_waited_for)
{
	counting_run(session);
	ck_assert_int_eq(drmperf_session_stop(session, &counting.error), 0);
	ck_assert_int_eq(drmsim_fault(subject->fault), 0);
	counting_run(session);
}

TEST(forks, stream_of_others_is_not)
{
	setenv("DRMPERF_SHARE", "0", 1);
	ck_assert_int_eq(drmsim_fault(subject->fault), 0);
	ck_assert_int_eq(drmperf_session_start(session, &counting.error),
			 -EBUSY);
	counting_run(session);
	unsetenv("DRMPERF_SHARE");
}

/* A process that shared may just have been killed. */
TEST(forks, stream_of_the_dead_is)
{
	ck_assert_int_eq(drmsim_fault(subject->fault), 0);
	counting_run(session);
}

TEST_MACHINE("i915_fork", "--gpu", "acmgt3");
TEST_MACHINE("xe_fork", "--gpu", "bmg");

static void
choose_subject(void)
{
	const char *suite = getenv("CK_RUN_SUITE");

	subject = &subjects[suite && !strcmp(suite, "xe_fork")];
}

TEST_OPTION(begin, choose_subject);
