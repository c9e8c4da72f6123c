/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the readers of other people's files put the tables they make.
 */
#ifndef DRMPERF_LIB_TABLE_FOREIGN_KEEP_H
#define DRMPERF_LIB_TABLE_FOREIGN_KEEP_H

#include "base/error.h"
#include "table/element.h"

/* Takes a table that a reader has made; it owns it, whatever it returns. */
typedef int (*table_keep_fn)(void *data, struct table *table,
			     struct drmperf_error *error);

#endif /* DRMPERF_LIB_TABLE_FOREIGN_KEEP_H */
