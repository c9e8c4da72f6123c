/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Claims about a GPU that only the GPU can settle, tried in stages from what
 * cannot do harm upwards. For `drmperf selftest`, which runs each stage in a
 * process of its own and links this room statically.
 */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SELFTEST_H
#define DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SELFTEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Stages from 0 on; behind them, what puts registers back. */
#define SELFTEST_STAGES 10u
#define SELFTEST_RESTORE SELFTEST_STAGES
/* This one is to have company, by selftest_work(). */
#define SELFTEST_LOAD 7u
/* This one is run for each item: memory->item, below memory->item_count. */
#define SELFTEST_HIDDEN 9u

enum selftest_verdict {
	SELFTEST_PASS,
	SELFTEST_FAIL,
	SELFTEST_UNKNOWN, /* it could not be tried, or told */
	SELFTEST_VERDICTS
};

struct selftest_claim {
	const char *name; /* "compute.source-4" */
	enum selftest_verdict verdict;
	const char *expected;
	const char *seen;
};

/* A command buffer that is about to be submitted. */
struct selftest_commands {
	unsigned number; /* within the stage, from 1 on */
	const char *claim; /* what it is for */
	const char *what;
	const char *ring;
	const uint32_t *dwords;
	size_t count;
};

/* What another process is to launch. */
struct selftest_waves {
	bool enabled; /* its queue lets them be counted */
	uint32_t die; /* mask of the one to launch them; 0: whichever does */
};

struct selftest_host {
	void (*decided)(void *data, const struct selftest_claim *claim);
	/*
	 * 0; 1 if the claim has hung the GPU before: its commands are left out;
	 * -errno ends the stage.
	 */
	int (*submitting)(void *data, const struct selftest_commands *commands);
	/*
	 * Have a process of its own call selftest_launch(), and wait for it.
	 * 0; -ECANCELED if it has failed; -errno if there was none.
	 */
	int (*elsewhere)(void *data, const struct selftest_waves *waves);
	void *data;
};

/*
 * What a stage leaves for those behind it: zeroed in the beginning, but for the
 * seconds.
 */
#define SELFTEST_SAVED_MAX 16u

struct selftest_memory {
	char results[256]; /* the file for what is found out, or "" */
	bool has_saved; /* registers as stage 2 found them */
	unsigned saved_count;
	struct {
		uint32_t byte, value;
	} saved[SELFTEST_SAVED_MAX];
	bool addresses_work; /* stage 3 has passed */
	unsigned seconds; /* that a stage may spend on waiting */
	/* of the things that the last stage tries, one in each process */
	unsigned item, item_count;
};

struct selftest_gpu {
	const char *address; /* "0000:03:00.0" */
	const char *node; /* to render */
};

/* What the stage does: half a sentence. */
const char *selftest_title(unsigned stage);

/*
 * Run a stage, or SELFTEST_RESTORE. 0, whatever has been found out about the
 * claims; -ECANCELED or -ETIME if the GPU was reset or does not answer, which
 * the last claim tells; what host->submitting returns; errors of gpu_create().
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

/* What other processes do while SELFTEST_LOAD runs. */
struct selftest_work {
	int until; /* a descriptor that has something to be read, or its end */
	unsigned long rounds, wrong;
};

/*
 * Run compute shaders whose results are known, until told otherwise. The errors
 * of selftest_run().
 */
int selftest_work(const struct selftest_gpu *gpu, struct selftest_work *work,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_SELFTEST_SELFTEST_H */
