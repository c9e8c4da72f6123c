/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that are not listed; one is made when it is asked for. Those of a
 * block by the hardware's number are such that no table has a name for. Those
 * of a group that borrows raw counters are dozens for each of hundreds of
 * metric sets: "RenderBasic.A7" is what A7 of an OA report shows under that
 * set.
 */
#ifndef DRMPERF_LIB_CATALOG_RAW_EVENTS_H
#define DRMPERF_LIB_CATALOG_RAW_EVENTS_H

#include "catalog/record.h"

/*
 * Find the event of a block with this number as its name, the same one each
 * time. The errors of describe_id() and of catalog_fill(); -ENOMEM.
 */
int
catalog_raw_event(struct drmperf_group *group, uint32_t id,
		  const struct drmperf_event **out,
		  struct drmperf_error *error);

/*
 * Find the event of a name if it is a borrowed counter; NULL if not, or if the
 * group has an event of its own by that name. The errors of catalog_fill();
 * -ENOMEM.
 */
int
catalog_find_set_raw(struct catalog *catalog, const char *name, size_t length,
		     const struct drmperf_event **out,
		     struct drmperf_error *error);

/*
 * Add a counter of another group as an event of this group, which borrows from
 * that. The same errors.
 */
int
catalog_add_set_raw(struct drmperf_group *group,
		    const struct drmperf_event *counter,
		    const struct drmperf_event **out,
		    struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_RAW_EVENTS_H */
