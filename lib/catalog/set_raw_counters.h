/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raw counters as events of a group that borrows them: "RenderBasic.A7" is what
 * A7 of an OA report shows under that metric set. They are not listed, as there
 * are dozens for each of hundreds of sets; one is made when it is asked for.
 */
#ifndef DRMPERF_LIB_CATALOG_SET_RAW_COUNTERS_H
#define DRMPERF_LIB_CATALOG_SET_RAW_COUNTERS_H

#include "catalog/record.h"

/*
 * The event of a name if it is such a counter; NULL if not, or if the group has
 * an event of its own by that name. The errors of catalog_fill(); -ENOMEM.
 */
int
catalog_find_set_raw(struct catalog *catalog, const char *name, size_t length,
		     const struct drmperf_event **out,
		     struct drmperf_error *error);

/*
 * A counter of another group as an event of this group, which borrows from
 * that. The same errors.
 */
int
catalog_add_set_raw(struct drmperf_group *group,
		    const struct drmperf_event *counter,
		    const struct drmperf_event **out,
		    struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_SET_RAW_COUNTERS_H */
