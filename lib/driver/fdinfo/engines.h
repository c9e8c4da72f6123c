/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Engines that a driver does not report before they have been used.
 */
#ifndef DRMPERF_LIB_DRIVER_FDINFO_ENGINES_H
#define DRMPERF_LIB_DRIVER_FDINFO_ENGINES_H

#include "driver/fdinfo/text.h"

/*
 * Add the keys of engines that the device of an open node has but does not tell
 * of yet. -ENOSPC; transient errors.
 */
int fdinfo_add_engines(struct fdinfo_keys *keys, const char *driver, int fd);

#endif /* DRMPERF_LIB_DRIVER_FDINFO_ENGINES_H */
