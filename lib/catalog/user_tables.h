/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that the user names, DRMPERF_EVENTS: in our own dialect, or in that
 * of others, told by the root element. What is foreign and cannot be counted
 * is left out with a warning; what is ours is an error.
 */
#ifndef DRMPERF_LIB_CATALOG_USER_TABLES_H
#define DRMPERF_LIB_CATALOG_USER_TABLES_H

#include <stddef.h>

#include "base/error.h"
#include "driver/description.h"
#include "table/table.h"

struct user_tables {
	const struct table **tables; /* in the order they were named */
	size_t count;
};

/*
 * Read a file and append the tables in it. The errors of table_read() and
 * rocm_read(), and then nothing is appended; -EBADMSG if its root element is
 * none that is known.
 */
int user_tables_add(struct user_tables *user, const char *path,
		     const struct log_sink *log, struct drmperf_error *error);
/*
 * Append the tables in a terminated text, with the errors of user_tables_add();
 * path names it in messages.
 */
int user_tables_parse(struct user_tables *user, const char *path,
		       const char *text, size_t length,
		       const struct log_sink *log, struct drmperf_error *error);
void user_tables_finish(struct user_tables *user);

/*
 * Append the metrics of all tables that are for this driver and the
 * generation and target of the description: to the group that the attribute
 * group names, or to "metric", which is made if there is none. A metric
 * replaces an event of the same group and name. The errors of metric_add();
 * -EBADMSG if there is no such group.
 */
int user_tables_apply(const struct user_tables *user, const char *driver,
		       struct description *description,
		       const struct log_sink *log, struct drmperf_error *error);

#endif /* DRMPERF_LIB_CATALOG_USER_TABLES_H */
