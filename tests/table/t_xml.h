/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Texts that are read as if they stood in a file t.xml.
 */
#ifndef DRMPERF_TESTS_TABLE_T_XML_H
#define DRMPERF_TESTS_TABLE_T_XML_H

#include "table/table.h"

/* What was wrong with the last one. */
extern char t_xml_error[600];

/* A file as they should be. */
extern const char t_xml_good[];

/* Long enough to be kept from expat, where that is allowed. */
#define LONG                                                                   \
	"A text of so many characters, all of them plain, that expat is "      \
	"spared it."

int
t_xml_parse(const char *text, struct table **out);

/* Parse, and make elements of lists. */
int
t_xml_parse_lists(const char *text, struct table **out);

#endif /* DRMPERF_TESTS_TABLE_T_XML_H */
