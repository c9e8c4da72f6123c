/* SPDX-License-Identifier: BSD-3-Clause */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void
child(const char *const *command, const sigset_t *mask, int go, int failed)
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

int
spawn_prepare(struct spawn *spawn, const char *const *command,
	      const sigset_t *mask)
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
		child(command, mask, go[0], failed[1]);
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

static void
reap(pid_t pid)
{
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int
spawn_go(struct spawn *spawn)
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
	if (cause)
		reap(spawn->pid);
	return -cause;
}

void
spawn_cancel(struct spawn *spawn)
{
	close(spawn->go);
	close(spawn->failed);
	reap(spawn->pid);
}

int
spawn_exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}
