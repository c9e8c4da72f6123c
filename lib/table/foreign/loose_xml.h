/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading what is not quite XML: the metric files of AMD's ROC profiler have
 * several roots or none, attributes without quotation marks, comments from #
 * to the end of the line, and lines that include another file.
 */
#ifndef DRMPERF_LIB_TABLE_FOREIGN_LOOSE_XML_H
#define DRMPERF_LIB_TABLE_FOREIGN_LOOSE_XML_H

#include <stddef.h>

#include "base/error.h"
#include "table/table.h"

/* The element that stands for a line  #include "FILE". */
#define LOOSE_INCLUDE "#include"

/*
 * Read a text into a table; its root is an element of the name "#file", below
 * which everything else is. What can be left out is, with a warning: a word
 * in a tag that is no attribute, the end of an element that has not begun.
 *
 * -EBADMSG with file and line if it makes no sense; -ENOMEM.
 */
int
loose_xml_parse(const char *path, const char *text, size_t length,
		const struct log_sink *log, struct table **out,
		struct drmperf_error *error);

#endif /* DRMPERF_LIB_TABLE_FOREIGN_LOOSE_XML_H */
