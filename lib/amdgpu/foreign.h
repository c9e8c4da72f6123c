/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of ROC profiler's metric files, added to the groups of the blocks.
 */
#ifndef DRMPERF_LIB_AMDGPU_FOREIGN_H
#define DRMPERF_LIB_AMDGPU_FOREIGN_H

#include "gpu.h"
#include "table.h"

/*
 * Append the <counter> elements of a foreign table, after the blocks' own
 * events. One that ROCm knows by the same name is replaced: it keeps our name
 * and unit. What this GPU has not is left out with a warning. -ENOMEM.
 */
int
foreign_add_counters(const struct gpu *gpu, const struct table *table,
		     struct description *description);

#endif /* DRMPERF_LIB_AMDGPU_FOREIGN_H */
