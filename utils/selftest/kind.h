/* SPDX-License-Identifier: BSD-3-Clause */
/* The self-tests that there are, by the kernel's driver. */
#ifndef DRMPERF_SELFTEST_KIND_H
#define DRMPERF_SELFTEST_KIND_H

#include "base/error.h"
#include "selftest/checks/check.h"

#define SELFTEST_STAGES_MAX 10u

struct selftest_kind {
	const char *driver;
	unsigned stages;
	/* Return the purpose of a stage: half a sentence. */
	const char *(*title)(unsigned stage);
	/*
	 * Run a stage in its own process. Returns 0, whatever has been found
	 * out; -ECANCELED or -ETIME if the GPU was reset or does not answer;
	 * other errors of opening the GPU, or what host->submitting returns.
	 */
	int (*run)(const struct selftest_gpu *gpu, unsigned stage,
		   struct selftest_memory *memory,
		   const struct selftest_host *host,
		   struct drmperf_error *error);
	/*
	 * The stage to be run with other processes working, or a number that no
	 * stage has
	 */
	unsigned load;
	/* The last one of those that are run if none is chosen */
	unsigned usual_last;
	/* Mask of those that may take the GPU from others */
	unsigned dangerous;
	/* From this one on registers may change: behind all, "stages" is run */
	unsigned first_writing;
};

/* Return the self-test of a driver, or NULL if there is none. */
const struct selftest_kind *
selftest_kind_find(const char *driver);

/*
 * Run a stage of AMD GPUs, as selftest_kind.run: the driver's own, and what is
 * counted by formulas, which only the library as a whole has. See amd.c.
 */
int
selftest_amd_run(const struct selftest_gpu *gpu, unsigned stage,
		 struct selftest_memory *memory,
		 const struct selftest_host *host, struct drmperf_error *error);

#endif /* DRMPERF_SELFTEST_KIND_H */
