/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the events of a description come into their groups.
 */
#ifndef DRMPERF_LIB_CATALOG_EVENT_INDEX_H
#define DRMPERF_LIB_CATALOG_EVENT_INDEX_H

#include "catalog/record.h"

/*
 * Move the events of the description into their groups, which have none yet,
 * and their names into the index. Caller holds the catalog's lock, or is the
 * only one that has the catalog yet. Returns 0, -EBADMSG for a bad name, or
 * -ENOMEM; on an error none is moved.
 */
int
catalog_add_events(struct catalog *catalog, struct drmperf_error *error);

/*
 * Add one more event to a group that has its events already; it is found, and
 * not in the list. Its strings have to live as long as the catalog, whose lock
 * is held. -ENOMEM.
 */
int
catalog_add_named(struct drmperf_group *group,
		  const struct description_event *record,
		  const struct drmperf_event **out);

#endif /* DRMPERF_LIB_CATALOG_EVENT_INDEX_H */
