/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A command that is started, but held back until it is let go: what has to be
 * ready before its first instruction can be made ready.
 *
 * While it runs, SIGINT, SIGTERM and SIGHUP are waited for and not delivered,
 * so that a Ctrl-C ends the command and not the tool.
 */
#ifndef DRMPERF_TOOL_PROCESS_SPAWN_H
#define DRMPERF_TOOL_PROCESS_SPAWN_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/tool.h"

/* The signals that are blocked, and the mask as it was before. */
struct spawn_signals {
	sigset_t waited;
	sigset_t before;
	bool taken; /* one has come, and has been dealt with */
};

/* The time after the first signal in which others are its companions. */
#define SPAWN_PATIENCE_NS 1000000000ull

struct spawn {
	struct spawn_signals *signals;
	pid_t pid; /* 0: there is no command, only signals and time */
	int go; /* write end: a byte lets the command go */
	int failed; /* read end: errno of exec, or nothing */
	int interrupted; /* the last signal that was to end it, or 0 */
	uint64_t interrupted_ns; /* when the first one was taken */
	uint32_t passed; /* a bit for each number that the command has had */
	int status; /* the exit code to pass on */
	/* A process that is no child, for poll(): itself, and the signals. */
	bool watches;
	int watched, arrivals;
};

enum spawn_event {
	SPAWN_ENDED,
	SPAWN_INTERRUPTED, /* there is no command, and a signal came */
	SPAWN_TIME,
};

/* Block signals. Those that were ignored before, as by nohup, stay ignored. */
void
spawn_block_signals(struct spawn_signals *signals);
/*
 * Write standard output out, and let signals through, those that have come
 * while nothing waited for them included; so call it when all results are
 * written. If one has ended the run, all of them stay blocked: only the exit is
 * left, and its status is not theirs.
 */
void
spawn_unblock_signals(const struct spawn_signals *signals);
/* Return whether a signal has come while no wait was in progress. */
bool
spawn_is_interrupted(const struct spawn_signals *signals);

/* Fork. Returns 0, or TOOL_FAILED after a complaint. */
int
spawn_prepare(const struct tool *tool, struct spawn_signals *signals,
	      const char *const *command, struct spawn *spawn);
/*
 * Let the child execute the command. Returns 0, or TOOL_NOT_FOUND or
 * TOOL_CANNOT_RUN after a complaint; then it is reaped.
 */
int
spawn_exec(const struct tool *tool, const char *program, struct spawn *spawn);
/* End a command that was never released, and reap it. */
void
spawn_cancel(struct spawn *spawn);

/*
 * Have spawn_wait() wait for the end of a process that runs already, in place
 * of a command. 0, or TOOL_FAILED after a complaint.
 */
int
spawn_watch(const struct tool *tool, struct spawn_signals *signals,
	    pid_t pid, struct spawn *spawn);
void
spawn_unwatch(struct spawn *spawn);

/*
 * Wait for the first of these: the end of the command, a signal if there is
 * none, or a time on CLOCK_MONOTONIC (UINT64_MAX: never). While waiting,
 * signals are passed on to the command unless the terminal sent them to it as
 * well. One that comes more than SPAWN_PATIENCE_NS after the first kills it;
 * before that, each is passed on once.
 */
enum spawn_event
spawn_wait(struct spawn *spawn, uint64_t until_ns);

uint64_t
spawn_now_ns(void);

/*
 * Run a command for which nothing has to be made ready: returns the exit code
 * to pass on.
 */
int
spawn_run(const struct tool *tool, const char *const *command);

#endif /* DRMPERF_TOOL_PROCESS_SPAWN_H */
