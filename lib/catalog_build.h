/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DRMPERF_LIB_CATALOG_BUILD_H
#define DRMPERF_LIB_CATALOG_BUILD_H

#include "catalog.h"

/*
 * Fill a zeroed catalog (all but device, description and lock; driver is set)
 * from the description, whose events it puts into the catalog's order. On
 * failure what has been filled is left for catalog_destroy(). The errors of
 * catalog_create().
 */
int catalog_build(struct catalog *catalog, struct description *description,
		  struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_BUILD_H */
