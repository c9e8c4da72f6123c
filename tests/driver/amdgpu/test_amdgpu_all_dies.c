/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GPUs of several dies behind a node, counted on all of them by commands in a
 * queue of the compute driver: values are sums over the dies, which another
 * process with a queue of its own gives work to. A tool has the compute driver
 * itself; a program has it by another process, and its own HSA goes on.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/amdgpu/device/kfd_helper.h"
#include "drmperf.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/counting.h"
#include "tests/drmsim/kfd_commands.h"
#include "tests/drmsim/kfd_queue.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define ENGINES 4
#define EVENTS_MOST 12
#define WAVES "amdgpu::SQ.WAVES"

static unsigned dies;

static void
open_library(bool uses_kfd)
{
	const struct drmperf_options options = { .size = sizeof(options),
						 .uses_kfd = uses_kfd };

	counting_begin_with(&options);
}

static void
set_up(void)
{
	drmsim_command("clear", NULL, 0);
	scene_set("default", "zero");
	scene_set("doubts", "best");
	unsetenv("DRMPERF_DIES");
	dies = (unsigned)kfd_node_value(1, "num_xcc");
	open_library(true);
}

TEST_CASE(dies, set_up, counting_end_clean, "amdgpu_all_dies");

/* ------------------------------------------------------------------ */
/* Work of another process                                              */

static const struct grid {
	uint16_t group[3];
	uint32_t grid[3];
	unsigned waves;
} grids[] = {
	/* fewer groups than dies */
	{ { 64, 1, 1 }, { 64, 1, 1 }, 1 },
	{ { 256, 1, 1 }, { 100096, 1, 1 }, 1564 },
	/* the last group is smaller */
	{ { 256, 1, 1 }, { 1025, 1, 1 }, 17 },
	{ { 8, 8, 4 }, { 20, 20, 4 }, 4 * 4 + 2 * 2 + 2 * 2 + 1 },
};

static void
dispatch_thrice(const struct grid *grid)
{
	struct kfd_user user;
	struct kfd_sizes sizes;

	kfd_sizes_of_node(1, &sizes);
	kfd_user_begin(&user, &sizes);
	kfd_queue_make(&user);
	kfd_commands_clear(&user);
	kfd_emit_sh_register(&user, PERFCOUNT_ENABLE, 1);
	kfd_signal(&user, 0)->value = 1;
	kfd_put_commands(&user, 0, 0, 3, NO_SIGNAL);
	for (unsigned i = 0; i < 3; i++)
		kfd_put_dispatch(&user, BARRIER, grid->group, grid->grid,
				 NO_SIGNAL);
	kfd_put_barrier(&user, BARRIER, false, NO_SIGNAL, NO_SIGNAL, 0);
	kfd_signal_await(&user, 0, 0);
	kfd_user_end(&user);
}

/* Start a program's queue, which lets its work be counted. */
static void
run_program(const struct grid *grid)
{
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child == 0) {
		dispatch_thrice(grid);
		_exit(0);
	}
	child_join(child);
}

/* ------------------------------------------------------------------ */

/* Try to count waves. */
static int
try_start(void)
{
	struct drmperf_session *session = counting_session(NAMES(WAVES));
	int ret = drmperf_session_start(session, &counting.error);

	if (ret)
		drmperf_session_destroy(session);
	return ret;
}

static void
expect_one(struct drmperf_session *session, uint64_t expected)
{
	counting_expect(session, &expected);
}

/* Exact, however the groups are dealt out, and again from 0 on. */
TEST_LOOP(dies, work_is_counted_exactly_from_zero_on, ARRAY_SIZE(grids))
{
	const struct grid *grid = &grids[_i];
	struct drmperf_session *session = counting_start(NAMES(WAVES));

	expect_one(session, 0);
	run_program(grid);
	expect_one(session, 3 * grid->waves);
	counting_succeeded(drmperf_session_reset(session, &counting.error));
	expect_one(session, 0);
	run_program(grid);
	expect_one(session, 3 * grid->waves);
	counting_succeeded(drmperf_session_stop(session, &counting.error));
	run_program(grid);
	counting_succeeded(drmperf_session_start(session, &counting.error));
	expect_one(session, 0);
	drmperf_session_destroy(session);
}

/* Blocks of all kinds; one instance is that of every die. */
static const char *const rated[] = { "amdgpu::SQ.BUSY_CYCLES",
				     "amdgpu::TCC.REQ",
				     "amdgpu::TCC.REQ:instance=9",
				     "amdgpu::GRBM.COUNT", NULL };

TEST(dies, a_rate_is_the_sum_over_all_dies)
{
	struct drmperf_session *session;
	uint64_t clock, now;
	union drmperf_value values[4];

	scene_set("rate", "SQ.3 1000");
	/* the number on MI300, and that on MI350 */
	scene_set("rate", "TCC.3 2000");
	scene_set("rate", "TCC.6 2000");
	session = counting_start(rated);
	for (uint64_t ms = 1; ms < 4; ms++) {
		scene_pass(MS);
		counting_read(session, values);
		ck_assert_uint_eq(values[0].u64, dies * ENGINES * ms);
		ck_assert_uint_eq(values[1].u64, dies * 16 * 2 * ms);
		ck_assert_uint_eq(values[2].u64, dies * 2 * ms);
	}
	clock = values[3].u64;
	ck_assert_uint_eq(clock % dies, 0);
	scene_pass(MS);
	counting_read(session, values);
	now = values[3].u64;
	/* as long again as the mean of what went by */
	ck_assert_uint_eq(now - clock, clock / 3);
	drmperf_session_destroy(session);
}

/* Metrics are ratios of sums, with the mean of the clocks, and all CUs. */
TEST(dies, metrics_are_ratios_of_sums_over_dies)
{
	static const char *const events[] = { "amdgpu::SIMD_UTILIZATION",
					      "amdgpu::SQ.BUSY_CU_CYCLES",
					      "amdgpu::GRBM.COUNT", NULL };
	const double cus = (double)(kfd_node_value(1, "simd_count") /
				    kfd_node_value(1, "simd_per_cu"));
	struct drmperf_session *session;
	union drmperf_value values[3];
	double clock;

	scene_set("default", "formula");
	session = counting_start(events);
	scene_pass(MS);
	counting_read(session, values);
	clock = (double)values[2].u64 / dies;
	ck_assert_uint_gt(values[1].u64, 0);
	ck_assert_double_eq_tol(values[0].f64,
				(double)values[1].u64 / clock / cus, 1e-12);
	drmperf_session_destroy(session);
}

/*
 * The busiest number, which every engine has, of a die, not of all of them
 * together.
 */
TEST(dies, a_maximum_is_that_of_one_die)
{
	static const char *const events[] = { "amdgpu::TA_BUSY_max",
					      "amdgpu::TA.TA_BUSY:instance=2",
					      NULL };
	struct drmperf_session *session;
	union drmperf_value values[2];

	scene_set("rate", "TA.13 1000");
	session = counting_start(events);
	scene_pass(4 * MS);
	counting_read(session, values);
	ck_assert_uint_eq(values[0].u64, 4 * ENGINES);
	ck_assert_uint_eq(values[1].u64, 4 * dies);
	drmperf_session_destroy(session);
}

/* Stalls of the busiest cache are a share of one die's clocks. */
TEST(dies, stalls_are_a_share_of_one_dies_clocks)
{
	static const char *const events[] = { "amdgpu::MemUnitStalled", NULL };
	struct drmperf_session *session;
	union drmperf_value value;

	scene_set("rate", "TCP.6 0.36/clock");
	scene_set("rate", "GRBM.2 0.5/clock");
	session = counting_start(events);
	scene_pass(4 * MS);
	counting_read(session, &value);
	ck_assert_double_eq_tol(value.f64, 72, 0.1);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* One die                                                              */

struct names {
	char text[EVENTS_MOST][64];
	const char *list[EVENTS_MOST];
};

/* Name an event on all dies together, then on each. */
static size_t
name_each_die(struct names *names, const char *event)
{
	snprintf(names->text[0], sizeof(names->text[0]), "%s", event);
	for (unsigned die = 0; die < dies; die++)
		snprintf(names->text[1 + die], sizeof(names->text[0]),
			 "%s:die=%u", event, die);
	for (size_t i = 0; i < 1 + dies; i++)
		names->list[i] = names->text[i];
	names->list[1 + dies] = NULL;
	return 1 + dies;
}

/*
 * Return what the first queue of a process gives to a die of 391 groups of 4
 * waves.
 */
static uint64_t
share_of(unsigned die)
{
	return 4 * (391 / dies + (die < 391 % dies));
}

/* Each has its share, to the wave, and they take no slot of their own. */
TEST(dies, each_die_counts_its_share_of_the_waves)
{
	struct drmperf_session *session;
	uint64_t expected[EVENTS_MOST] = { 3 * 1564 };
	struct names names;

	name_each_die(&names, WAVES);
	for (unsigned die = 0; die < dies; die++)
		expected[1 + die] = 3 * share_of(die);
	session = counting_start(names.list);
	run_program(&grids[1]);
	counting_expect(session, expected);
	counting_succeeded(drmperf_session_reset(session, &counting.error));
	run_program(&grids[1]);
	counting_expect(session, expected);
	drmperf_session_destroy(session);
}

/* More dies than the block has slots, of which they need one. */
TEST(dies, each_die_of_one_slot)
{
	struct drmperf_session *session;
	uint64_t expected[EVENTS_MOST] = { dies * 16 * 2 };
	struct names names = { 0 };
	size_t count = name_each_die(&names, "amdgpu::TCC.REQ");

	scene_set("rate", "TCC.3 2000");
	scene_set("rate", "TCC.6 2000");
	for (unsigned die = 0; die < dies; die++)
		expected[1 + die] = 16 * 2;
	names.list[count] = "amdgpu::TCC.REQ:instance=9:die=1";
	expected[count++] = 2;
	session = counting_start(names.list);
	scene_pass(MS);
	counting_expect(session, expected);
	drmperf_session_destroy(session);
}

/* Beside a session that has begun, and goes on when the die's has ended. */
TEST(dies, a_die_joins_a_session_that_counts)
{
	static const char *const last[] = { WAVES ":die=1", WAVES,
					    "amdgpu::SQ.BUSY_CYCLES", NULL };
	struct drmperf_session *session = counting_start(NAMES(WAVES)), *other;
	const uint64_t expected[] = { 3 * share_of(1), 3 * 1564 };

	run_program(&grids[1]);
	other = counting_start(last);
	run_program(&grids[1]);
	counting_expect_first(other, expected, 2);
	expect_one(session, 2 * 3 * 1564);
	drmperf_session_destroy(session);
	run_program(&grids[1]);
	counting_expect_first(
		other, (uint64_t[]){ 2 * expected[0], 2 * expected[1] }, 2);
	session = counting_start(NAMES(WAVES));
	drmperf_session_destroy(other);
	run_program(&grids[1]);
	expect_one(session, 3 * 1564);
	drmperf_session_destroy(session);
}

#define MOVING 8 /* as many as SQ has slots */

static struct drmperf_session *
begin_moving(const char *event)
{
	char die[80];
	const char *const list[] = { die, event, NULL };

	snprintf(die, sizeof(die), "%s:die=1", event);
	return counting_start(list);
}

/*
 * Levels and their sums need slots side by side: counters between them move,
 * and the share of a die is counted on with the sum.
 */
TEST(dies, a_dies_counter_moves_and_counts_on)
{
	static const char *const moving[MOVING] = {
		"amdgpu::SQ.BUSY_CYCLES",   "amdgpu::SQ.ITEMS",
		"amdgpu::SQ.BUSY_CU_CYCLES", "amdgpu::SQ.INSTS",
		"amdgpu::SQ.WAVES_EQ_64",   "amdgpu::SQ.WAVES_LT_64",
		"amdgpu::SQ.WAVES_LT_48",   "amdgpu::SQ.WAVES_LT_32",
	};
	static const char *const levels[] = {
		"amdgpu::SQ.LEVEL_WAVES:accumulate",
		"amdgpu::SQ.INST_LEVEL_VMEM:accumulate", NULL
	};
	static const char *const rates[] = { "SQ.3 1000",  "SQ.14 2000",
					     "SQ.13 3000", "SQ.25 4000",
					     "SQ.6 5000",  "SQ.7 6000",
					     "SQ.8 7000",  "SQ.9 8000" };
	struct drmperf_session *sessions[MOVING], *session;

	for (unsigned i = 0; i < MOVING; i++) {
		scene_set("rate", rates[i]);
		sessions[i] = begin_moving(moving[i]);
	}
	for (unsigned i = 1; i < MOVING; i += 2)
		drmperf_session_destroy(sessions[i]);
	for (unsigned i = 0; i < MOVING; i += 2)
		counting_succeeded(
			drmperf_session_reset(sessions[i], &counting.error));
	scene_pass(MS);
	session = counting_start(levels);
	scene_pass(MS);
	for (uint64_t i = 0; i < MOVING; i += 2) {
		const uint64_t share = 2 * ENGINES * (i + 1);

		counting_expect(sessions[i],
				(uint64_t[]){ share, dies * share });
		drmperf_session_destroy(sessions[i]);
	}
	drmperf_session_destroy(session);
}

static void
expect_refusal(const char *event, const char *cause, const char *remedy)
{
	struct drmperf_selection selection;

	counting_failed(drmperf_event_find(counting.drmperf, event, &selection,
					   &counting.error),
			-ERANGE, cause, remedy);
}

TEST(dies, names_of_dies_are_found_and_written)
{
	struct drmperf_selection selection;
	char text[128], last[64];

	selection = counting_find("TCC_REQ[9]:die1:device=0");
	ck_assert_int_eq(DRMPERF_DIE_OF(selection.instance), 1);
	ck_assert_int_eq(DRMPERF_INSTANCE_OF(selection.instance), 9);
	ck_assert_uint_eq(drmperf_event_dies(selection.event), dies);
	drmperf_selection_name(&selection, text, sizeof(text));
	ck_assert_str_eq(text, "amdgpu::TCC.REQ:device=0:die=1:instance=9");
	snprintf(text, sizeof(text), WAVES ":die=%u", dies);
	snprintf(last, sizeof(last), "dies are 0 to %u", dies - 1);
	expect_refusal(text, "has no die", last);
	expect_refusal("amdgpu::SIMD_UTILIZATION:die=0", "has no die 0",
		       "their counters");
	counting_end();
	setenv("DRMPERF_DIES", "one", 1);
	open_library(true);
	expect_refusal(WAVES ":die=0", "has no die 0", "leave :die= out");
}

/* ------------------------------------------------------------------ */
/* Permission                                                           */

static uint64_t
count_opens(void)
{
	uint64_t vms = 1, queues = 1;

	ck_assert_int_eq(drmsim_calls("kfd_acquire_vm", &vms), 0);
	ck_assert_int_eq(drmsim_calls("kfd_create_queue", &queues), 0);
	return vms + queues;
}

/* What is not counted, or on one die, makes no process one of KFD's. */
TEST(dies, leaves_kfd_alone)
{
	struct drmperf_device *device = drmperf_device_at(counting.drmperf, 0);
	const uint64_t before = count_opens();
	struct drmperf_selection selection;
	struct drmperf_session *session;

	counting_succeeded(drmperf_device_open(device, &counting.error));
	selection = counting_find(WAVES);
	ck_assert_uint_eq(
		drmperf_group_dies(drmperf_event_group(selection.event)), 1);
	setenv("DRMPERF_DIES", "one", 1);
	session = counting_start(NAMES(WAVES));
	drmperf_session_destroy(session);
	ck_assert_uint_eq(count_opens(), before);
}

/* A process that has a queue of its own cannot have another. */
TEST(dies, a_process_with_a_queue_gets_no_other)
{
	struct kfd_user user;
	struct kfd_sizes sizes;

	kfd_sizes_of_node(1, &sizes);
	kfd_user_begin(&user, &sizes);
	counting_failed(try_start(), -EBUSY, "KFD", "");
	kfd_user_end(&user);
}

/* ------------------------------------------------------------------ */
/* Others                                                               */

/* Start a process that counts, and goes on until it is killed. */
static pid_t
begin_other(const char *one, bool uses_kfd, int expected)
{
	struct child child;

	if (child_fork(&child)) {
		if (one)
			setenv("DRMPERF_DIES", one, 1);
		open_library(uses_kfd);
		if (try_start() != expected)
			_exit(1);
		child_hold(&child);
	}
	return child_await_hold(&child);
}

/* Killing one of two processes that count leaves the other's values. */
TEST(dies, a_killed_process_leaves_the_others_values)
{
	pid_t other = begin_other(NULL, true, 0);
	struct drmperf_session *session = counting_start(NAMES(WAVES));

	run_program(&grids[1]);
	child_kill(other);
	run_program(&grids[1]);
	expect_one(session, 6 * grids[1].waves);
	other = begin_other("one", true, -EBUSY);
	child_kill(other);
	run_program(&grids[1]);
	expect_one(session, 9 * grids[1].waves);
	drmperf_session_destroy(session);
}

/* The next program puts back what a killed process has left. */
TEST(dies, registers_of_a_killed_process_are_restored)
{
	struct drmperf_session *session;

	child_kill(begin_other(NULL, true, 0));
	session = counting_start(NAMES(WAVES));
	run_program(&grids[2]);
	expect_one(session, 3 * grids[2].waves);
	drmperf_session_destroy(session);
}

/* ------------------------------------------------------------------ */
/* Programs, whose other process becomes a child of the test             */

static void
setup_program(void)
{
	set_up();
	counting_end();
	open_library(false);
	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
}

/* Wait for all children, and return how many there were. */
static unsigned
await_children(void)
{
	unsigned count = 0;

	while (waitpid(-1, NULL, 0) > 0)
		count++;
	return count;
}

static void
teardown_program(void)
{
	counting_end_clean();
	/* it ends with the library */
	await_children();
}

TEST_CASE(programs, setup_program, teardown_program, "amdgpu_die_programs");

/* Return the number of the process that has KFD, the only child. */
static pid_t
find_helper(void)
{
	FILE *list;
	char path[64];
	pid_t pid = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children",
		 (int)getpid());
	list = fopen(path, "re");
	ck_assert_ptr_nonnull(list);
	ck_assert_int_eq(fscanf(list, "%d", &pid), 1);
	fclose(list);
	return pid;
}

/* The program's own queue is the only one of its process. */
TEST(programs, a_program_keeps_its_own_only_queue)
{
	struct drmperf_session *session = counting_start(NAMES(WAVES));

	dispatch_thrice(&grids[1]);
	expect_one(session, 3 * grids[1].waves);
	drmperf_session_destroy(session);
}

/* The other process is kept for the next session. */
TEST(programs, the_helper_serves_the_next_session)
{
	struct drmperf_session *session = counting_start(NAMES(WAVES));
	const uint64_t before = count_opens();

	drmperf_session_destroy(session);
	for (unsigned i = 0; i < 3; i++) {
		session = counting_start(NAMES(WAVES));
		run_program(&grids[0]);
		expect_one(session, 3);
		drmperf_session_destroy(session);
	}
	/* of run_program() only */
	ck_assert_uint_eq(count_opens(), before + 3 * 2);
}

/* Its end costs what is counted, and the next session has another one. */
TEST(programs, a_killed_helper_is_replaced)
{
	struct drmperf_session *session = counting_start(NAMES(WAVES));
	union drmperf_value value;

	kill(find_helper(), SIGKILL);
	ck_assert_uint_eq(await_children(), 1);
	ck_assert_int_lt(drmperf_session_read(session, &value, NULL, NULL,
					      &counting.error),
			 0);
	drmperf_session_destroy(session);
	session = counting_start(NAMES(WAVES));
	/* that the first one did not put the GPU back, which it could not */
	drmsim_command("clear", NULL, 0);
	run_program(&grids[1]);
	expect_one(session, 3 * grids[1].waves);
	drmperf_session_destroy(session);
}

/*
 * Kill a program that counts: its drmperf-kfd ends with it, and the next
 * session restores the GPU's registers and counts exactly.
 */
TEST(programs, the_helper_ends_with_its_killed_program)
{
	struct drmperf_session *session;

	child_kill(begin_other(NULL, false, 0));
	ck_assert_uint_eq(await_children(), 1);
	session = counting_start(NAMES(WAVES));
	run_program(&grids[2]);
	expect_one(session, 3 * grids[2].waves);
	drmperf_session_destroy(session);
}

/* It ends by itself, though the program's end of the socket is open. */
TEST(programs, an_idle_helper_ends_by_itself)
{
	char *path = kfd_helper_find(), byte;
	char *const arguments[] = { path, (char *)"1", (char *)"1", NULL };
	posix_spawn_file_actions_t actions;
	int sockets[2];

	ck_assert_ptr_nonnull(path);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
				    sockets),
			 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, sockets[1],
					 KFD_HELPER_SOCKET);
	ck_assert_int_eq(posix_spawn(NULL, path, &actions, NULL, arguments,
				     environ),
			 0);
	posix_spawn_file_actions_destroy(&actions);
	close(sockets[1]);
	ck_assert_int_eq(recv(sockets[0], &byte, 1, 0), 0);
	ck_assert_uint_eq(await_children(), 2);
	close(sockets[0]);
	free(path);
}

/* ------------------------------------------------------------------ */

TEST_GPUS("amdgpu_all_dies", "mi350,partition=QPX", "mi300x", "mi300,dies=6",
	  "mi300,partition=DPX", "mi300,dies=6,partition=TPX", "mi350");
TEST_GPUS("amdgpu_die_programs", "mi300,dies=6");

TEST_OPTION(in_processes, true);
/* several partitions: enough for valgrind */
TEST_MACHINE_OPTION(in_valgrind, 1);
