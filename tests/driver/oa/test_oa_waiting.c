/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel opens a stream only when an engine has got to it: behind a long
 * kernel the log says why a program waits, and its signals are handled.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "drmperf.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/oa/timed.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

static char told[512];
static atomic_uint lines, handled;

static void
take_line(void *data, enum drmperf_log_level level, const char *message)
{
	(void)data;
	if (level > DRMPERF_LOG_WARNING)
		return;
	strncpy(told, message, sizeof(told) - 1);
	atomic_fetch_add(&lines, 1);
}

static void
take_signal(int number)
{
	(void)number;
	atomic_fetch_add(&handled, 1);
}

struct start {
	struct drmperf_session *session;
	struct drmperf_error error;
	int ret;
};

static void *
start_session(void *data)
{
	struct start *start = data;

	start->ret = drmperf_session_start(start->session, &start->error);
	return NULL;
}

/*
 * Check that the thread which waits gets the signal, though the kernel's wait
 * is not interrupted.
 */
static void
check_signal(pthread_t thread)
{
	const struct sigaction action = { .sa_handler = take_signal };

	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	ck_assert_int_eq(pthread_kill(thread, SIGUSR1), 0);
	while (!atomic_load(&handled))
		sched_yield();
}

TEST_CASE(waiting, NULL, NULL, "i915_waiting", "xe_waiting");

TEST(waiting, long_kernel_is_waited_for)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .log = take_line };
	struct start start = { .ret = 1 };
	union drmperf_value before, after;
	pthread_t thread;

	counting_succeeded(
		drmperf_create(&options, &counting.drmperf, &counting.error));
	start.session = counting_session(NAMES(TIME));
	scene_set("long-kernel", "1");
	ck_assert_int_eq(pthread_create(&thread, NULL, start_session, &start),
			 0);
	while (!atomic_load(&lines))
		sched_yield();
	ck_assert_msg(strstr(told, timed_of->set) &&
			      strstr(told, "cannot interrupt"),
		      "%s", told);
	check_signal(thread);
	scene_set("long-kernel", "0");
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_msg(!start.ret, "%s", start.error.cause);
	ck_assert_uint_eq(lines, 1);
	counting_read(start.session, &before);
	counting_read(start.session, &after);
	ck_assert_uint_gt(after.u64, before.u64);
	drmperf_session_destroy(start.session);
	counting_end();
}

TEST_MACHINE("i915_waiting", "--gpu", "skl");
TEST_GPUS("i915_waiting", "skl");
TEST_MACHINE("xe_waiting", "--gpu", "bmg");
TEST_GPUS("xe_waiting", "bmg");

TEST_OPTION(begin, timed_choose);
