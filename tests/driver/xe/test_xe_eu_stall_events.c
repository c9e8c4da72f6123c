/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of samples of EU stalls as events, on simulated GPUs in virtual time.
 * All samples come from lines of the scenario, so that each sum is known: Lunar
 * Lake has eight XeCores, of which each writes the rows.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define LNL 0u

static void
open_gpu(void)
{
	static const char *const gpus[] = { "gpu0", "gpu1" };

	for (size_t i = 0; i < ARRAY_SIZE(gpus); i++) {
		char key[32];

		snprintf(key, sizeof(key), "%s.eu-stall-row", gpus[i]);
		scene_set(key, "none");
		snprintf(key, sizeof(key), "%s.eu-stall-rate", gpus[i]);
		scene_set(key, "0");
	}
	counting_begin();
}

TEST_CASE(works, open_gpu, counting_end, "eu_stall_events");
TEST_CASE(fails, open_gpu, counting_end, "eu_stall_events");

/* Write two rows of each XeCore: 40 samples, of which 10 were issued. */
static void
write_rows(void)
{
	scene_set("gpu0.eu-stall-row", "none");
	scene_set("gpu0.eu-stall-row", "0x100 sbid=20 active=5");
	scene_set("gpu0.eu-stall-row", "0x200 send=10 active=5");
	scene_set("gpu0.eu-stall-emit", "2");
}

TEST(works, rows_become_counts_of_reasons)
{
	struct drmperf_session *session = counting_start(
		NAMES("xe::stall.active", "xe::stall.scoreboard",
		      "xe::stall.send", "xe::stall.tdr", "xe::stall.losses"));

	counting_expect(session, (uint64_t[]){ 0, 0, 0, 0, 0 });
	write_rows();
	counting_expect(session, (uint64_t[]){ 80, 160, 80, 0, 0 });
	write_rows();
	counting_expect(session, (uint64_t[]){ 160, 320, 160, 0, 0 });
	drmperf_session_destroy(session);
}

TEST(works, shares_are_percent_of_all_rows)
{
	struct drmperf_session *session = counting_start(
		NAMES("xe::stall.active-share", "xe::stall.scoreboard-share",
		      "xe::stall.sync-share"));
	union drmperf_value values[3];

	write_rows();
	counting_read(session, values);
	ck_assert_double_eq(values[0].f64, 25);
	ck_assert_double_eq(values[1].f64, 50);
	ck_assert_double_eq(values[2].f64, 0);
	drmperf_session_destroy(session);
}

/* Sessions of a process share the one stream that the kernel gives. */
TEST(works, sessions_of_a_process_share_the_stream)
{
	struct drmperf_session *one = counting_start(NAMES("xe::stall.active")),
			       *other;

	write_rows();
	other = counting_start(
		NAMES("xe::stall.scoreboard", "xe::stall.active"));
	counting_expect(other, (uint64_t[]){ 0, 0 });
	write_rows();
	counting_expect(one, (uint64_t[]){ 160 });
	counting_expect(other, (uint64_t[]){ 160, 80 });
	drmperf_session_destroy(one);
	write_rows();
	counting_expect(other, (uint64_t[]){ 320, 160 });
	drmperf_session_destroy(other);
}

/* OA counters are another stream of the kernel's. */
TEST(works, stalls_count_next_to_oa_counters)
{
	struct drmperf_session *session = counting_start(
		NAMES("xe::RenderBasic.GpuTime", "xe::stall.active"));
	union drmperf_value values[2];

	write_rows();
	counting_read(session, values);
	ck_assert_uint_gt(values[0].u64, 0);
	ck_assert_uint_eq(values[1].u64, 80);
	drmperf_session_destroy(session);
}

/* A buffer of an XeCore has room for 8192 rows. */
TEST(works, dropped_rows_are_counted_as_losses)
{
	struct drmperf_session *session =
		counting_start(NAMES("xe::stall.sync", "xe::stall.losses"));

	scene_set("gpu0.eu-stall-row", "0x100 cores=0x1 sync=1");
	scene_set("gpu0.eu-stall-emit", "9000");
	counting_expect(session, (uint64_t[]){ 8192, 1 });
	drmperf_session_destroy(session);
}

TEST(fails, a_reset_fails_the_read)
{
	struct drmperf_session *session =
		counting_start(NAMES("xe::stall.sync"));
	union drmperf_value value;

	ck_assert_int_eq(drmsim_reset_gpu(LNL), 0);
	scene_pass(10 * MS);
	counting_failed(drmperf_session_read(session, &value, NULL, NULL,
					     &counting.error),
			-ECANCELED, "reset", "start again");
	drmperf_session_destroy(session);
	session = counting_start(NAMES("xe::stall.active"));
	write_rows();
	counting_expect(session, (uint64_t[]){ 80 });
	drmperf_session_destroy(session);
}

TEST(fails, a_sampling_keeps_the_stream_busy)
{
	struct drmperf_session *session =
		counting_session(NAMES("xe::stall.sync"));
	struct drmperf_sampling *sampling = NULL;

	counting_succeeded(drmperf_sampling_create(
		drmperf_device_at(counting.drmperf, LNL), NULL, &sampling,
		&counting.error));
	counting_failed(drmperf_session_start(session, &counting.error), -EBUSY,
			"sampled already", "wait");
	drmperf_sampling_destroy(sampling);
	counting_run(session);
	drmperf_session_destroy(session);
}

/* Meteor Lake under xe has no such samples, and an older kernel offers none. */
TEST(fails, gpus_without_samples_list_no_events)
{
	struct drmperf_selection found;

	ck_assert_int_eq(drmperf_event_find(counting.drmperf,
					    "xe::stall.sync:device=1", &found,
					    &counting.error),
			 -ENOENT);
	counting_end();
	scene_set("gpu0.eu-stall", "off");
	counting_begin();
	ck_assert_int_eq(drmperf_event_find(counting.drmperf, "xe::stall.sync",
					    &found, &counting.error),
			 -ENOENT);
	scene_set("gpu0.eu-stall", "on");
}

TEST(works, named_as_samples)
{
	struct drmperf_selection found;

	found = counting_find("xe::stall.sync");
	ck_assert_int_eq(drmperf_event_unit(found.event), DRMPERF_UNIT_SAMPLES);
	ck_assert_int_eq(drmperf_event_kind(found.event),
			 DRMPERF_KIND_CUMULATIVE);
}

TEST_MACHINE("eu_stall_events", "--strict", "--time", "virtual", "--gpu", "lnl",
	     "--gpu", "mtl,driver=xe");
