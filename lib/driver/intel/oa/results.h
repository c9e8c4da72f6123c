/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of `drmperf selftest` about metric sets. */
#ifndef DRMPERF_LIB_DRIVER_INTEL_OA_RESULTS_H
#define DRMPERF_LIB_DRIVER_INTEL_OA_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct oa_gpu;

/*
 * Names of the checks that composed sets count like published ones: one set,
 * and all sets.
 */
#define OA_TESTED_COMPOSED_SET "composed."
#define OA_TESTED_COMPOSED "composed"

/*
 * Write the path of the file for the results of GPUs like the one at this sysfs
 * folder: of the same kernel driver, device and revision, and as simulated as
 * it is. The errors of results_path().
 */
int
oa_results_path(const char *driver, const char *sysfs, uint32_t device_id,
		char *path, size_t size);

/*
 * Find out whether sets may be composed without DRMPERF_COMPOSE=1. Returns 0,
 * or a transient error of reading the results; other errors are logged.
 */
int
oa_results_composes(const struct oa_gpu *gpu, uint32_t device_id, bool *out,
		    struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_INTEL_OA_RESULTS_H */
