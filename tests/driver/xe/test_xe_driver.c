/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of GPUs under xe through the public interface, on simulated GPUs in
 * real time: what holds, and what is told when something is in the way.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/below_drmsim.h"
#include "tests/driver/i915/timed.h"
#include "tests/scene.h"
#include "tests/suite.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define NODE "/dev/dri/renderD128"

#define XE_TIME "xe::RenderBasic.GpuTime"
#define XE_AGE "xe::RenderBasic.ReportAge"

/* The test events count clocks, once in each XeCore. */
#define XE_TEST                                                                \
	NAMES("xe::TestOa.GpuTime", "xe::TestOa.GpuCoreClocks",                \
	      "xe::TestOa.TEST_EVENT1_CYCLES",                                 \
	      "xe::TestOa.TEST_EVENT1_CYCLES_XECORE0")

static void
check_test_events(const union drmperf_value values[4])
{
	ck_assert_uint_gt(values[1].u64, 0);
	ck_assert_uint_eq(values[3].u64, values[1].u64);
	ck_assert_uint_eq(values[2].u64 % values[1].u64, 0);
	ck_assert_uint_ge(values[2].u64, 2 * values[1].u64);
}

/* ------------------------------------------------------------------ */
/* What holds                                                           */

START_TEST(counts)
{
	struct drmperf_session *session = timed_fenced(XE_TEST);
	union drmperf_value first[4], second[4], last[4], again[4];

	for (unsigned i = 0; i < 2; i++) {
		uint64_t begin = timed_now();

		counting_run(&timed, session);
		counting_read(&timed, session, first);
		timed_sleep(20 * MS);
		counting_read(&timed, session, second);
		ck_assert_uint_ge(second[0].u64, first[0].u64 + 20 * MS);
		ck_assert_uint_le(second[0].u64, timed_now() - begin);
		check_test_events(second);
		ck_assert_int_eq(drmperf_session_stop(session, &timed.error),
				 0);
		counting_read(&timed, session, last);
		timed_sleep(5 * MS);
		counting_read(&timed, session, again);
		ck_assert_mem_eq(last, again, sizeof(last));
		check_test_events(last);
	}
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(fenced_read_is_fresh)
{
	struct drmperf_session *session = timed_fenced(NAMES(XE_TIME, XE_AGE));
	union drmperf_value values[2];
	uint64_t begin, end, taken;

	counting_run(&timed, session);
	for (size_t i = 0; i < 41; i++) {
		if (i % 4 == 3)
			timed_sleep(3 * MS);
		begin = timed_now();
		ck_assert_int_eq(drmperf_session_read(session, values, &taken,
						      &timed.error),
				 0);
		end = timed_now();
		ck_assert_uint_ge(taken, begin);
		ck_assert_uint_le(taken, end);
		ck_assert_uint_le(values[1].u64, end - begin);
	}
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(latest_read_reads_nothing)
{
	struct drmperf_session *session = timed_latest(NAMES(XE_TIME));
	uint64_t before, begin, last = 0;
	union drmperf_value value;

	counting_run(&timed, session);
	before = scene_calls("xe_oa_read");
	begin = timed_now();
	for (unsigned i = 0; i < 1000; i++) {
		counting_read(&timed, session, &value);
		ck_assert_uint_ge(value.u64, last);
		last = value.u64;
	}
	/* What is read meanwhile is the thread's, at its own pace. */
	ck_assert_uint_le(scene_calls("xe_oa_read") - before,
			  50 + 4 * ((timed_now() - begin) / MS));
	/* ... which brings a later report in the end */
	do {
		timed_sleep(MS);
		counting_read(&timed, session, &value);
	} while (value.u64 == last);
	ck_assert_uint_gt(value.u64, last);
	drmperf_session_destroy(session);
}
END_TEST

/* An event of any set goes where the other events are. */
START_TEST(any_set_follows_the_others)
{
	struct drmperf_session *session =
		timed_fenced(NAMES("xe::oa.GpuBusy", "xe::TestOa.TEST_EVENT1"));
	union drmperf_value values[2];

	counting_run(&timed, session);
	timed_sleep(5 * MS);
	counting_read(&timed, session, values);
	ck_assert_double_eq_tol(values[0].f64, 100, 1e-9);
	ck_assert_double_eq_tol(values[1].f64, 100, 1e-9);
	drmperf_session_destroy(session);
}
END_TEST

/*
 * A set that counts events of one stage of shaders leaves that in registers
 * which RenderBasic's list does not have.
 */
static uint64_t
issued_per_clock(void)
{
	struct drmperf_session *session =
		timed_fenced(NAMES("xe::RenderBasic.GpuCoreClocks",
				   "xe::RenderBasic.XVE_INST_ISSUED_ALL"));
	union drmperf_value values[2];

	counting_run(&timed, session);
	timed_sleep(5 * MS);
	counting_read(&timed, session, values);
	ck_assert_uint_gt(values[0].u64, 0);
	drmperf_session_destroy(session);
	return values[1].u64 * 1000 / values[0].u64;
}

START_TEST(stages_of_the_last_set_are_undone)
{
	struct drmperf_session *session = timed_fenced(
		NAMES("xe::XvePipelineRasterizationProfile.GpuTime"));
	uint64_t before = issued_per_clock();

	ck_assert_uint_gt(before, 0);
	counting_run(&timed, session);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(issued_per_clock(), before);
}
END_TEST

/* Every set of the GPU can be opened, and time goes on. */
START_TEST(every_set)
{
	struct drmperf_device *device = drmperf_device_at(timed.drmperf, 0);
	unsigned sets = 0;
	size_t count;

	ck_assert(!drmperf_device_open(device, &timed.error));
	count = drmperf_event_count(device);
	for (size_t i = 0; i < count; i++) {
		const char *name =
			drmperf_event_name(drmperf_event_at(device, i));
		struct drmperf_selection selection;
		struct drmperf_session *session;
		union drmperf_value value;

		ck_assert_msg(!drmperf_event_find(timed.drmperf, name,
						  &selection, &timed.error),
			      "%s: %s", name, timed.error.cause);
		if (!strstr(name, ".GpuTime") || strstr(name, "::oa"))
			continue;
		session = timed_fenced(NAMES(name));
		counting_run(&timed, session);
		timed_sleep(MS);
		counting_read(&timed, session, &value);
		ck_assert_msg(value.u64 >= MS, "%s", name);
		drmperf_session_destroy(session);
		sets++;
	}
	/* as many as the table of the GPU has */
	ck_assert_uint_eq(sets, 14);
}
END_TEST

/* A set has the raw counters that its unit's reports have. */
START_TEST(raw_counters_of_a_set)
{
	struct drmperf_selection selection;

	ck_assert_int_eq(drmperf_event_find(timed.drmperf,
					    "xe::RenderBasic.PEC40", &selection,
					    &timed.error),
			 0);
	ck_assert_int_eq(drmperf_event_find(timed.drmperf,
					    "xe::MediaSet1.PEC40", &selection,
					    &timed.error),
			 -ENOENT);
}
END_TEST

/* Units do not know of each other. */
START_TEST(media_beside_render)
{
	struct drmperf_session *session = timed_fenced(
		NAMES("xe::RenderBasic.GpuTime", "xe::MediaSet1.GpuTime",
		      "xe::MediaSet2.GpuTime"));
	union drmperf_value values[3];

	counting_run(&timed, session);
	timed_sleep(10 * MS);
	counting_read(&timed, session, values);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_ge(values[i].u64, 10 * MS);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(another_set_is_told)
{
	struct drmperf_session *session = timed_fenced(XE_TEST);
	struct drmperf_session *other = timed_fenced(NAMES(XE_TIME));
	union drmperf_value values[4];

	counting_run(&timed, session);
	counting_failed(&timed, drmperf_session_start(other, &timed.error),
			-EBUSY, "TestOa counts already", "that set");
	counting_read(&timed, session, values);
	check_test_events(values);
	drmperf_session_destroy(other);
	drmperf_session_destroy(session);
}
END_TEST

/*
 * The kernel has one stream for a unit, if it is not shared; a child does not
 * keep it.
 */
START_TEST(another_process_is_told)
{
	struct drmperf_session *session = timed_fenced(NAMES(XE_TIME));
	struct counting other;
	int status;
	pid_t child;

	counting_run(&timed, session);
	child = fork();
	if (!child) {
		setenv("DRMPERF_SHARE", "0", 1);
		counting_begin(&other);
		session = counting_session(&other, NAMES(XE_TIME));
		child_end(drmperf_session_start(session, &other.error) !=
				  -EBUSY ||
			  !strstr(other.error.cause, "in use"));
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	drmperf_session_destroy(session);
	session = timed_fenced(XE_TEST);
	counting_run(&timed, session);
	drmperf_session_destroy(session);
}
END_TEST

/* ------------------------------------------------------------------ */
/* The PMU                                                              */

START_TEST(pmu)
{
	struct drmperf_session *session = timed_fenced(NAMES(
		"xe::pmu.rcs0-busy", "xe::pmu.rcs0-active-ticks",
		"xe::pmu.rcs0-total-ticks", "xe::pmu.gt1-actual-frequency",
		"xe::pmu.gt-actual-frequency:gt=1"));
	union drmperf_value values[5];

	scene_set("engine-busy", "rcs0 25");
	counting_run(&timed, session);
	timed_sleep(20 * MS);
	counting_read(&timed, session, values);
	ck_assert_double_eq_tol(values[0].f64, 25, 0.5);
	ck_assert_double_eq_tol(
		values[0].f64,
		100 * (double)values[1].u64 / (double)values[2].u64, 1e-9);
	ck_assert_uint_gt(values[3].u64, 0);
	ck_assert_uint_eq(values[4].u64, values[3].u64);
	drmperf_session_destroy(session);
}
END_TEST

/* As utils/drmsim/gpus/bmg.gpu has them. */
START_TEST(sensors)
{
	static const uint64_t expected[] = { 400, 2850, 400, 1400 };
	struct drmperf_session *session = timed_fenced(
		NAMES("xe::sensor.rpn-freq-gt0", "xe::sensor.rp0-freq-gt0",
		      "xe::sensor.rpn-freq-gt1", "xe::sensor.rp0-freq-gt1",
		      "xe::sensor.idle-residency-gt1"));
	union drmperf_value values[5];

	counting_run(&timed, session);
	counting_read(&timed, session, values);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		ck_assert_uint_eq(values[i].u64, expected[i]);
	ck_assert_uint_eq(values[4].u64 % MS, 0);
	drmperf_session_destroy(session);
}
END_TEST

static const struct {
	const char *name;
	int code;
	const char *cause, *remedy;
} wrong[] = {
	{ "xe::pmu.gt-actual-frequency:gt=99", -EINVAL, "too large", ":gt=N" },
	{ "xe::pmu.gt-actual-frequency:tile=0", -EINVAL, "no list", ":gt=N" },
	{ "xe::pmu.nothing:gt=0", -ENOENT, "no event", "" },
	{ XE_TIME ":gt=0", -EINVAL, "only :device=", "its terms" },
	{ "xe::RenderBasic.GpuBsy", -ENOENT, "no event", "GpuBusy" },
};

START_TEST(wrong_name_is_told)
{
	struct drmperf_selection selection;

	counting_failed(&timed,
			drmperf_event_find(timed.drmperf, wrong[_i].name,
					   &selection, &timed.error),
			wrong[_i].code, wrong[_i].cause, wrong[_i].remedy);
}
END_TEST

/* ------------------------------------------------------------------ */
/* What is in the way                                                   */

/* An EIO is a message: what was lost costs nothing. */
static const struct {
	const char *setting, *value, *fault;
} mishaps[] = {
	{ "oa-lose", "3", NULL },
	{ "oa-hole", "1", NULL },
	{ "oa-status", "1", NULL },
	{ "oa-status", "8", NULL },
	{ NULL, NULL, "xe_oa_read:1:EIO" },
	{ NULL, NULL, "xe_oa_read:1:EINTR" },
};

START_TEST(mishap_costs_nothing)
{
	struct drmperf_session *session = timed_fenced(XE_TEST);
	union drmperf_value values[4];

	counting_run(&timed, session);
	if (mishaps[_i].setting)
		scene_set(mishaps[_i].setting, mishaps[_i].value);
	else
		scene_fault(mishaps[_i].fault);
	timed_sleep(20 * MS);
	counting_read(&timed, session, values);
	ck_assert_uint_ge(values[0].u64, 20 * MS);
	check_test_events(values);
	ck_assert_int_eq(drmperf_session_stop(session, &timed.error), 0);
	drmperf_session_destroy(session);
}
END_TEST

static const struct {
	const char *setting, *value;
	int code;
	const char *cause, *remedy;
} ends[] = {
	{ "oa-overflow", "1", -EIO, "overflowed", "start it again" },
	{ "oa-status", "4", -EIO, "overflowed", "start it again" },
	{ "oa-stall", "1", -ETIME, "no OA reports", "kernel's log" },
};

/* Every read says so; a new start has a new base line. */
START_TEST(end_of_reports_is_told)
{
	struct drmperf_session *session = timed_fenced(XE_TEST);
	union drmperf_value values[4];

	counting_run(&timed, session);
	timed_sleep(5 * MS);
	scene_set(ends[_i].setting, ends[_i].value);
	timed_sleep(20 * MS);
	counting_failed(
		&timed,
		drmperf_session_read(session, values, NULL, &timed.error),
		ends[_i].code, ends[_i].cause, ends[_i].remedy);
	ck_assert_int_lt(
		drmperf_session_read(session, values, NULL, &timed.error), 0);
	drmperf_session_stop(session, NULL);
	if (!strcmp(ends[_i].setting, "oa-stall"))
		goto end;
	counting_run(&timed, session);
	timed_sleep(5 * MS);
	counting_read(&timed, session, values);
	check_test_events(values);
	ck_assert_uint_ge(values[0].u64, 5 * MS);
	ck_assert_int_eq(drmperf_session_stop(session, &timed.error), 0);
end:
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(unprivileged_is_told)
{
	struct drmperf_session *session = timed_fenced(NAMES(XE_TIME));

	counting_failed(&timed, drmperf_session_start(session, &timed.error),
			-EACCES, "RenderBasic", "observation_paranoid=0");
	drmperf_session_destroy(session);
}
END_TEST

/* ------------------------------------------------------------------ */

static void
add_what_holds(TCase *tcase)
{
	tcase_add_test(tcase, counts);
	tcase_add_test(tcase, fenced_read_is_fresh);
	tcase_add_test(tcase, every_set);
	tcase_add_test(tcase, stages_of_the_last_set_are_undone);
}

static Suite *
whole_suite(void)
{
	Suite *suite = suite_create("xe_whole");
	TCase *tcase = timed_case(suite);

	add_what_holds(tcase);
	tcase_add_test(tcase, latest_read_reads_nothing);
	tcase_add_test(tcase, any_set_follows_the_others);
	tcase_add_test(tcase, raw_counters_of_a_set);
	tcase_add_test(tcase, media_beside_render);
	tcase_add_test(tcase, another_set_is_told);
	tcase_add_test(tcase, another_process_is_told);
	tcase_add_test(tcase, pmu);
	tcase_add_test(tcase, sensors);
	tcase_add_loop_test(tcase, wrong_name_is_told, 0, ARRAY_SIZE(wrong));
	tcase_add_loop_test(tcase, mishap_costs_nothing, 0,
			    ARRAY_SIZE(mishaps));
	tcase_add_loop_test(tcase, end_of_reports_is_told, 0, ARRAY_SIZE(ends));
	return suite;
}

static Suite *
part_suite(void)
{
	Suite *suite = suite_create("xe_part");

	add_what_holds(timed_case(suite));
	return suite;
}

static const struct machine machines[] = {
	{ (const char *const[]){ "--gpu", "bmg", NULL }, "xe_whole" },
	{ (const char *const[]){ "--gpu", "lnl", NULL }, "xe_part" },
	{ (const char *const[]){ "--gpu", "ptl", NULL }, "xe_part" },
	{ (const char *const[]){ "--gpu", "lnl", "--unprivileged", NULL },
	  "xe_unprivileged" },
};

int
main(void)
{
	SRunner *runner;

	if (!drmsim_is_present())
		return below_drmsim_in_time(machines, ARRAY_SIZE(machines));
	runner = srunner_create(whole_suite());
	srunner_add_suite(runner, part_suite());
	srunner_add_suite(runner,
			  timed_suite("xe_unprivileged", unprivileged_is_told));
	return suites_run(runner);
}
