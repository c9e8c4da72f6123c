/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compute queues of the program: events with DRMPERF_SCOPE_QUEUE see what HSA
 * and HIP run only in queues that allow it, which libdrmperf-hsa, a tool of
 * HSA's, makes them do. HSA reads the names of its tools when it begins.
 */
#ifndef PAPI_DRM_QUEUES_H
#define PAPI_DRM_QUEUES_H

#include <stddef.h>

#include "papi_drm_library.h"

/* "any": leave the program's queues as they are, and count what can be seen. */
#define PAPI_DRM_QUEUES_ENVIRONMENT "DRMPERF_QUEUES"

/*
 * Have HSA load libdrmperf-hsa when it begins, if one of these events needs it:
 * it is added to HSA_TOOLS_LIB of this process. Nothing is done where the
 * variable names it or librocprofiler64 already.
 *
 * Returns 0, or -ENOTSUP if HSA has begun without it.
 */
int
papi_drm_queues_prepare(const struct papi_drm_library *library,
			const struct drmperf_selection *selections,
			size_t count, struct drmperf_error *error);

#endif /* PAPI_DRM_QUEUES_H */
