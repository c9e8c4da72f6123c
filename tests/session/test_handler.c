/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading in handlers of signals, over a driver that counts in memory: at what
 * moment a signal comes is not left to chance.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmperf.h"
#include "tests/support/check.h"
#include "tests/session/fake.h"
#include "tests/support/suite.h"

#define UNTOUCHED 4711

/* Return the value, by the function for handlers. */
static uint64_t
try_read(struct drmperf_session *session)
{
	union drmperf_value value = { .u64 = UNTOUCHED };

	errno = EXDEV;
	ck_assert_int_eq(drmperf_session_try_read(session, &value, NULL, NULL),
			 0);
	ck_assert_int_eq(errno, EXDEV);
	return value.u64;
}

static void
try_in_vain(struct drmperf_session *session, int code)
{
	union drmperf_value value = { .u64 = UNTOUCHED };
	uint64_t time_ns = UNTOUCHED;

	errno = EXDEV;
	ck_assert_int_eq(
		drmperf_session_try_read(session, &value, NULL, &time_ns),
		code);
	ck_assert_uint_eq(value.u64, UNTOUCHED);
	ck_assert_uint_eq(time_ns, UNTOUCHED);
	ck_assert_int_eq(errno, EXDEV);
}

static uint64_t
read_value(struct drmperf_session *session)
{
	union drmperf_value value;

	counting_read(session, &value);
	return value.u64;
}

/* ------------------------------------------------------------------ */
/* Outside of the library                                               */

TEST_CASE(handler, fake_open, fake_close, "handler");

TEST_LOOP(handler, gives_what_a_read_gives, 3)
{
	static const char *const names[] = { "fake::CORE.A",
					     "fake::BOARD.TEMPERATURE",
					     "fake::PLAIN.X" };
	struct drmperf_session *session = counting_session(NAMES(names[_i]));
	union drmperf_value values[2];
	uint64_t times[2];

	try_in_vain(session, -EINVAL);
	ck_assert_int_eq(drmperf_session_start(session, NULL), 0);
	fake_work(3);
	fake_core->counts[FAKE_MOMENTARY][0] = 40;
	ck_assert_int_eq(
		drmperf_session_try_read(session, &values[0], NULL, &times[0]),
		0);
	ck_assert_int_eq(drmperf_session_read(session, &values[1], NULL,
					      &times[1], NULL),
			 0);
	ck_assert_uint_gt(values[0].u64, 0);
	ck_assert_uint_eq(values[0].u64, values[1].u64);
	ck_assert_uint_eq(times[1], times[0] + 1);
	fake_work(1);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	fake_work(1);
	ck_assert_uint_eq(try_read(session), read_value(session));
	drmperf_session_destroy(session);
}

TEST(handler, a_child_is_told)
{
	struct drmperf_session *session = counting_start(NAMES("fake::CORE.A"));
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (!child) {
		try_in_vain(session, -ECHILD);
		drmperf_session_destroy(session);
		_exit(0);
	}
	child_join(child);
	drmperf_session_destroy(session);
}

/* A run that is dead is buried by the next call that may free memory. */
TEST(handler, an_error_ends_nothing)
{
	struct drmperf_session *session = counting_start(NAMES("fake::CORE.A"));
	struct drmperf_error error = { 0 };
	union drmperf_value value;

	fake_core->errors[FAKE_SAMPLE] = -ENODEV;
	try_in_vain(session, -ENODEV);
	try_in_vain(session, -ENODEV);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 0);
	ck_assert_int_eq(
		drmperf_session_read(session, &value, NULL, NULL, &error),
		-ENODEV);
	ck_assert_str_eq(error.cause, "sample of core fails");
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 1);
	try_in_vain(session, -ENODEV);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Inside of the library                                                */

static struct drmperf_session *interrupted, *other;
static unsigned calls;

static void
handle_signal(struct fake_run *run)
{
	struct drmperf_error error = { 0 };
	union drmperf_value value = { .u64 = UNTOUCHED };

	(void)run;
	try_in_vain(interrupted, -EAGAIN);
	try_in_vain(other, -EAGAIN);
	ck_assert_int_eq(
		drmperf_session_read(interrupted, &value, NULL, NULL, &error),
		-EAGAIN);
	ck_assert_int_eq(error.code, -EAGAIN);
	ck_assert_uint_eq(value.u64, UNTOUCHED);
	ck_assert_int_eq(drmperf_session_stop(interrupted, &error), -EAGAIN);
	ck_assert_int_eq(drmperf_session_reset(interrupted, &error), -EAGAIN);
	ck_assert_int_eq(drmperf_session_start(other, &error), -EAGAIN);
	/* nothing is released */
	drmperf_session_destroy(interrupted);
	calls++;
}

static void
read_it(void)
{
	ck_assert_uint_eq(read_value(interrupted), FAKE_ALL_CORES);
}

static void
try_it(void)
{
	ck_assert_uint_eq(try_read(interrupted), FAKE_ALL_CORES);
}

static void
reset_it(void)
{
	ck_assert_int_eq(drmperf_session_reset(interrupted, NULL), 0);
}

static void
stop_it(void)
{
	ck_assert_int_eq(drmperf_session_stop(interrupted, NULL), 0);
}

static void
start_another(void)
{
	struct drmperf_session *session = counting_start(NAMES("fake::CORE.B"));

	fake_core->hooks[FAKE_SAMPLE] = NULL;
	drmperf_session_destroy(session);
}

static void
destroy_another(void)
{
	struct drmperf_session *session;

	fake_core->hooks[FAKE_SAMPLE] = NULL;
	session = counting_start(NAMES("fake::CORE.B"));
	fake_core->hooks[FAKE_SAMPLE] = handle_signal;
	drmperf_session_destroy(session);
}

static void (*const ways_in[])(void) = {
	read_it, try_it, reset_it, stop_it, start_another, destroy_another,
};

/* Reads of the session itself, and of one in a domain without others. */
TEST_LOOP(handler, in_vain_inside, sizeof(ways_in) / sizeof(*ways_in))
{
	interrupted = counting_start(NAMES("fake::CORE.A"));
	other = counting_start(NAMES("fake::PLAIN.X"));
	fake_work(1);
	calls = 0;
	fake_core->hooks[FAKE_SAMPLE] = handle_signal;
	ways_in[_i]();
	fake_core->hooks[FAKE_SAMPLE] = NULL;
	ck_assert_uint_eq(calls, 1);
	/* and outside again it works */
	fake_work(1);
	try_read(interrupted);
	ck_assert_uint_eq(try_read(other), 2 * (FAKE_SELECT_PLAIN + 1));
	ck_assert_uint_eq(read_value(other), 2 * (FAKE_SELECT_PLAIN + 1));
	drmperf_session_destroy(interrupted);
	drmperf_session_destroy(other);
}

/* ------------------------------------------------------------------ */
/* Beside other threads                                                 */

static sem_t entered, leave;

static void
stay_in_handler(struct fake_run *run)
{
	(void)run;
	sem_post(&entered);
	while (sem_wait(&leave))
		;
}

static void *
read_beside(void *session)
{
	union drmperf_value value;
	int ret = drmperf_session_read(session, &value, NULL, NULL, NULL);

	return (void *)(intptr_t)ret;
}

TEST(handler, does_not_wait_for_another_thread)
{
	struct drmperf_session *mine = counting_start(NAMES("fake::CORE.A"));
	struct drmperf_session *theirs = counting_start(NAMES("fake::CORE.B"));
	pthread_t thread;
	void *result;

	sem_init(&entered, 0, 0);
	sem_init(&leave, 0, 0);
	fake_work(1);
	fake_core->hooks[FAKE_SAMPLE] = stay_in_handler;
	ck_assert_int_eq(pthread_create(&thread, NULL, read_beside, theirs), 0);
	while (sem_wait(&entered))
		;
	fake_core->hooks[FAKE_SAMPLE] = NULL;
	try_in_vain(mine, -EAGAIN);
	try_in_vain(mine, -EAGAIN);
	sem_post(&leave);
	ck_assert_int_eq(pthread_join(thread, &result), 0);
	ck_assert_ptr_null(result);
	ck_assert_uint_eq(try_read(mine), FAKE_ALL_CORES);
	drmperf_session_destroy(mine);
	drmperf_session_destroy(theirs);
}
