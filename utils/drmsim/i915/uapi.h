/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Additions to i915's interface after libdrm 2.4.114: Linux 6.2 to 6.12,
 * include/ uapi/drm/i915_drm.h. Names are ours where the header has none.
 */
#ifndef DRMSIM_I915_UAPI_H
#define DRMSIM_I915_UAPI_H

#define SIM_PARAM_OA_TIMESTAMP_FREQUENCY 57
#define SIM_PERF_PROP_ENGINE_CLASS 9
#define SIM_PERF_PROP_ENGINE_INSTANCE 10
/* One more than the last property: Linux 6.1, and 6.3 and later. */
#define SIM_PERF_PROP_END_6_1 9
#define SIM_PERF_PROP_END 11
#define SIM_OA_FORMAT_END 15

/* -ENOTSUPP is the kernel's own and has no name outside of it. */
#define SIM_ENOTSUPP 524

#endif /* DRMSIM_I915_UAPI_H */
