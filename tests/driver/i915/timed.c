/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/driver/i915/timed.h"

#include <time.h>

#include "tests/scene.h"

struct counting timed;

static void
set_up(void)
{
	scene_set("contexts", "0x20");
	counting_begin(&timed);
}

static void
tear_down(void)
{
	counting_end(&timed);
}

TCase *
timed_case(Suite *suite)
{
	TCase *tcase = tcase_create("all");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	suite_add_tcase(suite, tcase);
	return tcase;
}

Suite *
timed_suite(const char *name, const TTest *test)
{
	Suite *suite = suite_create(name);

	tcase_add_test(timed_case(suite), test);
	return suite;
}

void
timed_sleep(uint64_t ns)
{
	const struct timespec time = { (time_t)(ns / 1000000000),
				       (long)(ns % 1000000000) };

	nanosleep(&time, NULL); /* any machine: it may take longer */
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

	return counting_session_with(&timed, names, &options);
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

void
timed_check_relations(const union drmperf_value values[4])
{
	ck_assert_uint_gt(values[1].u64, 0);
	ck_assert_uint_eq(values[2].u64, values[1].u64);
	ck_assert_uint_le(values[3].u64, values[1].u64 / 2 + 1);
	ck_assert_uint_ge(values[3].u64 + 1, values[1].u64 / 2);
}
