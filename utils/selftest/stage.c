/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/stage.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "driver/results/results.h"
#include "selftest/draw.h"
#include "selftest/log.h"
#include "selftest/work.h"

/* Longest silence of a stage: no work of it takes this long on any machine. */
#define SILENCE_MS 120000
#define REAP_TRIES 50
#define REAP_PAUSE_NS 100000000

/*
 * From the process to its parent: records whose parts, each ended by a NUL, are
 * a letter and its words.
 *
 *   S CHECK            commands are submitted for this check
 *   C VERDICT NAME EXPECTED SEEN
 *   H VERDICT NAME EXPECTED SEEN    the same, and the GPU hung
 *   E CAUSE HUNG       why the stage ends; "hung" if the GPU does not answer
 */
#define PARTS_MAX 5
#define RECORD_SIZE 1024

struct stage_record {
	char text[RECORD_SIZE];
	size_t length;
};

static void
add_part(struct stage_record *record, const char *part)
{
	size_t room = sizeof(record->text) - record->length;
	int length = snprintf(record->text + record->length, room, "%s", part);

	record->length += (size_t)length < room ? (size_t)length + 1 : room;
}

/* Send a record, no more than PIPE_BUF, so that all of it arrives at once. */
static void
send_record(int fd, const struct stage_record *record)
{
	uint16_t length = (uint16_t)record->length;
	char whole[sizeof(length) + RECORD_SIZE];

	memcpy(whole, &length, sizeof(length));
	memcpy(whole + sizeof(length), record->text, record->length);
	while (write(fd, whole, sizeof(length) + record->length) < 0 &&
	       errno == EINTR)
		;
}

/* ------------------------------------------------------------------ */
/* In the process                                                       */

struct process {
	const struct selftest_stage *stage;
	int pipe;
	struct selftest_results
		known; /* by earlier runs, read when it is wanted */
	bool is_known;
	bool skipped; /* the check being decided has hung before */
	struct draw draw;
	pid_t beside; /* of the user's command; 0: it does not run */
	struct selftest_log_known logged;
};

static void
process_decided(void *data, const struct selftest_check *check)
{
	struct process *process = data;
	struct stage_record record = { .length = 0 };

	selftest_log_line(process->stage->log, "%s %s: expected %s, seen %s",
			  selftest_verdict_names[check->verdict], check->name,
			  check->expected, check->seen);
	add_part(&record, process->skipped ? "H" : "C");
	add_part(&record, selftest_verdict_names[check->verdict]);
	add_part(&record, check->name);
	add_part(&record, check->expected);
	add_part(&record, check->seen);
	send_record(process->pipe, &record);
	process->skipped = false;
}

static bool
has_hung(struct process *process, const char *check)
{
	const struct selftest_stage *stage = process->stage;
	struct drmperf_error error;

	if (stage->again || !*stage->memory->results)
		return false;
	/* A file that cannot be read is reported when it is written again. */
	if (!process->is_known)
		results_read(&process->known, stage->memory->results, &error);
	process->is_known = true;
	return results_find(&process->known, check) == RESULT_HANG;
}

static int
process_submitting(void *data, const struct selftest_commands *commands)
{
	struct process *process = data;
	struct stage_record record = { .length = 0 };
	int ret;

	process->skipped = has_hung(process, commands->check);
	if (process->skipped)
		return 1;
	ret = selftest_log_commands(process->stage->log, &process->logged,
				    commands);
	if (ret)
		return ret;
	add_part(&record, "S");
	add_part(&record, commands->check);
	send_record(process->pipe, &record);
	return 0;
}

static int
process_elsewhere(void *data, const struct selftest_waves *waves)
{
	struct process *process = data;

	return work_launch(&process->stage->gpu, waves);
}

static int
process_draw(void *data, const struct selftest_drawing *drawing,
	     enum selftest_draw step)
{
	struct process *process = data;

	return draw_step(&process->draw, process->stage->gpu.node, drawing,
			 step);
}

/* Run the user's suspend command, whose output is not the self-test's. */
static int
process_suspend(void *data)
{
	const struct process *process = data;
	char *command;
	int status;

	if (!process->stage->suspend)
		return -ENOSYS;
	if (asprintf(&command, "exec >&2\n%s", process->stage->suspend) < 0)
		return -ENOMEM;
	status = system(command);
	free(command);
	return status ? -ECANCELED : 0;
}

/*
 * Run the user's command, whose output is not the self-test's; processes that
 * it starts end with it.
 */
static int
start_command(struct process *process)
{
	const char *command = process->stage->beside;

	if (!command)
		return -ENOSYS;
	process->beside = fork();
	if (process->beside < 0) {
		process->beside = 0;
		return -errno;
	}
	if (process->beside) {
		/* parent or child, whichever comes first */
		setpgid(process->beside, process->beside);
		return 0;
	}
	setpgid(0, 0);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	unsetenv("DRMPERF_DIES");
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static int
process_beside(void *data, enum selftest_beside step)
{
	struct process *process = data;
	int status = 0;

	if (step == SELFTEST_BESIDE_BEGIN)
		return start_command(process);
	if (!process->beside)
		return 0;
	if (step == SELFTEST_BESIDE_END)
		kill(-process->beside, SIGKILL);
	if (waitpid(process->beside, &status,
		    step == SELFTEST_BESIDE_END ? 0 : WNOHANG) !=
	    process->beside)
		return step != SELFTEST_BESIDE_END;
	process->beside = 0;
	return status ? -ECANCELED : 0;
}

static void
run_process(const struct selftest_stage *stage, int pipe)
{
	struct process process = { .stage = stage, .pipe = pipe };
	const struct selftest_host host = { .decided = process_decided,
					    .submitting = process_submitting,
					    .elsewhere = process_elsewhere,
					    .draw = process_draw,
					    .beside = process_beside,
					    .suspend = process_suspend,
					    .data = &process };
	struct drmperf_error error = { .cause = "" };
	struct stage_record record = { .length = 0 };
	int ret;

	/* One of several dies is enough for every check. */
	setenv("DRMPERF_DIES", "one", 1);
	ret = stage->kind->run(&stage->gpu, stage->number, stage->memory, &host,
			       &error);
	draw_end(&process.draw);
	selftest_log_forget(&process.logged);
	if (ret) {
		add_part(&record, "E");
		add_part(&record,
			 *error.cause ? error.cause : strerrordesc_np(-ret));
		add_part(&record,
			 ret == -ECANCELED || ret == -ETIME ? "hung" : "");
		send_record(pipe, &record);
	}
	_exit(0);
}

/* ------------------------------------------------------------------ */
/* In its parent                                                        */

struct listener {
	const struct selftest_stage *stage;
	int pipe;
	char check[RESULT_NAME_SIZE]; /* commands are on their way for it */
	/* decided, but whether the GPU hung with it comes after */
	struct {
		char name[RESULT_NAME_SIZE], expected[256], seen[256];
		enum selftest_verdict verdict;
		bool is_any, hung;
	} last;
	char why[256];
};

static bool
read_whole(int fd, void *out, size_t size)
{
	for (char *at = out; size;) {
		ssize_t length = read(fd, at, size);

		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			return false;
		at += length;
		size -= (size_t)length;
	}
	return true;
}

static void
report_last(struct listener *listener)
{
	const struct selftest_check check = {
		.name = listener->last.name,
		.verdict = listener->last.verdict,
		.expected = listener->last.expected,
		.seen = listener->last.seen,
	};

	if (listener->last.is_any)
		listener->stage->decided(listener->stage->data, &check,
					 listener->last.hung);
	listener->last.is_any = false;
}

static void
take_check(struct listener *listener, char *const parts[PARTS_MAX])
{
	report_last(listener);
	for (int i = 0; i < SELFTEST_VERDICTS; i++)
		if (!strcmp(parts[1], selftest_verdict_names[i]))
			listener->last.verdict = (enum selftest_verdict)i;
	snprintf(listener->last.name, sizeof(listener->last.name), "%s",
		 parts[2]);
	snprintf(listener->last.expected, sizeof(listener->last.expected), "%s",
		 parts[3]);
	snprintf(listener->last.seen, sizeof(listener->last.seen), "%s",
		 parts[4]);
	listener->last.hung = *parts[0] == 'H';
	listener->last.is_any = true;
	listener->check[0] = '\0';
}

static void
take_record(struct listener *listener, char *text, size_t length)
{
	char none[] = "";
	char *parts[PARTS_MAX] = { none, none, none, none, none };
	char *at = text;

	for (int i = 0; i < PARTS_MAX && at < text + length; i++) {
		parts[i] = at;
		at += strnlen(at, (size_t)(text + length - at)) + 1;
	}
	switch (*parts[0]) {
	case 'S':
		snprintf(listener->check, sizeof(listener->check), "%s",
			 parts[1]);
		break;
	case 'C':
	case 'H':
		take_check(listener, parts);
		break;
	case 'E':
		snprintf(listener->why, sizeof(listener->why), "%s", parts[1]);
		/* the check before was decided by that */
		listener->last.hung = listener->last.hung || *parts[2];
		break;
	default:
		break;
	}
}

/* Listen until the process ends, or is silent for too long. */
static bool
listen_to_process(struct listener *listener)
{
	struct pollfd ready = { .fd = listener->pipe, .events = POLLIN };
	char text[RECORD_SIZE + 1];
	uint16_t length;
	int count;

	for (;;) {
		count = poll(&ready, 1, SILENCE_MS);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		if (!read_whole(listener->pipe, &length, sizeof(length)))
			return true;
		if (length > RECORD_SIZE ||
		    !read_whole(listener->pipe, text, length))
			return true;
		text[length] = '\0';
		take_record(listener, text, length);
	}
}

/*
 * Reap a child. One that waits in the kernel for a GPU may outlive any signal.
 */
static bool
child_reap(pid_t pid, int *status)
{
	const struct timespec pause = { .tv_nsec = REAP_PAUSE_NS };

	for (int i = 0; i < REAP_TRIES; i++) {
		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/*
 * End a process, which is no more, or must not be waited for; note why, unless
 * it ended by itself.
 */
static void
end_process(struct listener *listener, pid_t pid, bool silent)
{
	int status = 0;

	if (silent) {
		kill(pid, SIGKILL);
		snprintf(listener->why, sizeof(listener->why),
			 "it said nothing for %d seconds%s", SILENCE_MS / 1000,
			 child_reap(pid, &status) ? ""
						  : ", and cannot be killed");
		return;
	}
	if (!child_reap(pid, &status)) {
		snprintf(listener->why, sizeof(listener->why),
			 "its process does not end");
		return;
	}
	if (WIFSIGNALED(status))
		snprintf(listener->why, sizeof(listener->why),
			 "its process was ended by signal %d",
			 WTERMSIG(status));
}

/*
 * Fail the commands of a process that ended before it reported their results.
 */
static void
fail_pending(struct listener *listener)
{
	char name[RESULT_NAME_SIZE];
	const struct selftest_check check = {
		.name = name,
		.verdict = SELFTEST_FAIL,
		.expected = "its commands come back",
		.seen = listener->why,
	};

	if (!*listener->check || !*listener->why)
		return;
	snprintf(name, sizeof(name), "%s", listener->check);
	report_last(listener);
	listener->stage->decided(listener->stage->data, &check, true);
}

bool
selftest_stage_run(const struct selftest_stage *stage, char *why, size_t size)
{
	struct listener listener = { .stage = stage };
	int pipes[2];
	bool silent;
	pid_t pid;

	if (pipe(pipes)) {
		snprintf(why, size, "no pipe: %s", strerror(errno));
		return false;
	}
	pid = fork();
	if (!pid) {
		close(pipes[0]);
		run_process(stage, pipes[1]);
	}
	close(pipes[1]);
	if (pid < 0) {
		snprintf(why, size, "no process: %s", strerror(errno));
		close(pipes[0]);
		return false;
	}
	listener.pipe = pipes[0];
	silent = !listen_to_process(&listener);
	close(pipes[0]);
	end_process(&listener, pid, silent);
	fail_pending(&listener);
	report_last(&listener);
	snprintf(why, size, "%s", listener.why);
	return !*listener.why;
}
