/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes that count on one GPU, and are killed at whatever they do: those
 * that are left count exactly, and nothing stays behind.
 *
 * Every event counts a whole number in a nanosecond, another one each. So the
 * values of a sample all tell the same time since the base line, or one of them
 * is wrong, whichever process moves the time.
 *
 * A few rounds, and a minute's worth of them with CHECK_ALL in the environment.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmsim/control.h"
#include "tests/support/below_drmsim.h"
#include "tests/support/check.h"
#include "tests/driver/amdgpu/gpu.h"
#include "tests/support/scene.h"
#include "tests/support/suite.h"

#define RANKS 4
#define MOST 6 /* events of a rank */

static const struct {
	const char *block;
	uint32_t id;
	int32_t instance;
	const char *rate;
	uint64_t per_ns;
} pool[] = {
	{ "TCC", 21, 0, "TCC.21 1000000000", 1 },
	{ "TCC", 2, 1, "TCC.2 2000000000", 2 },
	{ "TCC", 3, 2, "TCC.3 3000000000", 3 },
	{ "TCC", 4, 0, "TCC.4 4000000000", 4 },
	{ "TCC", 5, 3, "TCC.5 5000000000", 5 },
	{ "TCP", 29, 0, "TCP.29 6000000000", 6 },
	{ "TCP", 30, 2, "TCP.30 7000000000", 7 },
	{ "SQ", 4, 0, "SQ.4 8000000000", 8 },
	{ "SQ", 5, 1, "SQ.5 9000000000", 9 },
	{ "TA", 15, 0, "TA.15 10000000000", 10 },
	{ "TA", 16, 1, "TA.16 11000000000", 11 },
	{ "RLC", 2, 0, "RLC.2 12000000000", 12 },
};

/* ------------------------------------------------------------------ */
/* A rank                                                               */

/* What a rank finds wrong is its exit status. */
enum verdict {
	FINE,
	NOT_OPENED,
	NOT_BEGUN,
	NOT_SAMPLED,
	NOT_EXACT,
	NOT_MOVING,
	NOT_CHANGED,
	NOT_STOPPED,
	NOT_TOLD,
};

/* What all see. */
struct board {
	volatile bool over;
	volatile bool has_begun; /* a rank */
};

struct rank {
	unsigned seed;
	int steps; /* a byte for every step */
	struct board *board;
	size_t events[MOST];
	size_t count;
	void *run;
	uint64_t before[MOST];
	uint64_t ns; /* since the base line, at least */
};

static unsigned
draw_number(struct rank *rank, unsigned below)
{
	return (unsigned)rand_r(&rank->seed) % below;
}

static void
choose_events(struct rank *rank, size_t count)
{
	size_t first = draw_number(rank, ARRAY_SIZE(pool));
	size_t step =
		1 +
		4 * draw_number(rank, 2); /* no divisor of the pool's size */

	rank->count = count;
	for (size_t i = 0; i < count; i++)
		rank->events[i] = (first + i * step) % ARRAY_SIZE(pool);
}

static void
fill_requests(const struct rank *rank, struct counter_request *out)
{
	for (size_t i = 0; i < rank->count; i++)
		out[i] = gpu_request(pool[rank->events[i]].block,
				     pool[rank->events[i]].id,
				     pool[rank->events[i]].instance);
}

static void
give_up(enum verdict verdict, const struct drmperf_error *error)
{
	fprintf(stderr, "pid %d: %s\n", (int)getpid(), error->cause);
	_exit((int)verdict);
}

static void
sample_rank(struct rank *rank)
{
	struct drmperf_error error;

	if (gpu_try_sample(rank->run, &error))
		give_up(NOT_SAMPLED, &error);
}

static void
check_rank(struct rank *rank)
{
	uint64_t ns = 0;

	sample_rank(rank);
	for (size_t i = 0; i < rank->count; i++) {
		uint64_t gained = gpu_now[i] - rank->before[i];
		uint64_t per_ns = pool[rank->events[i]].per_ns;

		if (!i)
			ns = gained / per_ns;
		if (gained != ns * per_ns) {
			fprintf(stderr,
				"%s counted %" PRIu64 " in %" PRIu64 " ns\n",
				pool[rank->events[i]].rate, gained, ns);
			_exit(NOT_EXACT);
		}
	}
	if (ns < rank->ns)
		_exit(NOT_MOVING);
}

static void
mark_base(struct rank *rank)
{
	sample_rank(rank);
	memcpy(rank->before, gpu_now, sizeof(rank->before));
	rank->ns = 0;
}

/* Change to other events, some of which were there before: a new base line. */
static void
change_rank(struct rank *rank)
{
	struct counter_request requests[MOST];
	struct drmperf_error error = { 0 };
	struct rank next = *rank;
	int ret;

	choose_events(&next, 1 + draw_number(rank, MOST));
	fill_requests(&next, requests);
	ret = gpu.ops->change(rank->run, requests, next.count, &error);
	if (ret && ret != -EBUSY && ret != -ENOSPC)
		give_up(NOT_CHANGED, &error);
	if (ret)
		return;
	*rank = next;
	mark_base(rank);
}

static void
step_rank(struct rank *rank)
{
	if (drmsim_advance(MS))
		_exit(NOT_TOLD);
	rank->ns += MS;
	check_rank(rank);
	if (!draw_number(rank, 4))
		change_rank(rank);
}

static bool
begin_rank(struct rank *rank)
{
	struct counter_request requests[MOST];
	struct drmperf_error error = { 0 };
	int ret;

	choose_events(rank, 1 + draw_number(rank, MOST));
	fill_requests(rank, requests);
	ret = gpu_try_arm(requests, rank->count, &rank->run, &error);
	if (!ret) {
		ret = gpu.ops->start(rank->run, &error);
		if (ret)
			gpu.ops->disarm(rank->run);
	}
	if (ret && ret != -EBUSY && ret != -ENOSPC)
		give_up(NOT_BEGUN, &error);
	if (ret)
		return false;
	mark_base(rank);
	return true;
}

/* Print how far a rank is: no process waits for a reader. */
static void
print_rank(const struct rank *rank)
{
	if (write(rank->steps, "", 1) != 1 && errno != EAGAIN)
		_exit(NOT_TOLD);
}

static void
be_rank(struct rank *rank)
{
	struct drmperf_error error = { 0 };

	gpu_close(); /* the parent's */
	if (gpu_try_open(&gpu_target, &error))
		give_up(NOT_OPENED, &error);
	while (!rank->board->over) {
		bool counts = begin_rank(rank);

		rank->board->has_begun |= counts;
		print_rank(rank);
		if (!counts)
			continue;
		for (unsigned left = draw_number(rank, 5); left; left--) {
			step_rank(rank);
			print_rank(rank);
		}
		if (gpu.ops->stop(rank->run, &error))
			give_up(NOT_STOPPED, &error);
		gpu.ops->disarm(rank->run);
	}
	gpu_close();
	_exit(FINE);
}

/* ------------------------------------------------------------------ */
/* Starting and killing ranks                                           */

struct node {
	pid_t pids[RANKS];
	int steps[2];
	struct board *board;
	unsigned seed;
};

static pid_t
start_rank(struct node *node)
{
	struct rank rank = { .seed = node->seed++,
			     .steps = node->steps[1],
			     .board = node->board };
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		child_begin();
		be_rank(&rank);
	}
	return pid;
}

/* Wait for steps from now on. */
static void
await_steps(const struct node *node, unsigned count)
{
	char byte;
	int old;

	ck_assert_int_eq(ioctl(node->steps[0], FIONREAD, &old), 0);
	for (count += (unsigned)old; count; count--)
		ck_assert_int_eq(read(node->steps[0], &byte, 1), 1);
}

/* Kill a rank, which has not found anything wrong before it dies. */
static void
kill_rank(struct node *node, unsigned index)
{
	int status;

	kill(node->pids[index], SIGKILL);
	ck_assert_int_eq(waitpid(node->pids[index], &status, 0),
			 node->pids[index]);
	ck_assert_msg(WIFSIGNALED(status), "verdict %d", WEXITSTATUS(status));
	node->pids[index] = start_rank(node);
}

static void
end_ranks(struct node *node)
{
	int status;

	node->board->over = true;
	for (size_t i = 0; i < RANKS; i++) {
		ck_assert_int_eq(waitpid(node->pids[i], &status, 0),
				 node->pids[i]);
		ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status),
			      "verdict %d", WEXITSTATUS(status));
	}
}

static int
round_count(void)
{
	if (getenv("VALGRIND"))
		return 5;
	return getenv("CHECK_ALL") ? 400 : 50;
}

/* Count alone: the GPU is as it was for a process that shares with none. */
static void
count_alone(void)
{
	const struct counter_request asked = gpu_request("TCC", 21, 0);
	void *run;

	setenv("DRMPERF_SHARE", "0", 1);
	run = gpu_begin(&asked, 1);
	gpu_sample(run);
	gpu_end(run);
	unsetenv("DRMPERF_SHARE");
}

static void
kill_some(struct node *node, unsigned seed)
{
	ck_assert_int_eq(pipe(node->steps), 0);
	ck_assert_int_eq(fcntl(node->steps[1], F_SETFL, O_NONBLOCK), 0);
	node->board = mmap(NULL, sizeof(*node->board), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert(node->board != MAP_FAILED);
	for (size_t i = 0; i < RANKS; i++)
		node->pids[i] = start_rank(node);
	for (int i = 0; i < round_count(); i++) {
		await_steps(node, (unsigned)rand_r(&seed) % 12);
		kill_rank(node, (unsigned)rand_r(&seed) % RANKS);
	}
	for (int i = 0; !node->board->has_begun && i < 100; i++)
		await_steps(node, 1);
	ck_assert(node->board->has_begun);
	end_ranks(node);
	munmap(node->board, sizeof(*node->board));
	close(node->steps[0]);
	close(node->steps[1]);
}

TEST_CASE(ranks, gpu_open, gpu_close_clean, "amdgpu_ranks");

/* Sometimes one that is not killed counts all the time. */
TEST_LOOP(ranks, killed_at_random, 3)
{
	struct node node = { .seed = 1 + 100000u * (unsigned)_i };
	struct rank survivor = { .events = { 0, 7 }, .count = 2 };
	struct counter_request requests[MOST];

	for (size_t i = 0; i < ARRAY_SIZE(pool); i++)
		scene_set("rate", pool[i].rate);
	if (_i) {
		fill_requests(&survivor, requests);
		survivor.run = gpu_begin(requests, survivor.count);
		mark_base(&survivor);
	}
	kill_some(&node, 7 + (unsigned)_i);
	if (_i) {
		survivor.ns = MS;
		check_rank(&survivor);
		gpu_end(survivor.run);
	}
	count_alone();
}

TEST_GPUS("amdgpu_ranks", "vega10");
