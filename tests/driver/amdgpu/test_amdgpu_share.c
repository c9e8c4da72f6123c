/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs that count on one GPU at once, each as another process would have it:
 * every one is a member of its own. What fits is counted by all, exactly; what
 * does not is refused and disturbs no other; the last one leaves the GPU as it
 * was found.
 */
#include <amdgpu.h>
#include <amdgpu_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/share/robust_mutex.h"
#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

/* A run with a base line of its own. */
struct rank {
	void *run;
	uint64_t before[64];
};

static void
begin_rank(struct rank *rank, const struct counter_request *requests,
	   size_t count)
{
	rank->run = gpu_begin(requests, count);
	memcpy(rank->before, gpu_before, sizeof(rank->before));
}

static int
try_begin(const struct counter_request *requests, size_t count,
	  struct drmperf_error *error)
{
	void *run;
	int ret;

	memset(error, 0, sizeof(*error));
	ret = gpu_try_arm(requests, count, &run, error);
	if (ret)
		return ret;
	ret = gpu.ops->start(run, error);
	gpu.ops->disarm(run);
	return ret;
}

static void
expect_gain(const struct rank *rank, size_t value, uint64_t gained)
{
	gpu_sample(rank->run);
	ck_assert_msg(gpu_now[value] - rank->before[value] == gained,
		      "value %zu gained %" PRIu64 ", not %" PRIu64, value,
		      gpu_now[value] - rank->before[value], gained);
}

/* ------------------------------------------------------------------ */
/* What fits                                                            */

TEST_CASE(share, gpu_open, gpu_close_clean, "amdgpu_share");

TEST(share, processes_share_a_slot_for_one_event)
{
	const struct counter_request asked = gpu_request("TCC", 17, 2);
	struct rank first, second;

	gpu_count_only("TCC.17 17000");
	begin_rank(&first, &asked, 1);
	scene_pass(10 * MS);
	begin_rank(&second, &asked, 1);
	scene_pass(10 * MS);
	expect_gain(&first, 0, 340);
	expect_gain(&second, 0, 170);
	gpu_end(first.run);
	scene_pass(10 * MS);
	expect_gain(&second, 0, 340);
	begin_rank(&first, &asked, 1);
	scene_pass(10 * MS);
	expect_gain(&first, 0, 170);
	expect_gain(&second, 0, 510);
	gpu_end(second.run);
	scene_pass(10 * MS);
	expect_gain(&first, 0, 340);
	gpu_end(first.run);
}

/* Blocks of every style; those of SDMA have one register for two counters. */
TEST_LOOP(share, processes_count_other_events_beside_it, 2)
{
	const struct counter_request one[] = {
		gpu_request("TCC", 17, 2), gpu_request("SDMA", 3, 0),
		gpu_request("EA", 55, 1),  gpu_request("SQ", 4, 0),
		gpu_request("GRBM", 2, 0),
	};
	const struct counter_request two[] = {
		gpu_request("TCC", 18, 2), gpu_request("SDMA", 4, 0),
		gpu_request("EA", 57, 1),  gpu_request("SQ", 5, 0),
		gpu_request("RLC", 2, 0),  gpu_request("RMI", 5, 3),
	};
	static const uint64_t one_gains[] = { 340, 60, 1100, 80, 40 };
	static const uint64_t two_gains[] = { 180, 400, 570, 50, 20, 60 };
	struct rank first, second;

	gpu_count_only("TCC.17 17000", "TCC.18 18000", "EA.55 55000",
		       "EA.57 57000", "SQ.4 4000", "SQ.5 5000", "SDMA.3 3000",
		       "SDMA.4 40000", "RLC.2 2000", "RMI.5 6000",
		       "GRBM.2 2000");
	begin_rank(&first, one, ARRAY_SIZE(one));
	scene_pass(10 * MS);
	begin_rank(&second, two, ARRAY_SIZE(two));
	scene_pass(10 * MS);
	for (size_t i = 0; i < ARRAY_SIZE(one_gains); i++)
		expect_gain(&first, i, one_gains[i]);
	for (size_t i = 0; i < ARRAY_SIZE(two_gains); i++)
		expect_gain(&second, i, two_gains[i]);
	gpu_end(_i ? second.run : first.run);
	scene_pass(10 * MS);
	expect_gain(_i ? &first : &second, 0, _i ? 510 : 360);
	expect_gain(_i ? &first : &second, 1, _i ? 90 : 800);
	gpu_end(_i ? first.run : second.run);
}

/* Others take slots of the instances in which they count, and of no more. */
TEST(share, others_take_slots_of_their_instances_only)
{
	const struct counter_request one[] = {
		gpu_request("TCC", 17, 2), gpu_request("TCC", 18, 2),
		gpu_request("TCC", 19, 2), gpu_request("TCC", 20, 2),
	};
	const struct counter_request two[] = {
		gpu_request("TCC", 21, 3), gpu_request("TCC", 22, 3),
		gpu_request("TCC", 23, 3), gpu_request("TCC", 24, 4),
		gpu_request("TCC", 17, 2), gpu_request("TCC", 17, 1),
	};
	static const uint64_t two_gains[] = { 210, 220, 230, 240, 170, 170 };
	const struct counter_request full = gpu_request("TCC", 21, ALL);
	struct drmperf_error error;
	struct rank first, second;

	gpu_count_only("TCC.17 17000", "TCC.18 18000", "TCC.19 19000",
		       "TCC.20 20000", "TCC.21 21000", "TCC.22 22000",
		       "TCC.23 23000", "TCC.24 24000");
	begin_rank(&first, one, ARRAY_SIZE(one));
	scene_pass(10 * MS);
	begin_rank(&second, two, ARRAY_SIZE(two));
	gpu_failed(try_begin(&full, 1, &error), -EBUSY, &error,
		   "TCC has no room", "");
	scene_pass(10 * MS);
	for (size_t i = 0; i < ARRAY_SIZE(one); i++)
		expect_gain(&first, i, 340 + 20 * i);
	for (size_t i = 0; i < ARRAY_SIZE(two); i++)
		expect_gain(&second, i, two_gains[i]);
	gpu_end(first.run);
	scene_pass(10 * MS);
	expect_gain(&second, 0, 420);
	expect_gain(&second, 4, 340);
	gpu_end(second.run);
}

/* A counter that sums the one before it has that one beside it. */
TEST(share, a_sum_keeps_its_level_beside_it)
{
	const struct counter_request chain[] = { gpu_request("SQ", 4, ALL),
						 gpu_follower("SQ", 185) };
	const struct counter_request single = gpu_request("SQ", 185, ALL);
	struct rank first, second, third;

	gpu_count_only("SQ.4 4000", "SQ.185 1000");
	begin_rank(&first, chain, 2);
	begin_rank(&second, &single, 1);
	begin_rank(&third, chain, 2);
	scene_pass(10 * MS);
	expect_gain(&first, 0, 40);
	expect_gain(&second, 0, 10);
	expect_gain(&third, 0, 40);
	gpu_end(first.run);
	gpu_end(second.run);
	scene_pass(10 * MS);
	expect_gain(&third, 0, 80);
	gpu_end(third.run);
}

/* A run that has others beside it takes more, around what those have. */
TEST(share, a_run_grows_around_the_others_slots)
{
	const struct counter_request first_has[] = { gpu_request("TCC", 21, 0),
						     gpu_request("TCC", 2, 0) };
	const struct counter_request more[] = { gpu_request("TCC", 4, 0),
						gpu_request("TCC", 3, 0),
						gpu_request("TCC", 21, 0),
						gpu_request("TCC", 2, 0) };
	const struct counter_request second_has = gpu_request("TCC", 3, 0);
	const struct counter_request too_much[] = { gpu_request("TCC", 21, 0),
						    gpu_request("TCC", 5, 0),
						    gpu_request("TCC", 6, 0),
						    gpu_request("TCC", 7, 0) };
	struct drmperf_error error = { 0 };
	struct rank first, second;

	gpu_count_only("TCC.21 1000", "TCC.2 2000", "TCC.3 3000", "TCC.4 4000");
	begin_rank(&first, first_has, 2);
	begin_rank(&second, &second_has, 1);
	scene_pass(10 * MS);
	gpu_change(first.run, more, 4);
	scene_pass(10 * MS);
	gpu_sample(first.run);
	ck_assert_uint_eq(gpu_now[0], 40);
	ck_assert_uint_eq(gpu_now[1], 30);
	ck_assert_uint_eq(gpu_now[2] - first.before[0], 20);
	ck_assert_uint_eq(gpu_now[3] - first.before[1], 40);
	expect_gain(&second, 0, 60);
	gpu_failed(gpu.ops->change(first.run, too_much, 4, &error), -EBUSY,
		   &error, "TCC has no room", "");
	gpu_end(first.run);
	scene_pass(10 * MS);
	expect_gain(&second, 0, 90);
	gpu_end(second.run);
}

/*
 * The core clock's event leaves its slot to processes that count, whatever
 * they count there, more or less than it had or nothing at all.
 */
static const struct {
	const char *rate;
	uint64_t gained;
} taken[] = { { "GRBM.2 4000000000", 40000000 },
	      { "GRBM.2 1000", 10 },
	      { "GRBM.2 0", 0 } };

TEST_LOOP(share, core_clock_gives_way, ARRAY_SIZE(taken))
{
	const struct counter_request asked[] = { gpu_request("TCC", 17, 2),
						 gpu_request("TCC", 18, 2) };
	const struct counter_request all[] = { gpu_request("GRBM", 2, 0),
					       gpu_request("GRBM", 3, 0) };
	const struct counter_request one = gpu_request("GRBM", 4, 0);
	struct drmperf_error error;
	struct rank first, second;

	gpu_count_only("TCC.17 17000", "TCC.18 18000", "GRBM.0 1/clock",
		       "CPF.0 1/clock", "GRBM.3 3000");
	scene_set("rate", taken[_i].rate);
	begin_rank(&first, asked, 1);
	scene_pass(10 * MS);
	begin_rank(&second, all, 2);
	ck_assert_int_eq(try_begin(&one, 1, &error), -EBUSY);
	for (unsigned i = 1; i < 4; i++) {
		scene_pass(10 * MS);
		expect_gain(&first, 0, 170 + 170 * i);
		expect_gain(&second, 0, taken[_i].gained * i);
		expect_gain(&second, 1, 30 * i);
	}
	gpu_change(first.run, asked, 2);
	scene_pass(10 * MS);
	gpu_sample(first.run);
	ck_assert_uint_eq(gpu_now[0] - first.before[0], 850);
	ck_assert_uint_eq(gpu_now[1], 180);
	expect_gain(&second, 0, taken[_i].gained * 4);
	gpu_end(second.run);
	scene_pass(10 * MS);
	expect_gain(&first, 0, 1020);
	gpu_end(first.run);
}

/* So it does for who counts more, before it has seen that. */
TEST(share, core_clock_gives_way_to_change)
{
	const struct counter_request asked[] = { gpu_request("TCC", 17, 2),
						 gpu_request("TCC", 18, 2) };
	const struct counter_request all[] = { gpu_request("TCC", 17, 2),
					       gpu_request("GRBM", 2, 0),
					       gpu_request("GRBM", 3, 0) };
	struct rank first, second;

	gpu_count_only("TCC.17 17000", "TCC.18 18000", "GRBM.0 1/clock",
		       "CPF.0 1/clock", "GRBM.3 3000", "GRBM.2 2000");
	begin_rank(&first, asked, 1);
	begin_rank(&second, all, 1);
	scene_pass(10 * MS);
	gpu_change(second.run, all, 3);
	scene_pass(10 * MS);
	gpu_change(first.run, asked, 2);
	scene_pass(10 * MS);
	expect_gain(&first, 0, 510);
	gpu_sample(second.run);
	ck_assert_uint_eq(gpu_now[0] - second.before[0], 510);
	ck_assert_uint_eq(gpu_now[1], 40);
	ck_assert_uint_eq(gpu_now[2], 60);
	gpu_end(first.run);
	gpu_end(second.run);
}

/* ------------------------------------------------------------------ */
/* What does not                                                        */

TEST(share, without_room_a_process_is_refused)
{
	const struct counter_request one[] = { gpu_request("TCC", 21, 0),
					       gpu_request("TCC", 2, 0),
					       gpu_request("TCC", 3, 0) };
	const struct counter_request two[] = { gpu_request("TCC", 4, 0),
					       gpu_request("TCC", 5, 0),
					       gpu_request("TCC", 21, 0) };
	struct drmperf_error error;
	struct rank first, second;

	gpu_count_only("TCC.21 1000", "TCC.2 2000", "TCC.4 4000");
	begin_rank(&first, one, 3);
	scene_pass(10 * MS);
	ck_assert_int_eq(try_begin(two, 3, &error), -EBUSY);
	ck_assert_msg(strstr(error.cause, "TCC has no room") &&
			      strstr(error.cause, GPU_NODE),
		      "%s", error.cause);
	begin_rank(&second, two, 1);
	scene_pass(10 * MS);
	expect_gain(&first, 0, 20);
	expect_gain(&first, 1, 40);
	expect_gain(&second, 0, 40);
	gpu_end(first.run);
	gpu_end(second.run);
}

/* Start another process that counts until it is killed. */
static pid_t
start_process(const struct counter_request *requests, size_t count)
{
	struct drmperf_error error;
	struct child child;

	if (child_fork(&child)) {
		if (gpu_try_open(&gpu_target, &error))
			_exit(1);
		gpu_begin(requests, count);
		child_hold(&child);
	}
	return child_await_hold(&child);
}

/* The other is a process of this job, and says so. */
TEST(share, rank_in_the_way)
{
	const struct counter_request one[] = {
		gpu_request("TCC", 21, 0),
		gpu_request("TCC", 2, 0),
		gpu_request("TCC", 3, 0),
		gpu_request("TCC", 4, 0),
	};
	const struct counter_request other = gpu_request("TCC", 5, 0);
	struct drmperf_error error;
	char text[64];
	pid_t pid;

	setenv("PMIX_NAMESPACE", "a job", 1);
	setenv("OMPI_COMM_WORLD_RANK", "3", 1);
	pid = start_process(one, 4);
	setenv("OMPI_COMM_WORLD_RANK", "5", 1);
	ck_assert_int_eq(try_begin(&other, 1, &error), -EBUSY);
	snprintf(text, sizeof(text), "rank 3 of your job (pid %d)", (int)pid);
	ck_assert_msg(strstr(error.cause, text) != NULL, "%s", error.cause);
	ck_assert_ptr_nonnull(strstr(error.remedy, ":device="));
	setenv("PMIX_NAMESPACE", "another", 1);
	ck_assert_int_eq(try_begin(&other, 1, &error), -EBUSY);
	ck_assert_ptr_null(strstr(error.cause, "rank"));
	unsetenv("PMIX_NAMESPACE");
	unsetenv("OMPI_COMM_WORLD_RANK");
	child_kill(pid);
	/* What it left behind is in no one's way. */
	gpu_end(gpu_begin(one, 4));
	gpu_end(gpu_begin(&other, 1));
}

/* What the dead counted is free for others, while another process counts on. */
TEST(share, room_of_the_dead)
{
	const struct counter_request one[] = { gpu_request("TCC", 21, 0),
					       gpu_request("TCC", 2, 0) };
	const struct counter_request two[] = { gpu_request("TCC", 3, 0),
					       gpu_request("TCC", 4, 0) };
	const struct counter_request three[] = {
		gpu_request("TCC", 5, 0), gpu_request("TCC", 6, 0),
		gpu_request("TCC", 7, 0), gpu_request("TCC", 8, 0),
	};
	const struct counter_request own = gpu_request("SQ", 4, 0);
	struct rank first, second;
	pid_t pids[2];

	gpu_count_only("TCC.5 5000", "TCC.8 8000", "SQ.4 4000");
	pids[0] = start_process(one, 2);
	pids[1] = start_process(two, 2);
	begin_rank(&first, &own, 1);
	scene_pass(10 * MS);
	child_kill(pids[0]);
	child_kill(pids[1]);
	begin_rank(&second, three, 4);
	scene_pass(10 * MS);
	expect_gain(&first, 0, 80);
	expect_gain(&second, 0, 50);
	expect_gain(&second, 3, 80);
	gpu_end(second.run);
	gpu_end(first.run);
}

/* A start that fails leaves a slot whose contents are not known. */
TEST(share, a_lost_slot_is_explained)
{
	const struct counter_request one = gpu_request("TCC", 21, 0);
	const struct counter_request two[] = {
		gpu_request("TCC", 2, 0),
		gpu_request("TCC", 3, 0),
		gpu_request("TCC", 4, 0),
	};
	struct drmperf_error error;
	pid_t pid = start_process(&one, 1);

	scene_fault("cs:1:EHWPOISON");
	ck_assert_int_eq(try_begin(two, 1, &error), -EHWPOISON);
	gpu_failed(try_begin(two, 3, &error), -EBUSY, &error,
		   "TCC has no room for these events as well, as a process "
		   "that failed or was killed has left 1 of its counters "
		   "unusable until all have stopped",
		   "");
	gpu_end(gpu_begin(two, 2));
	child_kill(pid);
	gpu_end(gpu_begin(two, 3));
}

TEST(share, who_does_not_share)
{
	const struct counter_request asked = gpu_request("TCC", 17, 0);
	struct drmperf_error error;
	struct rank first;

	begin_rank(&first, &asked, 1);
	setenv("DRMPERF_SHARE", "0", 1);
	gpu_failed(try_begin(&asked, 1, &error), -EBUSY, &error, "this process",
		   "");
	gpu_end(first.run);
	begin_rank(&first, &asked, 1);
	unsetenv("DRMPERF_SHARE");
	ck_assert_int_eq(try_begin(&asked, 1, &error), -EBUSY);
	gpu_end(first.run);
	setenv("DRMPERF_SHARE", "yes", 1);
	gpu_failed(try_begin(&asked, 1, &error), -EINVAL, &error, "yes", "");
	unsetenv("DRMPERF_SHARE");
}

/* ------------------------------------------------------------------ */
/* What concerns all                                                    */

/* What all have lost is lost to all; the next process begins again. */
TEST(share, a_reset_is_lost_to_all_processes)
{
	const struct counter_request asked = gpu_request("TCC", 17, 0);
	const struct counter_request other = gpu_request("TCC", 18, 0);
	struct drmperf_error error;
	struct rank first, second, third;

	gpu_count_only("TCC.17 17000", "TCC.18 18000");
	begin_rank(&first, &asked, 1);
	begin_rank(&second, &asked, 1);
	scene_pass(MS);
	ck_assert_int_eq(drmsim_reset_gpu(0), 0);
	scene_pass(MS);
	ck_assert_int_eq(gpu_try_sample(first.run, &error), -ECANCELED);
	begin_rank(&third, &other, 1);
	scene_pass(10 * MS);
	gpu_sample_fails(second.run, -ECANCELED, "reset", "");
	gpu_end(first.run);
	gpu_end(second.run);
	scene_pass(10 * MS);
	expect_gain(&third, 0, 360);
	gpu_end(third.run);
}

/* The clock mode lasts as long as any process counts, whichever holds it. */
TEST(share, the_clock_mode_lasts_while_any_counts)
{
	const struct counter_request asked = gpu_request("TCC", 17, 0);
	struct drmperf_error error;
	struct rank ranks[3];

	gpu_count_only("TCC.17 17000");
	setenv("DRMPERF_CLOCK", "profiling", 1);
	for (size_t i = 0; i < ARRAY_SIZE(ranks); i++)
		begin_rank(&ranks[i], &asked, 1);
	setenv("DRMPERF_CLOCK", "peak", 1);
	gpu_failed(try_begin(&asked, 1, &error), -EBUSY, &error, "clock mode",
		   "");
	unsetenv("DRMPERF_CLOCK");
	ck_assert_int_eq(try_begin(&asked, 1, &error), 0);
	for (size_t i = 0; i < ARRAY_SIZE(ranks); i++) {
		/* after a while, if it had to be taken over */
		while (gpu_power_state() != AMDGPU_CTX_STABLE_PSTATE_STANDARD)
			sched_yield();
		gpu_end(ranks[i].run);
	}
	ck_assert_uint_eq(gpu_power_state(), AMDGPU_CTX_STABLE_PSTATE_NONE);
}

TEST_CASE(amdgpu_share_full, NULL, NULL, "amdgpu_share_full");

/*
 * Counters are not cleared under others: nothing is lost if they wrap, and what
 * is lost if they stop is reported.
 */
TEST(amdgpu_share_full, full_beside_others)
{
	struct counter_request asked;
	struct rank first, second;

	gpu_open();
	scene_set("full-counter", "wraps");
	asked = gpu_request("SQ_WGP", 3, 0);
	gpu_count_only("SQ_WGP.3 3000000000000");
	begin_rank(&first, &asked, 1);
	begin_rank(&second, &asked, 1);
	for (unsigned i = 1; i < 5; i++) {
		scene_pass(MS);
		expect_gain(&first, 0, i * UINT64_C(3000000000));
		expect_gain(&second, 0, i * UINT64_C(3000000000));
	}
	scene_set("full-counter", "sticks");
	scene_pass(2 * MS);
	gpu_sample_fails(first.run, -EIO, "SQ_WGP.BUSY_CYCLES", "");
	gpu_end(second.run);
	gpu_end(first.run);
	gpu_close_clean();
}

/* ------------------------------------------------------------------ */
/* A stopped peer                                                       */

/* Offsets in the memory that processes share: see share.c. */
#define HEAD_SIZE 80
#define LAYOUT_OFFSET 8
#define MUTEX_OFFSET 72
#define MEMBERS_BYTE 5

/* Open the parent's memory; -1 if it has none. */
static int
open_parents_memory(void)
{
	char path[64], target[256];

	for (int fd = 3; fd < 256; fd++) {
		ssize_t length;

		snprintf(path, sizeof(path), "/proc/%d/fd/%d", getppid(), fd);
		length = readlink(path, target, sizeof(target) - 1);
		if (length > 0 && !strncmp(target, "/memfd:drmperf", 14))
			return open(path, O_RDWR | O_CLOEXEC);
	}
	return -1;
}

/* Lock the parent's shared table as a process does that becomes a member. */
static int
take_shared_lock(void)
{
	struct robust_mutex mutex = { .fd = open_parents_memory(),
				      .first_byte = MEMBERS_BYTE };
	char *memory = mmap(NULL, HEAD_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
			    mutex.fd, 0);

	if (memory == MAP_FAILED)
		return -1;
	mutex.word = (_Atomic uint32_t *)(memory + MUTEX_OFFSET);
	return robust_mutex_lock_newcomer(&mutex);
}

static pid_t
stop_peer_with_lock(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (take_shared_lock())
			_exit(1);
		raise(SIGSTOP);
		child_end(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	ck_assert_msg(WIFSTOPPED(status), "the peer has no lock");
	return pid;
}

static void
end_peer(pid_t pid)
{
	ck_assert_int_eq(kill(pid, SIGCONT), 0);
	child_join(pid);
}

/*
 * A run whose end waits in vain is ended as soon as the GPU is used again, or
 * closed. Both fixtures see to it that nothing is left on.
 */
TEST_LOOP(share, a_stopped_peer_puts_an_end_off, 2)
{
	const struct counter_request asked = gpu_request("TCC", 17, 2);
	const struct counter_request other = gpu_request("TCC", 18, 2);
	struct drmperf_error error = { 0 };
	struct rank rank;
	void *run;
	pid_t peer;

	gpu_count_only("TCC.17 17000", "TCC.18 18000");
	run = gpu_begin(&asked, 1);
	peer = stop_peer_with_lock();
	gpu_failed(gpu.ops->stop(run, &error), -EBUSY, &error,
		   "keeps the lock of its", "");
	gpu.ops->disarm(run);
	end_peer(peer);
	if (_i) {
		begin_rank(&rank, &other, 1);
		scene_pass(10 * MS);
		expect_gain(&rank, 0, 180);
		gpu_end(rank.run);
	}
}

/* ------------------------------------------------------------------ */
/* Words that others have written                                       */

/* Words of 32 bits in the memory, behind the head of it, in their order. */
enum {
	WORD_EPOCH,
	WORD_FAILED,
	WORD_CHANGING,
	WORD_CHECKS,
	WORD_MEMBERS,
	WORD_STAGES,
	WORD_DIES,
	WORD_CLOCK,
	WORD_FOUND_CLOCK,
	WORD_MARKER_BLOCK,
	WORD_MARKER_ID,
	WORD_MARKER_SLOTS,
	WORD_MARKER_DIFFERENCE = WORD_MARKER_SLOTS + 2,
	WORDS = WORD_MARKER_DIFFERENCE + 3,
};

static uint32_t *
find_words(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[256], *memory = NULL;
	uintptr_t begin;

	ck_assert_ptr_nonnull(maps);
	while (!memory && fgets(line, sizeof(line), maps)) {
		if (strstr(line, "drmperf-share") &&
		    sscanf(line, "%" SCNxPTR, &begin) == 1 &&
		    !strncmp((char *)begin + LAYOUT_OFFSET, "amdgpu gfx", 10))
			memory = (char *)begin;
	}
	fclose(maps);
	ck_assert_ptr_nonnull(memory);
	return (uint32_t *)(memory + HEAD_SIZE);
}

/* Expect that a failure has a code and a cause. */
static void
expect_sound(int ret, const struct drmperf_error *error)
{
	ck_assert_int_le(ret, 0);
	ck_assert_int_gt(ret, -4096);
	ck_assert_msg(!ret || *error->cause, "%d without a cause", ret);
}

/*
 * Write words to the shared memory, and check that processes that count and one
 * that comes go on, or are refused with a cause.
 */
static void
bear_words(const uint32_t *words, size_t first, size_t count, int due)
{
	const struct counter_request one = gpu_request("TCC", 17, 2);
	const struct counter_request two = gpu_request("SQ", 4, 0);
	struct drmperf_error error = { 0 };
	struct rank rank;
	int ret;

	begin_rank(&rank, &one, 1);
	memcpy(find_words() + first, words, count * sizeof(*words));
	ret = try_begin(&two, 1, &error);
	expect_sound(ret, &error);
	if (due)
		ck_assert_int_eq(ret, due);
	memcpy(find_words() + first, words, count * sizeof(*words));
	memset(&error, 0, sizeof(error));
	expect_sound(gpu_try_sample(rank.run, &error), &error);
	gpu.ops->stop(rank.run, &error);
	gpu.ops->disarm(rank.run);
}

static const uint32_t word_values[] = { 0, 1, 2, 0x80000000, UINT32_MAX };

/* The simulator complains of what registers are left as. */
TEST_CASE(damaged, gpu_open, gpu_close, "amdgpu_share");

TEST_LOOP(damaged, a_damaged_word_does_no_harm, WORDS)
{
	for (size_t i = 0; i < ARRAY_SIZE(word_values); i++)
		bear_words(&word_values[i], (size_t)_i, 1,
			   _i == WORD_DIES && word_values[i] ? -EBUSY : 0);
}

/* And all of them, with those of instances and slots behind them. */
TEST_LOOP(damaged, many_damaged_words_do_no_harm, 20)
{
	static uint32_t words[1024];
	unsigned seed = (unsigned)_i;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = (uint32_t)rand_r(&seed) << 1;
	/* as many count as before */
	bear_words(words + 1, 1, ARRAY_SIZE(words) - 1, 0);
}

TEST_GPUS("amdgpu_share", "vega10,copied-registers=work");
TEST_GPUS("amdgpu_share_full", "navi31");

/* hidden on gfx9, but registers that are copied */
TEST_SETTING(DRMPERF_UNTESTED, "EA SDMA MC_VM_L2");
