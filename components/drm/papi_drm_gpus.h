/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Information on GPUs without opening any, which would wake it:
 * PAPI_library_init calls this, and must stay fast.
 */
#ifndef PAPI_DRM_GPUS_H
#define PAPI_DRM_GPUS_H

#include <stddef.h>

#include "papi_drm_library.h"

#define DRM_CLASS "/sys/class/drm"

/*
 * Find the drivers of GPUs, and put their names into names, PAPI_PMU_MAX of
 * them at most: PAPI looks for events without "drm:::" by what stands before
 * their "::".
 *
 * Returns 0 if there may be something to count; why->code is set if this
 * process may not use a GPU, or a part of one. -ENOTSUP if there is no GPU that
 * libdrmperf has a driver for, or not its node; -EACCES if that is closed.
 */
int papi_drm_gpus_find(char **names, struct drmperf_error *why);
void papi_drm_gpus_forget(char **names);

/*
 * Open every GPU. A GPU that cannot be used is reported, with the reason in
 * *reason. That is an error only if no GPU can be used, or if it is transient.
 */
int papi_drm_gpus_open(const struct papi_drm_library *library,
		       struct drmperf *drmperf, char *reason, size_t size);

#endif /* PAPI_DRM_GPUS_H */
