/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metric files of AMD's ROC profiler, rewritten as tables of our own dialect:
 * one for each section that is a target ("gfx906") and each file that it takes
 * something from. events/README.md says what is made of them.
 */
#ifndef DRMPERF_LIB_TABLE_FOREIGN_ROCM_H
#define DRMPERF_LIB_TABLE_FOREIGN_ROCM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "table/foreign/keep.h"

/*
 * Read a file, and the files it includes, and hand over what becomes of it.
 * What cannot be understood is left out with a warning.
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

#endif /* DRMPERF_LIB_TABLE_FOREIGN_ROCM_H */
