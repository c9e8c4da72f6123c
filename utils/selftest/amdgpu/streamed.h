/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of counters that are off until they have been tested. */
#ifndef DRMPERF_SELFTEST_AMDGPU_STREAMED_H
#define DRMPERF_SELFTEST_AMDGPU_STREAMED_H

#include <stdbool.h>

#include "selftest/amdgpu/harness.h"

/* Return whether those of the GPU's generation are. */
bool
streamed_is_hidden(const struct core *core);

/*
 * Stream an event of waves, and compare what the intervals add up to with what
 * is counted. Returns 0, or -errno to end the stage.
 */
int
streamed_try(struct harness *harness, const char *check);

#endif /* DRMPERF_SELFTEST_AMDGPU_STREAMED_H */
