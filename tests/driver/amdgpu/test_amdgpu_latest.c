/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of the latest values on a simulated Vega 10: a thread of the library
 * samples, and reads copy what it has found.
 */
#include <errno.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define MS UINT64_C(1000000)

static void *
begin_latest(const struct counter_request *requests, size_t count)
{
	static const struct run_options options = { .relaxed = true };
	struct drmperf_error error = { 0 };
	void *run;

	ck_assert_msg(!gpu.ops->arm(gpu.device, &options, requests, count, &run,
				    &error),
		      "%s", error.cause);
	ck_assert_msg(!gpu.ops->start(run, &error), "%s", error.cause);
	return run;
}

static int
try_latest(void *run, uint64_t *values, uint64_t *time_ns)
{
	struct drmperf_error error = { 0 };

	return gpu.ops->sample(run, DRMPERF_READ_LATEST, values, time_ns,
			       &error);
}

static uint64_t
read_latest(void *run, uint64_t *time_ns)
{
	uint64_t values[GPU_VALUES];

	ck_assert_int_eq(try_latest(run, values, time_ns), 0);
	return values[0];
}

TEST_CASE(latest, gpu_open, gpu_close_clean, "amdgpu_latest");

/* Once the latest values have been asked for, a thread samples. */
TEST(latest, a_thread_samples_for_the_latest_values)
{
	const struct counter_request asked = gpu_request("SQ", 4, 0);
	uint64_t before, submissions, time_ns;
	void *run;

	gpu_count_only("SQ.4 1000000");
	run = begin_latest(&asked, 1);
	before = read_latest(run, &time_ns);
	scene_pass(2 * MS);
	submissions = scene_calls("cs");
	while (scene_calls("cs") < submissions + 2)
		;
	ck_assert_uint_eq(read_latest(run, &time_ns), before + 2000);
	gpu_end(run);
}

/* Reads copy one sample until there is another. */
TEST(latest, reads_share_a_sample)
{
	const struct counter_request asked = gpu_request("SQ", 4, 0);
	uint64_t first_ns, second_ns;
	void *run;

	gpu_count_only("SQ.4 1000000");
	run = begin_latest(&asked, 1);
	do {
		read_latest(run, &first_ns);
		read_latest(run, &second_ns);
	} while (first_ns != second_ns);
	gpu_end(run);
}

/* The latest values are not older than those of a fenced read before. */
TEST(latest, fenced_then_latest)
{
	const struct counter_request asked = gpu_request("SQ", 4, 0);
	uint64_t time_ns;
	void *run;

	gpu_count_only("SQ.4 1000000");
	run = begin_latest(&asked, 1);
	for (int i = 0; i < 50; i++) {
		scene_pass(MS);
		gpu_sample(run);
		ck_assert_uint_ge(read_latest(run, &time_ns), gpu_now[0]);
	}
	gpu_end(run);
}

/* After a change the values are those of the requests there are now. */
TEST(latest, latest_values_follow_a_change)
{
	const struct counter_request requests[] = {
		gpu_request("TCC", 17, 0),
		gpu_request("SQ", 4, 0),
		gpu_request("TCP", 6, 0),
	};
	uint64_t values[GPU_VALUES], time_ns;
	void *run;

	gpu_set_rates((const char *const[]){ "SQ.4 1000000", "TCC.17 3000000",
					     NULL });
	run = begin_latest(&requests[1], 1);
	scene_pass(MS);
	gpu_sample(run);
	gpu_change(run, requests, 3);
	ck_assert_int_eq(try_latest(run, values, &time_ns), 0);
	ck_assert_uint_eq(values[1], 1000);
	scene_pass(2 * MS);
	gpu_sample(run);
	ck_assert_int_eq(try_latest(run, values, &time_ns), 0);
	ck_assert_uint_eq(values[0], 6000);
	ck_assert_uint_eq(values[1], 3000);
	gpu_end(run);
}

/* What the thread finds wrong, the next read tells. */
TEST(latest, failure_is_told)
{
	const struct counter_request asked = gpu_request("SQ", 4, 0);
	uint64_t values[GPU_VALUES], time_ns;
	int ret;
	void *run;

	run = begin_latest(&asked, 1);
	read_latest(run, &time_ns);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	do {
		ret = try_latest(run, values, &time_ns);
	} while (!ret);
	ck_assert_int_eq(ret, -ECANCELED);
	gpu_end(run);
}

/* A run that was not started for such reads takes a sample for each. */
TEST(latest, run_of_fences)
{
	const struct counter_request asked = gpu_request("SQ", 4, 0);
	uint64_t submissions, time_ns;
	void *run = gpu_begin(&asked, 1);

	submissions = scene_calls("cs");
	for (int i = 0; i < 3; i++)
		read_latest(run, &time_ns);
	ck_assert_uint_eq(scene_calls("cs") - submissions, 3);
	gpu_end(run);
}

TEST_GPUS("amdgpu_latest", "vega10");
