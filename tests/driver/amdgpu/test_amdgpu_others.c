/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The amdgpu driver beside other users of the GPU: the clocks that they see,
 * registers that they write, GPUs that they count on, and children that have
 * ours from before they were forked.
 */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/amdgpu/checks/reset_check.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"
#include "tests/support/threads.h"

/* ------------------------------------------------------------------ */
/* Clocks                                                               */

/* Return the level that the kernel holds, as another context sees it. */
static uint32_t
power_state(amdgpu_device_handle other)
{
	amdgpu_context_handle context;
	uint32_t state = 99;

	ck_assert_int_eq(amdgpu_cs_ctx_create(other, &context), 0);
	ck_assert_int_eq(
		amdgpu_cs_ctx_stable_pstate(
			context, AMDGPU_CTX_OP_GET_STABLE_PSTATE, 0, &state),
		0);
	amdgpu_cs_ctx_free(context);
	return state;
}

static void *
arm_with_clock(enum drmperf_clock_mode clock)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	const struct run_options options = { .clock = clock };
	struct drmperf_error error = { 0 };
	void *run;

	ck_assert_msg(
		!gpu.ops->arm(gpu.device, &options, &asked, 1, &run, &error),
		"%s", error.cause);
	return run;
}

static amdgpu_device_handle
open_other(void)
{
	amdgpu_device_handle other;
	uint32_t major, minor;
	int fd = open(GPU_NODE, O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(amdgpu_device_initialize(fd, &major, &minor, &other),
			 0);
	close(fd);
	return other;
}

static const struct {
	enum drmperf_clock_mode asked;
	const char *environment;
	uint32_t state; /* while counting */
} clocks[] = {
	{ DRMPERF_CLOCK_AUTO, NULL, AMDGPU_CTX_STABLE_PSTATE_NONE },
	{ DRMPERF_CLOCK_AUTO, "", AMDGPU_CTX_STABLE_PSTATE_NONE },
	{ DRMPERF_CLOCK_AUTO, "auto", AMDGPU_CTX_STABLE_PSTATE_NONE },
	{ DRMPERF_CLOCK_AUTO, "profiling", AMDGPU_CTX_STABLE_PSTATE_STANDARD },
	{ DRMPERF_CLOCK_AUTO, "peak", AMDGPU_CTX_STABLE_PSTATE_PEAK },
	{ DRMPERF_CLOCK_DEFAULT, "peak", AMDGPU_CTX_STABLE_PSTATE_NONE },
	{ DRMPERF_CLOCK_PROFILING, NULL, AMDGPU_CTX_STABLE_PSTATE_STANDARD },
	{ DRMPERF_CLOCK_MIN_MEMORY, NULL, AMDGPU_CTX_STABLE_PSTATE_MIN_MCLK },
	{ DRMPERF_CLOCK_MIN_ENGINE, NULL, AMDGPU_CTX_STABLE_PSTATE_MIN_SCLK },
	{ DRMPERF_CLOCK_PEAK, NULL, AMDGPU_CTX_STABLE_PSTATE_PEAK },
};

TEST_CASE(others, gpu_open, gpu_close_clean, "amdgpu_others");

TEST_LOOP(others, the_clock_mode_is_set_while_counting, ARRAY_SIZE(clocks))
{
	amdgpu_device_handle other = open_other();
	struct drmperf_error error = { 0 };
	void *run;

	unsetenv("DRMPERF_CLOCK");
	if (clocks[_i].environment)
		setenv("DRMPERF_CLOCK", clocks[_i].environment, 1);
	run = arm_with_clock(clocks[_i].asked);
	ck_assert_uint_eq(power_state(other), AMDGPU_CTX_STABLE_PSTATE_NONE);
	ck_assert_msg(!gpu.ops->start(run, &error), "%s", error.cause);
	ck_assert_uint_eq(power_state(other), clocks[_i].state);
	/* it stays in between */
	gpu_stop(run);
	ck_assert_uint_eq(power_state(other), clocks[_i].state);
	ck_assert_int_eq(gpu.ops->start(run, &error), 0);
	gpu.ops->disarm(run);
	ck_assert_uint_eq(power_state(other), AMDGPU_CTX_STABLE_PSTATE_NONE);
	amdgpu_device_deinitialize(other);
	unsetenv("DRMPERF_CLOCK");
}

TEST(others, unknown_clock_mode)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error = { 0 };
	void *run;

	setenv("DRMPERF_CLOCK", "fast", 1);
	gpu_failed(gpu_try_arm(&asked, 1, &run, &error), -EINVAL, &error,
		   "fast", "profiling");
	unsetenv("DRMPERF_CLOCK");
}

/* A reset does not keep us from giving the clocks back. */
TEST(others, clocks_after_reset)
{
	amdgpu_device_handle other = open_other();
	struct drmperf_error error = { 0 };
	void *run;

	run = arm_with_clock(DRMPERF_CLOCK_PROFILING);
	ck_assert_int_eq(gpu.ops->start(run, &error), 0);
	scene_pass(MS);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(run, &error), -ECANCELED);
	gpu_stop(run);
	gpu.ops->disarm(run);
	ck_assert_uint_eq(power_state(other), AMDGPU_CTX_STABLE_PSTATE_NONE);
	amdgpu_device_deinitialize(other);
}

TEST(others, clocks_held_by_another)
{
	amdgpu_device_handle other = open_other();
	amdgpu_context_handle context;
	struct drmperf_error error = { 0 };
	uint32_t state;
	void *run;

	ck_assert_int_eq(amdgpu_cs_ctx_create(other, &context), 0);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 context, AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				 AMDGPU_CTX_STABLE_PSTATE_PEAK, &state),
			 0);
	run = arm_with_clock(DRMPERF_CLOCK_PROFILING);
	gpu_failed(gpu.ops->start(run, &error), -EBUSY, &error, "profiling",
		   "");
	gpu.ops->disarm(run);
	ck_assert_uint_eq(power_state(other), AMDGPU_CTX_STABLE_PSTATE_PEAK);
	ck_assert_int_eq(amdgpu_cs_ctx_stable_pstate(
				 context, AMDGPU_CTX_OP_SET_STABLE_PSTATE,
				 AMDGPU_CTX_STABLE_PSTATE_NONE, &state),
			 0);
	amdgpu_cs_ctx_free(context);
	amdgpu_device_deinitialize(other);
}

/* ------------------------------------------------------------------ */
/* Registers                                                            */

/* Submit another program's commands on the same ring. */
static void
submit_other(amdgpu_device_handle other, const uint32_t *dwords, size_t count)
{
	struct amdgpu_bo_alloc_request memory = {
		.alloc_size = 4096,
		.phys_alignment = 4096,
		.preferred_heap = AMDGPU_GEM_DOMAIN_GTT,
	};
	struct amdgpu_cs_ib_info ib = { .size = (uint32_t)count };
	struct amdgpu_cs_request request_ = { .ip_type = AMDGPU_HW_IP_COMPUTE,
					      .number_of_ibs = 1,
					      .ibs = &ib };
	struct amdgpu_cs_fence fence = { .ip_type = AMDGPU_HW_IP_COMPUTE };
	amdgpu_context_handle context;
	amdgpu_va_handle range;
	amdgpu_bo_handle bo;
	uint32_t expired;
	void *memory_of;

	ck_assert_int_eq(amdgpu_cs_ctx_create(other, &context), 0);
	ck_assert_int_eq(amdgpu_bo_alloc(other, &memory, &bo), 0);
	ck_assert_int_eq(
		amdgpu_va_range_alloc(other, amdgpu_gpu_va_range_general, 4096,
				      0, 0, &ib.ib_mc_address, &range, 0),
		0);
	ck_assert_int_eq(amdgpu_bo_va_op(bo, 0, 4096, ib.ib_mc_address, 0,
					 AMDGPU_VA_OP_MAP),
			 0);
	ck_assert_int_eq(amdgpu_bo_cpu_map(bo, &memory_of), 0);
	memcpy(memory_of, dwords, count * sizeof(*dwords));
	ck_assert_int_eq(
		amdgpu_bo_list_create(other, 1, &bo, NULL, &request_.resources),
		0);
	ck_assert_int_eq(amdgpu_cs_submit(context, 0, &request_, 1), 0);
	fence.context = context;
	fence.fence = request_.seq_no;
	ck_assert_int_eq(
		amdgpu_cs_query_fence_status(&fence, 1000 * MS, 0, &expired),
		0);
	ck_assert(expired);
	amdgpu_bo_list_destroy(request_.resources);
	amdgpu_bo_va_op(bo, 0, 4096, ib.ib_mc_address, 0, AMDGPU_VA_OP_UNMAP);
	amdgpu_bo_cpu_unmap(bo);
	amdgpu_va_range_free(range);
	amdgpu_bo_free(bo);
	amdgpu_cs_ctx_free(context);
}

#define UCONFIG(offset, value) 0xc0017900, (offset), (value)
#define NOP 0xffff1000

/* What another tool writes while we count SQ, TCC and TCC. */
static const struct {
	uint32_t commands[8];
	const char *cause;
} thefts[] = {
	/* everything to zero */
	{ { UCONFIG(0x1808, 0), NOP, NOP, NOP, NOP, NOP },
	  "another profiler took the counters, or" },
	/* stopped, not cleared */
	{ { UCONFIG(0x1808, 0x402), NOP, NOP, NOP, NOP, NOP },
	  "another profiler took the counters: CP_PERFMON_CNTL became 0x402" },
	/* another event in one of our counters */
	{ { UCONFIG(0x1b82, 4), NOP, NOP, NOP, NOP, NOP },
	  "another profiler took the counters: select 1 of TCC became 0x4" },
	{ { UCONFIG(0x19c0, 0x0f0ff005), NOP, NOP, NOP, NOP, NOP },
	  "another profiler took the counters: select 0 of SQ became "
	  "0xf0ff005" },
	/* another shader stage */
	{ { UCONFIG(0x19e0, 0x40), NOP, NOP, NOP, NOP, NOP },
	  "another profiler took the counters: SQ_PERFCOUNTER_CTRL became" },
	/* who does not let himself be counted is not */
	{ { UCONFIG(0x19e2, 0), NOP, NOP, NOP, NOP, NOP },
	  "the counters, or the graphics core lost power: "
	  "SQ_PERFCOUNTER_CTRL2 became 0x0" },
	{ { UCONFIG(0x19e1, 0xffff), NOP, NOP, NOP, NOP, NOP },
	  "took the counters: SQ_PERFCOUNTER_MASK became 0xffff" },
};

static void *
begin_counting(void)
{
	const struct counter_request asked[] = { gpu_request("SQ", 4, ALL),
						 gpu_request("TCC", 17, ALL),
						 gpu_request("TCC", 3, ALL) };

	return gpu_begin(asked, ARRAY_SIZE(asked));
}

/* Found out at once, or as soon as all selects have had their turn. */
TEST_LOOP(others, overwritten_registers_are_found, ARRAY_SIZE(thefts))
{
	amdgpu_device_handle other = open_other();
	struct drmperf_error error;
	void *run;
	int ret = 0;

	/* or what another ring has written could not be seen */
	scene_set("sq-control", "owned");
	run = begin_counting();
	scene_pass(10 * MS);
	gpu_sample(run);
	submit_other(other, thefts[_i].commands, 8);
	for (int i = 0; !ret && i < 4; i++) {
		scene_pass(MS);
		ret = gpu_try_sample(run, &error);
	}
	ck_assert_int_eq(ret, -EIO);
	ck_assert_msg(strstr(error.cause, thefts[_i].cause), "%s",
		      error.cause);
	ck_assert_ptr_nonnull(strstr(error.remedy, "no other profiler"));
	gpu_end(run);
	amdgpu_device_deinitialize(other);
}

/* A process that came later sees it, too. */
TEST(others, theft_beside_others)
{
	const struct counter_request asked = gpu_request("TCC", 3, ALL);
	amdgpu_device_handle other = open_other();
	struct drmperf_error error;
	void *first = begin_counting();
	void *second = gpu_begin(&asked, 1);

	scene_pass(10 * MS);
	gpu_sample(second);
	submit_other(other, thefts[2].commands, 8);
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(second, &error), -EIO);
	ck_assert_msg(strstr(error.cause, thefts[2].cause), "%s", error.cause);
	gpu_end(second);
	gpu_end(first);
	amdgpu_device_deinitialize(other);
}

/* A change does not hide it of what is counted. */
TEST(others, theft_before_change)
{
	const struct counter_request asked[] = { gpu_request("SQ", 4, ALL),
						 gpu_request("TCC", 17, ALL),
						 gpu_request("TCC", 3, ALL),
						 gpu_request("TA", 6, ALL) };
	amdgpu_device_handle other = open_other();
	struct drmperf_error error = { 0 };
	void *run = begin_counting();

	scene_pass(10 * MS);
	submit_other(other, thefts[2].commands, 8);
	ck_assert_int_eq(gpu.ops->change(run, asked, ARRAY_SIZE(asked), &error),
			 -EIO);
	ck_assert_msg(strstr(error.cause, thefts[2].cause), "%s", error.cause);
	gpu_end(run);
	amdgpu_device_deinitialize(other);
}

/*
 * Counters that another tool has set back to 0, and that have counted more
 * since than they had before: each of them alone looks right.
 */
static const uint32_t reset[] = { UCONFIG(0x1808, 0), UCONFIG(0x1808, 1), NOP,
				  NOP };

/*
 * Begin resets. Commands take time, and the program that resets takes nothing
 * else away.
 */
static void
begin_resets(void)
{
	scene_set("packet-time", "20ns");
	scene_set("sq-control", "shared");
	gpu_count_only("TCC.17 1000000", "GRBM.0 1/clock", "CPF.0 1/clock");
}

static void
end_resets(void)
{
	scene_set("packet-time", "0");
	/* what commands took is behind everybody */
	scene_pass(MS);
	scene_set("sq-control", "owned");
	scene_set("default", "formula");
}

static void
expect_reset(int ret, const struct drmperf_error *error)
{
	ck_assert_int_eq(ret, -EIO);
	ck_assert_msg(strstr(error->cause, "went backwards") != NULL, "%s",
		      error->cause);
	ck_assert_ptr_nonnull(strstr(error->remedy, "no other profiler"));
}

/* What others count, and in how many samples before it. */
static const struct {
	const char *block;
	uint32_t id;
	unsigned samples;
} resets[] = {
	{ "TCC", 17, 0 },
	{ "TCC", 17, 1 },
	{ "TCC", 17, 3 },
	/*
	 * the core clock's event is asked for, and the reset check lies beside
	 * it
	 */
	{ "GRBM", 0, 0 },
	{ "GRBM", 2, 1 },
	{ "CPF", 0, 0 },
};

TEST_LOOP(others, reset_between_samples, ARRAY_SIZE(resets))
{
	const struct counter_request asked[] = {
		gpu_request(resets[_i].block, resets[_i].id, ALL),
		gpu_request("TCC", 17, ALL)
	};
	amdgpu_device_handle other = open_other();
	struct drmperf_error error = { 0 };
	void *run;

	begin_resets();
	run = gpu_begin(asked, ARRAY_SIZE(asked));
	for (unsigned i = 0; i < resets[_i].samples; i++) {
		scene_pass(MS);
		gpu_sample(run);
	}
	submit_other(other, reset, ARRAY_SIZE(reset));
	scene_pass(100 * MS);
	expect_reset(gpu_try_sample(run, &error), &error);
	gpu_end(run);
	end_resets();
	/* the next one counts */
	gpu_count_only("TCC.17 1000000");
	run = gpu_begin(&asked[1], 1);
	scene_pass(MS);
	gpu_sample(run);
	ck_assert_uint_eq(gpu_gained(0), 1000);
	gpu_end(run);
	scene_set("default", "formula");
	amdgpu_device_deinitialize(other);
}

/* A process that came later sees it as well, and so does one that changes. */
TEST_LOOP(others, reset_beside_others, 2)
{
	const struct counter_request asked[] = { gpu_request("TCC", 17, ALL),
						 gpu_request("TCC", 3, ALL) };
	amdgpu_device_handle other = open_other();
	struct drmperf_error error = { 0 };
	void *first, *second;

	begin_resets();
	first = gpu_begin(asked, 1);
	second = gpu_begin(asked, 1);
	submit_other(other, reset, ARRAY_SIZE(reset));
	scene_pass(100 * MS);
	if (_i)
		expect_reset(gpu.ops->change(second, asked, 2, &error), &error);
	else
		expect_reset(gpu_try_sample(second, &error), &error);
	ck_assert_int_eq(gpu_try_sample(first, &error), -ECANCELED);
	gpu_end(second);
	gpu_end(first);
	end_resets();
	amdgpu_device_deinitialize(other);
}

/* The reset check takes no slot that anybody wants, and is no trouble then. */
TEST(others, reset_check_gives_way)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	const struct counter_request blocks[] = {
		gpu_request("CPF", 2, ALL), gpu_request("CPF", 3, ALL),
		gpu_request("CPC", 2, ALL), gpu_request("CPC", 3, ALL),
		gpu_request("CPG", 2, ALL), gpu_request("CPG", 3, ALL),
		gpu_request("GRBM", 2, ALL),
	};
	void *first, *second;

	begin_resets();
	/* so that it overtakes what the reset check's other counter has */
	scene_set("rate", "GRBM.2 4/clock");
	first = gpu_begin(&asked, 1);
	second = gpu_begin(blocks, ARRAY_SIZE(blocks));
	for (unsigned i = 0; i < 3; i++) {
		scene_pass(MS);
		gpu_sample(second);
		gpu_sample(first);
	}
	gpu_end(first);
	gpu_end(second);
	end_resets();
}

/*
 * Where a select that is written while counters run has no effect, that is
 * found out before anybody relies on it, at once or by an earlier sample.
 */
TEST_LOOP(others, selects_that_wait, 4)
{
	const struct counter_request asked[] = { gpu_request("TCC", 17, ALL),
						 gpu_request("TCC", 3, ALL) };
	struct drmperf_error error = { 0 };
	void *first, *second;

	begin_resets();
	scene_set("running-select", "ignored");
	first = gpu_arm(asked, 1);
	ck_assert_int_eq(gpu.ops->start(first, &error), 0);
	scene_pass(MS);
	if (_i & 1)
		gpu_sample(first);
	if (_i & 2) {
		ck_assert_int_eq(gpu.ops->change(first, asked, 2, &error),
				 -EBUSY);
	} else {
		second = gpu_arm(&asked[1], 1);
		ck_assert_int_eq(gpu.ops->start(second, &error), -EBUSY);
		gpu.ops->disarm(second);
	}
	ck_assert_msg(strstr(error.cause, "does not select other events"), "%s",
		      error.cause);
	/* what others count is not disturbed */
	gpu_mark(first);
	scene_pass(MS);
	gpu_sample(first);
	ck_assert_uint_ge(gpu_gained(0), 990);
	gpu_end(first);
	scene_set("running-select", "works");
	/* together they count */
	first = gpu_begin(asked, 2);
	second = gpu_begin(&asked[1], 1);
	gpu_end(second);
	gpu_end(first);
	end_resets();
}

static const struct {
	int32_t began, now;
	enum reset_check_state state;
} reset_checks[] = {
	{ 100, 100, RESET_CHECK_OK },
	{ 100, 75, RESET_CHECK_OK },
	{ 100, 74, RESET_CHECK_UNRELIABLE },
	{ 100, 26, RESET_CHECK_UNRELIABLE },
	{ 100, 25, RESET_CHECK_RESET },
	{ 100, 0, RESET_CHECK_RESET },
	{ 100, -25, RESET_CHECK_RESET },
	{ 100, -26, RESET_CHECK_UNRELIABLE },
	{ 100, 126, RESET_CHECK_UNRELIABLE },
	{ -100, -125, RESET_CHECK_OK },
	{ -100, 0, RESET_CHECK_RESET },
	{ -100, 100, RESET_CHECK_UNRELIABLE },
	{ INT32_MIN, INT32_MIN, RESET_CHECK_OK },
	{ INT32_MIN, 0, RESET_CHECK_RESET },
	{ INT32_MIN, INT32_MAX, RESET_CHECK_UNRELIABLE },
	{ 1, 1, RESET_CHECK_OK },
	{ 1, 0, RESET_CHECK_RESET },
};

TEST_LOOP(others, reset_check_states, ARRAY_SIZE(reset_checks))
{
	ck_assert_int_eq(
		reset_check_look(reset_checks[_i].began, reset_checks[_i].now),
		reset_checks[_i].state);
}

/* Whose two counters do not count alike is believed no more. */
TEST(others, reset_check_is_wrong)
{
	static const uint32_t idle[] = {
		UCONFIG(0x1841, 1), /* GRBM_PERFCOUNTER1_SELECT */
		NOP, NOP, NOP, NOP, NOP
	};
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	amdgpu_device_handle other = open_other();
	void *run;

	begin_resets();
	run = gpu_begin(&asked, 1);
	submit_other(other, idle, ARRAY_SIZE(idle));
	for (unsigned i = 0; i < 4; i++) {
		scene_pass(1000 * MS);
		gpu_sample(run);
	}
	gpu_end(run);
	end_resets();
	amdgpu_device_deinitialize(other);
}

/* ------------------------------------------------------------------ */
/* Tools that count and do not share                                    */

static void
open_alone(void)
{
	setenv("DRMPERF_SHARE", "0", 1);
	gpu_open();
}

static void
close_alone(void)
{
	gpu_close_clean();
	unsetenv("DRMPERF_SHARE");
}

TEST_CASE(alone, open_alone, close_alone, "amdgpu_others");

TEST(alone, a_second_handle_of_a_process_is_busy)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error = { 0 };
	void *run = gpu_arm(&asked, 1), *second;
	char pid[32];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	gpu_failed(gpu_try_arm(&asked, 1, &second, &error), -EBUSY, &error, pid,
		   "");
	ck_assert_ptr_nonnull(strstr(error.cause, "this process"));
	gpu.ops->disarm(run);
	gpu_end(gpu_begin(&asked, 1));
}

/* A child that counts; whether it has let go of the parent's GPU or not. */
TEST_LOOP(alone, another_process_of_the_parents_gpu_counts, 2)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error = { 0 };
	struct child child;
	void *run;
	char text[64];
	pid_t pid;

	if (child_fork(&child)) {
		if (_i)
			amdgpu_driver.abandon(gpu.device);
		if (gpu_try_open(&gpu_target, &error))
			_exit(1);
		gpu_begin(&asked, 1);
		child_hold(&child);
	}
	pid = child_await_hold(&child);
	snprintf(text, sizeof(text), "pid %d", (int)pid);
	gpu_failed(gpu_try_arm(&asked, 1, &run, &error), -EBUSY, &error, text,
		   "");
	ck_assert_ptr_nonnull(strstr(error.cause, GPU_NODE));
	child_kill(pid);
	/* What it left behind does not matter. */
	scene_set("rate", "TCC.17 1000");
	run = gpu_begin(&asked, 1);
	scene_pass(3 * MS);
	gpu_expect(run, 3);
	gpu_end(run);
}

/* ------------------------------------------------------------------ */
/* Children                                                             */

/* Calls while the parent, whose thread may be at work, stands still. */
static uint64_t
calls_without_parent(void)
{
	uint64_t before, after = gpu_calls();

	kill(getppid(), SIGSTOP);
	threads_await_stop(getppid());
	/* and the last one has been answered */
	do {
		before = after;
		after = gpu_calls();
	} while (after != before);
	return after;
}

/* A child that lets go of everything is not felt by its parent. */
TEST(others, fork_and_abandon)
{
	const struct counter_request requests[] = { gpu_request("TCC", 17, ALL),
						    gpu_request("SDMA", 3, 0) };
	void *run;
	uint64_t ioctls;
	int status;
	pid_t pid;

	scene_set("rate", "TCC.17 1000");
	run = gpu_begin(requests, 2);
	scene_pass(MS);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		ioctls = calls_without_parent();
		gpu.ops->abandon(run);
		amdgpu_driver.abandon(gpu.device);
		description_finish(&gpu.description);
		status = gpu_calls() != ioctls;
		kill(getppid(), SIGCONT);
		_exit(status);
	}
	child_join(pid);
	scene_pass(MS);
	gpu_expect(run, 2);
	gpu_end(run);
}

/* A child that uses the GPU by itself has a file of its own. */
TEST(alone, fork_and_count)
{
	const struct counter_request asked = gpu_request("TCC", 17, ALL);
	struct drmperf_error error = { 0 };
	struct child child;
	void *run;

	scene_set("rate", "TCC.17 1000");
	run = gpu_begin(&asked, 1);
	scene_pass(MS);
	if (child_fork(&child)) {
		struct gpu parents = gpu;
		void *parents_run = run;

		/* without letting go of the parent's first */
		if (gpu_try_open(&gpu_target, &error))
			_exit(1);
		if (gpu_try_arm(&asked, 1, &run, &error) != -EBUSY)
			_exit(2);
		child_tell(&child);
		child_await(&child);
		run = gpu_begin(&asked, 1);
		scene_pass(5 * MS);
		gpu_sample(run);
		gpu_end(run);
		gpu_close();
		gpu.ops->abandon(parents_run);
		amdgpu_driver.abandon(parents.device);
		description_finish(&parents.description);
		_exit(gpu_gained(0) == 5 ? 0 : 3);
	}
	child_await(&child);
	scene_pass(MS);
	gpu_expect(run, 2);
	gpu_end(run);
	child_tell(&child);
	child_finish(&child);
	gpu_end(gpu_begin(&asked, 1));
}

TEST_CASE(clock, gpu_open, gpu_close_clean, "amdgpu_others_clock");

/* What RLC_PERFMON_CLK_CNTL was is not ours to change: drmsim would tell. */
TEST_LOOP(clock, the_clock_control_is_left_as_found, 2)
{
	const struct counter_request asked = gpu_request("SPI", 3, ALL);
	void *run;

	gpu_count_only("SPI.3 3000");
	/* or the kernel would write it in the end */
	setenv("DRMPERF_CLOCK", "default", 1);
	scene_set("found-clock", _i ? "on" : "off");
	run = gpu_begin(&asked, 1);
	scene_pass(MS);
	gpu_expect(run, 3);
	gpu_change(run, &asked, 1);
	gpu_end(run);
}

TEST_CASE(sync, gpu_open, gpu_close_clean, "amdgpu_others_sync");

/*
 * gfx12: the bit that shows a sample is one that hides nothing, where it is
 * kept, and nothing waits for one that is not.
 */
TEST_LOOP(sync, the_sync_bit_is_one_that_is_kept, 2)
{
	const struct counter_request asked = gpu_request("SQ", 7, ALL);
	uint64_t first, second;
	void *run;

	gpu_count_only("SQ.7 3000");
	scene_set("sync-bit", _i ? "absent" : "works");
	first = gpu_calls();
	run = gpu_begin(&asked, 1);
	first = gpu_calls() - first;
	scene_pass(MS);
	gpu_expect(run, 3);
	gpu_end(run);
	/* it is tried once */
	second = gpu_calls();
	run = gpu_begin(&asked, 1);
	second = gpu_calls() - second;
	ck_assert_uint_lt(second, first);
	gpu_end(run);
}

TEST_GPUS("amdgpu_others", "vega10,copied-registers=work");
TEST_GPUS("amdgpu_others_sync", "navi48");
/* where the switch is a register's */
TEST_GPUS("amdgpu_others_clock", "polaris10", "vega12", "vega20", "mi100",
	  "mi200", "navi10", "navi21");

/* whose counters are narrow */
TEST_SETTING(DRMPERF_UNTESTED, "SDMA");
