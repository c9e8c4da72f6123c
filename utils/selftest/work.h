/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that compute and draw during a stage of the self-test. */
#ifndef DRMPERF_SELFTEST_WORK_H
#define DRMPERF_SELFTEST_WORK_H

#include <sys/types.h>

#include "selftest/checks/check.h"

#define WORK_PROCESSES 2

/*
 * Makes a working process launch waves, and no more:
 * "ENABLED,DIE,STREAM,GRAPHICS".
 */
#define WAVES_OPTION "launch"

struct worker {
	pid_t pid; /* 0: it could not be started */
	int stop, answer;
};

struct work {
	struct worker processes[WORK_PROCESSES];
	struct worker painter;
};

struct work_result {
	unsigned running; /* until they were told to end */
	unsigned long rounds, wrong;
	/* of pictures; why there are none: -errno as of host->draw() */
	unsigned long pictures, wrong_pictures;
	int no_pictures;
};

/*
 * Start the programs, each a process with its own memory on the GPU. They are
 * at work when this returns, if they can be.
 */
void work_start(struct work *work, const struct selftest_gpu *gpu);
void work_stop(struct work *work, struct work_result *out);

/*
 * Run the working process, until standard input ends. Returns the exit status.
 */
int work_main(const struct selftest_gpu *gpu);

/* Have another process launch waves: as host->elsewhere() */
int
work_launch(const struct selftest_gpu *gpu, const struct selftest_waves *waves);
/* Run the launching process: option is its value. Returns the exit status. */
int
work_launch_main(const struct selftest_gpu *gpu, const char *option);

#endif /* DRMPERF_SELFTEST_WORK_H */
