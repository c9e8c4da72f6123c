/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A command that is started, but held back until it is let go: what has to be
 * ready before its first instruction can be made ready.
 */
#ifndef DRMPERF_TOOL_SPAWN_H
#define DRMPERF_TOOL_SPAWN_H

#include <signal.h>
#include <sys/types.h>

struct spawn {
	pid_t pid;
	int go; /* write end: a byte lets the command go */
	int failed; /* read end: errno of exec, or nothing */
};

/*
 * Fork. mask is the signal mask the command gets. 0 or -errno.
 */
int
spawn_prepare(struct spawn *spawn, const char *const *command,
	      const sigset_t *mask);
/* Let it go. 0, or the -errno of a failed exec; then it is reaped. */
int
spawn_go(struct spawn *spawn);
/* End a command that was never let go, and reap it. */
void
spawn_cancel(struct spawn *spawn);

/* The exit code a shell would give for this wait status. */
int
spawn_exit_code(int status);

#endif /* DRMPERF_TOOL_SPAWN_H */
