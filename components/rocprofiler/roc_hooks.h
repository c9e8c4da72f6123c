/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of kernels that HSA loads, reported to a tool: rocprof's own asks
 * for them in its quick mode. Of the callbacks that ROCm's header has, clients
 * use no other.
 */
#ifndef ROC_HOOKS_H
#define ROC_HOOKS_H

#include <rocprofiler/rocprofiler.h>

#include "frontend/frontend.h"

/*
 * Set the callback of kernels. Returns 0, or -ENOTSUP if calls are not looked
 * at, or another callback is set.
 */
int
roc_hooks_set(const rocprofiler_hsa_callbacks_t *callbacks, void *data,
	      struct drmperf_error *error);

/* Report a kernel; this calls nothing where no callback is set. */
void
roc_hooks_report_kernel(uint64_t object, const char *name /* NULL: gone */);

void
roc_hooks_end(void);

#endif /* ROC_HOOKS_H */
