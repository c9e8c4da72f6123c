/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readers of other people's files, which they rewrite as tables of our own
 * dialect. What cannot be understood is left out with a warning.
 */
#ifndef DRMPERF_LIB_TABLE_FOREIGN_READERS_H
#define DRMPERF_LIB_TABLE_FOREIGN_READERS_H

#include <stddef.h>

#include "base/error.h"
#include "table/element.h"

/* Takes a table that a reader has made; it owns it, whatever it returns. */
typedef int (*table_keep_fn)(void *data, struct table *table,
			     struct drmperf_error *error);

/*
 * Hand over what becomes of Intel's OA tables, oa-*.xml as Mesa and IGT have
 * them: a table for each chipset in the file. -EBADMSG with file and line if it
 * is malformed; -E2BIG; -ENOMEM; what keep returned.
 */
int
oa_xml_read(const char *path, const char *text, size_t length,
	    const struct log_sink *log, table_keep_fn keep, void *data,
	    struct drmperf_error *error);

/*
 * Read a metric file of AMD's ROC profiler, and the files it includes, and hand
 * over what becomes of it: a table for each section that is a target ("gfx906")
 * and each file that it takes something from. events/README.md says what is
 * made of them.
 *
 * -EBADMSG with file and line if it is malformed; -ELOOP if a file includes
 * itself; -E2BIG if there are too many files or sections, if files include each
 * other too deeply, or if sections inherit far more than is written; -ENOMEM;
 * what keep returned.
 */
int
rocm_read(const char *path, const char *text, size_t length,
	  const struct log_sink *log, table_keep_fn keep, void *data,
	  struct drmperf_error *error);

#endif /* DRMPERF_LIB_TABLE_FOREIGN_READERS_H */
