/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions on a simulated Intel GPU in real time. What must not fail fails the
 * test.
 */
#ifndef DRMPERF_TESTS_DRIVER_I915_TIMED_H
#define DRMPERF_TESTS_DRIVER_I915_TIMED_H

#include <check.h>

#include "tests/driver/counting.h"

#define TIME "i915::RenderBasic.GpuTime"
#define AGE "i915::RenderBasic.ReportAge"

/* Four events of which it is known how they relate. */
#define TEST_OA                                                                \
	NAMES("i915::TestOa.GpuTime", "i915::TestOa.GpuCoreClocks",            \
	      "i915::TestOa.Counter1", "i915::TestOa.Counter3")
void timed_check_relations(const union drmperf_value values[4]);

extern struct counting timed;

/*
 * A case between whose tests the machine is as at the beginning, however the
 * test before has ended.
 */
TCase *timed_case(Suite *suite);
Suite *timed_suite(const char *name, const TTest *test);

/* At least so long; what has been counted by then is told by the clock. */
void timed_sleep(uint64_t ns);
uint64_t timed_now(void);

/* Sessions whose reads wait for a report, or take the latest that there is. */
struct drmperf_session *timed_fenced(const char *const *names);
struct drmperf_session *timed_latest(const char *const *names);

#endif /* DRMPERF_TESTS_DRIVER_I915_TIMED_H */
