/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/fork_close.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/suite.h"

static bool
is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* Ask a child; what check returns is its status. */
static int
ask_child(int (*check)(struct fork_close *entries, const int *fds),
	  struct fork_close *entries, const int *fds)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(check(entries, fds));
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int
count_open(struct fork_close *entries, const int *fds)
{
	(void)entries;
	return is_open(fds[0]) + is_open(fds[1]) + is_open(fds[2]);
}

/* Use a number again: one that the child uses again is its own. */
static int
use_again(struct fork_close *entries, const int *fds)
{
	if (dup2(STDIN_FILENO, fds[1]) != fds[1])
		return 2;
	for (int i = 0; i < 3; i++)
		fork_close_finish(&entries[i]);
	return !is_open(fds[1]);
}

TEST_CASE(fork_close, NULL, NULL, "fork_close");

TEST(fork_close, child_has_none)
{
	struct fork_close entries[3];
	int fds[3];

	for (int i = 0; i < 3; i++) {
		fds[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		ck_assert_int_ge(fds[i], 0);
		ck_assert_int_eq(fork_close_init(&entries[i], fds[i]), 0);
	}
	ck_assert_int_eq(ask_child(count_open, entries, fds), 0);
	ck_assert_int_eq(ask_child(use_again, entries, fds), 0);
	for (int i = 0; i < 3; i++)
		ck_assert(is_open(fds[i]));
	/* from the middle, the end and the beginning of the list */
	fork_close_finish(&entries[1]);
	ck_assert_int_eq(ask_child(count_open, entries, fds), 0);
	fork_close_finish(&entries[0]);
	fork_close_finish(&entries[2]);
	ck_assert_int_eq(count_open(entries, fds), 0);
}

/* 1: no forks; 2: again */
static atomic_int barred;

static void *
bar_a_while(void *data)
{
	const struct timespec moment = { .tv_nsec = 50000000 };

	(void)data;
	fork_bar();
	atomic_store(&barred, 1);
	/* a fork that comes later is right as well */
	nanosleep(&moment, NULL);
	atomic_store(&barred, 2);
	fork_unbar();
	return NULL;
}

static int
ask_whether_barred(struct fork_close *entries, const int *fds)
{
	(void)entries;
	(void)fds;
	return atomic_load(&barred);
}

TEST(fork_close, no_fork_in_between)
{
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, bar_a_while, NULL), 0);
	while (!atomic_load(&barred))
		sched_yield();
	ck_assert_int_eq(ask_child(ask_whether_barred, NULL, NULL), 2);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
