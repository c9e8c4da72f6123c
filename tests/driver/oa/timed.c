/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/oa/timed.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define OF_SET(driver, name)                                                   \
	.set = name, .time = driver "::" name ".GpuTime",                      \
	.age = driver "::" name ".ReportAge",                                  \
	.clocks = driver "::" name ".GpuCoreClocks",                           \
	.busy = driver "::" name ".GpuBusy",                                   \
	.frequency = driver "::" name ".AvgGpuCoreFrequency"

#define OF_XE                                                                  \
	.driver = "xe", .open = "observation", .load = "observation",          \
	.read = "xe_oa_read", .fault_of_clock = "device_query:1+:EINVAL"

/*
 * The longer prefix first. Periods are (2 << exponent) ticks, in each of which
 * the simulated clock has a whole number of clocks.
 */
static const struct timed_subject subjects[] = {
	/* four and 36 in a tick, which has 62 clocks */
	{ .prefix = "xe_pvc",
	  OF_XE,
	  OF_SET("xe", "ComputeBasic"),
	  .other = "xe::TestOa.CsThreads",
	  .test = NAMES("xe::TestOa.GpuTime", "xe::TestOa.GpuCoreClocks",
			"xe::TestOa.CsThreads",
			"xe::TestOa.GtiReadTransactions"),
	  .ratios = { { 4, 62 }, { 36, 62 } },
	  .report_size = 256,
	  .period_ns = 81920,
	  .clock_hz = 1550000000,
	  .has_wraps = true },
	{ .prefix = "xe",
	  OF_XE,
	  OF_SET("xe", "RenderBasic"),
	  .other = "xe::TestOa.TEST_EVENT1_CYCLES_XECORE0",
	  .test = XE_TEST,
	  .ratios = { { 1, 1 }, { 1, 1 } },
	  .report_size = 576,
	  .period_ns = 53334,
	  .clock_hz = 2841600000,
	  .by_clock = true },
	{ .driver = "i915",
	  .prefix = "i915",
	  OF_SET("i915", "RenderBasic"),
	  .other = "i915::TestOa.Counter1",
	  .test = I915_TEST,
	  .ratios = { { 1, 1 }, { 1, 2 } },
	  .open = "perf_open",
	  .load = "perf_add_config",
	  .read = "i915_perf_read",
	  .fault_of_clock = "reg_read:1+:EINVAL",
	  .report_size = 256,
	  .period_ns = 85334,
	  .clock_hz = 1140000000,
	  .has_wraps = true,
	  .by_clock = true },
};

const struct timed_subject *timed_of = &subjects[ARRAY_SIZE(subjects) - 1];

void
timed_choose(void)
{
	const char *suite = getenv("CK_RUN_SUITE");

	for (size_t i = ARRAY_SIZE(subjects); suite && i-- > 0;) {
		const char *prefix = subjects[i].prefix;

		if (!strncmp(suite, prefix, strlen(prefix)))
			timed_of = &subjects[i];
	}
}

void
timed_set_up(void)
{
	scene_set("contexts", "0x20");
	counting_begin();
}

void
timed_tear_down(void)
{
	counting_end();
}

void
timed_sleep(uint64_t ns)
{
	const struct timespec time = { (time_t)(ns / 1000000000),
				       (long)(ns % 1000000000) };

	nanosleep(&time, NULL); /* it may take longer */
}

uint64_t
timed_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct drmperf_session *
session_with(const char *const *names, enum drmperf_read_mode read)
{
	const struct drmperf_session_options options = {
		.size = sizeof(options), .read = read
	};

	return counting_session_with(names, &options);
}

struct drmperf_session *
timed_fenced(const char *const *names)
{
	return session_with(names, DRMPERF_READ_FENCED);
}

struct drmperf_session *
timed_latest(const char *const *names)
{
	return session_with(names, DRMPERF_READ_LATEST);
}

/*
 * Check the ratios of the values. The two ends of a value are rounded down
 * where a ratio is broken.
 */
void
timed_check_relations(const union drmperf_value values[4])
{
	ck_assert_uint_gt(values[1].u64, 0);
	for (size_t i = 0; i < 2; i++) {
		const uint64_t n = timed_of->ratios[i].numerator,
			       d = timed_of->ratios[i].denominator;
		const uint64_t due = values[1].u64 * n / d, may = n != d;

		ck_assert_uint_le(values[2 + i].u64, due + may);
		ck_assert_uint_ge(values[2 + i].u64 + may, due);
	}
}
