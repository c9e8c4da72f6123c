/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel counters through the public interface, on simulated GPUs in real time:
 * what a program may rely on, and what it is told when something is in the
 * way. That the numbers are exact is the matter of test_i915_exact.
 */
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "driver/i915/kernel.h"
#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define MS UINT64_C(1000000)
#define NODE "/dev/dri/renderD128"
#define METRICS "/sys/class/drm/card0/metrics"

/* RenderBasic of sklgt2 */
#define RENDER_BASIC "07b25942-d9fd-4fce-bd58-e29abd66b7de"

/* ------------------------------------------------------------------ */
/* Sessions                                                             */

static struct drmperf *drmperf;
static struct drmperf_error error;

/* The machine is as at the beginning, however the test before has ended. */
static void
set_up(void)
{
	ck_assert_int_eq(drmsim_set("contexts", "0x20"), 0);
	memset(&error, 0, sizeof(error));
	ck_assert_msg(!drmperf_create(NULL, &drmperf, &error), "%s",
		      error.cause);
}

static void
tear_down(void)
{
	drmperf_destroy(drmperf);
}

/* At least so long; what has been counted by then is told by the clock. */
static void
sleep_ns(uint64_t ns)
{
	const struct timespec time = { (time_t)(ns / 1000000000),
				       (long)(ns % 1000000000) };

	nanosleep(&time, NULL); /* any machine: it may take longer */
}

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#define MOST_EVENTS 8

static struct drmperf_session *
open_session(const char *const *names, enum drmperf_read_mode read,
	     drmperf_raw_fn raw, void *raw_data)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options),
		.read = read,
		.raw = raw,
		.raw_data = raw_data,
	};
	struct drmperf_selection selections[MOST_EVENTS];
	struct drmperf_session *session = NULL;
	size_t count = 0;

	for (; names[count]; count++)
		ck_assert_msg(!drmperf_event_find(drmperf, names[count],
						  &selections[count], &error),
			      "%s: %s", names[count], error.cause);
	ck_assert_msg(!drmperf_session_create(drmperf, selections, count,
					      &options, &session, &error),
		      "%s", error.cause);
	return session;
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static struct drmperf_session *
fenced(const char *const *names)
{
	return open_session(names, DRMPERF_READ_FENCED, NULL, NULL);
}

static void
start(struct drmperf_session *session)
{
	ck_assert_msg(!drmperf_session_start(session, &error), "%s: %s",
		      error.cause, error.remedy);
}

static void
read_values(struct drmperf_session *session, union drmperf_value *values)
{
	ck_assert_msg(!drmperf_session_read(session, values, NULL, &error),
		      "%s: %s", error.cause, error.remedy);
}

/* The call failed so, and cause and remedy have these words. */
static void
check_error(int ret, int expected, const char *cause, const char *remedy)
{
	ck_assert_msg(ret == expected, "%d instead of %d: %s", ret, expected,
		      ret ? error.cause : "no error");
	ck_assert_int_eq(error.code, expected);
	ck_assert_msg(strstr(error.cause, cause), "cause: %s", error.cause);
	ck_assert_msg(strstr(error.remedy, remedy), "remedy: %s", error.remedy);
}

/* ------------------------------------------------------------------ */
/* What holds                                                           */

#define TIME "i915::RenderBasic.GpuTime"
#define CLOCKS "i915::RenderBasic.GpuCoreClocks"
#define BUSY "i915::RenderBasic.GpuBusy"
#define AGE "i915::RenderBasic.ReportAge"

START_TEST(counts_go_on_and_stop)
{
	struct drmperf_session *session = fenced(NAMES(TIME, CLOCKS, BUSY));
	union drmperf_value first[3], second[3], last[3], again[3];
	uint64_t begin = now_ns();

	start(session);
	read_values(session, first);
	sleep_ns(20 * MS);
	read_values(session, second);
	ck_assert_uint_ge(second[0].u64, first[0].u64 + 20 * MS);
	ck_assert_uint_gt(second[1].u64, first[1].u64);
	ck_assert_double_eq_tol(second[2].f64, 100, 1e-9);
	ck_assert_int_eq(drmperf_session_stop(session, &error), 0);
	ck_assert_uint_le(second[0].u64, now_ns() - begin);
	read_values(session, last);
	sleep_ns(5 * MS);
	read_values(session, again);
	ck_assert_mem_eq(last, again, sizeof(last));
	ck_assert_uint_ge(last[0].u64, second[0].u64);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(session_starts_again_from_zero)
{
	struct drmperf_session *session = fenced(NAMES(TIME));
	union drmperf_value value;

	for (unsigned i = 0; i < 3; i++) {
		uint64_t begin = now_ns();

		start(session);
		sleep_ns(10 * MS);
		read_values(session, &value);
		ck_assert_uint_ge(value.u64, 10 * MS);
		ck_assert_uint_le(value.u64, now_ns() - begin);
		ck_assert_msg(!drmperf_session_stop(session, &error), "%s",
			      error.cause);
	}
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(reset_moves_the_base_line)
{
	struct drmperf_session *session = fenced(NAMES(TIME));
	union drmperf_value before, after;
	uint64_t begin;

	start(session);
	sleep_ns(30 * MS);
	read_values(session, &before);
	begin = now_ns();
	ck_assert_int_eq(drmperf_session_reset(session, &error), 0);
	read_values(session, &after);
	ck_assert_uint_le(after.u64, now_ns() - begin);
	drmperf_session_destroy(session);
}
END_TEST

/*
 * The report is younger than the call. How long the call takes is for a
 * benchmark to say: a busy machine takes as long as it likes.
 */
START_TEST(fenced_read_is_fresh)
{
	struct drmperf_session *session = fenced(NAMES(TIME, AGE));
	uint64_t begin, end, taken;
	union drmperf_value values[2];

	start(session);
	for (size_t i = 0; i < 101; i++) {
		if (i % 4 == 3)
			sleep_ns(3 * MS);
		begin = now_ns();
		ck_assert_int_eq(
			drmperf_session_read(session, values, &taken, &error),
			0);
		end = now_ns();
		ck_assert_uint_ge(taken, begin);
		ck_assert_uint_le(taken, end);
		ck_assert_uint_le(values[1].u64, end - begin);
	}
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(latest_read_does_not_wait)
{
	struct drmperf_session *session =
		open_session(NAMES(TIME, AGE), DRMPERF_READ_LATEST, NULL, NULL);
	union drmperf_value values[2];
	uint64_t before, after, begin, last = 0;

	start(session);
	sleep_ns(20 * MS);
	ck_assert_int_eq(drmsim_calls("i915_perf_read", &before), 0);
	begin = now_ns();
	for (unsigned i = 0; i < 1000; i++) {
		read_values(session, values);
		ck_assert_uint_ge(values[0].u64, last);
		last = values[0].u64;
	}
	ck_assert_int_eq(drmsim_calls("i915_perf_read", &after), 0);
	/* What is read meanwhile is the thread's, at its own pace. */
	ck_assert_uint_le(after - before, 50 + (now_ns() - begin) / MS);
	/* ... which brings a later report in the end */
	do {
		sleep_ns(MS);
		read_values(session, values);
	} while (values[0].u64 == last);
	ck_assert_uint_gt(values[0].u64, last);
	drmperf_session_destroy(session);
}
END_TEST

/* An event of any set goes where the other events are. */
START_TEST(any_set_follows_the_others)
{
	struct drmperf_session *session =
		fenced(NAMES("i915::oa.GpuTime", "i915::TestOa.Counter1",
			     "i915::oa.GpuCoreClocks", "i915::oa.ReportAge"));
	union drmperf_value values[4];
	uint64_t begin;

	start(session);
	sleep_ns(5 * MS);
	begin = now_ns();
	read_values(session, values);
	ck_assert_uint_eq(values[1].u64, values[2].u64);
	ck_assert_uint_le(values[3].u64, now_ns() - begin);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(two_sets_fit_no_pass)
{
	struct drmperf_selection selections[2];
	struct drmperf_session *session = NULL;

	drmperf_event_find(drmperf, BUSY, &selections[0], &error);
	drmperf_event_find(drmperf, "i915::TestOa.Counter1", &selections[1],
			   &error);
	ck_assert_int_eq(drmperf_session_create(drmperf, selections, 2, NULL,
						&session, &error),
			 -ENOSPC);
	ck_assert_ptr_null(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Sharing                                                              */

START_TEST(sessions_of_one_set_share)
{
	struct drmperf_session *first = fenced(NAMES(TIME));
	struct drmperf_session *second = fenced(NAMES(CLOCKS, TIME));
	union drmperf_value one, two[2];
	uint64_t before, after;

	start(first);
	ck_assert_int_eq(drmsim_calls("perf_open", &before), 0);
	sleep_ns(30 * MS);
	start(second);
	ck_assert_int_eq(drmsim_calls("perf_open", &after), 0);
	ck_assert_uint_eq(after, before);
	sleep_ns(10 * MS);
	read_values(second, two);
	read_values(first, &one);
	ck_assert_uint_ge(one.u64, two[1].u64 + 30 * MS);
	ck_assert_uint_ge(two[1].u64, 10 * MS);
	ck_assert_int_eq(drmperf_session_stop(first, &error), 0);
	sleep_ns(10 * MS);
	read_values(second, two);
	ck_assert_uint_ge(two[1].u64, 20 * MS);
	drmperf_session_destroy(first);
	drmperf_session_destroy(second);
}
END_TEST

START_TEST(another_set_is_refused_meanwhile)
{
	struct drmperf_session *first = fenced(NAMES(TIME));
	struct drmperf_session *second = fenced(NAMES("i915::TestOa.Counter1"));

	start(first);
	check_error(drmperf_session_start(second, &error), -EBUSY,
		    "RenderBasic", "stop the sessions");
	ck_assert_int_eq(drmperf_session_stop(first, &error), 0);
	start(second);
	drmperf_session_destroy(first);
	drmperf_session_destroy(second);
}
END_TEST

/* Run in a child; what it returns is its status. */
static void
in_child(int (*run)(void *data), void *data)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		_exit(run(data));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_msg(!status, "the child ended with %d", status);
}

static int
try_to_count(void *data)
{
	struct drmperf_selection selection;
	struct drmperf_session *session;
	struct drmperf *mine;

	(void)data;
	if (drmperf_create(NULL, &mine, &error) ||
	    drmperf_event_find(mine, TIME, &selection, &error) ||
	    drmperf_session_create(mine, &selection, 1, NULL, &session, &error))
		return 1;
	if (drmperf_session_start(session, &error) != -EBUSY)
		return 2;
	if (!strstr(error.cause, "in use"))
		return 3;
	drmperf_session_destroy(session);
	drmperf_destroy(mine);
	return 0;
}

START_TEST(another_process_is_refused)
{
	struct drmperf_session *session = fenced(NAMES(TIME));
	union drmperf_value value;

	start(session);
	in_child(try_to_count, NULL);
	read_values(session, &value);
	drmperf_session_destroy(session);
}
END_TEST

static int
use_inherited(void *data)
{
	struct drmperf_session *session = data;
	union drmperf_value value;

	if (drmperf_session_read(session, &value, NULL, &error) != -ECHILD)
		return 1;
	if (drmperf_session_stop(session, &error) != -ECHILD)
		return 2;
	drmperf_session_destroy(session);
	drmperf_destroy(drmperf);
	return 0;
}

START_TEST(child_does_not_disturb)
{
	struct drmperf_session *session = fenced(NAMES(TIME));
	union drmperf_value before, after;

	start(session);
	read_values(session, &before);
	in_child(use_inherited, session);
	sleep_ns(10 * MS);
	read_values(session, &after);
	ck_assert_uint_ge(after.u64, before.u64 + 10 * MS);
	ck_assert_int_eq(drmperf_session_stop(session, &error), 0);
	drmperf_session_destroy(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Records                                                              */

struct records {
	atomic_uint samples, others;
	atomic_bool odd;
};

static void
take_record(void *data, struct drmperf_device *device, const void *record,
	    size_t size)
{
	struct records *records = data;
	uint32_t type;

	memcpy(&type, record, sizeof(type));
	if (type == 1)
		atomic_fetch_add(&records->samples, 1);
	else
		atomic_fetch_add(&records->others, 1);
	if (type == 1 && (size != 264 || !device))
		atomic_store(&records->odd, true);
}

START_TEST(records_are_shown)
{
	struct records records = { 0 };
	struct drmperf_session *session = open_session(
		NAMES(TIME), DRMPERF_READ_FENCED, take_record, &records);
	union drmperf_value value;

	start(session);
	sleep_ns(20 * MS);
	drmsim_set("oa-lose", "3");
	sleep_ns(20 * MS);
	read_values(session, &value);
	ck_assert_int_eq(drmperf_session_stop(session, &error), 0);
	/* 85.3 us between reports, of which three were dropped */
	ck_assert_uint_ge(records.samples, value.u64 / 85334 - 3);
	/* told once, or once more if they were not dropped between two reads */
	ck_assert_uint_ge(records.others, 1);
	ck_assert_uint_le(records.others, 3);
	ck_assert(!records.odd);
	drmperf_session_destroy(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Mishaps                                                              */

#define TEST_OA                                                                \
	NAMES("i915::TestOa.GpuTime", "i915::TestOa.GpuCoreClocks",            \
	      "i915::TestOa.Counter1", "i915::TestOa.Counter3")

static void
check_relations(const union drmperf_value values[4])
{
	ck_assert_uint_gt(values[1].u64, 0);
	ck_assert_uint_eq(values[2].u64, values[1].u64);
	ck_assert_uint_le(values[3].u64, values[1].u64 / 2 + 1);
	ck_assert_uint_ge(values[3].u64 + 1, values[1].u64 / 2);
}

START_TEST(lost_reports_cost_nothing)
{
	struct drmperf_session *session = fenced(TEST_OA);
	union drmperf_value values[4];
	uint64_t begin = now_ns();

	start(session);
	for (unsigned i = 0; i < 10; i++) {
		ck_assert_int_eq(
			drmsim_set(i % 2 ? "oa-hole" : "oa-lose", "20"), 0);
		sleep_ns(5 * MS);
		read_values(session, values);
		check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 5 * MS);
		ck_assert_uint_le(values[0].u64, now_ns() - begin);
	}
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(context_switches_cost_nothing)
{
	struct drmperf_session *session = fenced(TEST_OA);
	union drmperf_value values[4];

	/* five switches in a millisecond */
	ck_assert_int_eq(
		drmsim_set("contexts", "0x21:300us,0x22:200us,idle:100us"), 0);
	start(session);
	for (unsigned i = 0; i < 5; i++) {
		sleep_ns(40 * MS);
		read_values(session, values);
		check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 40 * MS);
	}
	drmperf_session_destroy(session);
}
END_TEST

/* Stop this process with all its threads, and let it go on after a time. */
static void
pause_process(uint64_t ns)
{
	const pid_t self = getpid();
	pid_t pid = fork();
	int status;

	if (!pid) {
		kill(self, SIGSTOP);
		sleep_ns(ns);
		kill(self, SIGCONT);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

/* Reports wait in the kernel's buffer, some thousands of them. */
START_TEST(paused_reader_loses_nothing)
{
	struct drmperf_session *session = fenced(TEST_OA);
	union drmperf_value before[4], after[4];

	start(session);
	read_values(session, before);
	pause_process(500 * MS);
	read_values(session, after);
	check_relations(after);
	ck_assert_uint_ge(after[0].u64, before[0].u64 + 500 * MS);
	drmperf_session_destroy(session);
}
END_TEST

/* Counts are gone: every read says so, and a new start is good again. */
static void
check_refused(struct drmperf_session *session, int code, const char *cause,
	      const char *remedy)
{
	union drmperf_value values[4];

	check_error(drmperf_session_read(session, values, NULL, &error), code,
		    cause, remedy);
	ck_assert_int_lt(drmperf_session_read(session, values, NULL, &error),
			 0);
	ck_assert_int_lt(drmperf_session_stop(session, &error), 0);
}

static void
check_recovered(struct drmperf_session *session)
{
	union drmperf_value values[4];

	start(session);
	sleep_ns(5 * MS);
	read_values(session, values);
	check_relations(values);
	ck_assert_uint_ge(values[0].u64, 5 * MS);
	ck_assert_int_eq(drmperf_session_stop(session, &error), 0);
}

START_TEST(overflow_is_told)
{
	struct drmperf_session *session = fenced(TEST_OA);

	start(session);
	sleep_ns(5 * MS);
	ck_assert_int_eq(drmsim_set("oa-overflow", "1"), 0);
	sleep_ns(20 * MS);
	check_refused(session, -EIO, "overflowed", "start it again");
	check_recovered(session);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(stream_that_ends_is_told)
{
	struct drmperf_session *session = fenced(TEST_OA);

	start(session);
	sleep_ns(5 * MS);
	ck_assert_int_eq(drmsim_set("oa-end", "1"), 0);
	sleep_ns(20 * MS);
	check_refused(session, -EIO, "ended", "start");
	check_recovered(session);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(silence_is_told)
{
	struct drmperf_session *session = fenced(TEST_OA);

	start(session);
	sleep_ns(5 * MS);
	ck_assert_int_eq(drmsim_set("oa-stall", "1"), 0);
	check_refused(session, -ETIME, "no OA reports", "kernel's log");
	/* The read that hung in the kernel has been ended: the unit is free. */
	check_recovered(session);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(reset_is_survived)
{
	struct drmperf_session *session = fenced(TEST_OA);

	start(session);
	sleep_ns(5 * MS);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	check_refused(session, -ETIME, "no OA reports", "kernel's log");
	check_recovered(session);
	drmperf_session_destroy(session);
}
END_TEST

/* A pause longer than counters can be trusted over, without a report. */
START_TEST(long_gap_is_told)
{
	struct drmperf_session *session =
		open_session(TEST_OA, DRMPERF_READ_LATEST, NULL, NULL);
	union drmperf_value values[4];
	int ret;

	start(session);
	ck_assert_int_eq(drmsim_set("oa-stall", "1"), 0);
	sleep_ns(1000 * MS);
	ck_assert_int_eq(drmsim_set("oa-stall", "0"), 0);
	/* until the thread has seen it */
	do {
		sleep_ns(MS);
		ret = drmperf_session_read(session, values, NULL, &error);
	} while (!ret);
	check_error(ret, -EIO, "wrapped", "start it again");
	drmperf_session_destroy(session);
}
END_TEST

/* Each with a set that no test before has loaded. */
static const struct {
	const char *fault, *event;
	int code;
	const char *cause, *remedy;
} faults[] = {
	{ "perf_open:1:EBUSY", TIME, -EBUSY, "in use", "end programs" },
	{ "perf_open:1:EINVAL", TIME, -ENOTSUP, "RenderBasic",
	  "update the kernel" },
	{ "perf_open:1:ENODEV", TIME, -ENOTSUP, "no OA support", "" },
	{ "perf_open:1:ENOMEM", TIME, -ENOMEM, "RenderBasic", "" },
	{ "perf_add_config:1:EINVAL", "i915::L3_1.GpuTime", -ENOTSUP, "L3_1",
	  "update the kernel" },
	{ "perf_add_config:1:EACCES", "i915::L3_2.GpuTime", -EACCES, "L3_2",
	  "perf_stream_paranoid=0" },
	{ "perf_add_config:1:ENOMEM", "i915::L3_3.GpuTime", -ENOMEM, "L3_3",
	  "" },
	{ "i915_perf_ioctl:1:EIO", TIME, -EIO, "ended", "start" },
	{ "i915_perf_read:1:EIO", TIME, -EIO, "ended", "start" },
	{ "i915_perf_read:1:ENODEV", TIME, -ENODEV, "gone", "" },
};

START_TEST(refusal_is_explained)
{
	struct drmperf_session *session = fenced(NAMES(faults[_i].event));

	ck_assert_int_eq(drmsim_fault(faults[_i].fault), 0);
	check_error(drmperf_session_start(session, &error), faults[_i].code,
		    faults[_i].cause, faults[_i].remedy);
	/* The kernel is as it was: the next start succeeds. */
	start(session);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(unplugged_gpu_is_told)
{
	struct drmperf_session *session = fenced(TEST_OA);

	start(session);
	ck_assert_int_eq(drmsim_set("gone", "on"), 0);
	check_refused(session, -ENODEV, "gone", "");
	check_error(drmperf_session_start(session, &error), -ENODEV, "gone",
		    "");
	ck_assert_int_eq(drmsim_set("gone", "off"), 0);
	check_recovered(session);
	drmperf_session_destroy(session);
}
END_TEST

/* Where the timestamp register does not help, a fence takes a bit longer. */
START_TEST(register_may_be_absent)
{
	struct drmperf_session *session = fenced(TEST_OA);
	union drmperf_value values[4];

	ck_assert_int_eq(drmsim_fault("reg_read:1+:EINVAL"), 0);
	start(session);
	for (unsigned i = 0; i < 20; i++) {
		sleep_ns(3 * MS);
		read_values(session, values);
		check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 3 * MS);
	}
	drmperf_session_destroy(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Metric sets in the kernel                                            */

static bool
is_loaded(const char *guid)
{
	char path[256];

	snprintf(path, sizeof(path), METRICS "/%s/id", guid);
	return !access(path, R_OK);
}

START_TEST(set_is_loaded_once)
{
	struct drmperf_session *session = fenced(NAMES(TIME));
	uint64_t first, second;

	start(session);
	ck_assert(is_loaded(RENDER_BASIC));
	drmperf_session_stop(session, &error);
	drmsim_calls("perf_add_config", &first);
	start(session);
	drmsim_calls("perf_add_config", &second);
	ck_assert_uint_eq(first, second);
	drmperf_session_destroy(session);
}
END_TEST

/* Somebody has loaded other registers under the GUID of a set. */
START_TEST(foreign_registers_are_not_trusted)
{
	uint32_t pairs[] = { 0x9840, 0x80, 0x9888, 0x1 };
	const struct i915_config config = { .mux = { pairs, 2 } };
	struct drmperf_session *session = fenced(NAMES(TIME));
	int fd = open(NODE, O_RDWR | O_CLOEXEC);
	uint64_t before, after;

	ck_assert_int_gt(i915_config_add(fd, RENDER_BASIC, &config), 0);
	drmsim_calls("perf_add_config", &before);
	start(session);
	drmsim_calls("perf_add_config", &after);
	ck_assert_uint_eq(after, before + 1);
	drmperf_session_stop(session, &error);
	/* The one of our own is found again. */
	start(session);
	drmsim_calls("perf_add_config", &after);
	ck_assert_uint_eq(after, before + 1);
	drmperf_session_destroy(session);
	close(fd);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Without privileges                                                   */

START_TEST(loading_needs_privileges)
{
	struct drmperf_session *session = fenced(NAMES(TIME));

	check_error(drmperf_session_start(session, &error), -EACCES,
		    "RenderBasic", "perf_stream_paranoid=0");
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(slow_rate_is_kept_to)
{
	struct drmperf_session *session = fenced(NAMES(TIME, AGE));
	union drmperf_value values[2];
	uint64_t periods;

	start(session);
	read_values(session, values);
	/* (2 << 12) ticks of 12 MHz are the first period within 2000 Hz. */
	periods = (values[0].u64 + 1) * 12 / 1000 / 8192;
	ck_assert_uint_ge(periods, 1);
	ck_assert_uint_eq(values[0].u64, periods * 8192 * 1000 / 12);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(too_slow_rate_is_refused)
{
	struct drmperf_session *session = fenced(NAMES(TIME));

	check_error(drmperf_session_start(session, &error), -EACCES,
		    "oa_max_sample_rate", "oa_max_sample_rate");
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(kernel_without_oa_is_told)
{
	struct drmperf_device *device = drmperf_device_at(drmperf, 0);

	ck_assert_ptr_nonnull(device);
	drmperf_device_open(device, &error);
	check_error(drmperf_device_status(device, &error) ?: error.code,
		    -ENOTSUP, "no OA support", "Linux");
}
END_TEST

START_TEST(node_without_permission_is_told)
{
	struct drmperf_device *device = drmperf_device_at(drmperf, 0);

	ck_assert_ptr_nonnull(device);
	drmperf_device_open(device, &error);
	check_error(drmperf_device_status(device, &error) ?: error.code,
		    -EACCES, NODE, "group");
}
END_TEST

/* ------------------------------------------------------------------ */
/* Beside another vendor                                                */

START_TEST(two_vendors_in_one_session)
{
	struct drmperf_session *session =
		fenced(NAMES("amdgpu::GRBM.COUNT:device=1",
			     "i915::RenderBasic.GpuCoreClocks:device=0"));
	union drmperf_value first[2], second[2];

	ck_assert_uint_eq(drmperf_device_count(drmperf), 2);
	start(session);
	sleep_ns(5 * MS);
	read_values(session, first);
	sleep_ns(5 * MS);
	read_values(session, second);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_uint_gt(second[i].u64, first[i].u64);
	drmperf_session_destroy(session);
}
END_TEST

/* ------------------------------------------------------------------ */

static TCase *
add_case(Suite *suite)
{
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	suite_add_tcase(suite, tcase);
	return tcase;
}

static Suite *
whole_suite(void)
{
	Suite *suite = suite_create("i915");
	TCase *tcase = add_case(suite);

	tcase_add_test(tcase, counts_go_on_and_stop);
	tcase_add_test(tcase, session_starts_again_from_zero);
	tcase_add_test(tcase, reset_moves_the_base_line);
	tcase_add_test(tcase, fenced_read_is_fresh);
	tcase_add_test(tcase, latest_read_does_not_wait);
	tcase_add_test(tcase, any_set_follows_the_others);
	tcase_add_test(tcase, two_sets_fit_no_pass);
	tcase_add_test(tcase, sessions_of_one_set_share);
	tcase_add_test(tcase, another_set_is_refused_meanwhile);
	tcase_add_test(tcase, another_process_is_refused);
	tcase_add_test(tcase, child_does_not_disturb);
	tcase_add_test(tcase, records_are_shown);
	tcase_add_test(tcase, lost_reports_cost_nothing);
	tcase_add_test(tcase, context_switches_cost_nothing);
	tcase_add_test(tcase, paused_reader_loses_nothing);
	tcase_add_test(tcase, overflow_is_told);
	tcase_add_test(tcase, stream_that_ends_is_told);
	tcase_add_test(tcase, silence_is_told);
	tcase_add_test(tcase, reset_is_survived);
	tcase_add_test(tcase, unplugged_gpu_is_told);
	tcase_add_test(tcase, long_gap_is_told);
	tcase_add_test(tcase, register_may_be_absent);
	tcase_add_test(tcase, set_is_loaded_once);
	return suite;
}

static Suite *
fault_suite(void)
{
	Suite *suite = suite_create("i915_fault");

	tcase_add_loop_test(add_case(suite), refusal_is_explained, 0,
			    ARRAY_SIZE(faults));
	return suite;
}

static Suite *
one_test_suite(const char *name, const TTest *test)
{
	Suite *suite = suite_create(name);

	tcase_add_test(add_case(suite), test);
	return suite;
}

static const struct machine machines[] = {
	{ (const char *const[]){ "--gpu", "skl", NULL }, "i915" },
	{ (const char *const[]){ "--gpu", "skl,kernel=6.1", NULL }, "i915" },
	{ (const char *const[]){ "--gpu", "skl", NULL }, "i915_fault" },
	{ (const char *const[]){ "--gpu", "skl", NULL }, "i915_foreign" },
	{ (const char *const[]){ "--gpu", "skl", "--unprivileged", NULL },
	  "i915_unprivileged" },
	{ (const char *const[]){
		  "--gpu", "skl,perf-stream-paranoid=0,oa-max-sample-rate=2000",
		  "--unprivileged", NULL },
	  "i915_slow" },
	{ (const char *const[]){
		  "--gpu", "skl,perf-stream-paranoid=0,oa-max-sample-rate=1",
		  "--unprivileged", NULL },
	  "i915_too_slow" },
	{ (const char *const[]){ "--gpu", "skl,oa-support=0", NULL },
	  "i915_without_oa" },
	{ (const char *const[]){ "--gpu", "skl,node-mode=0000", NULL },
	  "i915_denied" },
	{ (const char *const[]){ "--gpu", "tgl", "--gpu", "vega10", NULL },
	  "i915_and_amdgpu" },
};

int
main(void)
{
	SRunner *runner;

	if (!drmsim_is_present())
		return below_drmsim_in_time(machines, ARRAY_SIZE(machines));
	runner = srunner_create(whole_suite());
	srunner_add_suite(runner, fault_suite());
	srunner_add_suite(runner,
			  one_test_suite("i915_foreign",
					 foreign_registers_are_not_trusted));
	srunner_add_suite(runner, one_test_suite("i915_unprivileged",
						 loading_needs_privileges));
	srunner_add_suite(runner,
			  one_test_suite("i915_slow", slow_rate_is_kept_to));
	srunner_add_suite(runner, one_test_suite("i915_too_slow",
						 too_slow_rate_is_refused));
	srunner_add_suite(runner, one_test_suite("i915_without_oa",
						 kernel_without_oa_is_told));
	srunner_add_suite(
		runner,
		one_test_suite("i915_denied", node_without_permission_is_told));
	srunner_add_suite(runner, one_test_suite("i915_and_amdgpu",
						 two_vendors_in_one_session));
	return suites_run(runner);
}
