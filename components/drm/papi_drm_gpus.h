/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What sysfs tells of GPUs, for PAPI_library_init.
 */
#ifndef PAPI_DRM_GPUS_H
#define PAPI_DRM_GPUS_H

#include <stdbool.h>

#define DRM_CLASS "/sys/class/drm"

/*
 * True if there is any GPU; its kernel driver need not be one we know. The
 * drivers' names go to names, PAPI_PMU_MAX of them at most: PAPI looks for
 * events without "drm:::" by what stands before their "::".
 */
bool papi_drm_gpus_find(char **names);
void papi_drm_gpus_forget(char **names);

#endif /* PAPI_DRM_GPUS_H */
