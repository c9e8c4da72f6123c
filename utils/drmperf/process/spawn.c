/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000

static const int interrupts[] = { SIGINT, SIGTERM, SIGHUP };

void
spawn_block_signals(struct spawn_signals *signals)
{
	struct sigaction action;

	/* an ignored SIGCHLD would take the exit status away */
	signal(SIGCHLD, SIG_DFL);
	signals->taken = false;
	sigemptyset(&signals->waited);
	sigaddset(&signals->waited, SIGCHLD);
	for (size_t i = 0; i < sizeof(interrupts) / sizeof(interrupts[0]);
	     i++) {
		sigaction(interrupts[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			sigaddset(&signals->waited, interrupts[i]);
	}
	sigprocmask(SIG_BLOCK, &signals->waited, &signals->before);
}

void
spawn_unblock_signals(const struct spawn_signals *signals)
{
	fflush(stdout);
	if (!signals->taken)
		sigprocmask(SIG_SETMASK, &signals->before, NULL);
}

bool
spawn_is_interrupted(const struct spawn_signals *signals)
{
	sigset_t pending;
	bool is = false;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof(interrupts) / sizeof(interrupts[0]); i++)
		is |= sigismember(&signals->waited, interrupts[i]) == 1 &&
		      sigismember(&pending, interrupts[i]) == 1;
	return is;
}

static _Noreturn void
child_main(const char *const *command, const sigset_t *mask, int go, int failed)
{
	ssize_t written;
	int cause;
	char byte;

	if (read(go, &byte, 1) != 1)
		_exit(0);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(command[0], (char *const *)command);
	cause = errno;
	written = write(failed, &cause, sizeof(cause));
	_exit(written == sizeof(cause) ? 127 : 126);
}

static int
fork_held_back(struct spawn *spawn, const char *const *command)
{
	int go[2], failed[2], ret;

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		ret = -errno;
		goto close_go;
	}
	spawn->pid = fork();
	if (spawn->pid < 0) {
		ret = -errno;
		goto close_failed;
	}
	if (!spawn->pid) {
		close(go[1]);
		close(failed[0]);
		child_main(command, &spawn->signals->before, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	spawn->go = go[1];
	spawn->failed = failed[0];
	return 0;

close_failed:
	close(failed[0]);
	close(failed[1]);
close_go:
	close(go[0]);
	close(go[1]);
	return ret;
}

int
spawn_prepare(const struct tool *tool, struct spawn_signals *signals,
	      const char *const *command, struct spawn *spawn)
{
	int ret;

	*spawn = (struct spawn){ .signals = signals };
	ret = fork_held_back(spawn, command);
	if (ret)
		return tool_fail(tool, "cannot fork: %s", strerror(-ret));
	return 0;
}

static void
child_reap(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int
spawn_exec(const struct tool *tool, const char *program, struct spawn *spawn)
{
	int cause = 0;
	ssize_t got;

	if (write(spawn->go, "", 1) != 1)
		cause = EPIPE;
	close(spawn->go);
	do
		got = read(spawn->failed, &cause, sizeof(cause));
	while (got < 0 && errno == EINTR);
	close(spawn->failed);
	if (!cause)
		return 0;
	child_reap(spawn->pid);
	tool_fail(tool, "cannot run %s: %s", program, strerror(cause));
	return cause == ENOENT ? TOOL_NOT_FOUND : TOOL_CANNOT_RUN;
}

void
spawn_cancel(struct spawn *spawn)
{
	close(spawn->go);
	close(spawn->failed);
	child_reap(spawn->pid);
}

int
spawn_watch(const struct tool *tool, struct spawn_signals *signals,
	    pid_t pid, struct spawn *spawn)
{
	*spawn = (struct spawn){ .signals = signals };
	/* glibc has a function for it from 2.36 on */
	spawn->watched = (int)syscall(SYS_pidfd_open, pid, 0);
	if (spawn->watched < 0)
		return tool_fail(tool, "cannot watch process %d: %s", (int)pid,
				 strerror(errno));
	spawn->arrivals = signalfd(-1, &signals->waited, SFD_CLOEXEC);
	if (spawn->arrivals < 0) {
		close(spawn->watched);
		return tool_fail(tool, "cannot wait for signals: %s",
				 strerror(errno));
	}
	spawn->watches = true;
	return 0;
}

void
spawn_unwatch(struct spawn *spawn)
{
	if (!spawn->watches)
		return;
	close(spawn->watched);
	close(spawn->arrivals);
	spawn->watches = false;
}

uint64_t
spawn_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Return one of the signals, or 0 if the time has come or there was nothing. */
static int
next_signal(const struct spawn *spawn, uint64_t until_ns, siginfo_t *info)
{
	struct timespec timeout = { 0 };
	uint64_t now = spawn_now_ns();
	int number;

	if (until_ns == UINT64_MAX) {
		number = sigwaitinfo(&spawn->signals->waited, info);
	} else {
		if (until_ns > now) {
			timeout.tv_sec = (time_t)((until_ns - now) / NS_PER_S);
			timeout.tv_nsec = (long)((until_ns - now) % NS_PER_S);
		}
		number = sigtimedwait(&spawn->signals->waited, info, &timeout);
	}
	return number > 0 ? number : 0;
}

/* Return the exit code a shell would give for this wait status. */
static int
exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/*
 * Pass a signal on. Signals come in pairs: of timeout(1), which signals its
 * child and then the group, and of supervisors that do so too.
 */
static void
forward_signal(struct spawn *spawn, const siginfo_t *info)
{
	uint64_t now = spawn_now_ns();
	uint32_t bit = 1u << info->si_signo;

	if (!spawn->interrupted)
		spawn->interrupted_ns = now;
	if (now >= spawn->interrupted_ns + SPAWN_PATIENCE_NS)
		kill(spawn->pid, SIGKILL);
	else if (!(spawn->passed & bit) && info->si_code != SI_KERNEL)
		kill(spawn->pid, info->si_signo);
	spawn->passed |= bit;
}

/*
 * Return false if there is a signal, or no more time, before the process ends.
 */
static bool
wait_for_watched(const struct spawn *spawn, uint64_t until_ns)
{
	struct pollfd fds[] = {
		{ .fd = spawn->watched, .events = POLLIN },
		{ .fd = spawn->arrivals, .events = POLLIN },
	};
	struct timespec timeout;
	uint64_t now = spawn_now_ns();
	uint64_t left = until_ns > now ? until_ns - now : 0;

	timeout.tv_sec = (time_t)(left / NS_PER_S);
	timeout.tv_nsec = (long)(left % NS_PER_S);
	ppoll(fds, 2, until_ns == UINT64_MAX ? NULL : &timeout, NULL);
	return fds[0].revents & POLLIN;
}

enum spawn_event
spawn_wait(struct spawn *spawn, uint64_t until_ns)
{
	siginfo_t info;
	int number, status;

	for (;;) {
		if (spawn->watches && wait_for_watched(spawn, until_ns))
			return SPAWN_ENDED;
		/* what was waited for has come */
		number = next_signal(spawn, spawn->watches ? 0 : until_ns,
				     &info);
		if (number == SIGCHLD) {
			if (!spawn->pid ||
			    waitpid(spawn->pid, &status, WNOHANG) != spawn->pid)
				continue;
			spawn->status = exit_code(status);
			return SPAWN_ENDED;
		}
		if (number) {
			if (spawn->pid)
				forward_signal(spawn, &info);
			spawn->interrupted = number;
			spawn->signals->taken = true;
			if (spawn->pid)
				continue;
			spawn->status = 128 + number;
			return SPAWN_INTERRUPTED;
		}
		if (spawn_now_ns() >= until_ns)
			return SPAWN_TIME;
	}
}

int
spawn_run(const struct tool *tool, const char *const *command)
{
	struct spawn_signals signals;
	struct spawn spawn;
	int status;

	spawn_block_signals(&signals);
	status = spawn_prepare(tool, &signals, command, &spawn);
	if (!status)
		status = spawn_exec(tool, command[0], &spawn);
	if (!status) {
		spawn_wait(&spawn, UINT64_MAX);
		status = spawn.status;
	}
	spawn_unblock_signals(&signals);
	return status;
}
