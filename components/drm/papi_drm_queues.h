/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events with DRMPERF_SCOPE_QUEUE see the work of HSA and HIP only in queues
 * that allow counting. All queues do while the kernel's profiler lock is held.
 * Without the lock libdrmperf-hsa, a tool of HSA, makes the program's queues
 * allow it; HSA reads the names of its tools when it starts.
 */
#ifndef PAPI_DRM_QUEUES_H
#define PAPI_DRM_QUEUES_H

#include <stddef.h>

#include "papi_drm_library.h"

/* "any": leave the program's queues as they are, and count what can be seen. */
#define PAPI_DRM_QUEUES_ENVIRONMENT "DRMPERF_QUEUES"

/* GPUs whose queues all allow counting. All zero: none. */
struct papi_drm_queues {
	struct papi_drm_hold {
		struct drmperf_device *device;
		struct drmperf_queue_hold *hold;
	} *list;
	size_t count;
	size_t plain; /* number of first events that need no lock */
};

/*
 * Hold the lock of the GPUs of these events that need it. Where it cannot be
 * had, have HSA load libdrmperf-hsa when it begins: it is added to
 * HSA_TOOLS_LIB of this process. Nothing is done where the variable names it or
 * librocprofiler64 already. Of the first queues->plain events it is known that
 * they need none.
 *
 * Returns 0; -EBUSY if another profiler holds the lock; or -ENOTSUP if HSA has
 * begun without the tool.
 */
int
papi_drm_queues_prepare(struct papi_drm_queues *queues,
			const struct papi_drm_library *library,
			const struct drmperf_selection *selections,
			size_t count, struct drmperf_error *error);

void
papi_drm_queues_release(struct papi_drm_queues *queues,
			const struct papi_drm_library *library);

#endif /* PAPI_DRM_QUEUES_H */
