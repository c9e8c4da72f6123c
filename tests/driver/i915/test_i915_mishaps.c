/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program is told when something is in the way of Intel's counters, on
 * simulated GPUs in real time; and that they count again afterwards.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/driver/i915/timed.h"
#include "tests/scene.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define NODE "/dev/dri/renderD128"

/* ------------------------------------------------------------------ */
/* While counting                                                       */

/* Counts are gone: every read says so, and a new start is good again. */
static void
check_refused(struct drmperf_session *session, int code, const char *cause,
	      const char *remedy)
{
	union drmperf_value values[4];

	counting_failed(
		&timed,
		drmperf_session_read(session, values, NULL, &timed.error), code,
		cause, remedy);
	ck_assert_int_lt(
		drmperf_session_read(session, values, NULL, &timed.error), 0);
	ck_assert_int_lt(drmperf_session_stop(session, &timed.error), 0);
}

static void
check_recovered(struct drmperf_session *session)
{
	union drmperf_value values[4];

	counting_run(&timed, session);
	timed_sleep(5 * MS);
	counting_read(&timed, session, values);
	timed_check_relations(values);
	ck_assert_uint_ge(values[0].u64, 5 * MS);
	ck_assert_int_eq(drmperf_session_stop(session, &timed.error), 0);
}

/* How long the machine has slept, as this program is made to see it. */
static _Atomic time_t slept_s;

/* In place of libc's. */
int
clock_gettime(clockid_t clock, struct timespec *now)
{
	int ret = (int)syscall(SYS_clock_gettime, clock, now);

	if (clock == CLOCK_BOOTTIME)
		now->tv_sec += slept_s;
	return ret;
}

static void
reset_gpu(void)
{
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
}

static void
sleep_machine(void)
{
	slept_s += 60;
}

/* What happens to the stream of reports, and what is told of it. */
static const struct {
	const char *setting;
	void (*happen)(void); /* without a setting */
	unsigned wait_ms; /* until it has happened */
	int code;
	const char *cause, *remedy;
} ends[] = {
	{ "oa-overflow", NULL, 20, -EIO, "overflowed", "start it again" },
	{ "oa-end", NULL, 20, -EIO, "ended", "start" },
	/* the read that hung in the kernel has been ended: the unit is free */
	{ "oa-stall", NULL, 0, -ETIME, "no OA reports", "kernel's log" },
	{ NULL, reset_gpu, 0, -ECANCELED, "was reset", "start it again" },
	{ NULL, sleep_machine, 0, -EIO, "has slept", "start it again" },
};

START_TEST(end_of_reports_is_told)
{
	struct drmperf_session *session = timed_fenced(TEST_OA);

	counting_run(&timed, session);
	timed_sleep(5 * MS);
	if (ends[_i].setting)
		scene_set(ends[_i].setting, "1");
	else
		ends[_i].happen();
	timed_sleep(ends[_i].wait_ms * MS);
	check_refused(session, ends[_i].code, ends[_i].cause, ends[_i].remedy);
	check_recovered(session);
	drmperf_session_destroy(session);
}
END_TEST

/* A pause longer than counters can be trusted over, without a report. */
START_TEST(long_gap_is_told)
{
	struct drmperf_session *session = timed_latest(TEST_OA);
	union drmperf_value values[4];
	int ret;

	counting_run(&timed, session);
	scene_set("oa-stall", "1");
	timed_sleep(1000 * MS);
	scene_set("oa-stall", "0");
	/* until the thread has seen it */
	do {
		timed_sleep(MS);
		ret = drmperf_session_read(session, values, NULL, &timed.error);
	} while (!ret);
	counting_failed(&timed, ret, -EIO, "wrapped", "start it again");
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
	struct drmperf_session *session = timed_fenced(NAMES(faults[_i].event));

	/* who shares tries again */
	setenv("DRMPERF_SHARE", "0", 1);
	scene_fault(faults[_i].fault);
	counting_failed(&timed, drmperf_session_start(session, &timed.error),
			faults[_i].code, faults[_i].cause, faults[_i].remedy);
	/* The kernel is as it was: the next start succeeds. */
	counting_run(&timed, session);
	unsetenv("DRMPERF_SHARE");
	drmperf_session_destroy(session);
}
END_TEST

/* A rank of MPI hears what ranks can do. */
START_TEST(refusal_of_a_rank)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));

	setenv("PMI_RANK", "2", 1);
	setenv("DRMPERF_SHARE", "0", 1);
	scene_fault("perf_open:1:EBUSY");
	counting_failed(&timed, drmperf_session_start(session, &timed.error),
			-EBUSY, "in use", ":device=");
	unsetenv("PMI_RANK");
	unsetenv("DRMPERF_SHARE");
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(unplugged_gpu_is_told)
{
	struct drmperf_session *session = timed_fenced(TEST_OA);

	counting_run(&timed, session);
	scene_set("gone", "on");
	check_refused(session, -ENODEV, "gone", "");
	counting_failed(&timed, drmperf_session_start(session, &timed.error),
			-ENODEV, "gone", "");
	scene_set("gone", "off");
	check_recovered(session);
	drmperf_session_destroy(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* Machines without                                                    */

START_TEST(loading_needs_privileges)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));

	counting_failed(&timed, drmperf_session_start(session, &timed.error),
			-EACCES, "RenderBasic", "perf_stream_paranoid=0");
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(too_slow_rate_is_refused)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));

	counting_failed(&timed, drmperf_session_start(session, &timed.error),
			-EACCES, "oa_max_sample_rate", "oa_max_sample_rate");
	drmperf_session_destroy(session);
}
END_TEST

/* Of the two units only that of the media engines is missing. */
START_TEST(media_engines_without_oa_are_told)
{
	struct drmperf_session *session =
		timed_fenced(NAMES("i915::MediaSet2.GpuTime"));

	counting_failed(&timed, drmperf_session_start(session, &timed.error),
			-ENOTSUP, "MediaSet2", "C6");
	drmperf_session_destroy(session);
	session = timed_fenced(NAMES(TIME));
	counting_run(&timed, session);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(kernel_without_oa_is_told)
{
	struct drmperf_device *device = drmperf_device_at(timed.drmperf, 0);

	ck_assert_ptr_nonnull(device);
	drmperf_device_open(device, &timed.error);
	counting_failed(&timed,
			drmperf_device_status(device, &timed.error)
				?: timed.error.code,
			-ENOTSUP, "no OA support", "Linux");
}
END_TEST

START_TEST(node_without_permission_is_told)
{
	struct drmperf_device *device = drmperf_device_at(timed.drmperf, 0);

	ck_assert_ptr_nonnull(device);
	drmperf_device_open(device, &timed.error);
	counting_failed(&timed,
			drmperf_device_status(device, &timed.error)
				?: timed.error.code,
			-EACCES, NODE, "group");
}
END_TEST

static Suite *
told_suite(void)
{
	Suite *suite = suite_create("i915_told");
	TCase *tcase = timed_case(suite);

	tcase_add_loop_test(tcase, end_of_reports_is_told, 0, ARRAY_SIZE(ends));
	tcase_add_test(tcase, unplugged_gpu_is_told);
	tcase_add_test(tcase, long_gap_is_told);
	return suite;
}

static Suite *
fault_suite(void)
{
	Suite *suite = suite_create("i915_fault");

	tcase_add_loop_test(timed_case(suite), refusal_is_explained, 0,
			    ARRAY_SIZE(faults));
	tcase_add_test(timed_case(suite), refusal_of_a_rank);
	return suite;
}

static const struct machine machines[] = {
	{ (const char *const[]){ "--gpu", "skl", NULL }, "i915_told" },
	{ (const char *const[]){ "--gpu", "skl,kernel=6.1", NULL },
	  "i915_told" },
	{ (const char *const[]){ "--gpu", "skl", NULL }, "i915_fault" },
	{ (const char *const[]){ "--gpu", "skl", "--unprivileged", NULL },
	  "i915_unprivileged" },
	{ (const char *const[]){
		  "--gpu", "skl,perf-stream-paranoid=0,oa-max-sample-rate=1",
		  "--unprivileged", NULL },
	  "i915_too_slow" },
	{ (const char *const[]){ "--gpu", "mtl,media-c6=1", NULL },
	  "i915_media" },
	{ (const char *const[]){ "--gpu", "skl,oa-support=0", NULL },
	  "i915_without_oa" },
	{ (const char *const[]){ "--gpu", "skl,node-mode=0000", NULL },
	  "i915_denied" },
};

int
main(void)
{
	SRunner *runner;

	if (!drmsim_is_present())
		return below_drmsim_in_time(machines, ARRAY_SIZE(machines));
	runner = srunner_create(told_suite());
	srunner_add_suite(runner, fault_suite());
	srunner_add_suite(runner, timed_suite("i915_unprivileged",
					      loading_needs_privileges));
	srunner_add_suite(
		runner, timed_suite("i915_too_slow", too_slow_rate_is_refused));
	srunner_add_suite(
		runner,
		timed_suite("i915_media", media_engines_without_oa_are_told));
	srunner_add_suite(runner, timed_suite("i915_without_oa",
					      kernel_without_oa_is_told));
	srunner_add_suite(runner, timed_suite("i915_denied",
					      node_without_permission_is_told));
	return suites_run(runner);
}
