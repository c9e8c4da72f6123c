/* SPDX-License-Identifier: BSD-3-Clause */
/* Waves of a shader, launched by a command buffer of its own. */
#ifndef DRMPERF_SELFTEST_AMDGPU_WAVES_H
#define DRMPERF_SELFTEST_AMDGPU_WAVES_H

#include "selftest/amdgpu/harness.h"
#include "selftest/amdgpu/launch.h"

/* A prime, so that nothing divides or rounds it unseen. */
#define WAVES_COUNT 10007u

struct waves {
	const char *check, *expected;
	enum pm4_engine engine;
	const struct shader *shader;
	struct launch launch;
};

/* Launch them, and wait for their end. As harness_run() */
int
waves_run(struct harness *harness, const struct waves *waves);

/*
 * Launch WAVES_COUNT of a shader that does nothing, with counting enabled or
 * not.
 */
int
waves_launch_from(struct harness *harness, const char *check,
		  const char *expected, enum pm4_engine engine, bool enabled);

/*
 * Launch waves as the function before, in a queue of compute that is enabled.
 */
int
waves_launch(struct harness *harness, const char *check, const char *expected);

#endif /* DRMPERF_SELFTEST_AMDGPU_WAVES_H */
