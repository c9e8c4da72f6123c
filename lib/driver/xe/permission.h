/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why the xe driver says EACCES, and what cures it.
 */
#ifndef DRMPERF_LIB_DRIVER_XE_PERMISSION_H
#define DRMPERF_LIB_DRIVER_XE_PERMISSION_H

#include "drmperf.h"

/*
 * Complain that what ("to load metric set RenderBasic") was refused. Returns
 * -EACCES.
 */
int xe_permission_explain(struct drmperf_error *error, const char *what);

#endif /* DRMPERF_LIB_DRIVER_XE_PERMISSION_H */
