/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions over a driver that counts in memory: base lines, runs shared by
 * sessions, errors on the way, and forks.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/thread.h"
#include "device/domain.h"
#include "drmperf.h"
#include "session/build.h"
#include "tests/support/check.h"
#include "tests/session/fake.h"
#include "tests/support/suite.h"

#define CREATE(...) counting_session(NAMES(__VA_ARGS__))
#define START(...) counting_start(NAMES(__VA_ARGS__))

/* Expect that a session is refused, and the out parameter left alone. */
static void
expect_refused(const struct drmperf_selection *selections, size_t count,
	       const struct drmperf_session_options *options, int expected)
{
	struct drmperf_session *session = (void *)fake_gpus;

	ck_assert_int_eq(drmperf_session_create(counting.drmperf, selections,
						count, options, &session,
						&counting.error),
			 expected);
	ck_assert_ptr_eq(session, (void *)fake_gpus);
}

static uint64_t
read_one(struct drmperf_session *session, size_t index)
{
	union drmperf_value values[16];

	counting_read(session, values);
	return values[index].u64;
}

/* ------------------------------------------------------------------ */

static unsigned builds;

/* Replace the library's. */
int
session_build(struct drmperf_session *session, struct drmperf_error *error)
{
	builds++;
	return ((__typeof__(&session_build))dlsym(RTLD_NEXT, "session_build"))(
		session, error);
}

TEST_CASE(values, fake_open, fake_close, "session");

/*
 * Sessions that a program replaces before they start cost no more than a check.
 */
TEST(values, built_at_the_first_start)
{
	struct drmperf_session *session;

	builds = 0;
	drmperf_session_destroy(CREATE("fake::CORE.A"));
	drmperf_session_destroy(CREATE("fake::CORE.A", "fake::CORE.B"));
	session = CREATE("fake::CORE.A", "fake::CORE.B", "fake::CORE.C");
	ck_assert_uint_eq(builds, 0);
	ck_assert_uint_eq(drmperf_session_size(session), 3);
	for (int i = 0; i < 2; i++) {
		counting_run(session);
		ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	}
	ck_assert_uint_eq(builds, 1);
	drmperf_session_destroy(session);
}

/* Return how many samples a read takes, the last one in this mode. */
static unsigned
samples_of_read(struct drmperf_session *session, enum drmperf_read_mode mode)
{
	unsigned before = fake_core->samples;

	read_one(session, 0);
	ck_assert_int_eq(fake_core->mode, mode);
	return fake_core->samples - before;
}

/* What is known already may be the base line itself. */
TEST(values, first_of_the_latest)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .read = DRMPERF_READ_LATEST
	};
	struct drmperf_session *session =
		counting_session_with(NAMES("fake::CORE.A"), &options);

	counting_run(session);
	ck_assert_uint_eq(samples_of_read(session, DRMPERF_READ_FENCED), 2);
	ck_assert_uint_eq(samples_of_read(session, DRMPERF_READ_LATEST), 1);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	ck_assert_uint_eq(samples_of_read(session, DRMPERF_READ_FENCED), 2);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	fake_core->clock_ns++;
	ck_assert_uint_eq(samples_of_read(session, DRMPERF_READ_LATEST), 1);
	ck_assert_uint_eq(samples_of_read(session, DRMPERF_READ_LATEST), 1);
	drmperf_session_destroy(session);
}

TEST(values, values_count_from_start)
{
	struct drmperf_session *session =
		CREATE("fake::CORE.A", "fake::CORE.B:instance=2",
		       "fake::CORE.HALF", "fake::CORE.A");
	union drmperf_value values[4];
	uint64_t time_ns = 0;

	fake_work(1000);
	counting_run(session);
	counting_read(session, values);
	ck_assert_uint_eq(values[0].u64, 0);
	fake_work(5);
	ck_assert_int_eq(
		drmperf_session_read(session, values, NULL, &time_ns, NULL), 0);
	ck_assert_uint_eq(values[0].u64, 5 * 1 * FAKE_ALL_CORES);
	ck_assert_uint_eq(values[1].u64, 5 * 2 * 3);
	ck_assert_double_eq(values[2].f64, 0.5 + 5 * 3);
	ck_assert_uint_eq(values[3].u64, values[0].u64);
	ck_assert_uint_gt(time_ns, 1000);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(fake_called(FAKE_STOP), 1);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 1);
}

static struct drmperf_sample_info
sample_info(const struct drmperf_session *session, size_t index)
{
	struct drmperf_sample_info origin = { .size = sizeof(origin) };

	ck_assert_int_eq(drmperf_session_sample_info(session, index, &origin),
			 0);
	return origin;
}

TEST(values, values_have_a_time_and_a_die)
{
	struct drmperf_session *session =
		CREATE("fake::CORE.A", "fake::PLAIN.X");
	struct drmperf_sample_info other = { .size = sizeof(other) - 1 };

	ck_assert_uint_eq(sample_info(session, 0).elapsed_ns, 0);
	ck_assert_int_eq(sample_info(session, 0).die, -1);
	fake_core->clock_ns = UINT64_MAX - 10;
	counting_run(session);
	fake_core->clock_ns += 5000;
	read_one(session, 0);
	fake_core->clock_ns += 1;
	/* by the GPU's clock, when they were read; and by samples, of which
	 * the domain that has no clock counts the time */
	ck_assert_uint_eq(sample_info(session, 0).elapsed_ns, 5000);
	ck_assert_int_eq(sample_info(session, 0).die, 2);
	ck_assert_uint_eq(sample_info(session, 1).elapsed_ns, 1);
	ck_assert_int_eq(sample_info(session, 1).die, -1);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	ck_assert_uint_eq(sample_info(session, 0).elapsed_ns, 0);
	fake_core->clock_ns += 30;
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	fake_core->clock_ns += 4;
	ck_assert_uint_eq(sample_info(session, 0).elapsed_ns, 30);
	ck_assert_int_eq(drmperf_session_sample_info(session, 2, &other),
			 -EINVAL);
	ck_assert_int_eq(drmperf_session_sample_info(session, 0, &other),
			 -EINVAL);
	drmperf_session_destroy(session);
}

TEST(values, counters_may_wrap)
{
	struct drmperf_session *session = CREATE("fake::CORE.A:instance=0");

	fake_core->counts[0][0] = UINT64_MAX - 2;
	counting_run(session);
	fake_work(10);
	ck_assert_uint_eq(read_one(session, 0), 10);
	drmperf_session_destroy(session);
}

TEST(values, reset_stop_and_start_again)
{
	struct drmperf_session *session = START("fake::CORE.C");

	fake_work(7);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	fake_work(2);
	ck_assert_uint_eq(read_one(session, 0), 2 * 3 * FAKE_ALL_CORES);
	fake_work(1);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	fake_work(100);
	/* What was counted up to stop stays, and is not counted on. */
	ck_assert_uint_eq(read_one(session, 0), 3 * 3 * FAKE_ALL_CORES);
	ck_assert_uint_eq(read_one(session, 0), 3 * 3 * FAKE_ALL_CORES);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	ck_assert_uint_eq(read_one(session, 0), 0);
	counting_run(session);
	fake_work(4);
	ck_assert_uint_eq(read_one(session, 0), 4 * 3 * FAKE_ALL_CORES);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(fake_called(FAKE_ARM), 2);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 2);
}

TEST(values, momentary_values_have_no_base)
{
	struct drmperf_session *session =
		CREATE("fake::BOARD.TEMPERATURE", "fake::BOARD.KELVIN");
	union drmperf_value values[2];

	fake_core->counts[FAKE_MOMENTARY][0] = 40;
	counting_run(session);
	counting_read(session, values);
	ck_assert_uint_eq(values[0].u64, 40);
	ck_assert_double_eq(values[1].f64, 313.15);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), 0);
	fake_core->counts[FAKE_MOMENTARY][0] = 39;
	ck_assert_uint_eq(read_one(session, 0), 39);
	drmperf_session_destroy(session);
}

TEST(values, wrong_order_is_refused)
{
	struct drmperf_session *session = CREATE("fake::CORE.A");

	counting_failed(counting_try_read(session), -EINVAL, "", "");
	ck_assert_str_ne(counting.error.cause, "");
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -EINVAL);
	ck_assert_int_eq(drmperf_session_reset(session, NULL), -EINVAL);
	counting_run(session);
	ck_assert_int_eq(drmperf_session_start(session, NULL), -EALREADY);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -EINVAL);
	drmperf_session_destroy(session);
	drmperf_session_destroy(NULL);
}

TEST(values, bad_arguments_are_refused)
{
	struct drmperf_selection selection = counting_find("fake::CORE.A");
	struct drmperf_session_options options = { .size = sizeof(options) };

	expect_refused(&selection, 0, NULL, -EINVAL);
	selection.instance = FAKE_CORES;
	expect_refused(&selection, 1, NULL, -EINVAL);
	selection.instance = 0;
	options.clock = (enum drmperf_clock_mode)77;
	expect_refused(&selection, 1, &options, -EINVAL);
	options.clock = DRMPERF_CLOCK_AUTO;
	options.size = 1;
	expect_refused(&selection, 1, &options, -EINVAL);
}

TEST(values, read_mode_comes_from_the_environment)
{
	struct drmperf_selection selection = counting_find("fake::CORE.A");

	setenv("DRMPERF_READ", "sometimes", 1);
	expect_refused(&selection, 1, NULL, -EINVAL);
	ck_assert_ptr_nonnull(strstr(counting.error.cause, "sometimes"));
	ck_assert_ptr_nonnull(strstr(counting.error.remedy, "latest"));
	setenv("DRMPERF_READ", "latest", 1);
	drmperf_session_destroy(START("fake::CORE.A"));
	unsetenv("DRMPERF_READ");
}

TEST(values, what_does_not_fit_is_refused)
{
	static const char *const names[] = { "A", "B", "C", "D", "E" };
	struct drmperf_selection selections[5];
	char name[32];

	for (size_t i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "fake::CORE.%s", names[i]);
		selections[i] = counting_find(name);
	}
	expect_refused(selections, 5, NULL, -ENOSPC);
	ck_assert_ptr_nonnull(strstr(counting.error.cause, "CORE"));
	ck_assert_str_ne(counting.error.remedy, "");
	ck_assert_uint_eq(fake_called(FAKE_ARM), 0);
}

/* ------------------------------------------------------------------ */
/* Sharing                                                              */

TEST_CASE(sharing, fake_open, fake_close, "session");

TEST(sharing, sessions_share_a_run)
{
	struct drmperf_session *one = CREATE("fake::CORE.A", "fake::CORE.B");
	struct drmperf_session *two = CREATE("fake::CORE.B");
	struct drmperf_session *three = CREATE("fake::CORE.D", "fake::CORE.A");

	counting_run(one);
	fake_work(1);
	counting_run(two);
	ck_assert_uint_eq(fake_called(FAKE_CHANGE), 0);
	fake_work(10);
	counting_run(three);
	ck_assert_uint_eq(fake_called(FAKE_ARM), 1);
	ck_assert_uint_eq(fake_called(FAKE_CHANGE), 1);
	fake_work(100);
	ck_assert_uint_eq(read_one(one, 0), 111 * 1 * FAKE_ALL_CORES);
	ck_assert_uint_eq(read_one(one, 1), 111 * 2 * FAKE_ALL_CORES);
	ck_assert_uint_eq(read_one(two, 0), 110 * 2 * FAKE_ALL_CORES);
	ck_assert_uint_eq(read_one(three, 0), 100 * 4 * FAKE_ALL_CORES);
	ck_assert_uint_eq(read_one(three, 1), 100 * 1 * FAKE_ALL_CORES);
	/* A reset of one does not move the others' base lines. */
	ck_assert_int_eq(drmperf_session_reset(one, NULL), 0);
	ck_assert_uint_eq(read_one(two, 0), 110 * 2 * FAKE_ALL_CORES);
	ck_assert_int_eq(drmperf_session_stop(one, NULL), 0);
	ck_assert_uint_eq(fake_called(FAKE_STOP), 0);
	fake_work(1000);
	ck_assert_uint_eq(read_one(two, 0), 1110 * 2 * FAKE_ALL_CORES);
	ck_assert_uint_eq(read_one(one, 0), 0);
	drmperf_session_destroy(two);
	drmperf_session_destroy(three);
	ck_assert_uint_eq(fake_called(FAKE_STOP), 1);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 1);
	drmperf_session_destroy(one);
}

static struct drmperf_session *second;
static pthread_t second_starter;

static void *
start_second(void *data)
{
	counting_run(second);
	return data;
}

/*
 * Begin a second session. A tool's locks may be in the way of a driver that
 * makes threads.
 */
static void
begin_second(struct fake_run *run)
{
	struct domain *domain = run->options.raw_data;

	ck_assert_int_eq(pthread_mutex_trylock(&domain->lock), 0);
	ck_assert_int_eq(pthread_create(&second_starter, NULL, start_second,
					NULL),
			 0);
	pthread_mutex_unlock(&domain->lock);
	/* it is begun and does not count: nothing to be stopped yet */
	ck_assert_int_eq(drmperf_stop_all(counting.drmperf, NULL), -EBUSY);
}

TEST(sharing, a_run_begins_without_locks)
{
	struct drmperf_session *session = CREATE("fake::CORE.A");

	second = CREATE("fake::CORE.A");
	fake_core->hooks[FAKE_START] = begin_second;
	counting_run(session);
	ck_assert_int_eq(pthread_join(second_starter, NULL), 0);
	ck_assert_uint_eq(fake_called(FAKE_ARM), 1);
	fake_work(1);
	ck_assert_uint_eq(read_one(session, 0), FAKE_ALL_CORES);
	ck_assert_uint_eq(read_one(second, 0), FAKE_ALL_CORES);
	drmperf_session_destroy(session);
	drmperf_session_destroy(second);
}

static void *
start_in_vain(void *session)
{
	struct drmperf_error error;

	ck_assert_int_eq(drmperf_session_start(session, &error), -EDEADLK);
	ck_assert_ptr_nonnull(strstr(error.cause, "thread"));
	ck_assert_str_ne(error.remedy, "");
	return NULL;
}

TEST(sharing, own_threads_start_nothing)
{
	struct drmperf_session *session = CREATE("fake::CORE.A");
	pthread_t thread;

	ck_assert_int_eq(thread_create(&thread, "test", start_in_vain, session),
			 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_uint_eq(fake_called(FAKE_ARM), 0);
	counting_run(session);
	drmperf_session_destroy(session);
}

TEST(sharing, no_room_beside_a_running_session)
{
	struct drmperf_session *one = CREATE("fake::CORE.A");
	struct drmperf_session *two = CREATE("fake::CORE.B");

	counting_run(one);
	fake_core->errors[FAKE_CHANGE] = -ENOSPC;
	counting_failed(drmperf_session_start(two, &counting.error), -EBUSY,
			"this process", "");
	fake_core->errors[FAKE_CHANGE] = 0;
	fake_work(3);
	ck_assert_uint_eq(read_one(one, 0), 3 * FAKE_ALL_CORES);
	drmperf_session_destroy(two);
	drmperf_session_destroy(one);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 1);
}

TEST(sharing, clock_modes_must_agree)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .clock = DRMPERF_CLOCK_PEAK
	};
	struct drmperf_session *one = START("fake::CORE.A");
	struct drmperf_session *two =
		counting_session_with(NAMES("fake::CORE.A"), &options);

	ck_assert_int_eq(drmperf_session_start(two, NULL), -EBUSY);
	ck_assert_int_eq(drmperf_session_stop(one, NULL), 0);
	counting_run(two);
	/* A session that does not care joins whatever mode is held. */
	counting_run(one);
	drmperf_session_destroy(one);
	drmperf_session_destroy(two);
}

TEST(sharing, runs_that_cannot_change_are_not_shared)
{
	struct drmperf_session *one = CREATE("fake::PLAIN.X");
	struct drmperf_session *two = CREATE("fake::PLAIN.X");

	counting_run(one);
	fake_work(1);
	counting_run(two);
	fake_work(1);
	ck_assert_uint_eq(fake_called(FAKE_ARM), 2);
	ck_assert_uint_eq(read_one(one, 0), 2 * (FAKE_SELECT_PLAIN + 1));
	ck_assert_uint_eq(read_one(two, 0), 1 * (FAKE_SELECT_PLAIN + 1));
	drmperf_session_destroy(one);
	drmperf_session_destroy(two);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 2);
}

TEST(sharing, a_session_spans_domains)
{
	struct drmperf_session *session =
		START("fake::PLAIN.X", "fake::CORE.A");

	ck_assert_uint_eq(fake_called(FAKE_ARM), 2);
	fake_work(2);
	ck_assert_uint_eq(read_one(session, 0), 2 * (FAKE_SELECT_PLAIN + 1));
	ck_assert_uint_eq(read_one(session, 1), 2 * FAKE_ALL_CORES);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 2);
}

/* ------------------------------------------------------------------ */
/* Errors                                                               */

/* Whatever fails, everything that was taken is given back. */
static const struct failure {
	enum fake_call call;
	int code;
	unsigned disarms;
} failures[] = {
	{ FAKE_ARM, -EBUSY, 0 },
	{ FAKE_START, -EACCES, 1 },
	{ FAKE_SAMPLE, -EIO, 1 },
	{ FAKE_SAMPLE, -ENODEV, 1 }, /* dead at once */
};

TEST_CASE(errors, fake_open, fake_close, "session");

TEST_LOOP(errors, failed_start_gives_everything_back, ARRAY_SIZE(failures))
{
	const struct failure *failure = &failures[_i];
	struct drmperf_session *session = CREATE("fake::CORE.A");

	fake_core->errors[failure->call] = failure->code;
	ck_assert_int_eq(drmperf_session_start(session, &counting.error),
			 failure->code);
	ck_assert_str_ne(counting.error.cause, "");
	ck_assert_uint_eq(fake_called(FAKE_DISARM), failure->disarms);
	fake_core->errors[failure->call] = 0;
	counting_run(session);
	fake_work(1);
	ck_assert_uint_eq(read_one(session, 0), FAKE_ALL_CORES);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), failure->disarms + 1);
}

TEST(errors, a_dead_run_is_dead_for_all_its_sessions)
{
	struct drmperf_session *one = CREATE("fake::CORE.A");
	struct drmperf_session *two = CREATE("fake::CORE.B");
	struct drmperf_session *three = CREATE("fake::CORE.A");

	counting_run(one);
	counting_run(two);
	fake_core->errors[FAKE_SAMPLE] = -ECANCELED;
	ck_assert_int_eq(counting_try_read(one), -ECANCELED);
	fake_core->errors[FAKE_SAMPLE] = 0;
	/* Others can count at once, while the losers have not even noticed. */
	counting_run(three);
	ck_assert_uint_eq(fake_called(FAKE_ARM), 2);
	fake_work(5);
	ck_assert_uint_eq(read_one(three, 0), 5 * FAKE_ALL_CORES);
	ck_assert_int_eq(counting_try_read(two), -ECANCELED);
	ck_assert_str_ne(counting.error.remedy, "");
	ck_assert_int_eq(drmperf_session_stop(two, NULL), -ECANCELED);
	counting_run(two);
	fake_work(1);
	ck_assert_uint_eq(read_one(two, 0), 2 * FAKE_ALL_CORES);
	drmperf_session_destroy(one);
	drmperf_session_destroy(two);
	drmperf_session_destroy(three);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 2);
}

TEST(errors, all_counting_can_be_ended)
{
	struct drmperf_session *one = CREATE("fake::CORE.A");
	struct drmperf_session *two = CREATE("fake::CORE.B");
	struct drmperf_session *stopped = CREATE("fake::CORE.A");

	ck_assert_int_eq(drmperf_stop_all(counting.drmperf, NULL), 0);
	counting_run(stopped);
	fake_work(3);
	ck_assert_int_eq(drmperf_session_stop(stopped, NULL), 0);
	counting_run(one);
	counting_run(two);
	ck_assert_int_eq(drmperf_stop_all(counting.drmperf, NULL), 0);
	ck_assert_uint_eq(fake_called(FAKE_ARM), 2);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 2);
	ck_assert_int_eq(counting_try_read(one), -ECANCELED);
	ck_assert_int_eq(drmperf_session_stop(two, NULL), -ECANCELED);
	ck_assert_uint_eq(read_one(stopped, 0), 3 * FAKE_ALL_CORES);
	counting_run(two);
	fake_work(1);
	ck_assert_uint_eq(read_one(two, 0), 2 * FAKE_ALL_CORES);
	drmperf_session_destroy(one);
	drmperf_session_destroy(two);
	drmperf_session_destroy(stopped);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 3);
}

/* Do as a signal's handler would that ends the process. */
static void
stop_amidst(struct fake_run *run)
{
	(void)run;
	ck_assert_int_eq(drmperf_stop_all(counting.drmperf, NULL), -EBUSY);
}

TEST(errors, a_call_in_the_way_does_not_hang_the_end)
{
	struct drmperf_session *session = START("fake::CORE.A");

	fake_core->hooks[FAKE_SAMPLE] = stop_amidst;
	fake_work(1);
	ck_assert_uint_eq(read_one(session, 0), FAKE_ALL_CORES);
	fake_core->hooks[FAKE_SAMPLE] = NULL;
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 0);
	ck_assert_int_eq(drmperf_stop_all(counting.drmperf, NULL), 0);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 1);
	drmperf_session_destroy(session);
}

TEST(errors, a_passing_error_ends_nothing)
{
	struct drmperf_session *session = START("fake::CORE.A");

	fake_core->errors[FAKE_SAMPLE] = -EIO;
	fake_work(1);
	ck_assert_int_eq(counting_try_read(session), -EIO);
	fake_core->errors[FAKE_SAMPLE] = 0;
	fake_work(1);
	ck_assert_uint_eq(read_one(session, 0), 2 * FAKE_ALL_CORES);
	fake_core->errors[FAKE_STOP] = -EIO;
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -EIO);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 1);
	drmperf_session_destroy(session);
}

/* What one read gives of four selections. */
struct reading {
	int ret;
	union drmperf_value values[4];
	int statuses[4];
};

static struct reading
read_statuses(struct drmperf_session *session)
{
	struct reading out;

	memset(&out, 0x55, sizeof(out));
	out.ret = drmperf_session_read(session, out.values, out.statuses, NULL,
				       NULL);
	return out;
}

static void
expect_statuses(const struct reading *reading, const int expected[4])
{
	int missing = 0;

	for (size_t i = 0; i < 4; i++) {
		ck_assert_msg(reading->statuses[i] == expected[i],
			      "status %zu is %d instead of %d", i,
			      reading->statuses[i], expected[i]);
		missing += expected[i] != 0;
	}
	ck_assert_int_eq(reading->ret, missing);
}

static void
expect_reason(const struct drmperf_session *session, size_t index, int code,
	      const char *cause)
{
	struct drmperf_error error = { 0 };

	ck_assert_int_eq(drmperf_session_explain(session, index, &error), code);
	ck_assert_int_eq(error.code, code);
	ck_assert_msg(strstr(error.cause, cause), "\"%s\" is not in \"%s\"",
		      cause, error.cause);
	ck_assert_int_eq(drmperf_session_explain(session, index, NULL), code);
}

/* In this order in what follows. */
#define FOUR                                                                   \
	"fake::CORE.A", "fake::PLAIN.X", "fake::PLAIN.Y", "fake::PLAIN.MEAN"

/* What fails, and which of FOUR lack a value then. */
static const struct lack {
	int sample_error, own_sample_error;
	uint64_t missing;
	int statuses[4];
	size_t index; /* of one that lacks it, with that reason: */
	const char *cause;
} lacks[] = {
	{ 0, -EIO, 0, { 0, -EIO, -EIO, -EIO }, 2, "sample of plain fails" },
	{ -EIO, 0, 0, { -EIO, 0, 0, 0 }, 0, "sample of core fails" },
	{ 0,
	  0,
	  1 << FAKE_SELECT_OTHER,
	  { 0, 0, -EIO, -EIO },
	  3,
	  "selector 12 is silent" },
	{ 0,
	  0,
	  1 << FAKE_SELECT_PLAIN,
	  { 0, -EIO, 0, -EIO },
	  1,
	  "selector 11 is silent" },
	{ -ENODATA,
	  -ENODEV,
	  0,
	  { -ENODATA, -ENODEV, -ENODEV, -ENODEV },
	  3,
	  "sample of plain fails" },
};

static void
set_lack(const struct lack *lack)
{
	fake_core->errors[FAKE_SAMPLE] = lack ? lack->sample_error : 0;
	fake_plain->errors[FAKE_SAMPLE] = lack ? lack->own_sample_error : 0;
	fake_plain->missing = lack ? lack->missing : 0;
}

TEST_LOOP(errors, a_source_costs_only_its_own_values, ARRAY_SIZE(lacks))
{
	const struct lack *lack = &lacks[_i];
	struct drmperf_session *session = CREATE(FOUR);
	struct reading reading;
	static const int good[4] = { 0 };

	counting_run(session);
	fake_work(5);
	fake_plain->counts[FAKE_SELECT_OTHER][0] += 3;
	set_lack(lack);
	reading = read_statuses(session);
	expect_statuses(&reading, lack->statuses);
	if (!lack->statuses[0])
		ck_assert_uint_eq(reading.values[0].u64, 5 * FAKE_ALL_CORES);
	else
		ck_assert_uint_eq(reading.values[0].u64, UINT64_MAX);
	if (lack->statuses[3])
		ck_assert_double_nan(reading.values[3].f64);
	expect_reason(session, lack->index, lack->statuses[lack->index],
		      lack->cause);
	/* and without statuses it is an error, as of one value */
	ck_assert_int_lt(counting_try_read(session), 0);
	ck_assert_str_ne(counting.error.cause, "");
	/* but where the domain is lost, all of it answers again */
	set_lack(NULL);
	reading = read_statuses(session);
	expect_statuses(&reading, good);
	set_lack(lack);
	ck_assert_int_lt(drmperf_session_stop(session, NULL), 0);
	set_lack(NULL);
	/* a stopped session keeps what it knew, and why it lacks the rest */
	reading = read_statuses(session);
	expect_statuses(&reading, lack->statuses);
	expect_reason(session, lack->index, lack->statuses[lack->index],
		      lack->cause);
	counting_run(session);
	reading = read_statuses(session);
	expect_statuses(&reading, good);
	drmperf_session_destroy(session);
}

TEST(errors, a_lost_domain_keeps_its_reason)
{
	struct drmperf_session *session = CREATE(FOUR);
	static const int lost[4] = { -ECANCELED, 0, 0, 0 };
	struct reading reading;

	counting_run(session);
	fake_core->errors[FAKE_SAMPLE] = -ECANCELED;
	reading = read_statuses(session);
	expect_statuses(&reading, lost);
	fake_core->errors[FAKE_SAMPLE] = 0;
	fake_work(2);
	reading = read_statuses(session);
	expect_statuses(&reading, lost);
	ck_assert_uint_gt(reading.values[1].u64, 0);
	expect_reason(session, 0, -ECANCELED, "sample of core fails");
	expect_reason(session, 1, 0, "");
	ck_assert_int_eq(drmperf_session_explain(session, 4, NULL), -EINVAL);
	drmperf_session_destroy(session);
}

/* Not of the time before the reset, which nothing would tell. */
TEST(errors, what_a_reset_misses_begins_later)
{
	struct drmperf_session *session = START(FOUR);

	fake_work(5);
	fake_plain->errors[FAKE_SAMPLE] = -EIO;
	ck_assert_int_eq(drmperf_session_reset(session, NULL), -EIO);
	fake_work(7);
	fake_plain->errors[FAKE_SAMPLE] = 0;
	ck_assert_uint_eq(read_one(session, 0), 7 * FAKE_ALL_CORES);
	ck_assert_uint_eq(read_one(session, 1), 0);
	fake_plain->counts[FAKE_SELECT_PLAIN][0] += 9;
	ck_assert_uint_eq(read_one(session, 1), 9);
	/* and alone, if it alone was missing */
	fake_plain->missing = 1 << FAKE_SELECT_OTHER;
	ck_assert_int_eq(drmperf_session_reset(session, NULL), -EIO);
	fake_plain->missing = 0;
	fake_plain->counts[FAKE_SELECT_PLAIN][0] += 4;
	fake_plain->counts[FAKE_SELECT_OTHER][0] += 4;
	ck_assert_uint_eq(read_one(session, 1), 4);
	ck_assert_uint_eq(read_one(session, 2), 0);
	drmperf_session_destroy(session);
}

/* What counting_run() does of what the other domain fails with. */
static const struct partial_start {
	uint64_t partial;
	int arm_error, sample_error;
	uint64_t missing;
	int expected;
} partial_starts[] = {
	{ 0, -ENODEV, 0, 0, -ENODEV },
	{ 0, 0, 0, 1 << FAKE_SELECT_PLAIN, -EIO },
	{ 1, -ENODEV, 0, 0, 0 },
	{ 1, -ENOTSUP, 0, 0, 0 },
	{ 1, 0, -EIO, 0, 0 },
	{ 1, 0, 0, 1 << FAKE_SELECT_PLAIN, 0 },
	{ 1, -EACCES, 0, 0, -EACCES },
	{ 1, -EBUSY, 0, 0, -EBUSY },
	{ 1, -ENOSPC, 0, 0, -ENOSPC },
	{ 2, -ENODEV, 0, 0, 0 },
	{ 2, -EACCES, 0, 0, 0 },
	{ 2, -EBUSY, 0, 0, 0 },
	{ 2, -ENOSPC, 0, 0, -ENOSPC },
};

TEST_LOOP(errors, a_partial_start_leaves_out_what_cannot_be,
	  ARRAY_SIZE(partial_starts))
{
	const struct partial_start *one = &partial_starts[_i];
	struct drmperf_session_options options = { .size = sizeof(options),
						   .partial = one->partial };
	struct drmperf_session *session = counting_session_with(
		NAMES("fake::CORE.A", "fake::PLAIN.X"), &options);
	union drmperf_value values[2];
	int statuses[2];

	fake_plain->errors[FAKE_ARM] = one->arm_error;
	fake_plain->errors[FAKE_SAMPLE] = one->sample_error;
	fake_plain->missing = one->missing;
	ck_assert_int_eq(drmperf_session_start(session, NULL), one->expected);
	if (!one->expected) {
		fake_work(5);
		ck_assert_int_eq(drmperf_session_read(session, values, statuses,
						      NULL, NULL),
				 1);
		ck_assert_int_eq(statuses[0], 0);
		ck_assert_int_eq(statuses[1], one->arm_error ? one->arm_error
					      : one->sample_error
						      ? one->sample_error
						      : -EIO);
		ck_assert_uint_eq(values[0].u64, 5 * FAKE_ALL_CORES);
	}
	drmperf_session_destroy(session);
	ck_assert_uint_eq(fake_core->armed + fake_plain->armed, 0);
}

TEST(errors, a_partial_start_of_nothing_fails)
{
	struct drmperf_session_options options = { .size = sizeof(options),
						   .partial = 1 };
	const struct drmperf_selection selection =
		counting_find("fake::PLAIN.X");
	struct drmperf_session *session =
		counting_session_with(NAMES("fake::PLAIN.X"), &options);

	fake_plain->errors[FAKE_ARM] = -ENODEV;
	ck_assert_int_eq(drmperf_session_start(session, &counting.error),
			 -ENODEV);
	ck_assert_str_eq(counting.error.cause, "arm of plain fails");
	drmperf_session_destroy(session);
	options.partial = 3;
	expect_refused(&selection, 1, &options, -EINVAL);
}

TEST(errors, a_failed_stop_leaves_no_values)
{
	struct drmperf_session *session = START("fake::CORE.A");

	fake_work(1);
	ck_assert_uint_eq(read_one(session, 0), FAKE_ALL_CORES);
	fake_work(1);
	fake_core->errors[FAKE_SAMPLE] = -EIO;
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -EIO);
	fake_core->errors[FAKE_SAMPLE] = 0;
	/* What was read before is not what it had counted when it stopped. */
	counting_failed(counting_try_read(session), -EIO, "", "");
	ck_assert_int_eq(drmperf_session_reset(session, NULL), -EIO);
	counting_run(session);
	fake_work(3);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	ck_assert_uint_eq(read_one(session, 0), 3 * FAKE_ALL_CORES);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Forks and listeners                                                  */

TEST_CASE(forks_and_listeners, fake_open, fake_close, "session");

TEST(forks_and_listeners, a_child_disturbs_nothing)
{
	struct drmperf_session *session =
		CREATE("fake::CORE.A", "fake::PLAIN.X");
	union drmperf_value values[2];
	struct drmperf_error error;
	unsigned samples;
	int status;
	pid_t pid;

	counting_run(session);
	samples = fake_called(FAKE_SAMPLE);
	pid = fork();
	if (!pid) {
		struct drmperf_sample_info other = { .size = sizeof(other) };
		int ok = drmperf_session_read(session, values, NULL, NULL,
					      &error) == -ECHILD &&
			 error.cause[0] &&
			 drmperf_session_stop(session, NULL) == -ECHILD &&
			 drmperf_session_reset(session, NULL) == -ECHILD &&
			 drmperf_session_sample_info(session, 0, &other) ==
				 -ECHILD &&
			 drmperf_session_start(session, NULL) == -ECHILD &&
			 drmperf_stop_all(counting.drmperf, NULL) == -ECHILD;

		drmperf_session_destroy(session);
		drmperf_destroy(counting.drmperf);
		_exit(ok ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	ck_assert_uint_eq(fake_called(FAKE_SAMPLE), samples);
	ck_assert_uint_eq(fake_called(FAKE_STOP), 0);
	ck_assert_uint_eq(fake_called(FAKE_DISARM), 0);
	ck_assert_uint_eq(fake_called(FAKE_ABANDON), 2);
	fake_work(1);
	ck_assert_uint_eq(read_one(session, 0), FAKE_ALL_CORES);
	drmperf_session_destroy(session);
}

static void
remember_record(void *data, struct drmperf_device *device, const void *record,
		size_t size)
{
	unsigned *seen = data;

	ck_assert_ptr_eq(device, drmperf_device_at(counting.drmperf, 0));
	ck_assert_uint_eq(size, 4);
	ck_assert_int_eq(memcmp(record, "data", 4), 0);
	++*seen;
}

/* Hand on a record of the run, as its driver's thread would. */
static void
hand_on_data(void)
{
	const struct run_options *options = &fake_core->run->options;

	options->raw(options->raw_data, drmperf_device_at(counting.drmperf, 0),
		     "data", 4);
}

TEST(forks_and_listeners, raw_records_reach_those_who_listen)
{
	unsigned seen[2] = { 0 };
	struct drmperf_session *sessions[2];

	for (size_t i = 0; i < 2; i++) {
		struct drmperf_session_options options = {
			.size = sizeof(options),
			.raw = remember_record,
			.raw_data = &seen[i],
		};

		sessions[i] =
			counting_session_with(NAMES("fake::CORE.A"), &options);
	}
	counting_run(sessions[0]);
	hand_on_data();
	counting_run(sessions[1]);
	hand_on_data();
	ck_assert_int_eq(drmperf_session_stop(sessions[0], NULL), 0);
	hand_on_data();
	ck_assert_uint_eq(seen[0], 2);
	ck_assert_uint_eq(seen[1], 2);
	drmperf_session_destroy(sessions[0]);
	drmperf_session_destroy(sessions[1]);
}
