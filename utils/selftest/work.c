/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest/work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftest/amdgpu/selftest.h"
#include "selftest/become.h"
#include "selftest/draw.h"

static void
become_work(const char *node, const char *option, int stop, int answer)
{
	if (dup2(stop, STDIN_FILENO) < 0 || dup2(answer, STDOUT_FILENO) < 0)
		_exit(127);
	become_worker(node, option);
}

static void
start_one(const char *node, const char *option, struct worker *out)
{
	int to[2], from[2];
	pid_t pid;

	out->pid = 0;
	if (pipe2(to, O_CLOEXEC))
		return;
	if (pipe2(from, O_CLOEXEC)) {
		close(to[0]);
		close(to[1]);
		return;
	}
	pid = fork();
	if (!pid)
		become_work(node, option, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	*out = (struct worker){ pid, to[1], from[0] };
	if (pid > 0)
		return;
	close(out->stop);
	close(out->answer);
	out->pid = 0;
}

/* Wait for the byte that a worker writes once it works, or for its end. */
static void
await_one(const struct worker *worker)
{
	char byte;

	while (worker->pid && read(worker->answer, &byte, 1) < 0 &&
	       errno == EINTR)
		;
}

/*
 * Start the processes, whose contexts are made before the stage holds a clock
 * mode: Linux 6.1 sets the mode again when a context ends that was made while
 * it was held.
 */
void
work_start(struct work *work, const struct selftest_gpu *gpu)
{
	for (int i = 0; i < WORK_PROCESSES; i++)
		start_one(gpu->node, NULL, &work->processes[i]);
	start_one(gpu->node, "--" DRAW_OPTION "=" DRAW_ON, &work->painter);
	for (int i = 0; i < WORK_PROCESSES; i++)
		await_one(&work->processes[i]);
	await_one(&work->painter);
}

/* Read a worker's line; false: it has written none, or has not ended well. */
static bool
stop_one(const struct worker *worker, char *text, size_t size)
{
	ssize_t length;
	int status = 0;

	text[0] = '\0';
	if (!worker->pid)
		return false;
	close(worker->stop);
	length = read(worker->answer, text, size - 1);
	close(worker->answer);
	waitpid(worker->pid, &status, 0);
	text[length > 0 ? length : 0] = '\0';
	return length > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

void
work_stop(struct work *work, struct work_result *out)
{
	unsigned long rounds, wrong;
	char text[64];

	*out = (struct work_result){ .no_pictures = -EPIPE };
	for (int i = 0; i < WORK_PROCESSES; i++) {
		bool well = stop_one(&work->processes[i], text, sizeof(text));

		if (sscanf(text, "%lu %lu", &rounds, &wrong) != 2)
			continue;
		out->rounds += rounds;
		out->wrong += wrong;
		out->running += rounds && well;
	}
	if (stop_one(&work->painter, text, sizeof(text)))
		sscanf(text, "%lu %lu %d", &out->pictures, &out->wrong_pictures,
		       &out->no_pictures);
}

int
work_main(const struct selftest_gpu *gpu)
{
	struct selftest_work work = { .until = STDIN_FILENO,
				      .begun = STDOUT_FILENO };
	struct drmperf_error error = { .cause = "" };
	int ret = selftest_work(gpu, &work, &error);

	printf("%lu %lu\n", work.rounds, work.wrong);
	if (ret)
		fprintf(stderr, "drmperf selftest: work beside it: %s\n",
			error.cause);
	return ret ? 1 : 0;
}

/* ------------------------------------------------------------------ */
/* Waves                                                                */

static void
become_launch(const char *node, const struct selftest_waves *waves)
{
	char launch[64];

	snprintf(launch, sizeof(launch),
		 "--" WAVES_OPTION "=%d,%" PRIu32 ",%d,%d", waves->enabled,
		 waves->die, waves->stream, waves->graphics);
	become_worker(node, launch);
}

int
work_launch(const struct selftest_gpu *gpu, const struct selftest_waves *waves)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid)
		become_launch(gpu->node, waves);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -ECANCELED;
}

int
work_launch_main(const struct selftest_gpu *gpu, const char *option)
{
	struct selftest_waves waves = { .enabled = *option == '1' };
	struct drmperf_error error = { .cause = "" };
	int ret, stream, graphics;

	if (sscanf(option, "%*d,%" SCNu32 ",%d,%d", &waves.die, &stream,
		   &graphics) != 3)
		return 1;
	waves.stream = stream;
	waves.graphics = graphics;
	ret = selftest_launch(gpu, &waves, &error);
	if (ret)
		fprintf(stderr,
			"drmperf selftest: waves of another process: "
			"%s\n",
			error.cause);
	return ret ? 1 : 0;
}
