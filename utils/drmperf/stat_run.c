/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One run of the command with a session counting.
 *
 * SIGINT, SIGTERM and SIGCHLD are blocked meanwhile and waited for, so that a
 * Ctrl-C ends the run and not the tool: the terminal has sent it to the
 * command as well.
 */
#include "stat.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "spawn.h"

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000

static uint64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void
waited_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGCHLD);
}

/* Wait for one of the signals until then; 0 if the time has come. */
static int
wait_signal(const sigset_t *set, uint64_t until_ns)
{
	uint64_t now = now_ns();
	struct timespec timeout = { 0 };
	int number;

	if (until_ns == UINT64_MAX)
		number = sigwaitinfo(set, NULL);
	else {
		if (until_ns > now) {
			timeout.tv_sec = (time_t)((until_ns - now) / NS_PER_S);
			timeout.tv_nsec = (long)((until_ns - now) % NS_PER_S);
		}
		number = sigtimedwait(set, NULL, &timeout);
	}
	return number > 0 ? number : 0;
}

static int
print_interval(struct stat_run *run, uint64_t start_ns)
{
	struct drmperf_error error;

	if (drmperf_session_read(run->session, run->values, NULL, &error))
		return tool_complain(run->tool, &error);
	stat_print_interval(run, (double)(now_ns() - start_ns) / NS_PER_S);
	if (drmperf_session_reset(run->session, &error))
		return tool_complain(run->tool, &error);
	return 0;
}

/*
 * Until the command has ended, or a signal has come. Returns the exit code to
 * pass on; pid 0: there is no command.
 */
static int
watch(struct stat_run *run, const sigset_t *set, pid_t pid, uint64_t start_ns)
{
	uint64_t interval = (uint64_t)run->options->interval_ms * NS_PER_MS;
	uint64_t next = interval ? start_ns + interval : UINT64_MAX;
	int status, number, failed = 0;

	for (;;) {
		number = wait_signal(set, next);
		if (!number && now_ns() >= next) {
			next += interval;
			failed = print_interval(run, start_ns);
			if (failed && !pid)
				return failed;
			if (failed)
				next = UINT64_MAX;
		} else if (number == SIGCHLD) {
			if (pid && waitpid(pid, &status, WNOHANG) == pid)
				return failed ? failed
					      : spawn_exit_code(status);
		} else if (number) {
			run->interrupted = number;
			if (!pid)
				return 128 + number;
			kill(pid, number);
		}
	}
}

static int
count_command(struct stat_run *run, const sigset_t *set, struct spawn *spawn)
{
	const char *program = run->options->command[0];
	uint64_t start_ns = now_ns();
	int ret;

	ret = spawn_go(spawn);
	if (ret) {
		tool_fail(run->tool, "cannot run %s: %s", program,
			  strerror(-ret));
		return ret == -ENOENT ? TOOL_NOT_FOUND : TOOL_CANNOT_RUN;
	}
	ret = watch(run, set, spawn->pid, start_ns);
	run->seconds = (double)(now_ns() - start_ns) / NS_PER_S;
	run->counted = true;
	return ret;
}

static int
count_until_signal(struct stat_run *run, const sigset_t *set)
{
	uint64_t start_ns = now_ns();
	int ret = watch(run, set, 0, start_ns);

	run->seconds = (double)(now_ns() - start_ns) / NS_PER_S;
	run->counted = true;
	return ret;
}

/* Start, count, stop, and take the values. */
static int
count(struct stat_run *run, const sigset_t *set, struct spawn *spawn)
{
	struct drmperf_error error;
	int status;

	if (drmperf_session_start(run->session, &error)) {
		if (spawn)
			spawn_cancel(spawn);
		return tool_complain(run->tool, &error);
	}
	status = spawn ? count_command(run, set, spawn)
		       : count_until_signal(run, set);
	if (drmperf_session_stop(run->session, &error) ||
	    drmperf_session_read(run->session, run->values, NULL, &error)) {
		run->counted = false;
		return tool_complain(run->tool, &error);
	}
	if (run->counted && run->options->interval_ms)
		stat_print_interval(run, run->seconds);
	return status;
}

int
stat_run(struct stat_run *run)
{
	struct spawn spawn, *command = NULL;
	sigset_t set, before;
	int ret;

	waited_signals(&set);
	sigprocmask(SIG_BLOCK, &set, &before);
	if (run->options->command[0]) {
		ret = spawn_prepare(&spawn, run->options->command, &before);
		if (ret) {
			sigprocmask(SIG_SETMASK, &before, NULL);
			return tool_fail(run->tool, "cannot fork: %s",
					 strerror(-ret));
		}
		command = &spawn;
	}
	ret = count(run, &set, command);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return ret;
}
