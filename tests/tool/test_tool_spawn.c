/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Commands that the command line tool runs: held back, let go, interrupted.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drmperf/process/spawn.h"
#include "tests/support/check.h"
#include "tests/support/suite.h"

static const struct tool tool = { .command = "test" };
static struct spawn_signals signals;
static struct spawn spawn;

static const int interrupts[] = { SIGINT, SIGTERM, SIGHUP };

/* Set up signals: what started the tests, nohup for one, may ignore some. */
static void
set_up(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(interrupts); i++)
		signal(interrupts[i], SIG_DFL);
	spawn_block_signals(&signals);
	spawn = (struct spawn){ .signals = &signals };
}

/*
 * Tear down, so that none leaves the next one a signal or a mask where tests
 * share a process.
 */
static void
tear_down(void)
{
	const struct timespec none = { 0 };

	while (sigtimedwait(&signals.waited, NULL, &none) > 0)
		;
	signals.taken = false;
	spawn_unblock_signals(&signals);
}

TEST_CASE(spawn, set_up, tear_down, "tool_spawn");

static void
prepare_script(const char *script)
{
	const char *const command[] = { "sh", "-c", script, NULL };

	ck_assert_int_eq(spawn_prepare(&tool, &signals, command, &spawn), 0);
}

static void
let_go(const char *script)
{
	prepare_script(script);
	ck_assert_int_eq(spawn_exec(&tool, "sh", &spawn), 0);
}

static const struct {
	const char *script;
	int status;
} ends[] = {
	{ "exit 0", 0 },       { "exit 3", 3 },		 { "exit 255", 255 },
	{ "kill -9 $$", 137 }, { "kill -TERM $$", 143 }, { "sleep 0.1", 0 },
};

TEST_LOOP(spawn, the_end_of_a_command_has_its_status, ARRAY_SIZE(ends))
{
	let_go(ends[_i].script);
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_ENDED);
	ck_assert_int_eq(spawn.status, ends[_i].status);
	ck_assert_int_eq(spawn.interrupted, 0);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}

static const struct {
	const char *program;
	int status;
} failures[] = {
	{ "/no/such/program", TOOL_NOT_FOUND },
	{ "/etc/passwd", TOOL_CANNOT_RUN },
	{ "/", TOOL_CANNOT_RUN },
};

TEST_LOOP(spawn, a_command_that_cannot_run_has_a_status, ARRAY_SIZE(failures))
{
	const char *const command[] = { failures[_i].program, NULL };

	ck_assert_int_eq(spawn_prepare(&tool, &signals, command, &spawn), 0);
	ck_assert_int_eq(spawn_exec(&tool, command[0], &spawn),
			 failures[_i].status);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

/* What is cancelled has never run. */
TEST(spawn, a_cancelled_command_has_never_run)
{
	char path[] = "/tmp/spawn-XXXXXX", script[64];

	ck_assert_ptr_nonnull(mkdtemp(path));
	snprintf(script, sizeof(script), "rmdir %s", path);
	prepare_script(script);
	spawn_cancel(&spawn);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(rmdir(path), 0);
}

TEST(spawn, a_wait_ends_with_its_time)
{
	uint64_t until = spawn_now_ns() + 20000000;

	let_go("exec sleep 60");
	ck_assert_int_eq(spawn_wait(&spawn, until), SPAWN_TIME);
	ck_assert(spawn_now_ns() >= until);
	/* one that has passed */
	ck_assert_int_eq(spawn_wait(&spawn, until), SPAWN_TIME);
	kill(spawn.pid, SIGKILL);
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_ENDED);
	/* without a command */
	spawn = (struct spawn){ .signals = &signals };
	ck_assert_int_eq(spawn_wait(&spawn, until), SPAWN_TIME);
}

/* A signal of another process is passed on. */
TEST_LOOP(spawn, a_signal_is_passed_to_the_command, ARRAY_SIZE(interrupts))
{
	let_go("exec sleep 60");
	ck_assert(!spawn_is_interrupted(&signals));
	kill(getpid(), interrupts[_i]);
	ck_assert(spawn_is_interrupted(&signals));
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_ENDED);
	ck_assert_int_eq(spawn.interrupted, interrupts[_i]);
	ck_assert_int_eq(spawn.status, 128 + interrupts[_i]);
	ck_assert(!spawn_is_interrupted(&signals));

	spawn = (struct spawn){ .signals = &signals };
	kill(getpid(), interrupts[_i]);
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_INTERRUPTED);
	ck_assert_int_eq(spawn.status, 128 + interrupts[_i]);
}

/*
 * A command that does not heed a signal: the same soon after is the same, one
 * later kills it. What "soon" is, is set by hand, so that no time is measured.
 */
TEST_LOOP(spawn, a_second_signal_kills_the_command, ARRAY_SIZE(interrupts))
{
	const uint64_t hour_ns = 3600 * SPAWN_PATIENCE_NS;

	/* ignored by the shell already, and so by the sleep, before it runs */
	signal(interrupts[_i], SIG_IGN);
	let_go("exec sleep 60");
	signal(interrupts[_i], SIG_DFL);
	kill(getpid(), interrupts[_i]);
	ck_assert_int_eq(spawn_wait(&spawn, spawn_now_ns() + 50000000),
			 SPAWN_TIME);
	ck_assert_int_eq(spawn.interrupted, interrupts[_i]);
	spawn.interrupted_ns = spawn_now_ns() + hour_ns;
	kill(getpid(), interrupts[_i]);
	ck_assert_int_eq(spawn_wait(&spawn, spawn_now_ns() + 50000000),
			 SPAWN_TIME);
	ck_assert_int_eq(waitpid(spawn.pid, NULL, WNOHANG), 0);
	spawn.interrupted_ns = spawn_now_ns() - SPAWN_PATIENCE_NS;
	kill(getpid(), interrupts[_i]);
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_ENDED);
	ck_assert_int_eq(spawn.status, 128 + SIGKILL);
}

/* Soon after the first one, another number is passed on as well, once. */
TEST(spawn, interrupt_by_others)
{
	signal(SIGINT, SIG_IGN);
	let_go("exec sleep 60");
	signal(SIGINT, SIG_DFL);
	kill(getpid(), SIGINT);
	ck_assert_int_eq(spawn_wait(&spawn, spawn_now_ns() + 50000000),
			 SPAWN_TIME);
	spawn.interrupted_ns = spawn_now_ns() + 3600 * SPAWN_PATIENCE_NS;
	kill(getpid(), SIGTERM);
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_ENDED);
	ck_assert_int_eq(spawn.status, 128 + SIGTERM);
}

/* Once one has ended the run, no further one ends the tool. */
TEST(spawn, interrupt_at_the_end)
{
	sigset_t now;

	let_go("exec sleep 60");
	kill(getpid(), SIGTERM);
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_ENDED);
	kill(getpid(), SIGTERM);
	kill(getpid(), SIGHUP);
	spawn_unblock_signals(&signals);
	sigprocmask(SIG_SETMASK, NULL, &now);
	ck_assert_int_eq(sigismember(&now, SIGTERM), 1);
}

/* The command gets the mask the tool began with. */
TEST(spawn, a_command_gets_the_tools_first_mask)
{
	sigset_t now;

	sigprocmask(SIG_SETMASK, NULL, &now);
	ck_assert_int_eq(sigismember(&now, SIGINT), 1);
	ck_assert_int_eq(sigismember(&signals.before, SIGINT), 0);
	let_go("kill -INT $$; exit 4");
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_ENDED);
	ck_assert_int_eq(spawn.status, 128 + SIGINT);
	ck_assert(!signals.taken);
	spawn_unblock_signals(&signals);
	sigprocmask(SIG_SETMASK, NULL, &now);
	ck_assert_int_eq(sigismember(&now, SIGINT), 0);
}

/* What nohup and shells without job control ignore is not waited for. */
TEST(spawn, ignored_signals_are_not_waited_for)
{
	spawn_unblock_signals(&signals);
	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	spawn_block_signals(&signals);
	ck_assert_int_eq(sigismember(&signals.waited, SIGHUP), 0);
	ck_assert_int_eq(sigismember(&signals.waited, SIGINT), 1);
	let_go("exit 5");
	kill(getpid(), SIGHUP);
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_ENDED);
	ck_assert_int_eq(spawn.status, 5);
	ck_assert_int_eq(spawn.interrupted, 0);
	signal(SIGHUP, SIG_DFL);
}

/* One that is a child here, since some process it has to be. */
TEST(spawn, a_process_is_watched)
{
	pid_t pid;

	/* valgrind 3.19 does not know pidfd_open() */
	if (getenv("VALGRIND")) {
		printf("skip a_process_is_watched: not in valgrind\n");
		return;
	}
	pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	ck_assert_int_eq(spawn_watch(&tool, &signals, pid, &spawn), 0);
	ck_assert_int_eq(spawn_wait(&spawn, spawn_now_ns() + 1), SPAWN_TIME);
	kill(getpid(), SIGTERM);
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_INTERRUPTED);
	ck_assert_int_eq(spawn.status, 128 + SIGTERM);
	kill(pid, SIGKILL);
	ck_assert_int_eq(spawn_wait(&spawn, UINT64_MAX), SPAWN_ENDED);
	spawn_unwatch(&spawn);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(spawn_watch(&tool, &signals, pid, &spawn),
			 TOOL_FAILED);
	spawn_unwatch(&spawn);
}
