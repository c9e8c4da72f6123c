/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A driver that does not recover from a hang: it answers EAGAIN for ever.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* One try a millisecond, for five seconds: no machine makes more of them. */
#define MOST_TRIES 5001

struct attempt {
	struct drmperf_device *device; /* to be opened, or */
	struct drmperf_session *session; /* to be started */
	struct drmperf_error error;
	int ret;
	atomic_bool is_over;
};

static void *
make_attempt(void *data)
{
	struct attempt *attempt = data;

	if (attempt->device)
		attempt->ret =
			drmperf_device_open(attempt->device, &attempt->error);
	else
		attempt->ret = drmperf_session_start(attempt->session,
						     &attempt->error);
	atomic_store(&attempt->is_over, true);
	return NULL;
}

/* Expect all calls of the kind to fail. */
static void
expect_failure(struct attempt *attempt, const char *kind, const char *fault,
	       int code)
{
	uint64_t before = scene_calls(kind);
	pthread_t thread;

	ck_assert_int_eq(drmsim_fault(fault), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, make_attempt, attempt),
			 0);
	while (!atomic_load(&attempt->is_over)) {
		ck_assert_uint_le(scene_calls(kind) - before, MOST_TRIES);
		usleep(1000);
	}
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_uint_le(scene_calls(kind) - before, MOST_TRIES);
	ck_assert_uint_gt(scene_calls(kind) - before, 1);
	ck_assert_int_eq(attempt->ret, code);
	ck_assert_int_eq(attempt->error.code, code);
	ck_assert_msg(strstr(attempt->error.cause, "recovering the GPU"), "%s",
		      attempt->error.cause);
	ck_assert_msg(strstr(attempt->error.remedy, "try again"), "%s",
		      attempt->error.remedy);
}

TEST_CASE(busy, NULL, NULL, "i915_busy");

TEST(busy, a_busy_driver_is_not_asked_for_ever)
{
	struct attempt start = { .is_over = false }, open = start;
	struct drmperf *first;

	counting_begin();
	start.session = counting_session(NAMES("i915::RenderBasic.GpuTime"));
	first = counting.drmperf;
	counting_begin();
	expect_failure(&start, "perf_open", "perf_open:1+:EAGAIN", -ETIME);
	open.device = drmperf_device_at(counting.drmperf, 0);
	expect_failure(&open, "query", "query:1+:EAGAIN", -EAGAIN);
	drmperf_session_destroy(start.session);
	counting_end();
	drmperf_destroy(first);
}

TEST_MACHINE("i915_busy", "--gpu", "skl");
