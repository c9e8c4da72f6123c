/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that the user names, DRMPERF_EVENTS: in our own dialect, or in that
 * of others, told by the root element.
 */
#ifndef DRMPERF_LIB_EXTRA_H
#define DRMPERF_LIB_EXTRA_H

#include <stddef.h>

#include "description.h"
#include "error.h"
#include "table.h"

struct extra_tables {
	const struct table **tables; /* in the order they were named */
	size_t count;
};

/*
 * Read a file and append the tables in it. The errors of table_read();
 * -EBADMSG if its root element is none that is known.
 */
int extra_tables_add(struct extra_tables *extra, const char *path,
		     struct drmperf_error *error);
void extra_tables_finish(struct extra_tables *extra);

/*
 * Append the metrics of all tables that are for this driver and the
 * generation of the description: to the group that the attribute group names,
 * or to "metric", which is made if there is none. A metric replaces an event
 * of the same group and name. The errors of metric_add(); -EBADMSG if there is
 * no such group.
 */
int extra_tables_apply(const struct extra_tables *extra, const char *driver,
		       struct description *description,
		       struct drmperf_error *error);

#endif /* DRMPERF_LIB_EXTRA_H */
