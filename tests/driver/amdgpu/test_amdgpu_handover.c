/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that count on one GPU, on each generation, and end in each way: in
 * those that go on no value changes. A clock that another program has switched
 * off is an error.
 *
 * The event counts once in a nanosecond, so that a sample tells by itself, with
 * the GPU's clock beside it, whether it is whole: in real time as well.
 */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "driver/share/fd_passing.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* What a sample may be off: the GPU reads its clock and counters in turn. */
#define SLACK_NS 100000

static void
pass_time(uint64_t ns)
{
	const struct timespec pause = { .tv_nsec = (long)ns };

	if (drmsim_advance(ns) == -EINVAL)
		nanosleep(&pause, NULL);
}

/* Counts once in a nanosecond. */
static struct counter_request
choose_event(void)
{
	for (group_index i = 0; i < gpu.description.group_count; i++) {
		if (strcmp(gpu.description.groups[i].name, "GL2C"))
			continue;
		scene_set("rate", "GL2C.3 1000000000");
		return gpu_request("GL2C", 3, 0);
	}
	scene_set("rate", "TCC.17 1000000000");
	return gpu_request("TCC", 17, 0);
}

static uint64_t
gpu_ns(void *run)
{
	struct driver_origin origin;

	gpu.ops->origin(run, &origin);
	ck_assert_uint_ne(origin.hz, 0);
	return origin.clock / origin.hz * 1000000000 +
	       origin.clock % origin.hz * 1000000000 / origin.hz;
}

/* A run, and the GPU's time of its base line. */
struct counting {
	void *run;
	uint64_t before, since_ns, last_ns;
};

static void
begin_counting(struct counting *counting, const struct counter_request *asked)
{
	counting->run = gpu_begin(asked, 1);
	counting->before = gpu_now[0];
	counting->since_ns = counting->last_ns = gpu_ns(counting->run);
}

/* Expect a whole count, at least that long after the last one. */
static void
expect_whole(struct counting *counting, uint64_t passed_ns, const char *when)
{
	struct drmperf_error error;
	uint64_t now, gained, elapsed;

	ck_assert_msg(!gpu_try_sample(counting->run, &error), "%s: %s", when,
		      error.cause);
	now = gpu_ns(counting->run);
	gained = gpu_now[0] - counting->before;
	elapsed = now - counting->since_ns;
	ck_assert_uint_ge(now - counting->last_ns + SLACK_NS, passed_ns);
	ck_assert_msg(gained + SLACK_NS >= elapsed &&
			      gained <= elapsed + SLACK_NS,
		      "%s: %" PRIu64 " counted in %" PRIu64 " ns", when, gained,
		      elapsed);
	counting->last_ns = now;
}

/* ------------------------------------------------------------------ */
/* Another process                                                      */

enum way {
	STOP,
	EXIT,
	KILL,
	WAYS
};

static const char *const way_names[WAYS] = { "stop", "exit", "kill -9" };

static _Noreturn void
be_other(const struct child *self, enum way way)
{
	struct drmperf_error error;
	struct counter_request asked;
	void *run;

	if (gpu_try_open(&gpu_target, &error))
		_exit(1);
	asked = choose_event();
	run = gpu_begin(&asked, 1);
	child_tell(self);
	child_hears(self);
	if (way == EXIT)
		child_end(0);
	gpu_end(run);
	gpu_close();
	child_end(0);
}

static void
start_other(struct child *other, enum way way)
{
	if (child_fork(other))
		be_other(other, way);
	child_await(other);
}

static void
end_other(struct child *other, enum way way)
{
	if (way != KILL) {
		child_finish(other);
		return;
	}
	child_kill(other->pid);
	close(other->line);
}

/* ------------------------------------------------------------------ */

static const struct {
	const char *clock; /* DRMPERF_CLOCK */
	bool first; /* the one that ends began first, and took the mode */
	enum way way;
} ends[] = {
	{ NULL, true, STOP },	      { NULL, true, EXIT },
	{ NULL, true, KILL },	      { NULL, false, STOP },
	{ NULL, false, EXIT },	      { NULL, false, KILL },
	{ "profiling", true, STOP },  { "profiling", true, EXIT },
	{ "profiling", true, KILL },  { "profiling", false, STOP },
	{ "profiling", false, EXIT }, { "profiling", false, KILL },
};

TEST_CASE(every_generation, NULL, NULL, "handover_free", "handover_cleared",
	  "handover_needed");

/* One process ends, then another that has got the mode from this one. */
TEST_LOOP(every_generation, ends_of_others, ARRAY_SIZE(ends))
{
	const enum way way = ends[_i].way;
	struct counting counting;
	struct counter_request asked;
	struct child other;

	unsetenv("DRMPERF_CLOCK");
	if (ends[_i].clock)
		setenv("DRMPERF_CLOCK", ends[_i].clock, 1);
	if (ends[_i].first)
		start_other(&other, way);
	gpu_open();
	asked = choose_event();
	begin_counting(&counting, &asked);
	pass_time(5 * MS);
	expect_whole(&counting, 5 * MS, "before");
	if (!ends[_i].first)
		start_other(&other, way);
	pass_time(5 * MS);
	expect_whole(&counting, 5 * MS, "next to the other");
	pass_time(5 * MS);
	end_other(&other, way);
	pass_time(5 * MS);
	expect_whole(&counting, 10 * MS, way_names[way]);
	start_other(&other, way);
	pass_time(5 * MS);
	end_other(&other, way);
	for (int i = 0; i < 3; i++) {
		pass_time(5 * MS);
		expect_whole(&counting, 5 * MS, "after the second");
	}
	gpu_end(counting.run);
	gpu_close_clean();
	ck_assert_uint_eq(gpu_power_state(), AMDGPU_CTX_STABLE_PSTATE_NONE);
	unsetenv("DRMPERF_CLOCK");
}

/* All of a crowd end, the one that counts longest last. */
TEST(every_generation, ends_of_many)
{
	struct counting counting;
	struct counter_request asked;
	struct child others[3];

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		start_other(&others[i], (enum way)(i % WAYS));
	gpu_open();
	asked = choose_event();
	begin_counting(&counting, &asked);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		pass_time(2 * MS);
		end_other(&others[i], (enum way)(i % WAYS));
		pass_time(2 * MS);
		expect_whole(&counting, 4 * MS, way_names[i % WAYS]);
	}
	gpu_end(counting.run);
	gpu_close_clean();
}

/* ------------------------------------------------------------------ */
/* A process that has no render node                                    */

static bool
is_of_node(int fd, const struct stat *node)
{
	struct stat status;

	return !fstat(fd, &status) && status.st_dev == node->st_dev &&
	       status.st_ino == node->st_ino;
}

/* A test has few files, and a million may be allowed. */
#define MOST_FILES 256

static void
close_node(const struct stat *node)
{
	for (int fd = 0; fd < MOST_FILES; fd++) {
		if (is_of_node(fd, node))
			close(fd);
	}
}

/* Fetch everything that there is at the socket of the clock mode. */
static int
fetch_mode(const struct stat *node, int passed[2])
{
	const struct fd_secret none = { 0 };
	char name[FD_SERVER_NAME_SIZE];

	snprintf(name, sizeof(name), "drmperf-clock-%u-%jx-%jx",
		 (unsigned)geteuid(), (uintmax_t)node->st_dev,
		 (uintmax_t)node->st_ino);
	return fd_client_fetch(name, &none, passed, 2, 60000);
}

/* Be without the node, with which nothing is given but the node of the mode. */
static _Noreturn void
be_without_node(void)
{
	struct stat node;
	int passed[2];

	if (stat(GPU_NODE, &node))
		child_end(1);
	close_node(&node);
	if (fetch_mode(&node, passed) != -EAGAIN)
		child_end(2);
	if (open(GPU_NODE, O_RDWR | O_CLOEXEC) < 0)
		child_end(3);
	if (fetch_mode(&node, passed))
		child_end(4);
	child_end(is_of_node(passed[0], &node) ? 0 : 5);
}

TEST(every_generation, a_process_without_the_node_disturbs_none)
{
	struct counting counting;
	struct counter_request asked;
	pid_t pid;

	setenv("DRMPERF_CLOCK", "profiling", 1);
	gpu_open();
	asked = choose_event();
	begin_counting(&counting, &asked);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		child_begin();
		be_without_node();
	}
	child_join(pid);
	pass_time(5 * MS);
	expect_whole(&counting, 5 * MS, "after a process without the node");
	gpu_end(counting.run);
	gpu_close_clean();
	unsetenv("DRMPERF_CLOCK");
}

/* ------------------------------------------------------------------ */
/* Another program                                                      */

struct program {
	amdgpu_device_handle device;
	amdgpu_context_handle context;
};

static int
try_state(const struct program *program, uint32_t state)
{
	return amdgpu_cs_ctx_stable_pstate(
		program->context, AMDGPU_CTX_OP_SET_STABLE_PSTATE, state, NULL);
}

static void
open_program(struct program *program)
{
	uint32_t major, minor;
	int fd = open(GPU_NODE, O_RDWR | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(
		amdgpu_device_initialize(fd, &major, &minor, &program->device),
		0);
	close(fd);
	ck_assert_int_eq(
		amdgpu_cs_ctx_create(program->device, &program->context), 0);
}

static void
close_program(struct program *program)
{
	amdgpu_cs_ctx_free(program->context);
	amdgpu_device_deinitialize(program->device);
}

static void
expect_stood_still(void *run)
{
	struct drmperf_error error;

	gpu_failed(gpu_try_sample(run, &error), -ENODATA, &error,
		   "the clock of the counters", "");
	ck_assert_str_ne(error.remedy, "");
	/* until it is stopped */
	ck_assert_int_eq(gpu_try_sample(run, &error), -ENODATA);
}

/* End, under it, the mode that it holds while counters run. */
static void
end_mode_under(struct counting *counting, struct program *program)
{
	struct counter_request asked;

	open_program(program);
	ck_assert_int_eq(try_state(program, AMDGPU_CTX_STABLE_PSTATE_STANDARD),
			 0);
	gpu_open();
	asked = choose_event();
	begin_counting(counting, &asked);
	pass_time(5 * MS);
	expect_whole(counting, 5 * MS, "in the program's mode");
	pass_time(5 * MS);
	ck_assert_int_eq(try_state(program, AMDGPU_CTX_STABLE_PSTATE_NONE), 0);
	pass_time(5 * MS);
}

/*
 * Begin again. From here on the mode is held by those that count, where one is
 * needed.
 */
static void
begin_again(struct counting *counting, struct program *program)
{
	gpu_stop(counting->run);
	gpu_start(counting->run);
	counting->before = gpu_now[0];
	counting->since_ns = counting->last_ns = gpu_ns(counting->run);
	pass_time(5 * MS);
	expect_whole(counting, 5 * MS, "in a mode of its own");
	gpu_end(counting->run);
	gpu_close();
	close_program(program);
	/*
	 * Linux 6.1 may have put the program's mode back at the end of contexts
	 * that were made in it; nothing but sysfs ends it then.
	 */
	scene_set("performance-level", "auto");
}

TEST_CASE(gfx11_and_later, NULL, NULL, "handover_needed");

TEST(gfx11_and_later, mode_ends_that_is_needed)
{
	struct counting counting;
	struct program program;

	end_mode_under(&counting, &program);
	expect_stood_still(counting.run);
	begin_again(&counting, &program);
}

/* Where nothing holds a mode, all but a few events stand still. */
TEST(gfx11_and_later, no_mode_at_all)
{
	struct counter_request asked;
	struct drmperf_error error = { 0 };
	void *run;

	setenv("DRMPERF_CLOCK", "default", 1);
	gpu_open();
	asked = choose_event();
	run = gpu_arm(&asked, 1);
	ck_assert_int_eq(gpu.ops->start(run, &error), 0);
	pass_time(5 * MS);
	gpu_sample_fails(run, -ENODATA, "CPF.ALWAYS_COUNT",
			 "DRMPERF_CLOCK=profiling");
	gpu_end(run);
	gpu_close_clean();
	unsetenv("DRMPERF_CLOCK");
}

TEST_CASE(gfx8_and_gfx9, NULL, NULL, "handover_free");
TEST_CASE(gfx10, NULL, NULL, "handover_cleared");

TEST(gfx8_and_gfx9, mode_ends_that_is_not_needed)
{
	struct counting counting;
	struct program program;

	end_mode_under(&counting, &program);
	expect_whole(&counting, 10 * MS, "after the program's mode");
	begin_again(&counting, &program);
}
TEST_ALSO(gfx10, mode_ends_that_is_not_needed, 1);

/* Begin a session that takes a mode while others count without one. */
static void
begin_mode_under(struct counting *counting, struct program *program)
{
	struct counter_request asked;

	setenv("DRMPERF_CLOCK", "default", 1);
	open_program(program);
	gpu_open();
	asked = choose_event();
	begin_counting(counting, &asked);
	pass_time(5 * MS);
	expect_whole(counting, 5 * MS, "without a mode");
	pass_time(5 * MS);
	ck_assert_int_eq(try_state(program, AMDGPU_CTX_STABLE_PSTATE_STANDARD),
			 0);
	pass_time(5 * MS);
}

static void
end_program(struct counting *counting, struct program *program)
{
	gpu_end(counting->run);
	ck_assert_int_eq(try_state(program, AMDGPU_CTX_STABLE_PSTATE_NONE), 0);
	gpu_close();
	close_program(program);
	unsetenv("DRMPERF_CLOCK");
}

TEST(gfx10, mode_begins_that_clears_the_switch)
{
	struct counting counting;
	struct program program;

	begin_mode_under(&counting, &program);
	expect_stood_still(counting.run);
	gpu_stop(counting.run);
	begin_again(&counting, &program);
	unsetenv("DRMPERF_CLOCK");
}

/* Counters that change in such a window have lost counts as well. */
TEST(gfx10, mode_begins_before_a_change)
{
	struct counter_request more[2];
	struct drmperf_error error = { 0 };
	struct counting counting;
	struct program program;

	begin_mode_under(&counting, &program);
	more[0] = choose_event();
	more[1] = gpu_request("GL2C", 4, 0);
	gpu_failed(gpu.ops->change(counting.run, more, 2, &error), -ENODATA,
		   &error, "RLC_PERFMON_CLK_CNTL", "");
	end_program(&counting, &program);
}

/* So have they if another process begins to count, which ends the window. */
TEST(gfx10, mode_begins_before_another_process)
{
	struct counter_request asked;
	struct drmperf_error error = { 0 };
	struct counting counting;
	struct program program;
	void *other;

	begin_mode_under(&counting, &program);
	asked = choose_event();
	ck_assert_int_eq(gpu_try_arm(&asked, 1, &other, &error), 0);
	ck_assert_int_eq(gpu.ops->start(other, &error), -ENODATA);
	gpu.ops->disarm(other);
	ck_assert_int_eq(gpu_try_sample(counting.run, &error), -ECANCELED);
	end_program(&counting, &program);
}

TEST(gfx8_and_gfx9, mode_begins_that_leaves_the_switch)
{
	struct counting counting;
	struct program program;

	begin_mode_under(&counting, &program);
	expect_whole(&counting, 10 * MS, "in the program's mode");
	end_program(&counting, &program);
}

/* ------------------------------------------------------------------ */
/* The administrator                                                    */

TEST_CASE(levels, NULL, NULL, "handover_free", "handover_cleared",
	  "handover_needed");

/* It is set once for all runs of a session, and stays in between. */
TEST(levels, the_clock_is_set_once_for_a_session)
{
	struct counter_request asked;
	struct program program;
	void *run;

	setenv("DRMPERF_CLOCK", "profiling", 1);
	open_program(&program);
	gpu_open();
	asked = choose_event();
	gpu.ops->keep(gpu.device, true);
	for (int i = 0; i < 3; i++) {
		run = gpu_begin(&asked, 1);
		ck_assert_uint_eq(gpu_power_state(),
				  AMDGPU_CTX_STABLE_PSTATE_STANDARD);
		gpu_end(run);
		ck_assert_uint_eq(gpu_power_state(),
				  AMDGPU_CTX_STABLE_PSTATE_STANDARD);
	}
	ck_assert_int_eq(try_state(&program, AMDGPU_CTX_STABLE_PSTATE_PEAK),
			 -EBUSY);
	gpu.ops->keep(gpu.device, false);
	ck_assert_uint_eq(gpu_power_state(), AMDGPU_CTX_STABLE_PSTATE_NONE);
	gpu_close_clean();
	close_program(&program);
	ck_assert_uint_eq(gpu_power_state(), AMDGPU_CTX_STABLE_PSTATE_NONE);
	unsetenv("DRMPERF_CLOCK");
}

/* Another mode than the one in sysfs is refused, and not taken from it. */
TEST(levels, level_of_sysfs_in_the_way)
{
	struct counter_request asked;
	struct drmperf_error error = { 0 };
	void *run;

	setenv("DRMPERF_CLOCK", "peak", 1);
	gpu_open();
	scene_set("performance-level", "profile_standard");
	asked = choose_event();
	run = gpu_arm(&asked, 1);
	gpu_failed(gpu.ops->start(run, &error), -EBUSY, &error,
		   "clock mode peak", "");
	gpu.ops->disarm(run);
	gpu_close_clean();
	ck_assert_uint_eq(gpu_power_state(), AMDGPU_CTX_STABLE_PSTATE_STANDARD);
	unsetenv("DRMPERF_CLOCK");
}

/*
 * What is set in sysfs is left as it is, and serves. The last test, since the
 * level stays.
 */
TEST(levels, level_of_sysfs)
{
	struct counting counting;
	struct counter_request asked;

	setenv("DRMPERF_CLOCK", "profiling", 1);
	gpu_open();
	scene_set("performance-level", "profile_standard");
	asked = choose_event();
	begin_counting(&counting, &asked);
	pass_time(5 * MS);
	expect_whole(&counting, 5 * MS, "in the level of sysfs");
	gpu_stop(counting.run);
	gpu_start(counting.run);
	gpu_end(counting.run);
	ck_assert_uint_eq(gpu_power_state(), AMDGPU_CTX_STABLE_PSTATE_STANDARD);
	gpu_close_clean();
	ck_assert_uint_eq(gpu_power_state(), AMDGPU_CTX_STABLE_PSTATE_STANDARD);
	unsetenv("DRMPERF_CLOCK");
}

TEST_GPUS("handover_free", "polaris10", "vega10");
TEST_GPUS("handover_cleared", "navi10", "navi21");
TEST_GPUS("handover_needed", "navi31", "strix", "navi48");
/* in real time, which valgrind has nothing to find in that is new */
TEST_MACHINE_OPTION(in_valgrind, 7);
TEST_MACHINE("handover_free", "--gpu", "polaris10");
TEST_MACHINE("handover_free", "--gpu", "vega10");
TEST_MACHINE("handover_cleared", "--gpu", "navi10");
TEST_MACHINE("handover_cleared", "--gpu", "navi21");
TEST_MACHINE("handover_needed", "--gpu", "navi31");
TEST_MACHINE("handover_needed", "--gpu", "strix");
TEST_MACHINE("handover_needed", "--gpu", "navi48");
