/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks about an AMD GPU, tried in stages from what cannot do harm upwards.
 * For `drmperf selftest`, which runs each stage in a process of its own and
 * links this room statically.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_SELFTEST_H
#define DRMPERF_SELFTEST_AMDGPU_SELFTEST_H

#include "base/error.h"
#include "selftest/checks/check.h"

/* Stages from 0 on; behind them, what puts registers back. */
#define SELFTEST_STAGES 10u
#define SELFTEST_RESTORE SELFTEST_STAGES
/* The first one that counts, and so may hang the GPU if anything is wrong. */
#define SELFTEST_COUNT 4u
/* This one counts what shaders do. */
#define SELFTEST_SHADERS 5u
/* This one is to have company, by selftest_work(). */
#define SELFTEST_LOAD 7u
/* This one is run for each item: memory->item, below memory->item_count. */
#define SELFTEST_HIDDEN 9u

/* Return a title of the stage, half a sentence. */
const char *selftest_title(unsigned stage);

/*
 * Run a stage, or SELFTEST_RESTORE. Returns 0, whatever has been found out
 * about the checks; -ECANCELED or -ETIME if the GPU was reset or does not
 * answer, which the last check reports; what host->submitting returns; errors
 * of gpu_create().
 */
int selftest_run(const struct selftest_gpu *gpu, unsigned stage,
		 struct selftest_memory *memory,
		 const struct selftest_host *host, struct drmperf_error *error);

/*
 * Launch the waves that stage 5 counts of other processes. The errors of
 * selftest_run().
 */
int
selftest_launch(const struct selftest_gpu *gpu,
		const struct selftest_waves *waves,
		struct drmperf_error *error);

/* Work of other processes while SELFTEST_LOAD runs. */
struct selftest_work {
	int until; /* a descriptor that has something to be read, or its end */
	int begun; /* a descriptor that gets a byte after the first round */
	unsigned long rounds, wrong;
};

/*
 * Run compute shaders whose results are known, until work->until is readable.
 * Returns 0, or the errors of selftest_run().
 */
int selftest_work(const struct selftest_gpu *gpu, struct selftest_work *work,
		  struct drmperf_error *error);

#endif /* DRMPERF_SELFTEST_AMDGPU_SELFTEST_H */
