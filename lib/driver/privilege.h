/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the kernel will let this process count, as far as files show.
 */
#ifndef DRMPERF_LIB_DRIVER_PRIVILEGE_H
#define DRMPERF_LIB_DRIVER_PRIVILEGE_H

#include <stdbool.h>
#include <stdint.h>

#include "drmperf.h"

/*
 * Check CAP_PERFMON and CAP_SYS_ADMIN of the process. Whether they count, for
 * example inside a container, only the kernel decides.
 */
bool privilege_has_capability(void);

/*
 * Return the number in a file below /proc/sys, or the fallback if there is
 * none.
 */
int64_t
sysctl_read(const char *file, int64_t fallback);

/*
 * Check that a sysctl, given by its file below /proc/sys, does not keep
 * counters from this process. True where there is no such file.
 */
bool privilege_may_count(const char *sysctl);

/*
 * Complain that what ("to load metric set RenderBasic") was refused by a driver
 * whose sysctl is dev.DRIVER.SYSCTL. Returns -EACCES.
 */
int
privilege_explain(struct drmperf_error *error, const char *what,
		  const char *driver, const char *sysctl);

#endif /* DRMPERF_LIB_DRIVER_PRIVILEGE_H */
