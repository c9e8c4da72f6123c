/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members that stop or die with the lock, and processes that do not show what
 * they have. Once a test says so, time passes by waiting only.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/share/peers.h"
#include "driver/share/share.h"
#include "tests/driver/share/waited_time.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define NOBODY 65534

/* ------------------------------------------------------------------ */
/* A device                                                             */

static char node[64];
static struct share_setup setup = {
	.node = node, .layout = "test 1", .common_size = 8, .record_size = 8
};
static struct drmperf_error error;

static void
set_up(void)
{
	int fd;

	strcpy(node, "/tmp/share-XXXXXX");
	fd = mkstemp(node);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void
tear_down(void)
{
	waited_time.is_made_up = false;
	unlink(node);
}

TEST_CASE(lock, set_up, tear_down, "share");
TEST_CASE(peers, set_up, tear_down, "share");

static struct share *
join_node(void)
{
	struct share *share;

	ck_assert_msg(!share_join(&setup, &share, &error), "%s", error.cause);
	return share;
}

/* ------------------------------------------------------------------ */
/* The lock                                                             */

/*
 * Start another member, which has the lock now, and keeps it as long as it
 * lives.
 */
static pid_t
lock_elsewhere(void)
{
	struct share *share;
	struct child child;

	if (child_fork(&child)) {
		if (share_join(&setup, &share, NULL) || share_lock(share, NULL))
			child_end(1);
		child_hold(&child);
	}
	return child_await_hold(&child);
}

TEST(lock, who_keeps_the_lock_is_named)
{
	struct share *share = join_node();
	pid_t child = lock_elsewhere();
	char own[17], name[48];

	waited_time_begin();
	ck_assert_int_eq(share_lock(share, &error), -EBUSY);
	ck_assert_int_ge(waited_time.ns, 10 * SECOND);
	/* another one in valgrind */
	ck_assert_int_eq(prctl(PR_GET_NAME, own), 0);
	snprintf(name, sizeof(name), "pid %d (%s), ", child, own);
	ck_assert_msg(strstr(error.cause, name) && strstr(error.cause, node) &&
			      strstr(error.remedy, "kill -CONT"),
		      "%s; %s", error.cause, error.remedy);
	child_kill(child);
	ck_assert_msg(!share_lock(share, &error), "%s", error.cause);
	share_unlock(share);
	share_leave(share);
}

/* What the dead had sent to the device is let come to its end, once. */
TEST(lock, who_dies_with_the_lock_is_mourned)
{
	struct share *share = join_node();

	child_kill(lock_elsewhere());
	waited_time_begin();
	ck_assert_msg(!share_lock(share, &error), "%s", error.cause);
	ck_assert_int_eq(waited_time.ns, SECOND / 500);
	share_unlock(share);
	ck_assert_int_eq(share_lock(share, &error), 0);
	ck_assert_int_eq(waited_time.ns, SECOND / 500);
	share_unlock(share);
	share_leave(share);
}

/* ------------------------------------------------------------------ */
/* What does not show what it has                                       */

/* Return -ENOENT for every file: the process has nothing to show. */
static int
is_memory(void *data, int fd)
{
	(void)data;
	(void)fd;
	return -ENOENT;
}

/*
 * Look at what a process that may not look at others' descriptors finds; what
 * it cannot do ends it with 0.
 */
static int
look_without_rights(const struct stat *file)
{
	int status;
	pid_t child = fork();

	if (!child) {
		if (!geteuid() && setresuid(NOBODY, NOBODY, NOBODY))
			child_end(0);
		child_end(-peers_open_memory(file, is_memory, NULL));
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return -WEXITSTATUS(status);
}

/* It lives: nothing will be seen by looking again. */
TEST(peers, living_do_not_show)
{
	int fd = open(node, O_RDWR);
	struct stat file;

	ck_assert_int_eq(fstat(fd, &file), 0);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	ck_assert_int_eq(prctl(PR_SET_DUMPABLE, 0), 0);
	ck_assert_int_eq(look_without_rights(&file), -ENOENT);
	ck_assert_int_eq(prctl(PR_SET_DUMPABLE, 1), 0);
	close(fd);
}

/* The lock is of one that has ended: its successors may be about to begin. */
TEST(peers, dead_may_have_heirs)
{
	int fd = open(node, O_RDWR);
	struct stat file;
	pid_t child;

	ck_assert_int_eq(fstat(fd, &file), 0);
	child = fork();
	if (!child)
		child_end(flock(fd, LOCK_EX) != 0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	/* kernels show it in the first namespace of processes */
	if (peers_holder(&file) == child)
		ck_assert_int_eq(peers_open_memory(&file, is_memory, NULL),
				 -EAGAIN);
	else
		printf("skip dead_may_have_heirs: the kernel does not show "
		       "locks of processes that have ended\n");
	close(fd);
}

/* ------------------------------------------------------------------ */
/* Rights                                                               */

/*
 * Start a member with fewer rights than ours, if asked for. Returns 0 if it
 * cannot have fewer.
 */
static pid_t
join_elsewhere(bool is_less, bool is_other_namespace)
{
	struct share *share;
	struct child child;
	bool is_member;

	if (child_fork(&child)) {
		if ((is_other_namespace && unshare(CLONE_NEWUSER)) ||
		    (is_less && !child_drop_capabilities()))
			child_end(0);
		if (share_join(&setup, &share, NULL))
			child_end(1);
		child_hold(&child);
	}
	is_member = child_hears(&child);
	close(child.line);
	if (!is_member)
		child_join(child.pid);
	return is_member ? child.pid : 0;
}

static const struct {
	bool is_maker_less, is_other_namespace, is_own_less, is_shared;
} rights[] = {
	{ false, false, false, true }, { true, false, false, false },
	{ false, false, true, false }, { true, false, true, true },
	{ false, true, false, false },
};

/* A process shares with those alone that have the same capabilities. */
TEST_LOOP(peers, rights_are_the_same, ARRAY_SIZE(rights))
{
	struct share *share;
	pid_t child;
	int ret;

	if (geteuid()) {
		printf("skip rights_are_the_same: not root\n");
		return;
	}
	child = join_elsewhere(rights[_i].is_maker_less,
			       rights[_i].is_other_namespace);
	if (!child) {
		printf("skip rights_are_the_same: no namespaces of users\n");
		return;
	}
	if (rights[_i].is_own_less)
		ck_assert(child_drop_capabilities());
	ret = share_join(&setup, &share, &error);
	ck_assert_int_eq(ret, rights[_i].is_shared ? 0 : -EBUSY);
	if (!ret)
		share_leave(share);
	child_kill(child);
}
