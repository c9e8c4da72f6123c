/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time as the OA unit has it: clocks that go on while the GPU is idle, reports
 * that come late, clocks that agree with no other, a reader who is away.
 */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/oa/timed.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

TEST_CASE(clocks, timed_set_up, timed_tear_down, "i915_clocks", "xe_clocks",
	  "xe_pvc_clocks");

/* A fourth of the time something runs; the clock does not stop then. */
TEST(clocks, idle_gpu_has_a_clock)
{
	struct drmperf_session *session =
		timed_fenced(NAMES(timed_of->busy, timed_of->frequency));
	union drmperf_value values[2];

	scene_set("contexts", "0x20:1ms,idle:3ms");
	counting_run(session);
	timed_sleep(60 * MS);
	counting_read(session, values);
	ck_assert_double_gt(values[0].f64, 19);
	ck_assert_double_lt(values[0].f64, 31);
	ck_assert_uint_ge(values[1].u64, timed_of->clock_hz - 1000);
	ck_assert_uint_le(values[1].u64, timed_of->clock_hz + 1000);
	drmperf_session_destroy(session);
}

TEST(clocks, late_reports_cost_nothing)
{
	struct drmperf_session *session = timed_fenced(TEST_NAMES);
	union drmperf_value values[4];

	counting_run(session);
	scene_set("oa-late", "100");
	for (unsigned i = 0; i < 5; i++) {
		timed_sleep(5 * MS);
		counting_read(session, values);
		timed_check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 5 * MS);
		ck_assert_uint_lt(values[0].u64, 100000 * MS);
	}
	drmperf_session_destroy(session);
}

/*
 * The OA clock is faster than the engines', by a two-hundredth. After a while
 * that is known, and a read has everything again that was before it.
 */
TEST(clocks, clock_may_drift)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));
	uint64_t started, elapsed = 0;
	union drmperf_value value;

	scene_set("oa-clock-drift", "5000");
	counting_run(session);
	started = timed_now();
	for (unsigned i = 0; i < 100 || elapsed < 600 * MS; i++) {
		timed_sleep(5 * MS);
		elapsed = timed_now() - started;
		counting_read(session, &value);
		if (i > 60 && elapsed > 400 * MS)
			ck_assert_uint_ge(value.u64 + 1000,
					  elapsed + elapsed / 200);
	}
	drmperf_session_destroy(session);
	scene_set("oa-clock-drift", "0");
}

/* ... or have begun at another time. */
TEST(clocks, clock_may_have_another_origin)
{
	struct drmperf_session *session;
	union drmperf_value values[4];

	scene_set("oa-clock-offset", "123456789");
	session = timed_fenced(TEST_NAMES);
	counting_run(session);
	for (unsigned i = 0; i < 5; i++) {
		timed_sleep(5 * MS);
		counting_read(session, values);
		timed_check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 5 * MS);
	}
	drmperf_session_destroy(session);
	scene_set("oa-clock-offset", "0");
}

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
	child_join(pid);
}

TEST_CASE(absence, timed_set_up, timed_tear_down, "i915_absence", "xe_absence");

/* Where reads do not wait, the kernel's buffer holds so much. */
TEST(absence, absent_reader_loses_nothing)
{
	struct drmperf_session *session = timed_latest(TEST_NAMES);
	union drmperf_value values[4];

	counting_run(session);
	be_away(30000 * MS);
	do {
		timed_sleep(MS);
		counting_read(session, values);
	} while (values[0].u64 < 29999 * MS);
	timed_check_relations(values);
	drmperf_session_destroy(session);
}

TEST_CASE(stopped, timed_set_up, timed_tear_down, "xe_stopped");

/*
 * Where reads wait, a counter that may wrap wants reports more often. Those of
 * xe never wrap: in a large buffer, or in one of the size of older kernels.
 */
TEST(stopped, stopped_reader_loses_nothing)
{
	static const char *const sizes[] = { "on", "off" };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct drmperf_session *session;
		union drmperf_value values[4];

		scene_set("oa-buffer-sizes", sizes[i]);
		counting_end();
		counting_begin();
		session = timed_fenced(TEST_NAMES);
		counting_run(session);
		be_away(11000 * MS);
		counting_read(session, values);
		ck_assert_uint_ge(values[0].u64, 11000 * MS);
		timed_check_relations(values);
		drmperf_session_destroy(session);
	}
	scene_set("oa-buffer-sizes", "on");
}

TEST_MACHINE("i915_clocks", "--gpu", "skl");
TEST_GPUS("i915_absence", "skl");
TEST_MACHINE("xe_clocks", "--gpu", "bmg");
TEST_GPUS("xe_absence", "bmg");
TEST_GPUS("xe_stopped", "bmg");
TEST_MACHINE("xe_pvc_clocks", "--gpu", "pvc");

TEST_MACHINE_OPTION(in_time, true);
TEST_OPTION(begin, timed_choose);
