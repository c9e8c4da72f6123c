/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time as the OA unit has it: clocks that go on while the GPU is idle, reports
 * that come late, clocks that agree with no other, a reader who is away.
 */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/oa/timed.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* A fourth of the time something runs; the clock does not stop then. */
START_TEST(idle_gpu_has_a_clock)
{
	struct drmperf_session *session =
		timed_fenced(NAMES(timed_of->busy, timed_of->frequency));
	union drmperf_value values[2];

	scene_set("contexts", "0x20:1ms,idle:3ms");
	counting_run(&timed, session);
	timed_sleep(60 * MS);
	counting_read(&timed, session, values);
	ck_assert_double_gt(values[0].f64, 19);
	ck_assert_double_lt(values[0].f64, 31);
	ck_assert_uint_ge(values[1].u64, timed_of->clock_hz - 1000);
	ck_assert_uint_le(values[1].u64, timed_of->clock_hz + 1000);
	drmperf_session_destroy(session);
}
END_TEST

START_TEST(late_reports_cost_nothing)
{
	struct drmperf_session *session = timed_fenced(TEST);
	union drmperf_value values[4];

	counting_run(&timed, session);
	scene_set("oa-late", "100");
	for (unsigned i = 0; i < 5; i++) {
		timed_sleep(5 * MS);
		counting_read(&timed, session, values);
		timed_check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 5 * MS);
		ck_assert_uint_lt(values[0].u64, 100000 * MS);
	}
	drmperf_session_destroy(session);
}
END_TEST

/*
 * The OA clock is faster than the engines', by a two-hundredth. After a while
 * that is known, and a read has everything again that was before it.
 */
START_TEST(clock_may_drift)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));
	uint64_t started, elapsed = 0;
	union drmperf_value value;

	scene_set("oa-clock-drift", "5000");
	counting_run(&timed, session);
	started = timed_now();
	for (unsigned i = 0; i < 100 || elapsed < 600 * MS; i++) {
		timed_sleep(5 * MS);
		elapsed = timed_now() - started;
		counting_read(&timed, session, &value);
		if (i > 60 && elapsed > 400 * MS)
			ck_assert_uint_ge(value.u64 + 1000,
					  elapsed + elapsed / 200);
	}
	drmperf_session_destroy(session);
	scene_set("oa-clock-drift", "0");
}
END_TEST

/* ... or have begun at another time. */
START_TEST(clock_may_have_another_origin)
{
	struct drmperf_session *session;
	union drmperf_value values[4];

	scene_set("oa-clock-offset", "123456789");
	session = timed_fenced(TEST);
	counting_run(&timed, session);
	for (unsigned i = 0; i < 5; i++) {
		timed_sleep(5 * MS);
		counting_read(&timed, session, values);
		timed_check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 5 * MS);
	}
	drmperf_session_destroy(session);
	scene_set("oa-clock-offset", "0");
}
END_TEST

/* Let half a minute pass for the GPU while this process is stopped. */
static void
be_away(uint64_t ns)
{
	const pid_t self = getpid();
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		kill(self, SIGSTOP);
		status = drmsim_advance(ns);
		kill(self, SIGCONT);
		child_end(status ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

/* Where reads do not wait, the kernel's buffer holds so much. */
START_TEST(absent_reader_loses_nothing)
{
	struct drmperf_session *session = timed_latest(TEST);
	union drmperf_value values[4];

	counting_run(&timed, session);
	be_away(30000 * MS);
	do {
		timed_sleep(MS);
		counting_read(&timed, session, values);
	} while (values[0].u64 < 29999 * MS);
	timed_check_relations(values);
	drmperf_session_destroy(session);
}
END_TEST

/*
 * Where reads wait, a counter that may wrap wants reports more often. Those of
 * xe never wrap: in a large buffer, or in one of the size of older kernels.
 */
START_TEST(stopped_reader_loses_nothing)
{
	static const char *const sizes[] = { "on", "off" };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct drmperf_session *session;
		union drmperf_value values[4];

		scene_set("oa-buffer-sizes", sizes[i]);
		counting_end(&timed);
		counting_begin(&timed);
		session = timed_fenced(TEST);
		counting_run(&timed, session);
		be_away(11000 * MS);
		counting_read(&timed, session, values);
		ck_assert_uint_ge(values[0].u64, 11000 * MS);
		timed_check_relations(values);
		drmperf_session_destroy(session);
	}
	scene_set("oa-buffer-sizes", "on");
}
END_TEST

static Suite *
clocks_suite(const char *name)
{
	Suite *suite = suite_create(name);
	TCase *tcase = timed_case(suite);

	tcase_add_test(tcase, idle_gpu_has_a_clock);
	tcase_add_test(tcase, late_reports_cost_nothing);
	tcase_add_test(tcase, clock_may_drift);
	tcase_add_test(tcase, clock_may_have_another_origin);
	return suite;
}

static const struct machine machines[] = {
	{ (const char *const[]){ "--gpu", "skl", NULL }, "i915_clocks" },
	{ (const char *const[]){ "--gpu", "skl", "--time", "virtual", NULL },
	  "i915_absence" },
	{ (const char *const[]){ "--gpu", "bmg", NULL }, "xe_clocks" },
	{ (const char *const[]){ "--gpu", "bmg", "--time", "virtual", NULL },
	  "xe_absence" },
	{ (const char *const[]){ "--gpu", "bmg", "--time", "virtual", NULL },
	  "xe_stopped" },
	{ (const char *const[]){ "--gpu", "pvc", NULL }, "xe_pvc_clocks" },
};

int
main(void)
{
	SRunner *runner;

	if (!drmsim_is_present())
		return below_drmsim_in_time(machines, ARRAY_SIZE(machines));
	timed_choose();
	runner = srunner_create(clocks_suite("i915_clocks"));
	srunner_add_suite(runner, clocks_suite("xe_clocks"));
	srunner_add_suite(runner, clocks_suite("xe_pvc_clocks"));
	srunner_add_suite(runner, timed_suite("i915_absence",
					      absent_reader_loses_nothing));
	srunner_add_suite(runner, timed_suite("xe_absence",
					      absent_reader_loses_nothing));
	srunner_add_suite(runner, timed_suite("xe_stopped",
					      stopped_reader_loses_nothing));
	return suites_run(runner);
}
