/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What of the kernel's interface Debian 12's libdrm (2.4.114, Linux 5.19)
 * does not declare yet. Source: Linux 6.12 include/uapi/drm/i915_drm.h.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_UAPI_H
#define DRMPERF_LIB_DRIVER_I915_UAPI_H

#include <i915_drm.h>

/* Since Linux 6.2: the rate of OA timestamps where it is not parameter 51. */
#define UAPI_PARAM_OA_TIMESTAMP_FREQUENCY 57

/* Since Linux 6.4 (perf revision 6): which engine's OA unit. */
#define UAPI_PERF_PROP_OA_ENGINE_CLASS 9
#define UAPI_PERF_PROP_OA_ENGINE_INSTANCE 10

/* Perf revisions (parameter 54) that brought a property. */
#define UAPI_PERF_REVISION_SSEU 4
#define UAPI_PERF_REVISION_MEDIA 7

/* Error of an ioctl of a device without OA unit; not in libc's errno.h. */
#define UAPI_ENOTSUPP 524

#endif /* DRMPERF_LIB_DRIVER_I915_UAPI_H */
