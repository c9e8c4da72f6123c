/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The errors that a program gets when something is in the way of Intel's
 * counters, on simulated GPUs in real time; and that they count again
 * afterwards.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/oa/timed.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define NODE "/dev/dri/renderD128"

/* ------------------------------------------------------------------ */
/* While counting                                                       */

/* Counts are gone: every read says so, and a new start is good again. */
static void
check_refused(struct drmperf_session *session, int code, const char *cause,
	      const char *remedy)
{
	union drmperf_value values[4];

	counting_failed(drmperf_session_read(session, values, NULL, NULL,
					     &counting.error),
			code, cause, remedy);
	ck_assert_int_lt(drmperf_session_read(session, values, NULL, NULL,
					      &counting.error),
			 0);
	ck_assert_int_lt(drmperf_session_stop(session, &counting.error), 0);
}

static void
check_recovered(struct drmperf_session *session)
{
	union drmperf_value values[4];

	counting_run(session);
	timed_sleep(5 * MS);
	counting_read(session, values);
	timed_check_relations(values);
	ck_assert_uint_ge(values[0].u64, 5 * MS);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
}

/* How long the machine has slept, as this program is made to see it. */
static _Atomic time_t slept_s;

/* Replace libc's. */
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

#define I915 1
#define XE 2
#define BOTH (I915 | XE)

/* What happens to the stream of reports, and how it is reported. */
static const struct {
	unsigned drivers;
	const char *setting, *value;
	void (*happen)(void); /* without a setting */
	unsigned wait_ms; /* until it has happened */
	int code;
	const char *cause, *remedy;
} ends[] = {
	{ BOTH, "oa-overflow", "1", NULL, 20, -EIO, "overflowed",
	  "start again" },
	{ I915, "oa-end", "1", NULL, 20, -EIO, "ended", "start" },
	{ XE, "oa-status", "4", NULL, 20, -EIO, "overflowed",
	  "start again" },
	/* the read that hung in the kernel has been ended: the unit is free */
	{ BOTH, "oa-stall", "1", NULL, 0, -ETIME, "no OA reports",
	  "kernel's log" },
	/* xe does not tell */
	{ I915, NULL, NULL, reset_gpu, 0, -ECANCELED, "was reset",
	  "start again" },
	{ BOTH, NULL, NULL, sleep_machine, 0, -EIO, "has slept",
	  "start again" },
};

static bool
is_concerned(unsigned drivers)
{
	return drivers & (strcmp(timed_of->driver, "xe") ? I915 : XE);
}

TEST_CASE(told, timed_set_up, timed_tear_down, "i915_told", "xe_told",
	  "xe_pvc_told");

TEST_LOOP(told, end_of_reports_is_told, ARRAY_SIZE(ends))
{
	struct drmperf_session *session;

	if (!is_concerned(ends[_i].drivers))
		return;
	session = timed_fenced(TEST_NAMES);
	counting_run(session);
	timed_sleep(5 * MS);
	if (ends[_i].setting)
		scene_set(ends[_i].setting, ends[_i].value);
	else
		ends[_i].happen();
	timed_sleep(ends[_i].wait_ms * MS);
	check_refused(session, ends[_i].code, ends[_i].cause, ends[_i].remedy);
	check_recovered(session);
	drmperf_session_destroy(session);
}

TEST_CASE(wraps, timed_set_up, timed_tear_down, "i915_told", "xe_pvc_told");

/* A pause longer than counters can be trusted over, without a report. */
TEST(wraps, long_gap_is_told)
{
	struct drmperf_session *session = timed_latest(TEST_NAMES);
	union drmperf_value values[4];
	int ret;

	counting_run(session);
	scene_set("oa-stall", "1");
	timed_sleep(1000 * MS);
	scene_set("oa-stall", "0");
	/* until the thread has seen it */
	do {
		timed_sleep(MS);
		ret = drmperf_session_read(session, values, NULL, NULL,
					   &counting.error);
	} while (!ret);
	counting_failed(ret, -EIO, "wrapped", "start again");
	drmperf_session_destroy(session);
}

/*
 * Which of the loaded sets it is, but for those with which no test before has
 * counted.
 */
static const struct {
	unsigned drivers;
	const char *fault, *event; /* NULL: of a set that is loaded */
	int code;
	const char *cause, *remedy;
} faults[] = {
	{ I915, "perf_open:1:EBUSY", NULL, -EBUSY, "in use", "end programs" },
	{ I915, "perf_open:1:EINVAL", NULL, -ENOTSUP, "RenderBasic",
	  "update the kernel" },
	{ I915, "perf_open:1:ENODEV", NULL, -ENOTSUP, "no OA support", "" },
	{ I915, "perf_open:1:ENOMEM", NULL, -ENOMEM, "RenderBasic", "" },
	{ I915, "perf_add_config:1:EINVAL", "i915::L3_1.GpuTime", -ENOTSUP,
	  "L3_1", "update the kernel" },
	{ I915, "perf_add_config:1:EACCES", "i915::L3_2.GpuTime", -EACCES,
	  "L3_2", "perf_stream_paranoid=0" },
	{ I915, "perf_add_config:1:ENOMEM", "i915::L3_3.GpuTime", -ENOMEM,
	  "L3_3", "" },
	{ I915, "i915_perf_ioctl:1:EIO", NULL, -EIO, "ended", "start" },
	{ I915, "i915_perf_read:1:EIO", NULL, -EIO, "ended", "start" },
	{ I915, "i915_perf_read:1:ENODEV", NULL, -ENODEV, "gone", "" },
	{ XE, "observation:1:EBUSY", NULL, -EBUSY, "in use", "end programs" },
	{ XE, "observation:1:EINVAL", NULL, -ENOTSUP, "RenderBasic",
	  "update the kernel" },
	{ XE, "observation:1:ENODEV", NULL, -ENODEV, "gone", "" },
	{ XE, "observation:1:EINVAL", "xe::VectorEngineProfile.GpuTime",
	  -ENOTSUP, "VectorEngineProfile", "update the kernel" },
	{ XE, "observation:1:EACCES", "xe::VectorEngineStalls.GpuTime", -EACCES,
	  "VectorEngineStalls", "observation_paranoid=0" },
	{ XE, "observation:1:ENOMEM", "xe::ComputeBasic.GpuTime", -ENOMEM,
	  "ComputeBasic", "" },
	/* the first takes what an earlier run has left */
	{ XE, "xe_oa_read:2:ENODEV", NULL, -ENODEV, "gone", "" },
};

/* Load a set, which is in the kernel from then on. */
static void
load_set(struct drmperf_session *session)
{
	counting_run(session);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
}

TEST_CASE(fault, timed_set_up, timed_tear_down, "i915_fault", "xe_fault");

TEST_LOOP(fault, refusal_is_explained, ARRAY_SIZE(faults))
{
	const char *event = faults[_i].event;
	struct drmperf_session *session;

	if (!is_concerned(faults[_i].drivers))
		return;
	session = timed_fenced(NAMES(event ? event : TIME));
	/* who shares tries again */
	setenv("DRMPERF_SHARE", "0", 1);
	if (!event)
		load_set(session);
	/* ... as who has just closed its own, for a moment */
	timed_sleep(150 * MS);
	scene_fault(faults[_i].fault);
	counting_failed(drmperf_session_start(session, &counting.error),
			faults[_i].code, faults[_i].cause, faults[_i].remedy);
	/* The kernel is as it was: the next start succeeds. */
	counting_run(session);
	unsetenv("DRMPERF_SHARE");
	drmperf_session_destroy(session);
}

/* Where the kernel has no memory for a large buffer, a smaller one does. */
TEST(fault, smaller_buffer_counts)
{
	struct drmperf_session *session;

	if (!is_concerned(XE))
		return;
	session = timed_fenced(NAMES(TIME));
	setenv("DRMPERF_SHARE", "0", 1);
	load_set(session);
	timed_sleep(150 * MS);
	scene_fault("observation:1:ENOMEM");
	counting_run(session);
	unsetenv("DRMPERF_SHARE");
	drmperf_session_destroy(session);
}

/* A rank of MPI hears what ranks can do. */
TEST(fault, refusal_of_a_rank)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));
	char fault[40];

	setenv("PMI_RANK", "2", 1);
	setenv("DRMPERF_SHARE", "0", 1);
	load_set(session);
	timed_sleep(150 * MS);
	snprintf(fault, sizeof(fault), "%s:1:EBUSY", timed_of->open);
	scene_fault(fault);
	counting_failed(drmperf_session_start(session, &counting.error), -EBUSY,
			"in use", ":device=");
	unsetenv("PMI_RANK");
	unsetenv("DRMPERF_SHARE");
	drmperf_session_destroy(session);
}

/*
 * The first that hears of an unplugged GPU may be the look for resets, which
 * finds none: that is no reset.
 */
TEST(told, unplugged_gpu_is_not_taken_for_a_reset_one)
{
	struct drmperf_session *session;

	if (!is_concerned(I915))
		return;
	session = timed_fenced(TEST_NAMES);
	counting_run(session);
	scene_fault("get_reset_stats:1:ENODEV");
	check_refused(session, -ENODEV, "gone", "");
	check_recovered(session);
	drmperf_session_destroy(session);
}

TEST(told, unplugged_gpu_is_told)
{
	struct drmperf_session *session = timed_fenced(TEST_NAMES);

	counting_run(session);
	scene_set("gone", "on");
	check_refused(session, -ENODEV, "gone", "");
	counting_failed(drmperf_session_start(session, &counting.error),
			-ENODEV, "gone", "");
	scene_set("gone", "off");
	check_recovered(session);
	/* and unnoticed, while nothing was read */
	counting_run(session);
	scene_set("gone", "on");
	scene_set("gone", "off");
	check_refused(session, -ENODEV, "gone", "");
	check_recovered(session);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Machines without                                                    */

TEST_CASE(unprivileged, timed_set_up, timed_tear_down, "i915_unprivileged",
	  "xe_unprivileged", "xe_pvc_unprivileged");

TEST(unprivileged, loading_needs_privileges)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));

	counting_failed(drmperf_session_start(session, &counting.error),
			-EACCES, timed_of->set,
			is_concerned(XE) ? "observation_paranoid=0"
					 : "perf_stream_paranoid=0");
	drmperf_session_destroy(session);
}

TEST_CASE(too_slow, timed_set_up, timed_tear_down, "i915_too_slow");

TEST(too_slow, too_slow_rate_is_refused)
{
	struct drmperf_session *session = timed_fenced(NAMES(TIME));

	counting_failed(drmperf_session_start(session, &counting.error),
			-EACCES, "oa_max_sample_rate", "oa_max_sample_rate");
	drmperf_session_destroy(session);
}

TEST_CASE(media, timed_set_up, timed_tear_down, "i915_media");

/* Only that one of the two units of the media engines is missing. */
TEST(media, media_engines_without_oa_are_told)
{
	struct drmperf_session *session =
		timed_fenced(NAMES("i915::MediaSet2.GpuTime"));

	counting_failed(drmperf_session_start(session, &counting.error),
			-ENOTSUP, "MediaSet2", "C6");
	drmperf_session_destroy(session);
	session = timed_fenced(NAMES(TIME));
	counting_run(session);
	drmperf_session_destroy(session);
}

TEST_CASE(without_oa, timed_set_up, timed_tear_down, "i915_without_oa",
	  "xe_without_oa");

TEST(without_oa, kernel_without_oa_is_told)
{
	struct drmperf_device *device = drmperf_device_at(counting.drmperf, 0);

	ck_assert_ptr_nonnull(device);
	drmperf_device_open(device, &counting.error);
	counting_failed(drmperf_device_status(device, &counting.error)
				?: counting.error.code,
			-ENOTSUP,
			is_concerned(XE) ? "does not offer OA"
					 : "no OA support",
			"Linux");
}

TEST_CASE(denied, timed_set_up, timed_tear_down, "i915_denied", "xe_denied");

TEST(denied, node_without_permission_is_told)
{
	struct drmperf_device *device = drmperf_device_at(counting.drmperf, 0);

	ck_assert_ptr_nonnull(device);
	drmperf_device_open(device, &counting.error);
	counting_failed(drmperf_device_status(device, &counting.error)
				?: counting.error.code,
			-EACCES, NODE, "group");
}

TEST_MACHINE("i915_told", "--gpu", "skl");
TEST_MACHINE("i915_told", "--gpu", "skl,kernel=6.1");
TEST_MACHINE("i915_fault", "--gpu", "skl");
TEST_MACHINE("i915_unprivileged", "--gpu", "skl", "--unprivileged");
TEST_MACHINE("i915_too_slow", "--gpu",
	     "skl,perf-stream-paranoid=0,oa-max-sample-rate=1",
	     "--unprivileged");
TEST_MACHINE("i915_media", "--gpu", "mtl,media-c6=1");
TEST_MACHINE("i915_without_oa", "--gpu", "skl,oa-support=0");
TEST_MACHINE("i915_denied", "--gpu", "skl,node-mode=0000");
TEST_MACHINE("xe_told", "--gpu", "bmg");
TEST_MACHINE("xe_told", "--gpu", "lnl");
TEST_MACHINE("xe_pvc_told", "--gpu", "pvc");
TEST_MACHINE("xe_fault", "--gpu", "bmg");
TEST_MACHINE("xe_unprivileged", "--gpu", "lnl", "--unprivileged");
TEST_MACHINE("xe_pvc_unprivileged", "--gpu", "pvc", "--unprivileged");
TEST_MACHINE("xe_without_oa", "--gpu", "bmg", "--fault",
	     "device_query:1+:EINVAL");
TEST_MACHINE("xe_denied", "--gpu", "bmg,node-mode=0000");

TEST_MACHINE_OPTION(in_time, true);
TEST_OPTION(begin, timed_choose);
