/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------------------------ */
/* Which one                                                            */

static bool
is_in_path(const char *program)
{
	const char *path = secure_getenv("PATH");
	char file[PATH_MAX];

	while (path && *path) {
		int length = (int)strcspn(path, ":");

		snprintf(file, sizeof(file), "%.*s/%s", length, path, program);
		if (!access(file, X_OK))
			return true;
		path += length;
		path += *path == ':';
	}
	return false;
}

/* Return the command, or NULL: none. */
static const char *
find_command(void)
{
	const char *command = secure_getenv("DRMPERF_PAGER");

	if (!command)
		command = secure_getenv("PAGER");
	if (!command)
		command = is_in_path("less") ? "less" : "";
	return *command && strcmp(command, "cat") ? command : NULL;
}

/* ------------------------------------------------------------------ */
/* The two processes                                                    */

/*
 * Run a pager. -F: what fits the screen stays there; -R: colours; -X: it is not
 * wiped.
 */
static void
run_pager(const char *command, int input)
{
	dup2(input, STDIN_FILENO);
	setenv("LESS", "FRX", 0);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(TOOL_NOT_FOUND);
}

/* Redirect standard output, and messages if they are for the same reader. */
static void
pager_redirect(struct pager *pager, int to)
{
	pager->output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (isatty(STDERR_FILENO)) {
		pager->messages = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
		dup2(to, STDERR_FILENO);
	}
	dup2(to, STDOUT_FILENO);
}

/*
 * Ignore signals: Ctrl-C is the pager's, which goes on; and a user that leaves
 * it early has seen enough.
 */
static void
leave_signals_to_it(void)
{
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
}

void
pager_begin(struct pager *pager, const struct tool *tool)
{
	int ends[2];

	*pager = (struct pager){ .output = -1, .messages = -1 };
	pager->command = tool->terminal ? find_command() : NULL;
	if (!pager->command || pipe2(ends, O_CLOEXEC))
		return;
	fflush(stdout);
	pager->pid = fork();
	if (!pager->pid)
		run_pager(pager->command, ends[0]);
	if (pager->pid > 0) {
		pager_redirect(pager, ends[1]);
		leave_signals_to_it();
	} else {
		pager->pid = 0;
	}
	close(ends[0]);
	close(ends[1]);
}

static void
restore_stream(int *saved, int stream)
{
	if (*saved < 0)
		return;
	dup2(*saved, stream);
	close(*saved);
	*saved = -1;
}

/* Return true if it ran, however it ended. */
static bool
wait_for_pager(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return !WIFEXITED(status) || (WEXITSTATUS(status) != TOOL_CANNOT_RUN &&
				      WEXITSTATUS(status) != TOOL_NOT_FOUND);
}

int
pager_end(struct pager *pager, const struct tool *tool, int status)
{
	bool ran;

	if (!pager->pid)
		return status;
	/* unread output is no failure of the tool */
	fflush(stdout);
	__fpurge(stdout);
	clearerr(stdout);
	restore_stream(&pager->output, STDOUT_FILENO);
	restore_stream(&pager->messages, STDERR_FILENO);
	ran = wait_for_pager(pager->pid);
	pager->pid = 0;
	if (ran)
		return status;
	tool_fail(tool, "the pager \"%s\" cannot be run", pager->command);
	fputs("try: set PAGER or DRMPERF_PAGER to another pager, or to "
	      "cat\n",
	      stderr);
	return TOOL_FAILED;
}
