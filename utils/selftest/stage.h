/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A stage of the self-test in its own process, which may hang or crash without
 * taking what has been found out with it.
 */
#ifndef DRMPERF_SELFTEST_STAGE_H
#define DRMPERF_SELFTEST_STAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "selftest/checks/check.h"
#include "selftest/kind.h"

struct selftest_stage {
	const struct selftest_kind *kind;
	struct selftest_gpu gpu;
	unsigned number;
	struct selftest_memory *memory; /* shared with the process */
	bool again; /* also what has hung before */
	const char *suspend; /* a command that suspends the machine, or NULL */
	const char *beside; /* one that works on the GPU, or NULL */
	int log;
	/* in the parent, in the order of deciding */
	void (*decided)(void *data, const struct selftest_check *check,
			bool hung);
	void *data;
};

/*
 * Run the stage. Returns true if the next stage may be run; else *why says what
 * happened.
 */
bool
selftest_stage_run(const struct selftest_stage *stage, char *why, size_t size);

#endif /* DRMPERF_SELFTEST_STAGE_H */
