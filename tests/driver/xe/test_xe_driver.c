/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What GPUs under xe have of their own, through the public interface, on
 * simulated ones in real time. What i915 has as well is the matter of
 * test_oa_sessions and test_oa_mishaps.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/xe/kernel.h"
#include "drmperf.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/oa/timed.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define NODE "/dev/dri/renderD128"

/* The test events count clocks, once in each XeCore. */
#define CORES                                                                  \
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

/*
 * Return how many instructions are issued in 1000 clocks. A set that counts
 * events of one stage of shaders leaves that in registers which RenderBasic's
 * list does not have.
 */
static uint64_t
issued_per_clock(void)
{
	struct drmperf_session *session =
		timed_fenced(NAMES("xe::RenderBasic.GpuCoreClocks",
				   "xe::RenderBasic.XVE_INST_ISSUED_ALL"));
	union drmperf_value values[2];

	counting_run(session);
	timed_sleep(5 * MS);
	counting_read(session, values);
	ck_assert_uint_gt(values[0].u64, 0);
	drmperf_session_destroy(session);
	return values[1].u64 * 1000 / values[0].u64;
}

TEST_CASE(xe, timed_set_up, timed_tear_down, "xe");

TEST(xe, stages_of_the_last_set_are_undone)
{
	struct drmperf_session *session = timed_fenced(
		NAMES("xe::XvePipelineRasterizationProfile.GpuTime"));
	uint64_t before = issued_per_clock();

	ck_assert_uint_gt(before, 0);
	counting_run(session);
	drmperf_session_destroy(session);
	ck_assert_uint_eq(issued_per_clock(), before);
}

/* A set has the raw counters that its unit's reports have. */
TEST(xe, raw_counters_of_a_set)
{
	struct drmperf_selection selection;

	selection = counting_find("xe::RenderBasic.PEC40");
	ck_assert_int_eq(drmperf_event_find(counting.drmperf,
					    "xe::MediaSet1.PEC40", &selection,
					    &counting.error),
			 -ENOENT);
}

/* Units do not know of each other. */
TEST(xe, media_beside_render)
{
	struct drmperf_session *session = timed_fenced(
		NAMES("xe::RenderBasic.GpuTime", "xe::MediaSet1.GpuTime",
		      "xe::MediaSet2.GpuTime"));
	union drmperf_value values[3];

	counting_run(session);
	timed_sleep(10 * MS);
	counting_read(session, values);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_ge(values[i].u64, 10 * MS);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* The PMU                                                              */

TEST(xe, events_of_the_pmu_count)
{
	struct drmperf_session *session = timed_fenced(NAMES(
		"xe::pmu.rcs0-busy", "xe::pmu.rcs0-active-ticks",
		"xe::pmu.rcs0-total-ticks", "xe::pmu.gt1-actual-frequency",
		"xe::pmu.gt-actual-frequency:gt=1"));
	union drmperf_value values[5];

	scene_set("engine-busy", "rcs0 25");
	counting_run(session);
	timed_sleep(20 * MS);
	counting_read(session, values);
	ck_assert_double_eq_tol(values[0].f64, 25, 0.5);
	ck_assert_double_eq_tol(
		values[0].f64,
		100 * (double)values[1].u64 / (double)values[2].u64, 1e-9);
	ck_assert_uint_gt(values[3].u64, 0);
	ck_assert_uint_eq(values[4].u64, values[3].u64);
	drmperf_session_destroy(session);
}

TEST_CASE(xe_tiles, timed_set_up, timed_tear_down, "xe_tiles");

/* OA counters tell of the first tile, and say so; the PMU of both. */
TEST(xe_tiles, oa_counts_one_tile_and_the_pmu_all)
{
	struct drmperf_device *device = drmperf_device_at(counting.drmperf, 0);
	struct drmperf_session *session = timed_fenced(
		NAMES("xe::ComputeBasic.GpuTime", "xe::pmu.ccs0-busy",
		      "xe::pmu.gt1-ccs0-busy", "xe::pmu.gt1-actual-frequency"));
	struct drmperf_selection selection;
	union drmperf_value values[4];

	scene_set("engine-busy", "ccs0 25");
	counting_run(session);
	timed_sleep(20 * MS);
	counting_read(session, values);
	ck_assert_uint_ge(values[0].u64, 20 * MS);
	ck_assert_double_eq_tol(values[1].f64, 25, 0.5);
	ck_assert_double_eq_tol(values[2].f64, 25, 0.5);
	ck_assert_uint_gt(values[3].u64, 0);
	drmperf_session_destroy(session);
	for (size_t i = 0; i < drmperf_group_count(device); i++) {
		const struct drmperf_group *group = drmperf_group_at(device, i);

		if (!strcmp(drmperf_group_name(group), "ComputeBasic"))
			ck_assert_ptr_nonnull(
				strstr(drmperf_group_description(group),
				       "first tile"));
	}
	/* what its files name is class 0, which is not there */
	ck_assert_int_eq(drmperf_event_find(counting.drmperf,
					    "xe::pmu.engine-active-ticks",
					    &selection, &counting.error),
			 -ENOENT);
}

/* Values as utils/drmsim/gpus/bmg.gpu has them. */
TEST(xe, sensors_have_the_simulators_values)
{
	static const uint64_t expected[] = { 400, 2850, 400, 1400 };
	struct drmperf_session *session = timed_fenced(
		NAMES("xe::sensor.rpn-freq-gt0", "xe::sensor.rp0-freq-gt0",
		      "xe::sensor.rpn-freq-gt1", "xe::sensor.rp0-freq-gt1",
		      "xe::sensor.idle-residency-gt1"));
	union drmperf_value values[5];

	counting_run(session);
	counting_read(session, values);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		ck_assert_uint_eq(values[i].u64, expected[i]);
	ck_assert_uint_eq(values[4].u64 % MS, 0);
	drmperf_session_destroy(session);
}

static const struct {
	const char *name;
	int code;
	const char *cause, *remedy;
} wrong[] = {
	{ "xe::pmu.gt-actual-frequency:gt=99", -EINVAL, "too large", ":gt=N" },
	{ "xe::pmu.gt-actual-frequency:tile=0", -EINVAL, "no list", ":gt=N" },
	{ "xe::pmu.nothing:gt=0", -ENOENT, "no event", "" },
	{ "xe::RenderBasic.GpuTime:gt=0", -EINVAL,
	  "only :device=", "its terms" },
	{ "xe::RenderBasic.GpuBsy", -ENOENT, "no event", "GpuBusy" },
};

TEST_LOOP(xe, wrong_name_is_told, ARRAY_SIZE(wrong))
{
	struct drmperf_selection selection;

	counting_failed(drmperf_event_find(counting.drmperf, wrong[_i].name,
					   &selection, &counting.error),
			wrong[_i].code, wrong[_i].cause, wrong[_i].remedy);
}

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

TEST_LOOP(xe, mishap_costs_nothing, ARRAY_SIZE(mishaps))
{
	struct drmperf_session *session = timed_fenced(CORES);
	union drmperf_value values[4];

	counting_run(session);
	if (mishaps[_i].setting)
		scene_set(mishaps[_i].setting, mishaps[_i].value);
	else
		scene_fault(mishaps[_i].fault);
	timed_sleep(20 * MS);
	counting_read(session, values);
	ck_assert_uint_ge(values[0].u64, 20 * MS);
	check_test_events(values);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	drmperf_session_destroy(session);
}

TEST(xe, set_that_was_removed_is_loaded_again)
{
	struct drmperf_session *session = timed_fenced(CORES);
	int node = open(NODE, O_RDWR | O_CLOEXEC), removed = 0;
	union drmperf_value values[4];

	counting_run(session);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	for (uint64_t id = 0; id < 100; id++)
		removed += !xe_config_remove(node, id);
	ck_assert_int_gt(removed, 0);
	close(node);
	counting_run(session);
	timed_sleep(5 * MS);
	counting_read(session, values);
	check_test_events(values);
	drmperf_session_destroy(session);
}

TEST_MACHINE("xe", "--gpu", "bmg");
TEST_MACHINE("xe_tiles", "--gpu", "pvc2");

TEST_MACHINE_OPTION(in_time, true);
