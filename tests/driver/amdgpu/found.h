/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What drmperf selftest has found of a GPU, where the driver looks for it. What
 * must not fail fails the test.
 */
#ifndef DRMPERF_TESTS_DRIVER_AMDGPU_FOUND_H
#define DRMPERF_TESTS_DRIVER_AMDGPU_FOUND_H

#include <stdbool.h>

/*
 * Note that, for all GPUs like the device of the driver that are opened from
 * now on: all of the checks, up to a NULL, have passed, or have failed.
 */
void
found_checks(const void *device, const char *const *checks, bool pass);

/* Keep that the event of a block's clock has been seen to move, or not to. */
void
found_clock(const void *device, const char *block, bool moves);

/* Forget everything that was found. */
void
found_nothing(void);

#endif /* DRMPERF_TESTS_DRIVER_AMDGPU_FOUND_H */
