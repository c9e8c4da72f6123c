/* SPDX-License-Identifier: BSD-3-Clause */
/* Which die takes a command buffer. */
#ifndef DRMPERF_SELFTEST_AMDGPU_DIES_H
#define DRMPERF_SELFTEST_AMDGPU_DIES_H

#include "selftest/amdgpu/harness.h"

/* The kernel does not report more. */
#define DIES_MAX 32

/*
 * Get a mask of those that took the one that asks; as harness_run() otherwise.
 */
int
dies_ask(struct harness *harness, const char *check, enum pm4_engine engine,
	 uint32_t *answers);

/*
 * Choose one of several, to which all commands go from here on. Returns what
 * harness_run() does.
 */
int
dies_choose(struct harness *harness);

#endif /* DRMPERF_SELFTEST_AMDGPU_DIES_H */
