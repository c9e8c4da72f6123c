/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of processes that end while they are visited.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmperf/util/drm_files.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

#define ROUNDS 100
#define FILES 200

/* A process that ends, and whether there is nothing of it any more. */
struct process {
	pid_t pid;
	atomic_bool is_over;
};

static int
ignore_file(void *data, const char *text)
{
	(void)data;
	(void)text;
	return 0;
}

/* Begin a process that has many files and does nothing. */
static pid_t
begin_process(void)
{
	struct child child;

	if (child_fork(&child)) {
		for (int i = 0; i < FILES; i++)
			(void)!dup(child.line);
		child_hold(&child);
	}
	return child_await_hold(&child);
}

static void *
end_process(void *data)
{
	struct process *process = data;

	kill(process->pid, SIGKILL);
	waitpid(process->pid, NULL, 0);
	process->is_over = true;
	return NULL;
}

/*
 * Look at the folder as other programs do: the kernel gives it to root once the
 * process has no memory, and tells those that look at it then.
 */
static void *
look_beside(void *data)
{
	struct process *process = data;
	struct stat status;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/0", (int)process->pid);
	while (!process->is_over)
		(void)!lstat(path, &status);
	return NULL;
}

/*
 * Become another user for the rest of this process, since root may look at
 * everything.
 */
static void
become_ordinary(void)
{
	if (geteuid())
		return;
	ck_assert_int_eq(setresuid(65534, 65534, 65534), 0);
	/* setresuid() forbids others to look at it and its children */
	ck_assert_int_eq(prctl(PR_SET_DUMPABLE, 1), 0);
}

TEST_CASE(tool_drm_files, NULL, NULL, "tool_drm_files");

TEST(tool_drm_files, a_process_may_end_while_it_is_visited)
{
	become_ordinary();
	for (int i = 0; i < ROUNDS; i++) {
		struct process process = { .pid = begin_process() };
		pthread_t end, look;

		ck_assert_int_eq(pthread_create(&look, NULL, look_beside,
						&process),
				 0);
		ck_assert_int_ge(
			drm_files_visit(process.pid, ignore_file, NULL), 0);
		ck_assert_int_eq(
			pthread_create(&end, NULL, end_process, &process), 0);
		while (!process.is_over)
			ck_assert_int_ge(drm_files_visit(process.pid,
							 ignore_file, NULL),
					 0);
		ck_assert_int_eq(pthread_join(end, NULL), 0);
		ck_assert_int_eq(pthread_join(look, NULL), 0);
	}
}
