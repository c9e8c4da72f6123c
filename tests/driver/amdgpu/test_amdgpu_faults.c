/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls that fail while an AMD GPU counts: the GPU is put back all the same,
 * and counts rightly the next time.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define MS UINT64_C(1000000)
#define WAVES "amdgpu::SQ.WAVES"

static void
set_up(void)
{
	ck_assert_int_eq(drmsim_command("clear", NULL, 0), 0);
	ck_assert_int_eq(setenv("DRMPERF_CLOCK", "profiling", 1), 0);
	ck_assert_int_eq(drmsim_set("default", "zero"), 0);
	ck_assert_int_eq(drmsim_set("rate", "SQ.4 instance=0 1000000"), 0);
	/* samples wait by the kernel, whose calls are looked at */
	setenv("DRMPERF_SPIN_US", "0", 1);
	counting_begin();
}

/* Expect everything as it was found, and nothing was misused. */
static void
expect_state(const char *const *state, size_t count)
{
	char *rest = scene_report(), *line;
	bool is_told = false;

	while ((line = strsep(&rest, "\n"))) {
		ck_assert_msg(strncmp(line, "violation", 9), "%s", line);
		if (!strstr(line, "grbm_gfx_index="))
			continue;
		is_told = true;
		for (size_t i = 0; i < count; i++)
			ck_assert_msg(strstr(line, state[i]), "%s", line);
	}
	ck_assert(is_told);
}

static const char *const restored[] = { "grbm_gfx_index=0xe0000000",
					"counters=stopped", "pstate=0" };

static void
expect_restored(void)
{
	expect_state(restored, 3);
}

/* Expect that counting has stopped. The clock mode stays with the session. */
static void
expect_stopped(void)
{
	expect_state(restored, 2);
}

static void
tear_down(void)
{
	counting_end();
	expect_restored();
}

TEST_CASE(faults, set_up, tear_down, "amdgpu_faults");

static struct drmperf_session *
begin_session(void)
{
	struct drmperf_session *session = counting_start(NAMES(WAVES));

	ck_assert_int_eq(drmsim_advance(MS), 0);
	counting_expect(session, (const uint64_t[]){ 1000 });
	return session;
}

/* Count again: what failed once does not fail twice. */
static void
count_again(struct drmperf_session *session)
{
	struct drmperf_error *error = &counting.error;

	ck_assert_msg(!drmperf_session_start(session, error), "%s",
		      error->cause);
	ck_assert_int_eq(drmsim_advance(MS), 0);
	ck_assert_msg(!drmperf_session_stop(session, error), "%s",
		      error->cause);
	counting_expect(session, (const uint64_t[]){ 1000 });
}

/* ------------------------------------------------------------------ */
/* Once ENODEV, as a GPU that only seemed to be gone                     */

static const char *const gone[] = { "cs:1:ENODEV", "wait_cs:1:ENODEV" };

TEST_LOOP(faults, gone_at_read, ARRAY_SIZE(gone))
{
	struct drmperf_session *session = begin_session();
	union drmperf_value value;
	int ret;

	ck_assert_int_eq(drmsim_fault(gone[_i]), 0);
	ret = drmperf_session_read(session, &value, NULL, NULL,
				   &counting.error);
	counting_failed(ret, -ENODEV, "the GPU has gone", "");
	expect_stopped();
	ck_assert_int_eq(drmperf_session_stop(session, NULL), -ENODEV);
	count_again(session);
	drmperf_session_destroy(session);
}

/* The first sample has been taken; what fails is to stop. */
static const char *const gone_later[] = { "cs:2:ENODEV", "wait_cs:2:ENODEV" };

TEST_LOOP(faults, gone_at_stop, ARRAY_SIZE(gone_later))
{
	struct drmperf_session *session = begin_session();

	ck_assert_int_eq(drmsim_fault(gone_later[_i]), 0);
	ck_assert_int_eq(drmperf_session_stop(session, NULL), 0);
	expect_stopped();
	counting_expect(session, (const uint64_t[]){ 1000 });
	count_again(session);
	drmperf_session_destroy(session);
}

TEST_LOOP(faults, gone_at_start, ARRAY_SIZE(gone))
{
	struct drmperf_session *session = counting_session(NAMES(WAVES));

	ck_assert_int_eq(drmsim_fault(gone[_i]), 0);
	ck_assert_int_eq(drmperf_session_start(session, NULL), -ENODEV);
	expect_stopped();
	count_again(session);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Clocks that are held without counting                                */

TEST(faults, clocks_of_hold)
{
	struct drmperf_device *device = drmperf_device_at(counting.drmperf, 0);
	struct drmperf_clock_hold *hold;
	static const char *const held = "pstate=4";

	ck_assert_int_eq(drmperf_device_hold_clocks(device, DRMPERF_CLOCK_PEAK,
						    &hold, NULL),
			 0);
	expect_state(&held, 1);
	drmperf_clock_hold_release(hold);
	expect_restored();
}

/* ------------------------------------------------------------------ */
/* A node that cannot be locked, whatever the kernel's reason           */

static const struct {
	const char *fault, *cause;
	int code;
} no_locks[] = {
	{ "flock:1:EBUSY", "cannot lock /dev/dri/renderD128: Device", -EBUSY },
	{ "flock:2:EBUSY", "cannot lock /dev/dri/renderD128: Device", -EBUSY },
	{ "flock:1:ENOLCK", "cannot lock /dev/dri/renderD128: No lock",
	  -ENOLCK },
};

TEST_LOOP(faults, without_a_lock_nothing_is_counted, ARRAY_SIZE(no_locks))
{
	struct drmperf_session *session = counting_session(NAMES(WAVES));
	int ret;

	ck_assert_int_eq(drmsim_fault(no_locks[_i].fault), 0);
	ret = drmperf_session_start(session, &counting.error);
	counting_failed(ret, no_locks[_i].code, no_locks[_i].cause, "");
	count_again(session);
	drmperf_session_destroy(session);
}

TEST_GPUS("amdgpu_faults", "vega10", "navi10");
