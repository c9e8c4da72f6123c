/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel counters through the public interface, on simulated GPUs under i915 and
 * xe in real time: what a program may rely on. That the numbers are exact is
 * the matter of test_i915_exact; the errors when something is in the way,
 * that of test_oa_mishaps.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/i915/kernel.h"
#include "drmperf.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/oa/timed.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define HEADER 8

#define NODE "/dev/dri/renderD128"
#define METRICS "/sys/class/drm/card0/metrics"

/* RenderBasic of sklgt2 */
#define RENDER_BASIC "07b25942-d9fd-4fce-bd58-e29abd66b7de"

/* ------------------------------------------------------------------ */
/* What holds                                                           */

#define CLOCKS (timed_of->clocks)
#define BUSY (timed_of->busy)

TEST_CASE(all, timed_set_up, timed_tear_down, "i915", "xe", "xe_pvc");

TEST(all, counts_go_on_and_stop)
{
	struct drmperf_session *session =
		timed_fenced(NAMES(TIME, CLOCKS, BUSY));
	union drmperf_value first[3], second[3], last[3], again[3];
	uint64_t begin = timed_now();

	counting_run(session);
	counting_read(session, first);
	timed_sleep(20 * MS);
	counting_read(session, second);
	ck_assert_uint_ge(second[0].u64, first[0].u64 + 20 * MS);
	ck_assert_uint_gt(second[1].u64, first[1].u64);
	ck_assert_double_eq_tol(second[2].f64, 100, 1e-9);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	ck_assert_uint_le(second[0].u64, timed_now() - begin);
	counting_read(session, last);
	timed_sleep(5 * MS);
	counting_read(session, again);
	ck_assert_mem_eq(last, again, sizeof(last));
	ck_assert_uint_ge(last[0].u64, second[0].u64);
	drmperf_session_destroy(session);
}

TEST(all, session_starts_again_from_zero)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));
	union drmperf_value value;

	for (unsigned i = 0; i < 3; i++) {
		uint64_t begin = timed_now();

		counting_run(session);
		timed_sleep(10 * MS);
		counting_read(session, &value);
		ck_assert_uint_ge(value.u64, 10 * MS);
		ck_assert_uint_le(value.u64, timed_now() - begin);
		counting_succeeded(
			drmperf_session_stop(session, &counting.error));
	}
	drmperf_session_destroy(session);
}

TEST(all, reset_moves_the_base_line)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));
	union drmperf_value before, after;
	uint64_t begin;

	counting_run(session);
	timed_sleep(30 * MS);
	counting_read(session, &before);
	begin = timed_now();
	counting_succeeded(drmperf_session_reset(session, &counting.error));
	counting_read(session, &after);
	ck_assert_uint_le(after.u64, timed_now() - begin);
	drmperf_session_destroy(session);
}

/*
 * The report is younger than the call. How long the call takes is for a
 * benchmark to say: a busy machine takes as long as it likes.
 */
TEST(all, fenced_read_is_fresh)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME, AGE));
	uint64_t begin, end, taken;
	union drmperf_value values[2];

	counting_run(session);
	for (size_t i = 0; i < 101; i++) {
		if (i % 4 == 3)
			timed_sleep(3 * MS);
		begin = timed_now();
		counting_succeeded(drmperf_session_read(
			session, values, NULL, &taken, &counting.error));
		end = timed_now();
		ck_assert_uint_ge(taken, begin);
		ck_assert_uint_le(taken, end);
		ck_assert_uint_le(values[1].u64, end - begin);
	}
	drmperf_session_destroy(session);
}

TEST(all, latest_read_does_not_wait)
{
	struct drmperf_session *session = timed_latest(NAMES(TIME, AGE));
	union drmperf_value values[2];
	uint64_t before, after, begin, last = 0;

	counting_run(session);
	timed_sleep(20 * MS);
	before = scene_calls(timed_of->read);
	begin = timed_now();
	for (unsigned i = 0; i < 1000; i++) {
		counting_read(session, values);
		ck_assert_uint_ge(values[0].u64, last);
		last = values[0].u64;
	}
	after = scene_calls(timed_of->read);
	/* What is read then is the thread's, at its own pace. */
	ck_assert_uint_le(after - before,
			  50 + 4 * ((timed_now() - begin) / MS));
	/* ... which brings a later report in the end */
	do {
		timed_sleep(MS);
		counting_read(session, values);
	} while (values[0].u64 == last);
	ck_assert_uint_gt(values[0].u64, last);
	drmperf_session_destroy(session);
}

/* An event of any set goes where the other events are. */
TEST(all, any_set_follows_the_others)
{
	char time[32], clocks[32], age[32];
	struct drmperf_session *session;
	union drmperf_value values[4];
	uint64_t begin, due;

	snprintf(time, sizeof(time), "%s::oa.GpuTime", timed_of->driver);
	snprintf(clocks, sizeof(clocks), "%s::oa.GpuCoreClocks",
		 timed_of->driver);
	snprintf(age, sizeof(age), "%s::oa.ReportAge", timed_of->driver);
	session = timed_fenced(NAMES(time, timed_of->other, clocks, age));
	counting_run(session);
	timed_sleep(5 * MS);
	begin = timed_now();
	counting_read(session, values);
	due = values[2].u64 * timed_of->ratios[0].numerator /
	      timed_of->ratios[0].denominator;
	ck_assert_uint_le(values[1].u64, due + 1);
	ck_assert_uint_ge(values[1].u64 + 1, due);
	ck_assert_uint_le(values[3].u64, timed_now() - begin);
	drmperf_session_destroy(session);
}

TEST(all, two_sets_fit_no_pass)
{
	struct drmperf_selection selections[2];
	struct drmperf_session *session = NULL;

	drmperf_event_find(counting.drmperf, BUSY, &selections[0],
			   &counting.error);
	drmperf_event_find(counting.drmperf, timed_of->other, &selections[1],
			   &counting.error);
	ck_assert_int_eq(drmperf_session_create(counting.drmperf, selections, 2,
						NULL, &session,
						&counting.error),
			 -ENOSPC);
	ck_assert_ptr_null(session);
}

/* ------------------------------------------------------------------ */
/* Sharing                                                              */

TEST(all, sessions_of_one_set_share)
{
	struct drmperf_session *first = timed_fenced(NAMES(TIME));
	struct drmperf_session *second = timed_fenced(NAMES(CLOCKS, TIME));
	union drmperf_value one, two[2];
	uint64_t before, after;

	counting_run(first);
	before = scene_calls(timed_of->open);
	timed_sleep(30 * MS);
	counting_run(second);
	after = scene_calls(timed_of->open);
	ck_assert_uint_eq(after, before);
	timed_sleep(10 * MS);
	counting_read(second, two);
	counting_read(first, &one);
	ck_assert_uint_ge(one.u64, two[1].u64 + 30 * MS);
	ck_assert_uint_ge(two[1].u64, 10 * MS);
	counting_succeeded(drmperf_session_stop(first, &counting.error));
	timed_sleep(10 * MS);
	counting_read(second, two);
	ck_assert_uint_ge(two[1].u64, 20 * MS);
	drmperf_session_destroy(first);
	drmperf_session_destroy(second);
}

TEST(all, another_set_is_refused_meanwhile)
{
	struct drmperf_session *first = timed_fenced(NAMES(TIME));
	struct drmperf_session *second = timed_fenced(NAMES(timed_of->other));

	counting_run(first);
	counting_failed(drmperf_session_start(second, &counting.error), -EBUSY,
			timed_of->set, "stop counting it");
	counting_succeeded(drmperf_session_stop(first, &counting.error));
	counting_run(second);
	drmperf_session_destroy(first);
	drmperf_session_destroy(second);
}

/* Run in a child; what it returns is its status. */
static void
in_child(int (*run)(void *data), void *data)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		child_end(run(data));
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
	setenv("DRMPERF_SHARE", "0", 1);
	if (drmperf_create(NULL, &mine, &counting.error) ||
	    drmperf_event_find(mine, TIME, &selection, &counting.error) ||
	    drmperf_session_create(mine, &selection, 1, NULL, &session,
				   &counting.error))
		return 1;
	if (drmperf_session_start(session, &counting.error) != -EBUSY)
		return 2;
	if (!strstr(counting.error.cause, "in use"))
		return 3;
	drmperf_session_destroy(session);
	drmperf_destroy(mine);
	return 0;
}

TEST(all, another_process_is_refused)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));
	union drmperf_value value;

	counting_run(session);
	in_child(try_to_count, NULL);
	counting_read(session, &value);
	drmperf_session_destroy(session);
}

static int
use_inherited(void *data)
{
	struct drmperf_session *session = data;
	union drmperf_value value;

	if (drmperf_session_read(session, &value, NULL, NULL,
				 &counting.error) != -ECHILD)
		return 1;
	if (drmperf_session_stop(session, &counting.error) != -ECHILD)
		return 2;
	drmperf_session_destroy(session);
	drmperf_destroy(counting.drmperf);
	return 0;
}

TEST(all, child_does_not_disturb)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));
	union drmperf_value before, after;

	counting_run(session);
	counting_read(session, &before);
	in_child(use_inherited, session);
	timed_sleep(10 * MS);
	counting_read(session, &after);
	ck_assert_uint_ge(after.u64, before.u64 + 10 * MS);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Records                                                              */

struct records {
	atomic_uint samples, others;
	atomic_bool odd;
};

/*
 * Take a record behind headers. Types 2 and 3 report lost reports; records that
 * the library adds have the time at which a report was taken.
 */
static void
take_record(void *data, struct drmperf_device *device, const void *record,
	    size_t size)
{
	struct records *records = data;
	uint32_t type;

	memcpy(&type, record, sizeof(type));
	if (type == 1)
		atomic_fetch_add(&records->samples, 1);
	else if (type <= 3)
		atomic_fetch_add(&records->others, 1);
	if (!device || (type == 1 && size != HEADER + timed_of->report_size))
		atomic_store(&records->odd, true);
}

TEST(all, records_are_shown)
{
	struct records records = { 0 };
	const struct drmperf_session_options options = {
		.size = sizeof(options),
		.read = DRMPERF_READ_FENCED,
		.raw = take_record,
		.raw_data = &records,
	};
	struct drmperf_session *session =
		counting_session_with(NAMES(TIME), &options);
	union drmperf_value value;

	counting_run(session);
	timed_sleep(20 * MS);
	scene_set("oa-lose", "3");
	timed_sleep(20 * MS);
	counting_read(session, &value);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	/* three were dropped */
	ck_assert_uint_ge(records.samples, value.u64 / timed_of->period_ns - 3);
	/* told once, or once more if they were not dropped between two reads */
	ck_assert_uint_gt(records.others, 0);
	ck_assert_uint_le(records.others, 3);
	ck_assert(!records.odd);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* What costs nothing                                                   */

TEST(all, lost_reports_cost_nothing)
{
	struct drmperf_session *session = timed_fenced(TEST_NAMES);
	union drmperf_value values[4];
	uint64_t begin = timed_now();

	counting_run(session);
	for (unsigned i = 0; i < 10; i++) {
		scene_set(i % 2 ? "oa-hole" : "oa-lose", "20");
		timed_sleep(5 * MS);
		counting_read(session, values);
		timed_check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 5 * MS);
		ck_assert_uint_le(values[0].u64, timed_now() - begin);
	}
	drmperf_session_destroy(session);
}

TEST_CASE(clocks, timed_set_up, timed_tear_down, "i915", "xe");

TEST(clocks, context_switches_cost_nothing)
{
	struct drmperf_session *session = timed_fenced(TEST_NAMES);
	union drmperf_value values[4];

	/* five switches in a millisecond */
	scene_set("contexts", "0x21:300us,0x22:200us,idle:100us");
	counting_run(session);
	for (unsigned i = 0; i < 5; i++) {
		timed_sleep(40 * MS);
		counting_read(session, values);
		timed_check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 40 * MS);
	}
	drmperf_session_destroy(session);
}

/* Stop this process with all its threads, and let it go on after a time. */
static void
pause_process(uint64_t ns)
{
	const pid_t self = getpid();
	pid_t pid = fork();

	if (!pid) {
		kill(self, SIGSTOP);
		timed_sleep(ns);
		kill(self, SIGCONT);
		child_end(EXIT_SUCCESS);
	}
	child_join(pid);
}

/* Reports wait in the kernel's buffer, some thousands of them. */
TEST(all, paused_reader_loses_nothing)
{
	struct drmperf_session *session = timed_fenced(TEST_NAMES);
	union drmperf_value before[4], after[4];

	counting_run(session);
	counting_read(session, before);
	pause_process(500 * MS);
	counting_read(session, after);
	timed_check_relations(after);
	ck_assert_uint_ge(after[0].u64, before[0].u64 + 500 * MS);
	drmperf_session_destroy(session);
}

TEST_CASE(last, timed_set_up, timed_tear_down, "i915", "xe", "xe_pvc");

/* Where no timestamp tells what is fresh, a fence takes a bit longer. */
TEST(last, timestamp_may_be_absent)
{
	struct drmperf_session *session = timed_fenced(TEST_NAMES);
	union drmperf_value values[4];

	scene_fault(timed_of->fault_of_clock);
	counting_run(session);
	for (unsigned i = 0; i < 20; i++) {
		timed_sleep(3 * MS);
		counting_read(session, values);
		timed_check_relations(values);
		ck_assert_uint_ge(values[0].u64, (i + 1) * 3 * MS);
	}
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Metric sets in the kernel                                            */

static bool
is_loaded(const char *guid)
{
	char path[256];

	snprintf(path, sizeof(path), METRICS "/%s/id", guid);
	return !access(path, R_OK);
}

/* With xe a call of the same kind opens the stream. */
TEST(all, set_is_loaded_once)
{
	const bool opens = !strcmp(timed_of->load, timed_of->open);
	struct drmperf_session *session = timed_fenced(NAMES(TIME));
	uint64_t first, second;

	counting_run(session);
	drmperf_session_stop(session, &counting.error);
	first = scene_calls(timed_of->load);
	counting_run(session);
	second = scene_calls(timed_of->load);
	ck_assert_uint_eq(first + opens, second);
	drmperf_session_destroy(session);
}

TEST_CASE(sets, timed_set_up, timed_tear_down, "i915_sets");

/* Another program has loaded other registers under the GUID of a set. */
TEST(sets, foreign_registers_are_not_trusted)
{
	uint32_t pairs[] = { 0x9840, 0x80, 0x9888, 0x1 };
	const struct oa_config config = { .mux = { pairs, 2 } };
	struct drmperf_session *session = timed_fenced(NAMES(TIME));
	int fd = open(NODE, O_RDWR | O_CLOEXEC);
	uint64_t before, after;

	ck_assert_int_gt(i915_config_add(fd, RENDER_BASIC, &config), 0);
	before = scene_calls("perf_add_config");
	counting_run(session);
	after = scene_calls("perf_add_config");
	ck_assert_uint_eq(after, before + 1);
	drmperf_session_stop(session, &counting.error);
	/* The one of our own is found again. */
	counting_run(session);
	after = scene_calls("perf_add_config");
	ck_assert_uint_eq(after, before + 1);
	drmperf_session_destroy(session);
	close(fd);
}

TEST(sets, set_has_its_guid)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));

	counting_run(session);
	ck_assert(is_loaded(RENDER_BASIC));
	drmperf_session_destroy(session);
}

TEST_CASE(slow, timed_set_up, timed_tear_down, "i915_slow");

TEST(slow, slow_rate_is_kept_to)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME, AGE));
	union drmperf_value values[2];
	uint64_t periods;

	counting_run(session);
	counting_read(session, values);
	/* (2 << 12) ticks of 12 MHz are the first period within 2000 Hz. */
	periods = (values[0].u64 + 1) * 12 / 1000 / 8192;
	ck_assert_uint_ge(periods, 1);
	ck_assert_uint_eq(values[0].u64, periods * 8192 * 1000 / 12);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Beside another vendor                                                */

TEST_CASE(vendors, timed_set_up, timed_tear_down, "i915_and_amdgpu",
	  "xe_and_amdgpu");

TEST(vendors, two_vendors_in_one_session)
{
	struct drmperf_session *session =
		timed_fenced(NAMES("amdgpu::GRBM.COUNT", CLOCKS));
	union drmperf_value first[2], second[2];

	ck_assert_uint_eq(drmperf_device_count(counting.drmperf), 2);
	counting_run(session);
	timed_sleep(5 * MS);
	counting_read(session, first);
	timed_sleep(5 * MS);
	counting_read(session, second);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_uint_gt(second[i].u64, first[i].u64);
	drmperf_session_destroy(session);
}

TEST_MACHINE("i915", "--gpu", "skl");
TEST_MACHINE("i915", "--gpu", "skl,kernel=6.1");
TEST_MACHINE("xe", "--gpu", "lnl");
TEST_MACHINE("xe", "--gpu", "bmg");
TEST_MACHINE("xe_pvc", "--gpu", "pvc");
TEST_MACHINE("i915_sets", "--gpu", "skl");
TEST_MACHINE("i915_slow", "--gpu",
	     "skl,perf-stream-paranoid=0,oa-max-sample-rate=2000",
	     "--unprivileged");
TEST_MACHINE("i915_and_amdgpu", "--gpu", "tgl", "--gpu", "vega10");
TEST_MACHINE("xe_and_amdgpu", "--gpu", "bmg", "--gpu", "vega10");

TEST_MACHINE_OPTION(in_time, true);
TEST_OPTION(begin, timed_choose);
