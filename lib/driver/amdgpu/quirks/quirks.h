/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes to counting that follow from results of `drmperf selftest`. */
#ifndef DRMPERF_LIB_DRIVER_AMDGPU_QUIRKS_QUIRKS_H
#define DRMPERF_LIB_DRIVER_AMDGPU_QUIRKS_QUIRKS_H

#include <stddef.h>

#include "base/arena.h"
#include "driver/amdgpu/tables/gpu.h"
#include "driver/results/results.h"

/* Checks about hidden blocks are this and the block's name. */
#define QUIRK_HIDDEN "hidden."
/* The one about the bit that shows when a sample is there. */
#define QUIRK_SYNC "control.sync"
/* Checks that a select which is written to all instances arrives in each. */
#define QUIRK_TOGETHER "select.together."
/* Checks of each ring that 64 bits of counters are copied as two halves are. */
#define QUIRK_PAIRS "copy-64"
/* The one about GRBMH_SYNC, which shows that graphics has a state. */
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

/* Look for no bit that cannot be seen. */
void
quirks_sync(struct core *core, const struct selftest_results *results);

/*
 * Give commands in the ways that have been found to work, where those of the
 * table have been found not to. Changes are logged. Returns 0, or an error such
 * as -ENOMEM if the results cannot be read.
 */
int
quirks_results(struct gpu *gpu, struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_AMDGPU_QUIRKS_QUIRKS_H */
