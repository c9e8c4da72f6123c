/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of stages 3 and 4: bits that the library waits for can be seen to
 * change.
 */
#ifndef DRMPERF_SELFTEST_AMDGPU_SYNC_H
#define DRMPERF_SELFTEST_AMDGPU_SYNC_H

#include "selftest/amdgpu/harness.h"

/* Try the sync bit. Returns what harness_run() does. */
int
sync_try(struct harness *harness);

/*
 * Try the states on the graphics ring, before anything waits for them there. A
 * state that does not come is not waited for from here on. Returns what
 * harness_run() does.
 */
int
sync_try_graphics(struct harness *harness);

#endif /* DRMPERF_SELFTEST_AMDGPU_SYNC_H */
