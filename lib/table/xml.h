/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A text in XML becomes a tree of elements.
 */
#ifndef DRMPERF_LIB_TABLE_XML_H
#define DRMPERF_LIB_TABLE_XML_H

#include <stddef.h>

#include "base/error.h"
#include "table/element.h"

/*
 * Give the table, which has no root yet, the elements of a text, which stands
 * behind so many lines of its file. -EBADMSG with file and line if it is not
 * well-formed, has a document type or is nested too deeply, or if one of its
 * lists (table/list.h) is malformed; -ENOMEM.
 */
int
xml_read(struct table *table, int lines_before, const char *text, size_t length,
	 struct drmperf_error *error);

/* Count the ends of lines in a text. */
int
xml_count_lines(const char *text, size_t length);

#endif /* DRMPERF_LIB_TABLE_XML_H */
