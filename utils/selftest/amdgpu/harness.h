/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU under test: command buffers run one at a time, each announced before,
 * and results are reported as checks.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_HARNESS_H
#define DRMPERF_SELFTEST_AMDGPU_HARNESS_H

#include "driver/amdgpu/tables/gpu.h"
#include "selftest/amdgpu/selftest.h"
#include "driver/amdgpu/device/context.h"
#include "selftest/checks/clock.h"

/* Value of memory before the GPU stores something there. */
#define HARNESS_NOTHING 0xdeadbeefu

#define HARNESS_NAME_SIZE 64

struct harness {
	struct gpu *gpu;
	struct arena *arena;
	struct amd_context *ctx;
	const struct selftest_host *host;
	struct selftest_memory *memory;
	struct drmperf_error *error;
	const char *sysfs; /* folder of the PCI device */
	const char *hidden; /* what stage 9 is about, or NULL */
	struct selftest_work *work; /* to be done during the stage, or NULL */
	const struct selftest_waves *waves; /* to be launched, or NULL */
	unsigned submitted;
	char check[HARNESS_NAME_SIZE]; /* that was announced last */
	bool announced; /* so are the commands that are submitted now */
	struct amd_submit_hook submit_hook;
	uint32_t die; /* mask of the one to take commands; 0: whichever does */
};

/* A command buffer, and the check that fails if it does not come back. */
struct experiment {
	const char *check;
	const char *expected;
	const char *what;
	enum pm4_engine engine;
	enum pm4_source source;
	/* results is the GPU's address of experiment.results dwords. */
	void (*write)(struct pm4 *pm4, const struct core *core,
		      uint64_t results, const void *data);
	const void *data;
	size_t results;
	size_t room; /* dwords behind them, for the GPU alone */
	/* what the first results are, for the GPU to read; or NULL */
	const uint32_t *given;
	size_t given_count;
	/* which of the results is written if harness->die takes the commands */
	size_t done;
};

/*
 * Run an experiment; *out gets the results. 0; 1 if it was left out, since it
 * has hung the GPU before; after -errno the stage is to end. The check has then
 * failed, unless there was no memory or no log.
 */
int
harness_run(struct harness *harness, const struct experiment *experiment,
	    uint32_t *out);

/*
 * Run an experiment that only stores that it is done, on the ring of samples.
 */
int
harness_run_commands(struct harness *harness, const char *check,
		     const char *expected, const char *what,
		     void (*write)(struct pm4 *pm4, const struct core *core,
				   uint64_t results, const void *data));

/*
 * Run an experiment, of which the CPU then knows between which two moments it
 * ran.
 */
int
harness_run_timed(struct harness *harness, const struct experiment *experiment,
		  uint32_t *out, struct clock_moments *moments);

/*
 * Announce commands that are submitted by other means on behalf of a check.
 * Returns 0; 1 if they are to be left out; -errno ends the stage. The check is
 * reported as by harness_run().
 */
int
harness_announce(struct harness *harness, const char *check,
		 const char *expected, const char *what);

/*
 * Announce from now on what the library submits by itself, on behalf of the
 * check that was announced last.
 */
void
harness_observe(struct harness *harness);

void
harness_wait(uint64_t ns);

/* Return how long the command of --beside may run. */
uint64_t
harness_beside_ns(const struct harness *harness);

void
harness_check(const struct harness *harness, enum selftest_verdict verdict,
	      const char *name, const char *expected, const char *seen, ...)
	__attribute__((format(printf, 5, 6)));

/*
 * Return the verdict of a question whose answer may be no on a GPU without
 * fault.
 */
enum selftest_verdict
harness_answer(bool yes);

/* Return "gfx.store" */
const char *
harness_name(char name[HARNESS_NAME_SIZE], enum pm4_engine engine,
	     const char *what);

/* Write a register of all instances that GRBM_GFX_INDEX names. */
void
harness_set(struct pm4 *pm4, struct pm4_register reg, uint32_t value);
void
harness_set_index(struct pm4 *pm4, const struct core *core, uint32_t index);

#endif /* DRMPERF_SELFTEST_AMDGPU_HARNESS_H */
