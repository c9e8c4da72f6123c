/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions on a simulated Intel GPU in real time. What must not fail fails the
 * test.
 */
#ifndef DRMPERF_TESTS_DRIVER_OA_TIMED_H
#define DRMPERF_TESTS_DRIVER_OA_TIMED_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/check.h"
#include "tests/driver/counting.h"

/*
 * Whose OA counters they are: what suites over several of them need to know.
 * The first events are of one metric set, the last one of another.
 */
struct timed_subject {
	const char *driver;
	const char *prefix; /* of its suites' names */
	const char *set, *time, *age, *clocks, *busy, *frequency;
	const char *other;
	/* a time, the clocks in it, and two in fixed ratios to these */
	const char *const *test;
	struct {
		uint64_t numerator, denominator;
	} ratios[2];
	/* kinds of calls */
	const char *open, *load, *read, *fault_of_clock;
	size_t report_size; /* of what is recorded, behind a header */
	uint64_t period_ns, clock_hz;
	bool has_wraps; /* within seconds */
	bool by_clock; /* the ratios hold whatever contexts run */
};

extern const struct timed_subject *timed_of;

/* Choose the GPU by the name of the suite that is to run. */
void
timed_choose(void);

#define I915_TEST                                                              \
	NAMES("i915::TestOa.GpuTime", "i915::TestOa.GpuCoreClocks",            \
	      "i915::TestOa.Counter1", "i915::TestOa.Counter3")
/* The test events count clocks, once in each XeCore. */
#define XE_TEST                                                                \
	NAMES("xe::TestOa.GpuTime", "xe::TestOa.GpuCoreClocks",                \
	      "xe::TestOa.TEST_EVENT1_CYCLES_XECORE0",                         \
	      "xe::TestOa.TEST_EVENT1_CYCLES_XECORE1")

#define TIME (timed_of->time)
#define AGE (timed_of->age)
#define TEST_NAMES (timed_of->test)
void
timed_check_relations(const union drmperf_value values[4]);

/*
 * Begin and end a test: the machine is as at the beginning, however the test
 * before has ended.
 */
void
timed_set_up(void);
void
timed_tear_down(void);

/*
 * Sleep at least so long; the clock says what has been counted by then.
 */
void
timed_sleep(uint64_t ns);
uint64_t
timed_now(void);

/*
 * Create sessions whose reads wait for a report, or take the latest that there
 * is.
 */
struct drmperf_session *
timed_fenced(const char *const *names);
struct drmperf_session *
timed_latest(const char *const *names);

#endif /* DRMPERF_TESTS_DRIVER_OA_TIMED_H */
