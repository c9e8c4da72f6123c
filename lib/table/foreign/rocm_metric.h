/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One metric of a ROC profiler file, in words of our own tables.
 */
#ifndef DRMPERF_LIB_TABLE_FOREIGN_ROCM_METRIC_H
#define DRMPERF_LIB_TABLE_FOREIGN_ROCM_METRIC_H

#include "base/error.h"
#include "table/table.h"

/*
 * Rewrite a <metric> into an element in the arena of table:
 *
 *   <counter name block id>  a counter of a block
 *   <metric name expression unit type kind>
 *   <special name>	      what only the profiler knows how to get
 *
 * with the description as text. *out is NULL if it cannot be understood, which
 * a warning says. -ENOMEM.
 */
int
rocm_metric_rewrite(struct table *table, const struct table *source,
		    const struct element *metric, const struct log_sink *log,
		    const struct element **out);

#endif /* DRMPERF_LIB_TABLE_FOREIGN_ROCM_METRIC_H */
