/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/amdgpu/stream/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The end of this process, the file, and what is held. */
#define KEPT_MOST (2 + SUPERVISOR_HELD)

struct kept {
	int descriptors[KEPT_MOST];
	size_t count;
};

static int
compare_numbers(const void *left, const void *right)
{
	const int *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static void
close_other_descriptors(struct kept *kept)
{
	unsigned first = 0;

	qsort(kept->descriptors, kept->count, sizeof(kept->descriptors[0]),
	      compare_numbers);
	for (size_t i = 0; i < kept->count; i++) {
		const unsigned next = (unsigned)kept->descriptors[i];

		if (next > first)
			syscall(SYS_close_range, first, next - 1, 0);
		first = next + 1;
	}
	syscall(SYS_close_range, first, ~0u, 0);
}

/*
 * Supervise the parent. A process that can be waited for has closed its files.
 * What is sent to the group of the terminal does not reach this one.
 */
static _Noreturn void
supervise_parent(int parent, struct kept *kept,
		 const struct supervisor_task *task)
{
	struct pollfd end = { .fd = parent, .events = POLLIN };

	setsid();
	close_other_descriptors(kept);
	while (poll(&end, 1, -1) < 1)
		;
	task->finish(task->data);
	_exit(0);
}

/* Fork with signals blocked, which stay so in the child. */
static pid_t
fork_blocked(void)
{
	sigset_t all, before;
	pid_t pid;
	int cause;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = fork();
	cause = errno;
	if (pid)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	return pid < 0 ? -cause : pid;
}

/*
 * Duplicate what is held: a child would close the descriptors (fork_close.h),
 * but not duplicates.
 */
static int
duplicate_held(const struct supervisor_task *task, struct kept *kept)
{
	for (size_t i = 0; i < SUPERVISOR_HELD; i++) {
		int fd = task->held[i];

		if (fd < 0)
			continue;
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (fd < 0)
			return -errno;
		kept->descriptors[kept->count++] = fd;
	}
	return 0;
}

static int
fork_supervisor(struct supervisor *supervisor,
		const struct supervisor_task *task, struct kept *kept)
{
	const int parent = kept->descriptors[0];
	pid_t pid;
	int ret = duplicate_held(task, kept);

	if (ret)
		return ret;
	kept->descriptors[kept->count++] = task->file;
	pid = fork_blocked();
	if (!pid)
		supervise_parent(parent, kept, task);
	kept->count--;
	supervisor->pid = pid < 0 ? 0 : pid;
	return pid < 0 ? pid : 0;
}

int
supervisor_start(struct supervisor *supervisor,
		 const struct supervisor_task *task)
{
	struct kept kept = { .count = 1 };
	int ret;

	kept.descriptors[0] = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (kept.descriptors[0] < 0)
		return -errno;
	ret = fork_supervisor(supervisor, task, &kept);
	for (size_t i = 0; i < kept.count; i++)
		close(kept.descriptors[i]);
	return ret;
}

void
supervisor_end(struct supervisor *supervisor)
{
	if (!supervisor->pid)
		return;
	kill(supervisor->pid, SIGKILL);
	while (waitpid(supervisor->pid, NULL, 0) < 0 && errno == EINTR)
		;
	supervisor->pid = 0;
}
