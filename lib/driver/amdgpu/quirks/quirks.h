/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes to counting that follow from results of `drmperf selftest`. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_QUIRKS_QUIRKS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_QUIRKS_QUIRKS_H

#include <stddef.h>

#include "base/arena.h"
#include "driver/amdgpu/tables/gpu.h"
#include "driver/results/results.h"

/* Names of checks about hidden blocks begin with this. */
#define QUIRK_HIDDEN "hidden."
/* The check of the bit that shows whether a sample has arrived. */
#define QUIRK_SYNC "control.sync"
/* The check that a select written to all instances arrives in each. */
#define QUIRK_TOGETHER "select.together."
/* Checks of each ring that 64 bits of counters are copied as two halves are. */
#define QUIRK_PAIRS "copy-64"
/* The check of GRBMH_SYNC, which shows that the graphics ring has a state. */
#define QUIRK_GRBMH "control.grbmh"

/*
 * Find the file for the results of GPUs like this one: of the same device,
 * revision and firmware, and as simulated as it is. The errors of
 * results_path().
 */
int
quirks_path(const struct gpu *gpu, char *path, size_t size);

/*
 * Offer hidden blocks that have passed, and keep which have not, before the
 * core is read. Returns 0, or
 * the errors of quirks_results().
 */
int
quirks_offer(struct gpu *gpu, struct arena *arena, struct drmperf_error *error);

/* Drop the sync bit from the core if the self-test could not see it. */
void
quirks_sync(struct core *core, const struct selftest_results *results);

/*
 * Choose other ways to give commands where the self-test found those of the
 * table not to work, and log that. Returns 0, or an error such as -ENOMEM if
 * the results cannot be read.
 */
int
quirks_results(struct gpu *gpu, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_QUIRKS_QUIRKS_H */
