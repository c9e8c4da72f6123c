/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finding events. Who calls these holds the catalog's lock. They see what is
 * hidden as well, for expressions may use it.
 */
#ifndef DRMPERF_LIB_CATALOG_FIND_H
#define DRMPERF_LIB_CATALOG_FIND_H

#include "catalog/catalog.h"

/*
 * The event that a name stands for, of all groups; NULL if there is none.
 * -ENOTUNIQ, without complaint, if there is no telling which; the errors of
 * catalog_fill().
 */
int
catalog_find_any(struct catalog *catalog, const char *name, size_t length,
		 const struct drmperf_event **out, struct drmperf_error *error);

/*
 * The event of this group that has this name; NULL if there is none. The
 * errors of catalog_fill().
 */
int
catalog_find_in_group(struct drmperf_group *group, const char *name,
		      size_t length, const struct drmperf_event **out,
		      struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_FIND_H */
