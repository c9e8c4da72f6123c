/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The <metric> element of event tables, which means the same in all of them.
 */
#ifndef DRMPERF_LIB_DRIVER_METRIC_H
#define DRMPERF_LIB_DRIVER_METRIC_H

#include "base/error.h"
#include "driver/description.h"
#include "table/table.h"

/*
 * Append the metric to a group. Its strings stay in the table. -EBADMSG with
 * file and line if an attribute is missing or not of the closed set; -ENOMEM.
 */
int metric_add(struct description *description, group_index group,
	       const struct table *table, const struct element *element,
	       struct drmperf_error *error);

#endif /* DRMPERF_LIB_DRIVER_METRIC_H */
