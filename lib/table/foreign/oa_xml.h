/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel's OA tables, oa-*.xml as Mesa and IGT have them, rewritten as tables
 * of our own dialect: one for each chipset in the file.
 */
#ifndef DRMPERF_LIB_TABLE_FOREIGN_OA_XML_H
#define DRMPERF_LIB_TABLE_FOREIGN_OA_XML_H

#include <stddef.h>

#include "base/error.h"
#include "table/foreign/keep.h"

/*
 * Hand over what becomes of a file. What cannot be understood is left out
 * with a warning. -EBADMSG with file and line if it is malformed; -E2BIG;
 * -ENOMEM; what keep returned.
 */
int
oa_xml_read(const char *path, const char *text, size_t length,
	    const struct log_sink *log, table_keep_fn keep, void *data,
	    struct drmperf_error *error);

#endif /* DRMPERF_LIB_TABLE_FOREIGN_OA_XML_H */
