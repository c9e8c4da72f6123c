/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the events of a description come into their groups. Who calls these
 * holds the catalog's lock, or nobody else has the catalog yet.
 */
#ifndef DRMPERF_LIB_CATALOG_FILL_H
#define DRMPERF_LIB_CATALOG_FILL_H

#include "catalog/catalog.h"

/* Says that there was none for the events; returns -ENOMEM. */
int catalog_no_memory(struct drmperf_error *error);

/*
 * Whether users see the event. One that follows another sums what stands before
 * it: alone it means nothing, and only expressions can use it.
 */
bool catalog_lists(const struct description_event *event);

/*
 * Move the events of the description into their groups, which have none yet,
 * and their names into the index. -EBADMSG for a bad name; -ENOMEM; none is
 * moved then.
 */
int
catalog_add_events(struct catalog *catalog, struct drmperf_error *error);

/* As catalog_fill(). */
int
catalog_fill_group(struct drmperf_group *group, struct drmperf_error *error);

/* As catalog_list(). */
const struct catalog_list *
catalog_make_list(struct catalog *catalog);

#endif /* DRMPERF_LIB_CATALOG_FILL_H */
