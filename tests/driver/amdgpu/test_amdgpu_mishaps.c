/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What may go wrong while the amdgpu driver counts: a GPU that is reset, hangs,
 * is gone or sleeps, calls that fail, samples that come too late. All of it is
 * told, and counting goes on afterwards.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

TEST_CASE(mishaps, gpu_open, gpu_close_clean, "amdgpu_mishaps");

TEST(mishaps, a_gpu_reset_is_reported)
{
	const struct counter_request asked = gpu_request("SQ", 4, ALL);
	struct drmperf_error error;
	void *run = gpu_begin(&asked, 1);

	scene_set("rate", "SQ.4 1000");
	scene_pass(MS);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	scene_pass(MS);
	gpu_failed(gpu_try_sample(run, &error), -ECANCELED, &error, "reset",
		   "");
	ck_assert_str_ne(error.remedy, "");
	/* dead until it is stopped */
	ck_assert_int_eq(gpu_try_sample(run, &error), -ECANCELED);
	ck_assert_int_eq(gpu.ops->change(run, &asked, 1, &error), -ECANCELED);
	gpu_stop(run);
	gpu_start(run);
	scene_pass(2 * MS);
	gpu_expect(run, 2);
	gpu_end(run);
	/* and with a new run */
	run = gpu_begin(&asked, 1);
	scene_pass(3 * MS);
	gpu_expect(run, 3);
	gpu_end(run);
}

/* What happens to a GPU while nothing counts is not told of what counts. */
TEST(mishaps, gpu_reset_between_runs)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	void *run;

	scene_set("rate", "TCC.17 1000");
	gpu_end(gpu_begin(&asked, 1));
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	run = gpu_begin(&asked, 1);
	scene_pass(3 * MS);
	gpu_expect(run, 3);
	scene_set("gated-clock", "on");
	scene_pass(MS);
	gpu_sample_fails(run, -ENODATA, "CPF.ALWAYS_COUNT", "");
	scene_set("gated-clock", "off");
	gpu_end(run);
}

/* The next submission goes wrong. */
static const struct {
	int line;
	const char *fault;
	int ret;
	const char *cause;
	bool passes; /* the one after it goes well */
} faults[] = {
	{ __LINE__, "cs:1:ENOMEM", -ENOMEM, "memory", true },
	{ __LINE__, "cs:1:EHWPOISON", -EHWPOISON, "memory errors", true },
	{ __LINE__, "cs:1:EINVAL", -EINVAL, "refuses", true },
	{ __LINE__, "cs:1:ECANCELED", -ECANCELED, "reset", false },
	{ __LINE__, "hang:1", -ECANCELED, "reset", false },
};

TEST_LOOP(mishaps, fault_at_sample, ARRAY_SIZE(faults))
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error;
	void *run;
	int ret;

	scene_set("lockup-timeout", "500ms");
	scene_set("rate", "TCC.17 1000");
	run = gpu_begin(&asked, 1);
	scene_pass(MS);
	scene_fault(faults[_i].fault);
	ret = gpu_try_sample(run, &error);
	ck_assert_msg(ret == faults[_i].ret, "line %d: %d: %s", faults[_i].line,
		      ret, error.cause);
	ck_assert_msg(strstr(error.cause, faults[_i].cause) != NULL,
		      "line %d: %s", faults[_i].line, error.cause);
	ck_assert_str_ne(error.remedy, "");
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(run, &error),
			 faults[_i].passes ? 0 : faults[_i].ret);
	if (faults[_i].passes)
		ck_assert_uint_eq(gpu_gained(0), 2);
	gpu_end(run);
	run = gpu_begin(&asked, 1);
	scene_pass(3 * MS);
	gpu_expect(run, 3);
	gpu_end(run);
}

TEST_LOOP(mishaps, fault_at_start, ARRAY_SIZE(faults))
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error = { 0 };
	void *run = gpu_arm(&asked, 1);
	int ret;

	scene_set("lockup-timeout", "500ms");
	scene_set("rate", "TCC.17 1000");
	scene_fault(faults[_i].fault);
	ret = gpu.ops->start(run, &error);
	ck_assert_msg(ret == faults[_i].ret, "line %d: %d: %s", faults[_i].line,
		      ret, error.cause);
	gpu_start(run);
	scene_pass(3 * MS);
	gpu_expect(run, 3);
	gpu_end(run);
}

TEST_LOOP(mishaps, fault_at_change, ARRAY_SIZE(faults))
{
	const struct counter_request first = gpu_request("TCC", 17, ALL);
	const struct counter_request second[] = { first,
						  gpu_request("SQ", 4, ALL) };
	struct drmperf_error error = { 0 };
	void *run;

	scene_set("lockup-timeout", "500ms");
	scene_set("rate", "TCC.17 1000");
	run = gpu_begin(&first, 1);
	scene_pass(MS);
	scene_fault(faults[_i].fault);
	ck_assert_int_eq(gpu.ops->change(run, second, 2, &error),
			 faults[_i].ret);
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(run, &error),
			 faults[_i].passes ? 0 : faults[_i].ret);
	if (faults[_i].passes)
		ck_assert_uint_eq(gpu_gained(0), 2);
	gpu_end(run);
}

static unsigned warnings;

static void
count_warnings(void *data, enum drmperf_log_level level, const char *text)
{
	if (level != DRMPERF_LOG_WARNING)
		return;
	ck_assert_msg(strstr(text, data) != NULL, "%s", text);
	warnings++;
}

/* Close the GPU and open it once more; warnings have to have these words. */
static void
open_counting_warnings(const char *words)
{
	static char expected[64];
	struct driver_target target = gpu_target;
	struct drmperf_error error = { 0 };

	snprintf(expected, sizeof(expected), "%s", words);
	target.log.log = count_warnings;
	target.log.data = expected;
	gpu_close();
	ck_assert_msg(!gpu_try_open(&target, &error), "%s", error.cause);
	warnings = 0;
}

/* The hardware is put back all the same. */
TEST_LOOP(mishaps, fault_at_stop, ARRAY_SIZE(faults))
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error = { 0 };
	void *run = gpu_begin(&asked, 1);

	scene_set("lockup-timeout", "500ms");
	scene_fault(faults[_i].fault);
	ck_assert_msg(!gpu.ops->stop(run, &error), "line %d: %s",
		      faults[_i].line, error.cause);
	gpu.ops->disarm(run);
}

/*
 * No command to stop the counters is taken: this is a warning, and the next run
 * puts back what the one before has left, not what it has found.
 */
TEST(mishaps, a_refused_stop_is_a_warning)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error = { 0 };
	void *run;

	open_counting_warnings("counters are left on");
	run = gpu_begin(&asked, 1);
	scene_fault("cs:1+:EIO");
	ck_assert_int_eq(gpu.ops->stop(run, &error), -EIO);
	ck_assert_uint_eq(warnings, 1);
	gpu.ops->disarm(run);
	ck_assert_int_eq(drmsim_command("mend", NULL, 0), 0);
	gpu_end(gpu_begin(&asked, 1));
}

/*
 * Every request that arm makes of a GPU on which nothing has counted yet fails
 * once: nothing is left behind.
 */
TEST(mishaps, fault_at_arm)
{
	static const char *const kinds[] = { "ctx", "gem_create", "gem_va",
					     "gem_mmap", "bo_list" };
	const struct counter_request asked = gpu_request("TCC", 17, ALL);

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct drmperf_error error = { 0 };
		void *run = NULL;
		char fault[64];

		gpu_close();
		gpu_open();
		snprintf(fault, sizeof(fault), "%s:1:ENOMEM", kinds[i]);
		scene_fault(fault);
		ck_assert_msg(gpu_try_arm(&asked, 1, &run, &error) == -ENOMEM,
			      "%s: %s", kinds[i], error.cause);
		ck_assert_ptr_null(run);
		ck_assert_str_ne(error.cause, "");
		gpu_end(gpu_begin(&asked, 1));
	}
}

/* ------------------------------------------------------------------ */
/* Answers that take long                                               */

/* The kernel takes its time to find out that the ring hangs: a reset tells. */
TEST(mishaps, a_hanging_ring_ends_in_a_reset)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error;
	void *run;

	open_counting_warnings("has not answered for 5 seconds");
	scene_set("lockup-timeout", "60s");
	scene_set("rate", "TCC.17 1000");
	run = gpu_begin(&asked, 1);
	scene_fault("hang:1");
	gpu_sample_fails(run, -ECANCELED, "reset", "");
	ck_assert_uint_eq(warnings, 1);
	ck_assert_int_eq(gpu_try_sample(run, &error), -ECANCELED);
	gpu_end(run);
	scene_set("lockup-timeout", "500ms");
	run = gpu_begin(&asked, 1);
	scene_pass(3 * MS);
	gpu_expect(run, 3);
	gpu_end(run);
}

/* A ring that work of other programs holds: the sample waits and is whole. */
static const struct {
	const char *held;
	uint64_t ns;
	unsigned warnings;
} pipes[] = {
	{ "3s", 3000 * MS, 0 },
	{ "8s", 8000 * MS, 1 },
	{ "40s", 40000 * MS, 1 },
};

TEST_LOOP(mishaps, a_slow_pipe_is_waited_for, ARRAY_SIZE(pipes))
{
	const struct counter_request asked = gpu_request("TCC", 17, 0);
	uint64_t before, after;
	void *run;

	open_counting_warnings("has not answered for 5 seconds");
	scene_set("rate", "TCC.17 1000");
	run = gpu_begin(&asked, 1);
	ck_assert_int_eq(drmsim_now(&before), 0);
	scene_set("hold-pipe", pipes[_i].held);
	gpu_sample(run);
	ck_assert_int_eq(drmsim_now(&after), 0);
	ck_assert_uint_ge(after - before, pipes[_i].ns);
	ck_assert_uint_eq(gpu_gained(0), pipes[_i].ns / MS);
	ck_assert_uint_eq(warnings, pipes[_i].warnings);
	scene_pass(3 * MS);
	gpu_sample(run);
	ck_assert_uint_eq(gpu_gained(0), pipes[_i].ns / MS + 3);
	ck_assert_uint_eq(warnings, pipes[_i].warnings);
	gpu_end(run);
}

/* Longer than the kernel bears: it resets the ring of what has to wait. */
static const struct {
	const char *timeout, *held;
} overdue[] = {
	{ "10s 60s", "70s" }, /* Linux up to 7.0 */
	{ "2s", "3s" },	      /* Linux 7.1 */
};

TEST_CASE(overdue_reads, NULL, NULL, "amdgpu_overdue");

TEST_LOOP(overdue_reads, pipe_held_too_long, ARRAY_SIZE(overdue))
{
	struct counter_request asked;
	void *run;

	gpu_open();
	asked = gpu_request("TCC", 17, ALL);
	scene_set("job-timeout", overdue[_i].timeout);
	run = gpu_begin(&asked, 1);
	scene_set("hold-pipe", overdue[_i].held);
	gpu_sample_fails(run, -ECANCELED, "reset", "");
	scene_set("hold-pipe", "0ms");
	scene_set("job-timeout", "10s 60s");
	gpu_end(run);
	gpu_close();
}

/* Narrow counters that could not be read in time are not believed. */
TEST(mishaps, late_for_narrow_counters)
{
	const struct counter_request requests[] = { gpu_request("SDMA", 3, 0),
						    gpu_request("TCC", 17, 0) };
	void *run;

	gpu_count_only("SDMA.3 1000", "TCC.17 1000");
	run = gpu_begin(requests, 2);
	scene_pass(2000 * MS);
	gpu_expect(run, 2000);
	scene_pass(3000 * MS);
	gpu_sample_fails(run, -EIO, "wrapped", "");
	gpu_end(run);
	/* wide ones have all the time in the world */
	run = gpu_begin(&requests[1], 1);
	scene_pass(100000 * MS);
	gpu_expect(run, 100000);
	/* and narrow ones may join them then */
	scene_pass(100000 * MS);
	gpu_change(run, requests, 2);
	gpu_mark(run);
	scene_pass(2000 * MS);
	gpu_expect(run, 2000, 2000);
	gpu_end(run);
}

TEST(mishaps, a_gated_clock_fails_the_read)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error;
	void *run = gpu_begin(&asked, 1);

	/* for a moment it cannot be told */
	scene_set("gated-clock", "on");
	scene_pass(1000);
	ck_assert_int_eq(gpu_try_sample(run, &error), 0);
	scene_pass(MS);
	gpu_sample_fails(run, -ENODATA, "CPF.ALWAYS_COUNT",
			 "DRMPERF_CLOCK=profiling");
	/* what was missed does not come back with the clock */
	scene_set("gated-clock", "off");
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(run, &error), -ENODATA);
	gpu_end(run);
	run = gpu_begin(&asked, 1);
	scene_pass(MS);
	gpu_sample(run);
	gpu_end(run);
}

TEST_CASE(lost, NULL, NULL, "amdgpu_gone");

/* On a machine of its own: the GPU does not come back. */
TEST(lost, a_gpu_that_is_gone_fails_the_read)
{
	struct counter_request asked;
	struct drmperf_error error;
	void *run;

	gpu_open();
	asked = gpu_request("TCC", 17, ALL);
	run = gpu_begin(&asked, 1);
	scene_fault("gone:1");
	gpu_sample_fails(run, -ENODEV, "gone", "");
	ck_assert_int_eq(gpu.ops->stop(run, &error), -ENODEV);
	gpu.ops->disarm(run);
	gpu_close();
}

TEST_CASE(late, NULL, NULL, "amdgpu_late");

/* On a machine of its own, with narrow counters in other blocks. */
TEST(late, late_for_gfx11)
{
	struct counter_request asked;
	struct drmperf_error error;
	void *run;

	gpu_open();
	asked = gpu_request("SQ_WGP", 3, 0);
	run = gpu_begin(&asked, 1);
	scene_pass(3000 * MS);
	ck_assert_int_eq(gpu_try_sample(run, &error), -EIO);
	ck_assert_ptr_nonnull(strstr(error.remedy, "counters of SQ_WGP"));
	gpu_end(run);
	gpu_close();
}

/* Counters of gfx11 and later do not wrap: at the greatest value they stop. */
static const struct {
	const char *counts; /* in a second */
	uint64_t gained;    /* in a millisecond; 0: that is too much */
} fillings[] = {
	{ "SQ_WGP.3 4294967294000", 4294967294 },
	{ "SQ_WGP.3 4294967295000", 0 },
	/* from one half on they are cleared */
	{ "SQ_WGP.3 3000000000000", 3000000000 },
};

TEST_LOOP(late, a_saturated_counter_fails_the_read, ARRAY_SIZE(fillings))
{
	struct counter_request asked[2];
	struct drmperf_error error;
	void *run;

	gpu_open();
	asked[0] = gpu_request("GL2C", 3, 0);
	asked[1] = gpu_request("SQ_WGP", 3, 0);
	gpu_set_rates((const char *const[]){ "GRBM.0 1000000",
					     fillings[_i].counts, NULL });
	run = gpu_begin(asked, 1);
	gpu_change(run, asked, 2);
	gpu_mark(run);
	for (unsigned i = 1; i < 5; i++) {
		int ret;

		scene_pass(MS);
		ret = gpu_try_sample(run, &error);
		if (!fillings[_i].gained) {
			ck_assert_int_eq(ret, -EIO);
			ck_assert_msg(strstr(error.cause, "SQ_WGP.") &&
					      strstr(error.cause, "4294967295"),
				      "%s", error.cause);
			ck_assert_ptr_nonnull(strstr(error.remedy, "SQ_WGP."));
			break;
		}
		ck_assert_msg(!ret, "%s", error.cause);
		ck_assert_uint_eq(gpu_gained(1), i * fillings[_i].gained);
	}
	gpu_end(run);
	gpu_close_clean();
}

/* Without a clock mode most counters may stand still there. */
static const struct {
	const char *block, *fault, *mode;
	int ret;
} refusals[] = {
	{ "SQ", "ctx:1:EINVAL", NULL, -EINVAL },
	{ "SQ_WGP", "ctx:1:EINVAL", NULL, -EINVAL },
	{ "TCP", "ctx:1:EBUSY", NULL, -EBUSY },
	{ "GL2C", "ctx:1:EINVAL", NULL, -EINVAL },
	/* cards were seen to stop it, too (ROCm/rocm-systems #5953) */
	{ "GRBM", "ctx:1:EINVAL", NULL, -EINVAL },
	/* who does not want one gets none */
	{ "SQ", "cs:99:EIO", "default", 0 },
};

TEST_LOOP(late, a_refused_clock_mode_warns_or_fails, ARRAY_SIZE(refusals))
{
	struct counter_request asked;
	struct drmperf_error error = { 0 };
	void *run;
	int ret;

	if (refusals[_i].mode)
		setenv("DRMPERF_CLOCK", refusals[_i].mode, 1);
	gpu_open();
	asked = gpu_request(refusals[_i].block, 4, 0);
	run = gpu_arm(&asked, 1);
	scene_fault(refusals[_i].fault);
	ret = gpu.ops->start(run, &error);
	ck_assert_msg(ret == refusals[_i].ret, "%s: %d: %s", refusals[_i].block,
		      ret, error.cause);
	if (ret) {
		ck_assert_ptr_nonnull(strstr(error.cause, "clock mode"));
		ck_assert_ptr_nonnull(strstr(error.remedy, "sysfs"));
		/* which would lead to an error that advises profiling */
		ck_assert_ptr_null(strstr(error.remedy, "DRMPERF_CLOCK"));
		/* the next one is granted */
		gpu_start(run);
	}
	gpu_end(run);
	gpu_close();
	unsetenv("DRMPERF_CLOCK");
}

TEST_MACHINE("amdgpu_mishaps", "--gpu",
	     "vega10,copied-registers=work,"
	     "gating=all",
	     "--time", "virtual");
TEST_MACHINE("amdgpu_gone", "--gpu",
	     "vega10,copied-registers=work,"
	     "gating=all",
	     "--time", "virtual");
TEST_MACHINE("amdgpu_overdue", "--gpu",
	     "vega10,copied-registers=work,"
	     "gating=all",
	     "--time", "virtual");
TEST_GPUS("amdgpu_late", "navi31");

/* whose counters are narrow */
TEST_SETTING(DRMPERF_UNTESTED, "SDMA");
