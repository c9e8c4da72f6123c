/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why the kernel says EACCES, and what cures it.
 */
#ifndef DRMPERF_LIB_DRIVER_I915_PERMISSION_H
#define DRMPERF_LIB_DRIVER_I915_PERMISSION_H

#include <stdint.h>

#include "drmperf.h"

/* A number in /proc/sys/dev/i915; fallback if it cannot be read. */
uint64_t
permission_sysctl(const char *name, uint64_t fallback);

/*
 * Complain that what ("loading metric set RenderBasic") was refused, for
 * whatever reason but the sampling rate. Returns -EACCES.
 */
int
permission_explain(struct drmperf_error *error, const char *what);

#endif /* DRMPERF_LIB_DRIVER_I915_PERMISSION_H */
