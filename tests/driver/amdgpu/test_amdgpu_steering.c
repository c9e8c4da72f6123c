/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The amdgpu driver where reads may go astray: the kernel steers GRBM_GFX_INDEX
 * by MMIO as well, samples arrive late, and the control registers of the SQ
 * belong to a ring.
 */
#include <errno.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/found.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* Return what the second-level cache is called here. */
static const char *
cache_block(void)
{
	for (size_t i = 0; i < gpu.description.group_count; i++)
		if (!strcmp(gpu.description.groups[i].name, "TCC"))
			return "TCC";
	return "GL2C";
}

static unsigned
cache_instances(void)
{
	return gpu.description.groups[gpu_group(cache_block())].instances;
}

/* ------------------------------------------------------------------ */
/* The kernel's steering                                                */

/*
 * Expect that each instance counts other numbers, the same in each millisecond.
 */
static void
expect_milliseconds(void *run, unsigned count)
{
	static uint64_t first[GPU_VALUES];
	const unsigned instances = cache_instances();

	gpu_sample(run);
	for (unsigned i = 0; i < instances; i++) {
		if (count == 1)
			first[i] = gpu_gained(i);
		ck_assert_msg(first[i] && gpu_gained(i) == count * first[i],
			      "instance %u has gained %llu in %u ms, not %llu",
			      i, (unsigned long long)gpu_gained(i), count,
			      (unsigned long long)(count * first[i]));
	}
}

/* Once, or three times in a row: then the fourth reads are right. */
static const struct {
	const char *faults[3];
} disturbances[] = {
	{ { "kernel-steering:1" } },
	{ { "kernel-steering:1", "kernel-steering:2", "kernel-steering:3" } },
};

static void
disturb_run(int number)
{
	for (int i = 0; i < 3 && disturbances[number].faults[i]; i++)
		scene_fault(disturbances[number].faults[i]);
}

TEST_CASE(steering, gpu_open, gpu_close_clean, "amdgpu_steering");

TEST_LOOP(steering, samples_are_taken_again, ARRAY_SIZE(disturbances))
{
	const struct counter_request asked = gpu_request(cache_block(), 7, ALL);
	void *run = gpu_begin(&asked, 1);
	uint64_t submissions;

	scene_pass(MS);
	expect_milliseconds(run, 1);
	scene_pass(MS);
	submissions = scene_calls("cs");
	disturb_run(_i);
	expect_milliseconds(run, 2);
	/* or nothing was disturbed at all */
	ck_assert_uint_eq(scene_calls("cs") - submissions, _i ? 4 : 2);
	scene_pass(MS);
	expect_milliseconds(run, 3);
	gpu_end(run);
}

TEST_LOOP(steering, starts_are_taken_again, ARRAY_SIZE(disturbances))
{
	const struct counter_request asked = gpu_request(cache_block(), 7, ALL);
	void *run = gpu_arm(&asked, 1);

	disturb_run(_i);
	gpu_start(run);
	scene_pass(MS);
	expect_milliseconds(run, 1);
	scene_pass(MS);
	expect_milliseconds(run, 2);
	gpu_end(run);
}

TEST_LOOP(steering, changes_are_taken_again, ARRAY_SIZE(disturbances))
{
	const struct counter_request asked[] = {
		gpu_request(cache_block(), 7, ALL),
		gpu_request(cache_block(), 9, ALL)
	};
	void *run = gpu_begin(asked, 1);

	scene_pass(MS);
	expect_milliseconds(run, 1);
	scene_pass(MS);
	disturb_run(_i);
	gpu_change(run, asked, 2);
	scene_pass(MS);
	expect_milliseconds(run, 3);
	gpu_end(run);
}

/* It is said, and what was counted is not lost. */
TEST(steering, steering_without_end)
{
	const struct counter_request asked = gpu_request(cache_block(), 7, ALL);
	void *run = gpu_begin(&asked, 1);
	struct drmperf_error error = { 0 };
	uint64_t submissions;
	char text[256];

	scene_pass(MS);
	expect_milliseconds(run, 1);
	scene_pass(MS);
	submissions = scene_calls("cs");
	scene_fault("kernel-steering:1+");
	ck_assert_int_eq(gpu_try_sample(run, &error), -EBUSY);
	ck_assert_uint_eq(scene_calls("cs") - submissions, 4);
	ck_assert_ptr_nonnull(strstr(error.cause, "GRBM_GFX_INDEX"));
	ck_assert_ptr_nonnull(strstr(error.remedy, "cu_occupancy"));
	ck_assert_int_eq(drmsim_command("mend", text, sizeof(text)), 0);
	expect_milliseconds(run, 2);
	gpu_end(run);
}

/* ------------------------------------------------------------------ */
/* Samples that arrive late                                             */

TEST_CASE(late, gpu_open, gpu_close_clean, "amdgpu_late");

/* The reads are repeated, not the sample, which would be late again. */
TEST(late, late_reads_are_repeated_not_samples)
{
	const struct counter_request asked = gpu_request("SQ", 7, ALL);
	void *run;

	gpu_count_only("SQ.7 3000");
	scene_set("sync-bit", "works");
	scene_set("sq-control", "owned");
	run = gpu_begin(&asked, 1);
	scene_pass(MS);
	gpu_expect(run, 3);
	scene_set("late-jobs", "4");
	for (uint64_t i = 2; i < 5; i++) {
		scene_pass(MS);
		gpu_expect(run, 3 * i);
	}
	gpu_end(run);
	scene_set("late-jobs", "0");
}

TEST(late, samples_that_never_arrive)
{
	const struct counter_request asked = gpu_request("SQ", 7, ALL);
	struct drmperf_error error = { 0 };
	void *run;

	gpu_count_only("SQ.7 3000");
	scene_set("sync-bit", "works");
	scene_set("sq-control", "owned");
	run = gpu_begin(&asked, 1);
	scene_pass(MS);
	scene_set("late-jobs", "100");
	gpu_failed(gpu_try_sample(run, &error), -EIO, &error,
		   "SQG_PERFCOUNTER_CTRL", "");
	ck_assert_ptr_nonnull(error.remedy);
	scene_set("late-jobs", "0");
	gpu_end(run);
}

/* The bit has been seen, and then the kernel takes another ring. */
TEST(late, sync_bit_of_another_ring)
{
	const struct counter_request asked = gpu_request("SQ", 7, ALL);
	void *run;

	gpu_count_only("SQ.7 3000");
	scene_set("sync-bit", "works");
	scene_set("compute-ring", "stays");
	run = gpu_begin(&asked, 1);
	for (uint64_t i = 1; i < 4; i++) {
		scene_pass(MS);
		gpu_expect(run, 3 * i);
		scene_set("compute-ring", "hops");
	}
	gpu_end(run);
}

/* ------------------------------------------------------------------ */
/* Registers of the SQ that belong to a ring                            */

static const char *const readings[] = { "shared", "owned", "banked" };

/*
 * Other rings find the control registers empty, and no process has taken them.
 */
TEST_LOOP(steering, empty_control_registers_are_no_theft, ARRAY_SIZE(readings))
{
	const struct counter_request asked = gpu_request("SQ", 7, ALL);
	void *run;

	gpu_count_only("SQ.7 3000");
	scene_set("sq-control", readings[_i]);
	run = gpu_begin(&asked, 1);
	for (uint64_t i = 1; i < 5; i++) {
		scene_pass(MS);
		gpu_expect(run, 3 * i);
	}
	gpu_change(run, &asked, 1);
	scene_pass(MS);
	gpu_expect(run, 15);
	gpu_end(run);
}

/*
 * What the self-test has found decides what an empty register means: where all
 * rings share it, another profiler.
 */
static const struct {
	bool kept;
	int ret;
} empty[] = { { true, -EIO }, { false, 0 } };

TEST_LOOP(steering, empty_sq_control, ARRAY_SIZE(empty))
{
	static const char *const checks[] = { "control.kept", "control.shared",
					      NULL };
	const struct counter_request asked[] = { gpu_request("SQ", 7, ALL),
						 gpu_request("SQ", 9, ALL) };
	struct drmperf_error error = { 0 };
	void *run;

	found_checks(gpu.device, checks, empty[_i].kept);
	gpu_close();
	gpu_open();
	scene_set("sq-control", "shared");
	run = gpu_begin(asked, 2);
	scene_pass(MS);
	gpu_sample(run);
	scene_fault("foreign-masks:1");
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(run, &error), empty[_i].ret);
	if (empty[_i].ret)
		ck_assert_ptr_nonnull(strstr(error.cause, "_PERFCOUNTER_CTRL"));
	gpu_end(run);
	found_nothing();
}

TEST_GPUS("amdgpu_steering", "polaris10", "vega10", "mi200", "navi10", "navi21",
	  "navi31", "strix", "navi48");
TEST_GPUS("amdgpu_late", "navi48");
