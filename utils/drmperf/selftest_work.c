/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest_work.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/amdgpu/selftest/selftest.h"

/* The same program: also where something else runs it, as valgrind does. */
static _Noreturn void
become(const char *beside, const char *launch)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length <= 0)
		_exit(127);
	path[length] = '\0';
	/* which is also where its tables are looked for */
	execl(path, path, "selftest", beside, launch, (char *)NULL);
	_exit(127);
}

void
work_become(const char *address, const char *option)
{
	char beside[64];

	snprintf(beside, sizeof(beside), "--" WORK_OPTION "=%s", address);
	become(beside, option);
}

static void
become_work(const char *address, int stop, int answer)
{
	if (dup2(stop, STDIN_FILENO) < 0 || dup2(answer, STDOUT_FILENO) < 0)
		_exit(127);
	work_become(address, NULL);
}

static pid_t
start_one(const char *address, int *stop, int *answer)
{
	int to[2], from[2];
	pid_t pid;

	if (pipe2(to, O_CLOEXEC))
		return 0;
	if (pipe2(from, O_CLOEXEC)) {
		close(to[0]);
		close(to[1]);
		return 0;
	}
	pid = fork();
	if (!pid)
		become_work(address, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	*stop = to[1];
	*answer = from[0];
	if (pid > 0)
		return pid;
	close(*stop);
	close(*answer);
	return 0;
}

void
work_start(struct work *work, const struct selftest_gpu *gpu)
{
	for (int i = 0; i < WORK_PROCESSES; i++)
		work->processes[i].pid =
			start_one(gpu->address, &work->processes[i].stop,
				  &work->processes[i].answer);
}

static void
stop_one(struct work *work, int i, struct work_result *out)
{
	unsigned long rounds = 0, wrong = 0;
	char text[64] = "";
	ssize_t length;
	int status = 0;

	close(work->processes[i].stop);
	length = read(work->processes[i].answer, text, sizeof(text) - 1);
	close(work->processes[i].answer);
	waitpid(work->processes[i].pid, &status, 0);
	if (length <= 0 || sscanf(text, "%lu %lu", &rounds, &wrong) != 2)
		return;
	out->rounds += rounds;
	out->wrong += wrong;
	out->running += rounds && WIFEXITED(status) && !WEXITSTATUS(status);
}

void
work_stop(struct work *work, struct work_result *out)
{
	*out = (struct work_result){ 0 };
	for (int i = 0; i < WORK_PROCESSES; i++)
		if (work->processes[i].pid)
			stop_one(work, i, out);
}

int
work_main(const struct selftest_gpu *gpu)
{
	struct selftest_work work = { .until = STDIN_FILENO };
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
become_launch(const char *address, const struct selftest_waves *waves)
{
	char launch[64];

	snprintf(launch, sizeof(launch), "--" WAVES_OPTION "=%d,%" PRIu32,
		 waves->enabled, waves->die);
	work_become(address, launch);
}

int
work_launch(const struct selftest_gpu *gpu, const struct selftest_waves *waves)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid)
		become_launch(gpu->address, waves);
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
	int ret;

	if (sscanf(option, "%*d,%" SCNu32, &waves.die) != 1)
		return 1;
	ret = selftest_launch(gpu, &waves, &error);
	if (ret)
		fprintf(stderr,
			"drmperf selftest: waves of another process: "
			"%s\n",
			error.cause);
	return ret ? 1 : 0;
}
